"""Kinetic and potential energy of bodies with quaternions, as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.graph import symbols
from dalembert.model.basics.element import dot
from dalembert.model.basics.rigid_body import QuaternionBody
from dalembert.model.forces.base import ForceElement


def kinetic(bodies: Iterable[QuaternionBody]) -> Expression:
    """Sum of  m v.v/2 + w_B . I w_B/2  with w_B = R^T w, v of the centre of mass."""
    total = ZERO
    for body in bodies:
        v = [q.dot for q in body.center_symbols]
        w = body.rotation.T @ body.angular_velocity
        total = total + lift(body.inertia.mass) * dot(v, v) / 2
        for i, row in enumerate(body.inertia.matrix):
            total = total + lift(row[i]) * w[i] ** 2 / 2
            for j in range(i):
                total = total + lift(row[j]) * w[i] * w[j]
    return total


def potential(
    bodies: Iterable[QuaternionBody],
    gravity: Sequence[Expression],
    forces: Iterable[ForceElement],
) -> Expression:
    """-m g . p of every body, and the energy of every force that has one."""
    total = ZERO
    for body in bodies:
        total = total - lift(body.inertia.mass) * dot(gravity, body.center_symbols)
    for force in forces:
        _, energy = force.evaluated()
        if energy is not None:
            total = total + energy
    return total


def all_conservative(forces: Iterable[ForceElement], others: Iterable[Any]) -> bool:
    """True when no force does work that no energy accounts for, and nothing depends on time."""
    return all(force.conservative for force in forces) and not symbols(list(others), "time")
