"""A store of things made from formulas that may be asked for again, as long as they are recent."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """The `most` things asked for last, by what they are made from.

    What is no longer here lives on with whoever uses it, and its machine code with it.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The thing of this key, made if it is not here."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                found: T = self._made[key]
                return found
        made = make()
        with self._lock:
            made = self._made.setdefault(key, made)
            while len(self._made) > self.most:
                self._made.popitem(last=False)
        return made

    def clear(self) -> None:
        """Let go of all of them."""
        with self._lock:
            self._made.clear()

    def __len__(self) -> int:
        return len(self._made)
