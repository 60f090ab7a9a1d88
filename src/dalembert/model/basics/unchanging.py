"""Descriptions that do not change once they are made: a refusal that says what to do instead.

Python writes its own refusal ("cannot assign to field 'k'") into every frozen dataclass, after the
class is made; here it is exchanged when the first object of a class is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any, ClassVar, NoReturn, Self

from dalembert.errors import ChangeError
from dalembert.model.basics.names import nearest

BY_PARAMETERS = (
    " A number that is to change later is given as a parameter ((k,) = dl.parameters(k=2.0)) and"
    " changed by model.with_parameters(k=3.0), or in a session by set_parameter."
)
"""How numbers of a model get other values."""


class Settled:
    """Base of frozen dataclasses that users make."""

    __slots__ = ()

    _later: ClassVar[str] = ""
    """How its numbers change later; empty where they never do."""

    def __new__(cls, *args: Any, **options: Any) -> Self:
        """Make an object; the first of a class exchanges its refusal."""
        if "_tells" not in cls.__dict__:
            for one in cls.__mro__:
                if getattr(one.__dict__.get("__dataclass_params__"), "frozen", False):
                    _exchange(one)
            cls._tells = True
        return super().__new__(cls)


def _exchange(kind: type) -> None:
    """Let a frozen class refuse in words."""
    if "_tells" in kind.__dict__:
        return
    assign: Callable[..., None] = kind.__dict__["__setattr__"]
    delete: Callable[..., None] = kind.__dict__["__delattr__"]

    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807 - put into the class
        try:
            assign(self, name, value)
        except FrozenInstanceError:
            _refuse(self, name, f"{value!r:.40}")

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807 - put into the class
        try:
            delete(self, name)
        except FrozenInstanceError:
            _refuse(self, name, "...")

    type.__setattr__(kind, "__setattr__", __setattr__)
    type.__setattr__(kind, "__delattr__", __delattr__)
    type.__setattr__(kind, "_tells", True)


def _refuse(made: Settled, name: str, value: str) -> NoReturn:
    kind = type(made).__name__
    called = getattr(made, "name", None)
    title = f"{kind} '{called}'" if isinstance(called, str) and called else kind
    known = [field.name for field in fields(made) if field.init]  # type: ignore[arg-type]
    if name not in known and not hasattr(made, name):
        raise ChangeError(f"{title} has no '{name}'{nearest(name, known)}") from None
    way, later = "Make another one.", ""
    if name in known:
        way = f"Make another one: dataclasses.replace(old, {name}={value})."
        later = "" if isinstance(getattr(made, name, ""), str | bool) else made._later
    raise ChangeError(
        f"{title}: {name} is not assigned; it does not change once it is made. {way}{later}"
    ) from None
