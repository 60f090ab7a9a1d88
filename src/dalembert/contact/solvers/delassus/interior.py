"""Interior points for contacts given by W: `solvers.interior` over impulses alone.

With r = P x, P = diag(mu, 1, 1), and y = P^-1 T u both inside the round cone of unit slope,

    r o y = tau e,     u = W x + q,     T = [1, mu t^T; 0, 1],   t = u_t / |u_t|,

tau going to zero. Scaled after Nesterov and Todd (S r = S^-1 y = m), Newton's step is one system of
the size of W, regular whatever the rank of W is:

    (P S^2 P + T W) dx = P (S k - l),      m o k = tau e - m o m - ...,      l = P^-1 T u - y,
    dy = S (k - S P dx)

with predictor and corrector of Mehrotra (1992). A contact without friction has one row, its normal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from dalembert.contact.solvers.delassus.active import Array, solved

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

MOST_STEPS, SHORTEST, BACK, PATIENCE = 60, 1e-5, 0.99, 6
"""Most steps; a step that ends it; part of the way out that is taken; steps without progress."""

LEAST_CENTRING, FEASIBLE = 1e-4, 1e-9
"""Least part of tau that is kept; part of y - P^-1 T u that counts as none."""


def dot(a: Array, b: Array) -> Array:
    """Product of the rows of two arrays."""
    return np.asarray((a * b).sum(axis=1))


def circle(a: Array, b: Array) -> Array:
    """Product of the round cone: (a . b, a_0 b_t + b_0 a_t)."""
    return np.column_stack([dot(a, b), a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:]])


def divided(a: Array, m: Array) -> Array:
    """k with m o k = a."""
    first = (m[:, 0] * a[:, 0] - dot(m[:, 1:], a[:, 1:])) / determinant(m)
    return np.column_stack([first, (a[:, 1:] - first[:, None] * m[:, 1:]) / m[:, :1]])


def determinant(a: Array) -> Array:
    """a_0^2 - |a_t|^2, without cancellation."""
    size = np.sqrt(dot(a[:, 1:], a[:, 1:]))
    return np.asarray((a[:, 0] - size) * (a[:, 0] + size))


def way_out(a: Array, step: Array) -> float:
    """Largest t with a + t step inside the cone."""
    A, B, C = determinant(step), a[:, 0] * step[:, 0] - dot(a[:, 1:], step[:, 1:]), determinant(a)
    under = B * B - A * C
    # A t^2 + 2 B t + C = 0, the smallest positive root
    root = np.sqrt(np.maximum(under, 0.0))
    top = -(B + np.where(B >= 0.0, root, -root))
    with np.errstate(all="ignore"):
        roots = np.stack([top / A, C / top, -a[:, 0] / step[:, 0]])
    roots[:2, under < 0.0] = np.inf
    roots[~(roots > 0.0)] = np.inf
    return float(roots.min(initial=np.inf))


class Scaling:
    """S of Nesterov and Todd: S r = S^-1 y."""

    def __init__(self, r: Array, y: Array) -> None:
        a, b = np.sqrt(determinant(r)), np.sqrt(determinant(y))
        self.eta = np.sqrt(b / a)[:, None]
        r, y = r / a[:, None], y / b[:, None]
        both = y.copy()
        both[:, 0] += r[:, 0]
        both[:, 1:] -= r[:, 1:]
        w = both / np.sqrt(2.0 * (1.0 + dot(r, y)))[:, None]
        self.w = w
        half = w.copy()
        half[:, 0] += 1.0
        self.v = half / np.sqrt(2.0 * (1.0 + w[:, 0]))[:, None]

    def times(self, a: Array) -> Array:
        """S a."""
        return np.asarray(self.eta * _reflected(self.v, a))

    def back(self, a: Array) -> Array:
        """S^-1 a."""
        v = self.v.copy()
        v[:, 1:] *= -1.0
        return np.asarray(_reflected(v, a) / self.eta)

    def squares(self) -> Array:
        """S^2, a matrix for every contact."""
        d = self.w.shape[1]
        J = np.diag([1.0] + [-1.0] * (d - 1))
        outer = 2.0 * self.w[:, :, None] * self.w[:, None, :] - J
        return np.asarray((self.eta**2)[:, :, None] * outer)


def _reflected(v: Array, a: Array) -> Array:
    """(2 v v^T - J) a."""
    out: Array = 2.0 * dot(v, a)[:, None] * v + a
    out[:, 0] -= 2.0 * a[:, 0]
    return out


class _Iterate:
    """x, y and the matrices that belong to them."""

    def __init__(self, given: Given, speed: float) -> None:
        n, d = given.count, given.dim
        self.given, self.rough = given, given.mu > 0.0
        self.P = np.ones((n, d))
        self.P[self.rough, 0] = given.mu[self.rough]
        kept = np.ones((n, d), dtype=bool)
        kept[~self.rough, 1:] = False
        self.kept = kept.ravel()
        self.x, self.y = np.zeros((n, d)), np.zeros((n, d))
        self.x[:, 0] = 0.1 * speed / given.weight / self.P[:, 0]
        self.y[:, 0] = speed
        self.look()

    def look(self) -> float:
        """u and T of x; returns what is left."""
        left, u = self.given.measure(self.x.ravel())
        self.u = u.reshape(self.x.shape).copy()
        self.u[~self.rough, 1:] = 0.0
        size = np.sqrt(dot(self.u[:, 1:], self.u[:, 1:]))
        t = self.u[:, 1:] / np.where(size > 0.0, size, 1.0)[:, None]
        self.shift = np.where(self.rough, self.given.mu, 0.0)[:, None] * t
        return left

    def turned(self, u: Array) -> Array:
        """P^-1 T u."""
        out: Array = u.copy()
        out[:, 0] += dot(self.shift, u[:, 1:])
        out[~self.rough, 1:] = 0.0
        return np.asarray(out / self.P)

    def direction(
        self, S: Scaling, M: Array | sp.csc_array, m: Array, aim: Array
    ) -> tuple[Array, Array] | None:
        """Steps of x and y towards m o m = aim + m o m; None where M is singular."""
        k = S.times(divided(aim, m))
        missing = self.turned(self.u) - self.y
        right = (self.P * (k - missing)).ravel()[self.kept]
        found = solved(M.copy(), right)
        if found is None:
            return None
        dx = np.zeros(self.x.size)
        dx[self.kept] = found
        step = dx.reshape(self.x.shape)
        dy = k - S.times(S.times(self.P * step))
        dy[~self.rough, 1:] = 0.0
        return step, dy

    def matrix(self, S: Scaling) -> Array | sp.csc_array:
        """P S^2 P + T W over the rows that are kept, by columns."""
        n, d = self.x.shape
        blocks = self.P[:, :, None] * S.squares() * self.P[:, None, :]
        W = self.given.W
        if not isinstance(W, np.ndarray):
            return self._sparse(W, blocks)
        M = np.array(W, order="F")
        for j in range(d - 1):
            M[0::d] += self.shift[:, j, None] * W[1 + j :: d]
        at = d * np.arange(n)
        for i in range(d):
            for j in range(d):
                M[at + i, at + j] += blocks[:, i, j]
        return M if self.kept.all() else np.asfortranarray(M[np.ix_(self.kept, self.kept)])

    def _sparse(self, W: sp.csc_array, blocks: Array) -> sp.csc_array:
        """The matrix P S^2 P + T W of a sparse W."""
        n, d = self.x.shape
        at, all_rows = d * np.arange(n), np.arange(n * d)
        beside = [at + 1 + j for j in range(d - 1)]
        values = np.concatenate([np.ones(n * d), *self.shift.T])
        place = (np.concatenate([all_rows, *(d - 1) * [at]]), np.concatenate([all_rows, *beside]))
        T = sp.csc_array((values, place), shape=W.shape)
        i, j = np.repeat(np.arange(d), d), np.tile(np.arange(d), d)
        place = ((at[:, None] + i).ravel(), (at[:, None] + j).ravel())
        M = sp.csc_array(T @ W + sp.csc_array((blocks.ravel(), place), shape=W.shape))
        keep = np.flatnonzero(self.kept)
        return M if self.kept.all() else sp.csc_array(M[:, keep][keep, :])


def interior(given: Given, target: float, most: int = MOST_STEPS) -> tuple[Array, float, int]:
    """From the axes of the cones: the best that was found, what is left of it, the steps taken."""
    at = _Iterate(given, max(float(np.abs(given.q).max(initial=0.0)), 1e-300))
    best, least, missing, idle, used = at.x.ravel().copy(), at.look(), 1.0, 0, 0
    with np.errstate(all="ignore"):
        while used < min(most, MOST_STEPS):
            used += 1
            r = at.P * at.x
            S = Scaling(r, at.y)
            M, m = at.matrix(S), S.times(r)
            gap = float(dot(r, at.y).mean())
            squares = circle(m, m)
            found = at.direction(S, M, m, -squares)
            if found is None:
                break
            dx, dy = found
            step = min(1.0, way_out(r, at.P * dx), way_out(at.y, dy))
            ahead = float(dot(r + step * at.P * dx, at.y + step * dy).mean())
            centring = min(max((ahead / gap) ** 2, LEAST_CENTRING), 1.0) if gap > 0.0 else 0.0
            aim = -squares - circle(S.times(at.P * dx), S.back(dy))
            aim[:, 0] += centring * gap
            found = at.direction(S, M, m, aim)
            if found is None:
                break
            dx, dy = found
            step = min(1.0, BACK * way_out(r, at.P * dx), BACK * way_out(at.y, dy))
            if not step > SHORTEST:
                break
            at.x, at.y = at.x + step * dx, at.y + step * dy
            left, missing = at.look(), missing * (1.0 - step)
            idle = 0 if left < 0.7 * least or missing > FEASIBLE else idle + 1
            if left < least:
                best, least = at.x.ravel().copy(), left
            if least <= target or idle > PATIENCE or not np.isfinite(left):
                break
    return best, least, used
