"""v* of the splitting by an implicit rule (methods 5.1): stable, and of second order by itself."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

METHODS = [dl.VelocitySplitting(), dl.Compliant()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("integrator", [dl.ImplicitMidpoint(), dl.RadauIIA()], ids=repr)
def test_stiff_free_forces_are_borne(method, integrator):
    # A spring of 1e6 N/m and 1 kg, 1000 rad/s, with h = 1e-2 s: RK4 bears 2.8 / 1000 s.
    x, y = dl.coordinates("x y")
    held = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y + 1e6 * (y + 1) ** 2 / 2,
        forces={x: -3 * x.dot, y: -1e4 * y.dot},
        constraints={"guide": x**2 + 4 * y**2 - 4.36},
        initial={x: 0.6, y: -1.0},
    )
    exact = dl.simulate(held, until=0.5, step=1e-3, integrator=dl.RadauIIA()).q[-1]
    found = dl.simulate(held, until=0.5, step=1e-2, method=method, integrator=integrator).q[-1]
    assert np.abs(found - exact).max() <= 1e-3
    with pytest.raises(dl.errors.SimulationError):
        dl.simulate(held, until=0.5, step=2e-3, method=dl.Compliant(), integrator=dl.RK4())


@pytest.mark.parametrize(
    ("integrator", "order"), [(dl.ImplicitMidpoint(), 2), (dl.SemiImplicitEuler(), 1)], ids=repr
)
def test_the_free_velocity_has_the_order_of_its_rule(integrator, order):
    # v' = -v + cos t: v = (cos t + sin t - exp(-t)) / 2, whatever becomes of the position.
    (x,) = dl.coordinates("x")
    free = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, forces={x: np.cos(dl.time) - x.dot})
    errors = []
    for step in (0.02, 0.01):
        options = {"method": dl.VelocitySplitting(), "integrator": integrator}
        run = dl.simulate(free, until=1.0, step=step, **options)
        errors.append(abs(run.v[-1, 0] - (np.cos(1) + np.sin(1) - np.exp(-1)) / 2))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_the_midpoint_of_linear_forces_is_the_rule_of_crank_and_nicolson():
    # One step of x'' = -K x - D x' from (q, v), by hand: the mean of the forces at both ends with
    # q* = q + h (v + v*) / 2, then dead-beat splitting onto x + 2 y = 1.
    K, D, h = np.array([[3e4, 1e3], [1e3, 5e4]]), np.array([[20.0, -5.0], [-5.0, 8.0]]), 2e-2
    q, v, J = np.array([0.2, 0.4]), np.array([1.0, -0.5]), np.array([1.0, 2.0])
    A = np.eye(2) + h / 2 * D + h * h / 4 * K
    free = np.linalg.solve(A, v - h * K @ q - h / 2 * D @ v - h * h / 4 * K @ v)
    ahead = q + h / 2 * (v + free)
    assert free == pytest.approx(v - h / 2 * (K @ (q + ahead) + D @ (v + free)), abs=1e-12)
    kept = free - J * (J @ free + (J @ q - 1) / h) / (J @ J)
    x = np.array(dl.coordinates("x y"), dtype=object)
    rates = np.array([one.dot for one in x], dtype=object)
    model = dl.Model.from_lagrangian(
        kinetic=(rates @ rates) / 2,
        forces=dict(zip(x, -(K @ x) - D @ rates, strict=True)),
        constraints={"line": J @ x - 1},
        initial={x[0]: q[0], x[1]: q[1], x[0].dot: v[0], x[1].dot: v[1]},
    )
    run = dl.simulate(
        model, until=h, step=h, method=dl.VelocitySplitting(), integrator=dl.ImplicitMidpoint()
    )
    size = np.abs(free).max()
    assert run.v[-1] == pytest.approx(kept, abs=1e-10 * size)
    assert run.q[-1] == pytest.approx(q + h * kept, abs=1e-12 * size)
