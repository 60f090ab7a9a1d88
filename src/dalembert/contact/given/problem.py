"""The contact problem for Python: built from matrices, solved, measured, kept in a file.

    problem = ContactProblem()
    box = problem.add_clique(A, v_free)
    problem.add_contact(J, box, mu=0.5, bias=(0.0, 0.0, 0.0))
    v, lam, info = solve(problem)

`contact.problem.layout` says what cliques and blocks are. Inside the time stepping such a problem
is written by compiled code; `ContactProblem.from_packed` shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.contact.given.cliques_and_blocks import Block, Clique, require_sound
from dalembert.contact.given.packing import damaged, load, parts, read, save, write
from dalembert.contact.given.solving import Answer, solve_cliques
from dalembert.contact.problem.capacity import Capacity, allocate
from dalembert.contact.problem.layout import KINDS, NODE_SIZE, Problem
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.contact.solvers.table import solver_of, wants_least_norm
from dalembert.errors import DalembertError, ModelError, OptionError

DIMENSIONS = {"EQ": range(1, 7), "UNI": range(1, 7), "BOX": range(1, 7), "CONE": (3,)}


@dataclass
class ContactProblem:
    """A (v - v*) = J^T lam with a law for every block of rows; see `solve`.

    Velocities [m/s, rad/s] are those after a step or an impact, v* those there would be without
    impulses lam [N s, N m s].

    Examples
    --------
    A ball of 2 kg that would fall on at 1 m/s and slide at 3 m/s, on a floor of friction 0.5:

    >>> import numpy as np
    >>> problem = ContactProblem()
    >>> ball = problem.add_clique(2.0 * np.eye(3), v_free=(3.0, 0.0, -1.0))
    >>> normal_and_tangents = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    >>> contact = problem.add_block("CONE", normal_and_tangents, ball, mu=0.5)
    >>> v, lam, info = problem.solve()
    >>> v.round(9) + 0.0, lam.round(9) + 0.0
    (array([2.5, 0. , 0. ]), array([ 2., -1.,  0.]))
    """

    cliques: list[Clique] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def add_clique(
        self,
        A: Any,
        v_free: Any,
        parent: Sequence[int] | None = None,
        v_before: Any = None,
    ) -> int:
        """Add velocities with the mass matrix `A` and the free velocity v*; returns their index.

        `parent` gives the tree behind the zeros of A; without it A is taken as full.
        """
        matrix = np.array(A, dtype=float)
        free = np.array(v_free, dtype=float).reshape(-1)
        size = len(free)
        if matrix.shape != (size, size) or size == 0:
            raise ModelError(
                f"clique {len(self.cliques)}: A has the shape {matrix.shape} and v_free {size} "
                f"entries; give A as a square matrix of the same size."
            )
        if not (np.isfinite(matrix).all() and np.isfinite(free).all()):
            raise ModelError(f"clique {len(self.cliques)}: A or v_free holds NaN or infinity.")
        parents = np.arange(-1, size - 1) if parent is None else np.array(parent, dtype=np.int64)
        if len(parents) != size or (parents >= np.arange(size)).any() or (parents < -1).any():
            raise ModelError(
                f"clique {len(self.cliques)}: parent must name, for each of the {size} "
                "velocities, an earlier one or -1."
            )
        before = free if v_before is None else np.array(v_before, dtype=float)
        if before.shape != free.shape:
            raise ModelError(f"clique {len(self.cliques)}: v_before has no {size} entries.")
        self.cliques.append(Clique(matrix, free, parents, before))
        return len(self.cliques) - 1

    def add_block(
        self,
        kind: str,
        J_a: Any,
        a: int,
        J_b: Any = None,
        b: int = -1,
        *,
        bias: Any = 0.0,
        R: Any = 0.0,
        mu: Any = 0.0,
        lower: Any = -math.inf,
        upper: Any = math.inf,
        length: float = 1.0,
        key: tuple[int, int] = (0, 0),
        lam0: Any = 0.0,
    ) -> int:
        """Add rows u = J_a v_a + J_b v_b + bias with one law; returns the index of the block.

        `a` or `b` = -1 is the world, whose J is None.
        """
        where = f"block {len(self.blocks)} ({kind})"
        if kind not in KINDS:
            raise OptionError(f"{where}: unknown kind; choose one of {', '.join(KINDS)}.")
        sides = [self._side(where, J, clique) for J, clique in ((J_a, a), (J_b, b))]
        dims = {len(J) for J, clique in zip(sides, (a, b), strict=True) if clique >= 0}
        if len(dims) != 1:
            raise ModelError(
                f"{where}: one side must be a clique, and both must have the same number of rows."
            )
        (dim,) = dims
        if dim not in DIMENSIONS.get(kind, (4, 6)):
            raise ModelError(f"{where}: {dim} rows are too many or too few for this kind.")
        if a >= 0 and a == b:
            raise ModelError(
                f"{where}: both sides are clique {a}; give the sum of both J as J_a and b = -1."
            )
        sides = [J if len(J) else np.zeros((dim, 0)) for J in sides]
        friction = np.zeros(3)
        friction[: np.size(mu)] = mu
        if (friction < 0.0).any() or not np.isfinite(friction).all():
            raise ModelError(f"{where}: mu = {mu} is negative or not finite.")
        rows = [np.broadcast_to(np.asarray(x, float), dim).copy() for x in (bias, R, lower, upper)]
        if not (np.isfinite(rows[0]).all() and np.isfinite(rows[1]).all() and (rows[1] >= 0).all()):
            raise ModelError(f"{where}: bias and R must be finite, and R not negative.")
        if (rows[2] > rows[3]).any():
            raise ModelError(f"{where}: lower is above upper.")
        start = np.broadcast_to(np.asarray(lam0, float), dim).copy()
        self.blocks.append(
            Block(
                kind=kind,
                a=a,
                b=b,
                J_a=sides[0],
                J_b=sides[1],
                bias=rows[0],
                R=rows[1],
                lower=rows[2],
                upper=rows[3],
                mu=friction,
                length=float(length),
                key=key,
                lam0=start,
            )
        )
        return len(self.blocks) - 1

    def add_contact(self, J: Any, a: int, J_b: Any = None, b: int = -1, **given: Any) -> int:
        """`add_block` of the kind CONE."""
        return self.add_block("CONE", J, a, J_b, b, **given)

    def _side(self, where: str, J: Any, clique: int) -> np.ndarray:
        if clique < 0:
            return np.zeros((0, 0))
        if clique >= len(self.cliques):
            raise ModelError(f"{where}: there is no clique {clique}.")
        rows = np.atleast_2d(np.asarray(J, dtype=float))
        if rows.shape[1] != len(self.cliques[clique].v_free) or not np.isfinite(rows).all():
            raise ModelError(
                f"{where}: J of clique {clique} has {rows.shape[1]} columns for "
                f"{len(self.cliques[clique].v_free)} velocities, or is not finite."
            )
        return rows

    @classmethod
    def from_delassus(
        cls, W: Any, q: Any, mu: Any, *, dimension: int | None = None, lam0: Any = None
    ) -> ContactProblem:
        """Contacts given by u = W lam + q alone, with W as it is: unsymmetric and of any rank, too.

        W is dense or scipy.sparse; q has the normal of a contact first; mu is one number or one for
        each; dimension: rows of a contact, 3 or (planar) 2, None: as many as q has for each mu;
        lam0: impulses to begin with. The velocities of its solution are u.
        """
        from dalembert.contact.given.delassus_problem import DelassusProblem

        return DelassusProblem.of_delassus(W, q, mu, dimension, lam0)

    @classmethod
    def from_mass(
        cls, M: Any, H: Any, q: Any, mu: Any, *, dimension: int | None = None, lam0: Any = None
    ) -> ContactProblem:
        """As `from_delassus`, with W = H^T M^-1 H; M and H dense or scipy.sparse.

        The velocities of its solution are M^-1 H lam, what impulses add.

        Examples
        --------
        Two kilograms in the plane that would fall at 1 m/s and slide at 3 m/s:

        >>> H = [[0.0, 1.0], [1.0, 0.0]]
        >>> problem = ContactProblem.from_mass(2.0 * np.eye(2), H, q=(-1.0, 3.0), mu=[0.5])
        >>> v, lam, info = problem.solve()
        >>> v.round(9) + 0.0, lam.round(9) + 0.0, info.status
        (array([-0.5,  1. ]), array([ 2., -1.]), 'converged')
        """
        from dalembert.contact.given.delassus_problem import DelassusProblem

        return DelassusProblem.of_mass(M, H, q, mu, dimension, lam0)

    def check(self) -> None:
        """Refuse numbers that have gone bad since they were added; every message says where.

        Raises
        ------
        ModelError          NaN or infinity, R or mu negative, lower above upper
        MassMatrixError     A of a clique is not positive definite
        """
        require_sound(self.cliques, self.blocks)

    # -- as the solvers have it ------------------------------------------------------------------

    def capacity(self) -> Capacity:
        """Room for exactly this, and for a usual factorisation."""
        nodes = sum(-(-len(c.v_free) // NODE_SIZE) for c in self.cliques)
        inside = sum((-(-len(c.v_free) // NODE_SIZE)) ** 2 for c in self.cliques)
        return Capacity(
            len(self.cliques),
            len(self.blocks),
            sum(len(c.v_free) for c in self.cliques),
            sum(b.dim for b in self.blocks),
            sum(c.A.size for c in self.cliques),
            sum(b.J_a.size + b.J_b.size for b in self.blocks),
            len(self.blocks) + inside + 8,
            6 * nodes + inside + 8,
            32 * nodes + 8 * inside + 8,
        )

    def packed(self, capacity: Capacity | None = None) -> Problem:
        """The problem of the solvers."""
        integers, numbers = allocate(capacity or self.capacity())
        problem = Problem(numbers, integers)
        self.write(problem)
        return problem

    def write(self, problem: Problem) -> None:
        """Put the problem where another one of at least its size was."""
        write(self.cliques, self.blocks, problem)

    @classmethod
    def from_packed(cls, problem: Problem) -> ContactProblem:
        """A copy of what compiled code has assembled."""
        return cls(*read(problem))

    # -- matrices for tests, teaching and other programs -----------------------------------------

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """A and J in full."""
        starts = np.cumsum([0, *(len(c.v_free) for c in self.cliques)])
        A = np.zeros((starts[-1], starts[-1]))
        for clique, start in zip(self.cliques, starts, strict=False):
            A[start : start + len(clique.v_free), start : start + len(clique.v_free)] = clique.A
        J = np.zeros((sum(b.dim for b in self.blocks), starts[-1]))
        row = 0
        for block in self.blocks:
            for side, index in ((block.J_a, block.a), (block.J_b, block.b)):
                if index >= 0:
                    J[row : row + block.dim, starts[index] : starts[index + 1]] = side
            row += block.dim
        return A, J

    def delassus(self) -> tuple[np.ndarray, np.ndarray]:
        """W = J A^-1 J^T and q = J v* + b, in full: u = W lam + q."""
        A, J = self.matrices()
        W = J @ np.linalg.solve(A, J.T)
        free = np.concatenate([c.v_free for c in self.cliques]) if self.cliques else np.zeros(0)
        bias = np.concatenate([b.bias for b in self.blocks]) if self.blocks else np.zeros(0)
        return 0.5 * (W + W.T), J @ free + bias

    def residual(self, v: Any, lam: Any) -> float:
        """Largest natural map over the blocks [m/s]; see `contact.algebra.residuals`."""
        from dalembert.contact.algebra.prepare import prepare
        from dalembert.contact.algebra.residuals import measure

        packed = self.packed()
        prepare(packed)
        packed.v[:], packed.lam[:] = v, lam
        islands = [packed.island(i) for i in range(packed.islands)]
        return max((float(measure(packed, island)) for island in islands), default=0.0)

    def solve(
        self,
        method: str | ContactSolver = "auto",
        *,
        tol: float | None = None,
        budget: int | None = None,
        forces: str = "nearest",
    ) -> Answer:
        """Velocities v, impulses lam and what the solver reports; see `solve`."""
        return solve(self, method, tol=tol, budget=budget, forces=forces)

    def solved_by(
        self, solver: ContactSolver, tol: float | None, budget: int | None, least: bool
    ) -> Answer:
        """Velocities, impulses and report of a solver that does not refuse the problem."""
        return solve_cliques(self, solver, tol, budget, least)

    def refuses(self, solver: ContactSolver) -> str | None:
        """A sentence when the solver cannot treat the problem, else None."""
        return solver.refuse(frozenset(b.kind for b in self.blocks))

    def title(self) -> str:
        """Numbers of velocities, blocks and contacts, in one line."""
        contacts = sum(b.kind in ("CONE", "ROLL") for b in self.blocks)
        n, blocks = sum(len(c.v_free) for c in self.cliques), len(self.blocks)
        return f"{n} velocities, {blocks} blocks, {contacts} contacts"

    # -- files -----------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the problem to a file of NumPy arrays (.npz)."""
        save(self.cliques, self.blocks, path)

    @classmethod
    def load(cls, path: str | Path) -> ContactProblem:
        """Read what `save` has written; a ModelError or FileError says what is wrong with it."""
        kept = load(path)
        made = cls()
        try:
            if "delassus" in kept:
                from dalembert.contact.given.delassus_problem import DelassusProblem

                return DelassusProblem.kept(kept)
            cliques, blocks = parts(kept)
            for clique in cliques:
                made.add_clique(**clique)
            for block in blocks:
                made.add_block(**block)
        except DalembertError:
            raise
        except Exception as problem:  # whatever the damage is, the user needs the file's name
            raise damaged(path, problem) from problem
        return made


