"""N four-bar linkages in a row (IFToMM A02): data, start and measures, common to all engines.

2 N + 1 uniform rods of 1 m and 1 kg in the x, y plane, gravity along -y: cranks 0..N stand on the
supports (i, 0), couplers 0..N-1 lie on top, and all tops start with +1 m/s along x. Every engine
hands its state over as absolute positions, so that one text measures everybody.

Nothing here imports a peer or dalembert.
"""

from __future__ import annotations

import functools
import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

GRAVITY = 9.81  # along -y  [m/s^2]
STEP = float(os.environ.get("DALEMBERT_STEP", "1e-3"))  # [s]
UNTIL = 10.0  # [s]
STEPS = round(UNTIL / STEP)
LARGEST = int(os.environ.get("DALEMBERT_LARGEST", "1000"))
SIZES = tuple(size for size in (1, 2, 10, 40) if size <= LARGEST)
MOMENT = 1.0 / 12.0  # of a rod about its centre  [kg m^2]

_BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "reference" / "data"
REFERENCE = Path(os.environ.get("DALEMBERT_REFERENCE") or _BESIDE) / "nfourbar_iftomm_a02.json"

Array = Any


def start(loops: int) -> tuple[Array, Array, Array, Array]:
    """Centres, angles from the x axis and their rates: crank 0, coupler 0, crank 1, ... .

    Returns
    -------
    centres (2 N + 1, 2), angles (2 N + 1,), velocities (2 N + 1, 2), rates (2 N + 1,)
    """
    count = 2 * loops + 1
    crank = np.arange(count) % 2 == 0
    i = np.arange(count) // 2
    centres = np.where(
        crank[:, None], np.stack([i, 0 * i + 0.5], 1), np.stack([i + 0.5, 0 * i + 1], 1)
    )
    angles = np.where(crank, math.pi / 2, 0.0)
    velocities = np.where(crank[:, None], [[0.5, 0.0]], [[1.0, 0.0]])
    rates = np.where(crank, -1.0, 0.0)
    return centres, angles, velocities, rates


def ends(centres: Array, angles: Array) -> tuple[Array, Array]:
    """Lower or left, and upper or right ends of the rods; arrays (..., rods, 2)."""
    half = 0.5 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return centres - half, centres + half


def absolute(hinges: Array, speeds: Array) -> tuple[Array, Array, Array, Array]:
    """Centres, angles, velocities and rates of the rods from those of hinges.

    Hinges of cranks on the ground and of couplers on cranks, all zero at the start: crank 0,
    coupler 0, crank 1, ... .
    """
    turned, rates = hinges.copy(), speeds.copy()
    turned[1::2] += hinges[:-1:2]
    rates[1::2] += speeds[:-1:2]
    angles = turned + start(len(hinges) // 2)[1]
    along = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    across = rates[:, None] * np.stack([-along[:, 1], along[:, 0]], axis=1)
    centres, velocities = 0.5 * along, 0.5 * across
    centres[::2, 0] += np.arange(len(centres[::2]))
    centres[1::2] += 2.0 * centres[:-1:2]
    centres[1::2, 0] -= np.arange(len(centres[1::2]))
    velocities[1::2] += 2.0 * velocities[:-1:2]
    return centres, angles, velocities, rates


def top(centres: Array, angles: Array) -> Array:
    """B0, top of the first crank."""
    return ends(centres, angles)[1][..., 0, :]


def opening(centres: Array, angles: Array) -> float:
    """Largest distance between the two sides of any joint, over all samples  [m]."""
    low, high = ends(centres, angles)
    cranks, couplers = slice(0, None, 2), slice(1, None, 2)
    supports = np.zeros_like(low[..., cranks, :])
    supports[..., 0] = np.arange(supports.shape[-2])
    gaps = (
        low[..., cranks, :] - supports,
        low[..., couplers, :] - high[..., cranks, :][..., :-1, :],
        high[..., couplers, :] - high[..., cranks, :][..., 1:, :],
    )
    return max(float(np.linalg.norm(gap, axis=-1).max()) for gap in gaps)


def energy(centres: Array, velocities: Array, rates: Array) -> Array:
    """Kinetic and potential energy  [J]."""
    kinetic = 0.5 * (velocities**2).sum(axis=(-1, -2)) + 0.5 * MOMENT * (rates**2).sum(axis=-1)
    return kinetic + GRAVITY * centres[..., 1].sum(axis=-1)


@functools.cache
def swung(loops: int, time: float = UNTIL, step: float = 2e-4) -> tuple[float, float]:
    """B0 by the equation of the one angle that there is: the cranks stay parallel.

    (m/3 (N + 1) + m N) theta'' = -m g ((N + 1)/2 + N) cos(theta); RK4 with long numbers, to 1e-12.
    """
    long, cos = np.longdouble, np.cos
    rate = long(GRAVITY) * (long(loops + 1) / 2 + loops) / (long(loops + 1) / 3 + loops)
    a, w, h = long(math.pi / 2), long(-1.0), long(step)
    for _ in range(round(time / step)):
        k1 = -rate * cos(a)
        k2 = -rate * cos(a + h / 2 * w)
        k3 = -rate * cos(a + h / 2 * (w + h / 2 * k1))
        k4 = -rate * cos(a + h * (w + h / 2 * k2))
        a, w = a + h * (w + h / 6 * (k1 + k2 + k3)), w + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return float(cos(a)), float(np.sin(a))


def exact_top(loops: int, time: float = UNTIL) -> Array:
    """B0 of the published reference at `time`, where its folder is there; else by `swung`."""
    if not REFERENCE.is_file():
        return np.array(swung(loops, time))
    rows = json.loads(REFERENCE.read_text())[f"A02_N{loops}"]["rows"]
    (row,) = (row for row in rows if abs(row[0] - time) < 1e-9)
    return np.array(row[1:3])


def measures(
    loops: int, centres: Array, angles: Array, velocities: Array, rates: Array
) -> dict[str, float]:
    """Error of B0 in the last sample; worst opening and energy error over all samples."""
    first = energy(*(start(loops)[i] for i in (0, 2, 3)))
    reached = top(centres, angles)[-1]
    return {
        "error": float(np.linalg.norm(reached - exact_top(loops))),
        "worst_phi": opening(centres, angles),
        "energy": float(np.abs(energy(centres, velocities, rates) - first).max()),
    }
