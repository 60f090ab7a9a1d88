"""The sentence about how a run ended: what happened, where, what to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.joints.compound import Compound
from dalembert.simulation.motion.singular_angles import ADVICE, singular_pitch
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.run.diagnosis import is_strict
from dalembert.simulation.run.run import Run
from dalembert.simulation.run.runaway import run_away
from dalembert.simulation.status import Status, sentence
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate
from dalembert.system.tree_system import TreeSystem

CLOSED = 1e-12
"""Residual too small to be named as what was in the way of an iteration."""

BROKEN = 0.01
"""Violation, over the size of the row and of the coordinates, that the sentence mentions."""

LAST = 8
"""Samples before the end that are looked at for what may have brought it about."""

BY_COORDINATES = (
    Status.NOT_POSITIVE_DEFINITE,
    Status.NO_CONVERGENCE,
    Status.NON_FINITE,
    Status.STEP_TOO_SMALL,
)
"""Ends that coordinates may bring about where the motion itself does not."""


def message(system: AnySystem, run: Run, status: Status) -> str:
    """The sentence: what happened, where, what to do."""
    t = float(run.clock.t)
    where = detail = None
    failed = run.state.failed_index
    names = system.coordinate_names
    turned = singular_pitch(names, _last_places(run)) if status in BY_COORDINATES else None
    if turned is not None:
        detail = f"pitch {turned[1]:.5g} deg"
        return sentence(status, t=t, where=turned[0], detail=detail, advice=ADVICE)
    if status is Status.EVENT:
        where = run.events[int(run.event_index[run.clock.event_count - 1])].label
    elif status is Status.NON_FINITE:
        speeds = system.velocity_names
        where = names[failed] if failed < len(names) else speeds[failed - len(names)]
    elif status is Status.NOT_POSITIVE_DEFINITE:
        where = system.velocity_names[failed].removesuffix(".dot")
    elif status is Status.RAN_AWAY:
        found = run_away(run)
        if found is not None and isinstance(system, BodySystem):
            where, detail = system.parts.names[found[0]], found[1]
    elif status is Status.CONTROLLER_FAILED:
        where, detail = run.calling.explained(run.state.failed_index)
    elif status is Status.RANK_DEFICIENT:
        where = _dependent_row(system, run)
    elif status in (Status.NO_CONVERGENCE, Status.INCONSISTENT) and system.extents.holonomic:
        phi = np.abs(run.state.phi[: system.extents.holonomic])
        worst = int(np.argmax(phi))
        where = system.row_names[worst]
        if phi[worst] > CLOSED:
            detail = f"largest residual {phi[worst]:.2g}"
    elif status is Status.NOT_SOLVED:
        return sentence(status, t=t, **_unsolved(system, run))
    return sentence(status, t=t, where=where, detail=detail)


def _unsolved(system: AnySystem, run: Run) -> dict[str, str]:
    """Why impulses were not found, and what to do, as far as it is known."""
    if is_strict(run):
        return {
            "detail": "not to the tolerance, and strict=True",
            "advice": "Take a smaller step, a larger tolerance or another solver, or leave strict"
            " out.",
        }
    told = {"detail": "the solver found no impulses that meet them"}
    turning = _of_three_hinges(system)
    if turning:
        told["advice"] = (
            f"Take a smaller step, or look at {', '.join(map(repr, turning[:3]))}: limits and"
            " motors of three hinges have no meaning where the first and the third are parallel."
        )
    return told


def _of_three_hinges(system: AnySystem) -> list[str]:
    """Names of joints with three hinges, on trees."""
    if not isinstance(system, TreeSystem):
        return []
    joints = system.model.joints.values()
    return [j.name for j in joints if isinstance(j, Compound) and len(j.hinges) == 3]


def _last_places(run: Run) -> Any:
    """The last coordinates: what passed a singular place is soon anywhere, and then no number."""
    samples = run.clock.samples
    return np.vstack([run.q_out[max(0, samples - LAST) : samples], run.q])


def broken(system: AnySystem, run: Run, start: Start) -> str:
    """A further sentence when the motion plainly left the constraints."""
    if not system.extents.holonomic:
        return ""
    row = run.clock.phi_row
    worst = float(run.clock.worst_phi)
    if worst <= BROKEN * start.row_size[row] * start.length:
        return ""
    return (
        f" The constraints were not kept: |phi| reached {worst:.2g} in {system.row_names[row]!r}."
    )


def _dependent_row(system: AnySystem, run: Run) -> str | None:
    """The first row that the rows before it imply at the last good state."""
    m = system.extents.rows
    evaluate(*run.state, float(run.clock.t), run.q, run.v)
    J: Any = system.jacobian(run.state)
    J = J / np.maximum(np.linalg.norm(J, axis=1, keepdims=True), 1e-300)
    for i in range(1, m):
        rest = J[i] - np.linalg.lstsq(J[:i].T, J[i], rcond=1e-6)[0] @ J[:i]
        if np.linalg.norm(rest) < 1e-3:
            return system.row_names[i]
    return system.row_names[-1] if m else None
