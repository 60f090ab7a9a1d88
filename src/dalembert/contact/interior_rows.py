"""Blocks of the interior point method (`contact.interior`): scaled cones, rows between bounds.

Cones are taken in the coordinates r = P lam and P^-1 y, P = diag(mu, 1, 1), where they are round
(`contact.lorentz`). With x = u + R lam and the direction of sliding t, y = T x. A row between
bounds has a dual for each of them, x = y+ - y-, (lam - lo) y+ = (hi - lam) y- = tau; one without
bounds (EQ) has x = 0, with a softness that its impulse forgets from step to step.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at, island_blocks
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BOX,
    COMPLIANCE,
    CONE,
    DIM,
    EQ,
    KIND,
    LAM,
    LOWER,
    MU,
    ROW,
    UPPER,
    W,
)
from dalembert.contact.residuals import U, row_work
from dalembert.numerics.small import put_vector, vector

START, LEAST_SPEED = 0.1, 1e-3
"""Impulses begin at this part of w^-1 times the largest velocity, which is this at least [m/s]."""

Y, Y_UPPER, DLAM, DY, DY_UPPER = 5, 6, 7, 8, 9
"""Row vectors: duals of cones (P^-1 y) and lower bounds, of upper bounds; steps of lam and both."""

FRICTIONLESS, SOFTNESS = 1e-9, 1e-8
"""mu below which a contact has no cone; softness of EQ over w."""


@kernel
def is_cone(integers, numbers, block, at):
    """Whether a block is a contact with friction."""
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    return integers[at + KIND] == CONE and numbers[own + MU] > FRICTIONLESS


@kernel
def bounds(integers, numbers, at, i):
    """Bounds of the i-th row of a block without a cone; equal ones: the impulse does not move."""
    kind, row = integers[at + KIND], integers[at + ROW] + i
    if kind == EQ:
        return -math.inf, math.inf
    if kind == BOX:
        return numbers[integers[LOWER] + row], numbers[integers[UPPER] + row]
    if kind == CONE and i > 0:
        return 0.0, 0.0
    return 0.0, math.inf


@kernel
def cone_of(integers, numbers, block, at):
    """(P lam, P^-1 y, P, x = u + R lam, R, T's row mu t) of a contact."""
    row, mu = integers[at + ROW], numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + MU]
    lam, u = vector(numbers, integers[LAM] + row), vector(numbers, row_work(integers, U) + row)
    R = vector(numbers, integers[COMPLIANCE] + row)
    x = (u[0] + R[0] * lam[0], u[1] + R[1] * lam[1], u[2] + R[2] * lam[2])
    length = math.sqrt(x[1] * x[1] + x[2] * x[2])
    f = mu / length if length > 0.0 else 0.0
    r, y = (mu * lam[0], lam[1], lam[2]), vector(numbers, row_work(integers, Y) + row)
    return r, y, mu, x, R, (f * x[1], f * x[2])


@kernel
def softness(mu, W2):
    """S^-1 = P W^2 P as a full matrix."""
    return (
        mu * mu * W2[0],
        mu * W2[1],
        mu * W2[2],
        mu * W2[1],
        W2[3],
        W2[4],
        mu * W2[2],
        W2[4],
        W2[5],
    )


@kernel
def stiffness(mu, W2):
    """S = P^-1 W^-2 P^-1 as a full matrix, of W^-2."""
    return softness(1.0 / mu, W2)


@kernel
def shifted(t):
    """T."""
    return 1.0, t[0], t[1], 0.0, 1.0, 0.0, 0.0, 0.0, 1.0


@kernel
def _inverse(a):
    """Inverse of a 3 x 3 matrix, by cofactors."""
    x = a[4] * a[8] - a[5] * a[7]
    y = a[5] * a[6] - a[3] * a[8]
    z = a[3] * a[7] - a[4] * a[6]
    f = 1.0 / (a[0] * x + a[1] * y + a[2] * z)
    return (
        f * x,
        f * (a[2] * a[7] - a[1] * a[8]),
        f * (a[1] * a[5] - a[2] * a[4]),
        f * y,
        f * (a[0] * a[8] - a[2] * a[6]),
        f * (a[2] * a[3] - a[0] * a[5]),
        f * z,
        f * (a[1] * a[6] - a[0] * a[7]),
        f * (a[0] * a[4] - a[1] * a[3]),
    )


@kernel
def softened(mu, W2, T, R):
    """(S^-1 + T R)^-1."""
    a = softness(mu, W2)
    return _inverse(
        (
            a[0] + T[0] * R[0],
            a[1] + T[1] * R[1],
            a[2] + T[2] * R[2],
            a[3],
            a[4] + R[1],
            a[5],
            a[6],
            a[7],
            a[8] + R[2],
        )
    )


