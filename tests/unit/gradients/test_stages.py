"""Derivatives of steps whose stages are solved for: stiff models, impacts, loops of bodies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import dalembert as dl


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_a_stiff_spring(mode):
    """Two masses, one of them on a spring of 1e6 N/m: the linear equations, by exponentials."""
    x, y = dl.coordinates("x y")
    m, k, c, s = dl.parameters(m=2.0, k=1e6, c=4e3, s=30.0)
    model = dl.Model.from_lagrangian(
        coordinates=[x, y],
        kinetic=(x.dot**2 + m * y.dot**2) / 2,
        potential=k * x**2 / 2 + s * (y - x) ** 2 / 2,
        forces={x: -c * x.dot},
        initial={x: 1e-4, y: 0.5},
    )
    names = ["m", "k", "c", "s"]
    found = dl.sensitivity(
        model, [x, y], names, until=1.0, step=2e-3, integrator=dl.RadauIIA(), mode=mode
    )

    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-1e6 - 30, 30, -4e3, 0], [15, -15, 0, 0]])
    slopes = np.zeros((4, 4, 4))  # of A, by m, k, c, s
    slopes[0, 3, :2] = -7.5, 7.5
    slopes[1, 2, 0] = slopes[2, 2, 2] = -1.0
    slopes[3, 2, :2], slopes[3, 3, :2] = (-1.0, 1.0), (0.5, -0.5)
    start = np.array([1e-4, 0.5, 0.0, 0.0])
    assert found.values[0] == pytest.approx((expm(A) @ start)[:2], abs=1e-10)
    for j, slope in enumerate(slopes):
        both = np.block([[A, slope], [np.zeros((4, 4)), A]])
        exact = (expm(both)[:4, 4:] @ start)[:2]
        assert found.derivatives[0, :, j] == pytest.approx(exact, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_through_an_impact(mode):
    """A ball that bounces once: within steps of a fall collocation is exact."""
    (y,), (e, h) = dl.coordinates("y"), dl.parameters(e=0.7, h=1.0)
    model = dl.Model.from_lagrangian(
        coordinates=[y], kinetic=y.dot**2 / 2, potential=9.81 * y, initial={y: h}
    )
    model.keep(y >= 0, name="floor", restitution=e)
    found = dl.sensitivity(
        model, [y], [e, h], until=1.0, step=0.02, integrator=dl.Gauss(), mode=mode
    )
    speed, fall = np.sqrt(2 * 9.81), np.sqrt(2 / 9.81)
    rest = 1.0 - fall
    by_h = 0.7 * (speed / 2 * rest - speed * fall / 2) + 9.81 * rest * fall / 2
    assert found.values[0, 0] == pytest.approx(0.7 * speed * rest - 9.81 / 2 * rest**2, abs=1e-12)
    assert found.derivatives[0, 0] == pytest.approx([speed * rest, by_h], abs=1e-11)


def test_a_loop_of_bodies():
    """A slider-crank with a damper: both ways agree, and with short steps of RK4."""
    length, damping = dl.parameters(length=0.2, damping=0.5)
    model = dl.Model("slider-crank", gravity=(0, -9.81, 0))
    crank = model.add_body("crank", dl.Inertia.rod(1.0, length=length))
    rod = model.add_body("rod", dl.Inertia.rod(1.5, length=0.5))
    block = model.add_body("block", dl.Inertia.box(2.0, size=(0.1, 0.1, 0.1)))
    end = crank.at(x=-length / 2)
    A = model.add_joint(dl.Revolute(model.world, end, name="A", initial=0.7))
    model.add_joint(dl.Revolute(crank.at(x=length / 2), rod.at(x=-0.25), name="B", initial=-1.0))
    model.add_joint(dl.Prismatic(model.world, block, axis="x", name="G", initial=0.6))
    model.add_joint(dl.Revolute(rod.at(x=0.25), block, name="C"))
    model.add_force(dl.JointFriction(A, damping=damping, name="grease"))

    def run(**more):
        asked = {"until": 0.4, "hold": ["A.angle"], **more}
        return dl.sensitivity(model, ["A.angle", "block.x"], ["length", "damping"], **asked)

    forth, back = (
        run(integrator=dl.Gauss(order=6), step=5e-3, mode=mode) for mode in ("forward", "adjoint")
    )
    fine = run(step=2e-4)
    assert forth.derivatives == pytest.approx(back.derivatives, abs=1e-11)
    assert forth.derivatives == pytest.approx(fine.derivatives, abs=1e-8)


def test_a_start_at_zero():
    """A stiff spring is loaded from rest: k = 1e6 N/m, one newton."""
    (u,), (k,) = dl.coordinates("u"), dl.parameters(k=1e6)
    model = dl.Model.from_lagrangian(
        coordinates=[u], kinetic=u.dot**2 / 2, potential=k * u**2 / 2 - u, forces={u: -2e4 * u.dot}
    )
    found = dl.sensitivity(model, [u], [k], until=1.0, step=0.05, integrator=dl.RadauIIA())
    assert found.values[0, 0] == pytest.approx(1e-6, rel=1e-9)
    assert found.derivatives[0, 0, 0] == pytest.approx(-1e-12, rel=1e-9)
