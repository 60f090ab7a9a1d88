"""Initial states, parameters and controls of all worlds, as tables with a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.threads import in_threads
from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.names import nearest

Array = NDArray[np.float64]

IN_CACHE = 1 << 15
"""Numbers of a table that are filled at a time."""


def name_of(given: Any) -> str:
    """The name by which a coordinate, velocity, parameter or actuator is given."""
    if isinstance(given, str):
        return given
    if isinstance(given, Expression):
        return given.name if given.op == "parameter" else repr(given)
    return str(getattr(given, "name", given))


def count_worlds(who: str, worlds: int | None, *tables: Any) -> int:
    """How many worlds there are: as said, or as many as the longest table has rows."""
    found = {n for n in map(_rows, tables) if n is not None}
    if worlds is not None:
        if not isinstance(worlds, (int, np.integer)) or worlds < 1:
            raise OptionError(f"{who}: worlds is {worlds!r}. Give a whole number, 1 or more.")
        found.add(int(worlds))
    if len(found) > 1:
        shown = ", ".join(map(str, sorted(found)))
        raise OptionError(
            f"{who}: what is given has {shown} rows. Give as many everywhere, one a world."
        )
    return found.pop() if found else 1


def _rows(table: Any) -> int | None:
    """Rows of what is given for the worlds; None where it is the same for all."""
    if table is None:
        return None
    if isinstance(table, Mapping):
        return next((n for n in map(_rows, table.values()) if n is not None), None)
    if isinstance(table, tuple) and any(map(np.ndim, table)):  # coordinates and velocities
        return next((n for n in map(_rows, table) if n is not None), None)
    shape = np.shape(table)
    return None if not shape else int(shape[0])


def column(who: str, what: str, values: Any, worlds: int) -> Array:
    """A number for each world."""
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise OptionError(
            f"{who}: {what} is {values!r:.60}. Give a number, or one for each world."
        ) from None
    if found.shape not in ((), (worlds,)):
        raise OptionError(
            f"{who}: {what} has the shape {found.shape}. Give a number, or"
            f" {worlds} of them, one for each world."
        )
    if not np.all(np.isfinite(found)):
        world = int(np.flatnonzero(~np.isfinite(np.broadcast_to(found, (worlds,))))[0])
        raise OptionError(f"{who}: {what} of world {world} is not a finite number.")
    return np.broadcast_to(found, (worlds,))


def initial_states(
    who: str, initial: Any, names: tuple[Sequence[str], Sequence[str]], start: Any, worlds: int
) -> tuple[Array, Array]:
    """Coordinates and velocities of all worlds, rows of two tables.

    Parameters
    ----------
    initial : None, {name: numbers}, or a pair of tables
    names : of coordinates and of velocities of the run
    start : coordinates and velocities of the model's own start
    """
    tables = [np.tile(np.asarray(x, dtype=float), (worlds, 1)) for x in start]
    if isinstance(initial, Mapping):
        for key, values in initial.items():
            name = name_of(key)
            for table, own in zip(tables, names, strict=True):
                if name in own:
                    table[:, list(own).index(name)] = column(who, f"initial {name}", values, worlds)
                    break
            else:
                known = [*names[0], *names[1]]
                raise OptionError(
                    f"{who}: initial names {name!r}, which is no coordinate or velocity of the"
                    f" run{nearest(name, known)} Its coordinates are {', '.join(names[0])}."
                )
    elif initial is not None:
        tables = [
            _table(who, what, given, len(own), worlds)
            for what, given, own in zip(("q", "v"), _pair(who, initial), names, strict=True)
        ]
    return tables[0], tables[1]


def _pair(who: str, initial: Any) -> tuple[Any, Any]:
    if not isinstance(initial, tuple | list) or len(initial) != 2:
        raise OptionError(
            f"{who}: initial is a dict {{name: one number for each world}} or a pair (q, v) of"
            " tables with a row for each world."
        )
    return initial[0], initial[1]


def _table(who: str, what: str, given: Any, width: int, worlds: int) -> Array:
    found = np.asarray(given, dtype=float)
    if found.shape == (width,):
        found = np.tile(found, (worlds, 1))
    if found.shape != (worlds, width):
        raise OptionError(
            f"{who}: {what} of initial has the shape {found.shape}, not ({worlds}, {width}). Where "
            "a model of bodies runs in the coordinates of joints, dl.Tree(model).from_bodies(q, v) "
            "has those of a state of its bodies, such as samples of dl.simulate are."
        )
    if not np.all(np.isfinite(found)):
        world = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        raise OptionError(f"{who}: {what} of world {world} holds numbers that are not finite.")
    return np.ascontiguousarray(found)


def read_table(who: str, what: str, given: Any, shape: tuple[int, ...]) -> Array:
    """A table of finite numbers, or a row of them for all worlds."""
    try:
        found = np.broadcast_to(np.asarray(given, dtype=float), shape)
    except (TypeError, ValueError):
        raise OptionError(
            f"{who}: {what} has the shape {np.shape(given)}, not {shape}: a row for each world."
        ) from None
    if not np.all(np.isfinite(found)):
        world = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        raise OptionError(f"{who}: {what} of world {world} are not finite numbers.")
    return found


@dataclass(frozen=True)
class Controls:
    """Commands that change from step to step.

    Attributes
    ----------
    names : parameters of the model that they are
    table : (worlds, steps times names)
    rows : steps that have commands of their own; the last ones are held
    """

    names: tuple[str, ...]
    table: Array
    rows: int


def read_controls(
    controls: Any, names: Sequence[str], worlds: int, steps: int, threads: int = 1
) -> Controls:
    """Controls given as {name: (worlds, steps), (steps,) or a number}."""
    if not names:
        return Controls((), np.zeros((worlds, 0)), 1)
    columns = []
    for given, name in zip(controls.values(), names, strict=True):
        found = np.asarray(given, dtype=float)
        if found.ndim == 0:
            found = found.reshape(1, 1)
        elif found.ndim == 1:
            found = found[:, None] if len(found) == worlds and worlds != steps else found[None, :]
        if found.ndim != 2 or found.shape[0] not in (1, worlds) or found.shape[1] > steps:
            raise OptionError(
                f"rollout: the control {name!r} has the shape {np.shape(given)}. Give"
                f" ({worlds}, {steps}) numbers, a row for each world; fewer columns are held."
            )
        columns.append(found)
    table, strange = _laid_out(columns, worlds, threads)
    for name, is_strange in zip(names, strange, strict=True):
        if is_strange:
            raise OptionError(f"rollout: the control {name!r} holds numbers that are not finite.")
    return Controls(tuple(names), table.reshape(worlds, -1), table.shape[1])


def _laid_out(columns: Sequence[Array], worlds: int, threads: int) -> tuple[Array, Any]:
    """The table (worlds, rows, columns), and which columns hold numbers that are not finite.

    It is filled by some worlds at a time, which stay in the cache, in as many threads as asked. A
    column that is the table already is taken as it is.
    """
    rows = max(found.shape[1] for found in columns)
    strange = np.zeros(len(columns), dtype=bool)
    only = columns[0]
    as_it_is = len(columns) == 1 and len(only) == worlds and only.flags.c_contiguous
    table = only[:, :, None] if as_it_is else np.empty((worlds, rows, len(columns)))

    def fill(_: None, first: int, last: int) -> None:
        for k, found in enumerate(columns):
            part = found if len(found) == 1 else found[first:last]
            if not np.isfinite(part).all():
                strange[k] = True
            if as_it_is:
                continue
            n = part.shape[1]
            table[first:last, :n, k] = part
            table[first:last, n:, k] = part[:, -1:]

    many = max(1, IN_CACHE // max(1, rows * len(columns)))
    pieces = [(i, min(worlds, i + many)) for i in range(0, worlds, many)]
    in_threads(threads, lambda: None, fill, pieces)
    return table, strange
