"""Signals written as text: names of a model, and formulas of them."""

from __future__ import annotations

from typing import Any


def parsed(text: str, model: Any, where: str) -> Any:
    """The formula that a text says, of coordinates, parameters, names of the model, and ``t``."""
    from dalembert.formulas.parser import parse
    from dalembert.formulas.variables import time

    symbols = {coordinate.name: coordinate for coordinate in model.coordinates}
    for name, value in model.parameters.items():
        symbols.setdefault(name, _parameter(name, value))
    symbols.setdefault("t", time)
    return parse(text, Named(model, symbols), where=where)


def is_plain(text: str) -> bool:
    """Whether a text is a name, perhaps misspelt, and no formula."""
    return text.replace(".", "").replace("_", "").replace("-", "").isalnum()


class Named(dict[str, Any]):
    """Symbols of a formula, and what is known by name: ``trunk.x``, ``knee.angle.ddot``."""

    def __init__(self, model: Any, symbols: dict[str, Any]) -> None:
        super().__init__(symbols)
        self.model = model

    def __contains__(self, name: object) -> bool:
        from dalembert.model.basics.by_name import formula_of

        if super().__contains__(name):
            return True
        found = formula_of(self.model, str(name))
        if found is not None:
            self[str(name)] = found
        return found is not None


def _parameter(name: str, value: float) -> Any:
    from dalembert.formulas.variables import parameters

    return parameters(**{name: value})[0]
