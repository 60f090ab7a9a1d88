"""Tolerances of a slider-crank: what scatter of the links does to the speed of its slider.

Lengths of crank and rod scatter by half a millimetre from specimen to specimen. Each specimen is a
world; its crank is let go with the same speed. The mean and the scatter of the largest speed of the
slider are told with 95 % confidence intervals, beside the linear estimate: the value of the nominal
mechanism, and the root of the sum of (slope x scatter)^2.

    python slider_crank_tolerances.py [--full]
"""

import sys

import numpy as np

import dalembert as dl

NOMINAL, SCATTER, RATE = np.array([0.1, 0.3]), np.array([5e-4, 5e-4]), 10.0  # [m], [m], [rad/s]

theta, phi, x = dl.coordinates("theta phi x")
l1, l2, inertia, rod, slider = dl.parameters(l1=0.1, l2=0.3, inertia=5e-3, rod=0.5, slider=0.4)
middle = (l1 * np.cos(theta) + l2 / 2 * np.cos(phi), l1 * np.sin(theta) + l2 / 2 * np.sin(phi))
kinetic = (
    inertia * theta.dot**2
    + rod * (middle[0].dot ** 2 + middle[1].dot ** 2)
    + rod * l2**2 / 12 * phi.dot**2
    + slider * x.dot**2
) / 2
model = dl.Model.from_lagrangian(
    name="slider-crank-of-specimens",
    coordinates=[theta, phi, x],
    kinetic=kinetic,
    constraints=[
        l1 * np.cos(theta) + l2 * np.cos(phi) - x,
        l1 * np.sin(theta) + l2 * np.sin(phi),
    ],
    initial={x: l1 + l2},
)


def largest_speed(lengths):
    """Largest speed of the slider within 0.7 s, a turn of the crank, for each row of lengths."""
    a, b = lengths.T
    none, rate = np.zeros_like(a), np.full_like(a, RATE)
    stretched = np.stack([none, none, a + b], 1), np.stack([rate, -rate * a / b, none], 1)
    found = dl.rollout(
        model,
        stretched,
        step=1e-3,
        steps=700,
        parameters={l1: a, l2: b},
        record=[abs(x.dot)],
        reduce="max",
    )
    assert not len(found.failed)
    return found.data[:, 0, 0]


def linear():
    """Value of the nominal mechanism, and scatter by slopes."""
    h = 1e-5
    rows = NOMINAL + h * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    v = largest_speed(rows)
    slopes = np.array([v[1] - v[2], v[3] - v[4]]) / (2 * h)
    return v[0], float(np.sqrt(np.sum((slopes * SCATTER) ** 2)))


if __name__ == "__main__":
    count = 100_000 if "--full" in sys.argv else 4000
    lengths = NOMINAL + SCATTER * np.random.default_rng(1).standard_normal((count, 2))
    speeds = largest_speed(lengths)
    mean, spread = float(speeds.mean()), float(speeds.std(ddof=1))
    of_mean, of_spread = 1.96 * spread / np.sqrt(count), 1.96 * spread / np.sqrt(2 * count)
    value, estimate = linear()
    print(f"{count} specimens, largest speed of the slider [m/s]")
    print(f"  mean    {mean:.6f} +- {of_mean:.6f}   nominal mechanism {value:.6f}")
    print(f"  scatter {spread:.6f} +- {of_spread:.6f}   linear estimate   {estimate:.6f}")

    # the mean of a curved function is off by half its curvature times the variance: far less here
    assert abs(mean - value) < 2 * of_mean
    assert abs(spread - estimate) < 2 * of_spread
    assert of_mean < 1e-4
