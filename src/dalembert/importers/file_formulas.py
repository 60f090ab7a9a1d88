"""Formulas of a model file: symbols that were named so far, and where each formula stands."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from dalembert.errors import FormulaError, ImportFileError
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.parser import number, parse
from dalembert.formulas.variables import check_name
from dalembert.importers.known_names import KnownNames
from dalembert.importers.schema import ModelEntry
from dalembert.importers.source import Place, Source, shown


class FileFormulas:
    """Formulas of one file."""

    def __init__(self, source: Source, entry: ModelEntry) -> None:
        self.source = source
        self.entry = entry
        self.symbols = KnownNames()

    def check_symbol(self, name: str, place: Place) -> None:
        """Refuse what cannot be the name of a symbol."""
        try:
            check_name(name)
        except FormulaError as problem:
            self.source.refuse(place, str(problem))

    def add_symbol(self, name: str, symbol: Expression, place: Place) -> None:
        """Name a symbol for formulas that follow."""
        self.check_symbol(name.removesuffix(".dot") if symbol.op != "coordinate" else name, place)
        if name in self.symbols:
            self.source.refuse(place, f"the name {name!r} is taken already. Choose another.")
        self.symbols[name] = symbol

    def formula(
        self, text: str | float, place: Place, extra: Mapping[str, Expression] | None = None
    ) -> Expression:
        """The formula of a text, or a number."""
        where = f"{self.source.where(place)}: {shown(place)}"
        known = ChainMap(dict(extra), self.symbols) if extra else self.symbols
        try:
            return parse(text, known, where) if isinstance(text, str) else number(text, where)
        except FormulaError as problem:
            raise ImportFileError(str(problem)) from None

    def formulas(self, texts: list[Any], place: Place, size: int | None = None) -> list[Expression]:
        """Formulas of a list, of a given size if there is one."""
        if size is not None and len(texts) != size:
            self.source.refuse(place, f"{shown(place)} has {len(texts)} entries, expected {size}.")
        return [self.formula(text, (*place, i)) for i, text in enumerate(texts)]

    def optional(self, key: str) -> Expression | None:
        """The formula under a key of the file, or None."""
        text = getattr(self.entry, key)
        return None if text is None else self.formula(text, (key,))

    def potential(self) -> Expression:
        """The potential energy, zero where none is stated."""
        stated = self.optional("potential")
        return ZERO if stated is None else stated

    def gravity(self) -> list[Expression] | None:
        """The acceleration of gravity, or None."""
        given = self.entry.gravity
        return None if given is None else self.formulas(given, ("gravity",))

    def located(self, message: str) -> str:
        """The message of a model with the line of the element it names in front."""
        keys = {
            "constraint": "constraints",
            "force on": "forces",
            "initial": "initial",
            "point": "points",
            "parameter": "parameters",
            "joint": "joints",
            "sensor": "sensors",
            "force": "forces",
        }
        found = re.search(rf"\b({'|'.join(keys)}) '([^']+)'", message)
        if found is None:
            return f"{self.source.path}: {message}"
        key, name = keys[found[1]], found[2]
        place: Place = (key, name)
        if key == "constraints" and isinstance(self.entry.constraints, list):
            place = (key, int(name[1:]) - 1 if name[1:].isdigit() else 0)
        return f"{self.source.where(place)}: {message}"
