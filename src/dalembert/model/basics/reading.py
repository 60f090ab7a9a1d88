"""The user's input, read as formulas; everything wrong is collected with its place.

Accepted as a formula: a traced expression, a number, a zero-dimensional array of either, and a
SymPy expression. Text is not: formulas in text belong in model files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.errors import FormulaError, ModelError
from dalembert.formulas.expression import ZERO, Condition, Expression, coordinate, parameter
from dalembert.formulas.graph import symbols
from dalembert.formulas.rows import as_expression

_SYMPY_REMEDY = " List coordinates in coordinates= and give values in parameters={name: value}."


Names = Mapping[str, Expression] | Callable[[], Mapping[str, Expression]]


class Findings(list[str]):
    """Sentences about what is wrong, raised together."""

    def add(self, element: str, what: str) -> None:
        """Note that `element` is wrong; `what` says how, and what to do."""
        self.append(f"{element}: {what}")

    def raise_if_any(self, subject: str) -> None:
        """Raise one ModelError that lists them all."""
        if len(self) == 1:
            raise ModelError(f"{subject}: {self[0]}")
        if self:
            lines = "\n".join(f"  - {finding}" for finding in self)
            raise ModelError(f"{subject} has {len(self)} problems:\n{lines}")


class Reader:
    """Turns what was given into formulas; SymPy symbols are looked up in `names`.

    `names` may be a function that gives them: a large model has many, and they are seldom needed.
    """

    def __init__(self, findings: Findings, names: Names | None = None) -> None:
        self.findings = findings
        self._given = names

    @cached_property
    def names(self) -> dict[str, Expression]:
        """Symbols by name, velocities as `to_sympy` calls them included."""
        given = self._given() if callable(self._given) else self._given
        found = dict(given or {})
        moving = [symbol for symbol in found.values() if symbol.op == "coordinate"]
        return found | {f"{symbol.name}.dot": symbol.dot for symbol in moving}

    def formula(self, given: Any, element: str) -> Expression:
        """One formula; on failure a finding, and zero."""
        if _is_foreign(given):
            self.findings.add(element, f"{_shown(given)} is not a formula. {_remedy(given)}")
            return ZERO
        try:
            if is_sympy(given):
                from dalembert.formulas.sympy_bridge import from_sympy

                return from_sympy(given, self.names)
            return as_expression(given)
        except FormulaError as problem:
            remedy = _SYMPY_REMEDY if is_sympy(given) else ""
            self.findings.add(element, f"{problem}{remedy}")
            return ZERO

    def vector(self, given: Any, element: str) -> list[Expression]:
        """One formula or a (nested) sequence of them, flattened."""
        if is_sympy(given) and hasattr(given, "tolist"):
            given = given.tolist()
        if isinstance(given, np.ndarray | list | tuple):
            flat = list(_flattened(given))
            if len(flat) == 1:
                return [self.formula(flat[0], element)]
            return [self.formula(entry, f"{element}[{i}]") for i, entry in enumerate(flat)]
        return [self.formula(given, element)]

    def sized(self, given: Any, element: str, size: int) -> list[Expression]:
        """A vector of formulas with `size` entries; otherwise a finding, and zeros."""
        entries = self.vector(given, element)
        if len(entries) == size:
            return entries
        self.findings.add(element, f"has {len(entries)} entries, but there are {size} coordinates.")
        return [ZERO] * size

    def matrix(self, given: Any, element: str, size: int) -> list[list[Expression]]:
        """A size x size matrix of formulas; on a wrong shape a finding, and zeros."""
        if is_sympy(given) and hasattr(given, "tolist"):
            given = given.tolist()
        zeros = [[ZERO] * size for _ in range(size)]
        if not isinstance(given, np.ndarray | list | tuple):
            if size == 1:
                return [[self.formula(given, element)]]
            self.findings.add(element, f"is {_shown(given)}. Give a {size} x {size} matrix.")
            return zeros
        rows = [list(row) if isinstance(row, np.ndarray | list | tuple) else None for row in given]
        widths = {None if row is None else len(row) for row in rows}
        if len(rows) != size or widths != {size}:
            shape = " x ".join(map(str, np.shape(np.asarray(given, dtype=object))))
            self.findings.add(
                element,
                f"has shape {shape or 'of a number'}, but there are {size} coordinates. "
                f"Give a {size} x {size} matrix.",
            )
            return zeros
        return [
            [self.formula(entry, f"{element}[{i}][{j}]") for j, entry in enumerate(row or [])]
            for i, row in enumerate(rows)
        ]


def is_sympy(given: Any) -> bool:
    """True for an object of SymPy, functions x(t) included; does not import SymPy."""
    # the class of x(t) is made at run time and belongs to no module; its parents do
    modules = (getattr(kind, "__module__", None) or "" for kind in type(given).__mro__)
    return any(module.partition(".")[0] == "sympy" for module in modules)


def names_in(*given: Any) -> dict[str, Expression]:
    """Coordinates and parameters of every traced formula in nested input, by name.

    A SymPy formula beside them may then use the same names.
    """
    found: list[Expression] = []
    stack: list[Any] = list(given)
    while stack:
        item = stack.pop()
        if isinstance(item, Mapping):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple) or (isinstance(item, np.ndarray) and item.ndim > 0):
            stack += list(item)
        elif isinstance(item, Expression):
            found.append(item)
    leaves = symbols(found, "coordinate", "velocity", "parameter")
    return {s.name: coordinate(s.name) if s.op == "velocity" else s for s in leaves}


def given_parameters(given: Mapping[Any, Any] | None, findings: Findings) -> dict[str, Expression]:
    """Parameters named for SymPy formulas: {name or SymPy symbol: value or dl parameter}."""
    found: dict[str, Expression] = {}
    for key, value in (given or {}).items():
        name = str(key)
        if isinstance(value, Expression) and value.op == "parameter":
            found[name] = value
            continue
        try:
            found[name] = parameter(name, float(value))
        except (FormulaError, TypeError, ValueError):
            findings.add(f"parameter '{name}'", f"{value!r:.60} is not a finite number. Give one.")
    return found


def _flattened(given: Any) -> Iterable[Any]:
    for entry in given:
        if isinstance(entry, np.ndarray | list | tuple) and np.ndim(entry) != 0:
            yield from _flattened(entry)
        elif is_sympy(entry) and hasattr(entry, "tolist"):
            yield from _flattened(entry.tolist())
        else:
            yield entry


def _shown(given: Any) -> str:
    return f"{given!r:.60} (a {type(given).__name__})"


def _is_foreign(given: Any) -> bool:
    return (
        given is None
        or isinstance(given, str | bool | np.bool_ | Condition | Mapping | set | list | tuple)
        or (callable(given) and not is_sympy(given))
        or (isinstance(given, np.ndarray) and given.size != 1)
    )


def _remedy(given: Any) -> str:
    if isinstance(given, str):
        return "Write it in Python with dl.coordinates and np functions, without quotes."
    if isinstance(given, bool | np.bool_):
        return "`==` compares at once: write the difference that must vanish."
    if isinstance(given, Condition):
        return (
            "Write what must vanish, x - y instead of x <= y, or choose with dl.where; one-sided "
            "constraints are given to model.keep."
        )
    if callable(given):
        return "Call it with coordinates and pass the result."
    if isinstance(given, list | tuple | np.ndarray):
        return "Give one formula here."
    return "Use numbers, coordinates, velocities, parameters and dl.time."
