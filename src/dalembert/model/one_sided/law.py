"""Laws of one-sided constraints where they are met: only a push, a bounce, or a spring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.contact.material import Material


@dataclass(frozen=True)
class StopLaw:
    """Restitution and compliance; rigid without stiffness and frequency.

    Attributes
    ----------
    restitution : 0 to 1
    stiffness, damping : of a spring between constraint and force, or None
    frequency, damping_ratio : instead of it  [Hz]
    """

    restitution: Quantity = 0.0
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    frequency: Quantity | None = None
    damping_ratio: Quantity | None = None

    def numbers(self, parameters: Mapping[str, float] | None = None) -> dict[str, float | None]:
        """Values by field; None where nothing is said. A frequency alone is critically damped."""
        found: dict[str, float | None] = {}
        for key in (field.name for field in fields(self)):
            given = getattr(self, key)
            found[key] = None if given is None else value_of(given, parameters)
        if found["frequency"] is not None and found["damping_ratio"] is None:
            found["damping_ratio"] = 1.0
        return found

    def stated(self) -> dict[str, Any]:
        """Values that differ from the default, by field."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            key: x
            for key, x in found.items()
            if x is not None and not (key == "restitution" and isinstance(x, float) and x == 0.0)
        }

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        return [x for x in self.stated().values() if isinstance(x, Expression)]


LAW_FIELDS = tuple(field.name for field in fields(StopLaw))


def read_law(given: Any, what: str, *, numbers: bool = False) -> StopLaw:
    """The law among the fields of an element, or in a dict of options; raises what is wrong."""
    options = given if isinstance(given, Mapping) else {k: getattr(given, k) for k in LAW_FIELDS}
    stated = {key: options[key] for key in LAW_FIELDS if options.get(key) is not None}
    try:
        made = Material(friction=0.0, **stated)
    except ModelError as problem:
        raise ModelError(str(problem).replace("Material", what)) from None
    law = StopLaw(**{key: getattr(made, key) for key in LAW_FIELDS})
    if numbers and law.formulas:
        raise ModelError(f"{what}: {law.formulas[0]!r} is a formula. Give numbers.")
    return law
