"""Energies of bodies along a motion, from the arrays themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.quantity import value_of
from dalembert.simulation.trajectory import Trajectory, of_element
from dalembert.simulation.turns import Turns


def body_energies(
    model: Any, t: np.ndarray, q: np.ndarray, v: np.ndarray, turned: Turns | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Kinetic energy; potential energy of gravity and springs.

    The potential is that of the forces that have one; others do work, which the energy then shows.
    """
    kinetic, potential = np.zeros(len(t)), np.zeros(len(t))
    gravity = np.array([value_of(g, model.parameters) or 0.0 for g in model.gravity])
    for b, body in enumerate(model.bodies.values()):
        mass = value_of(body.inertia.mass, model.parameters) or 0.0
        theta = np.array(
            [[value_of(x, model.parameters) or 0.0 for x in row] for row in body.inertia.matrix]
        )
        velocity, spin = v[:, 6 * b : 6 * b + 3], v[:, 6 * b + 3 : 6 * b + 6]
        local = _turned_back(q[:, 7 * b + 3 : 7 * b + 7], spin)
        kinetic += 0.5 * mass * (velocity * velocity).sum(axis=1)
        kinetic += 0.5 * np.einsum("ki,ij,kj->k", local, theta, local)
        potential -= mass * (q[:, 7 * b : 7 * b + 3] @ gravity)
    trajectory = Trajectory(model, t, q, v, turned=turned)
    for force in model.forces.values():
        stored = stored_energy(trajectory, force)
        if stored is not None:
            potential = potential + stored
    return kinetic, potential


def _turned_back(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """R^T w, row by row."""
    a, u = q[:, :1], -q[:, 1:]
    return np.asarray(w + 2.0 * np.cross(u, np.cross(u, w) + a * w))


def stored_energy(trajectory: Trajectory, force: Any) -> np.ndarray | None:
    """Potential energy of a force element at each sample; None when it has none."""
    views, data, angles = of_element(force)
    energy = force.energy(views, data, list(angles))
    return None if energy is None else trajectory.series([energy], angles)[0]
