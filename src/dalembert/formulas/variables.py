"""Coordinates, parameters and time: the symbols a user writes formulas with."""

from __future__ import annotations

import keyword
import numbers
import re
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dalembert.errors import FormulaError
from dalembert.formulas.expression import TIME, Expression, coordinate, parameter

time = TIME
"""The time [s]; a formula that contains it is explicitly time-dependent."""

_RESERVED = {"t", "time", "dot"}


def check_name(name: str) -> str:
    """`name` itself when it can name a symbol; parts may be joined by dots (``ship.pitch``)."""
    parts = name.split(".")
    if not all(p.isidentifier() and not keyword.iskeyword(p) for p in parts):
        raise FormulaError(
            f"'{name}' cannot name a coordinate or parameter. Use letters, digits and "
            "underscores, beginning with a letter; several names are separated by spaces."
        )
    if name in _RESERVED or parts[-1] == "dot":
        raise FormulaError(
            f"'{name}' is reserved (t and time mean the time, x.dot the velocity of x). "
            "Choose another name."
        )
    return name


@overload
def coordinates(names: str) -> tuple[Expression, ...]: ...
@overload
def coordinates(names: str, count: int) -> npt.NDArray[Any]: ...


def coordinates(names: str, count: int | None = None) -> tuple[Expression, ...] | npt.NDArray[Any]:
    """Coordinates of the given names.

    Parameters
    ----------
    names : str      names separated by spaces; with `count`, one prefix
    count : int      how many coordinates to number, from 0

    Returns
    -------
    tuple of Expression, or with `count` an object array; the velocity of `x` is ``x.dot``

    Examples
    --------
    >>> x, y = coordinates("x y")
    >>> q = coordinates("q", 3)
    >>> q[2].name
    'q2'
    """
    if not isinstance(names, str) or isinstance(count, str):
        raise FormulaError(
            "coordinates() takes all names in one text. Write for example coordinates('x y')."
        )
    parts = names.replace(",", " ").split()
    if not parts:
        raise FormulaError("coordinates() got no name. Give for example coordinates('x y').")
    if count is None:
        if len(set(parts)) < len(parts):
            twice = next(p for p in parts if parts.count(p) > 1)
            raise FormulaError(f"Coordinate '{twice}' is named twice. Give each its own name.")
        return tuple(coordinate(check_name(p)) for p in parts)
    if len(parts) != 1 or isinstance(count, bool) or count < 0:
        raise FormulaError(
            f"coordinates({names!r}, {count}) needs one prefix and a count of 0 or more, "
            "for example coordinates('q', 9)."
        )
    array = np.empty(int(count), dtype=object)
    for i in range(int(count)):
        array[i] = coordinate(check_name(f"{parts[0]}{i}"))
    return array


def parameters(**values: float) -> tuple[Expression, ...]:
    """Parameters of the given names and values, in order.

    A parameter may take another value in each run without a new compilation.

    Examples
    --------
    >>> m, l = parameters(m=1.0, l=2.0)
    >>> (m * l**2).__repr__()
    'm*l**2'
    """
    for name, value in values.items():
        is_number = isinstance(value, (numbers.Real, np.number))
        if not is_number or isinstance(value, (bool, np.bool_)):
            raise FormulaError(
                f"Parameter '{name}': {value!r:.60} is not a number. Give a finite number."
            )
    return tuple(parameter(check_name(name), float(value)) for name, value in values.items())


def reaction(name: str, row: int = 0) -> Expression:
    """The multiplier of an ideal constraint, to stand in formulas of forces (methods 2.2).

    Parameters
    ----------
    name : str       of the constraint or joint
    row : int        which of its rows, from 0

    Examples
    --------
    A bead that rubs on the ring it slides along. The ring presses with J^T lam, here 2 r lam:

    >>> x, y = coordinates("x y")
    >>> press = 2.0 * abs(reaction("ring"))
    >>> press
    2*abs(ring.reaction)
    """
    if not isinstance(name, str) or not name:
        raise FormulaError(f"reaction({name!r}): give the name of a constraint.")
    if isinstance(row, bool) or not isinstance(row, int) or row < 0:
        raise FormulaError(f"reaction({name!r}, {row!r}): a row is a whole number, from 0.")
    return parameter(f"{name}.reaction{row or ''}", 0.0)


def side_of_switch(number: int) -> Expression:
    """The side of a switch, 1 or 0: held for a while, and changed at moments of a run."""
    return parameter(f"switch:{number}", 0.0)


def is_side(name: str) -> bool:
    """Whether a parameter is the side of a switch."""
    return name.startswith("switch:")


def reaction_of(name: str) -> tuple[str, int] | None:
    """Constraint and row of a parameter that is a reaction, else None."""
    found = re.fullmatch(r"(.+)\.reaction(\d*)", name)
    return None if found is None else (found[1], int(found[2] or 0))
