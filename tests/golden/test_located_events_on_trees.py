"""Located events in the coordinates of joints: the motion is that of bodies with constraints."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import dalembert as dl


def pendulum(count, floor):
    """Rods on hinges, the last with a ball over a floor."""
    model = dl.Model("pendulum")
    before = model.world
    for i in range(count):
        rod = model.add_body(f"rod{i}", dl.Inertia.box(1.0, size=(1.0, 0.1, 0.1)))
        end = rod.at(x=-0.5)
        model.add_joint(dl.Revolute(before, end, axis="y", initial_speed=1.0 + i, name=f"h{i}"))
        before = rod.at(x=0.5)
    bouncy = dl.Material(restitution=0.5, friction=0.2)
    model.add_shape(dl.Plane(position=(0, 0, floor)), material=bouncy, name="floor")
    model.add_shape(dl.Sphere(0.1), on=before, material=bouncy)
    return model


@pytest.mark.parametrize("count", [1, 2])
def test_free_phase_keeps_the_energy(count):
    solution = dl.simulate(pendulum(count, -50.0), until=0.5, formulation="generalized")
    assert not solution.log
    assert np.ptp(solution.energy) < 1e-10
    other = dl.simulate(pendulum(count, -50.0), until=0.5, formulation="maximal")
    np.testing.assert_allclose(solution.q[-1], other.q[-1], atol=1e-10)


def test_impacts_are_those_of_bodies_with_constraints():
    runs = [
        dl.simulate(pendulum(2, -1.2), until=0.8, formulation=kind)
        for kind in ("generalized", "maximal")
    ]
    first, second = ([(e.kind, e.t, e.impulse) for e in run.log] for run in runs)
    assert len(first) > 1
    assert [kind for kind, *_ in first] == [kind for kind, *_ in second]
    for (_, *one), (_, *other) in zip(first, second, strict=True):
        assert one == pytest.approx(other, abs=1e-8)


def test_energy_that_impacts_take_is_no_error():
    solution = dl.simulate(pendulum(1, -0.8), until=0.45)
    assert solution.log[0].kind == "impact"
    assert solution.report()["verdict"] == "good"
    assert not solution.report()["conservative"]


def test_stops_of_formulas_on_a_tree_are_held_with_the_curvature_of_their_path():
    """Two rods whose tip slides along a wall: a stop whose rate is not that of one body alone."""
    runs = []
    for kind in ("generalized", "maximal"):
        model = dl.Model("rods")
        one = model.add_body("one", dl.Inertia.box(1.0, size=(1.0, 0.1, 0.1)))
        two = model.add_body("two", dl.Inertia.box(1.0, size=(1.0, 0.1, 0.1)))
        model.add_joint(
            dl.Revolute(model.world, one.at(x=-0.5), axis="y", initial=0.3, name="shoulder")
        )
        model.add_joint(
            dl.Revolute(one.at(x=0.5), two.at(x=-0.5), axis="y", initial=-0.9, name="elbow")
        )
        wall = two.at(x=0.5).position[2]
        start = float(np.sin(-0.3) - np.sin(-0.6))
        model.keep(wall - start >= 0, name="wall")
        runs.append(dl.simulate(model, until=0.3, formulation=kind))
    assert [e.kind for e in runs[0].log] == [e.kind for e in runs[1].log] != []
    np.testing.assert_allclose(runs[0].q[-1], runs[1].q[-1], atol=1e-9)
    assert np.all(runs[0][wall - start] >= -1e-10)


def test_an_event_without_an_answer_ends_no_run():
    """A humanoid falls on its knees: sliding that turns about there has no answer at once."""
    pytest.importorskip("mujoco")
    path = Path(__file__).parents[2] / "examples" / "humanoid.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = dl.load_mjcf(path)
        run = dl.simulate(model, until=0.6, initial={"torso.pitch": 0.1})
    assert run.t[-1] == 0.6
