"""Gaps of rounded zonotopes by enumeration: an oracle for spheres, capsules and boxes.

Each is a point, a segment or a box with half generators g_i, rounded by a radius. Apart, the
distance of the cores is the least of |d + sum_i x_i g_i|, |x_i| <= 1, found by trying for every
x_i that it is at either end or free (at most 3^6 least-squares problems). Overlapping, the depth is
the least width of the difference body, whose faces are normal to products of generators.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Core:
    """Middle, half generators (rows), and rounding."""

    middle: np.ndarray
    generators: np.ndarray
    radius: float

    @classmethod
    def sphere(cls, x, radius):
        return cls(np.asarray(x, float), np.zeros((0, 3)), radius)

    @classmethod
    def capsule(cls, x, R, radius, length):
        return cls(np.asarray(x, float), 0.5 * length * np.asarray(R)[:, 2][None], radius)

    @classmethod
    def box(cls, x, R, size):
        return cls(np.asarray(x, float), 0.5 * np.asarray(size)[:, None] * np.asarray(R).T, 0.0)


@functools.cache
def _choices(count):
    """Every choice of at most three free variables, with all ends of the others as columns."""
    found = []
    for number in range(min(count, 3) + 1):
        for free in itertools.combinations(range(count), number):
            held = [k for k in range(count) if k not in free]
            ends = np.zeros((count, 2 ** len(held)))
            ends[held] = np.array([*itertools.product((-1.0, 1.0), repeat=len(held))]).T
            found.append((list(free), ends))
    return found


def core_distance(a: Core, b: Core) -> float:
    """Distance of the cores, 0 when they overlap."""
    d = (b.middle - a.middle)[:, None]
    G = np.vstack([b.generators, -a.generators]).T
    best = np.inf
    for free, ends in _choices(G.shape[1]):
        rest = d + G @ ends
        if free:
            x = -np.linalg.pinv(G[:, free], rcond=1e-12) @ rest
            rest = rest + G[:, free] @ np.clip(x, -1, 1)
            rest = rest[:, (np.abs(x) <= 1 + SLACK).all(axis=0)]
        if rest.shape[1]:
            best = min(best, float(np.linalg.norm(rest, axis=0).min()))
    return best


def separation(a: Core, b: Core) -> float:
    """Greatest separation of the projections of the cores on a normal of the difference body."""
    d = b.middle - a.middle
    G = np.vstack([b.generators, a.generators])
    best = -np.inf
    for g, h in itertools.combinations(G, 2):
        n = np.cross(g, h)
        length = np.linalg.norm(n)
        if length > 1e-7 * np.linalg.norm(g) * np.linalg.norm(h):
            n = n / length
            best = max(best, abs(n @ d) - np.abs(G @ n).sum())
    return best


def gap(a: Core, b: Core) -> float:
    """Signed distance of the rounded shapes."""
    distance = core_distance(a, b)
    if distance <= 1e-12 and len(a.generators) + len(b.generators) > 2:
        distance = separation(a, b)
    return distance - a.radius - b.radius
