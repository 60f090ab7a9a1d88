"""Impacts for tests: `strike` with arrays of its own, and what is left of the laws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contact.impact.impact import Contacts, Impact, room_length
from dalembert.contact.impact.laws import SIMULTANEOUS
from dalembert.contact.impact.strike import strike


@dataclass
class Struck:
    """What came of an impact; by Poisson's law of one island also after its compression."""

    status: int
    p: np.ndarray
    u: np.ndarray
    law: int
    kept: float
    compression: np.ndarray


def first_rows(dim):
    return np.concatenate([[0], np.cumsum(dim)[:-1]]).astype(np.int64)


def hit(law, W, u, dim, mu, e, order=SIMULTANEOUS, owner=None):
    """The impact; nothing given is changed."""
    dim, after = np.array(dim, dtype=np.int64), np.array(u, dtype=float)
    p, room = np.zeros(len(after)), np.zeros(room_length(len(dim), len(after)))
    mu, e = np.array(mu, dtype=float), np.array(e, dtype=float)
    W = np.ascontiguousarray(W, dtype=float)
    owner = np.full(len(dim), -1) if owner is None else np.array(owner, dtype=np.int64)
    contacts = Contacts(first_rows(dim), dim, owner, mu, e, W)
    status = strike(law, order, contacts, after, p, room)
    impact = Impact(contacts, room)
    return Struck(status, p, after, impact.acted, impact.expansion, impact.compression.copy())


def change_of_energy(W, u, p):
    return u @ p + 0.5 * p @ W @ p


@dataclass
class Scene:
    """An impact: rows of contacts of bodies with velocities v."""

    W: np.ndarray
    u: np.ndarray
    dim: np.ndarray
    mu: np.ndarray
    e: np.ndarray

    @property
    def contacts(self):
        """Slices of the rows."""
        return [slice(i, i + d) for i, d in zip(first_rows(self.dim), self.dim, strict=True)]


def random_scene(rng):
    """1 to 4 contacts in the plane, in space, or of both kinds; W of any rank."""
    count, kind = rng.integers(1, 5), rng.integers(0, 3)
    dim = np.full(count, 2 + kind) if kind < 2 else rng.integers(1, 4, count)
    n = int(dim.sum())
    few = rng.random() < 0.4 and n > 1
    nv = int(rng.integers(max(1, min(n - 1, 2)), n)) if few else n + int(rng.integers(0, 4))
    A, J = rng.normal(size=(nv, nv)), rng.normal(size=(n, nv))
    M = A @ A.T / nv + 10.0 ** rng.uniform(-3, 0) * np.eye(nv)
    if rng.random() < 0.1 and count > 1 and dim[0] == dim[1]:
        J[dim[0] : 2 * dim[0]] = J[: dim[0]]
    W = J @ np.linalg.solve(M, J.T)
    mu, e = rng.uniform(0, 1.2, count), rng.uniform(0, 1, count)
    if rng.random() < 0.3:
        e[:] = e[0]
    if rng.random() < 0.1:
        e[:] = 1.0
    if rng.random() < 0.1:
        mu[:] = 0.0
    return Scene(0.5 * (W + W.T), J @ rng.normal(size=nv), dim, mu, e)


def rounding(scene, p):
    """Rounding of u + W p."""
    return 4e-15 * float((np.abs(scene.u) + np.abs(scene.W) @ np.abs(p)).max())


def rubbing(scene, p, u):
    """What is left of Coulomb's law between impulses p and velocities u, in units of velocity."""
    left = 0.0
    for rows, mu in zip(scene.contacts, scene.mu, strict=True):
        w = np.diag(scene.W)[rows].mean()
        z = w * p[rows][1:] - u[rows][1:]
        size, radius = np.linalg.norm(z), max(0.0, mu * w * p[rows][0])
        inside = z * (radius / size) if size > radius else z
        left = max(left, np.linalg.norm(w * p[rows][1:] - inside)) if len(z) else left
    return left
