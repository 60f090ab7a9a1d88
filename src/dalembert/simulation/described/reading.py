"""Tables to objects. Nothing in a file is trusted: names, counts, places and types are looked at.

Objects are made empty, their declared fields set, and what a constructor would have refused is
refused here (`checks`). Whatever is wrong is a ValueError with a reason; the caller adds the file.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.formulas.packing import unpack
from dalembert.simulation.described.checks import check
from dalembert.simulation.described.classes import CLASSES, defaults_of, fields_of
from dalembert.simulation.described.types import fits
from dalembert.simulation.described.writing import (
    ARRAY,
    DICT,
    DOUBLE,
    ENTRIES,
    FORMAT,
    FORMULA,
    KINDS,
    LIST,
    OBJECT,
    SPECIAL,
    TUPLE,
    VERSION,
    VIEW,
)

DEEPEST = 20
"""Tuples within tuples."""

LARGEST_INT = 2**63
LONGEST_TEXT = 100_000

LEAVES = {"constant": 1, "coordinate": 1, "velocity": 1, "parameter": 2, "time": 1}
"""Leaves a formula in a file may have, and what stands behind their names."""


def decode(described: Any, arrays: Mapping[str, Any]) -> Any:
    """The root of a description.

    Raises
    ------
    ValueError      the data is no description, or describes what cannot be
    """
    if not isinstance(described, dict) or described.get("format") != FORMAT:
        raise ValueError("it is no description of a run")
    if described.get("version") != VERSION:
        raise ValueError(f"its version is {described.get('version')!r:.20}, not {VERSION}")
    try:
        return _Reader(described, arrays).read()
    except RecursionError:
        raise ValueError("its parts are nested too deeply") from None


class _Reader:
    def __init__(self, described: dict[str, Any], arrays: Mapping[str, Any]) -> None:
        for name in ("classes", "nodes", "formulas", "objects"):
            if not isinstance(described.get(name), list):
                raise ValueError(f"{name!r} is no list")
        self._described = described
        self._arrays = arrays
        self._classes = [_class(entry) for entry in described["classes"]]
        self._formulas = _formulas(described["nodes"], described["formulas"])

    def read(self) -> Any:
        rows = self._described["objects"]
        self._objects = [self._empty(row) for row in rows]
        records = []
        for row, made in zip(rows, self._objects, strict=True):
            if isinstance(made, list):
                made.extend(self._value(x) for x in row[1:])
            elif isinstance(made, dict):
                self._fill(made, row)
            else:
                self._set(made, row)
                records.append(made)
        root = self._value(self._described.get("root"))
        for made in records:
            kind: Any = type(made)
            for name, hint in fields_of(kind).items():
                if not fits(getattr(made, name), hint):
                    raise ValueError(
                        f"{type(made).__name__}.{name} cannot be"
                        f" {type(getattr(made, name)).__name__}"
                    )
        for made in records:
            check(made)
        return root

    # -- objects -------------------------------------------------------------------------------

    def _empty(self, row: Any) -> Any:
        if not isinstance(row, list) or not row:
            raise ValueError("an object is no list")
        if row[0] == LIST:
            return []
        if row[0] in (DICT, VIEW):
            return {}
        if not _is_place(row[0], self._classes):
            raise ValueError(f"there is no class {row[0]!r:.40}")
        return object.__new__(self._classes[row[0]][0])

    def _fill(self, made: dict[Any, Any], row: list[Any]) -> None:
        if len(row) % 2 == 0:
            raise ValueError("a table has a key without a value")
        for key, part in zip(row[1::2], row[2::2], strict=True):
            found = self._value(key)
            if not _is_key(found):
                raise ValueError(f"a table has a key of the kind {type(found).__name__}")
            made[found] = self._value(part)
        if len(made) != len(row) // 2:
            raise ValueError("a table has a key twice")

    def _set(self, made: Any, row: list[Any]) -> None:
        _, names = self._classes[row[0]]
        if len(row) != 1 + len(names):
            raise ValueError(f"a {type(made).__name__} has {len(row) - 1} fields")
        kind: Any = type(made)
        for name, part in defaults_of(kind).items():
            object.__setattr__(made, name, part)
        for name, part in zip(names, row[1:], strict=True):
            object.__setattr__(made, name, self._value(part))

    # -- values --------------------------------------------------------------------------------

    def _value(self, given: Any, depth: int = 0) -> Any:
        if isinstance(given, list):
            return self._tagged(given, depth)
        if isinstance(given, str):
            if len(given) > LONGEST_TEXT:
                raise ValueError(f"a text has {len(given)} characters")
            return given
        if isinstance(given, int) and not -LARGEST_INT <= given < LARGEST_INT:
            raise ValueError("a whole number is too large")
        if isinstance(given, float) and not math.isfinite(given):
            raise ValueError("a number is not finite")
        if given is None or isinstance(given, bool | int | float):
            return given
        raise ValueError(f"{given!r:.40} is no value")

    def _tagged(self, given: list[Any], depth: int) -> Any:
        if depth > DEEPEST or not given:
            raise ValueError("a value is nested too deeply" if given else "a value is empty")
        tag = given[0]
        if tag == TUPLE:
            return tuple(self._value(x, depth + 1) for x in given[1:])
        if tag == ENTRIES:
            return self._entries(given[1:], depth)
        if len(given) != 2:
            raise ValueError(f"{given!r:.40} is no value")
        part = given[1]
        if tag == OBJECT and _is_place(part, self._objects):
            found = self._objects[part]
            viewed = self._described["objects"][part][0] == VIEW
            return types.MappingProxyType(found) if viewed else found
        if tag == FORMULA and _is_place(part, self._formulas):
            return self._formulas[part]
        if tag == DOUBLE and isinstance(part, float) and math.isfinite(part):
            return np.float64(part)
        if tag == SPECIAL and part in ("inf", "-inf", "nan"):
            return float(part)
        if tag == ARRAY and isinstance(part, int):
            return self._array(f"array{part}")
        raise ValueError(f"{given!r:.40} is no value")

    def _array(self, name: str) -> np.ndarray:
        found = self._arrays.get(name)
        if not isinstance(found, np.ndarray) or found.dtype.str not in KINDS:
            raise ValueError(f"the array {name!r} is missing or of another kind")
        return np.ascontiguousarray(found)

    def _entries(self, parts: list[Any], depth: int) -> np.ndarray:
        shape = parts[0] if parts else None
        if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError("an array has no shape")
        if len(shape) > 3 or math.prod(shape) != len(parts) - 1:
            raise ValueError("an array has other entries than its shape says")
        made = np.empty(len(parts) - 1, dtype=object)
        made[:] = [self._value(x, depth + 1) for x in parts[1:]]
        return made.reshape(shape)


def _class(entry: Any) -> tuple[type, list[str]]:
    """A declared class and the fields a file has of it."""
    if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[1], list):
        raise ValueError("a class is not given by its name and fields")
    name, names = entry
    made = CLASSES.get(name) if isinstance(name, str) else None
    if made is None:
        raise ValueError(f"{name!r:.60} is no class that may be in a file")
    if not all(isinstance(x, str) for x in names) or len(set(names)) != len(names):
        raise ValueError(f"the fields of {name} are no names")
    unknown = set(names) - set(fields_of(made))
    missing = set(fields_of(made)) - set(names) - set(defaults_of(made))
    if unknown or missing:
        what = min(unknown or missing)
        raise ValueError(f"{name}.{what!s:.40} is {'unknown' if unknown else 'missing'}")
    return made, names


def _formulas(nodes: list[Any], places: list[Any]) -> list[Any]:
    """The formulas of a table of nodes."""
    rows: list[tuple[Any, ...]] = []
    for row in nodes:
        if not isinstance(row, list) or not row or not isinstance(row[0], str):
            raise ValueError("a formula is no list with an operation")
        op, *rest = row
        if op in LEAVES:
            if len(rest) != LEAVES[op]:
                raise ValueError(f"a formula has a {op} with {len(rest)} entries")
            rows.append((op, _leaf(op, rest)))
        elif op == "load" or not all(_is_place(k, rows) for k in rest):
            raise ValueError(f"a formula refers to what does not precede it ({op!r:.20})")
        else:
            rows.append((op, *rest))
    if not all(_is_place(k, rows) for k in places):
        raise ValueError("a formula is not among the nodes")
    return unpack((rows, places))


def _leaf(op: str, rest: list[Any]) -> Any:
    if op == "time":
        return None
    if op != "constant":
        name = rest[0]
        if not isinstance(name, str) or not 0 < len(name) <= LONGEST_TEXT:
            raise ValueError("a formula has a symbol without a name")
        if op != "parameter":
            return name
    number = rest[-1]
    if isinstance(number, bool) or not isinstance(number, int | float) or not _is_finite(number):
        raise ValueError("a formula has a number that is none")
    return float(number) if op == "constant" else (rest[0], float(number))


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _is_place(k: Any, of: list[Any]) -> bool:
    return type(k) is int and 0 <= k < len(of)


def _is_key(key: Any) -> bool:
    if isinstance(key, tuple):
        return all(_is_key(part) for part in key)
    return isinstance(key, str | int | Expression)
