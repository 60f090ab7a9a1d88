"""Where parameters stand in the arrays of a run, and how the entries there change with them.

In a model of formulas a parameter stands there as it is. Of a tree of bodies the arrays hold
formulas of the parameters (a frame seen from a centre of mass, an inertia in axes of a joint),
which are differentiated and compiled once. Of bodies in coordinates of their own they are
differenced (sensitivity 2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.kernels.layout import BATCH as SIGNATURE
from dalembert.batch.tracing import loads
from dalembert.errors import DalembertError, OptionError
from dalembert.formulas import Expression, constant, gradient, substitute, symbols
from dalembert.formulas.llvm import CompiledFunction, compile_function

Array = NDArray[np.float64]
Numbers = Callable[[Mapping[str, float]], Array]
"""Values of all parameters -> `work`."""

WEIGHTS = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
"""Central differences of eighth order: at one, two, three, four steps to both sides."""

REACHES = (0.02, 2e-3)
"""Steps of the differences over the parameter; the second where the first leaves what a model may
be."""


class Places(Protocol):
    """Entries of `work` that parameters change.

    Attributes
    ----------
    index : their places
    """

    index: NDArray[np.int64]

    def values(self, own: Mapping[str, float]) -> Array:
        """Entries at the places, with these values of the parameters."""

    def slopes(self, own: Mapping[str, float]) -> Array:
        """Derivatives of the entries (rows) with respect to the parameters (columns)."""


class AsTheyAre:
    """Parameters that stand in the arrays themselves."""

    index = np.zeros(0, dtype=np.int64)

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def values(self, own: Mapping[str, float]) -> Array:
        """Entries at the places, with these values of the parameters."""
        return np.array([own[name] for name in self.names], dtype=float)

    def slopes(self, own: Mapping[str, float]) -> Array:
        """Derivatives of the entries (rows) with respect to the parameters (columns)."""
        return np.eye(len(self.names))


class Formulas:
    """Entries that are formulas of parameters, by their places.

    Attributes
    ----------
    entries : formulas, of "p" as the parameters in the order of their names
    """

    def __init__(
        self, found: Mapping[int, Expression], names: Sequence[str], own: Mapping[str, float]
    ) -> None:
        self.names = tuple(names)
        known = dict(zip(self.names, loads("p", len(self.names)), strict=True))
        kept: dict[int, Expression] = {}
        for place, entry in found.items():
            leaves = symbols([entry], "parameter")
            if any(x.name in known for x in leaves):
                others = {x: known.get(x.name, constant(own.get(x.name, x.value))) for x in leaves}
                (kept[place],) = substitute([entry], others)
        self.index = np.array(sorted(kept), dtype=np.int64)
        self.entries = entries = [kept[int(k)] for k in self.index]
        self._values = _compiled("entries", entries)
        held = [[x for x in known.values() if x in set(symbols([e], "load"))] for e in entries]
        column = {x: k for k, x in enumerate(known.values())}
        self._rows = np.array([i for i, own in enumerate(held) for _ in own], dtype=np.int64)
        self._columns = np.array([column[x] for own in held for x in own], dtype=np.int64)
        slopes = [x for e, own in zip(entries, held, strict=True) for x in gradient(e, own)]
        self._slopes = _compiled("entry_slopes", slopes)

    def values(self, own: Mapping[str, float]) -> Array:
        """Entries at the places, with these values of the parameters."""
        return self._called(self._values, len(self.index), own)

    def slopes(self, own: Mapping[str, float]) -> Array:
        """Derivatives of the entries (rows) with respect to the parameters (columns)."""
        made = np.zeros((len(self.index), len(self.names)))
        made[self._rows, self._columns] = self._called(self._slopes, len(self._rows), own)
        return made

    def _called(self, function: CompiledFunction, count: int, own: Mapping[str, float]) -> Array:
        out, empty = np.zeros(max(count, 1)), np.zeros(1)
        p = np.array([own[name] for name in self.names] or [0.0], dtype=float)
        nothing = np.zeros(1, dtype=np.int64)
        function(
            work=empty, sizes=nothing, t=0.0, h=0.0, q=empty, v=empty, p=p, s=empty, x=empty, y=out
        )
        return out[:count]

    def agree_with(self, numbers: Numbers, own: Mapping[str, float]) -> bool:
        """Whether nothing but these entries changes with the parameters, and they as told."""
        base, mine = numbers(own), set(self.index.tolist())
        for name in (None, *self.names):
            there = dict(own)
            if name is not None:
                there[name] = own[name] + 1e-3 * (abs(own[name]) or 1.0)
            work = numbers(there)
            if not set(np.flatnonzero(work != base).tolist()) <= mine:
                return False
            if not np.allclose(self.values(there), work[self.index], rtol=1e-12, atol=1e-14):
                return False
        return True


def _compiled(name: str, formulas: Sequence[Expression]) -> CompiledFunction:
    stores = [("y", k, x) for k, x in enumerate(formulas)]
    return compile_function(f"gradient_{name}", SIGNATURE.arguments, stores, {}, None)


class Differenced:
    """Entries whose formulas are not known, found and differenced.

    Parameters
    ----------
    numbers : values of all parameters -> `work`
    names : parameters in question
    own : values of all parameters at which places are looked for
    """

    def __init__(self, numbers: Numbers, names: Sequence[str], own: Mapping[str, float]) -> None:
        self._numbers, self.names = numbers, tuple(names)
        self._simple: set[str] = set()
        self._known: tuple[Any, Array] | None = None
        found: set[int] = set()
        for name in names:
            samples = self._samples(name, own)[0]
            found |= set(np.flatnonzero(np.any(samples != samples[0], axis=0)).tolist())
        self.index = np.array(sorted(found), dtype=np.int64)
        size = np.abs(self.values(own))
        for name in names:
            samples, step = self._samples(name, own)
            fine = _difference(samples[:, self.index], step)
            plain = _difference(samples[:2, self.index], step)
            if np.all(np.abs(fine - plain) <= 1e-12 * (np.abs(fine) + size / step)):
                self._simple.add(name)

    def values(self, own: Mapping[str, float]) -> Array:
        """Entries at the places, with these values of the parameters."""
        return np.asarray(self._numbers(own)[self.index], dtype=float)

    def slopes(self, own: Mapping[str, float]) -> Array:
        """Derivatives of the entries (rows) with respect to the parameters (columns)."""
        key = tuple(own[name] for name in sorted(own))
        if self._known is None or self._known[0] != key:
            made = np.zeros((len(self.index), len(self.names)))
            for k, name in enumerate(self.names):
                samples, step = self._samples(name, own, 1 if name in self._simple else 4)
                made[:, k] = _difference(samples[:, self.index], step)
            self._known = key, made
        return self._known[1]

    def _samples(self, name: str, own: Mapping[str, float], pairs: int = 4) -> tuple[Array, float]:
        """`work` at both sides of a parameter, from the nearest pair on, and the step."""
        x = float(own[name])
        problem: Exception | None = None
        for reach in REACHES:
            step = reach * (abs(x) or 1.0)
            try:
                at = [x + s * n * step for n in range(1, pairs + 1) for s in (1.0, -1.0)]
                return np.array([self._numbers({**own, name: y}) for y in at]), step
            except DalembertError as found:
                problem = found
        raise OptionError(
            f"The parameter {name!r} has no neighbourhood of {x:g} in which the model is one: "
            f"{problem}"
        )


def _difference(samples: Array, step: float) -> Array:
    """The derivative from samples at both sides; one pair is enough for what is quadratic."""
    weights = WEIGHTS if len(samples) > 2 else (0.5,)
    made = np.zeros(samples.shape[1])
    for n, weight in enumerate(weights):
        made += weight * (samples[2 * n] - samples[2 * n + 1])
    return np.asarray(made / step)
