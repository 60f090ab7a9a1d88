"""Names a user gave, and the nearest one when there is none such."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from dalembert.errors import UnknownNameError

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


class Known(dict[str, Thing]):
    """A dictionary by names whose missing keys are told with the nearest name.

    Examples
    --------
    >>> Known("body", {"crank": 1})["krank"]
    Traceback (most recent call last):
    ...
    dalembert.errors.UnknownNameError: there is no body 'krank'; did you mean 'crank'?
    """

    def __init__(self, what: str, given: Mapping[str, Thing]) -> None:
        super().__init__(given)
        self.what = what

    def __missing__(self, name: Any) -> NoReturn:
        raise UnknownNameError(f"there is no {self.what} {name!r:.60}{nearest(str(name), [*self])}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Known, (self.what, dict(self))
