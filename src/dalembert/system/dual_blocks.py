"""Operations on the blocks of W = J M^-1 J^T, written out for each shape (see `numerics.block`).

A diagonal block is k x k, A = U D U^T with U^-1 kept; blocks below the diagonal stand transposed,
column element first. A row whose pivot vanishes depends on those before it: its inverse pivot is
set to zero, which takes the row out of the factorisation and gives it no force.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._once import once
from dalembert._signature import Signature
from dalembert.formulas.functions import where
from dalembert.numerics.block_sparse import (
    FACTORING_BLOCK,
    PASSING_BELOW,
    SUBSTITUTING,
    SUBTRACTING,
    UPDATING,
)
from dalembert.numerics.matrix import Sym3
from dalembert.system.kinds import Kind
from dalembert.system.straight import Straight

INVERTING = Signature("invert", "inertia inverse", {})
MASS_DIVIDING = Signature("divide", "j inverse z", {})
MULTIPLYING = Signature("product", "j z w", {})

Rows = tuple[int, ...]
"""Which rows of an element take part."""

DEPENDENT = 1e-10
"""Pivot of a row, over its diagonal entry, below which the row depends on others: eps times the
condition of what came before."""


PLANES = {0: (1, 2, 3), 1: (0, 2, 4), 2: (0, 1, 5)}
"""Axis at right angles to a plane -> velocities of motion within it."""


def invert(inertia: Any, inverse: Any) -> None:
    """Theta^-1 (xx, yy, zz, xy, xz, yz) and 1 / m of a body."""
    theta, _ = Sym3(*inertia[:6]).inverse()
    inverse[:6], inverse[6] = [*theta], 1.0 / inertia[6]


@once
def inversion(plane: int) -> Straight:
    """The inverse of M of a body as code; `plane` is the axis of that in which it moves, or -1."""

    def invert_in_plane(inertia: Any, inverse: Any) -> None:
        """(P^T M P)^-1: 1 / Theta_nn and 1 / m."""
        for slot in range(6):
            inverse[slot] = 1.0 / inertia[slot] if slot == plane else 0.0
        inverse[6] = 1.0 / inertia[6]

    text = invert if plane < 0 else invert_in_plane
    return Straight.trace(INVERTING, text, {"inertia": 7, "inverse": 7})


def _rows_of(kind: Kind, side: int, rows: Rows, plane: int) -> Any:
    """J of one side of a kind, without the velocities that leave the plane."""
    J = kind.side(side, "j")[list(rows)]
    if plane >= 0:
        J = J.copy()
        J[:, [k for k in range(6) if k not in PLANES[plane]]] = 0.0
    return J


def _divide(J: Any, inverse: Any, z: Any) -> None:
    """z = M^-1 J^T, 6 x k."""
    k = len(J)
    xx, yy, zz, xy, xz, yz, one_over_mass = (inverse[i] for i in range(7))
    theta = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    for r in range(k):
        for i in range(3):
            z[k * i + r] = one_over_mass * J[r, i]
            z[k * (3 + i) + r] = sum(theta[i][j] * J[r, 3 + j] for j in range(3))


def _kept_by_kind(write: Callable[..., Straight]) -> Callable[..., Straight]:
    """Code made once for every kind, which keeps it."""

    @functools.wraps(write)
    def made(kind: Kind, *rest: Any) -> Straight:
        key = (write.__name__, *rest)
        if key not in kind.made:
            kind.made.setdefault(key, write(kind, *rest))  # the first stays: its address is used
        return kind.made[key]

    return made


@_kept_by_kind
def division(kind: Kind, side: int, rows: Rows, plane: int) -> Straight:
    """z = M^-1 J^T for one side of a kind."""

    def divide(j: Any, inverse: Any, z: Any) -> None:
        _divide(_rows_of(kind, side, rows, plane), inverse, z)

    lengths = {"j": 6 * kind.count, "inverse": 7, "z": 6 * len(rows)}
    return Straight.trace(MASS_DIVIDING, divide, lengths)


@_kept_by_kind
def product(
    kind: Kind, side: int, rows: Rows, columns: int, diagonal: bool, begins: bool, plane: int
) -> Straight:
    """w (+)= J z: J of one side of a kind, z of an element with `columns` rows.

    On the diagonal the lower triangle only.
    """
    k = len(rows)

    def multiply(j: Any, z: Any, w: Any) -> None:
        J = _rows_of(kind, side, rows, plane)
        for c in range(k):
            for r in range(c + 1 if diagonal else columns):
                total = 0.0 if begins else w[columns * c + r]
                for x in range(6) if plane < 0 else PLANES[plane]:
                    total = total + J[c, x] * z[columns * x + r]
                w[columns * c + r] = total

    lengths = {"j": 6 * kind.count, "z": 6 * columns, "w": k * columns}
    return Straight.trace(MULTIPLYING, multiply, lengths)


@once
def factorisation(k: int) -> Straight:
    """The lower triangle of `a` becomes U^-1 below and D on the diagonal.

    `whole` has the diagonal of W itself: what is left of it is the part of a row that those before
    it do not have.
    """

    def factor_rows(a: Any, whole: Any, inverse: Any, ratio: Any) -> None:
        u = [[a[k * i + j] for j in range(i + 1)] for i in range(k)]
        one_over: list[Any] = [None] * k
        scaled = [[0.0] * k for _ in range(k)]
        for j in range(k):
            for c in range(j):
                scaled[j][c] = u[j][c]
                u[j][c] = scaled[j][c] * one_over[c]
            for c in range(j):
                u[j][j] = u[j][j] - scaled[j][c] * u[j][c]
            ratio[j] = u[j][j] / whole[j]
            independent = u[j][j] > DEPENDENT * whole[j]
            one_over[j] = inverse[j] = where(independent, 1.0 / u[j][j], 0.0)
            for i in range(j + 1, k):
                for c in range(j):
                    u[i][j] = u[i][j] - u[i][c] * u[j][c]
        x = np.zeros((k, k), dtype=object)
        for i in range(k):
            a[k * i + i] = u[i][i]
            for j in range(i):
                total = -u[i][j]
                for c in range(j + 1, i):
                    total = total - u[i][c] * x[c, j]
                x[i, j] = total
                a[k * i + j] = total

    return Straight.trace(FACTORING_BLOCK, factor_rows, _lengths(k))


def _lengths(k: int) -> dict[str, int]:
    return {"a": k * k, "whole": k, "inverse": k, "ratio": k}


@once
def passing(rows: int, k: int) -> Straight:
    """A block below: s = U^-1 A^T = D L^T, and `a` becomes L^T; both k x rows."""

    def pass_below(a: Any, diagonal: Any, inverse: Any, s: Any) -> None:
        block = [a[i] for i in range(k * rows)]
        for c in range(k):
            for r in range(rows):
                total = block[rows * c + r]
                for i in range(c):
                    total = total + diagonal[k * c + i] * block[rows * i + r]
                s[rows * c + r] = total
                a[rows * c + r] = total * inverse[c]

    lengths = {"a": k * rows, "diagonal": k * k, "inverse": k, "s": k * rows}
    return Straight.trace(PASSING_BELOW, pass_below, lengths)


@once
def update(rows: int, columns: int, k: int, diagonal: bool) -> Straight:
    """target -= (L_i D L_j^T)^T, columns x rows; on the diagonal the lower triangle itself."""

    def apply(target: Any, left: Any, s: Any) -> None:
        for c in range(columns):
            for r in range(c + 1 if diagonal else rows):
                total = target[rows * c + r]
                for i in range(k):
                    total = total - s[columns * i + c] * left[rows * i + r]
                target[rows * c + r] = total

    lengths = {"target": rows * columns, "left": k * rows, "s": k * columns}
    return Straight.trace(UPDATING, apply, lengths)


@once
def forward(k: int) -> Straight:
    """x <- U^-1 x."""

    def substitute(x: Any, diagonal: Any) -> None:
        old = [x[i] for i in range(k)]
        for i in range(1, k):
            x[i] = old[i] + sum(diagonal[k * i + j] * old[j] for j in range(i))

    return Straight.trace(SUBSTITUTING, substitute, {"x": k, "diagonal": k * k})


@once
def backward(k: int) -> Straight:
    """x <- U^-T x."""

    def substitute(x: Any, diagonal: Any) -> None:
        old = [x[i] for i in range(k)]
        for j in range(k - 1):
            x[j] = old[j] + sum(diagonal[k * i + j] * old[i] for i in range(j + 1, k))

    return Straight.trace(SUBSTITUTING, substitute, {"x": k, "diagonal": k * k})


@once
def subtraction(rows: int, k: int, transposed: bool) -> Straight:
    """y -= L x, or y -= L^T x; the block is L^T, k x rows."""

    def subtract(y: Any, block: Any, x: Any) -> None:
        if transposed:
            for i in range(k):
                y[i] = y[i] - sum(block[rows * i + r] * x[r] for r in range(rows))
        else:
            for r in range(rows):
                y[r] = y[r] - sum(block[rows * i + r] * x[i] for i in range(k))

    short, long = (k, rows) if transposed else (rows, k)
    return Straight.trace(SUBTRACTING, subtract, {"y": short, "block": k * rows, "x": long})
