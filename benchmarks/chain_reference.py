"""Where the compared points of chain and ring are at t = 1 s: an independent computation.

    python benchmarks/chain_reference.py          prints the table EXACT of peers/chains.py

Rods without spin are described by their corners alone: with the ends a, b of a rod,
T = m/2 |(a' + b')/2|^2 + J/(2 l^2) |b' - a'|^2, and |b - a| = l. Accelerations and tensions follow
from one banded system (a corner touches its neighbours only); Dormand-Prince of order 8 with
tolerance 1e-13, and the same with 1e-11 to see what is certain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from peers.chains import ACROSS, CHECK, GRAVITY, KINDS, LENGTH, MASS, SIZES, Start, start
from scipy.integrate import solve_ivp
from scipy.linalg import solve_banded

Array = Any
BAND = 6  # neighbouring corners and tensions: |row - column| <= 6


def corner_accelerations(begin: Start) -> Any:
    """Function (corners, velocities) -> accelerations of the corners that move."""
    count = begin.count
    moving = count - 1 if begin.closed else count
    size = count + 3 * moving  # tension of rod 0, corner 1, tension of rod 1, corner 2, ...
    same = MASS / 4 + ACROSS / LENGTH**2  # one rod's share at its end
    other = MASS / 4 - ACROSS / LENGTH**2
    shares = np.array([1.0 if k + 1 == count else 2.0 for k in range(moving)])

    fixed = np.zeros((2 * BAND + 1, size))
    corner = 1 + 4 * np.arange(moving)
    for axis in range(3):
        fixed[BAND, corner + axis] = same * shares
        fixed[BAND - 4, corner[1:] + axis] = other
        fixed[BAND + 4, corner[:-1] + axis] = other
    weight = np.zeros(size)
    weight[corner + 2] = -0.5 * MASS * GRAVITY * shares
    tension = 4 * np.arange(count)

    def accelerations(p: Array, v: Array) -> Array:
        rod, speed = np.diff(p, axis=0), np.diff(v, axis=0)
        band, right = fixed.copy(), weight.copy()
        right[tension] = -(speed**2).sum(axis=1)
        for axis in range(3):
            # rod k pulls corner k with -rod and corner k + 1 with +rod; its row is the same
            lower = np.arange(count) < moving
            r, c = tension[lower], tension[lower] + 1 + axis
            band[BAND + r - c, c] = rod[lower, axis]
            band[BAND + c - r, r] = rod[lower, axis]
            r, c = tension[1:], tension[1:] - 3 + axis
            band[BAND + r - c, c] = -rod[1:, axis]
            band[BAND + c - r, r] = -rod[1:, axis]
        x = solve_banded((BAND, BAND), band, right)
        return np.stack([x[corner + axis] for axis in range(3)], axis=1)

    return accelerations


def marked_at_check(kind: str, count: int, tolerance: float) -> Array:
    begin = start(kind, count)
    accelerations = corner_accelerations(begin)
    moving = count - 1 if begin.closed else count

    def whole(inner: Array) -> Array:
        ends = np.zeros((count + 1, 3))
        ends[1 : moving + 1] = inner
        return ends

    def slope(_t: float, y: Array) -> Array:
        p, v = y.reshape(2, moving, 3)
        return np.concatenate([v, accelerations(whole(p), whole(v))]).ravel()

    y0 = np.concatenate([begin.corners[1 : moving + 1], begin.corner_velocities[1 : moving + 1]])
    done = solve_ivp(slope, (0, CHECK), y0.ravel(), "DOP853", rtol=tolerance, atol=tolerance)
    p = whole(done.y[:, -1].reshape(2, moving, 3)[0])
    stretch = np.abs(np.linalg.norm(np.diff(p, axis=0), axis=1) - LENGTH).max()
    print(f"# {kind} {count}: {done.nfev} evaluations, lengths kept to {stretch:.1e}")
    return p[count if kind == "chain" else count // 4]


def main() -> None:
    for kind in KINDS:
        for count in SIZES:
            point = marked_at_check(kind, count, 1e-13)
            coarser = marked_at_check(kind, count, 1e-11)
            known = np.abs(point - coarser).max()
            print(f'("{kind}", {count}): {tuple(map(float, point))},  # to {known:.0e}', flush=True)


if __name__ == "__main__":
    main()
