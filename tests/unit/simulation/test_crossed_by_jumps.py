"""Events whose formulas change sign in a jump, and forces beyond their limits where a part begins.

An impact, an action or the start may take a formula or a force beyond its threshold at once: there
is no step within which it is crossed.
"""

import numpy as np
import pytest

import dalembert as dl

g, FALL, E = 9.81, 1.0, 0.8
(z,) = dl.coordinates("z")
x, y = dl.coordinates("x y")
WAYS = ({}, {"step": 1e-3}, {"mode": "stepping"})


def ball(restitution=E):
    model = dl.Model.from_lagrangian(
        name="ball", kinetic=z.dot**2 / 2, potential=g * z, coordinates=[z], initial={"z": FALL}
    )
    model.keep(z >= 0, name="floor", restitution=restitution)
    return model


def found(solution):
    return [(event.name, event.t) for event in solution.events]


def test_velocities_that_turn_in_an_impact_and_between_impacts():
    solution = dl.simulate(ball(), until=1.4, events=[dl.Event(z.dot, name="turn")])
    first = np.sqrt(2 * FALL / g)
    up = E * np.sqrt(2 * FALL / g)
    expected = [first, first + up, first + 2 * up]
    assert np.allclose([t for _, t in found(solution)], expected, rtol=0, atol=1e-9)
    behind = solution.events[0]
    assert behind.v[0] == pytest.approx(E * g * first, abs=1e-9)


@pytest.mark.parametrize(("direction", "count"), [(1, 2), (-1, 1)])
def test_directions_of_jumps(direction, count):
    event = dl.Event(z.dot, name="turn", direction=direction)
    assert len(dl.simulate(ball(), until=1.4, events=[event]).events) == count


def test_a_plastic_impact_brings_a_velocity_to_zero_once():
    event = dl.Event(z.dot, name="rest")
    assert len(dl.simulate(ball(0.0), until=1.0, events=[event]).events) == 1


def test_a_terminal_event_and_an_action_at_a_jump():
    stop = dl.Event(z.dot, name="turn", direction=1, terminal=True)
    solution = dl.simulate(ball(), until=1.4, events=[stop])
    assert solution.t[-1] == pytest.approx(np.sqrt(2 * FALL / g), abs=1e-9)
    assert "'turn'" in solution.message
    act = dl.Event(z.dot, direction=1, action={"z.dot": 0.1}, name="turn")
    solution = dl.simulate(ball(), until=0.46, events=[act])
    assert [entry.kind for entry in solution.log] == ["impact", "set"]
    session = dl.Session(ball(), events=[act], mode="events")
    session.advance(0.46)
    assert [entry.kind for entry in session.log] == ["impact", "set"]


def free(**initial):
    given = {"x": 0.0, "x.dot": 1.0, **initial}
    return dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, coordinates=[x], initial=given)


@pytest.mark.parametrize("way", WAYS[:2])
def test_actions_take_other_events_across(way):
    back = dl.Event(dl.time - 0.5, action={"x.dot": -2.0}, name="back")
    turn = dl.Event(x.dot, name="turn")
    assert found(dl.simulate(free(), until=1.0, events=[back, turn], **way)) == [
        ("back", pytest.approx(0.5)),
        ("turn", pytest.approx(0.5)),
    ]
    brake = dl.Event(x.dot, direction=-1, action={"x.dot": 0.25}, name="brake")
    solution = dl.simulate(free(), until=1.0, events=[back, brake], **way)
    assert solution["x"][-1] == pytest.approx(0.5 + 0.125, abs=1e-12)
    session = dl.Session(free(), events=[brake], **way)
    session.advance(0.5)
    session.act({"x.dot": -2.0})
    assert (session.v[0], len(session.log)) == (0.25, 2)
    far = dl.Event(dl.time - 0.5, action={"x": 5.0}, name="far")
    solution = dl.simulate(free(), until=1.0, events=[far, dl.Event(x - 2, action="end")], **way)
    assert (solution.t[-1], solution["x"][-1]) == (pytest.approx(0.5), pytest.approx(5.0))


def carts(wall, speed=0.0):
    """Two carts with a link, 3 N on the first; a wall in front of the second."""
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        coordinates=[x, y],
        constraints={"link": y - x},
        initial={"x": 0.0, "y": 0.0, "x.dot": speed, "y.dot": speed},
    )
    model.add_force({x: 3.0})
    model.keep(y <= wall, name="wall")
    return model


@pytest.mark.parametrize("way", WAYS)
def test_forces_of_the_first_sample_are_those_of_its_step(way):
    force = dl.simulate(carts(0.0), until=0.003, **way)["link.force"]
    assert np.allclose(force, 3.0, rtol=1e-7)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("action", [dl.Release("link"), None])
def test_a_limit_that_is_exceeded_at_the_start(way, action):
    event = dl.Event("link.force", limit=2.0, action=action, name="breaks")
    solution = dl.simulate(carts(0.0), until=0.1, events=[event], **way)
    assert found(solution) == [("breaks", 0.0)]
    if action is None:
        assert solution.t[-1] == 0.0
        assert "'breaks'" in solution.message


@pytest.mark.parametrize("way", WAYS)
def test_a_limit_that_stays_exceeded_is_reached_once(way):
    event = dl.Event("link.force", limit=1.0, action={"y.dot": 0.0}, name="load")
    solution = dl.simulate(carts(9.0, 1.0), until=0.1, events=[event], **way)
    assert found(solution) == [("load", 0.0)]


def test_a_limit_that_an_action_exceeds():
    (k,) = dl.parameters(k=1.0)
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=k * y,
        coordinates=[x, y],
        constraints={"link": y},
        initial={"x": 0.0, "y": 0.0, "x.dot": 1.0},
    )
    load = dl.Event(x - 0.5, action={"k": 50.0}, name="load")
    breaks = dl.Event("link.force", limit=10.0, action=dl.Release("link"), name="breaks")
    solution = dl.simulate(model, until=1.0, events=[load, breaks])
    assert [(name, round(t, 9)) for name, t in found(solution)] == [("load", 0.5), ("breaks", 0.5)]


def test_contacts_of_a_run_that_is_put_back_are_not_struck():
    """The link breaks at once; the part that broke it had gone on to the wall."""
    event = dl.Event("link.force", limit=1.0, action=dl.Release("link"))
    solution = dl.simulate(carts(0.5, 1.0), until=1.0, events=[event])
    assert [(entry.kind, round(entry.t, 9)) for entry in solution.log] == [
        ("release", 0.0),
        ("impact", 0.5),
        ("close", 0.5),
    ]


def test_a_coordinate_that_is_set_leaves_its_contact():
    model = dl.Model.from_lagrangian(
        kinetic=z.dot**2 / 2, potential=g * z, coordinates=[z], initial={"z": 0.0}
    )
    model.keep(z >= 0, name="floor")
    up = dl.Event(dl.time - 0.1, action={"z": 1.0}, name="up")
    solution = dl.simulate(model, until=0.2, events=[up])
    assert solution["z"][-1] == pytest.approx(1.0 - g * 0.1**2 / 2, abs=1e-9)
