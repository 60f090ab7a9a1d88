"""Bounds of numbers that parameters decide, and the sentences on those that are beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dalembert.model.basics.quantity import Quantity, value_of


@dataclass(frozen=True)
class Limit:
    """A number with bounds.

    Attributes
    ----------
    quantity : from `low` to `high`; with `strict` not `low` itself
    sentence : on a value beyond them; {x} stands for it, other gaps for quantities of their names
    missing : sentence where it is no finite number; empty: nothing is said
    """

    quantity: Quantity
    sentence: str
    low: float = 0.0
    high: float = math.inf
    strict: bool = False
    missing: str = ""
    gaps: Mapping[str, Quantity] = field(default_factory=dict)

    def of(self, subject: str) -> Limit:
        """A limit whose sentences begin with whose number it is."""
        name = subject.replace("{", "{{").replace("}", "}}")
        missing = f"{name}: {self.missing}" if self.missing else ""
        return replace(self, sentence=f"{name}: {self.sentence}", missing=missing)

    def finding(self, parameters: Mapping[str, float] | None) -> str:
        """The sentence on the number with given values of parameters; empty where it is right."""
        number = value_of(self.quantity, parameters)
        if number is None:
            return self.missing.format()
        if self.low < number <= self.high or (number == self.low and not self.strict):
            return ""
        numbers = {"x": number} | {
            name: value_of(quantity, parameters) for name, quantity in self.gaps.items()
        }
        shown = {name: "nan" if x is None else f"{x:g}" for name, x in numbers.items()}
        return self.sentence.format(**shown)


def beyond(limits: Iterable[Limit], parameters: Mapping[str, float] | None) -> list[str]:
    """Sentences on all numbers beyond their limits."""
    return [found for limit in limits if (found := limit.finding(parameters))]
