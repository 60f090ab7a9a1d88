"""Contacts given by W, q and mu, with an answer that is known: it was there first.

Impulses and velocities that keep the laws are drawn, and q = u - W lam follows: whatever W is, the
problem has a solution. The residual is the one collections of friction problems use.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from tests.support.contact_problems import FRICTION_PROBLEMS


@dataclass
class Given:
    """A problem of contacts with `dim` rows each."""

    W: np.ndarray
    q: np.ndarray
    mu: np.ndarray
    dim: int = 3
    M: np.ndarray | None = None
    H: np.ndarray | None = None

    def residual(self, lam):
        """|lam - P_K(lam - u - mu |u_t| n)| / |q|, for W as it is."""
        shape = (len(self.mu), self.dim)
        u = (self.W @ lam + self.q).reshape(shape)
        r = np.asarray(lam).reshape(shape)
        u = u + np.outer(self.mu * np.linalg.norm(u[:, 1:], axis=1), np.eye(self.dim)[0])
        nearest = [onto_cone(y, m) for y, m in zip(r - u, self.mu, strict=True)]
        return np.linalg.norm(r - np.array(nearest)) / np.linalg.norm(self.q)

    def scaled(self, masses, speeds):
        """The same with other units of mass and speed."""
        return Given(self.W / masses, self.q * speeds, self.mu, self.dim)

    def turned(self, rng):
        """Contacts in another order, their tangents turned about the normals; and how."""
        order = rng.permutation(len(self.mu))
        T = np.zeros((len(self.q), len(self.q)))
        for i, k in enumerate(order):
            block = np.eye(self.dim)
            if self.dim == 3:
                a = rng.uniform(0, 2 * np.pi)
                block[1:, 1:] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
            T[self.dim * i : self.dim * (i + 1), self.dim * k : self.dim * (k + 1)] = block
        return Given(T @ self.W @ T.T, T @ self.q, self.mu[order], self.dim), T


def onto_cone(y, mu):
    """Nearest point of the cone |y_t| <= mu y_n."""
    s = np.linalg.norm(y[1:])
    if mu * s <= -y[0]:
        return 0.0 * y
    if s <= mu * y[0]:
        return y
    a = (y[0] + mu * s) / (1 + mu * mu)
    return np.concatenate([[a], mu * a * y[1:] / s])


def answer(rng, mu, dim, shares=(0.3, 0.35, 0.35)):
    """Impulses and velocities that keep the laws: open, sticking and sliding contacts."""
    count = len(mu)
    lam, u = np.zeros((count, dim)), np.zeros((count, dim))
    for i, state in enumerate(rng.choice(3, count, p=shares)):
        t = rng.standard_normal(dim - 1)
        t /= np.linalg.norm(t)
        if state == 0:
            u[i] = np.concatenate([[rng.exponential()], rng.standard_normal(dim - 1)])
            continue
        lam[i, 0] = 0.1 + rng.exponential()
        limit = mu[i] * lam[i, 0]
        lam[i, 1:] = -limit * t * (1.0 if state == 2 else 0.9 * rng.random())
        if state == 2:
            u[i, 1:] = t * rng.exponential()
    return lam.ravel(), u.ravel()


def planted(seed, count, mu=0.3, dim=3, rank=None, skew=0.0, zero=0):
    """H of this rank, M unsymmetric by `skew`; the first `zero` contacts do not respond at all."""
    rng = np.random.default_rng(seed)
    rows = count * dim
    rank = rows if rank is None else rank
    H = rng.standard_normal((rank, rows))
    H[:, : zero * dim] = 0.0
    K = rng.standard_normal((rank, rank)) / np.sqrt(rank)
    M = (np.eye(rank) + 0.5 * skew * (K - K.T)) * rank
    friction = np.broadcast_to(np.asarray(mu, dtype=float), count).copy()
    W = H.T @ np.linalg.solve(M, H) if skew else H.T @ H / rank
    lam, u = answer(rng, friction, dim)
    lam[: zero * dim] = 0.0
    u[: zero * dim : dim] = np.abs(u[: zero * dim : dim])
    return Given(W, u - W @ lam, friction, dim, M, H)


def bodies(seed, count, contacts, mu=0.5, dim=3):
    """Contacts between free bodies of masses 0.1 to 10 and the world: W is sparse."""
    rng = np.random.default_rng(seed)
    size = 6 if dim == 3 else 3
    M = np.diag(10 ** rng.uniform(-1, 1, count * size))
    H = np.zeros((count * size, contacts * dim))
    for i in range(contacts):
        for body in rng.choice(count, 1 + i % 2, replace=False):
            columns = rng.standard_normal((size, dim))
            H[size * body : size * (body + 1), dim * i : dim * (i + 1)] = columns
    friction = np.full(contacts, mu)
    W = H.T @ np.linalg.solve(M, H)
    W = 0.5 * (W + W.T)
    lam, u = answer(rng, friction, dim)
    return Given(W, u - W @ lam, friction, dim, M, H)


def collected():
    """Problems of the shared collections by their names; none where those are not there."""
    found = {}
    for folder in (FRICTION_PROBLEMS, FRICTION_PROBLEMS.with_name("friction_problems_next")):
        for path in sorted(folder.glob("*.json")):
            data = json.loads(path.read_text())
            if "W" in data:
                W = np.array(data["W"])
            else:
                W = np.zeros((data["m"], data["m"]))
                coo = data["W_coo"]
                np.add.at(W, (np.array(coo["i"]), np.array(coo["j"])), coo["x"])
            parts = {name: np.array(data[name]) for name in ("M", "H") if name in data}
            found[path.stem] = Given(
                W, np.array(data["q"]), np.array(data["mu"]), data.get("dimension", 3), **parts
            )
    return found
