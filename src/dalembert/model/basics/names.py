"""Names a user gave, and the nearest one when there is none such."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from dalembert.errors import ModelError, UnknownNameError

Key = TypeVar("Key")
Thing = TypeVar("Thing")


def nearest(given: str, known: Sequence[str]) -> str:
    """End of a sentence: the nearest known name, or all of them when they are few, or some."""
    if not known:
        return " (there are none)."
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    if len(known) <= 12:
        return f" (known: {', '.join(known)})."
    return f" (there are {len(known)}: {', '.join(known[:6])}, ...)."


def did_you_mean(given: str, known: Sequence[str]) -> str:
    """End of a sentence before all known names: the nearest one, or its full stop."""
    same = [other for other in known if other.lower() == given.lower()]
    close = same or difflib.get_close_matches(given, known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else "."


class Told(dict[Key, Thing]):
    """Parts of a model by names, to be read; changes are refused with the way to make them.

    A copy is an ordinary dictionary.

    Examples
    --------
    >>> Told("limits", "Use set_limits.", {"l": 1.0})["l"] = 2.0
    Traceback (most recent call last):
    ...
    dalembert.errors.ModelError: limits of a model are not changed in place. Use set_limits.
    """

    def __init__(self, what: str, way: str, given: Mapping[Key, Thing]) -> None:
        super().__init__(given)
        self.what, self.way = what, way

    def _refuse(self, *given: Any, **more: Any) -> NoReturn:
        raise ModelError(f"{self.what} of a model are not changed in place. {self.way}")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Known(Told[str, Thing]):
    """Parts of a model by names whose missing keys are told with the nearest one.

    Examples
    --------
    >>> Known("body", {"crank": 1})["krank"]
    Traceback (most recent call last):
    ...
    dalembert.errors.UnknownNameError: there is no body 'krank'; did you mean 'crank'?
    """

    def __init__(self, what: str, given: Mapping[str, Thing]) -> None:
        many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
        add = "force" if what == "actuator" else what
        super().__init__(
            many, f"Add what is new with add_{add}, to a model without the old.", given
        )
        self.kind = what

    def __missing__(self, name: Any) -> NoReturn:
        raise UnknownNameError(f"there is no {self.kind} {name!r:.60}{nearest(str(name), [*self])}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Known, (self.kind, dict(self))
