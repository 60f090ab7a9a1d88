"""Contacts given by u = W lam + q alone, as collections of friction problems have them.

W is that of the problem as it is given: symmetric or not, of any rank, dense or sparse; or W = H^T
M^-1 H. `auto`, `newton`, `nsgs` and `interior` work on W itself (`contact.solvers.delassus.solve`).
The other solvers work with masses: for them W = J J^T with A = 1, which needs a symmetric W.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from dalembert.contact.given.cliques_and_blocks import Block, Clique
from dalembert.contact.given.matrices import (
    Matrix,
    inverse_times,
    is_finite,
    matrix_of,
    rows_of,
    skewness,
    start_of,
)
from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.given.scale import RELATIVE
from dalembert.contact.problem.solve_info import SolveInfo
from dalembert.contact.solvers.delassus.active import Array
from dalembert.contact.solvers.delassus.arrays import Given
from dalembert.contact.solvers.delassus.report import Work, report
from dalembert.contact.solvers.delassus.solve import SOLVING, search_by, works_on_delassus
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.contact.solvers.table import name_of
from dalembert.errors import ModelError, OptionError

MORE = 4
"""Times the solver's own budget: factorisations of W over its active rows are small."""

SYMMETRIC, RANK = 1e-12, 1e-14
"""Part of the largest entry up to which W counts as symmetric; of the largest eigenvalue, as 0."""


