"""Sliding in space that is all but over: what is left of it, and where its direction is lost.

With the sliding u and its rate a = J v' + b of one contact it is over after -u . u / (u . a): a way
that is short enough for a straight line. What others have left of theirs then ends with it. The
least change of velocities takes all of it out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.contact.events.layout import SLIP, TURNING, Phase
from dalembert.simulation.hybrid.candidates import CLOSED_MODES, Candidate, entries

TOGETHER_AT = 100.0
"""Times the speed that is none at which sliding may end with that of another contact."""


def end_of_sliding(
    phase: Phase, nv: int, contacts: list[Candidate], one: Candidate, over: float
) -> tuple[Any, float]:
    """Change of velocities up to the end of the sliding of `one`, and the time that has left.

    They change as they do, and by what is left of sliding then. `over`: the speed that is none.
    """
    u, vdot = np.array(phase.u[: phase.rows]), np.array(phase.vdot_end)
    a = phase.jacobian(nv) @ vdot + phase.bias[: phase.rows]
    slowing = float(u[one.tangents] @ a[one.tangents])
    left = -float(u[one.tangents] @ u[one.tangents]) / slowing if slowing < 0.0 else 0.0
    rest = u + left * a
    moving = [c for c in entries(contacts) if c.mode in (SLIP, TURNING)]
    ended = [c for c in moving if _is_none(u, rest, c.tangents, over)]
    rows = [c.first for c in contacts if c.mode in CLOSED_MODES]
    rows += [r for c in ended for r in range(c.tangents.start, c.tangents.stop)]
    W, Y = np.array(phase.delassus), np.array(phase.responses(nv))
    change = np.linalg.lstsq(W[np.ix_(rows, rows)], -rest[rows], rcond=1e-10)[0] @ Y[rows]
    return left * vdot + change, left


def _is_none(u: np.ndarray, left: np.ndarray, rows: slice, over: float) -> bool:
    """Whether sliding is next to nothing, and nothing is left of it in a moment."""
    size = float(np.linalg.norm(u[rows]))
    return size <= over or (
        size <= TOGETHER_AT * over and float(np.linalg.norm(left[rows])) <= over
    )
