"""Actions at an event: values set, constraints released and engaged, the run ended."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.unchanging import Settled

END = "end"
"""The action that ends a run."""


def _name_of(what: Any, action: str) -> str:
    """Name of a joint, a constraint or a force, or of what is given by name."""
    name = what if isinstance(what, str) else getattr(what, "name", None)
    if not isinstance(name, str) or not name:
        raise OptionError(
            f"{action}: {what!r:.60} is no joint or constraint. Give one of the model, or its name."
        )
    return name


@dataclass(frozen=True)
class Release(Settled):
    """A joint, constraint, one-sided constraint or force that acts no more from here on.

    Velocities stay what they are. Motors, limits and sensors of a joint go with it.

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.Release("link")
    Release(what='link')
    """

    what: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", _name_of(self.what, "Release"))


@dataclass(frozen=True)
class Engage(Settled):
    """A joint, constraint, one-sided constraint or force of the model that acts from here on.

    Where velocities contradict a constraint that engages they jump by an impact without
    restitution: M (v+ - v-) = J^T p, J v+ + phi_t = 0. Positions must fit it already.

    Examples
    --------
    >>> import dalembert as dl
    >>> dl.Engage("latch")
    Engage(what='latch')
    """

    what: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", _name_of(self.what, "Engage"))


@dataclass(frozen=True)
class Set:
    """Coordinates, velocities and parameters that get other values.

    Parameters
    ----------
    values : dict {coordinate, velocity, parameter, or a name of it: number or formula}
        A formula has the state before; all are worked out before any is set. Velocities that are
        not set change as little as constraints ask for, by the kinetic energy of the change.
    """

    values: Mapping[Any, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping) or not self.values:
            raise OptionError(
                f"action: {self.values!r:.60} sets nothing. Give a dict such as"
                ' {"x.dot": 0.5, "k": 5.0}.'
            )
        for key, value in self.values.items():
            if not isinstance(value, Expression | int | float) or isinstance(value, bool):
                raise OptionError(
                    f"action: {key!r:.40} is set to {value!r:.40}. Give a number or a formula."
                )
            if not isinstance(value, Expression) and not math.isfinite(value):
                raise OptionError(f"action: {key!r:.40} is set to {value}. Give a finite number.")
        read = {set_name(key): value for key, value in self.values.items()}
        object.__setattr__(self, "values", read)


def set_name(key: Any) -> str:
    """Name of what is set."""
    if isinstance(key, str) and key:
        return key[:-1] + ".dot" if key.endswith("'") else key
    if isinstance(key, Expression) and key.op in ("coordinate", "velocity", "parameter"):
        name = str(key.name)
        return f"{name.removesuffix('.dot')}.dot" if key.op == "velocity" else name
    raise OptionError(
        f"action: the key {key!r:.40} is neither a coordinate nor a velocity nor a parameter, nor"
        ' a name of one. Write for example {"x.dot": 0.5}.'
    )


Action = Release | Engage | Set | str


def read_action(given: Any) -> tuple[Action, ...]:
    """Actions in their order; an OptionError tells of what is none."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return (Set(given),)
    if isinstance(given, Release | Engage | Set) or given == END:
        return (given,)
    if isinstance(given, Iterable) and not isinstance(given, str):
        return tuple(action for part in given for action in read_action(part))
    shown = f"{given!r:.60}"
    if isinstance(given, type):
        shown = f"the class {given.__name__}"
    elif callable(given):
        shown = "a function"
    raise OptionError(
        f"Event: {shown} is no action. Give dl.Release(...), dl.Engage(...), a dict of"
        ' values, "end", or a list of these.'
    )
