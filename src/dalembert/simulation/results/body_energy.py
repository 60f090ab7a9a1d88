"""Energies of bodies along a motion, from the arrays themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.formulas import Expression
from dalembert.model.basics.contents import remembered
from dalembert.model.basics.quantity import value_of
from dalembert.simulation.motion.trajectory import Trajectory, of_element
from dalembert.simulation.motion.turns import Turns

AT_ONCE = 100_000
"""Samples times bodies that are worked on together."""


def body_energies(
    model: Any, t: np.ndarray, q: np.ndarray, v: np.ndarray, turned: Turns | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Kinetic energy; potential energy of gravity and springs.

    The potential is that of the forces that have one; others do work, which the energy then shows.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # of a motion that ran away
        kinetic, potential = _of_motion(model, q, v)
    trajectory = Trajectory(model, t, q, v, turned=turned)
    for energy, angles in _stored(model):
        potential = potential + trajectory.series([energy], angles)[0]
    return kinetic, potential


def _of_motion(model: Any, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic energy, and potential energy in gravity, of all bodies, summed in their order."""
    gravity, mass, theta = _weights(model)
    count = len(q)
    places, speeds = q.reshape(count, -1, 7), v.reshape(count, -1, 6)
    kinetic, potential = np.zeros(count), np.zeros(count)
    at_once = max(1, AT_ONCE // max(count, 1))
    for first in range(0, len(mass), at_once):
        some = slice(first, first + at_once)
        p, V, m = places[:, some], speeds[:, some], mass[some]
        velocity = V[:, :, :3]
        local = _turned_back(p[:, :, 3:], V[:, :, 3:])
        moving = 0.5 * m * (velocity * velocity).sum(axis=2)
        turning = 0.5 * np.einsum("kbi,bij,kbj->kb", local, theta[some], local)
        both = np.stack([moving, turning], axis=2).reshape(count, -1)
        kinetic = _summed(kinetic, both)
        height = (p[:, :, :3] * gravity).sum(axis=2)
        potential = _summed(potential, -(m * height))
    return kinetic, potential


@remembered
def _weights(model: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gravity; masses and moments of all bodies."""
    parameters, bodies = model.parameters, list(model.bodies.values())
    gravity = np.array([value_of(g, parameters) or 0.0 for g in model.gravity])
    mass = np.array([value_of(body.inertia.mass, parameters) or 0.0 for body in bodies])
    theta = [
        [[value_of(x, parameters) or 0.0 for x in row] for row in body.inertia.matrix]
        for body in bodies
    ]
    return gravity, mass, np.array(theta).reshape(-1, 3, 3)


def _summed(so_far: np.ndarray, terms: np.ndarray) -> np.ndarray:
    """Sums of rows of terms, one after the other."""
    return np.asarray(np.cumsum(np.column_stack([so_far, terms]), axis=1)[:, -1])


def _turned_back(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """R^T w for quaternions (..., 4)."""
    a, u = q[..., :1], -q[..., 1:]
    return np.asarray(w + 2.0 * _cross(u, _cross(u, w) + a * w))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b along the last axis."""
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def stored_energy(trajectory: Trajectory, force: Any) -> np.ndarray | None:
    """Potential energy of a force element at each sample; None when it has none."""
    found = _formula(force)
    return None if found is None else trajectory.series([found[0]], found[1])[0]


@remembered
def _stored(model: Any) -> list[tuple[Expression, dict[Expression, Expression]]]:
    """Potential energies of the forces that have one, with the angles in them."""
    return [found for force in model.forces.values() if (found := _formula(force)) is not None]


def _formula(force: Any) -> tuple[Expression, dict[Expression, Expression]] | None:
    """Potential energy of a force element, and the symbols of its turns with their angles."""
    views, data, angles = of_element(force)
    energy = force.energy(views, data, list(angles))
    return None if energy is None else (energy, angles)
