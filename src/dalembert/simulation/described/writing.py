"""Objects to tables: every object once, every formula once, numbers as they are."""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np

from dalembert.errors import FileError
from dalembert.formulas.node import Node
from dalembert.formulas.packing import pack
from dalembert.simulation.described.classes import DERIVED, NAMES, fields_of

FORMAT, VERSION = "dalembert-description", 1

TUPLE, OBJECT, FORMULA, SPECIAL, DOUBLE, ARRAY, ENTRIES = "t", "o", "f", "x", "d", "a", "n"
"""First entry of a list that stands for a value: a tuple, the number of an object or a formula, a
number that JSON does not have, one of NumPy, the number of an array, an array of anything."""

LIST, DICT, VIEW = "list", "dict", "view"
"""First entry of an object that is of no declared class; a view is a mapping to read only."""

KINDS = ("<f8", "<i8", "<i4", "|b1")
"""Arrays that may be in a file."""


class NotDeclaredError(FileError):
    """Something that is no data: an object of a user's own class, a function."""


def encode(root: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The root and whatever it refers to: what JSON can say, and arrays by name."""
    return _Writer().write(root)


def is_declared(part: Any) -> bool:
    """Whether an object and all its parts can be written."""
    try:
        encode(part)
    except NotDeclaredError:
        return False
    return True


class _Writer:
    def __init__(self) -> None:
        self._formulas: dict[Node, int] = {}
        self._objects: dict[int, int] = {}
        self._waiting: list[Any] = []
        self._classes: dict[type, int] = {}
        self._arrays: dict[str, np.ndarray] = {}

    def write(self, root: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        shown = self._value(root)
        rows: list[list[Any]] = []
        for found in self._waiting:  # grows meanwhile
            rows.append(self._row(found))
        formulas, places = pack(list(self._formulas))
        nodes = [list(_flat(row)) for row in formulas]
        described = {
            "format": FORMAT,
            "version": VERSION,
            "classes": [[NAMES[made], [*_kept(made)]] for made in self._classes],
            "nodes": nodes,
            "formulas": places,
            "objects": rows,
            "root": shown,
        }
        return described, self._arrays

    def _row(self, found: Any) -> list[Any]:
        """One line of the table of objects."""
        if isinstance(found, list):
            return [LIST, *map(self._value, found)]
        if isinstance(found, dict | types.MappingProxyType):
            sort = DICT if isinstance(found, dict) else VIEW
            return [sort, *(self._value(x) for pair in found.items() for x in pair)]
        made = type(found)
        number = self._classes.setdefault(made, len(self._classes))
        return [number, *(self._value(getattr(found, name)) for name in _kept(made))]

    def _value(self, given: Any) -> Any:
        if given is None or isinstance(given, bool | str):
            return given
        if type(given) is int:
            return given
        if isinstance(given, float | np.floating):
            if not math.isfinite(given):
                return [SPECIAL, repr(float(given))]
            return float(given) if type(given) is float else [DOUBLE, float(given)]
        if isinstance(given, np.integer):
            return int(given)
        if isinstance(given, np.bool_):
            return bool(given)
        if isinstance(given, Node):
            return [FORMULA, self._formulas.setdefault(given, len(self._formulas))]
        if isinstance(given, np.ndarray):
            return self._array(given)
        if type(given) is tuple:
            return [TUPLE, *map(self._value, given)]
        return [OBJECT, self._number(given)]

    def _array(self, given: np.ndarray) -> list[Any]:
        if given.dtype == object:
            return [ENTRIES, list(given.shape), *map(self._value, given.ravel())]
        if given.dtype.str not in KINDS:
            raise NotDeclaredError(f"an array of {given.dtype} cannot be written.")
        name = f"array{len(self._arrays)}"
        self._arrays[name] = given
        return [ARRAY, len(self._arrays) - 1]

    def _number(self, given: Any) -> int:
        """Number of an object, which will be written if it is new."""
        known = self._objects.get(id(given))
        if known is not None:
            return known
        made = type(given)
        if made not in NAMES and made not in (list, dict, types.MappingProxyType):
            raise NotDeclaredError(
                f"{given!r:.80} is of the class {made.__qualname__}, which is not one of dalembert."
                " Such a run cannot be written as data. Leave it out, or write the numbers with"
                " solution.to_numpy()."
            )
        number = self._objects[id(given)] = len(self._waiting)
        self._waiting.append(given)
        return number


def _kept(made: type) -> list[str]:
    return [name for name in fields_of(made) if name not in DERIVED]


def _flat(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A parameter is (name, value): both in the line itself."""
    return (row[0], *row[1]) if row[0] == "parameter" else row