@kernel
def bounded_curvature(integers, numbers, block, at, i):
    """1 / (D + R) of a row with bounds; 0 where it cannot move."""
    low, high = bounds(integers, numbers, at, i)
    if not low < high:
        return 0.0
    row = integers[at + ROW] + i
    lam, R = numbers[integers[LAM] + row], numbers[integers[COMPLIANCE] + row]
    if low == -math.inf and high == math.inf:
        w = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W]
        return 1.0 / (SOFTNESS * w + R)
    D = 0.0
    if low > -math.inf:
        D += numbers[row_work(integers, Y) + row] / (lam - low)
    if high < math.inf:
        D += numbers[row_work(integers, Y_UPPER) + row] / (high - lam)
    return 1.0 / (D + R)


@kernel
def bounded_aim(integers, numbers, at, i, tau, corrected):
    """y+ + e+ - y- - e- - x of a row with bounds; e+ and e-, the duals' steps without dlam."""
    low, high = bounds(integers, numbers, at, i)
    row = integers[at + ROW] + i
    lam, R = numbers[integers[LAM] + row], numbers[integers[COMPLIANCE] + row]
    x = numbers[row_work(integers, U) + row] + R * lam
    if not low < high:
        return 0.0, 0.0, 0.0
    total, first, second = -x, 0.0, 0.0
    d = numbers[row_work(integers, DLAM) + row]
    if low > -math.inf:
        y, way = numbers[row_work(integers, Y) + row], lam - low
        wanted = tau - (d * numbers[row_work(integers, DY) + row] if corrected else 0.0)
        first = wanted / way - y
        total += y + first
    if high < math.inf:
        y, way = numbers[row_work(integers, Y_UPPER) + row], high - lam
        wanted = tau + (d * numbers[row_work(integers, DY_UPPER) + row] if corrected else 0.0)
        second = wanted / way - y
        total -= y + second
    return total, first, second


@kernel
def bounded_duals(integers, numbers, at, i, step, a, b):
    """DLAM, DY, DY_UPPER of a row with bounds, and how far they may go."""
    low, high = bounds(integers, numbers, at, i)
    row = integers[at + ROW] + i
    lam, longest = numbers[integers[LAM] + row], math.inf
    y, upper = row_work(integers, Y) + row, row_work(integers, Y_UPPER) + row
    dy, dupper = row_work(integers, DY) + row, row_work(integers, DY_UPPER) + row
    numbers[dy], numbers[dupper] = 0.0, 0.0
    if low < high:
        if low > -math.inf:
            numbers[dy] = a - numbers[y] / (lam - low) * step
            if step < 0.0:
                longest = min(longest, (low - lam) / step)
            if numbers[dy] < 0.0:
                longest = min(longest, -numbers[y] / numbers[dy])
        if high < math.inf:
            numbers[dupper] = b + numbers[upper] / (high - lam) * step
            if step > 0.0:
                longest = min(longest, (high - lam) / step)
            if numbers[dupper] < 0.0:
                longest = min(longest, -numbers[upper] / numbers[dupper])
    numbers[row_work(integers, DLAM) + row] = step
    return longest


@kernel
def answer(numbers, G, d):
    """G d of a contact."""
    nn, n1, n2 = vector(numbers, G)
    g11, g12, g22 = vector(numbers, G + 3)
    b1, b2, b3 = vector(numbers, G + 6)
    return (
        nn * d[0] + n1 * d[1] + n2 * d[2],
        (n1 + b1) * d[0] + g11 * d[1] + g12 * d[2],
        (n2 + b2) * d[0] + (g12 + b3) * d[1] + g22 * d[2],
    )


@kernel
def begin(integers, numbers, island):
    """lam and duals on the axes of their cones."""
    first, count = island_blocks(integers, island)
    u, y, upper = row_work(integers, U), row_work(integers, Y), row_work(integers, Y_UPPER)
    speed = LEAST_SPEED
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            speed = max(speed, abs(numbers[u + i]))
            # `interior` reads the steps before there are any
            numbers[row_work(integers, DLAM) + i] = 0.0
            numbers[row_work(integers, DY) + i] = 0.0
            numbers[row_work(integers, DY_UPPER) + i] = 0.0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        own, row = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block, integers[at + ROW]
        lam, push = integers[LAM] + row, START * speed / numbers[own + W]
        if is_cone(integers, numbers, block, at):
            put_vector(numbers, lam, (push / numbers[own + MU], 0.0, 0.0))
            put_vector(numbers, y + row, (speed, 0.0, 0.0))
        else:
            for i in range(integers[at + DIM]):
                low, high = bounds(integers, numbers, at, i)
                away = min(push, 0.5 * (high - low))
                x = min(max(0.0, low + away), high - away) if low < high else low
                numbers[lam + i] = x
                numbers[y + row + i], numbers[upper + row + i] = 0.0, 0.0
                if low < high:
                    if low > -math.inf:
                        numbers[y + row + i] = speed * push / (x - low)
                    if high < math.inf:
                        numbers[upper + row + i] = speed * push / (high - x)
