"""Surfaces in classes: shapes that obey the same laws against all others.

The law of a pair depends on the two materials and on which rules mean either shape. Shapes that
agree in both are one class, so the laws of a scene are a small symmetric table whatever the number
of its shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dalembert.model.contact.combine import PairLaw
from dalembert.model.contact.rules import IGNORE

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


@dataclass(frozen=True)
class SurfaceClasses:
    """Classes of the surfaces of a model.

    Attributes
    ----------
    of_shape : tuple of int
        Class of each of `Model.contact_shapes`.
    laws : tuple of tuples of PairLaw or None
        Law of two classes; None where a rule says that they do not touch.
    """

    of_shape: tuple[int, ...]
    laws: tuple[tuple[PairLaw | None, ...], ...]


def surface_classes(model: Model, parameters: Any = None) -> SurfaceClasses:
    """The classes of a model's surfaces, with the current parameters or others."""
    rules = model.contact_rules
    number: dict[Any, int] = {}
    firsts = []
    of_shape = []
    for shape in model.contact_shapes:
        sides = tuple((rule.a.fits(shape), rule.b.fits(shape)) for rule in rules)
        key = (tuple(sorted(shape.material.stated().items(), key=lambda x: x[0])), sides)
        if key not in number:
            number[key] = len(number)
            firsts.append(shape)
        of_shape.append(number[key])
    parameters = model.parameters if parameters is None else parameters
    table = tuple(
        tuple(
            None if rules.verdict(a, b) == IGNORE else rules.law(a, b, parameters) for b in firsts
        )
        for a in firsts
    )
    return SurfaceClasses(tuple(of_shape), table)
