"""States on the constraints: refused where they are not, and moved onto them (analysis 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Constrained, Split, row_sizes, split
from dalembert.analysis.equations.point import Equations
from dalembert.errors import AssemblyError, InconsistentError

Array = NDArray[np.float64]

CLOSED = 1e-7
"""Residual, over the size of its row, up to which a state counts as one on the constraints."""

BETWEEN = 1e-4
"""Residual up to which a state is one between samples of a run, and is put on the constraints."""

EXACT = 1e-13
"""Residual, over the size of its row, that is rounding."""

FALLING = 0.3
"""Residual over the one before, above which other factors are needed."""

MOST = 40
FEW = 8
"""Factors on a way from place to place after which a step counts as too long."""


def refuse_off(equations: Equations, solved: Constrained, asked: str) -> None:
    """Refuse a state that is not on the constraints, naming the worst row."""
    for residual, off, what in _residuals(equations, solved):
        if len(off) and off.max() > BETWEEN:
            worst = int(np.argmax(off))
            raise InconsistentError(
                f"{asked}: the state of model {equations.model.name!r} does not meet"
                f" {equations.row_names[worst]!r}: its {what} is off by {residual[worst]:.3g}. Put"
                " it on the constraints with dl.assemble, or give a state of a run."
            )


def is_between(equations: Equations, solved: Constrained) -> bool:
    """Whether a state is off the constraints by what states between samples of a run are."""
    off = max(float(off.max(initial=0.0)) for _, off, _ in _residuals(equations, solved))
    return CLOSED < off <= BETWEEN


def _residuals(equations: Equations, solved: Constrained) -> list[tuple[Array, Array, str]]:
    """Residuals of places and velocities, the same over the sizes of their rows, and what."""
    at, sizes = solved.at, solved.all.sizes[: len(solved.at.J)]
    m = equations.holonomic
    speed = max(1.0, float(np.abs(at.v * equations.lengths).max(initial=0.0)))
    return [
        (at.phi[:m], np.abs(at.phi[:m]) / sizes[:m], "place"),
        (at.phi_dot, np.abs(at.phi_dot) / (sizes * speed), "velocity"),
    ]


def closed(equations: Equations, t: float, q: Array, near: Split | None = None) -> Array:
    """The place on the constraints reached from q by least changes (Newton's method).

    `near`: factors of a place nearby, which serve as long as they bring the rows together.
    """
    if not equations.holonomic:
        return q
    lengths, last, parts, factored = equations.lengths, np.inf, near, 0
    for _ in range(MOST):
        if parts is None:
            phi, J = equations.closing(t, q)
            sizes = row_sizes(J / lengths)
        else:
            phi, J, sizes = equations.open_by(t, q), None, parts.sizes
        if not (np.isfinite(phi).all() and np.isfinite(sizes).all()):
            break
        off = float((np.abs(phi) / sizes).max(initial=0.0))
        if off <= EXACT or (off >= 0.5 * last and off < 1e-12):
            return q
        if parts is None or off > FALLING * last:
            J = equations.closing(t, q)[1] if J is None else J
            factored += 1
            if not np.isfinite(J).all() or (near is not None and factored > FEW):
                break
            parts = split(J, lengths, parts or near)
        last = off
        u = parts.seen(-phi)
        reach = float(np.abs(u * lengths).max(initial=0.0))
        q = equations.displaced(q, u * min(1.0, float(lengths.max()) / max(reach, 1e-300)))
        parts = parts if near is not None else None
    worst = int(np.argmax(np.abs(phi)))
    raise AssemblyError(
        f"model {equations.model.name!r} does not close: {equations.row_names[worst]!r} is left"
        f" with {phi[worst]:.3g}. Change a length or a held value, or give a better guess.",
        conflict=(equations.owners[worst],),
    )


def moving(equations: Equations, t: float, q: Array, v: Array) -> Array:
    """The velocity on the constraints nearest to v, turns counted as lengths."""
    for _ in range(8):
        at = equations.at(t, q, v)
        speed = max(1.0, float(np.abs(v * equations.lengths).max(initial=0.0)))
        sizes = row_sizes(at.J / equations.lengths)
        if float((np.abs(at.phi_dot) / sizes).max(initial=0.0)) <= EXACT * speed:
            break
        change = split(at.J, equations.lengths).seen(-at.phi_dot)
        v = v + change
        if float(np.abs(change).max(initial=0.0)) <= 1e-14 * max(1.0, float(np.abs(v).max())):
            break
    return v
