"""Rows of four-bar linkages in natural coordinates, through their singular (flat) positions.

N four-bars are 2 N + 1 uniform bars: N + 1 cranks standing on supports at (i l, 0) and N couplers
on top. The coordinates are those of the crank tips. N = 2 is the example of Braun & Goldfarb
(2009), section 5.3, and the IFToMM benchmark A02.

Notes
-----
The text of the paper starts "from rest", which is an equilibrium; the published motion has the
initial velocity (1, 0) in every tip (errata C6).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def four_bars(*, mass: float = 1.0, length: float = 1.0, gravity: float = 9.81) -> Model:
    """Two four-bar linkages: coordinates x1, y1, x2, y2, x3, y3 and five lengths.

    Examples
    --------
    >>> four_bars().row_names
    ['crank1', 'crank2', 'crank3', 'coupler1', 'coupler2']
    """
    return _linkage(2, mass, length, gravity, name="four-bars", until=100.0)


def n_four_bar(
    N: int = 2, *, mass: float = 1.0, length: float = 1.0, gravity: float = 9.81
) -> Model:
    """N four-bar linkages in a row (IFToMM A02): 2 N + 2 coordinates, 2 N + 1 lengths.

    Parameters
    ----------
    N : int
        Number of loops, at least 1.
    mass, length : float  [kg], [m]
        Of every bar.
    gravity : float  [m/s^2]
        Along -y.

    Examples
    --------
    >>> len(n_four_bar(5).coordinates)
    12
    """
    if isinstance(N, bool) or not isinstance(N, (int, np.integer)) or N < 1:
        raise ModelError(f"n-four-bar: N is {N!r}. Give a whole number of loops, at least 1.")
    return _linkage(int(N), mass, length, gravity, name=f"{N}-four-bar", until=10.0)


def _linkage(
    loops: int, mass: float, length: float, gravity: float, *, name: str, until: float
) -> Model:
    tips = [coordinates(f"x{i} y{i}") for i in range(1, loops + 2)]
    m, l, g = parameters(m=mass, l=length, g=gravity)

    # Uniform bar between points i and j: T = m/6 (vi.vi + vi.vj + vj.vj), equations 3.
    kinetic = sum(m / 6 * (x.dot**2 + y.dot**2) for x, y in tips)
    potential = sum(m * g * y / 2 for _, y in tips)
    cranks = {}
    for i, (x, y) in enumerate(tips):
        cranks[f"crank{i + 1}"] = (x - i * l) ** 2 + y**2 - l**2
    couplers = {}
    for i, ((xa, ya), (xb, yb)) in enumerate(itertools.pairwise(tips)):
        va, vb = np.array([xa.dot, ya.dot]), np.array([xb.dot, yb.dot])
        kinetic = kinetic + m / 6 * (va @ va + va @ vb + vb @ vb)
        potential = potential + m * g * (ya + yb) / 2
        couplers[f"coupler{i + 1}"] = (xb - xa) ** 2 + (yb - ya) ** 2 - l**2

    initial: dict[Any, Any] = {}
    points: dict[str, Any] = {}
    for i, (x, y) in enumerate(tips):
        initial |= {x: i * l, y: l, x.dot: 1.0, y.dot: 0.0}
        points[f"support{i + 1}"] = (i * l, 0.0)
        points[f"tip{i + 1}"] = (x, y)
    numbers = range(1, loops + 2)
    return Model.from_lagrangian(
        name=name,
        coordinates=[entry for tip in tips for entry in tip],
        kinetic=kinetic,
        potential=potential,
        constraints=cranks | couplers,
        initial=initial,
        points=points,
        lines=[
            *((f"support{i}", f"tip{i}") for i in numbers),
            *((f"tip{i}", f"tip{i + 1}") for i in numbers[:-1]),
        ],
        suggested={"until": until, "step": 1e-3},
    )
