"""Independent coordinates at a state: named ones, as rows of displacements (analysis 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Constrained
from dalembert.analysis.equations.point import Equations
from dalembert.errors import OptionError

Array = NDArray[np.float64]

GOOD, POOR = 0.05, 1e-6
"""Share of a coordinate that is independent of those before it, to be taken at once, or at all."""


@dataclass(frozen=True)
class Chart:
    """Coordinates x and velocities w near a motion, for displacements u and changes dv, da.

    x = G u,  x' = G dv + Px u,  w = G dv + Pw u,  w' = G da + Sq u + Sv dv;  at the state itself
    x' = G v,  w' = G a + gamma.
    """

    names: list[str]
    rates: list[str]
    G: Array
    Px: Array
    Pw: Array
    Sq: Array
    Sv: Array
    gamma: Array

    def chosen(self, rows: Sequence[int]) -> Chart:
        """Some of the coordinates."""
        r = list(rows)
        return Chart(
            [self.names[i] for i in r],
            [self.rates[i] for i in r],
            *(x[r] for x in (self.G, self.Px, self.Pw, self.Sq, self.Sv, self.gamma)),
        )


def named(equations: Equations, names: Sequence[Any], at: Any, a: Array) -> Chart:
    """Coordinates of joints, bodies or the model."""
    found = equations.rows(names, at, a)
    texts = [str(x) for x in names]
    rates = [f"{x}.dot" for x in texts]
    return Chart(texts, rates, found.G, found.P, found.P, found.Sq, found.Sv, found.gamma)


def plain(equations: Equations, at: Any) -> Chart:
    """Places of centres and rotation vectors of bodies: displacements themselves."""
    n = equations.nv
    turn, zero = equations.bracket(at.v), np.zeros((n, n))
    rates = equations.velocity_names
    names = [_place_name(x) for x in rates]
    return Chart(names, list(rates), np.eye(n), turn, zero, zero, zero, np.zeros(n))


def _mixed(equations: Equations, names: list[Any], at: Any, a: Array) -> Chart:
    """Coordinates by name, places and rotations of bodies ("top.rx") among them."""
    own = plain(equations, at)
    turned = [x for x in names if x in own.names and own.rates[own.names.index(x)][-2] == "w"]
    if not turned:
        return named(equations, names, at, a)
    rest = [x for x in names if x not in turned]
    bodies = own.chosen([own.names.index(x) for x in turned])
    chart = _joined(named(equations, rest, at, a), bodies) if rest else bodies
    return chart.chosen([chart.names.index(str(x)) for x in names])


def _place_name(rate: str) -> str:
    if rate.endswith(".dot"):
        return rate.removesuffix(".dot")
    body, _, part = rate.rpartition(".")  # ship.wx
    return f"{body}.r{part[1:]}"


def independent(
    equations: Equations,
    solved: Constrained,
    a: Array,
    asked: Sequence[Any] | None,
    first_of_all: Sequence[Any] = (),
) -> Chart:
    """As many coordinates as there are free displacements: those asked for, or chosen."""
    Z = solved.places.Z
    at, lengths = solved.at, equations.lengths
    if asked is not None:
        return _asked(_mixed(equations, list(asked), at, a), Z, lengths)
    names = [*first_of_all, *(x for x in equations.candidates() if x not in first_of_all)]
    G = np.concatenate([equations.gradients(names, at), np.eye(equations.nv)])
    first = len(names)
    rows: list[int] = []
    test = _Test(Z, lengths)
    for least, some in (
        (GOOD, range(first)),
        (GOOD, range(first, len(G))),
        (POOR, range(len(G))),
    ):
        for i in some:
            if len(rows) == Z.shape[1]:
                break
            if i not in rows and test.takes(G[i], least):
                rows.append(i)
    of_joints = [names[i] for i in rows if i < first]
    of_bodies = [i - first for i in rows if i >= first]
    if not of_bodies and of_joints:
        return named(equations, of_joints, at, a)
    own = plain(equations, at).chosen(of_bodies)
    return _joined(named(equations, of_joints, at, a), own) if of_joints else own


class _Test:
    """Whether coordinates are independent of one another, taken one by one."""

    def __init__(self, Z: Array, lengths: Array) -> None:
        self._free = np.linalg.qr(Z * lengths[:, None])[0]
        self._lengths = lengths
        self._basis = np.zeros((0, Z.shape[1]))

    def takes(self, g: Array, least: float) -> bool:
        """Whether a coordinate is free of those before; it is one of them then."""
        scaled = g / self._lengths
        size = float(np.linalg.norm(scaled))
        if not size > 0.0:
            return False
        rest = scaled @ self._free / size
        for _ in range(2):  # twice: removes what rounding left the first time
            rest = rest - (self._basis @ rest) @ self._basis
        own = float(np.linalg.norm(rest))
        if own <= least:
            return False
        self._basis = np.concatenate([self._basis, rest[None] / own])
        return True


def _joined(a: Chart, b: Chart) -> Chart:
    first = (a.G, a.Px, a.Pw, a.Sq, a.Sv, a.gamma)
    pairs = zip(first, (b.G, b.Px, b.Pw, b.Sq, b.Sv, b.gamma), strict=True)
    return Chart(a.names + b.names, a.rates + b.rates, *(np.concatenate(pair) for pair in pairs))


def _asked(chart: Chart, Z: Array, lengths: Array) -> Chart:
    k = Z.shape[1]
    if len(chart.names) != k:
        raise OptionError(
            f"coordinates: {len(chart.names)} are given, and {k} are independent at this state."
            f" Give {k}, or leave them out to have them chosen."
        )
    test = _Test(Z, lengths)
    for g, name in zip(chart.G, chart.names, strict=True):
        if not test.takes(g, POOR):
            raise OptionError(
                f"coordinates: {name!r} does not move independently of the others given at this"
                " state. Give another one."
            )
    return chart


def velocities(chart: Chart, solved: Constrained, lengths: Array) -> list[int]:
    """Which of the coordinates have independent velocities; all, unless there are velocity rows."""
    Z = solved.all.Z
    if Z.shape[1] == len(chart.names):
        return list(range(len(chart.names)))
    rows: list[int] = []
    test = _Test(Z, lengths)
    for least in (GOOD, POOR):
        for i, g in enumerate(chart.G):
            if len(rows) < Z.shape[1] and i not in rows and test.takes(g, least):
                rows.append(i)
    return sorted(rows)
