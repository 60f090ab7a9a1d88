"""Where episodes start: drawn from a distribution, and on the constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.given import initial_states, name_of
from dalembert.batch.worlds import Worlds
from dalembert.errors import OptionError
from dalembert.model.basics.by_name import formula_of

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Any]

MOST = 20
"""Draws for a world before it is said that none of them can be brought onto the constraints."""


class Starts:
    """States drawn for episodes, a whole batch at a time, with what is observed of them.

    A state of a model with loops is put on its constraints by one step, with the actions at rest:
    the method of the run brings it there.

    Parameters
    ----------
    model : Model
    given : None, {coordinate or velocity: (low, high) or a number}, or a function of a generator
        and a count that returns {name: numbers} or a pair of tables (q, v)
    worlds : Worlds     of the same model, to prepare states in
    rows : bool         whether states have constraints to keep
    """

    def __init__(self, who: str, model: Any, given: Any, worlds: Worlds, rows: bool) -> None:
        self.who, self._worlds, self._rows = who, worlds, rows and given is not None
        self._names = worlds.coordinate_names, worlds.velocity_names
        self.begin = worlds.q[0].copy(), worlds.v[0].copy()
        formulas = {formula_of(model, name): name for own in self._names for name in own}
        self._known = {x: name for x, name in formulas.items() if x is not None}
        self._draw: Draw = given if callable(given) else _uniform(who, given)
        self.forget()

    def forget(self) -> None:
        """Let go of states that were drawn ahead: the generator begins anew."""
        self._ready: list[Array] = [np.zeros((0, 0))] * 3

    def take(self, generator: np.random.Generator, count: int) -> list[Array]:
        """So many states: tables of coordinates, velocities and signals."""
        taken: list[list[Array]] = []
        while count > 0:
            if not len(self._ready[0]):
                self._ready = self._prepare(generator)
            taken.append([table[:count] for table in self._ready])
            self._ready = [table[count:] for table in self._ready]
            count -= len(taken[-1][0])
        return [np.concatenate(tables) for tables in zip(*taken, strict=True)]

    def read(self, given: Any, count: int) -> tuple[Array, Array]:
        """States as they are given."""
        if isinstance(given, Mapping):
            given = {self._known.get(key, key): x for key, x in given.items()}
        return initial_states(f"{self.who}: reset", given, self._names, self.begin, count)

    def _prepare(self, generator: np.random.Generator) -> list[Array]:
        """A state for every world, of which those are kept that meet the constraints."""
        worlds = self._worlds
        for _ in range(MOST):
            q, v = self.read(self._draw(generator, len(worlds)), len(worlds))
            worlds.t = 0.0
            worlds.reset(q=q, v=v)
            if self._rows:
                worlds.advance(1)
            good = (worlds.status == 0) & np.isfinite(worlds.q).all(axis=1)
            good &= np.isfinite(worlds.v).all(axis=1)
            if good.any():
                seen = worlds.observed if worlds.signal_names else np.zeros((len(worlds), 0))
                return [worlds.q[good], worlds.v[good], seen[good]]
        raise OptionError(
            f"{self.who}: no state that `reset` draws can be brought onto the constraints. Draw"
            " coordinates nearer to the model's own start."
        )


def _uniform(who: str, given: Any) -> Draw:
    """A function that draws each coordinate between its bounds."""
    if given is None:
        return lambda generator, count: None
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{who}: reset is {given!r:.60}. Give {{name: (low, high)}}, or a function of a"
            " generator and a count."
        )
    bounds = {key: _bounds(who, name_of(key), pair) for key, pair in given.items()}

    def draw(generator: np.random.Generator, count: int) -> dict[Any, Array]:
        share = generator.random((count, len(bounds)))
        ends = enumerate(bounds.items())
        return {key: low + (high - low) * share[:, k] for k, (key, (low, high)) in ends}

    return draw


def _bounds(who: str, name: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = map(float, pair if np.ndim(pair) else (pair, pair))
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not (np.isfinite(low) and np.isfinite(high) and low <= high):
        raise OptionError(f"{who}: reset of {name!r} is {pair!r:.60}. Give (low, high).")
    return low, high
