"""Every contact solver: its place in the table, and how one is found by its name.

A solver is a file with its kernel and its class (`contact.solvers.solver`), a line of `SOLVERS`,
its public name in ``dalembert/__init__.py`` and a row of ``docs/reference/contact-solvers.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from dalembert._jit import Kernel
from dalembert._once import once
from dalembert.contact.solvers.automatic import AutomaticContact
from dalembert.contact.solvers.comparison.admm import ADMM
from dalembert.contact.solvers.comparison.convex import ConvexContact
from dalembert.contact.solvers.comparison.lemke import Lemke
from dalembert.contact.solvers.comparison.pgs import ProjectedGaussSeidel
from dalembert.contact.solvers.gauss_seidel import GaussSeidel
from dalembert.contact.solvers.interior_point import InteriorPoint
from dalembert.contact.solvers.newton import NewtonContact
from dalembert.contact.solvers.solver import ContactSolver, of_islands
from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean

SOLVERS: dict[str, type[ContactSolver]] = {
    "auto": AutomaticContact,
    "newton": NewtonContact,
    "nsgs": GaussSeidel,
    "admm": ADMM,
    "convex": ConvexContact,
    "lemke": Lemke,
    "pgs": ProjectedGaussSeidel,
    "interior": InteriorPoint,
}
"""Every solver by its short name."""

AUTO = 0
"""Place of the default solver in the table."""


def name_of(solver: ContactSolver) -> str:
    """Short name of a solver."""
    return next(name for name, kind in SOLVERS.items() if type(solver) is kind)


def place_of(solver: ContactSolver) -> int:
    """Number of a solver in the table, by which islands and runs tell of it."""
    return [*SOLVERS].index(name_of(solver))


@once
def kernel_of(name: str) -> Kernel:
    """The kernel that solves whole problems by the solver of this short name."""
    return of_islands(name, [*SOLVERS].index(name), SOLVERS[name].solve_island)


solve_problem = kernel_of("auto")
"""The kernel of the default solver."""


def solver_of(method: str | ContactSolver) -> ContactSolver:
    """The solver meant by a text, "pgs" or "pgs:sweeps=20"; a solver itself stays as it is."""
    if isinstance(method, ContactSolver):
        return method
    name, *given = str(method).split(":")
    if name not in SOLVERS:
        raise OptionError(
            f"{method!r} is no contact solver{did_you_mean(name, [*SOLVERS])} Give one of "
            f"{', '.join(SOLVERS)}, with parameters as in 'pgs:sweeps=20', or an object such as "
            "ProjectedGaussSeidel(sweeps=20)."
        )
    kind, options = SOLVERS[name], {}
    known = [one.name for one in fields(kind)]
    for part in given:
        key, equals, text = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise OptionError(f"solver {method!r}: {part!r} is not key=value, as sweeps=20.")
        if key not in known:
            raise OptionError(
                f"solver {name}: no parameter {key!r}{did_you_mean(key, known)} "
                f"Known: {', '.join(known)}."
            )
        options[key] = number_or_text(text)
    return kind(**options)


def number_or_text(text: str) -> Any:
    """A whole number, a number, or the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def require_one_of(owner: str, name: str, value: Any, known: Sequence[str]) -> None:
    """Refuse an option that is none of the known words."""
    if value not in known:
        words = ", ".join(map(repr, known))
        near = did_you_mean(str(value), known)
        raise OptionError(f"{owner}: {name} is {value!r:.60}{near} Give one of {words}.")


FORCES = ("nearest", "min_norm")
"""Impulses of dependent rows: nearest to the warm start, or of least norm."""


def wants_least_norm(owner: str, solver: ContactSolver, forces: str) -> bool:
    """Whether `forces` asks for impulses of least norm; refused where the law is not the cone's."""
    require_one_of(owner, "forces", forces, FORCES)
    if forces == "min_norm" and solver.law != "cone":
        raise OptionError(
            f"{owner}: forces='min_norm' is for solvers with the round cone, which"
            f" {type(solver).__name__} has not. Take 'auto', 'newton', 'nsgs' or 'admm'."
        )
    return forces == "min_norm"
