"""Derivatives of all methods and integrators that are traced, against differences of their runs."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.errors import OptionError
from dalembert.integration import INTEGRATORS

STEP, UNTIL = 2e-3, 0.3


def pendulums():
    """Two bobs on bars in Cartesian coordinates, with a start that meets the constraints."""
    x, y, u, v = dl.coordinates("x y u v")
    m, g, c = dl.parameters(m=0.7, g=9.81, c=0.2)
    return dl.Model.from_lagrangian(
        name="pendulums",
        coordinates=[x, y, u, v],
        kinetic=(x.dot**2 + y.dot**2 + m * (u.dot**2 + v.dot**2)) / 2,
        potential=g * (y + m * v),
        dissipation=c * (x.dot**2 + y.dot**2) / 2,
        constraints={"bar": x**2 + y**2 - 1.0, "rod": (u - x) ** 2 + (v - y) ** 2 - 0.25},
        initial={x: 0.6, y: -0.8, u: 0.9, v: -1.2},
    )


def check(method, integrator):
    """Compare with differences of fourth order; whether there is a trace at all."""
    model = pendulums()
    names = ["m", "g", "c"]
    asked = {"method": method, "integrator": integrator}
    try:
        found = dl.sensitivity(model, ["x", "v"], names, until=UNTIL, step=STEP, **asked)
    except OptionError as problem:
        if "there are no derivatives of this run" not in str(problem):
            raise
        return False

    def ran(**values):
        run = dl.simulate(model, until=UNTIL, step=STEP, parameters=values, **asked)
        return np.array([run["x"][-1], run["v"][-1]])

    assert found.values[0] == pytest.approx(ran(), abs=1e-11)
    for k, name in enumerate(names):
        own, slope = model.parameters[name], np.zeros(2)
        for n, weight in {1: 2 / 3, 2: -1 / 12}.items():
            for side in (1, -1):
                slope += side * weight * ran(**{name: own * (1 + side * n * 1e-3)})
        assert found.derivatives[0, :, k] == pytest.approx(slope / (own * 1e-3), abs=1e-8)
    return True


TRACED = {
    "baumgarte",
    "baumgarte-velocity",
    "braun-goldfarb",
    "braun-goldfarb-per-stage",
    "braun-goldfarb-velocity",
    "lagrange-multipliers",
    "projection",
    "schur-complement",
    "udwadia-kalaba",
}


@pytest.mark.parametrize("name", sorted(METHODS))
def test_methods(name):
    method = METHODS[name]()
    if method.advance is not None or method.impulses:
        with pytest.raises(OptionError):
            dl.sensitivity(pendulums(), ["x"], ["m"], until=UNTIL, step=STEP, method=method)
        return
    assert check(method, dl.RK4()) == (name in TRACED)


@pytest.mark.parametrize("name", sorted(INTEGRATORS))
def test_integrators(name):
    integrator = INTEGRATORS[name]()
    traced = check(dl.Projection(), integrator)
    explicit = integrator.explicit and not integrator.adaptive
    assert traced == (explicit or integrator.collocation is not None)


def test_speeds_of_a_free_body_have_the_names_that_signals_have():
    """Thrown up with v: z = v t - g t^2/2; `ball.vz` of the run is `ball.z.dot`."""
    model = dl.Model("thrown")
    model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1))
    found = dl.sensitivity(model, ["ball.z", "ball.x"], ["ball.z.dot", "ball.vx"], until=0.6)
    assert found.derivatives[0] == pytest.approx(np.diag([0.6, 0.6]), abs=1e-14)
    thrown = dl.rollout(model, {"ball.z.dot": [1.0, 2.0]}, step=0.01, steps=10)
    assert thrown.q[:, -1, 2] == pytest.approx([0.1, 0.2] - np.full(2, 9.81 * 0.1**2 / 2))
