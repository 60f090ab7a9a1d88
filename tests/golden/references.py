"""Reference data, closed forms and precise reduced solutions that the golden tests compare with.

The data are read in place from the folder `shared/reference/data` beside the repository, or from
the folder named by DALEMBERT_REFERENCE; a test that needs them is skipped where they are absent.
"""

from __future__ import annotations

import functools
import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

GRAVITY = 9.81
PRECISE = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13}
REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared"
FOLDER = Path(os.environ.get("DALEMBERT_REFERENCE") or SHARED / "reference" / "data")


def read(name: str) -> Any:
    """One file of the reference data."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"reference data {name} not found; set DALEMBERT_REFERENCE to its folder")
    return json.loads(path.read_text())


def read_table(name: str) -> np.ndarray:
    """One file of numbers under a line of names; columns by name."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"reference data {name} not found; set DALEMBERT_REFERENCE to its folder")
    return np.genfromtxt(path, delimiter=",", names=True)


def pendulum(t: Any) -> np.ndarray:
    """(x, y) for m = l = 1 released at (1, 0): sin(phi/2) = k sn(K + sqrt(g) t), k^2 = 1/2.

    Good to about eps sqrt(g) t: 7e-13 after 1000 s, the rounding of the argument.
    """
    sn, _, dn, _ = ellipj(ellipk(0.5) + math.sqrt(GRAVITY) * np.asarray(t), 0.5)
    return np.stack([math.sqrt(2.0) * sn * dn, sn**2 - 1.0], axis=-1)


def four_bars(t: Any) -> np.ndarray:
    """x3 = 2 + sin(phi) of the two four-bars: phi'' = 7/6 g sin(phi), phi(0) = 0, phi'(0) = 1.

    phi = pi + 2 am(w t/2 - K), w^2 = 1 + 4 (7/6) g the speed at the bottom.
    """
    a = 7 / 6 * GRAVITY
    w = math.sqrt(1 + 4 * a)
    m = 4 * a / w**2
    sn, cn, _, _ = ellipj(w * np.asarray(t) / 2 - ellipk(m), m)
    return 2 - 2 * sn * cn


def slider_crank(
    rod: float = 1.0,
    *,
    gravity: float = GRAVITY,
    thin: bool = False,
    damping: float = 5.0,
) -> tuple[np.ndarray, np.ndarray]:
    """(t, x_s) every 0.01 s for 100 s from its one angle, torque 20, started at rest, stretched.

    DOP853 with rtol = atol = 1e-13: agrees with the 40-digit data to 1.4e-11 after 100 s. `thin`:
    rods without inertia about their centre. `damping` acts on the rate of the one angle.
    """
    return _reduced_slider_crank(rod, gravity, 0.0 if thin else 1.0 / 12.0, damping)


@functools.cache
def _reduced_slider_crank(
    rod: float, gravity: float, spin: float, damping: float
) -> tuple[np.ndarray, np.ndarray]:
    """The same, computed once for each set of numbers; `spin` is the inertia of a unit rod."""

    def equal(_t: float, state: np.ndarray) -> list[float]:
        # (2 I + 1/2 + 6 s^2) theta'' + 6 s c theta'^2 = 20 - d theta' - g c  (physics.md 9.2)
        angle, rate = state
        s, c = math.sin(angle), math.cos(angle)
        load = 20.0 - damping * rate - gravity * c - 6 * s * c * rate**2
        return [rate, load / (2 * spin + 0.5 + 6 * s * s)]

    def unequal(_t: float, state: np.ndarray) -> list[float]:
        # The rod makes the angle -b with the guide: sin b = s / rod.
        angle, rate = state
        s, c = math.sin(angle), math.cos(angle)
        sb = s / rod
        cb = math.sqrt(1 - sb * sb)
        b1 = c / (rod * cb)
        b2 = (-s / rod + sb * b1 * b1) / cb
        inertia = spin + 0.25 + spin * rod**2 * b1**2
        change = 2 * spin * rod**2 * b1 * b2
        slope = gravity * c / 2
        for arm, weight in ((rod / 2, gravity), (rod, gravity)):  # centre of the rod, slider
            x1, y1 = -s - arm * sb * b1, c - arm * cb * b1
            x2, y2 = -c - arm * (cb * b1 * b1 + sb * b2), -s - arm * (cb * b2 - sb * b1 * b1)
            inertia += x1 * x1 + y1 * y1
            change += 2 * (x1 * x2 + y1 * y2)
            slope += weight * y1
        load = 20.0 - damping * rate - slope - change * rate**2 / 2
        return [rate, load / inertia]

    t = np.linspace(0.0, 100.0, 10_001)
    equation = equal if rod == 1.0 else unequal
    angle = solve_ivp(equation, (0.0, 100.0), [0.0, 0.0], t_eval=t, **PRECISE).y[0]
    if rod == 1.0:
        return t, 2 * np.cos(angle)
    return t, np.cos(angle) + rod * np.sqrt(1 - (np.sin(angle) / rod) ** 2)


def slider_crank_at(t: np.ndarray) -> np.ndarray:
    """x_s of the published arrangement at any moments up to about 10 s."""

    def equation(_t: float, state: np.ndarray) -> list[float]:
        angle, rate = state
        s, c = math.sin(angle), math.cos(angle)
        load = 20.0 - 5.0 * rate - GRAVITY * c - 6 * s * c * rate**2
        return [rate, load / (2 / 3 + 6 * s * s)]

    end = float(t[-1]) if len(t) > 1 else 1.0
    return 2 * np.cos(solve_ivp(equation, (0.0, end), [0.0, 0.0], t_eval=t, **PRECISE).y[0])
