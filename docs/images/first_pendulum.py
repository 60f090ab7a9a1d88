"""Draws the figures of docs/tutorial/first-pendulum.md.

Run: python docs/images/first_pendulum.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

import dalembert as dl

FOLDER = Path(__file__).parent
DPI = 100

x, y = dl.coordinates("x y")
m, l, g = dl.parameters(m=1.0, l=1.0, g=9.81)
model = dl.Model.from_lagrangian(
    name="pendulum",
    kinetic=m * (x.dot**2 + y.dot**2) / 2,
    potential=m * g * y,
    constraints={"bar": x**2 + y**2 - l**2},
    initial={x: l},
    points={"pivot": (0, 0), "mass": (x, y)},
    lines=[("pivot", "mass")],
)


def write(axes: Any, name: str) -> None:
    """Save the figure the axes belong to; 64 colours are enough for lines."""
    figure = (axes if hasattr(axes, "figure") else axes.flat[0]).figure
    path = FOLDER / name
    figure.savefig(path, dpi=DPI)
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)


solution = dl.simulate(model, until=100.0, step=1e-3)
write(dl.plot(solution, "stroboscope"), "pendulum-stroboscope.png")

short = dl.simulate(model, until=5.0, step=1e-3)
write(dl.plot(short, y, "bar.force"), "pendulum-force.png")

uncorrected = dl.simulate(model, until=100.0, step=1e-2, method=dl.UdwadiaKalaba())
kept = dl.simulate(model, until=100.0, step=1e-2)
write(dl.plot(dl.compare(uncorrected, kept), "drift"), "pendulum-drift.png")
