"""Things made once, whoever asks first and from however many threads.

Two threads that ask at the same time may both make a thing; the first one made stays, and both get
it. `functools.cache` keeps the last one, and so does `cached_property` from Python 3.12 on: the
first would be freed, and its machine code with it, while its address already stands in an array.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import Any, Generic, ParamSpec, TypeVar, overload

P = ParamSpec("P")
T = TypeVar("T")


def once(function: Callable[P, T]) -> Callable[P, T]:
    """The function with its results kept for good, by its arguments."""
    made: dict[Hashable, T] = {}

    @functools.wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(sorted(kwargs.items()))) if kwargs else args
        try:
            return made[key]
        except KeyError:
            return made.setdefault(key, function(*args, **kwargs))

    asked.made = made  # type: ignore[attr-defined]
    return asked


class once_property(Generic[T]):  # noqa: N801 - used as `property` is
    """A property whose first value stays with its object.

    One that a class overrides and asks through `super()` has a place of its own: the value of the
    class stays, not the one it was made of.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.overridden = name, f"{name} of {owner.__qualname__}"

    @overload
    def __get__(self, instance: None, owner: type) -> once_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> once_property[T] | T:
        if instance is None:
            return self
        kept = instance.__dict__
        name = self.name if getattr(owner, self.name) is self else self.overridden
        found: T = kept[name] if name in kept else kept.setdefault(name, self.function(instance))
        return found
