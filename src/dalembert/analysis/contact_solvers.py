"""One contact problem by several solvers, side by side."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from dalembert.analysis.table import number, text_table
from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.contact.solvers.table import SOLVERS, solver_of
from dalembert.errors import OptionError

REPEATS = 3
"""Times each is run; the fastest counts."""


@dataclass(frozen=True)
class ContactRow:
    """One line of the table; None where a solver refused."""

    solver: str
    law: str
    status: str
    iterations: int | None
    milliseconds: float | None
    residual: float | None
    """Largest natural map of the exact laws, m/s: the same measure for all."""
    own_residual: float | None
    """Largest natural map of the law that the solver itself keeps, m/s."""
    difference: float | None
    """Largest difference of a velocity from that of the first solver that converged."""


@dataclass(frozen=True)
class ContactComparison:
    """Several answers to one contact problem.

    Attributes
    ----------
    title : str                     what was solved
    rows : tuple of ContactRow      in the order given; solvers that refuse have the reason
    answers : dict                  solver -> (v, lam, SolveInfo), of those that ran
    """

    title: str
    rows: tuple[ContactRow, ...]
    answers: dict[str, tuple[np.ndarray, np.ndarray, object]] = field(repr=False)

    head: ClassVar[tuple[str, ...]] = (
        "solver",
        "law",
        "iterations",
        "ms",
        "residual",
        "own residual",
        "difference",
        "status",
    )

    def cells(self) -> list[tuple[str, ...]]:
        """The rows as text, in the columns of `head`."""
        return [
            (
                row.solver,
                row.law,
                "-" if row.iterations is None else str(row.iterations),
                "-" if row.milliseconds is None else f"{row.milliseconds:.3f}",
                number(row.residual),
                number(row.own_residual),
                number(row.difference),
                "refused" if row.iterations is None else row.status,
            )
            for row in self.rows
        ]

    def table(self) -> str:
        """The rows as aligned text, the reasons of refusals below."""
        notes = [f"{row.solver}: {row.status}" for row in self.rows if row.iterations is None]
        return "\n".join([self.title, "", text_table(self.head, self.cells()), *notes])

    def summary(self) -> str:
        """Same as `table`."""
        return self.table()

    def __str__(self) -> str:
        return self.table()


def compare_contact_solvers(
    problem: ContactProblem,
    solvers: str | Iterable[str | ContactSolver] = "all",
    *,
    tol: float | None = None,
) -> ContactComparison:
    """Solve one contact problem by several solvers.

    Parameters
    ----------
    problem : ContactProblem
    solvers : "all" or iterable     solver objects or short names ("auto", "pgs", ...)
    tol : float, optional           residual to reach  [m/s]; None: each solver's own

    Returns
    -------
    ContactComparison   with iterations, time, residual of the exact laws and of the solver's own

    Examples
    --------
    >>> import numpy as np
    >>> import dalembert as dl
    >>> problem = dl.ContactProblem()
    >>> ball = problem.add_clique(np.eye(3), [1.0, 0.0, -1.0])
    >>> J = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> contact = problem.add_contact(J, ball, mu=0.5)
    >>> result = dl.compare_contact_solvers(problem, ["nsgs", "lemke"])
    >>> [(row.solver, row.status) for row in result.rows]
    [('nsgs', 'converged'), ('lemke', 'converged')]
    """
    if isinstance(solvers, str) and solvers != "all":
        raise OptionError(f"compare_contact_solvers: solvers = {solvers!r}. Give a list of them.")
    chosen = [solver_of(s) for s in (SOLVERS if solvers == "all" else solvers)]
    short = {cls: name for name, cls in SOLVERS.items()}
    plain = [short[type(solver)] for solver in chosen]
    names = [n if plain.count(n) == 1 else s.describe() for n, s in zip(plain, chosen, strict=True)]
    answers: dict[str, tuple[np.ndarray, np.ndarray, object]] = {}
    rows, reference = [], None
    for name, solver in zip(names, chosen, strict=True):
        reason = problem.refuses(solver)
        if reason is not None:
            rows.append(ContactRow(name, solver.law, reason, None, None, None, None, None))
            continue
        fastest = np.inf
        for _ in range(REPEATS + 1):  # the first may compile
            start = time.perf_counter()
            v, lam, info = solve(problem, solver, tol=tol)
            fastest = min(fastest, time.perf_counter() - start)
        answers[name] = v, lam, info
        if reference is None and info.status == "converged":
            reference = v
        own = max((island.own_residual for island in info.islands), default=0.0)
        rows.append(
            ContactRow(
                solver=name,
                law=solver.law,
                status=info.status,
                iterations=max(info.iterations, info.sweeps, info.factorisations),
                milliseconds=1e3 * fastest,
                residual=info.residual,
                own_residual=info.residual if solver.law == "cone" else own,
                difference=None
                if reference is None
                else float(np.max(np.abs(v - reference), initial=0.0)),
            )
        )
    return ContactComparison(problem.title(), tuple(rows), answers)
