"""Materials: what a surface does to another that touches it.

A contact is rigid unless a stiffness is given: its normal impulse keeps the gap open and nothing
else (Signorini's law), its tangential impulse lies in the round cone |lam_t| <= mu lam_n and
opposes sliding (Coulomb's law). Where static friction is given, surfaces that stick hold up to
mu_s lam_n, and once they slide mu lam_n acts again (stick-slip).

With a stiffness k and a damping d the normal force is -k phi - d phi', phi being the gap (contact
14); k may be given as a frequency f and a damping ratio z instead, k = m (2 pi f)^2 and
d = 2 z m (2 pi f) with the mass m that the contact feels.
Hunt and Crossley's damping c makes d = c k max(0, -phi): no damping force at first touch.
Viscous friction is a force -c s against the velocity s of sliding, beside Coulomb's and not limited
by its cone, while surfaces touch: that of a film of oil (contact 13).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar

from dalembert.formulas.expression import Expression, lift
from dalembert.formulas.functions import where
from dalembert.model.basics.limits import Limit, beyond
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.unchanging import BY_PARAMETERS, Settled

DEFAULT_FRICTION = 0.5
"""Coulomb coefficient of a shape about which nothing is said."""

COMPLIANCE = (
    "stiffness",
    "damping",
    "frequency",
    "damping_ratio",
    "tangential_stiffness",
    "tangential_damping",
    "dissipation",
)
"""Fields that make a contact soft; None where nothing is said."""


@dataclass(frozen=True, eq=False, repr=False)
class Material(Settled):
    """Friction, restitution and compliance of a surface.

    Numbers may be formulas of parameters, so that a sweep can change them.

    Parameters
    ----------
    friction : float
        Coulomb's coefficient mu; how two surfaces combine is said by `Combine`.
    static_friction : float
        Coefficient mu_s of surfaces that stick, not below `friction`; by default the same.
    restitution : float, 0 to 1
        Speed after an impact over that before.
    rolling : float  [m]
        Arm of the resistance to rolling: the torque is at most rolling * normal force.
    torsional : float  [m]
        The same for spinning about the normal.
    stiffness : float  [N/m]
        Of each contact point; without it (and without frequency) the contact is rigid.
    damping : float  [N s/m]
        Beside a stiffness.
    frequency : float  [Hz]
        Instead of a stiffness: of the free oscillation on one contact point.
    damping_ratio : float
        Beside a frequency; 1 is critical, and the default.
    tangential_stiffness, tangential_damping : float  [N/m], [N s/m]
        Of a sticking contact; without them it sticks rigidly.
    dissipation : float  [s/m]
        Hunt and Crossley's damping; beside a stiffness, instead of damping.
    viscous : float  [N s/m]
        Friction against the sliding in proportion to it, of each contact point, beside `friction`.
    surface_velocity : 3 numbers  [m/s]
        Of the surface against its own body, in the body's axes: a conveyor belt.
    name : str
        For files and rules about pairs.

    Examples
    --------
    >>> Material(friction=0.6, restitution=0.2)
    Material(friction=0.6, restitution=0.2)
    >>> Material(friction=-1.0)
    Traceback (most recent call last):
        ...
    dalembert.errors.ModelError: Material: friction is -1. Give a number that is not negative.
    """

    _later: ClassVar[str] = BY_PARAMETERS

    _: KW_ONLY
    friction: Quantity = DEFAULT_FRICTION
    static_friction: Quantity | None = None
    restitution: Quantity = 0.0
    rolling: Quantity = 0.0
    torsional: Quantity = 0.0
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    frequency: Quantity | None = None
    damping_ratio: Quantity | None = None
    tangential_stiffness: Quantity | None = None
    tangential_damping: Quantity | None = None
    dissipation: Quantity | None = None
    viscous: Quantity = 0.0
    surface_velocity: Any = (0.0, 0.0, 0.0)
    name: str = ""

    def __post_init__(self) -> None:
        findings = Findings()
        given: object = self.name
        if not isinstance(given, str) or any(mark in given for mark in ":/"):
            findings.append(f"the name is {given!r:.60}. Give a text without ':' and '/'.")
            object.__setattr__(self, "name", "")
        for field in NUMBERS:
            value = getattr(self, field)
            if value is not None or field not in OPTIONAL:
                object.__setattr__(self, field, as_quantity(value, field, findings))
        entries = self.surface_velocity
        try:
            entries = list(entries)
        except TypeError:
            entries = []
        if len(entries) != 3:
            findings.append(f"surface_velocity is {self.surface_velocity!r:.60}. Give 3 numbers.")
            entries = [0.0, 0.0, 0.0]
        along = tuple(as_quantity(entry, "surface_velocity", findings) for entry in entries)
        object.__setattr__(self, "surface_velocity", along)
        if not findings:
            findings += self.findings({})
        findings.raise_if_any(f"Material '{self.name}'" if self.name else "Material")

    def findings(self, parameters: Mapping[str, float]) -> list[str]:
        """Mistakes in the numbers, with the given parameter values."""
        found = beyond(self.limits, parameters)
        if not found:
            found += beyond(static_limits(self.friction, self.static_friction), parameters)
        return found + _contradictions(self)

    @property
    def limits(self) -> list[Limit]:
        """Bounds of the numbers; those of static friction come behind (`static_limits`)."""
        return [
            limit_of(field, getattr(self, field))
            for field in NUMBERS
            if getattr(self, field) is not None
        ]

    def number(self, field: str, parameters: Mapping[str, float] | None = None) -> float | None:
        """Value of a field with the given parameter values; None where nothing is said."""
        quantity = getattr(self, field)
        return None if quantity is None else value_of(quantity, parameters)

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        entries = [*(getattr(self, field) for field in NUMBERS), *self.surface_velocity]
        return [x for x in entries if isinstance(x, Expression)]

    @property
    def is_rigid(self) -> bool:
        """Whether the surface gives way to nothing."""
        return self.stiffness is None and self.frequency is None

    @property
    def moves(self) -> bool:
        """Whether the surface moves against its body."""
        return any(isinstance(x, Expression) or x != 0.0 for x in self.surface_velocity)

    def stated(self) -> dict[str, Any]:
        """Values that differ from the default, by field."""
        found: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Expression) or value != field.default:
                found[field.name] = value
        return found

    def same(self, other: Material) -> bool:
        """Whether both say the same, names included."""
        mine, others = self.stated(), other.stated()
        return mine.keys() == others.keys() and all(
            mine[key] is others[key] or mine[key] == others[key] for key in mine
        )

    def __repr__(self) -> str:
        stated = self.stated()
        shown = [f"friction={_text(self.friction)}"]
        shown += [f"{key}={_text(x)}" for key, x in stated.items() if key != "friction"]
        return f"Material({', '.join(shown)})"


OPTIONAL = ("static_friction", *COMPLIANCE)
"""Fields that may be None."""

NUMBERS = ("friction", "restitution", "rolling", "torsional", "viscous", *OPTIONAL)
"""Fields that hold one number."""


POSITIVE = ("stiffness", "frequency", "tangential_stiffness")
"""Fields that are left out rather than zero."""


def limit_of(field: str, quantity: Quantity) -> Limit:
    """Bounds of a coefficient."""
    missing = f"{field} is not a finite number. Give one."
    if field == "restitution":
        told = "restitution is {x}. Give a number from 0 to 1."
        return Limit(quantity, told, high=1.0, missing=missing)
    if field in POSITIVE:
        told = f"{field} is {{x}}. Give a positive number, or leave it out."
        return Limit(quantity, told, strict=True, missing=missing)
    told = f"{field} is {{x}}. Give a number that is not negative."
    return Limit(quantity, told, missing=missing)


def static_limits(friction: Quantity, static: Quantity | None) -> list[Limit]:
    """Bounds of a coefficient of static friction beside that of sliding."""
    if static is None:
        return []
    gaps = {"static": static, "friction": friction}
    below = (
        "static_friction is {static}, below friction, {friction}. Give at least that, or leave it "
        "out."
    )
    alone = "static_friction is {static} without friction. Give friction, too."
    # a negative one is told of by its own limit
    sliding: Quantity = where(lift(static) > 0.0, abs(lift(friction)), 1.0)
    return [
        Limit(static - friction, below, gaps=gaps),
        Limit(sliding, alone, strict=True, gaps=gaps),
    ]


def _contradictions(given: Material) -> list[str]:
    """Fields that do not go together."""
    found = []
    if given.stiffness is not None and given.frequency is not None:
        found.append("has a stiffness and a frequency. Keep one.")
    for field, needs in (
        ("damping", "stiffness"),
        ("dissipation", "stiffness"),
        ("damping_ratio", "frequency"),
        ("tangential_damping", "tangential_stiffness"),
    ):
        if getattr(given, field) is not None and getattr(given, needs) is None:
            found.append(f"{field} goes with {needs}, which is not given. Add it.")
    if given.damping is not None and given.dissipation is not None:
        found.append("has damping and dissipation. Keep one.")
    return found


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, float):
        return f"{value:g}" if math.isfinite(value) else str(value)
    return repr(value)