def solve(
    problem: ContactProblem,
    method: str | ContactSolver = "auto",
    *,
    tol: float | None = None,
    budget: int | None = None,
    forces: str = "nearest",
) -> Answer:
    """Velocities [m/s, rad/s], impulses [N s, N m s] and what the solver reports.

    Parameters
    ----------
    method : a solver such as ProjectedGaussSeidel(sweeps=20), or its short name: "auto", "newton",
        "interior", "nsgs", "admm", "convex", "lemke", "pgs", with parameters as in "pgs:sweeps=20"
    tol : residual to reach [m/s]; where W is given also that part of |q|, the velocities there
        would be without impulses. None: the solver's own, else 1e-8 |q| over all blocks
    budget : factorisations, sweeps, iterations or pivots; None: the solver's own limit
    forces : which impulses of dependent rows, where the velocities leave them open: "nearest" to
        the warm start, or those of least norm, "min_norm" (`contact.solvers.least_norm`)

    Raises
    ------
    OptionError         the solver does not treat a kind of block; the message names both. Or its
        law is not that of the cone, and `forces` is "min_norm"
    ModelError, MassMatrixError     see `ContactProblem.check`

    Examples
    --------
    A motor of at most 3 N s in this step that should bring 2 kg to 1 m/s, and does:

    >>> problem = ContactProblem()
    >>> cart = problem.add_clique([[2.0]], v_free=[0.0])
    >>> motor = problem.add_block("BOX", [[1.0]], cart, bias=-1.0, lower=-3.0, upper=3.0)
    >>> v, lam, info = solve(problem, "newton")
    >>> v.round(6), lam.round(6), info.residual < 1e-8
    (array([1.]), array([2.]), True)
    """
    solver = solver_of(method)
    if tol is not None and not tol > 0.0:
        raise OptionError(f"tol = {tol}: give a positive residual in m/s.")
    reason = problem.refuses(solver)
    if reason is not None:
        raise OptionError(reason)
    least = wants_least_norm("solve", solver, forces)
    return problem.solved_by(solver, tol, budget, least)


solve_contact = solve
"""`solve` by its public name."""
