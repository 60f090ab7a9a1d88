"""Every contact solver: its parameters, its facts, its place in the table.

The facts are claims: the conformance battery checks every one of them, and a test compares
``docs/reference/contact-solvers.md`` with them. Adding a solver: a kernel

    name(integers, numbers, island, tolerance, budget) -> status

a kernel of whole problems with it in `contact.optional`, reached by `contact.choose` from Python
and by a border in `contact.borders` from a run; a class here, one line in `SOLVERS`, a row of the
page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal

from dalembert.contact.friction import BoxFriction, Pyramid, friction_of
from dalembert.contact.layout import KINDS
from dalembert.errors import OptionError
from dalembert.model.names import did_you_mean

Law = Literal["cone", "pyramid", "regularised"]

ALL_KINDS = frozenset(KINDS)

PYRAMID = Pyramid()


@dataclass(frozen=True)
class ContactSolver:
    """Base of all contact solvers.

    Parameters
    ----------
    tolerance : float or None   residual at which an island counts as solved  [m/s]; None: 1e-8 for
        islands of up to 32 cliques, 1e-6 for larger ones
    """

    tolerance: float | None = field(default=None, kw_only=True)

    code: ClassVar[int] = 0
    """Code of the solver in `contact.automatic`."""
    counts: ClassVar[str] = ""
    """Its parameter that bounds the work."""
    passes: ClassVar[tuple[str, ...]] = ()
    """Its parameters for the kernel, in the order of the section OPTIONS."""
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
        """Floats for the section OPTIONS of the problem."""
        return [float(getattr(self, name)) for name in self.passes]

    def refuse(self, kinds: frozenset[str]) -> str | None:
        """A sentence when it cannot treat blocks of these kinds, else None."""
        strange = sorted(kinds - self.kinds, key=KINDS.index)
        if not strange:
            return None
        able = ", ".join(n for n, s in SOLVERS.items() if frozenset(strange) <= s.kinds)
        return (
            f"{type(self).__name__} does not treat blocks of kind {' and '.join(strange)}. "
            f"Take one of: {able}."
        )

    def short_name(self) -> str:
        """Its name in `SOLVERS`."""
        return next(name for name, kind in SOLVERS.items() if type(self) is kind)

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


@dataclass(frozen=True)
class AutomaticContact(ContactSolver):
    """Sweeps of Gauss-Seidel, Newton, interior points, and sweeps for what is left: the default.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = 150

    code = 0
    counts = "factorisations"


@dataclass(frozen=True)
class NewtonContact(ContactSolver):
    """Augmented Lagrangian: Newton's method around impulses that move to the rigid answer.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = 150

    code = 1
    counts = "factorisations"


@dataclass(frozen=True)
class InteriorPoint(ContactSolver):
    """Primal-dual interior points on the cones, with Newton's method for the last digits.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = 150

    code = 7
    counts = "factorisations"
    kinds = ALL_KINDS - {"ROLL"}
    warm_start = False


@dataclass(frozen=True)
class GaussSeidel(ContactSolver):
    """Exact block Gauss-Seidel: each contact by itself, with the round cone, one after the other.

    Parameters
    ----------
    sweeps : int    over all blocks, at most
    """

    sweeps: int = 1000

    code = 2
    counts = "sweeps"


@dataclass(frozen=True)
class ADMM(ContactSolver):
    """Proximal alternating direction method of multipliers, one factorisation used many times.

    Parameters
    ----------
    iterations : int    at most
    penalty : float     of the first factorisation, relative to each block's own W
    """

    iterations: int = 5000
    penalty: float = 0.1

    code = 3
    passes = ("penalty",)
    counts = "iterations"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "penalty", self.penalty)


@dataclass(frozen=True)
class ConvexContact(ContactSolver):
    """One regularised convex problem, as SAP and MuJoCo solve: unique, continuous, a little soft.

    Rigid normal rows get the compliance rigidity^2 w / (4 pi^2), the tangents `slip` w. Bodies at
    rest on a slope creep, sliding ones lift off with mu times their speed, heavy ones sink.

    Parameters
    ----------
    rigidity : float    period of rigid contacts in steps; smaller is stiffer
    slip : float        compliance of friction relative to each block's own W
    """

    rigidity: float = 1.0
    slip: float = 1e-3

    code = 4
    passes = ("rigidity", "slip")
    law = "regularised"
    warm_start = False
    unique = True

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "rigidity", self.rigidity)
        positive(self, "slip", self.slip)


@dataclass(frozen=True)
class Lemke(ContactSolver):
    """The complementarity problem of Stewart and Trinkle by pivots, for tens of contacts.

    Parameters
    ----------
    directions : int    of the friction pyramid: 4, 6, 8, ...
    pivots : int        at most
    """

    directions: int = 8
    pivots: int = 20000

    code = 5
    passes = ("directions",)
    counts = "pivots"
    law = "pyramid"
    kinds = ALL_KINDS - {"ROLL"}
    warm_start = False

    def __post_init__(self) -> None:
        super().__post_init__()
        Pyramid(self.directions)

    @property
    def friction(self) -> Pyramid:
        """The pyramid with these directions."""
        return Pyramid(self.directions)

    def with_friction(self, friction: Pyramid | BoxFriction) -> Lemke:
        """A copy of the solver with another pyramid."""
        if not isinstance(friction, Pyramid):
            raise OptionError(f"Lemke works with a pyramid, not with {friction!r}.")
        return replace(self, directions=friction.edges)


@dataclass(frozen=True)
class ProjectedGaussSeidel(ContactSolver):
    """Projected Gauss-Seidel with a friction pyramid or box, as lectures and games have it.

    Parameters
    ----------
    sweeps : int                        over all rows, at most
    friction : Pyramid or BoxFriction   what stands for the cone; also "pyramid", "pyramid8", "box"
    """

    sweeps: int = 50
    friction: Pyramid | BoxFriction = PYRAMID

    code = 6
    passes = ("corners",)
    counts = "sweeps"
    law = "pyramid"

    def __post_init__(self) -> None:
        super().__post_init__()
        shape = friction_of("ProjectedGaussSeidel", self.friction)
        object.__setattr__(self, "friction", shape)

    @property
    def corners(self) -> int:
        """Number of corners of the polygon of friction."""
        return self.friction.corners

    def with_friction(self, friction: Pyramid | BoxFriction) -> ProjectedGaussSeidel:
        """A copy of the solver with another shape of friction."""
        return replace(self, friction=friction)


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
