"""A problem with a full W, brought to the scale of one by compiled code in arrays kept for others.

    W' = W / omega,     q' = q / s,     w = |tr W_ii| / d of a contact, 1 where it hardly responds

Small problems take microseconds to solve: arrays of their size are used again, so that nothing is
allocated or looked up for them.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.contact import delassus_rows as rows
from dalembert.contact.delassus_rows import (
    COUNT,
    DIM,
    HEAD,
    LOCAL,
    LOCAL_FLOATS,
    MU,
    OBLIQUE,
    PLAIN,
    RUN,
    WEIGHT,
    Q,
    X,
)
from dalembert.contact.delassus_sweeps import local_responses

KEPT_ROWS, KEPT_SIZES = 150, 16
"""Rows up to which arrays are kept for another problem, and how many sizes of problems."""

RESPONDS = 1e-12
"""Mean diagonal of a contact's own W, over the largest, that counts as a response."""


class Room:
    """Arrays of `contact.delassus_rows` for a full W of n contacts, and views of them."""

    def __init__(self, n: int, d: int) -> None:
        m = n * d
        sizes = rows.sizes(n, d)
        first = sum(sizes.values())
        self.integers = np.zeros(HEAD + n + 1 + rows.RUN_RECORD * n, dtype=np.int64)
        self.numbers = np.zeros(first + m * m)
        rows.lay_out(self.integers, sizes, n, d)
        self.integers[HEAD : HEAD + n + 1] = np.arange(n + 1)
        at = first + d * m * np.arange(n)
        runs = np.column_stack([np.zeros(n), np.full(n, m), at])
        self.integers[HEAD + n + 1 :] = runs.astype(np.int64).ravel()
        self.columns = self.numbers[first:].reshape(m, m)
        self.q, self.x = self.view(Q, m), self.view(X, m)
        self.mu, self.weight = self.view(MU, n), self.view(WEIGHT, n)

    def view(self, name: int, length: int) -> np.ndarray:
        """A vector of `numbers`."""
        start = int(self.integers[name])
        return self.numbers[start : start + length]


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
def _first_entry(integers):
    return integers[integers[RUN] + 2]


@kernel
def extent(integers, numbers):
    """Mean over the contacts of |tr W_ii| / d, |q|, the largest entries of W and of W - W^T.

    And the sum of all that was given: NaN or infinite where any of it is; and the least mu.
    """
    count, dim = integers[COUNT], integers[DIM]
    m, at, own, free = dim * count, _first_entry(integers), 0.0, 0.0
    largest, skew, total, least = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        trace = 0.0
        for k in range(dim * i, dim * i + dim):
            trace += numbers[at + m * k + k]
        own += abs(trace)
        mu = numbers[integers[MU] + i]
        total, least = total + mu, min(least, mu)
    for i in range(m):
        free += numbers[integers[Q] + i] * numbers[integers[Q] + i]
        total += numbers[integers[Q] + i] + numbers[integers[X] + i]
        for k in range(i):
            a, b = numbers[at + m * i + k], numbers[at + m * k + i]
            total += a + b
            largest, skew = max(largest, a, b), max(skew, abs(a - b))
        a = numbers[at + m * i + i]
        largest, total = max(largest, a), total + a
    return own / (dim * count), math.sqrt(free), largest, skew, total, least


@kernel
def scaled(integers, numbers, masses, speeds, oblique):
    """W times `masses`, q times `speeds`; weights, own responses and their inverses."""
    count, dim = integers[COUNT], integers[DIM]
    m, at, largest = dim * count, _first_entry(integers), 0.0
    for i in range(m * m):
        numbers[at + i] *= masses
    for i in range(m):
        numbers[integers[Q] + i] *= speeds
    for i in range(count):
        own = integers[LOCAL] + LOCAL_FLOATS * i
        trace = 0.0
        for k in range(9):
            numbers[own + k] = 0.0
        for r in range(dim):
            for c in range(dim):
                numbers[own + 3 * r + c] = numbers[at + m * (dim * i + c) + dim * i + r]
            trace += numbers[own + 4 * r]
        numbers[integers[WEIGHT] + i] = abs(trace) / dim
        largest = max(largest, abs(trace) / dim)
    for i in range(count):
        if not numbers[integers[WEIGHT] + i] > RESPONDS * largest:
            numbers[integers[WEIGHT] + i] = 1.0
    numbers[integers[PLAIN]] = masses
    integers[OBLIQUE] = 1 if oblique else 0
    local_responses(integers, numbers)
