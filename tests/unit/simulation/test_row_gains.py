"""Springs of each constraint: by name, in order, by row, from text; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.analysis.choices import made
from dalembert.enforcement import METHODS
from dalembert.errors import OptionError

x, y, z = dl.coordinates("x y z")
GAINS = {"wall": 1e3, "floor": 4e3, "side": 2e3}
SIDES = {"stiffness": GAINS, "damping": 50.0}


def weight(**initial):
    """A mass of 1 kg that three springs hold against 10 m/s^2 along each axis."""
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2,
        potential=10.0 * (x + y + z),
        constraints={"wall": x, "floor": y, "side": z},
        initial=initial,
    )


@pytest.mark.parametrize("kind", [dl.Compliant, dl.Penalty])
@pytest.mark.parametrize(
    "given", [GAINS, [1e3, 4e3, 2e3], np.array([1e3, 4e3, 2e3])], ids=["names", "list", "array"]
)
def test_each_constraint_gives_way_by_its_own_stiffness(kind, given):
    run = dl.simulate(weight(), until=3.0, step=1e-3, integrator=dl.RK4(), method=kind(given, 50.0))
    assert np.allclose(run.q[-1], [-1e-2, -2.5e-3, -5e-3], rtol=1e-9)
    assert np.allclose(run["floor.force"][-1], 10.0)


def test_what_is_not_named_has_the_default():
    method = dl.Compliant({"floor": 4e3}, 50.0)
    run = dl.simulate(weight(), until=3.0, step=1e-3, method=method, integrator=dl.RK4())
    assert np.allclose(run.q[-1], [-1e-7, -2.5e-3, -1e-7], rtol=1e-6)


@pytest.mark.parametrize("name", ["compliant", "penalty"])
def test_text_says_the_same(name):
    by_name = made(
        f"{name}:stiffness.wall=1e3,stiffness.floor=4e3,stiffness.side=2e3,damping=50",
        METHODS,
        "method",
    )
    assert by_name == METHODS[name](**SIDES)
    in_order = made(f"{name}:stiffness=1e3:4e3:2e3,damping=50", METHODS, "method")
    assert in_order == METHODS[name](stiffness=(1e3, 4e3, 2e3), damping=50.0)


def door(formulation, method):
    model = dl.Model("door")
    leaf = model.add_body("leaf", dl.Inertia.box(20.0, size=(0.9, 0.04, 2.0)))
    for name, at in (("low", -0.8), ("high", 0.8)):
        frames = model.world.at(z=at), leaf.at(x=-0.45, z=at)
        model.add_joint(dl.Revolute(*frames, axis="z", name=name))
    return dl.simulate(
        model, until=2.0, step=1e-3, method=method, integrator=dl.RK4(), formulation=formulation
    )


def test_hinges_share_a_weight_by_their_stiffness():
    method = dl.Compliant(stiffness={"low": 3e5, "high": 1e5}, damping=1e4)
    run = door("auto", method)
    shares = [run.reaction(name).force[-1, 2] for name in ("low", "high")]
    assert np.allclose(shares, [0.75 * 196.2, 0.25 * 196.2], rtol=1e-3)


def test_a_row_by_its_name():
    method = dl.Compliant(
        stiffness={"low": 3e5, "high": 3e5, "high: translation z": 1e5}, damping=1e4
    )
    run = door("maximal", method)
    assert np.isclose(run.reaction("high").force[-1, 2], 0.25 * 196.2, rtol=1e-3)


def test_a_joint_that_is_a_coordinate_is_refused_by_name():
    with pytest.raises(OptionError, match=r"joint 'low' is rigid in the coordinates of joints"):
        door("generalized", dl.Compliant({"low": 3e5}))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            [1e3, 2e3],
            r"stiffness has 2 entries for 3 constraints with 3 rows \(wall, floor, side\)",
        ),
        ({"flor": 1e3}, r"no constraint or joint 'flor'; did you mean 'floor'\?"),
    ],
)
def test_gains_that_fit_no_constraint(given, told):
    with pytest.raises(OptionError, match=told):
        dl.simulate(weight(), until=1.0, step=1e-3, method=dl.Compliant(given))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"a": -1.0}, "stiffness of 'a' is -1.0. Give a positive number"),
        ([1e3, 0.0], r"stiffness\[1\] is 0.0. Give a positive number"),
        ([], "stiffness is empty"),
        ({3: 1.0}, "the key 3 is no name"),
        ("x", "stiffness is 'x'. Give a positive number"),
    ],
)
def test_gains_that_are_none(given, told):
    with pytest.raises(OptionError, match=told):
        dl.Compliant(given)


def test_a_solution_keeps_them(tmp_path):
    run = dl.simulate(weight(), until=0.1, step=1e-2, method=dl.Compliant(**SIDES))
    run.save(tmp_path / "run.npz")
    assert dl.load(tmp_path / "run.npz").method == dl.Compliant(**SIDES)
