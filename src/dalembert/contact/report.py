"""Report of a solved problem (INFO), and the state of every block.

| field | unit | |
|---|---|---|
| residual | m/s | largest natural map |
| R_MOMENTUM | m/s | largest (A (v - v*) - J^T lam) / diagonal of A |
| R_PENETRATION | m/s | largest -u_n of contacts and one-sided rows |
| R_COMPLEMENTARITY | J | largest lam_n u_n |
| R_CONE | N s | largest part of lam_t outside the cone |
| R_DISSIPATION | J | largest lam_t . u_t + mu lam_n |u_t| |
| R_BILATERAL | m/s | largest u + R lam of EQ |
| COUNT_HELD | | one-sided rows that act |
| CONTACT_WORK | J | sum of lam . (u + u before) / 2 over contacts |
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    block_times,
    island_blocks,
    island_cliques,
)
from dalembert.contact.cliques import times_clique
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_ISLAND,
    BLOCK_NUMBERS,
    BLOCKS,
    CLIQUE,
    CLIQUE_RECORD,
    COMPLIANCE,
    CONE,
    CONTACT_WORK,
    CONTACTS,
    CONVERGED,
    COUNT_HELD,
    COUNT_OPEN,
    COUNT_SLIDING,
    COUNT_STICKING,
    DIM,
    EQ,
    FACTORISATIONS,
    FAILED,
    HELD,
    INFO,
    INFO_FACTORISATIONS,
    INFO_FLOATS,
    INFO_ITERATIONS,
    INFO_RESIDUAL,
    INFO_STATUS,
    INFO_SWEEPS,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLANDS,
    ITERATIONS,
    JACOBIAN,
    KIND,
    LAM,
    LENGTH,
    MATRIX,
    MATRIX_START,
    MOST_VELOCITIES,
    MU,
    OPEN,
    R_BILATERAL,
    R_COMPLEMENTARITY,
    R_CONE,
    R_DISSIPATION,
    R_MOMENTUM,
    R_PENETRATION,
    RESIDUAL,
    ROW,
    SIZE,
    SLIDING,
    START,
    STATE,
    STATUS,
    STICKING,
    SWEEPS,
    U_KNOWN,
    UNI,
    V_BEFORE,
    V_FREE,
    VELOCITY_WORK,
    V,
)
from dalembert.contact.residuals import U, block_velocity, island_velocities, row_work

BEFORE = 14
"""Row vector: velocities before the step."""


STILL = 1e-12
"""Speed of sliding [m/s] that rounding leaves where nothing slides."""

LOST = 3e8
"""Residual [m/s] that no mechanism has: a method that left it, or none at all, has run away."""


@kernel
def velocity_work(integers, k):
    """Where the k-th velocity vector starts in `numbers`."""
    return integers[VELOCITY_WORK] + k * integers[MOST_VELOCITIES]


@kernel
def report(integers, numbers):
    """Fill INFO and the STATE of every block. Returns the worst status."""
    info = integers[INFO]
    for k in range(INFO_FLOATS):
        numbers[info + k] = 0.0
    status = CONVERGED
    for island in range(integers[ISLANDS]):
        record = integers[ISLAND] + ISLAND_RECORD * island
        residual = numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + RESIDUAL]
        _raise(numbers, info + INFO_RESIDUAL, residual)
        if not (residual < LOST):
            integers[record + STATUS] = FAILED
        status = max(status, integers[record + STATUS])
        numbers[info + INFO_ITERATIONS] += integers[record + ITERATIONS]
        numbers[info + INFO_FACTORISATIONS] += integers[record + FACTORISATIONS]
        numbers[info + INFO_SWEEPS] += integers[record + SWEEPS]
        if integers[record + U_KNOWN] == 0:
            island_velocities(integers, numbers, island, row_work(integers, U))
        _momentum(integers, numbers, island)
        first, count = island_blocks(integers, island)
        for k in range(count):
            _block(integers, numbers, integers[first + k])
    numbers[info + INFO_STATUS] = status
    return status


@kernel
def _raise(numbers, at, value):
    numbers[at] = max(numbers[at], value)


@kernel
def _momentum(integers, numbers, island):
    """A (v - v*) - J^T lam over the diagonal of A."""
    x, y = velocity_work(integers, 0), velocity_work(integers, 1)
    first, count = island_cliques(integers, island)
    for k in range(count):
        clique = integers[first + k]
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        start = integers[at + START]
        for i in range(start, start + integers[at + SIZE]):
            numbers[x + i] = numbers[integers[V_FREE] + i] - numbers[integers[V] + i]
        times_clique(integers, numbers, clique, x + start, y + start)
    blocks, number = island_blocks(integers, island)
    for k in range(number):
        at = block_at(integers, integers[blocks + k])
        block_add_transposed(integers, numbers, at, JACOBIAN, integers[LAM], y)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        start, size = integers[at + START], integers[at + SIZE]
        A = integers[MATRIX] + integers[at + MATRIX_START]
        for i in range(size):
            r = abs(numbers[y + start + i]) / numbers[A + (size + 1) * i]
            _raise(numbers, integers[INFO] + R_MOMENTUM, r)


@kernel
def _block(integers, numbers, block):
    at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    info, length = integers[INFO], numbers[own + LENGTH]
    u, lam, R = row_work(integers, U) + row, integers[LAM] + row, integers[COMPLIANCE] + row
    if kind < CONE:
        held = False
        for i in range(dim):
            s = numbers[u + i] + numbers[R + i] * numbers[lam + i]
            if kind == EQ:
                _raise(numbers, info + R_BILATERAL, length * abs(s))
            elif kind == UNI:
                _raise(numbers, info + R_PENETRATION, -length * s)
                _raise(numbers, info + R_COMPLEMENTARITY, abs(numbers[lam + i] * s))
            held = held or numbers[lam + i] != 0.0
        integers[at + STATE] = HELD if held or kind == EQ else OPEN
        if held and kind != EQ:
            numbers[info + COUNT_HELD] += 1.0
        return
    mu, a = numbers[own + MU], numbers[lam]
    x, y, f, g = numbers[u + 1], numbers[u + 2], numbers[lam + 1], numbers[lam + 2]
    s = numbers[u] + numbers[R] * a
    x, y = x + numbers[R + 1] * f, y + numbers[R + 2] * g
    slip, friction = math.sqrt(x * x + y * y), math.sqrt(f * f + g * g)
    left = numbers[
        integers[ISLAND_NUMBERS] + ISLAND_FLOATS * integers[at + BLOCK_ISLAND] + RESIDUAL
    ]
    _raise(numbers, info + R_PENETRATION, -s)
    _raise(numbers, info + R_COMPLEMENTARITY, abs(a * s))
    _raise(numbers, info + R_CONE, friction - mu * a)
    _raise(numbers, info + R_DISSIPATION, abs(f * x + g * y + mu * a * slip))
    numbers[info + CONTACTS] += 1.0
    if a <= 0.0:
        integers[at + STATE] = OPEN
        numbers[info + COUNT_OPEN] += 1.0
    elif mu > 0.0 and (friction < (1.0 - 1e-9) * mu * a or slip <= max(left, STILL)):
        # at the limit, but not moving beyond what is left of the laws: it is held
        integers[at + STATE] = STICKING
        numbers[info + COUNT_STICKING] += 1.0
    else:
        integers[at + STATE] = SLIDING
        numbers[info + COUNT_SLIDING] += 1.0
    numbers[info + CONTACT_WORK] += _work(integers, numbers, at)


@kernel
def _work(integers, numbers, at):
    """lam . (u + u before) / 2 of a block; U is filled."""
    u, before = row_work(integers, U), row_work(integers, BEFORE)
    block_times(integers, numbers, at, JACOBIAN, integers[V_BEFORE], before)
    done = 0.0
    for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
        done += numbers[integers[LAM] + i] * 0.5 * (numbers[u + i] + numbers[before + i])
    return done


@kernel
def report_again(integers, numbers):
    """R_MOMENTUM and CONTACT_WORK of impulses that have changed since the problem was solved."""
    done, u = 0.0, row_work(integers, U)
    for block in range(integers[BLOCKS]):
        at = block_at(integers, block)
        if integers[at + KIND] >= CONE:
            block_velocity(integers, numbers, at, integers[V], u)
            done += _work(integers, numbers, at)
    numbers[integers[INFO] + CONTACT_WORK] = done
    numbers[integers[INFO] + R_MOMENTUM] = 0.0
    for island in range(integers[ISLANDS]):
        _momentum(integers, numbers, island)
