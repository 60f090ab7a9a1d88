"""A whole problem by one of the optional solvers: every island, then the report.

One kernel each, with the arguments of `contact.automatic.solve_problem` without the method, so that
a run compiles the solver it uses and no other.
"""

from dalembert._jit import kernel
from dalembert.contact.admm import admm
from dalembert.contact.automatic import tolerance_of
from dalembert.contact.convex import convex
from dalembert.contact.layout import (
    BLOCK_COUNT,
    FAILED,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLANDS,
    METHOD,
    OVERFLOW,
    RESIDUAL,
    STATUS,
)
from dalembert.contact.lemke import lemke
from dalembert.contact.pgs import pgs
from dalembert.contact.prepare import READY, prepare
from dalembert.contact.report import report
from dalembert.contact.residuals import measure

ADMM, CONVEX, LEMKE, PGS = range(3, 7)
"""METHOD of an island; the first three are those of `contact.automatic`."""


@kernel
def blocks_in(integers, island):
    """Number of blocks of an island."""
    return integers[integers[ISLAND] + ISLAND_RECORD * island + BLOCK_COUNT]


@kernel
def note(integers, numbers, island, status, method):
    """Status, solver and residual of an island. The residual is that of the cone for everybody."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    integers[record + STATUS], integers[record + METHOD] = status, method
    left = measure(integers, numbers, island)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + RESIDUAL] = left


@kernel
def solve_pgs(integers, numbers, tolerance, budget):
    """Projected Gauss-Seidel; `budget` sweeps."""
    if prepare(integers, numbers) != READY:
        return FAILED
    for island in range(integers[ISLANDS]):
        if blocks_in(integers, island) > 0:
            close = tolerance_of(integers, numbers, island, tolerance)
            note(integers, numbers, island, pgs(integers, numbers, island, close, budget), PGS)
    return report(integers, numbers)


@kernel
def solve_lemke(integers, numbers, tolerance, budget):
    """Lemke's method; `budget` pivots."""
    if prepare(integers, numbers) != READY:
        return FAILED
    for island in range(integers[ISLANDS]):
        if blocks_in(integers, island) > 0:
            close = tolerance_of(integers, numbers, island, tolerance)
            status = lemke(integers, numbers, island, close, budget)
            if status == OVERFLOW:
                return OVERFLOW
            note(integers, numbers, island, status, LEMKE)
    return report(integers, numbers)


@kernel
def solve_admm(integers, numbers, tolerance, budget):
    """Proximal ADMM; `budget` iterations."""
    if prepare(integers, numbers) != READY:
        return FAILED
    for island in range(integers[ISLANDS]):
        if blocks_in(integers, island) > 0:
            close = tolerance_of(integers, numbers, island, tolerance)
            status = admm(integers, numbers, island, close, budget)
            if status == OVERFLOW:
                return OVERFLOW
            note(integers, numbers, island, status, ADMM)
    return report(integers, numbers)


@kernel
def solve_convex(integers, numbers, tolerance, budget):
    """One regularised convex problem; `budget` factorisations."""
    if prepare(integers, numbers) != READY:
        return FAILED
    for island in range(integers[ISLANDS]):
        if blocks_in(integers, island) > 0:
            close = tolerance_of(integers, numbers, island, tolerance)
            status = convex(integers, numbers, island, close, budget)
            if status == OVERFLOW:
                return OVERFLOW
            note(integers, numbers, island, status, CONVEX)
    return report(integers, numbers)
