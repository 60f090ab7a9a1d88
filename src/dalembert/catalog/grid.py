"""Net of square plates with a ball joint in the middle of every common edge.

The net is held at the corners of two plates and falls. For tests of many closed loops at once. A
flat net is in a singular position: of the 42 rows of 3 x 3 plates 40 are independent there.
"""

from __future__ import annotations

import itertools

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.spherical import Spherical


def grid(
    rows: int = 3,
    columns: int = 3,
    *,
    mass: float = 1.0,
    size: float = 1.0,
    bend: float = 0.2,
    gravity: float = 9.81,
) -> Model:
    """Net of rows x columns plates, at rest, held at two corners of its first row.

    Parameters
    ----------
    rows, columns : int
        Number of plates along y and x.
    mass, size : float  [kg], [m]
        Of each plate, a box of size x size x size / 10.
    bend : float  [rad]
        Between one row and the next at the start, about x; 0 for a flat, singular start.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> grid(2, 3)
    Model('grid-2x3': 6 bodies, 9 joints, 27 constraint rows)
    """
    for what, number in (("rows", rows), ("columns", columns)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise ModelError(
                f"grid: {what} is {number!r}. Give a whole number of plates, at least 1."
            )
    m, a, g = parameters(m=mass, size=size, g=gravity)
    model = Model(f"grid-{rows}x{columns}", gravity=(0.0, 0.0, -g))
    inertia = Inertia.box(m, (a, a, a / 10))
    # Rows are strips of a prism; their middles in the y-z plane, for plates of unit size.
    middles, edge = [], np.zeros(2)
    for j in range(rows):
        along = np.array([np.cos(j * bend), np.sin(j * bend)])
        middles.append(edge + along / 2)
        edge = edge + along
    plates = {}
    for j, i in itertools.product(range(rows), range(columns)):
        plates[j, i] = plate = model.add_body(
            f"plate{j}_{i}",
            inertia,
            position=(i * a, (middles[j][0] - 0.5) * a, middles[j][1] * a),
            rotation=("x", j * bend),
        )
        model.add_point(f"plate{j}_{i}", plate.at())
        if i > 0:
            before = plates[j, i - 1].at(x=a / 2)
            model.add_joint(Spherical(before, plate.at(x=-a / 2), name=f"x{j}_{i}"))
            model.add_line(f"plate{j}_{i - 1}", f"plate{j}_{i}")
        if j > 0:
            before = plates[j - 1, i].at(y=a / 2)
            model.add_joint(Spherical(before, plate.at(y=-a / 2), name=f"y{j}_{i}"))
            model.add_line(f"plate{j - 1}_{i}", f"plate{j}_{i}")
    for name, i, side in (("left", 0, -1), ("right", columns - 1, 1)):
        corner = model.world.at(x=(i + side / 2) * a, y=-a / 2)
        held = plates[0, i].at(x=side * a / 2, y=-a / 2)
        model.add_joint(Spherical(corner, held, name=f"hook_{name}"))
        model.add_point(f"hook_{name}", corner)
        model.add_line(f"hook_{name}", f"plate0_{i}")
    model.suggested = {"until": 0.5, "step": 1e-3}
    return model
