"""Two materials to one law: how coefficients of a pair follow from those of its surfaces.

Springs of two surfaces act one behind the other: 1/k = 1/k1 + 1/k2, and each surface's damping
counts by the share of the deflection it takes, s1 = k/k1 and s2 = k/k2 (with s1 + s2 = 1), as in
Drake's point contact: d = s1^2 d1 + s2^2 d2 makes the power -d phi'^2 that of both, and the
dissipation c = s1 c1 + s2 c2. A rigid surface has s = 0. Of two frequencies the lower one counts,
of a stiffness and a frequency the stiffness, of damping and dissipation the damping. Of two
coefficients of viscous friction the larger counts. Static friction combines as friction does, a
surface without one giving its friction; what is said of a pair's friction counts for both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression, lift
from dalembert.formulas.functions import maximum, minimum, where
from dalembert.model.basics.unchanging import Settled
from dalembert.model.contact.material import Material


def _are_numbers(*given: Any) -> bool:
    return not any(isinstance(x, Expression) for x in given)


def _root(x: Any) -> Any:
    return math.sqrt(x) if _are_numbers(x) else x.sqrt()


def _smaller(a: Any, b: Any) -> Any:
    return min(a, b) if _are_numbers(a, b) else minimum(a, b)


def _larger(a: Any, b: Any) -> Any:
    return max(a, b) if _are_numbers(a, b) else maximum(a, b)


def _harmonic(a: Any, b: Any) -> Any:
    if _are_numbers(a, b):
        return 2.0 * a * b / (a + b) if a + b > 0.0 else 0.0
    return where(a + b > 0.0, 2.0 * a * b / (a + b), 0.0)


RULES: dict[str, Callable[[Any, Any], Any]] = {
    "geometric": lambda a, b: _root(a * b),
    "mean": lambda a, b: 0.5 * (a + b),
    "harmonic": _harmonic,
    "product": lambda a, b: a * b,
    "min": _smaller,
    "max": _larger,
}
"""Ways to make one of two numbers, or of two formulas."""


@dataclass(frozen=True)
class Combine(Settled):
    """How the coefficients of two materials make those of their contact.

    Parameters
    ----------
    friction, restitution, rolling, torsional : str
        "geometric" (root of the product), "mean", "harmonic", "product", "min" or "max". That of
        friction is that of static friction, too.

    Examples
    --------
    >>> Combine(restitution="min")
    Combine(friction='geometric', restitution='min', rolling='max', torsional='max')
    """

    friction: str = "geometric"
    restitution: str = "max"
    rolling: str = "max"
    torsional: str = "max"

    def __post_init__(self) -> None:
        for field in fields(self):
            rule = getattr(self, field.name)
            if not isinstance(rule, str) or rule not in RULES:
                raise ModelError(
                    f"Combine: {field.name} is {rule!r:.60}. Give one of {', '.join(RULES)}."
                )

    def __call__(self, field: str, a: Any, b: Any) -> Any:
        """The coefficient of a pair."""
        return RULES[getattr(self, field)](a, b)


@dataclass(frozen=True)
class PairLaw:
    """The law of one pair of surfaces, in numbers; what is None is rigid or not there.

    Attributes
    ----------
    friction, static_friction, restitution : float
    rolling, torsional : float  [m]
    stiffness, damping : float or None  [N/m], [N s/m]
    frequency, damping_ratio : float or None  [Hz]
    tangential_stiffness, tangential_damping : float or None  [N/m], [N s/m]
    dissipation : float or None  [s/m]
    viscous : float  [N s/m]
    """

    friction: float
    static_friction: float
    restitution: float = 0.0
    rolling: float = 0.0
    torsional: float = 0.0
    stiffness: float | None = None
    damping: float | None = None
    frequency: float | None = None
    damping_ratio: float | None = None
    tangential_stiffness: float | None = None
    tangential_damping: float | None = None
    dissipation: float | None = None
    viscous: float = 0.0

    @property
    def is_rigid(self) -> bool:
        """Whether nothing gives way along the normal."""
        return self.stiffness is None and self.frequency is None


def combined(
    a: Material,
    b: Material,
    rule: Combine,
    parameters: Mapping[str, float],
    told: Mapping[str, Any] | None = None,
) -> PairLaw:
    """The law of two surfaces; what `told` says of the pair itself counts instead.

    With `AS_FORMULAS` for parameters its numbers are formulas of them.

    Examples
    --------
    >>> ice, rubber = Material(friction=0.04), Material(friction=1.0)
    >>> combined(ice, rubber, Combine(), {}).friction
    0.2
    """
    law: dict[str, Any] = {}
    for field in ("friction", "restitution", "rolling", "torsional"):
        law[field] = rule(field, *(_stated(one, field, parameters) for one in (a, b)))
    law["static_friction"] = rule("friction", *(_static(one, parameters) for one in (a, b)))
    law["viscous"] = _larger(*(_stated(one, "viscous", parameters) for one in (a, b)))
    one, two = ({f: m.number(f, parameters) for f in SOFT} for m in (a, b))
    law |= _in_series(one, two, "stiffness", "damping", "dissipation")
    law |= _in_series(one, two, "tangential_stiffness", "tangential_damping")
    law |= _lower(one, two)
    if law.get("frequency") is not None and law.get("stiffness") is not None:
        law["frequency"] = law["damping_ratio"] = None  # a stiffness says more
    told = told or {}
    if told.get("stiffness") is not None:
        law |= {"frequency": None, "damping_ratio": None, "damping": None, "dissipation": None}
    if told.get("frequency") is not None:
        law |= {"stiffness": None, "damping": None, "dissipation": None, "damping_ratio": None}
    if told.get("friction") is not None:
        law["static_friction"] = told["friction"]
    law |= told
    if law.get("frequency") is not None and law.get("damping_ratio") is None:
        law["damping_ratio"] = 1.0
    return PairLaw(**law)


SOFT = (
    "stiffness",
    "damping",
    "frequency",
    "damping_ratio",
    "tangential_stiffness",
    "tangential_damping",
    "dissipation",
)


def _stated(one: Material, field: str, parameters: Mapping[str, float]) -> Any:
    """A coefficient of a surface; zero where nothing is said."""
    found = one.number(field, parameters)
    return 0.0 if found is None else found


def _static(one: Material, parameters: Mapping[str, float]) -> Any:
    """Static friction of a surface: that of sliding where nothing else is said."""
    return _stated(
        one, "friction" if one.static_friction is None else "static_friction", parameters
    )


def _in_series(
    one: Mapping[str, float | None],
    two: Mapping[str, float | None],
    stiffness: str,
    damping: str,
    dissipation: str = "",
) -> dict[str, float | None]:
    """Springs one behind the other, and what they lose."""
    found: dict[str, float | None] = dict.fromkeys(
        x for x in (stiffness, damping, dissipation) if x
    )
    soft = [(k, m) for m in (one, two) if (k := m[stiffness]) is not None]
    if not soft:
        return found
    whole = 1.0 / sum(1.0 / k for k, _ in soft)
    found[stiffness] = whole
    for key, power in ((damping, 2), (dissipation, 1)):
        said = [(whole / k, x) for k, m in soft if key and (x := m[key]) is not None]
        if said:
            found[key] = sum(share**power * x for share, x in said)
    if dissipation and found[damping] is not None:
        found[dissipation] = None  # of two surfaces with one each, the linear one counts
    return found


def _lower(
    one: Mapping[str, float | None], two: Mapping[str, float | None]
) -> dict[str, float | None]:
    """The lower of two frequencies, with its damping."""
    said = [m for m in (one, two) if m["frequency"] is not None]
    if not said:
        return {"frequency": None, "damping_ratio": None}
    frequencies = [m["frequency"] for m in said]
    if _are_numbers(*frequencies):
        least = min(said, key=lambda m: m["frequency"] or 0.0)
        return {"frequency": least["frequency"], "damping_ratio": least["damping_ratio"]}
    if len(said) == 1:
        return {"frequency": frequencies[0], "damping_ratio": said[0]["damping_ratio"]}
    first, second = frequencies
    ratios = [1.0 if m["damping_ratio"] is None else m["damping_ratio"] for m in said]
    return {
        "frequency": _smaller(first, second),
        "damping_ratio": where(lift(first) <= second, *ratios),
    }
