"""A tall block that rocks from edge to edge and comes to rest (Housner 1963).

With the half diagonal R, alpha = atan(width / height) and p^2 = 3 g / 4 R the tilt obeys
tilt'' = -p^2 sin(alpha - tilt) between impacts, and each of them takes the rate by the factor
1 - 1.5 sin^2(alpha), as one edge strikes while the other leaves.
"""

from __future__ import annotations

import math

from dalembert.catalog.on_floor import on_floor
from dalembert.model import Inertia, Model
from dalembert.model.shapes.solids import Box


def rocking_block(
    *,
    width: float = 0.3,
    height: float = 0.9,
    tilt: float = 0.6,
    friction: float = 1.0,
    gravity: float = 9.81,
) -> Model:
    """Tall block "block" on the floor, released at a tilt about its right lower edge.

    Parameters
    ----------
    width, height : float  [m]
        Along x, the way it rocks, and z. It is 0.3 m deep.
    tilt : float
        At the start, over the one at which it would fall, atan(width / height).
    friction : float
    gravity : float  [m/s^2]

    Examples
    --------
    >>> rocking_block()
    Model('rocking-block': 1 body)
    """
    model, surface = on_floor("rocking-block", friction, gravity)
    half, alpha = 0.5 * math.hypot(width, height), math.atan2(width, height)
    lean = tilt * alpha
    # seen from the lower edge at x = width / 2 the centre is at the angle alpha - lean to the left
    x = 0.5 * width - half * math.sin(alpha - lean)
    size = (width, 0.3, height)
    body = model.add_body(
        "block",
        Inertia.box(100.0, size=size),
        position=(x, 0.0, half * math.cos(alpha - lean)),
        rotation=("y", lean),
    )
    model.add_shape(Box(size), on=body, material=surface)
    model.suggested = {"until": 4.0}
    return model