class DelassusProblem(ContactProblem):
    """W, q, mu and what they were made of; see `ContactProblem.from_delassus` and `from_mass`."""

    def __init__(
        self, W: Matrix, q: Array, mu: Array, dimension: int, lam0: Array, response: Matrix | None
    ) -> None:
        super().__init__()
        self.W, self.q, self.mu = W, q, mu
        self.dimension, self.lam0, self.response = dimension, lam0, response

    @classmethod
    def of_delassus(
        cls, W: Any, q: Any, mu: Any, dimension: int | None, lam0: Any
    ) -> DelassusProblem:
        """The problem of `ContactProblem.from_delassus`."""
        where = "from_delassus"
        free, friction, dim = rows_of(where, q, mu, dimension)
        full = matrix_of(where, "W", W)
        if full.shape != (len(free), len(free)):
            raise ModelError(
                f"{where}: W has the shape {full.shape} and q {len(free)} entries; give W as a "
                "square matrix of the same size."
            )
        return cls(full, free, friction, dim, start_of(where, lam0, len(free)), None)

    @classmethod
    def of_mass(
        cls, M: Any, H: Any, q: Any, mu: Any, dimension: int | None, lam0: Any
    ) -> DelassusProblem:
        """The problem of `ContactProblem.from_mass`."""
        where = "from_mass"
        free, friction, dim = rows_of(where, q, mu, dimension)
        mass, columns = matrix_of(where, "M", M), matrix_of(where, "H", H)
        if mass.shape[0] != mass.shape[1] or columns.shape != (mass.shape[0], len(free)):
            raise ModelError(
                f"{where}: M has the shape {mass.shape}, H {columns.shape} and q {len(free)} "
                "entries; give M square, and H with a row for each of its velocities and a column "
                "for each entry of q: W = H^T M^-1 H."
            )
        response = inverse_times(mass, columns)
        W = columns.T @ response
        W = W if isinstance(W, np.ndarray) else sp.csc_array(W)
        if not skewness(mass) > 0.0:
            W = 0.5 * (W + W.T)
        W = W if isinstance(W, np.ndarray) else sp.csc_array(W)
        return cls(W, free, friction, dim, start_of(where, lam0, len(free)), response)

    # -- as cliques and blocks, for the other solvers --------------------------------------------

    @cached_property
    def _parts(self) -> tuple[list[Clique], list[Block]]:
        problem = ContactProblem()
        full = self.W if isinstance(self.W, np.ndarray) else self.W.toarray()
        values, vectors = np.linalg.eigh(0.5 * (full + full.T))
        kept = values > RANK * max(values[-1], 0.0) if len(values) else np.zeros(0, dtype=bool)
        J = vectors[:, kept] * np.sqrt(values[kept])
        if not kept.any():
            J = np.zeros((len(full), 1))
        clique = problem.add_clique(np.eye(J.shape[1]), np.zeros(J.shape[1]))
        d = self.dimension
        for i, mu in enumerate(self.mu):
            rows, bias, start = np.zeros((3, J.shape[1])), np.zeros(3), np.zeros(3)
            at = slice(d * i, d * i + d)
            rows[:d], bias[:d], start[:d] = J[at], self.q[at], self.lam0[at]
            problem.add_contact(rows, clique, bias=bias, mu=mu, key=(i, 0), lam0=start)
        return problem.cliques, problem.blocks

    def symmetric_parts(self) -> tuple[list[Clique], list[Block]]:
        """Cliques and blocks; refused where W is not symmetric."""
        skew = skewness(self.W)
        if skew > SYMMETRIC:
            raise OptionError(
                f"W is unsymmetric by {skew:.1e} of its largest entry, and belongs to no masses. "
                f"Take one of: {', '.join(SOLVING)}, which solve for W as it is."
            )
        return self._parts

    @property
    def cliques(self) -> list[Clique]:
        """One clique with A = 1."""
        return self.symmetric_parts()[0]

    @cliques.setter
    def cliques(self, value: list[Clique]) -> None:
        _refuse_parts(value)

    @property
    def blocks(self) -> list[Block]:
        """Contacts with the rows of J; the second tangent of planar ones does not move."""
        return self.symmetric_parts()[1]

    @blocks.setter
    def blocks(self, value: list[Block]) -> None:
        _refuse_parts(value)

    def add_clique(self, *given: Any, **named: Any) -> int:
        """Refused: W has been given."""
        raise ModelError("from_delassus, from_mass: W is given; nothing can be added to it.")

    def add_block(self, *given: Any, **named: Any) -> int:
        """Refused: W has been given."""
        raise ModelError("from_delassus, from_mass: W is given; nothing can be added to it.")

    # -- what is asked of a problem --------------------------------------------------------------

    def check(self) -> None:
        """Refuse numbers that have gone bad since they were given."""
        numbers = self.W if isinstance(self.W, np.ndarray) else self.W.data
        if not all(is_finite(x) for x in (numbers, self.q, self.mu, self.lam0)):
            raise ModelError("W, q, mu or lam0 holds NaN or infinity.")
        if (self.mu < 0.0).any():
            raise ModelError("mu must not be negative.")

    def title(self) -> str:
        """Numbers of rows and contacts, in one line."""
        return f"{len(self.q)} rows, {len(self.mu)} contacts"

    def refuses(self, solver: ContactSolver) -> str | None:
        """A sentence when the solver cannot treat the problem, else None."""
        if works_on_delassus(solver) or skewness(self.W) <= SYMMETRIC:
            return None
        able = ", ".join(SOLVING)
        return (
            f"{type(solver).__name__} needs masses, and this W is unsymmetric by "
            f"{skewness(self.W):.1e} of its largest entry. Take one of: {able}."
        )

    def delassus(self) -> tuple[Array, Array]:
        """W and q as they were given, in full: u = W lam + q."""
        W = self.W.copy() if isinstance(self.W, np.ndarray) else self.W.toarray()
        return W, self.q.copy()

    def residual(self, v: Any, lam: Any) -> float:
        """Largest natural map over the contacts [m/s]; v follows from lam, and is not looked at."""
        given = Given(self.W, self.q, self.mu, self.dimension)
        impulses = np.asarray(lam, dtype=float).ravel() * (given.omega / given.speed)
        largest = float(given.figures(impulses)[0])
        given.close()
        return largest

    def velocities_of(self, lam: Array) -> Array:
        """W lam + q; M^-1 H lam where the problem was given by M and H."""
        v = self.W @ lam + self.q if self.response is None else self.response @ lam
        return np.asarray(v)

    def solved_by(
        self, solver: ContactSolver, tol: float | None, budget: int | None, least: bool
    ) -> tuple[Array, Array, SolveInfo]:
        """Velocities, impulses, report; see `contact.given.problem.solve`."""
        if least or not works_on_delassus(solver):
            self.symmetric_parts()
            _, lam, info = super().solved_by(solver, tol, budget, least)
            lam = lam.reshape(-1, 3)[:, : self.dimension].ravel()
            return self.velocities_of(lam), lam, info
        given = Given(self.W, self.q, self.mu, self.dimension)
        if not (given.is_sound and is_finite(self.lam0)):
            self.check()
        size = given.size * given.speed
        limit = MORE * solver.budget() if budget is None else int(budget)
        asked = tol or solver.tolerance
        wanted = RELATIVE * size if asked is None else asked * min(1.0, size)
        start = self.lam0 * (given.omega / given.speed) if size > 0.0 else np.zeros(len(self.q))
        search = search_by(solver, given, start, wanted / given.speed, limit)
        lam = search.x * (given.speed / given.omega)
        left, first = search.left * given.speed, search.first_left * given.speed
        info = report(
            given.figures(search.x), "converged" if left <= wanted else "stalled",
            (left, first, size),
            Work(name_of(solver), search.sweeps, search.factorisations + search.guesses),
            given.count,
        )  # fmt: skip
        given.close()
        return self.velocities_of(lam), lam, info

    # -- files -----------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the problem to a file of NumPy arrays (.npz)."""
        W = sp.coo_array(self.W)
        keep = {"format": np.array(1), "delassus": np.array(self.W.shape), "W": W.data}
        keep |= {"W_row": W.coords[0], "W_column": W.coords[1], "q": self.q, "mu": self.mu}
        keep |= {"dimension": np.array(self.dimension), "lam0": self.lam0}
        if self.response is not None:
            response = self.response
            full = response if isinstance(response, np.ndarray) else response.toarray()
            keep["response"] = full
        np.savez_compressed(path, **keep)

    @classmethod
    def kept(cls, kept: Any) -> DelassusProblem:
        """The problem that `save` has written."""
        shape = tuple(int(x) for x in kept["delassus"])
        if shape != (len(kept["q"]), len(kept["q"])):
            raise ValueError(f"W is {shape}, and q has {len(kept['q'])} entries")
        W = sp.csc_array((kept["W"], (kept["W_row"], kept["W_column"])), shape=shape)
        response = kept["response"] if "response" in kept else None
        dense = W.nnz > 0.5 * shape[0] * shape[1]
        return cls(
            W.toarray() if dense else W, kept["q"], kept["mu"], int(kept["dimension"]),
            kept["lam0"], response,
        )  # fmt: skip


def _refuse_parts(value: list[Any]) -> None:
    """The base class begins with nothing."""
    if value:
        raise ModelError("from_delassus, from_mass: W is given; nothing can be added to it.")
