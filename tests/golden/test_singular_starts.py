"""Four-bars that start flat, or beside it, and go on as a parallelogram or as its crossed twin.

Cranks of length 1 m, coupler and frame of length 2 m. With the angles a and c of the cranks
tan(c/2) = k tan(a/2), k = 1 or -3. Flat, the rows have a rank less than beside it. Once a row that
was implied there was left out for the whole run: 5e-8 of the energy, verdict good.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

CRANK, FRAME, UNTIL = 1.0, 2.0, 0.5


def angles(a, k):
    """Angles of coupler and second crank, and their rates over that of the first, dc/da = f.

    The coupler's velocity along itself and across it is that of its ends: f also gives its rate.
    """
    half = np.tan(a / 2)
    c = 2 * np.arctan(k * half)
    f = k * (1 + half**2) / (1 + (k * half) ** 2)
    along = np.array([FRAME + np.cos(c) - np.cos(a), np.sin(c) - np.sin(a)])
    b = np.arctan2(along[1], along[0])
    apart = np.array([-f * np.sin(c) + np.sin(a), f * np.cos(c) - np.cos(a)])
    return b, c, (along[0] * apart[1] - along[1] * apart[0]) / FRAME**2, f


def inertia(a, k):
    """I(a) of the kinetic energy I a'^2 / 2; rods of 1 kg/m."""
    b, _, rate, f = angles(a, k)
    v = [-np.sin(a) - rate * np.sin(b), np.cos(a) + rate * np.cos(b)]
    crank = CRANK**3 / 3
    return crank * (1 + f**2) + FRAME**3 / 12 * rate**2 + FRAME * np.dot(v, v)


def four_bar(a, k):
    b, c, rate, f = angles(a, k)
    model = dl.Model("flat", gravity=(0, 0, 0))
    tip = np.array([np.cos(a), np.sin(a), 0.0])
    across = np.array([-np.sin(a), np.cos(a), 0.0])
    still, support = np.zeros(3), np.array([FRAME, 0.0, 0.0])
    links = {
        "first": (still, still, a, 1.0, CRANK),
        "coupler": (tip, across, b, rate, FRAME),
        "second": (support, still, c, f, CRANK),
    }
    made = {}
    for name, (end, speed, angle, turning, length) in links.items():
        x, y = np.cos(angle), np.sin(angle)
        made[name] = model.add_body(
            name,
            dl.Inertia.rod(length, length),
            position=end + length / 2 * np.array([x, y, 0.0]),
            rotation=np.array([[x, -y, 0.0], [y, x, 0.0], [0.0, 0.0, 1.0]]),
            velocity=speed + turning * length / 2 * np.array([-y, x, 0.0]),
            angular_velocity=(0.0, 0.0, turning),
        )
    first, coupler, second = made.values()
    left, right = -CRANK / 2, CRANK / 2
    model.add_joint(dl.Revolute(model.world, first.at(x=left), name="A"))
    model.add_joint(dl.Revolute(first.at(x=right), coupler.at(x=-FRAME / 2), name="B"))
    model.add_joint(dl.Revolute(model.world.at(x=FRAME), second.at(x=left), name="D"))
    model.add_joint(dl.Revolute(second.at(x=right), coupler.at(x=FRAME / 2), name="C"))
    return model


def end_of(a, k):
    """Angle of the first crank at the end, from a speed of 1 rad/s: I(a) a'^2 is constant."""
    known = inertia(a, k)
    rate = lambda _, y: [np.sqrt(known / inertia(y[0], k))]  # noqa: E731
    return solve_ivp(rate, (0, UNTIL), [a], rtol=1e-12, atol=1e-14, method="DOP853").y[0, -1]


@pytest.mark.parametrize("k", [1.0, -3.0])
@pytest.mark.parametrize("beside", [1e-4, 1e-6, 1e-9, 0.0])
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_run_that_starts_flat(formulation, beside, k):
    expected = end_of(beside, k)
    model = four_bar(beside, k)
    for options, bar, most in (({"step": 2e-3}, 1e-10, 251), ({}, 2e-11, 80)):
        found = dl.simulate(model, until=UNTIL, formulation=formulation, progress=False, **options)
        assert found.verdict.is_good
        assert np.ptp(found.energy) < bar * found.energy[0]
        w, z = found.q[-1].reshape(3, 7)[0, [3, 6]]
        assert abs(2 * np.arctan2(z, w) - expected) < bar
        assert len(found.t) <= most  # it does not creep
