"""Dampers that a step with impulses does not resolve: the motion of short steps, in any joint."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

FINE, COARSE = 2e-6, 1e-3


def wrist(kind: str, damping: float) -> dl.Model:
    """A light hand on a heavy arm that touches the floor with a ball; stiff grease in the wrist."""
    m = dl.Model("wrist", gravity=(0, 0, -9.81))
    arm = m.add_body("arm", dl.Inertia.rod(2.0, length=0.6), position=(0.3, 0, 0))
    hand = m.add_body("hand", dl.Inertia.box(0.05, (0.1, 0.03, 0.02)), position=(0.65, 0, 0))
    m.add_joint(dl.Revolute(m.world, arm.at(x=-0.3), axis="y", name="shoulder"))
    if kind == "ball":
        m.add_joint(dl.Spherical(arm.at(x=0.3), hand.at(x=-0.05), name="wrist"))
        m.add_force(dl.JointFriction("wrist", damping=damping))
    elif kind == "compound":
        hinges = ["x", "z", "y"]
        m.add_joint(dl.Compound(arm.at(x=0.3), hand.at(x=-0.05), hinges=hinges, name="wrist"))
        for k in range(3):
            m.add_force(dl.CompoundSpring("wrist", coordinate=k, damping=damping, stiffness=0.5))
    else:
        m.add_joint(dl.Revolute(arm.at(x=0.3), hand.at(x=-0.05), axis="y", name="wrist"))
        m.add_force(dl.TorsionSpring("wrist", damping=damping, stiffness=0.5))
    m.add_shape(dl.Sphere(0.01, position=(0.05, 0, 0)), on=hand)
    m.add_shape(dl.Plane(position=(0, 0, -0.2)))
    return m


@pytest.mark.parametrize("kind", ["revolute", "compound", "ball"])
@pytest.mark.parametrize("damping", [0.02, 0.2])
def test_a_stiff_damper_moves_as_with_short_steps(kind, damping):
    """r = c / I is 200 to 2000 1/s and more; the hand falls, touches and slides."""
    fine = dl.simulate(wrist(kind, damping), until=0.4, step=FINE, every=20_000)
    errors = []
    # a touch that is seen a step late hides the order: the ball joint's between 1 and 1/4
    finer = 16 if kind == "ball" else 4
    for step, every in ((COARSE, 40), (COARSE / finer, 40 * finer)):
        run = dl.simulate(wrist(kind, damping), until=0.4, step=step, every=every)
        assert run.verdict.is_good
        assert run.statistics["contact"]["contacts"] > 0
        errors.append(np.abs(run.q - fine.q).max())
    # the order is one, and a touch may be seen a step late, at some 3 m/s
    assert errors[0] < 6.0 * COARSE
    assert errors[1] < 0.4 * errors[0]
    if kind == "ball":
        assert errors[1] < 6.0 * COARSE / finer


def mounted(kind: str, damping: float) -> dl.Model:
    """A light plate held by bushings, or a strut along a line, above a floor that it meets."""
    m = dl.Model("mounted", gravity=(0, 0, -9.81))
    plate = m.add_body("plate", dl.Inertia.box(0.05, (0.1, 0.06, 0.01)), position=(0, 0, 0.06))
    if kind == "free":  # as the damping of a free joint in a robot's file
        m.add_force(dl.Bushing(m.world, plate, stiffness=(0,) * 6, damping=(damping,) * 6))
    elif kind == "bushing":
        ends = m.world.at(x=0.04, z=0.06), plate.at(x=0.04)
        stiffness, dampers = (20, 20, 20, 0.1, 0.1, 0.1), (damping, damping, damping, 0, 0, 0)
        m.add_force(dl.Bushing(*ends, stiffness=stiffness, damping=dampers))
    else:
        ends = m.world.at(x=0.05, z=0.2), plate.at(x=0.05)
        m.add_force(dl.Spring(*ends, free_length=0.1, stiffness=5.0, damping=damping))
    m.add_shape(dl.Sphere(0.01), on=plate.at(x=-0.05), material=dl.Material(friction=0.3))
    m.add_shape(dl.Plane())
    return m


@pytest.mark.parametrize(
    ("kind", "damping", "until"),
    [("free", 0.1, 0.2), ("bushing", 100.0, 0.2), ("line", 200.0, 0.08)],
)
def test_a_stiff_mount_moves_as_with_short_steps(kind, damping, until):
    """h r is 20 and more: with an explicit damper the plate flies off.

    Along the line until it touches: in the step of an impact such a damper is as good as a bar.
    """
    fine = dl.simulate(mounted(kind, damping), until=until, step=4e-6, every=5_000)
    errors = []
    for step, every in ((2e-3, 10), (2.5e-4, 80)):
        run = dl.simulate(mounted(kind, damping), until=until, step=step, every=every)
        assert run.verdict.is_good
        errors.append(np.abs(run.q - fine.q).max())
    assert errors[0] < 6.0 * 2e-3
    assert errors[1] < 0.4 * errors[0]


def test_the_damper_of_a_compound_joint_is_the_same_in_any_kind_of_joint():
    """A compound joint of one hinge is a revolute joint."""

    def door(compound: bool) -> dl.Model:
        m = dl.Model("door", gravity=(0, 0, -9.81))
        leaf = m.add_body("leaf", dl.Inertia.box(0.01, (0.1, 0.02, 0.02)), position=(0.05, 0, 0))
        if compound:
            m.add_joint(dl.Compound(m.world, leaf.at(x=-0.05), hinges=["y"], name="hinge"))
            m.add_force(dl.CompoundSpring("hinge", coordinate=0, damping=5.0))
        else:
            m.add_joint(dl.Revolute(m.world, leaf.at(x=-0.05), axis="y", name="hinge"))
            m.add_force(dl.TorsionSpring("hinge", damping=5.0))
        m.add_shape(dl.Sphere(0.01, position=(0.05, 0, 0)), on=leaf)
        m.add_shape(dl.Plane(position=(0, 0, -5.0)))
        return m

    runs = [dl.simulate(door(one), until=0.05, step=1e-3) for one in (True, False)]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-13
    # the speed is that of creeping, m g l / c
    rate = -np.abs(runs[0].v[-1]).max()
    assert abs(rate) == pytest.approx(0.01 * 9.81 * 0.05 / 5.0, rel=1e-6)


@pytest.mark.parametrize(
    "model", [wrist("compound", 0.2), mounted("free", 0.1), mounted("line", 200.0)]
)
def test_a_run_with_such_dampers_is_kept_and_resumed(tmp_path, model):
    whole = dl.simulate(model, until=0.1, step=COARSE)
    half = dl.simulate(model, until=0.05, step=COARSE, save=tmp_path / "run")
    assert half.verdict.is_good
    again = dl.resume(tmp_path / "run", until=0.1)
    assert np.array_equal(again.q[-1], whole.q[-1])
