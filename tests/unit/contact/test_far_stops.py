"""Stops that are far have no row, and hold all the same where a step would pass them."""

import numpy as np
import pytest

import dalembert as dl


def sliders(forces, limit=0.5):
    """Sliders on one rail each, pushed by forces, with limits on both sides."""
    model = dl.Model("sliders", gravity=(0, 0, 0))
    for i, f in enumerate(forces):
        body = model.add_body(f"b{i}", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
        rail = model.add_joint(dl.Prismatic(model.world, body, axis="x", name=f"rail{i}"))
        model.set_limits(rail, dl.Limits(-limit, limit))
        model.add_force(dl.DirectDrive(rail, command=f, name=f"push{i}"))
    return model


@pytest.mark.parametrize("order", [1, 2, None])
def test_a_far_stop_is_met_within_one_step(order):
    # nothing moves at first, so that every stop is far; one step would go 10 m
    method = dl.ContactImpulse(order=order)
    options = {"until": 0.2, "step": 0.1, "method": method, "formulation": "generalized"}
    found = dl.simulate(sliders([1000.0, 0.0, -1000.0]), **options)
    where = np.array([found[f"rail{i}.displacement"] for i in range(3)])
    assert np.abs(where[:, 1:] - [[0.5], [0.0], [-0.5]]).max() < 1e-9
    speed = [found[f"rail{i}.displacement.dot"][-1] for i in range(3)]
    assert np.abs(speed).max() < 1e-9


def test_a_stop_that_others_throw_a_joint_at_is_met():
    # the hand strikes its limit and throws the arm, whose own limit is far, through it
    model = dl.Model("thrown", gravity=(0, 0, 0))
    arm = model.add_body("arm", dl.Inertia.rod(mass=0.01, length=1.0))
    hand = model.add_body("hand", dl.Inertia.rod(mass=10.0, length=1.0))
    shoulder = dl.Revolute(model.world, arm.at(x=-0.5), axis="z", name="shoulder")
    elbow = dl.Revolute(arm.at(x=0.5), hand.at(x=-0.5), axis="z", name="elbow", initial=0.99)
    shoulder, elbow = model.add_joint(shoulder), model.add_joint(elbow)
    model.set_limits(shoulder, dl.Limits(-0.2, 0.2))
    model.set_limits(elbow, dl.Limits(-1.0, 1.0))
    found = dl.simulate(
        model,
        until=0.5,
        step=0.02,
        initial={"elbow.angle.dot": 30.0},
        method=dl.ContactImpulse(order=1),
        formulation="generalized",
    )
    assert np.abs(found["shoulder.angle"]).max() < 0.2 + 1e-4
    assert np.abs(found["elbow.angle"]).max() < 1.0 + 1e-4
    assert np.abs(found["shoulder.angle"]).max() > 0.19  # it is thrown there


def test_a_far_stop_that_a_correction_would_pass_is_kept():
    # a ball on a short lever stands in the floor: to lift it out the lever would turn two hundred
    # times as far as it is deep, and its stop is nearer than that
    depth, arm = 1e-4, 0.005
    model = dl.Model("lever", gravity=(0, 0, 0))
    model.add_shape(dl.Plane(), name="floor")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=0.05))
    post = model.world.at(z=0.002 - depth)
    hinge = model.add_joint(dl.Revolute(post, rod, axis="-y", name="hinge"))
    model.set_limits(hinge, dl.Limits(-1.0, 150 * depth))
    model.add_shape(dl.Sphere(0.002), on=rod.at(x=arm))
    method = dl.ContactImpulse(order=1)
    found = dl.simulate(model, until=0.02, step=0.01, method=method, formulation="generalized")
    angle = found["hinge.angle"]
    assert angle.max() < 150 * depth + 1e-9
    assert angle.max() > 0.5 * 150 * depth  # it was turned as far as it goes
