"""The base of contact solvers: parameters for users, facts, and the kernel that does the work.

A solver is one file with its kernel and its class, and one line of `contact.solvers.table`. The
kernel solves one island,

    name(problem, island, tolerance, budget) -> status      # CONVERGED, STALLED, FAILED, OVERFLOW

from lam = lam0, with the islands and W of every block known. v of lam (`move`) and the rows of
J A^-1 (`complete_responses`) it asks for where it needs them. It leaves lam, the v that belongs to
it, and the residual and the work in the record of the island. The facts are claims: the conformance
battery checks every one of them, and a test compares ``docs/reference/contact-solvers.md`` with
them.

Islands do not see one another, and nothing but the problem decides what is done. A solver has a
kernel of its own for whole problems (`of_islands`), so that a run compiles the solver it uses and
no other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from dalembert._jit import Kernel, kernel, name_around
from dalembert._records import Place
from dalembert.contact.algebra.prepare import READY, prepare_rows
from dalembert.contact.algebra.residuals import report
from dalembert.contact.problem.layout import FAILED, KINDS, OVERFLOW, Problem
from dalembert.errors import OptionError
from dalembert.model.basics.unchanging import Settled

Law = Literal["cone", "pyramid", "regularised"]

ALL_KINDS = frozenset(KINDS)


@dataclass(frozen=True)
class ContactSolver(Settled):
    """Base of all contact solvers.

    Parameters
    ----------
    tolerance : float or None   residual at which an island counts as solved  [m/s]; None: 1e-8 for
        islands of up to 32 cliques, 1e-6 for larger ones
    """

    tolerance: float | None = field(default=None, kw_only=True)

    solve_island: ClassVar[Kernel]
    """Its kernel."""
    counts: ClassVar[str] = ""
    """Its parameter that bounds the work."""
    passes: ClassVar[type[Place] | None] = None
    """Place in `Problem.options` of the parameters that its kernel reads."""
    law: ClassVar[Law] = "cone"
    """'cone': Signorini's and Coulomb's laws exactly; 'pyramid': Coulomb's with a pyramid or box in
    the place of the cone; 'regularised': a convex problem near them."""
    kinds: ClassVar[frozenset[str]] = ALL_KINDS
    """Kinds of blocks it takes."""
    redundant: ClassVar[bool] = True
    """Solves problems with dependent rows to the tolerance."""
    warm_start: ClassVar[bool] = True
    """Begins at lam0: what is solved already takes no iteration."""
    unique: ClassVar[bool] = False
    """lam is a continuous function of the problem, with dependent rows too."""

    def __post_init__(self) -> None:
        if self.tolerance is not None:
            positive(self, "tolerance", self.tolerance)
        if self.counts:
            counted(self, self.counts, getattr(self, self.counts))

    def budget(self) -> int:
        """Most iterations, in the solver's own unit; 0: its default."""
        return int(getattr(self, self.counts)) if self.counts else 0

    def options(self) -> list[float]:
        """Numbers for `Problem.options`."""
        names = self.passes.place_fields if self.passes else ()
        return [float(getattr(self, name)) for name in names]

    def refuse(self, kinds: frozenset[str]) -> str | None:
        """A sentence when it cannot treat blocks of these kinds, else None."""
        from dalembert.contact.solvers.table import SOLVERS

        strange = sorted(kinds - self.kinds, key=KINDS.index)
        if not strange:
            return None
        able = ", ".join(n for n, s in SOLVERS.items() if frozenset(strange) <= s.kinds)
        return (
            f"{type(self).__name__} does not treat blocks of kind {' and '.join(strange)}. "
            f"Take one of: {able}."
        )

    def describe(self) -> str:
        """Name and parameters in one line."""
        given = [f for f in fields(self) if f.name != "tolerance" or self.tolerance is not None]
        values = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in given)
        return f"{type(self).__name__}({values})"


def positive(owner: Any, name: str, value: Any) -> None:
    """Refuse a parameter that is not a positive finite number."""
    if not (isinstance(value, (int, float)) and 0 < value < float("inf")):
        raise OptionError(f"{type(owner).__name__}: {name} is {value!r}. Give a positive number.")


def counted(owner: Any, name: str, value: Any) -> None:
    """Refuse a parameter that is not a positive integer."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise OptionError(f"{type(owner).__name__}: {name} is {value!r}. Give a positive integer.")


# -- a whole problem: every island by itself, then the report --------------------------------------


SMALL, SMALL_TOLERANCE, LARGE_TOLERANCE = 32, 1e-8, 1e-6
"""Cliques of an island that is solved to the first tolerance; larger ones to the second."""


@kernel
def tolerance_of(island, tolerance):
    """The given one; below 0 that part of the island's own, with 0 by the size of the island."""
    if tolerance > 0.0:
        return tolerance
    if tolerance < 0.0:
        return -tolerance * island.tolerance
    return SMALL_TOLERANCE if island.clique_count <= SMALL else LARGE_TOLERANCE


def of_islands(name: str, code: int, solve_island: Kernel) -> Kernel:
    """The kernel of whole problems by a kernel of islands; `code` is told of every island."""

    def solve(problem: Problem, tolerance, budget):
        """Fill v, lam, info. Returns CONVERGED, STALLED, FAILED or OVERFLOW.

        tolerance [m/s]: see `tolerance_of`; budget: 0 takes the solver's own.
        """
        if prepare_rows(problem, True) != READY:
            problem.info.status = FAILED
            return FAILED
        for i in range(problem.islands):
            island = problem.island(i)
            if island.block_count > 0:
                aim = tolerance_of(island, tolerance)
                status = solve_island(problem, island, aim, budget)
                if status == OVERFLOW:
                    return OVERFLOW
                island.status, island.method = status, code
        return report(problem)

    name_around([solve_island], f"solve_by_{name}", solve)
    return kernel(solve)


def power_of_two(value: float) -> float:
    """The power of two below a positive number; 1 for any other."""
    return math.ldexp(1.0, math.frexp(value)[1] - 1) if 0.0 < value < math.inf else 1.0
