"""Rules for named pairs: other coefficients, or that they do not touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.names import nearest
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.contact.combine import Combine, PairLaw, combined
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.material import NUMBERS, Material

SET, IGNORE, ALLOW = "set", "ignore", "allow"


@dataclass(frozen=True)
class Selector:
    """One side of a rule.

    Attributes
    ----------
    what : "shape", "body" or "material"
    name : str
    """

    what: str
    name: str

    def fits(self, shape: ContactShape) -> bool:
        """Whether a shape is meant."""
        if self.what == "body":
            return shape.body == self.name
        return (shape.name if self.what == "shape" else shape.material.name) == self.name


@dataclass(frozen=True)
class ContactRule:
    """A rule for pairs: `action` is "set", "ignore" or "allow"; of several the last one counts."""

    action: str
    a: Selector
    b: Selector
    values: Mapping[str, Quantity] = field(default_factory=dict)

    def fits(self, one: ContactShape, two: ContactShape) -> bool:
        """Whether a pair of shapes is meant, in either order."""
        return (self.a.fits(one) and self.b.fits(two)) or (self.a.fits(two) and self.b.fits(one))


class ContactRules(Sequence[ContactRule]):
    """The rules of a model in the order they were given, and its combine rule.

    Attributes
    ----------
    combine : Combine
    """

    def __init__(self, rules: Sequence[ContactRule] = (), combine: Combine | None = None) -> None:
        self._rules = tuple(rules)
        self.combine = combine or Combine()

    def with_rule(self, rule: ContactRule) -> ContactRules:
        """These rules and one more."""
        return ContactRules((*self._rules, rule), self.combine)

    def with_combine(self, combine: Combine) -> ContactRules:
        """These rules and another way to combine materials."""
        return ContactRules(self._rules, combine)

    def law(
        self, a: ContactShape, b: ContactShape, parameters: Mapping[str, float] | None = None
    ) -> PairLaw:
        """The law of a pair of shapes, in numbers; in formulas with `AS_FORMULAS`."""
        told: dict[str, Any] = {}
        for rule in self._rules:
            if rule.action == SET and rule.fits(a, b):
                if "friction" in rule.values:
                    told.pop("static_friction", None)  # was said beside another friction
                told |= {key: value_of(x, parameters) for key, x in rule.values.items()}
        known = {} if parameters is None else parameters
        return combined(a.material, b.material, self.combine, known, told)

    def verdict(self, a: ContactShape, b: ContactShape) -> str:
        """Verdict of the rules on a pair: "ignore", "allow", or nothing."""
        said = ""
        for rule in self._rules:
            if rule.action != SET and rule.fits(a, b):
                said = rule.action
        return said

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        return [x for r in self._rules for x in r.values.values() if isinstance(x, Expression)]

    def __iter__(self) -> Iterator[ContactRule]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __getitem__(self, index: Any) -> Any:
        return self._rules[index]

    def __repr__(self) -> str:
        return f"ContactRules({len(self)} rule{'s' * (len(self) != 1)}, {self.combine!r})"


def selector(
    given: Any,
    shapes: Sequence[ContactShape],
    bodies: Mapping[str, Any],
    element: str,
    findings: Findings,
) -> Selector:
    """The selector for a shape, a body, the world, a material, or the name of one."""
    if isinstance(given, ContactShape):
        if not any(shape is given for shape in shapes):
            findings.add(element, f"{given!r} belongs to another model.")
        return Selector("shape", given.name)
    if isinstance(given, Material):
        if not given.name:
            findings.add(element, "the material has no name. Give it one: Material(name='steel').")
        return Selector("material", given.name)
    name = given if isinstance(given, str) else getattr(given, "name", None)
    materials = {shape.material.name for shape in shapes} - {""}
    if name == WORLD or name in bodies:
        if not isinstance(given, str) and name != WORLD and bodies[str(name)] is not given:
            findings.add(element, f"'{name}' is a body of another model.")
        return Selector("body", str(name))
    if any(shape.name == name for shape in shapes):
        return Selector("shape", str(name))
    if name in materials:
        return Selector("material", str(name))
    known = nearest(str(name), [*bodies, WORLD, *(s.name for s in shapes), *sorted(materials)])
    findings.add(element, f"there is no body, shape or material {name or given!r:.60}{known}")
    return Selector("body", str(name))


def read_values(given: Mapping[str, Any], element: str, findings: Findings) -> dict[str, Quantity]:
    """Coefficients of a pair, checked as those of a material are."""
    unknown = [key for key in given if key not in NUMBERS]
    for key in unknown:
        findings.add(element, f"has no {key!r}{nearest(key, list(NUMBERS))}")
    kept = {key: x for key, x in given.items() if key not in unknown and x is not None}
    if "static_friction" in kept and "friction" not in kept:
        findings.add(element, "static_friction goes with friction, which is not given. Add it.")
    try:
        made = Material(**kept)
    except ValueError as problem:
        findings.add(element, str(problem).removeprefix("Material: "))
        return {}
    return {key: getattr(made, key) for key in kept}
