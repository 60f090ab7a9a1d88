"""Designs: which combinations of the axes are run, numbered from 0 on.

The values of a row follow from its number alone, whoever asks for them and in whatever order.

    grid              every value with every other; the last axis changes fastest
    list              the first values of all axes, then the second ones, ...
    random            so many independent draws
    latin-hypercube   draws that fill each axis evenly
    sobol             a scrambled sequence that fills all axes evenly together
    saltelli          what Sobol's indices need: draws A and B, and A with one column of B each
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean
from dalembert.study.axes import Axis, Listed, read_axis

Array = NDArray[np.float64]

DESIGNS = ("grid", "list", "random", "latin-hypercube", "sobol", "saltelli")

DRAWN = DESIGNS[2:]
"""Designs that need a `count`."""

MOST_ROWS = 2**40


@dataclass(frozen=True)
class Design:
    """Names and axes, and the values of every row; `drawn` (rows, axes) where they were drawn."""

    kind: str
    names: tuple[str, ...]
    axes: tuple[Axis, ...]
    count: int
    seed: int = 0
    drawn: Array | None = None

    def values(self, ids: Any) -> Array:
        """Values of the axes in some rows (rows, axes)."""
        ids = np.asarray(ids, dtype=np.int64)
        if self.drawn is not None:
            found: Array = self.drawn[ids]
            return found
        columns = []
        stride = self.count
        for axis in self.axes:
            listed = np.asarray(axis.values)  # type: ignore[union-attr]
            if self.kind == "grid":
                stride //= len(listed)
                columns.append(listed[ids // stride % len(listed)])
            else:
                columns.append(listed[ids])
        return np.stack(columns, axis=1) if columns else np.empty((len(ids), 0))

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes of a grid; else the number of rows."""
        if self.kind != "grid":
            return (self.count,)
        return tuple(len(axis.values) for axis in self.axes)  # type: ignore[union-attr]


def make_design(over: Any, kind: str, count: Any, seed: Any) -> Design:
    """The design a user asked for."""
    if kind not in DESIGNS:
        raise OptionError(
            f"sweep: there is no design {kind!r}{did_you_mean(str(kind), list(DESIGNS))}"
            f" Known: {', '.join(DESIGNS)}."
        )
    if not isinstance(over, Mapping) or not over:
        raise OptionError(
            f"sweep: over is {over!r:.60}. Give a dict of axes, such as"
            " {'l': dl.span(0.5, 2.0, 10)}."
        )
    axes = {str(name): read_axis(str(name), given) for name, given in over.items()}
    if len(axes) != len(over):
        raise OptionError("sweep: an axis is given twice, once by its name. Give it once.")
    names, found = tuple(axes), tuple(axes.values())
    number = _seed(seed)
    if kind in DRAWN:
        drawn = _drawn(kind, found, _count(kind, count), number)
        return Design(kind, names, found, len(drawn), number, drawn)
    for name, axis in axes.items():
        if not isinstance(axis, Listed):
            raise OptionError(
                f"sweep: {name!r} is a distribution, and the design is {kind!r}. Give values, or"
                " design='random' with count=..."
            )
    lengths = [len(axis.values) for axis in found]  # type: ignore[union-attr]
    rows = math.prod(lengths) if kind == "grid" else lengths[0]
    if kind == "list" and len(set(lengths)) > 1:
        told = ", ".join(f"{name!r} {n}" for name, n in zip(names, lengths, strict=True))
        raise OptionError(f"sweep: the axes of a list have different lengths: {told}.")
    if count is not None and count != rows:
        raise OptionError(f"sweep: a {kind} of these axes has {rows} rows. Leave `count` out.")
    if rows > MOST_ROWS:
        raise OptionError(f"sweep: {rows} rows are too many. Take fewer values an axis.")
    return Design(kind, names, found, rows, number)


def _count(kind: str, count: Any) -> int:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise OptionError(
            f"sweep: design {kind!r} needs count=..., a whole number of draws; it is {count!r}."
        )
    if kind == "saltelli" and count & (count - 1):
        near = 2 ** round(math.log2(count))
        raise OptionError(f"sweep: count is {count}. Give a power of two, such as {near}.")
    return int(count)


def _seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError(f"sweep: seed is {seed!r}. Give a whole number, 0 or more.")
    return int(seed)


def _drawn(kind: str, axes: tuple[Axis, ...], count: int, seed: int) -> Array:
    """Values of all rows (rows, axes)."""
    width = len(axes)
    if kind == "random":
        u = np.random.default_rng(seed).random((count, width))
    else:
        from scipy.stats import qmc

        rng = np.random.default_rng(seed)
        if kind == "latin-hypercube":
            u = qmc.LatinHypercube(width, rng=rng).random(count)
        else:
            columns = 2 * width if kind == "saltelli" else width
            power = math.ceil(math.log2(count)) if count > 1 else 0
            u = qmc.Sobol(columns, rng=rng).random_base2(power)[:count]
    if kind == "saltelli":
        A, B = u[:, :width], u[:, width:]
        mixed = [np.where(np.arange(width) == i, B, A) for i in range(width)]
        u = np.concatenate([A, B, *mixed])
    return np.stack([axis.at(u[:, i]) for i, axis in enumerate(axes)], axis=1)
