"""Following a path of answers from all contacts open to the answer: Lemke's method for cones.

    u = W x + q + t r,      t from where all contacts are open (r takes them apart) to t = 0

In a piece (`contact.solvers.delassus.pieces`) the answers (z, t) lie on a smooth curve, in a plane
on a straight line. Where it meets the border of the piece one contact changes what it does, and the
curve goes on in the next piece. t may rise in between, but the curve never comes back to where it
was: it ends at t = 0 or runs to infinity. The latter it cannot where W is positive definite and
r_n > mu |r_t|, however large friction is: every answer has x^T W x <= -x^T q (compare Cottle, Pang
and Stone, 1992, section 4.4). Else another r may lead to the answer where one has not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.solvers.delassus.active import Array, solved
from dalembert.contact.solvers.delassus.newton import newton
from dalembert.contact.solvers.delassus.pieces import (
    OPEN,
    SLIDES,
    STICKS,
    Piece,
    first_event,
    states_of,
)

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

Way = tuple[Array, float]
"""dz and dt."""

Border = tuple[Array, float, float]
"""Derivative of a function by z and by t, and what it is: 0 is asked for."""

TINY = 1e-300

TURN = 0.3
"""Most by which a direction of sliding turns in a step [rad]."""

CORRECTIONS, CLOSE, BORDER = 8, 1e-5, 1e-8
"""Most corrections of a point, the largest that is the last, and by how much a border is missed."""

SHORTER, LEAST, ENDED, FARTHEST = 0.4, 1e-13, 1e-13, 1e3
"""Factor of a step that failed; the least; t over the first one that is 0, and that is too much."""

FAR = 1e9
"""Size of z over the first one that is none of an answer."""

PATHS, FIRST, ROW, MOST, POLISH = 24, 200, 16, 12000, 12
"""Most paths; factorisations of each, and more for every row; those of all of them; steps of
Newton's method from the end of each."""

SOFT = (0.0, 1e-6)
"""Parts of w that W is made softer by, in turn: with it W is positive definite."""

MOST_ROWS = 600
"""Rows up to which paths are followed."""


def followed(given: Given, tolerance: float) -> tuple[Array, float, int]:
    """The best that paths have led to, what is left of it, and the factorisations."""
    rng = np.random.default_rng(0)
    rows, best = given.count * given.dim, np.zeros(given.count * given.dim)
    least, used = given.measure(best)[0], 0
    if rows > MOST_ROWS:
        return best, least, used
    full = given.W if isinstance(given.W, np.ndarray) else given.W.toarray()
    for k in range(PATHS):
        softness = np.repeat(SOFT[k % len(SOFT)] * given.weight, given.dim)
        path = Path.from_open(given, full + np.diag(softness), rng)
        path.follow(FIRST + ROW * rows)
        x, left, more = newton(given, path.impulses, tolerance, most=POLISH)
        used += path.used + more
        if left < least:
            best, least = x, left
        if least <= tolerance or used >= MOST:
            break
    return best, least, used


