"""A failure of a step by its cause: a motion that ran away, or constraints that contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert import _jit
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.projection import MASS_NORM, project_position
from dalembert.simulation.run.runaway import run_away
from dalembert.simulation.status import Status
from dalembert.system.borders import OK

if TYPE_CHECKING:
    from dalembert.simulation.run.run import Run

NOTICED = (
    Status.NOT_POSITIVE_DEFINITE,
    Status.NO_CONVERGENCE,
    Status.NON_FINITE,
    Status.NOT_SOLVED,
)
"""How a step with contact ends that a motion has run away from."""


def diagnosed(run: Run, status: Status) -> Status:
    """The status by its cause.

    An iteration that failed where no state meets the constraints has met a contradiction.
    """
    strictly = status is Status.NOT_SOLVED and is_strict(run)
    if status in NOTICED and not strictly and run_away(run) is not None:
        return Status.RAN_AWAY
    if status is not Status.NO_CONVERGENCE or not run.state.holonomic:
        return status
    run.provide_general()
    state, end = run.state, float(run.clock.t + min(run.clock.step, run.clock.until))
    residuals = state.phi[: state.holonomic]
    failed = residuals.copy()
    with _jit.interpreted():
        reached = project_position(*state, end, run.q.copy(), run.v.copy(), MASS_NORM, 50)
    residuals[:] = failed  # those the message is about
    return Status.INCONSISTENT if reached != OK and state.rank < state.rows else status


def is_strict(run: Run) -> bool:
    """Whether a step of contact that misses its tolerance ends the run."""
    start = run.state.contact_integers
    return bool(start and ContactRun(run.work, run.sizes[start:]).strict)
