"""Contacts that are open, stick or slide, and the velocities and impulses that follow from it.

A contact is described by z = w x - u of Alart and Curnier, with x its impulse and w its weight:

    open      z_n <= 0                 x = 0                                    u = -z
    sticks    |z_t| <= mu z_n          w x = z                                  u = 0
    slides    |z_t| > mu z_n > 0       w x = (z_n, mu z_n t),  t = z_t / |z_t|  u = w x - z

Both are smooth in a piece, a set of z in which no contact changes what it does, and continuous
over all of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.solvers.delassus.active import Array

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

OPEN, STICKS, SLIDES = 0, 1, 2
"""Doings of a contact."""

LEAST = 1e-300


def states_of(z: Array, mu: Array) -> Array:
    """Doings of the contacts by z of each."""
    inside = np.sqrt((z[:, 1:] ** 2).sum(axis=1)) <= mu * z[:, 0]
    return np.where(z[:, 0] <= 0.0, OPEN, np.where(inside, STICKS, SLIDES))


class Piece:
    """Impulses x at z of one piece, and derivatives over the contacts that are closed."""

    def __init__(self, given: Given, W: Array, state: Array, z: Array) -> None:
        self.W, (n, self.dim) = W, z.shape
        self.closed = np.flatnonzero(state != OPEN)
        self.rows = (self.dim * self.closed[:, None] + np.arange(self.dim)).ravel()
        self.weight, own = given.weight[self.closed], z[self.closed]
        self.slides = np.flatnonzero(state[self.closed] == SLIDES)
        self.mu = given.mu[self.closed[self.slides]]
        size = np.maximum(np.sqrt((own[self.slides, 1:] ** 2).sum(axis=1)), LEAST)
        self.t = own[self.slides, 1:] / size[:, None]
        self.share = self.mu * own[self.slides, 0] / size

        pressed = own.copy()
        pressed[self.slides, 1:] *= self.share[:, None]
        self.impulses = np.zeros(n * self.dim)
        self.impulses[self.rows] = (pressed / self.weight[:, None]).ravel()
        self.sliding = pressed - own

    @cached_property
    def slope(self) -> Array:
        """w dx / dz of every closed contact."""
        slope = np.zeros((len(self.closed), self.dim, self.dim))
        slope[:] = np.eye(self.dim)
        slope[self.slides, 1:, 0] = self.mu[:, None] * self.t
        across = np.eye(self.dim - 1) - self.t[:, :, None] * self.t[:, None, :]
        slope[self.slides, 1:, 1:] = self.share[:, None, None] * across
        return slope

    def responses(self, rows: Array) -> Array:
        """These rows of W dx / dz."""
        k, d = len(self.closed), self.dim
        columns = rows[:, self.rows].reshape(len(rows), k, d).transpose(1, 0, 2)
        product = columns @ (self.slope / self.weight[:, None, None])
        by_rows: Array = product.transpose(1, 0, 2).reshape(len(rows), k * d)
        return by_rows

    def jacobian(self) -> Array:
        """du / dz - W dx / dz over closed contacts."""
        k, d = len(self.closed), self.dim
        J = -self.responses(self.W[self.rows])
        i = np.arange(k)
        J.reshape(k, d, k, d)[i, :, i, :] += self.slope - np.eye(d)
        return J

    def change(self, dz: Array) -> Array:
        """W dx for dz over the closed contacts."""
        by_contacts = dz.reshape(-1, self.dim, 1) / self.weight[:, None, None]
        dx = np.zeros_like(self.impulses)
        dx[self.rows] = (self.slope @ by_contacts).ravel()
        return np.asarray(self.W @ dx)


def first_event(
    mu: Array, state: Array, z: Array, dz: Array, left_disc: int
) -> tuple[float, int, int]:
    """First h at which z + h dz leaves its piece, by which contact, and what this does then.

    `left_disc`: a contact at |z_t| = mu z_n that is on its way from there.
    """
    n, dn = z[:, 0], dz[:, 0]
    parts = []
    for now, side, next_state in ((OPEN, -1.0, SLIDES), (SLIDES, 1.0, OPEN)):
        i = np.flatnonzero((state == now) & (side * dn < 0.0))
        h = np.maximum(side * n[i], 0.0) / np.abs(dn[i])
        parts.append((h, i, np.full(len(i), next_state)))
    i = np.flatnonzero(state != OPEN)
    sticks = state[i] == STICKS
    sign = np.where(sticks, -1.0, 1.0)
    # e + 2 b h + a h^2 falls to zero
    a = sign * ((dz[i, 1:] ** 2).sum(axis=1) - (mu[i] * dn[i]) ** 2)
    b = sign * ((z[i, 1:] * dz[i, 1:]).sum(axis=1) - mu[i] ** 2 * n[i] * dn[i])
    e = np.maximum(sign * ((z[i, 1:] ** 2).sum(axis=1) - (mu[i] * n[i]) ** 2), 0.0)
    e[i == left_disc], b[i == left_disc] = 0.0, np.maximum(b[i == left_disc], 0.0)
    root = np.sqrt(np.maximum(b * b - a * e, 0.0))
    falls, turns = (b < 0.0) & (b * b >= a * e), (b >= 0.0) & (a < 0.0)
    h = np.full(len(i), np.inf)
    h[falls] = e[falls] / (root - b)[falls]
    h[turns] = -(b + root)[turns] / a[turns]
    parts.append((h, i, np.where(sticks, SLIDES, STICKS)))
    first, contact, then = (np.concatenate(x) for x in zip(*parts, strict=True))
    k = int(first.argmin()) if len(first) else -1
    return (float(first[k]), int(contact[k]), int(then[k])) if k >= 0 else (np.inf, -1, OPEN)