class Path:
    """A curve of answers, and the point (z, t) to which it has been followed."""

    def __init__(self, given: Given, W: Array, z: Array, t: float, r: Array) -> None:
        self.given, self.W, self.r, self.z, self.t, self.first = given, W, r, z, t, t
        self.state = states_of(z, given.mu)
        self.left_disc, self.used = -1, 0
        self.farthest = FAR * float(np.abs(z).max())

    @classmethod
    def from_open(cls, given: Given, W: Array, rng: np.random.Generator) -> Path:
        """From where all contacts are open, with any r that takes them apart."""
        n, d = given.count, given.dim
        r = rng.uniform(-0.3, 0.3, (n, d)) / np.maximum(given.mu, 1.0)[:, None]
        r[:, 0] = 1.0
        r *= (rng.uniform(0.5, 2.0, n) * given.weight)[:, None]
        q = given.q.reshape(n, d)
        needed = -q[:, 0] / r[:, 0]
        t = max(needed.max(), 0.0) + 0.1 * np.abs(needed).max()
        return cls(given, W, -q - t * r, t, r)

    @property
    def impulses(self) -> Array:
        """Impulses at the point."""
        return Piece(self.given, self.W, self.state, self.z).impulses

    def follow(self, most: int) -> bool:
        """Whether t = 0 was reached, with at most about so many factorisations."""
        way = self._way(np.zeros_like(self.z), -1.0)
        longest = np.inf
        while way is not None and self.used < most and self.t <= FARTHEST * self.first:
            if self.t <= ENDED * self.first:
                return True
            dz, dt = way
            h, i, then = first_event(self.given.mu, self.state, self.z, dz, self.left_disc)
            if dt < 0.0 and self.t / -dt <= h:
                h, i = self.t / -dt, -1
            limit = min(longest, self._turning(dz))
            meets = h <= limit
            h = min(h, limit)
            if not h < np.inf or not np.abs(self.z).max() <= self.farthest:
                return False
            if not self._go(way, h, i, then, meets):
                longest = SHORTER * h
                if longest * np.abs(dz).max() < LEAST * np.abs(self.z).max():
                    return False
            elif not meets:
                self.left_disc, way = -1, self._way(*way)
                longest = 2.0 * limit if limit == longest else np.inf
            elif i < 0:
                return True
            else:
                way, longest = self._enter(i, then), np.inf
        return False

    def _turning(self, dz: Array) -> float:
        """h at which some direction of sliding has turned by TURN."""
        if self.given.dim == 2:
            return np.inf
        slides = self.state == SLIDES
        z, dz = self.z[slides, 1:], dz[slides, 1:]
        across = np.abs(z[:, 0] * dz[:, 1] - z[:, 1] * dz[:, 0])
        rate = float((across / np.maximum((z**2).sum(axis=1), TINY)).max(initial=0.0))
        return TURN / rate if rate > 0.0 else np.inf

    def _border(self, i: int, then: int, z: Array, t: float) -> Border:
        """A function that is zero at the border that contact i meets; with i < 0, t itself."""
        row = np.zeros_like(z)
        if i < 0:
            return row, 1.0, t
        if OPEN in (then, self.state[i]):
            row[i, 0] = 1.0
            return row, 0.0, float(z[i, 0])
        size = float(np.linalg.norm(z[i, 1:]))
        row[i, 0], row[i, 1:] = -self.given.mu[i], z[i, 1:] / max(size, TINY)
        return row, 0.0, size - float(self.given.mu[i] * z[i, 0])

    def _solve(self, piece: Piece, right: Array, border: Border) -> Way | None:
        """(dz, dt) with J dz - r dt = right over closed contacts, and what the border says.

        Open contacts follow: dz = -W dx - r dt.
        """
        self.used += 1
        row, last, value = border
        m = len(piece.rows)
        outside = row.ravel().copy()
        outside[piece.rows] = 0.0
        M, side = np.empty((m + 1, m + 1)), np.append(right, -value)
        M[:m, :m], M[:m, m] = piece.jacobian(), -self.r.ravel()[piece.rows]
        M[m, :m] = row.ravel()[piece.rows]
        if outside.any():
            M[m, :m] -= piece.responses((outside @ self.W)[None, :])[0]
        M[m, m] = last - outside @ self.r.ravel()
        y = solved(M, side)
        if y is None:
            return None
        dz = -piece.change(y[:m]) - y[m] * self.r.ravel()
        dz[piece.rows] = y[:m]
        return dz.reshape(self.z.shape), float(y[m])

    def _way(self, row: Array, last: float, value: float = 1.0) -> Way | None:
        """The direction of the curve at the point with row dz + last dt of the sign of `value`."""
        piece = Piece(self.given, self.W, self.state, self.z)
        way = self._solve(piece, np.zeros(len(piece.rows)), (row, last, -value))
        if way is None:
            return None
        size = float(np.hypot(np.linalg.norm(way[0]), way[1]))
        return (way[0] / size, way[1] / size) if 0.0 < size < np.inf else None

    def _go(self, way: Way, h: float, i: int, then: int, meets: bool) -> bool:
        """To the curve's point near z + h dz, or at the border; whether it is there."""
        z, t = self.z + h * way[0], self.t + h * way[1]
        for _ in range(CORRECTIONS):
            piece = Piece(self.given, self.W, self.state, z)
            u = self._velocities(piece, t)
            z_open = self.state == OPEN
            z[z_open] = -u[z_open]
            right = (u[piece.closed] - piece.sliding).ravel()
            border = self._border(i, then, z, t) if meets else (*way, 0.0)
            change = self._solve(piece, right, border)
            if change is None:
                return False
            z, t = z + change[0], t + change[1]
            own, size = np.abs(change[0]).sum(axis=1), np.abs(z).sum(axis=1)
            if not (own <= 10.0 * size)[piece.closed].all():
                return False
            if (own <= CLOSE * size)[piece.closed].all():
                return self._take(z, t, i, then, meets)
        return False

    def _velocities(self, piece: Piece, t: float) -> Array:
        """W x + q + t r."""
        u = self.W @ piece.impulses + self.given.q
        return np.asarray(u.reshape(self.z.shape) + t * self.r)

    def _take(self, z: Array, t: float, i: int, then: int, meets: bool) -> bool:
        """Make (z, t) the point if it belongs to the piece; contact i is at its border."""
        mu, state = self.given.mu, self.state
        u = self._velocities(Piece(self.given, self.W, state, z), t)
        z[state == OPEN] = -u[state == OPEN]
        size = np.sqrt((z[:, 1:] ** 2).sum(axis=1))
        room, limit = BORDER * (np.abs(z[:, 0]) + size), mu * z[:, 0]
        beyond = BORDER * (size + np.abs(limit))
        fits = np.where(state == OPEN, z[:, 0] <= room, z[:, 0] >= -room)
        at = np.zeros(len(mu), dtype=bool)
        if meets and i >= 0:
            at[i] = True
            fits[i] = fits[i] or OPEN in (then, state[i])
        fits &= (state != STICKS) | (size <= limit + beyond) | at
        fits &= (state != SLIDES) | (size >= limit - beyond) | at
        if not fits.all() or t < -ENDED * self.first:
            return False
        self.z, self.t = z, t
        return True

    def _enter(self, i: int, then: int) -> Way | None:
        """The way on in the next piece, in which contact i does something else."""
        row, last, _ = self._border(i, then, self.z, self.t)
        before, self.state[i] = self.state[i], then
        self.left_disc = -1 if OPEN in (before, then) else i
        return self._way(row, last, 1.0 if before in (OPEN, STICKS) and then != OPEN else -1.0)
