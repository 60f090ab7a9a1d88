"""Motions that a fixed step cannot follow: which body, and how far it goes in a step.

A step that fails says where it noticed: in a factorisation, in a projection, in a solver. Where a
body turns by more than `TURNED` in a step, goes `FAST` times the size of the model, or has come
`FAR` times as far, that is not what happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dalembert.simulation.run.run import Run

TURNED = np.pi
"""Angle of a step [rad] beyond which the direction of turning is lost."""

FAST = 1e3
"""Way of a step, over the size of the model, on which nothing of it can be followed."""

FAR = 1e6
"""Distance, over the size of the model, at which coordinates have no digits left for joints."""


def run_away(run: Run) -> tuple[int, str] | None:
    """Body and what it does in a step, at the last good state; None: nothing out of the way."""
    if run.adaptive or not run.state.placed:
        return None
    h = float(run.clock.step)
    length = float(run.state.length)
    q, v = run.states(run.q[None], run.v[None])
    place, twist = q.reshape(-1, 7), v.reshape(-1, 6)
    with np.errstate(over="ignore", invalid="ignore"):
        turn = h * np.linalg.norm(twist[:, 3:], axis=1)
        way = h * np.linalg.norm(twist[:, :3], axis=1)
        away = np.linalg.norm(place[:, :3], axis=1)
    for measure, most, said in (
        (turn, TURNED, "it turns by {:.3g} rad in a step"),
        (way, FAST * length, "it moves by {:.3g} m in a step"),
        (away, FAR * length, "it is {:.3g} m away"),
    ):
        body = int(np.argmax(np.where(np.isfinite(measure), measure, np.inf)))
        if not measure[body] <= most:
            return body, said.format(measure[body])
    return None
