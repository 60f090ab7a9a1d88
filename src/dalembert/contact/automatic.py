"""A whole problem solved: every island by itself, by the solver that suits it."""

from dalembert._jit import kernel
from dalembert.contact.gauss_seidel import nsgs_island
from dalembert.contact.layout import (
    BLOCK_COUNT,
    FAILED,
    ISLAND,
    ISLAND_RECORD,
    ISLANDS,
    METHOD,
    OVERFLOW,
    STATUS,
)
from dalembert.contact.newton import newton_island
from dalembert.contact.prepare import READY, prepare
from dalembert.contact.report import report

AUTO, NEWTON, NSGS = range(3)
"""Solvers of `solve_problem`."""


@kernel
def solve_problem(integers, numbers, method, tolerance, budget):
    """Fill V, LAM, INFO. Returns CONVERGED, STALLED, FAILED (A is not positive definite), OVERFLOW.

    tolerance [m/s]: 0 takes that of the profile; budget: 0 takes the solver's own.
    """
    if prepare(integers, numbers) != READY:
        return FAILED
    for island in range(integers[ISLANDS]):
        record = integers[ISLAND] + ISLAND_RECORD * island
        if integers[record + BLOCK_COUNT] > 0:
            tol = tolerance if tolerance > 0.0 else 1e-8
            if method == NSGS:
                status = nsgs_island(integers, numbers, island, tol, budget if budget > 0 else 300)
            else:
                status = newton_island(integers, numbers, island, tol, budget if budget > 0 else 60)
            if status == OVERFLOW:
                return OVERFLOW
            integers[record + STATUS], integers[record + METHOD] = status, method
    return report(integers, numbers)
