"""Contents of a model, to see whether it still is what it was.

Elements of a model are never changed, only replaced: a model is what it was when it has the same
ones, in the same order, with the same numbers beside them.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from dalembert.formulas.node import Node

T = TypeVar("T")

DERIVED = frozenset({"_equations", "_energies"})
"""Attributes that a model works out from the rest of it when asked."""

PLAIN = frozenset({bool, int, str, type(None)})

_closed: dict[type, bool] = {}
"""Whether objects of a class can have other contents later."""


class Contents(NamedTuple):
    """Marks of everything in a model, equal for equal contents while `held` is alive."""

    marks: tuple[Any, ...]
    held: tuple[Any, ...]


_noted: contextvars.ContextVar[dict[int, tuple[Any, Contents]] | None] = contextvars.ContextVar(
    "noted", default=None
)


@contextlib.contextmanager
def unchanged() -> Iterator[None]:
    """Note contents of a model once in the block, in which nobody changes any."""
    token = _noted.set({})
    try:
        yield
    finally:
        _noted.reset(token)


def contents(model: Any) -> Contents:
    """Contents of a model as of now."""
    noted = _noted.get()
    if noted is None:
        return _contents(model)
    if id(model) not in noted:
        noted[id(model)] = model, _contents(model)
    return noted[id(model)][1]


def _contents(model: Any) -> Contents:
    """Contents of a model, looked at anew."""
    marks: list[Any] = [type(model)]
    held: list[Any] = []
    for name, value in vars(model).items():
        if name not in DERIVED:
            marks.append(name)
            _note(value, marks, held)
    return Contents(tuple(marks), tuple(held))


def _note(value: Any, marks: list[Any], held: list[Any]) -> None:
    kind = type(value)
    if kind is float:
        marks.append(value.hex())  # 0.0 and -0.0 are equal, and not the same
    elif kind in PLAIN:
        marks.append(value)
    elif kind is dict:
        marks.append(len(value))
        for key, entry in value.items():
            marks.append(key)
            _note(entry, marks, held)
    elif kind is list:
        marks.append(len(value))
        for entry in value:
            _note(entry, marks, held)
    else:
        marks.append(-id(value))
        held.append(value)
        if not _is_closed(kind):
            for entry in vars(value).values():
                _note(entry, marks, held)


def _is_closed(kind: type) -> bool:
    """True where the identity of an object says all: it is never changed."""
    known = _closed.get(kind)
    if known is None:
        frozen = getattr(kind, "__dataclass_params__", None)
        known = bool(frozen is not None and frozen.frozen)
        known = known or issubclass(kind, Node | tuple | float | int) or not _has_names(kind)
        _closed[kind] = known
    return known


def _has_names(kind: type) -> bool:
    """Whether objects of a class have attributes of their own by name."""
    return any("__dict__" in vars(part) for part in kind.__mro__)


def remembered(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """A function of a model that is worked out once, as long as the model stays what it is.

    Whoever calls it leaves the result as it is.
    """
    known: weakref.WeakKeyDictionary[Any, tuple[Contents, T]] = weakref.WeakKeyDictionary()

    @functools.wraps(function)
    def asked(model: Any) -> T:
        now = contents(model)
        last = known.get(model)
        if last is None or last[0].marks != now.marks:
            last = known[model] = (now, function(model))
        return last[1]

    return asked
