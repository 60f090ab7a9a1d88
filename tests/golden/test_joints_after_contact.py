"""Velocities of joints at the end of steps with impulses are those that the joints leave.

Rows are those of where a step is looked at. A body that has turned by w h since then has others: a
chain of four limbs at 25 rad/s parted by 9 cm/s at its joints with steps of 1 ms, told as good.
"""

import numpy as np
import pytest

import dalembert as dl

STEP = 1e-3


def chain(links, floor):
    """Limbs on two hinges each, that end at 40 degrees; over a floor or without."""
    limb = """
      <body name="limb{k}" pos="{x} 0 0">
        <joint type="hinge" axis="0 1 0" limited="true" range="-40 40"/>
        <joint type="hinge" axis="0 0 1" limited="true" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>"""
    text = '<geom type="plane" size="5 5 .1" pos="0 0 -0.5"/>' if floor else ""
    text += "".join(limb.format(k=k, x=0.3 if k else 0) for k in range(links))
    text += links * "</body>"
    return dl.load_mjcf(f"<mujoco><worldbody>{text}</worldbody></mujoco>")


@pytest.mark.parametrize("order", [1, 2, None])
@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize("links", [2, 4])
def test_joints_hold_at_the_end_of_a_step(links, floor, order):
    given = {} if order is None else {"method": dl.ContactImpulse(order=order)}
    found = dl.simulate(
        chain(links, floor), until=1.0, step=STEP, formulation="maximal", progress=False, **given
    )
    spin = np.abs(found.v.reshape(len(found.t), -1, 6)[..., 3:]).max()
    # a step of second order leaves h^2 w^3 L; one of first order, and an impact, nothing
    allowed = 1e-12 if order == 1 else STEP**2 * spin**3 * 0.3
    assert found.worst["phi_dot"] <= allowed
    assert found.verdict.is_good


def test_a_prescribed_speed_is_that_of_the_end_of_a_step():
    """A slide that speeds up: it had the speed of a step before, 1.8 mm/s in the catalog's cup."""
    model = dl.Model("slide", gravity=(0, 0, -9.81))
    skin = dl.Material(friction=0.5)
    cart = model.add_body("cart", dl.Inertia.box(1.0, size=(1, 1, 0.1)), position=(0, 0, 0))
    slide = model.add_joint(dl.Prismatic(model.world, cart, axis="x"))
    model.add_joint(dl.Motion(slide, dl.time**2))
    box = model.add_body("box", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.1))
    model.add_shape(dl.Box((1, 1, 0.1)), on=cart, material=skin)
    model.add_shape(dl.Box((0.1, 0.1, 0.1)), on=box, material=skin)
    found = dl.simulate(
        model, until=0.5, step=STEP, method=dl.ContactImpulse(order=1), formulation="maximal"
    )
    assert np.abs(found.v[:, 0] - 2.0 * found.t).max() <= 1e-12


def formula_pendulum(size):
    """A pendulum whose row is `size` times its usual one, and a stop that is far away."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=1.5 * (x.dot**2 + y.dot**2) / 2,
        potential=1.5 * 9.81 * y,
        constraints=[size * (x**2 + y**2 - 1)],
        initial={x: 1.0, y: 0.0, x.dot: 0.0, y.dot: -4.0},
    )
    model.keep(x >= -50.0)
    return model


def body_pendulum(_size):
    """The same of a body."""
    model = dl.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", dl.Inertia.sphere(1.5, radius=0.1), position=(1, 0, 0))
    model.add_joint(dl.Revolute(model.world, bob.at(x=-1.0), axis="y", name="hinge"))
    model.set_initial({"hinge.angle.dot": 4.0})
    model.keep(bob.x >= -50.0)
    return model


@pytest.mark.parametrize(
    ("made", "size"), [(formula_pendulum, 1.0), (formula_pendulum, 7.0), (body_pendulum, 1.0)]
)
def test_forces_of_joints_are_all_of_what_a_step_did(made, size):
    """Multipliers of steps of first order are those of the motion, to first order."""
    truth = dl.simulate(made(size), until=0.5, step=1e-4, method=dl.Projection(), every=100)
    off = []
    for step in (1e-3, 2.5e-4):
        every = round(0.01 / step)
        found = dl.simulate(
            made(size),
            until=0.5,
            step=step,
            method=dl.ContactImpulse(order=1),
            every=every,
            formulation="maximal",
        )
        off.append(np.abs(found.lam[1:] - truth.lam[1:]).max() / np.abs(truth.lam).max())
    assert off[0] < 0.02
    assert off[1] < 0.3 * off[0]
