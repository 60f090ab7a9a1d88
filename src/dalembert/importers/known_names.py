"""Names that formulas of a file may use; those of a body or joint are made when one is asked for.

A body has some forty of them, derivatives included, and most files use none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dalembert.formulas.expression import Expression

SHOWN = 100
"""Bodies and joints whose names are made to be shown in a message."""


class KnownNames(dict[str, Expression]):
    """Name -> formula. A name is ``x``, ``m``, ``ship.x`` or ``ship.x.dot``."""

    def __init__(self) -> None:
        super().__init__()
        self._late: dict[str, list[Callable[[], None]]] = {}

    def later(self, owner: str, add: Callable[[], None]) -> None:
        """Have the names of a body or joint added when one of them is asked for."""
        self._late.setdefault(owner.partition(".")[0], []).append(add)

    def _make(self, name: Any) -> None:
        for add in self._late.pop(str(name).partition(".")[0], ()):
            add()

    def __contains__(self, name: Any) -> bool:
        self._make(name)
        return super().__contains__(name)

    def __missing__(self, name: str) -> Expression:
        if name in self:
            return self[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for owner in list(self._late)[:SHOWN]:
            self._make(owner)
        return super().__iter__()

    def setdefault(self, name: str, formula: Expression) -> Expression:
        """The formula of a name, which is this one if there is none yet."""
        return self[name] if name in self else super().setdefault(name, formula)
