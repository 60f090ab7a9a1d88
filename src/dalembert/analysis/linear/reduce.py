"""Linear equations in independent coordinates, constraints eliminated exactly (analysis 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Constrained
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.linear.chart import Chart, velocities

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reduced:
    """u = Ux x,  dv = Vx x + Vw w,  da = Ax x + Aw w + Au f,  f being forces on velocities.

    x' = Fx x + Fw w,  w' = Gx x + Gw w + Gu f;  and where all rows are of positions
    mass x'' + damping x' + stiffness x = 0, with the directions Vw.
    """

    Ux: Array
    Vx: Array
    Vw: Array
    Ax: Array
    Aw: Array
    Au: Array
    Fx: Array
    Fw: Array
    Gx: Array
    Gw: Array
    Gu: Array
    mass: Array
    damping: Array
    stiffness: Array
    rates: list[str]
    second: Array
    """w' at the state itself; 0 in steady motion."""


def reduced(equations: Equations, solved: Constrained, chart: Chart) -> Reduced:
    """Eliminate dependent displacements, velocities and multipliers."""
    at, a = solved.at, solved.a
    s = equations.slopes(at, a, solved.lam)
    Zh, Z = solved.places.Z, solved.all.Z
    own = velocities(chart, solved, equations.lengths)
    W = chart.chosen(own)
    # displacements:  J u = 0,  G u = x
    Ux = Zh @ np.linalg.inv(chart.G @ Zh) if Zh.shape[1] else Zh
    # velocities:  J dv = -P u,  W dv + Pw u = w
    seen = -solved.all.seen(solved.stacked(s.P @ Ux))
    Vw = Z @ np.linalg.inv(W.G @ Z) if Z.shape[1] else Z
    Vx = seen - Vw @ (W.G @ seen + W.Pw @ Ux)
    # accelerations:  J da = -(Sq u + Sv dv),  Z^T (M da + K u + D dv - f) = 0
    sx = -solved.all.seen(solved.stacked(s.Sq @ Ux + s.Sv @ Vx))
    sw = -solved.all.seen(solved.stacked(s.Sv @ Vw))
    mass = Vw.T @ at.M @ Vw
    stiffness = Vw.T @ (s.K @ Ux + s.D @ Vx + at.M @ sx)
    damping = Vw.T @ (s.D @ Vw + at.M @ sw)
    if len(mass):
        factor = la.cho_factor((mass + mass.T) / 2.0)
        zx, zw, zu = (-la.cho_solve(factor, x) for x in (stiffness, damping, -Vw.T))
    else:
        zx, zw, zu = stiffness, damping, Vw.T
    Ax, Aw, Au = sx + Vw @ zx, sw + Vw @ zw, Vw @ zu
    # what of w' does not come by forces
    ox, ow = W.G @ sx + W.Sq @ Ux + W.Sv @ Vx, W.G @ sw + W.Sv @ Vw
    return Reduced(
        Ux,
        Vx,
        Vw,
        Ax,
        Aw,
        Au,
        chart.G @ Vx + chart.Px @ Ux,
        chart.G @ Vw,
        zx + ox,
        zw + ow,
        zu,
        mass,
        damping - mass @ ow,
        stiffness - mass @ ox,
        W.rates,
        W.G @ a + W.gamma,
    )
