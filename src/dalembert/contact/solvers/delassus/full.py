"""A problem with a full W, brought to the scale of one by compiled code in arrays kept for others.

    W' = W / omega,     q' = q / s,     w = |tr W_ii| / d of a contact, 1 where it hardly responds

Small problems take microseconds to solve: arrays of their size are used again, so that nothing is
allocated or looked up for them.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.contact.solvers.delassus.rows import Contacts
from dalembert.contact.solvers.delassus.sweeps import local_responses
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import vec3

KEPT_ROWS, KEPT_SIZES = 150, 16
"""Rows up to which arrays are kept for another problem, and how many sizes of problems."""

RESPONDS = 1e-12
"""Mean diagonal of a contact's own W, over the largest, that counts as a response."""


class Room:
    """A memory for a full W of n contacts, and views of it."""

    def __init__(self, n: int, d: int) -> None:
        m = n * d
        self.contacts = contacts = Contacts.with_room(n, d, n, m * m)
        contacts.first_run[:] = np.arange(n + 1)
        runs = np.column_stack([np.zeros(n), np.full(n, m), d * m * np.arange(n)])
        contacts.run_table[:] = runs.astype(np.int64).ravel()
        self.columns = contacts.columns.reshape(m, m)
        self.q, self.x = contacts.q, contacts.x
        self.mu, self.weight = contacts.mu, contacts.weight


_rooms: dict[tuple[int, int], Room] = {}


def taken(n: int, d: int) -> Room:
    """A room that nobody else has."""
    return _rooms.pop((n, d), None) or Room(n, d)


def give_back(room: Room, n: int, d: int) -> None:
    """Keep a small room for the next problem."""
    if n * d <= KEPT_ROWS:
        if len(_rooms) >= KEPT_SIZES:
            _rooms.clear()
        _rooms[n, d] = room


@kernel
def extent(contacts: Contacts):
    """Mean over the contacts of |tr W_ii| / d, |q|, the largest entries of W and of W - W^T.

    And the sum of all that was given: NaN or infinite where any of it is; and the least mu.
    """
    count, dim, m, W = contacts.count, contacts.dim, contacts.rows, contacts.columns
    own, free = 0.0, 0.0
    largest, skew, total, least = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        trace = 0.0
        for k in range(dim * i, dim * i + dim):
            trace += W[m * k + k]
        own += abs(trace)
        mu = contacts.mu[i]
        total, least = total + mu, min(least, mu)
    q, x = contacts.q, contacts.x
    for i in range(m):
        free += q[i] * q[i]
        total += q[i] + x[i]
        for k in range(i):
            a, b = W[m * i + k], W[m * k + i]
            total += a + b
            largest, skew = max(largest, a, b), max(skew, abs(a - b))
        a = W[m * i + i]
        largest, total = max(largest, a), total + a
    return own / (dim * count), math.sqrt(free), largest, skew, total, least


@kernel
def scaled(contacts: Contacts, masses, speeds, oblique):
    """W times `masses`, q times `speeds`; weights, own responses and their inverses."""
    dim, m, W, q = contacts.dim, contacts.rows, contacts.columns, contacts.q
    largest = 0.0
    for i in range(m * m):
        W[i] *= masses
    for i in range(m):
        q[i] *= speeds
    for i in range(contacts.count):
        response = own_response(W, m, dim, i)
        contacts.own(i).response = response
        mean = abs(response.xx + response.yy + response.zz) / dim
        contacts.weight[i] = mean
        largest = max(largest, mean)
    for i in range(contacts.count):
        if not contacts.weight[i] > RESPONDS * largest:
            contacts.weight[i] = 1.0
    contacts.plain = masses
    contacts.oblique = 1 if oblique else 0
    local_responses(contacts)


@kernel
def own_response(W, m, dim, i):
    """The part of W, by its columns, that belongs to contact i alone; zeros where it is planar."""
    at = (m + 1) * dim * i
    if dim == 2:
        return Mat3(W[at], W[at + m], 0.0, W[at + 1], W[at + m + 1], 0.0, 0.0, 0.0, 0.0)
    return Mat3.of_columns(vec3(W, at), vec3(W, at + m), vec3(W, at + 2 * m))
