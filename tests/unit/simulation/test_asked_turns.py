"""An angle that begins beyond half a turn is that angle, for springs, stops, events and readers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

UNTIL = 0.5


def pendulum(initial=0.0, joint="revolute"):
    """A rod on a torsion spring that is free at 0, which 4 rad and 4 - 2 pi wind differently."""
    model = dl.Model("wound", gravity=(0, 0, -9.81))
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    first, second = model.world, rod.at(x=-0.5)
    if joint == "revolute":
        hinge = dl.Revolute(first, second, axis="y", name="hinge", initial=initial)
    else:
        hinge = dl.Cylindrical(first, second, axis="y", name="hinge", initial=(initial, 0.0))
    model.add_force(dl.TorsionSpring(model.add_joint(hinge), stiffness=5.0, name="spring"))
    return model


def rates(t, y):
    return [y[1], 3 * (-5.0 * y[0] + 9.81 / 2 * np.cos(y[0]))]


def exact(angle, t=UNTIL):
    return solve_ivp(rates, (0.0, t), [angle, 0.0], rtol=1e-12, atol=1e-12).y[0][-1]


@pytest.mark.parametrize("angle", [4.0, -7.5, 20.0])
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("joint", ["revolute", "cylindrical"])
def test_of_a_joint(joint, formulation, angle):
    run = dl.simulate(pendulum(angle, joint), until=UNTIL, formulation=formulation)
    assert run["hinge.angle"][0] == pytest.approx(angle, abs=1e-14)
    assert run["hinge.angle"][-1] == pytest.approx(exact(angle), abs=1e-9)
    assert run.verdict.word == "good"


def test_by_name_in_runs_worlds_and_derivatives():
    model, asked = pendulum(), {"hinge.angle": 4.0}
    run = dl.simulate(model, until=UNTIL, initial=asked)
    assert run["hinge.angle"][-1] == pytest.approx(exact(4.0), abs=1e-9)
    worlds = dl.rollout(model, {"hinge.angle": [4.0, -2.2831853071795867]}, step=1e-3, steps=500)
    ends = [exact(4.0), exact(-2.2831853071795867)]
    assert worlds["hinge.angle"][:, -1] == pytest.approx(ends, abs=1e-9)
    found = dl.sensitivity(model, ["hinge.angle"], ["hinge.angle"], until=UNTIL, initial=asked)
    assert found.values[-1][0] == pytest.approx(exact(4.0), abs=1e-9)
    slope = (exact(4.0 + 1e-4) - exact(4.0 - 1e-4)) / 2e-4
    assert found.derivatives[0][0][0] == pytest.approx(slope, abs=1e-6)


def test_in_equations_at_a_state():
    at = dl.evaluate(pendulum(), {"hinge.angle": 4.0})
    assert at["hinge.angle"] == pytest.approx(4.0, abs=1e-14)
    assert at.a[4] == pytest.approx(rates(0.0, [4.0, 0.0])[1], abs=1e-12)


def test_in_linear_models_and_rest():
    near = dl.linearize(pendulum(), {"hinge.angle": 4.0}, outputs=["hinge.angle"])
    assert near.a[4] == pytest.approx(rates(0.0, [4.0, 0.0])[1], abs=1e-12)
    assert near.drift[1] == pytest.approx(rates(0.0, [4.0, 0.0])[1], abs=1e-12)
    assert near.y == pytest.approx([4.0], abs=1e-14)
    wound = pendulum(4.0)
    rest = dl.equilibrium(wound)
    assert rates(0.0, [rest["hinge.angle"], 0.0])[1] == pytest.approx(0.0, abs=1e-11)
    made = dl.assemble(wound, hold={"hinge": 9.0})
    assert made["hinge.angle"] == pytest.approx(9.0, abs=1e-12)
    run = dl.simulate(wound, until=0.01, initial=made)
    assert run["hinge.angle"][0] == pytest.approx(9.0, abs=1e-12)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_in_folders_and_sessions(tmp_path, formulation):
    options = {"step": 1e-3, "formulation": formulation}
    dl.simulate(pendulum(4.0), until=UNTIL / 2, save=tmp_path / "run", **options)
    resumed = dl.resume(tmp_path / "run", until=UNTIL)
    assert resumed["hinge.angle"][[0, -1]] == pytest.approx([4.0, exact(4.0)], abs=1e-8)
    session = dl.Session(pendulum(4.0), record=True, **options)
    session.advance(UNTIL)
    assert session.solution()["hinge.angle"][-1] == pytest.approx(exact(4.0), abs=1e-8)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_stops_and_events_see_it(formulation):
    model = pendulum(3.5)
    hinge = model.joints["hinge"]
    model.keep(hinge.angle >= 3.2, name="stop", restitution=0.0)
    run = dl.simulate(model, until=0.3, formulation=formulation)
    assert run["hinge.angle"].min() == pytest.approx(3.2, abs=1e-9)
    free = pendulum(4.0)
    event = dl.Event(free.joints["hinge"].angle - 3.7, name="passed")
    (passed,) = dl.simulate(free, until=0.2, formulation=formulation, events=[event]).events
    assert exact(4.0, passed.t) == pytest.approx(3.7, abs=1e-9)


def test_a_loop_begins_a_turn_on():
    """The crank of a four-bar, a whole turn beyond its spring's rest."""
    found = []
    for formulation in ("maximal", "generalized"):
        model = dl.Model("four-bar", gravity=(0, -9.81, 0))
        bars = {"crank": 0.4, "coupler": 1.0, "rocker": 0.7}
        crank, coupler, rocker = (
            model.add_body(n, dl.Inertia.rod(x, length=x)) for n, x in bars.items()
        )
        bearing = crank.at(x=-0.2)
        A = model.add_joint(
            dl.Revolute(model.world, bearing, name="A", initial=np.pi / 3 + 2 * np.pi)
        )
        model.add_joint(dl.Revolute(crank.at(x=0.2), coupler.at(x=-0.5), name="B", initial=-0.6))
        ground = model.world.at(x=1.0)
        model.add_joint(dl.Revolute(ground, rocker.at(x=-0.35), name="D", initial=1.3))
        model.add_joint(dl.Revolute(coupler.at(x=0.5), rocker.at(x=0.35), name="C"))
        spring = dl.TorsionSpring(A, free_angle=np.pi / 3, stiffness=10.0, name="spring")
        model.add_force(spring)
        run = dl.simulate(model, until=0.5, times=[0.0, 0.5], formulation=formulation)
        # nothing is lost: all energy of the spring is there to be moved
        assert run.energy[0] == pytest.approx(run.energy[-1], abs=1e-8)
        found.append(run["A.angle"])
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    # the loop is closed by moving all bodies, the crank among them
    assert found[0][0] == pytest.approx(np.pi / 3 + 2 * np.pi, abs=0.1)
    assert found[0][-1] < 2 * np.pi


def test_a_body_placed_otherwise_is_where_it_was_placed():
    model = pendulum(4.0)
    run = dl.simulate(model, until=0.01, initial={"rod.pitch": 0.3, "rod.x": 0.5 * np.cos(0.3)})
    assert abs(run["hinge.angle"][0]) < np.pi
