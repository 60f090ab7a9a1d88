"""Numbers of a model of bodies at given values of its parameters: records, masses, inertias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.quantity import value_of
from dalembert.system.bodies import Mechanism, numbers

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BodyNumbers:
    """Everything in the arrays of bodies that values of parameters decide.

    Attributes
    ----------
    records : data of joints and forces, in the order of `Mechanism.recorded`
    mass : (n,)         [kg]
    theta : (n, 3, 3)   inertias about the centres of mass, body axes  [kg m^2]
    length : (n + 1,)   farthest joint from each centre of mass, 1 where there is none  [m]
    """

    records: tuple[list[float], ...]
    mass: Array
    theta: Array
    length: Array


def body_numbers(parts: Mechanism, values: Mapping[str, float]) -> BodyNumbers:
    """Numbers of a mechanism; those asked for last are kept, as one start needs them many times."""
    key = tuple(values), np.array(list(values.values()), dtype=float).tobytes()
    known = parts.known_numbers
    if known is None or known[0] != key:
        known = parts.known_numbers = (key, _computed(parts, values))
    found: BodyNumbers = known[1]
    return found


def _computed(parts: Mechanism, values: Mapping[str, float]) -> BodyNumbers:
    records = tuple(numbers(element.data, values) for element in parts.recorded)
    far = np.zeros(len(parts.names) + 1)
    for pair, record in zip(parts.pairs, records, strict=False):
        for side, body in enumerate(pair.bodies):
            far[body] = max(far[body], float(np.linalg.norm(record[12 * side : 12 * side + 3])))
    return BodyNumbers(
        records,
        np.array([value_of(body.inertia.mass, values) or 0.0 for body in parts.bodies]),
        inertias(parts, values),
        np.where(far > 0, far, 1.0),
    )


def inertias(parts: Mechanism, values: Mapping[str, float]) -> Array:
    """Inertias about the centres of mass in body axes, as numbers."""
    entries = [
        [[value_of(x, values) or 0.0 for x in row] for row in body.inertia.matrix]
        for body in parts.bodies
    ]
    return np.array(entries).reshape(-1, 3, 3)
