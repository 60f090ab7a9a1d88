"""Actions at events: laws of what engages, releases and is set."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl


def carts(masses=(2.0, 3.0), k=0.0):
    """Two carts on a line, which may be coupled."""
    x, y = dl.coordinates("x y")
    return dl.Model.from_lagrangian(
        name="carts",
        kinetic=(masses[0] * x.dot**2 + masses[1] * y.dot**2) / 2,
        potential=k * x**2 / 2,
        coordinates=[x, y],
        constraints={"coupling": y - x},
        initial={"x": 0.0, "y": 1.0, "x.dot": 1.0},
    )


def simulate(model, until, **options):
    return dl.simulate(model, until=until, progress=False, **options)


def around(solution, t):
    """Numbers of the samples before and after an action."""
    k = int(np.searchsorted(solution.t, t))
    assert solution.t[k] == t
    assert solution.t[k - 1] == np.nextafter(t, -np.inf)
    return k - 1, k


# -- engaging --------------------------------------------------------------------------------------


def docked(**options):
    model = carts()
    x, y = model.coordinates
    docking = dl.Event(y - x, action=dl.Engage("coupling"), name="docking")
    return simulate(model, 2.0, released=["coupling"], events=[docking], **options)


@pytest.mark.parametrize("step", [None, 1e-2])
def test_docking_keeps_momentum_and_loses_the_energy_of_the_approach(step):
    solution = docked(step=step)
    [entry] = solution.log
    assert (entry.kind, entry.contact) == ("engage", "coupling")
    assert np.isclose(entry.t, 1.0, rtol=0, atol=1e-12)
    i, j = around(solution, entry.t)
    momentum = solution.v @ [2.0, 3.0]
    assert np.allclose(momentum, 2.0, rtol=0, atol=1e-13)
    lost = 0.5 * (2.0 * 3.0 / 5.0) * 1.0**2  # of the reduced mass
    assert np.isclose(solution.kinetic[i] - solution.kinetic[j], lost, rtol=1e-12)
    assert np.isclose(abs(entry.impulse), 1.2, rtol=1e-12)
    assert np.isclose(entry.before, -1.0, rtol=1e-12)
    assert [event.name for event in solution.events] == ["docking"]


def test_rows_of_what_does_not_act():
    solution = docked()
    i, j = around(solution, solution.log[0].t)
    assert np.all(np.isnan(solution.phi[: i + 1]))
    assert np.all(solution.lam[: i + 1] == 0.0)
    assert np.all(np.abs(solution.phi[j:]) < 1e-14)
    assert np.all(np.abs(solution.phi_dot[j:]) < 1e-14)
    assert solution["coupling.force"].shape == solution.t.shape
    assert "engage 'coupling' at 1 s" in solution.summary()
    assert "failed" not in solution.summary()


def test_a_constraint_that_does_not_hold_is_not_engaged():
    model = carts()
    x, _ = model.coordinates
    early = dl.Event(x - 0.5, action=dl.Engage("coupling"))
    with pytest.raises(dl.errors.InconsistentError, match=r"off by 0\.5") as caught:
        simulate(model, 2.0, released=["coupling"], events=[early])
    assert caught.value.solution.t[-1] == pytest.approx(0.5)


# -- releasing -------------------------------------------------------------------------------------


def broken(limit=10.0, **options):
    model = dl.catalog.load("pendulum")
    link = dl.Event("bar.force", limit=limit, action=dl.Release("bar"), name="break")
    return simulate(model, 2.0, events=[link], **options)


@pytest.mark.parametrize("step", [None, 1e-3])
def test_a_link_breaks_at_its_force_and_velocities_stay_to_the_bit(step):
    solution = broken(step=step)
    [entry] = solution.log
    i, j = around(solution, entry.t)
    assert (entry.kind, entry.contact) == ("release", "bar")
    assert np.array_equal(solution.q[i], solution.q[j])
    assert np.array_equal(solution.v[i], solution.v[j])
    # a pendulum let go from the horizontal: lam l = 3 m g sin(a) / 2 ... sin(a) = -y
    assert np.isclose(abs(solution.lam[i, 0]), 10.0, rtol=1e-9)
    assert np.isclose(1.5 * 9.81 * -solution.q[i, 1], 10.0, rtol=1e-9)
    assert np.all(solution.lam[j:] == 0.0)
    flight = solution.t[j:] - entry.t
    x, y = solution.q[j][:, None] + np.outer(solution.v[j], flight)
    assert np.allclose(solution.q[j:, 0], x, rtol=0, atol=1e-11)
    assert np.allclose(solution.q[j:, 1], y - 9.81 * flight**2 / 2, rtol=0, atol=1e-11)
    assert [event.name for event in solution.events] == ["break"]
    assert np.ptp(solution.energy) < 1e-8


def test_a_limit_that_is_not_reached_changes_nothing():
    free = simulate(dl.catalog.load("pendulum"), 2.0)
    held = broken(limit=20.0)
    assert held.log == ()
    assert np.array_equal(held.q[-1], free.q[-1])


# -- setting ---------------------------------------------------------------------------------------


def test_velocities_coordinates_and_parameters_are_set():
    model = carts(k=1.0)
    x, y = model.coordinates
    kick = dl.Event(dl.time - 0.5, action={"y.dot": 2 * x.dot, y: 5.0})
    solution = simulate(model, 1.0, released=["coupling"], events=[kick])
    i, j = around(solution, solution.log[0].t)
    assert [(one.kind, one.contact) for one in solution.log] == [("set", "y.dot"), ("set", "y")]
    assert solution.v[j, 1] == 2 * solution.v[i, 0]
    assert solution.v[j, 0] == solution.v[i, 0]
    assert solution.q[j, 1] == 5.0
    assert solution.log[1].before == solution.q[i, 1]


def test_speeds_that_are_set_go_with_constraints():
    model = dl.catalog.load("pendulum")
    x, _ = model.coordinates
    solution = simulate(model, 1.0, events=[dl.Event(x, action={x.dot: 1.5})])
    _, j = around(solution, solution.log[0].t)
    assert np.allclose(solution.v[j], [1.5, 0.0], rtol=0, atol=1e-9)
    assert np.abs(solution.phi_dot).max() < 1e-13


def test_a_parameter_is_set():
    (x,), (k,) = dl.coordinates("x"), dl.parameters(k=4.0)
    model = dl.Model.from_lagrangian(
        name="spring",
        kinetic=x.dot**2 / 2,
        potential=k * x**2 / 2,
        coordinates=[x],
        initial={"x": 1.0},
    )
    stiffer = dl.Event(x, direction=-1, action={"k": 16.0})
    solution = simulate(model, 2.0, events=[stiffer])
    t = solution.log[0].t
    assert np.isclose(t, np.pi / 4, rtol=0, atol=1e-10)
    later = solution.t >= t
    assert np.allclose(
        solution["x"][later], -0.5 * np.sin(4 * (solution.t[later] - t)), rtol=0, atol=1e-9
    )
    assert np.ptp(solution.energy) < 1e-9  # at x = 0 the spring holds none


def test_the_end():
    model = carts()
    x, _ = model.coordinates
    solution = simulate(
        model, 2.0, released=["coupling"], events=[dl.Event(x - 0.5, action=[{x.dot: 0.0}, "end"])]
    )
    assert solution.status.name == "EVENT"
    assert solution.t[-1] == pytest.approx(0.5)
    assert solution.v[-1, 0] == 0.0


def test_events_of_one_moment_act_together():
    model = carts()
    x, _ = model.coordinates
    events = [dl.Event(x - 0.5, action={"x.dot": 2.0}), dl.Event(2 * x - 1, action={"y.dot": 1.0})]
    solution = simulate(model, 1.0, released=["coupling"], events=events)
    assert [one.contact for one in solution.log] == ["x.dot", "y.dot"]
    assert len({one.t for one in solution.log}) == 1


def test_moments_that_were_asked_for():
    times = [0.0, 0.25, 1.0, 1.5, 2.0]
    solution = docked(times=times)
    assert solution.t.tolist() == times
    assert np.allclose(solution.v[-1], 0.4, rtol=0, atol=1e-13)


# -- beside stops and contacts ---------------------------------------------------------------------


def test_contacts_stay_closed_through_an_action():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        name="sledge",
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        coordinates=[x, y],
        initial={"x.dot": 2.0},
    )
    model.keep(y >= 0, name="floor", friction=0.2, sliding=x)
    solution = simulate(model, 1.5, events=[dl.Event(x - 0.5, action={"x.dot": 1.0})])
    assert [one.kind for one in solution.log] == ["slip", "set", "stick"]
    t = solution.log[1].t
    assert np.isclose(t, (2 - np.sqrt(4 - 2 * 0.2 * 9.81 * 0.5)) / (0.2 * 9.81), rtol=0, atol=1e-10)
    assert np.isclose(solution.log[2].t - t, 1.0 / (0.2 * 9.81), rtol=0, atol=1e-9)
    assert np.all(solution["y"] == 0.0)
    assert np.allclose(solution["floor.force"][1:], 9.81, rtol=0, atol=1e-9)


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda x: dl.Event(x, action=dl.Release("cupling")), "did you mean 'coupling'"),
        (lambda x: dl.Event(x, action={"z": 1.0}), "no coordinate, velocity or parameter 'z'"),
        (lambda x: dl.Event(x, action={"x": "far"}), "Give a number or a formula"),
        (lambda x: dl.Event(x, action="stop"), "is no action"),
        (lambda x: dl.Event(x, action={}), "sets nothing"),
        (lambda x: dl.Event(x, action=dl.Engage(3)), "is no joint or constraint"),
        (lambda x: dl.Event("coupling.force"), "limit="),
        (lambda x: dl.Event(x, limit=3.0), "Subtract it"),
        (lambda x: dl.Event("coupling.force", limit=-1.0), "positive number"),
        (lambda x: dl.Event("rope.force", limit=1.0, action="end"), "no force of model"),
    ],
)
def test_bad_actions_are_refused(make, words):
    model = carts()
    with pytest.raises(dl.errors.OptionError, match=words.replace("(", r"\(")):
        simulate(model, 1.0, events=[make(model.coordinates[0])])


def test_other_bad_input():
    model = carts()
    x, y = model.coordinates
    event = dl.Event(y - x, action=dl.Engage("coupling"))
    with pytest.raises(dl.errors.OptionError, match="has no joint or constraint 'dock'"):
        simulate(model, 1.0, released=["dock"], events=[event])
    with pytest.raises(dl.errors.OptionError, match="released takes a list"):
        simulate(model, 1.0, released="coupling", events=[event])


def test_actions_that_the_start_keeps_from_acting_are_told():
    model = carts()
    x, y = model.coordinates
    start = {"x": 0.0, "y": 0.0, "x.dot": 1.0, "y.dot": 1.0}
    docking = dl.Event(y - x - 0.5, action=dl.Engage("coupling"), name="docking")
    with pytest.raises(dl.errors.OptionError, match=r"'docking'.*never does.*acts from the start"):
        simulate(model, 1.0, events=[docking], initial=start)
    parting = dl.Event(x - 0.5, action=dl.Release("coupling"), name="parting")
    with pytest.raises(dl.errors.OptionError, match=r"'parting'.*never does.*nothing engages it"):
        simulate(model, 1.0, events=[parting], released=["coupling"])
    for options in ({"released": ["coupling"]}, {"initial": start}):
        assert simulate(model, 0.2, events=[docking, parting], **options).status == 0


def test_actions_without_end_are_told():
    model = carts()
    x, _ = model.coordinates
    stuck = [dl.Event(x - 0.5, action={"x": 0.4, "x.dot": 1e10})]
    with pytest.raises(dl.errors.SimulationError, match="follow one another without end"):
        simulate(model, 2.0, released=["coupling"], events=stuck)


def test_a_run_with_actions_is_kept_in_a_file(tmp_path):
    solution = docked(save=tmp_path / "docked.npz")
    again = dl.load(tmp_path / "docked.npz")
    assert again.log == solution.log
    assert np.array_equal(again.phi, solution.phi, equal_nan=True)


# -- mechanisms ------------------------------------------------------------------------------------


def test_a_ratchet_turns_one_way():
    (turn,), (tooth, pitch) = dl.coordinates("turn"), dl.parameters(tooth=0.0, pitch=0.2)
    model = dl.Model.from_lagrangian(
        name="ratchet", kinetic=turn.dot**2 / 2, coordinates=[turn], initial={"turn": 0.01}
    )
    model.add_force({turn: 3 * np.sin(5 * dl.time) - 1})
    model.keep(turn >= tooth, name="pawl")
    click = dl.Event(turn - tooth - pitch, direction=1, action={tooth: tooth + pitch})
    solution = simulate(model, 3.0, events=[click])
    clicks = [one for one in solution.log if one.kind == "set"]
    assert len(clicks) == 2
    assert {"impact", "close", "open"} <= {one.kind for one in solution.log}
    for one in clicks:
        later = solution.t >= one.t
        assert np.all(solution["turn"][later] >= one.after - 1e-12)
        assert solution["turn"][later][0] == pytest.approx(one.after, abs=1e-10)


def bars():
    model = dl.Model("bars")
    inertia = dl.Inertia.box(mass=1.0, size=(1.0, 0.1, 0.1))
    inner, outer = model.add_body("inner", inertia), model.add_body("outer", inertia)
    model.add_joint(dl.Revolute(model.world, inner.at(x=-0.5), axis="y", name="pivot"))
    model.add_joint(dl.Revolute(inner.at(x=0.5), outer.at(x=-0.5), axis="y", name="link"))
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_joint_breaks_in_both_coordinates(formulation):
    model = bars()
    breaks = dl.Event(model.joints["link"].force, limit=12.0, action=dl.Release("link"))
    solution = simulate(model, 1.0, events=[breaks], formulation=formulation)
    i, j = around(solution, solution.log[0].t)
    assert solution.log[0].t == pytest.approx(0.404289772739, abs=1e-9)
    force = np.linalg.norm(solution.reaction("link").force, axis=1)
    assert force[i] == pytest.approx(12.0, rel=1e-9)
    assert np.all(force[j:] == 0.0)
    # in the coordinates of joints the state is said in others: to rounding
    allowed = 0.0 if formulation == "maximal" else 1e-14
    assert np.abs(solution.v[i] - solution.v[j]).max() <= allowed
    assert np.ptp(solution.energy) < 1e-9
    flight = solution.t[j:] - solution.t[j]
    fall = solution["outer.z"][j] + solution["outer.z.dot"][j] * flight - 9.81 * flight**2 / 2
    assert np.allclose(solution["outer.z"][j:], fall, rtol=0, atol=1e-9)


def wheels():
    """A wheel that a motor turns, and another one geared to it; nothing else acts."""
    model = dl.Model("wheels", gravity=(0, 0, 0))
    inertia = dl.Inertia(mass=1.0, matrix=np.diag([0.02, 0.02, 0.02]))
    for name in ("one", "two"):
        body = model.add_body(name, inertia)
        at = model.world.at(x=float(name == "two"))
        model.add_joint(dl.Revolute(at, body, axis="z", name=f"of_{name}"))
    model.add_joint(dl.Gear("of_one", "of_two", ratio=-2.5, name="gear"))
    model.add_force(dl.DirectDrive("of_one", command=1.0, name="motor"))
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("step", [None, 1e-2])
def test_turns_are_counted_through_actions(formulation, step):
    model = wheels()
    angle = model.joints["of_one"].angle
    events = [
        dl.Event(angle - 8.0, action=dl.Release("motor"), name="free"),
        dl.Event(angle - 30.0, action={"one.wz": 0.0}, name="held"),
    ]
    how = {"step": step} if step else {"integrator": dl.DormandPrince(max_step=0.02)}
    solution = simulate(model, 4.0, events=events, formulation=formulation, **how)
    inertia = 0.02 * (1 + 0.4**2)
    free, speed = np.sqrt(2 * 8.0 * inertia), np.sqrt(2 * 8.0 / inertia)
    held = free + (30.0 - 8.0) / speed
    t, found = solution.t, solution["of_one.angle"]
    flying = np.where(t < free, t**2 / (2 * inertia), 8.0 + speed * (t - free))
    assert np.allclose(found, np.minimum(flying, 30.0), rtol=0, atol=1e-4 if step else 1e-8)
    assert np.allclose(found, -2.5 * solution["of_two.angle"], rtol=0, atol=1e-10)
    assert [entry.t for entry in solution.log[:2]] == pytest.approx([free, held], abs=1e-5)


def test_what_is_made_of_a_released_joint_is_told():
    model = bars()
    model.add_joint(dl.Gear("pivot", "link", ratio=-1.0, name="gear"))
    end = dl.Event(dl.time - 0.1, action=dl.Release("link"))
    with pytest.raises(dl.errors.SimulationError, match="Release both"):
        simulate(model, 0.2, events=[end])
    both = dl.Event(dl.time - 0.1, action=[dl.Release("gear"), dl.Release("link")])
    assert simulate(model, 0.2, events=[both]).status.name == "OK"
