"""Symbols of a rigid body's orientation, and how they change with time.

A coordinate whose name holds a colon is not a velocity away from its derivative: it obeys a rule,

    ship:R01   entry of the rotation R_WB (takes body components to world)     R' = w x R
    ship:r0    entry of a vector fixed in the body, in world components        r' = w x r
    ship:q0    entry of the unit quaternion (w, x, y, z), body to world        q' = 1/2 (0, w) q
    hinge:turns    full turns of a joint, as an angle                          constant

with w the angular velocity in world components, the velocities ``ship:w0`` ... (equations 1). A
user cannot make such names (`check_name`), and `leaf.dot` applies the rule, so that derivatives of
any formula of these symbols are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.expression import ZERO, Expression, coordinate, velocity

AXES = "xyz"


def rotation(name: str) -> npt.NDArray[Any]:
    """R_WB of body `name`, 3 x 3 symbols."""
    return _symbols([[f"{name}:R{i}{j}" for j in range(3)] for i in range(3)])


def quaternion(name: str) -> npt.NDArray[Any]:
    """Unit quaternion of body `name`, scalar first."""
    return _symbols([f"{name}:q{i}" for i in range(4)])


def arm(name: str) -> npt.NDArray[Any]:
    """A vector fixed in body `name`, in world components."""
    return _symbols([f"{name}:r{i}" for i in range(3)])


def turning(name: str) -> npt.NDArray[Any]:
    """Angular velocity of body `name` in world components."""
    rates = np.empty(3, dtype=object)
    rates[:] = [velocity(f"{name}:w{i}") for i in range(3)]
    return rates


def turns(name: str) -> Expression:
    """Full turns of joint `name` as an angle: constant between the moments they are counted."""
    return coordinate(f"{name}:turns")


def _symbols(names: Any) -> npt.NDArray[Any]:
    array = np.array(names, dtype=object)
    for index, name in np.ndenumerate(array):
        array[index] = coordinate(name)
    return array


def rate(symbol: str) -> Expression:
    """Time derivative of the symbol `symbol`, by the rules above."""
    name, _, part = symbol.partition(":")
    if part == "turns":
        return ZERO
    w = turning(name)
    kind, index = part[0], [int(digit) for digit in part[1:]]
    if kind == "q":
        q = quaternion(name)
        products = (
            -w[0] * q[1] - w[1] * q[2] - w[2] * q[3],
            w[0] * q[0] + w[1] * q[3] - w[2] * q[2],
            w[1] * q[0] + w[2] * q[1] - w[0] * q[3],
            w[2] * q[0] + w[0] * q[2] - w[1] * q[1],
        )
        return products[index[0]] * 0.5  # type: ignore[no-any-return]
    vector = rotation(name)[:, index[1]] if kind == "R" else arm(name)
    j, k = (index[0] + 1) % 3, (index[0] + 2) % 3
    return w[j] * vector[k] - w[k] * vector[j]  # type: ignore[no-any-return]


def shown(symbol: str) -> str:
    """Name of the symbol as a reader knows it: ``ship.wx``, ``ship.R[0, 1]``, ``ship.qw``."""
    name, _, part = symbol.partition(":")
    if part.startswith("w"):
        return f"{name}.w{AXES[int(part[1])]}"
    if part.startswith("q"):
        return f"{name}.q{'wxyz'[int(part[1])]}"
    if part.startswith("R"):
        return f"{name}.R[{part[1]}, {part[2]}]"
    return f"{name}.{part}"
