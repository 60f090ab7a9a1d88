"""Rows that repeat others change no motion (contact.md 15): doubled hinges, doubled contacts.

What is doubled are contacts whose forces are unique. A flat box on four points is not such a thing:
how its weight is shared out decides where friction acts, and the laws leave it open.
"""

from dataclasses import replace

import numpy as np
import pytest

import dalembert as dl

SHARP = dl.ContactImpulse(tolerance=1e-10)


def chain(*, hinges, shapes, count=6):
    """Links that fall on the ground; every hinge once, or as two ball joints on its axis."""
    model = dl.Model("chain")
    surface = dl.Material(friction=0.5)
    model.add_shape(dl.Plane(), material=surface)
    before, pitch, size = model.world.at(z=0.5), 0.22, (0.2, 0.06, 0.06)
    for i in range(count):
        inertia = dl.Inertia.box(10.0 if i == count - 1 else 1.0, size=size)
        link = model.add_body(f"link{i}", inertia, position=((i + 0.5) * pitch, 0, 0.5))
        for _ in range(shapes):
            model.add_shape(dl.Box(size), on=link, material=surface)
        if hinges == 1:
            model.add_joint(dl.Revolute(before, link.at(x=-0.5 * pitch), axis="y", name=f"h{i}"))
        else:
            x, z = (0.0, 0.5) if i == 0 else (0.5 * pitch, 0.0)
            owner = model.world if i == 0 else model.bodies[f"link{i - 1}"]
            for side, y in (("left", 0.03), ("right", -0.03)):
                ends = owner.at(x=x, y=y, z=z), link.at(x=-0.5 * pitch, y=y)
                model.add_joint(dl.Spherical(*ends, name=f"{side}{i}"))
        before = link.at(x=0.5 * pitch)
    return model


@pytest.mark.parametrize(("hinges", "shapes"), [(2, 1), (1, 2), (2, 2)])
def test_chain_with_everything_twice_falls_the_same_way(hinges, shapes):
    method = replace(SHARP, order=1)
    runs = [
        dl.simulate(made, until=1.5, step=5e-3, formulation="maximal", method=method)
        for made in (chain(hinges=1, shapes=1), chain(hinges=hinges, shapes=shapes))
    ]
    assert runs[0].q.reshape(len(runs[0].t), -1, 7)[-1, -1, 2] < 0.1  # it has come down
    assert np.abs(runs[0].q - runs[1].q).max() <= 1e-8


def test_chain_with_everything_twice_by_second_order():
    """Hinges given twice are looked at when closed, others as they are: less apart than steps."""
    once, half, twice = (
        dl.simulate(
            chain(hinges=n, shapes=n), until=1.5, step=h, formulation="maximal", method=SHARP
        )
        for n, h in ((1, 5e-3), (1, 2.5e-3), (2, 5e-3))
    )
    assert np.abs(once.q - twice.q).max() <= 0.5 * np.abs(once.q - half.q[::2]).max()


@pytest.mark.parametrize("order", [1, 2])
def test_tripod_slides_and_spins_the_same_on_doubled_feet(order):
    runs = []
    for copies in (1, 3):
        model = dl.Model("tripod")
        surface = dl.Material(friction=0.3)
        model.add_shape(dl.Plane(), material=surface)
        body = model.add_body("body", dl.Inertia.box(1.0, size=(0.4, 0.3, 0.1)), position=(0, 0, 1))
        for x, y in ((0.2, 0.0), (-0.15, 0.15), (-0.1, -0.15)):
            for _ in range(copies):
                foot = dl.Sphere(0.02, position=(x, y, -0.98))
                model.add_shape(foot, on=body, material=surface)
        start = {"body.x.dot": 1.0, "body.y.dot": 0.4, "body.wz": 3.0}
        method = dl.ContactImpulse(tolerance=1e-10, order=order)
        runs.append(
            dl.simulate(
                model, until=0.5 if order == 1 else 0.4, step=5e-3, initial=start, method=method
            )
        )
    assert abs(runs[0].v[-1, 5]) < 2.95  # friction has acted
    assert np.abs(runs[0].q - runs[1].q).max() <= 1e-8
