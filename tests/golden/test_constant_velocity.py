"""A ball on a homokinetic joint, which bends through half a turn again and again.

The joint keeps the relative quaternion (w, x, y, z) at z = 0. With equal moments I the kinetic
energy is 2 I |q'|^2, so that the body goes along a great circle of (w, x, y) at constant speed.
Written as x_A . y_B = y_A . x_B, that is w z = 0, the joint had no gradient at a bend of half a
turn: runs with error control went on in other ways, with a verdict of good.
"""

import numpy as np
import pytest

import dalembert as dl

BEND, LEAN, RATE = 0.7, 0.4, 3.0


def quaternion_product(p, q):
    w, x, y, z = p
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]) @ q


def on_the_circle(t):
    """Quaternion and its rate."""
    start = np.array([np.cos(BEND / 2), np.sin(BEND / 2) * np.cos(0.3), 0.0, 0.0])
    start[2] = np.sin(BEND / 2) * np.sin(0.3)
    other = np.cross(start[:3], [np.sin(LEAN), 0.0, np.cos(LEAN)])
    other = np.append(other / np.linalg.norm(other), 0.0)
    c, s = np.cos(RATE * t), np.sin(RATE * t)
    return c * start + s * other, RATE * (c * other - s * start)


def ball():
    q, rate = on_the_circle(0.0)
    spin = 2 * quaternion_product(rate, q * [1, -1, -1, -1])[1:]
    model = dl.Model("ball", gravity=(0, 0, 0))
    body = model.add_body(
        "ball",
        dl.Inertia.sphere(mass=2.0, radius=0.3),
        rotation=dl.Rotation.from_quaternion(q),
        angular_velocity=spin,
    )
    model.add_joint(dl.ConstantVelocity(model.world, body, axis="z", name="joint"))
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("options", [{}, {"rtol": 1e-8}, {"step": 1e-3}], ids=str)
def test_the_joint_bends_through_half_a_turn(formulation, options):
    until = 5.0
    found = dl.simulate(ball(), until=until, formulation=formulation, progress=False, **options)
    assert found.verdict.is_good
    q, _ = on_the_circle(until)
    have = found.q[-1, 3:7]
    bar = 1e-6 if "rtol" in options else 1e-8
    assert min(np.abs(have - q).max(), np.abs(have + q).max()) < bar
    assert np.ptp(found.energy) < bar * found.energy[0]


def test_both_shafts_have_one_speed():
    """Driven at a constant speed, a bent shaft turns at the same speed, whatever the bend."""
    model = dl.Model("shaft", gravity=(0, 0, 0))
    disc = dl.Inertia.cylinder(mass=1.0, radius=0.2, length=0.1)
    first, second = model.add_body("first", disc), model.add_body("second", disc)
    model.add_joint(dl.Revolute(model.world, first, axis="z", name="bearing"))
    model.add_joint(dl.ConstantVelocity(first, second, axis="z", name="joint"))
    bent = dl.Rotation.about("x", 1.1)
    far = model.world.at(rotation=bent)
    model.add_joint(dl.Revolute(far, second, axis="z", name="far"))
    model.add_joint(dl.Motion("bearing", value=2.0 * dl.time, name="drive"))
    model.set_initial({"far.angle": 0.0})
    found = dl.simulate(model, until=4.0, progress=False)
    turned = found["far.angle"] - found["far.angle"][0]
    assert np.abs(np.abs(turned) - 2.0 * found.t).max() < 1e-9
