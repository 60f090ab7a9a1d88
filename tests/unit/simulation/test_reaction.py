"""Reactions of joints, drives and constraints: values, frames, points, uniqueness."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

G = np.array([0.0, 0.0, -9.81])


def pendulum(*hinges, orientation="quaternion"):
    model = dl.Model("pendulum", gravity=G)
    inertia = dl.Inertia.box(mass=2.0, size=(1.0, 0.1, 0.2))
    rod = model.add_body("rod", inertia, orientation=orientation)
    for name in hinges or ("hinge",):
        model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name=name))
    return model


def ran(model, **options):
    return dl.simulate(model, until=0.3, step=1e-2, **options)


@pytest.fixture(scope="module")
def swung():
    return ran(pendulum())


def newton(solution, mass=2.0):
    """Force that a single body needs beside gravity."""
    return mass * (solution.a[:, :3] - G)


def test_newton_and_default_point(swung):
    hinge = swung.reaction("hinge")
    np.testing.assert_allclose(hinge.force, newton(swung), atol=1e-12)
    np.testing.assert_allclose(hinge.torque, 0.0, atol=1e-12)
    assert hinge.unique is True
    assert hinge.max() == pytest.approx(np.linalg.norm(newton(swung), axis=1).max())
    assert hinge.about == "its origin on rod"


def test_action_equals_reaction(swung):
    on_rod = swung.reaction("hinge", on="rod", about="world")
    on_world = swung.reaction("hinge", on="world")
    np.testing.assert_allclose(on_world.force, -on_rod.force, atol=1e-14)
    np.testing.assert_allclose(on_world.torque, -on_rod.torque, atol=1e-13)
    np.testing.assert_array_equal(
        swung.reaction("hinge", on=swung.model.world).force, on_world.force
    )


def test_torque_about_another_point(swung):
    rod = swung.model.bodies["rod"]
    arm = -0.5 * swung[list(rod.rotation[:, 0])]
    expected = np.cross(arm, swung.reaction("hinge").force)
    for about in (rod, "rod", rod.center):
        got = swung.reaction("hinge", about=about)
        np.testing.assert_allclose(got.torque, expected, atol=1e-12)
    assert swung.reaction("hinge", about="rod").about == "the centre of mass of rod"


def test_components_along_a_body(swung):
    rod = swung.model.bodies["rod"]
    world = swung.reaction("hinge").force
    local = swung.reaction("hinge", frame=rod).force
    axes = np.stack([swung[list(rod.rotation[:, i])] for i in range(3)], axis=2)
    np.testing.assert_allclose(np.einsum("kij,kj->ki", axes, local), world, atol=1e-12)
    turned = swung.reaction("hinge", frame=rod.at(rotation=("y", np.pi / 2)))
    np.testing.assert_allclose(turned.force[:, 0], -local[:, 2], atol=1e-12)


def test_doubled_joints_share_and_are_marked(swung):
    twice = ran(pendulum("one", "two"))
    one, two = twice.reaction("one"), twice.reaction("two")
    assert (one.unique, two.unique) == (False, False)
    expected = swung.reaction("hinge").force / 2
    np.testing.assert_allclose(one.force, expected, atol=1e-9)
    np.testing.assert_allclose(two.force, expected, atol=1e-9)
    assert "not unique" in one.summary()
    assert "not unique" in repr(one)


def test_the_share_does_not_depend_on_scaling():
    """A row written a thousand times larger carries the same force."""
    model = dl.Model("weight", gravity=G)
    ball = model.add_body("ball", dl.Inertia.sphere(mass=2.0, radius=0.1))
    model.add_joint(dl.Prismatic(model.world, ball, axis="x", name="guide"))
    model.constrain(1e3 * ball.z, name="table")
    solution = ran(model)
    for name in ("guide", "table"):
        np.testing.assert_allclose(solution.reaction(name).force[:, 2], 9.81, atol=1e-6)
    assert solution.reaction("guide").unique is False


def test_some_joints_are_unique_beside_others():
    model = pendulum("one", "two")
    tip = model.add_body("tip", dl.Inertia.sphere(mass=1.0, radius=0.1))
    rod = model.bodies["rod"]
    model.add_joint(dl.Spherical(rod.at(x=0.5), tip.at(z=0.2), name="ball"))
    solution = ran(model)
    assert solution.reaction("ball").unique is True
    assert solution.reaction("one").unique is False
    assert solution.statics.rank == 8


@pytest.mark.parametrize("hinges", [("hinge",), ("hinge", "again")])
def test_the_same_with_angles(hinges):
    quaternions = ran(pendulum(*hinges)).reaction("hinge")
    angles = ran(pendulum(*hinges, orientation="roll-pitch-yaw")).reaction("hinge")
    np.testing.assert_allclose(angles.force, quaternions.force, atol=1e-6)
    np.testing.assert_allclose(angles.torque, quaternions.torque, atol=1e-6)
    assert angles.unique == quaternions.unique


def test_angle_rows_give_force_and_torque_of_formulas():
    """An eccentric centre of mass: the mount carries weight and its moment."""
    for orientation in ("quaternion", "roll-pitch-yaw"):
        model = dl.Model("tank", gravity=G)
        inertia = dl.Inertia.box(mass=2.0, size=(1.0, 0.1, 0.2)).moved((0.3, 0.0, 0.0))
        ship = model.add_body("ship", inertia, orientation=orientation)
        model.constrain(*ship.position, ship.roll, ship.pitch, ship.yaw, name="mount")
        solution = ran(model)
        mount = solution.reaction("mount", about=ship.at())
        np.testing.assert_allclose(mount.force[-1], [0, 0, 2 * 9.81], atol=1e-9)
        np.testing.assert_allclose(mount.torque[-1], [0, -0.3 * 2 * 9.81, 0], atol=1e-9)
        assert solution.reaction("mount").about == "the centre of mass of ship"
        np.testing.assert_allclose(solution.reaction("mount").torque[-1], 0.0, atol=1e-9)


def test_drive():
    model = pendulum()
    hinge = model.joints["hinge"]
    model.add_joint(dl.Motion(hinge, value=2.0 * dl.time, name="drive"))
    solution = ran(model)
    drive = solution.reaction("drive")
    # steady turning needs only what gravity asks for: a torque about y
    rod = model.bodies["rod"]
    arm = 0.5 * solution[list(rod.rotation[:, 0])]
    expected = -np.cross(arm, 2.0 * G)
    np.testing.assert_allclose(drive.torque, expected, atol=1e-9)
    np.testing.assert_allclose(drive.force, 0.0, atol=1e-12)


def test_after_saving(swung, tmp_path):
    again = dl.load_solution(swung.save(tmp_path / "swing.npz"))
    np.testing.assert_array_equal(again.reaction("hinge").force, swung.reaction("hinge").force)


def test_worked_out_once(swung):
    assert swung.statics is swung.statics
    assert swung.reaction("hinge").force is not swung.reaction("hinge").force


def test_methods_with_forces_of_their_own_keep_them():
    solution = ran(pendulum("one", "two"), method=dl.Compliant(stiffness=1e6, damping=1e3))
    one = solution.reaction("one")
    assert one.unique is False
    assert "method" in one.note
    np.testing.assert_array_equal(solution.statics.lam, solution.lam)


def long_chain(*, doubled):
    model = dl.Model("chain", gravity=G)
    before = model.world.at()
    for k in range(150):
        body = model.add_body(f"b{k}", dl.Inertia.sphere(mass=1.0, radius=0.2))
        model.add_joint(dl.Spherical(before, body.at(x=-0.5), name=f"j{k}"))
        before = body.at(x=0.5)
    if doubled:
        first = model.bodies["b0"]
        model.add_joint(dl.Spherical(model.world, first.at(x=-0.5), name="again"))
    return model


def test_large_models():
    plain = ran(long_chain(doubled=False))
    assert plain.reaction("j0").unique is True
    assert plain.report()["degrees_of_freedom"] == 450
    twice = ran(long_chain(doubled=True))
    assert twice.reaction("j0").unique is None
    assert "not examined" in twice.reaction("j0").summary()
    assert "not examined" in repr(twice.reaction("j0"))
    assert twice.report()["rank_max"] == 450
    both = twice.reaction("j0").force + twice.reaction("again").force
    np.testing.assert_allclose(both, plain.reaction("j0").force, atol=1e-6)


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("hing", {}, "did you mean 'hinge'"),
        (3.0, {}, "neither a joint nor a constraint"),
        ("hinge", {"on": "rodd"}, "acts on 'rod' and the world, not on 'rodd'"),
        ("hinge", {"frame": "rod/tip"}, "no frame 'tip'"),
        ("hinge", {"about": 3.0}, "neither a frame nor a body"),
    ],
)
def test_wrong_names(swung, name, options, message):
    with pytest.raises(OptionError, match=message):
        swung.reaction(name, **options)


def test_a_force_is_no_joint():
    model = pendulum()
    model.add_force(dl.Torque(model.bodies["rod"], about="y", value=1.0, name="motor"))
    with pytest.raises(OptionError, match=r"solution\.work\('motor'\)"):
        ran(model).reaction("motor")


def test_constraint_between_bodies_needs_a_body():
    model = dl.Model("two", gravity=G)
    a, b = (model.add_body(n, dl.Inertia.sphere(mass=1.0, radius=0.1)) for n in "ab")
    model.constrain(a.z + b.z, name="rope")
    solution = ran(model)
    with pytest.raises(OptionError, match="acts on 'a', 'b' and the world"):
        solution.reaction("rope")
    np.testing.assert_allclose(solution.reaction("rope", on="a").force[:, 2], 9.81, atol=1e-9)
    np.testing.assert_allclose(solution.reaction("rope", on="world").force[:, 2], -19.62, atol=1e-9)


def test_formula_models_have_multipliers():
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    with pytest.raises(OptionError, match=r"solution\['bar.force'\]"):
        solution.reaction("bar")


def test_nothing_recorded(swung):
    import dataclasses

    empty = {name: getattr(swung, name)[:0] for name in ("t", "q", "v", "a", "lam")}
    nothing = dataclasses.replace(swung, **empty)
    assert "nothing was recorded" in nothing.reaction("hinge").summary()
    with pytest.raises(OptionError, match="nothing was recorded"):
        nothing.reaction("hinge").max()
