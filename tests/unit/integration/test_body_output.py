"""Samples between steps of bodies: quaternions turn, and q' is not v."""

import numpy as np
import pytest

import dalembert as dl

TIMES = np.linspace(0.013, 0.9, 23)


def tumbling():
    model = dl.Model("tumbling", gravity=(0.0, 0.0, -9.81))
    model.add_body(
        "body",
        dl.Inertia(1.0, (1.0, 2.0, 2.5)),
        rotation=("x", 0.7),
        velocity=(1.0, 0.0, 0.5),
        angular_velocity=(3.0, 5.0, -2.0),
    )
    return model


@pytest.mark.parametrize("integrator", [dl.RK4(), dl.ImplicitMidpoint(), dl.Gauss()], ids=repr)
def test_asked_moments_lie_on_the_run(integrator):
    """The quintic of a step is that of `Solution.at`; it errs by (w h)^6 / 720 or so."""
    steps = dl.simulate(tumbling(), 1.0, step=1e-2, integrator=integrator)
    asked = dl.simulate(tumbling(), 1.0, step=1e-2, integrator=integrator, times=TIMES)
    q, v = steps.at(TIMES)
    assert np.abs(asked.q - q).max() <= 1e-12
    assert np.abs(asked.v - v).max() <= 1e-10
    assert np.abs(np.linalg.norm(asked.q[:, 3:], axis=1) - 1).max() <= 1e-15


def test_fourth_order_between_steps():
    exact = dl.simulate(
        tumbling(), 1.0, integrator=dl.DormandPrince(rtol=1e-13, atol=1e-13), times=TIMES
    )
    errors = []
    for step in (2e-2, 1e-2):
        found = dl.simulate(tumbling(), 1.0, step=step, times=TIMES)
        errors.append(
            [np.abs(found.q - exact.q).max(), np.abs(found.v - exact.v).max()],
        )
    orders = np.log2(np.divide(*errors))
    assert np.all((orders > 3.7) & (orders < 5.0))


def test_a_moment_just_behind_a_step():
    """One rounding behind the end of a step."""
    steps = dl.simulate(tumbling(), 1.0, step=1e-2)
    asked = dl.simulate(tumbling(), 1.0, step=1e-2, times=[np.nextafter(steps.t[15], 1.0)])
    assert np.abs(asked.q[0] - steps.q[15]).max() <= 1e-14
    assert np.abs(asked.v[0] - steps.v[15]).max() <= 1e-13
