"""Chain and ring of rods joined by ball joints: data, start and measures, common to all engines.

Rods of 1 m and 1 kg (solid cylinders), gravity along -z. The chain hangs from the origin, straight,
and starts to swing to one side while its lower end is carried to the other; the ring is a regular
polygon in the x, z plane that hangs from the origin by one corner and turns about the vertical.
Both motions are spatial; no rod spins about itself, which lets the reference do with its corners.

A rod's frame is in its centre with z from its lower to its upper end. Nothing here imports a peer
or dalembert.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

GRAVITY = 9.81  # along -z  [m/s^2]
STEP = 1e-3  # [s]
CHECK = 1.0  # time at which positions are compared  [s]
LENGTH, MASS, RADIUS = 1.0, 1.0, 0.05  # of a rod  [m], [kg], [m]
ACROSS = MASS * (3 * RADIUS**2 + LENGTH**2) / 12  # moments of inertia  [kg m^2]
ALONG = MASS * RADIUS**2 / 2
LARGEST = int(os.environ.get("DALEMBERT_LARGEST", "1000"))
SIZES = tuple(size for size in (10, 100, 1000) if size <= max(LARGEST, 10))
KINDS = ("chain", "ring")

# Lower end of the chain and a quarter corner of the ring at t = 1 s, from chain_reference.py.
EXACT: dict[tuple[str, int], tuple[float, float, float]] = {
    ("chain", 10): (-4.005635168197, 1.589107481017, -8.977518733778),
    ("chain", 100): (-15.325148087523, 7.497254773743, -98.447139960897),
    ("chain", 1000): (-49.414973817935, 24.653689407184, -998.373825670391),
    ("ring", 10): (-0.729378762445, -0.034692897754, -1.822334164688),
    ("ring", 100): (14.18119922615, 4.171984210677, -19.586456877811),
    ("ring", 1000): (158.611401811286, 13.949676586417, -163.78692243871),
}

Array = Any


@dataclass(frozen=True)
class Start:
    """State of the rods at t = 0; rod i hangs on rod i - 1, rod 0 on the origin."""

    kind: str
    corners: Array  # (rods + 1, 3): upper ends, and the lower end of the last rod
    rates: Array  # (rods, 3): angular velocities in the world

    @property
    def count(self) -> int:
        """Number of rods."""
        return len(self.rates)

    @property
    def closed(self) -> bool:
        """Whether the last lower end is joined to the first upper end."""
        return self.kind == "ring"

    @property
    def centres(self) -> Array:
        """Of the rods, (rods, 3)."""
        return 0.5 * (self.corners[:-1] + self.corners[1:])

    @property
    def tilts(self) -> Array:
        """Angle of each rod about y; all rods start in the x, z plane."""
        up = self.corners[:-1] - self.corners[1:]
        return np.arctan2(up[:, 0], up[:, 2])

    @property
    def corner_velocities(self) -> Array:
        """(rods + 1, 3)."""
        steps = np.cross(self.rates, self.corners[1:] - self.corners[:-1])
        return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])

    @property
    def velocities(self) -> Array:
        """Of the centres, (rods, 3)."""
        v = self.corner_velocities
        return 0.5 * (v[:-1] + v[1:])


def start(kind: str, count: int) -> Start:
    """Chain or ring of `count` rods as it is released."""
    corners = np.zeros((count + 1, 3))
    rates = np.zeros((count, 3))
    if kind == "chain":
        corners[:, 2] = -LENGTH * np.arange(count + 1)
        swing = 0.5 * math.sqrt(GRAVITY / (count * LENGTH))
        rates[:, 0] = swing * np.linspace(0.0, 1.0, count)
        rates[:, 1] = swing
    else:
        radius = 0.5 * LENGTH / math.sin(math.pi / count)
        turns = 2 * math.pi * np.arange(count + 1) / count
        corners[:, 0] = radius * np.sin(turns)
        corners[:, 2] = radius * (np.cos(turns) - 1.0)
        corners[-1] = 0.0
        rates[:, 2] = 0.5 * math.sqrt(GRAVITY / (2 * radius))
        along = np.diff(corners, axis=0) / LENGTH
        rates -= along * (along * rates).sum(axis=1, keepdims=True)
    return Start(kind, corners, rates)


def marked(kind: str, centres: Array, up: Array) -> Array:
    """The compared point: lower end of the chain, or the corner a quarter around the ring."""
    rod = len(centres) - 1 if kind == "chain" else len(centres) // 4 - 1
    return centres[rod] - 0.5 * LENGTH * up[rod]


def error(kind: str, count: int, centres: Array, up: Array) -> float:
    """Distance of the compared point from the reference at t = 1 s  [m]."""
    exact = EXACT.get((kind, count))
    if exact is None:
        return math.nan
    return float(np.linalg.norm(marked(kind, centres, up) - exact))


def opening(kind: str, centres: Array, up: Array) -> float:
    """Largest distance between the two sides of any joint  [m]."""
    upper, lower = centres + 0.5 * LENGTH * up, centres - 0.5 * LENGTH * up
    gaps = [upper[0], *(upper[1:] - lower[:-1])]
    if kind == "ring":
        gaps.append(lower[-1] - upper[0])
    return float(np.linalg.norm(gaps, axis=1).max())


def energy(centres: Array, up: Array, velocities: Array, rates: Array) -> float:
    """Kinetic and potential energy  [J]; `rates` in the world."""
    spin = (rates * up).sum(axis=1)
    kinetic = MASS * (velocities**2).sum() + ACROSS * (rates**2).sum()
    kinetic += (ALONG - ACROSS) * (spin**2).sum()
    return float(0.5 * kinetic + MASS * GRAVITY * centres[:, 2].sum())


def energy_scale(kind: str, count: int) -> float:
    """Weight times the height from the lowest to the highest rod: energy errors refer to it."""
    return MASS * GRAVITY * count * float(np.ptp(start(kind, count).corners[:, 2]))
