"""Coin on a table, rolling without slip: one position row, two velocity rows.

Reference problems B1 (parameters of Exudyn's rollingCoinTest: a thin disc of radius 0.01 m,
almost upright, spun at 10 pi rad/s about the vertical) and B2 (the same disc rolling steadily on
a circle).
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.rolling import Rolling


def rolling_coin(
    *,
    lean: float | None = None,
    spin: float = 10 * np.pi,
    circle: float = 0.0,
    mass: float = 1.0,
    radius: float = 0.01,
    gravity: float = 9.81,
) -> Model:
    """Thin disc "coin" with its axis along body x, spun about the vertical, or on a circle.

    Parameters
    ----------
    lean : float  [rad]
        Of the disc at the start, by turning it about y; 1 degree, or 20 degrees on a circle.
    spin : float  [rad/s]
        About z at the start, the contact being at the origin and at rest; not on a circle.
    circle : float  [m]
        Radius of the circle on which the contact runs steadily, about the origin, the disc leaning
        inwards; 0 for none.
    mass, radius : float  [kg], [m]
    gravity : float  [m/s^2]
        Along -z.

    Notes
    -----
    On a circle of radius R the disc of radius r, with moments C about its axis and A across,
    turns about the vertical at the rate W and about its axis at  W R / r,  where

        W^2 cos(lean) (m r (R - r sin(lean)) + C (R/r - sin(lean)) + A sin(lean)) = m g r sin(lean).

    Examples
    --------
    >>> rolling_coin().row_names
    ['table: height above the plane', 'table: slip along x', 'table: slip along y']
    """
    if circle < 0.0:
        raise ModelError(f"rolling-coin: circle is {circle:g} m. Give a radius, or 0 for none.")
    m, r, g = parameters(m=mass, r=radius, g=gravity)
    if lean is None:
        lean = np.radians(20.0 if circle else 1.0)
    across, axial = m * r**2 / 4, m * r**2 / 2
    s, c = float(np.sin(lean)), float(np.cos(lean))
    if circle:
        R = parameters(circle=circle)[0]
        pull = c * (m * r * (R - r * s) + axial * (R / r - s) + across * s)
        rate = np.sqrt(m * g * r * s / pull)
        # In the vertical plane x-z, leaning towards -x; the contact at (R, 0, 0) stands still.
        center, side = (R - r * s, 0.0, r * c), -1.0
        turning = (-rate * R / r * c, 0.0, rate - rate * R / r * s)
    else:
        (rate,) = parameters(spin=spin)
        center, side = (r * s, 0.0, r * c), 1.0
        turning = (0.0, 0.0, rate)

    model = Model("rolling-coin", gravity=(0.0, 0.0, -g))
    up = (side * s, 0.0, c)  # from the contact to the centre
    coin = model.add_body(
        "coin",
        Inertia(m, (axial, across, across)),
        position=center,
        rotation=("y", side * lean),
        velocity=tuple(r * entry for entry in _cross(turning, up)),
        angular_velocity=turning,
    )
    model.add_joint(Rolling(model.world, coin, radius=r, axis="x", name="table"))
    model.add_point("centre", coin.at())
    for name, frame in (("a", coin.at(y=r)), ("b", coin.at(z=r)), ("c", coin.at(y=-r))):
        model.add_point(name, frame)
    model.add_line("a", "b", "c", "centre", "a")
    model.suggested = {"until": 1.0, "step": 1e-4}
    return model


def _cross(a: tuple[object, ...], b: tuple[object, ...]) -> tuple[object, ...]:
    x, y, z = np.cross(np.array(a, dtype=object), np.array(b, dtype=object))
    return x, y, z
