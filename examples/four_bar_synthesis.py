"""A four-bar is sought whose coupler point passes ten given points: least squares, exact gradients.

The crank turns evenly and the points are to be passed a tenth of a turn apart. Ten numbers are
free: four lengths, the ground's direction and place, the coupler point, the first angle of the
crank. The points come from a design that is known, so the answer can be judged; the search begins
elsewhere.

    python four_bar_synthesis.py [picture.png]
"""

import sys

import numpy as np

import dalembert as dl

KNOWN = {
    "crank": 0.35,
    "coupler": 1.0,
    "rocker": 0.8,
    "ground": 1.1,
    "slope": 0.2,
    "left": 0.1,
    "up": -0.2,
    "along": 0.6,
    "aside": 0.4,
    "first": 0.5,
}
BEGIN = {
    "crank": 0.28,
    "coupler": 1.15,
    "rocker": 0.9,
    "ground": 1.0,
    "slope": 0.0,
    "left": 0.0,
    "up": 0.0,
    "along": 0.5,
    "aside": 0.5,
    "first": 0.3,
}
TIMES = 0.1 * np.arange(1, 11)


def four_bar(values):
    """The linkage, driven at a turn a second, and its coupler point."""
    a, b, c = dl.coordinates("a b c")
    free = dl.parameters(**values)
    crank, coupler, rocker, ground, slope, left, up, along, aside, first = free

    def ray(angle):
        return np.array([np.cos(angle), np.sin(angle)])

    pivot = np.array([left, up])
    pin = pivot + crank * ray(a)
    point = pin + along * ray(b) + aside * ray(b + np.pi / 2)
    loop = crank * ray(a) + coupler * ray(b) - ground * ray(slope) - rocker * ray(c)
    across = ground * ray(slope) - crank * ray(first)  # from the pin to the rocker's pivot
    far = np.sqrt(across @ across)
    opens = np.arccos((coupler**2 + far**2 - rocker**2) / (2 * coupler * far))
    begin = np.arctan2(across[1], across[0]) + opens
    rest = coupler * ray(begin) - across
    model = dl.Model.from_lagrangian(
        name="four-bar",
        coordinates=[a, b, c],
        kinetic=(a.dot**2 + b.dot**2 + c.dot**2) / 2,
        constraints={"loop": list(loop), "drive": a - first - 2 * np.pi * dl.time},
        initial={a: first, b: begin, c: np.arctan2(rest[1], rest[0]), a.dot: 2 * np.pi},
    )
    return model, point


def path(values, times):
    """Where the coupler point is at these moments."""
    model, point = four_bar(values)
    return dl.sensitivity(model, list(point), ["crank"], at=times, step=1e-2).values


wanted = path(KNOWN, TIMES)
model, (x, y) = four_bar(BEGIN)
found = dl.identify(model, {x: wanted[:, 0], y: wanted[:, 1]}, list(BEGIN), at=TIMES, step=1e-2)
missed = np.abs(found.residuals).max()
for name, value in found.values.items():
    print(f"{name:8} {BEGIN[name]:6.3f} -> {value:.9f}")
print(f"ten points are passed to {missed:.1e} m, in {found.evaluations} runs")
assert missed < 1e-9
assert np.allclose([*found.values.values()], [*KNOWN.values()], atol=1e-7)

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    turn = np.linspace(0.005, 1.005, 201)
    figure, axes = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    axes.plot(*path(BEGIN, turn).T, "--", color="0.6", label="where the search begins")
    axes.plot(*path(found.values, turn).T, label="what it finds")
    axes.plot(*wanted.T, "o", label="ten points")
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0))
    figure.savefig(sys.argv[1], dpi=110)
