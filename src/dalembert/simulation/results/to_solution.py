"""From a finished run to a Solution: accelerations, multipliers, energies, names, the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.formulas import evaluate
from dalembert.integration import loop
from dalembert.mechanics.measure import measure, violations
from dalembert.simulation.prepare.arrays import Opened, open_measuring
from dalembert.simulation.prepare.contacts import part_of
from dalembert.simulation.prepare.controllers import Commands, places
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.prepare.turns import Turns
from dalembert.simulation.results.body_energy import body_energies
from dalembert.simulation.results.contact_results import Touch, worst_of
from dalembert.simulation.results.loads import Loads, loads
from dalembert.simulation.results.solution import EventRecord, Solution
from dalembert.simulation.results.values import known_values
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.run import Run
from dalembert.simulation.run.runaway import run_away
from dalembert.simulation.status import Status, sentence
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate as evaluate_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


CLOSED = 1e-12
"""Residual too small to be named as what was in the way of an iteration."""

NO_COMMANDS = np.zeros((0, 2), dtype=np.int64), np.zeros((0, 0))
"""Commands of a run without controllers."""

BROKEN = 0.01
"""Violation, over the size of the row and of the coordinates, that the sentence mentions."""


@dataclass(frozen=True)
class Samples:
    """Recorded states, and multipliers of methods that have their own."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    lam: np.ndarray | None = None
    commands: Commands | None = None
    """Commands of controllers."""
    contacts: ContactLog | None = None
    """Contacts of a run with impulses."""
    angles: np.ndarray | None = None
    """Angles of hinges, with the turns that the run has counted."""
    of_tree: tuple[np.ndarray, np.ndarray] | None = None
    """Coordinates and velocities of a run on a tree with compound joints."""


def solution(setup: Setup, run: Run, status: Status, prepared: float) -> Solution:
    """Everything the run computed, with what is derived from it."""
    keep_last(run)
    k = int(run.count[loop.SAMPLES])
    t, q, v, lam = run.samples(k)
    own = lam if setup.method.own_multipliers else None
    samples = Samples(t.copy(), q.copy(), v.copy(), own)
    commands = run.calling.commands(int(run.count[loop.LOGGED]))
    run.take_log()
    samples = replace(samples, commands=commands, contacts=run.contact_log)
    samples = replace(samples, angles=run.angle_out[:k].copy())
    if setup.on_tree is not None and setup.on_tree.has_compounds:
        samples = replace(samples, of_tree=(run.q_out[:k].copy(), run.v_out[:k].copy()))
    return compose(setup, samples, events(run), facts(setup, run, status, prepared))


def compose(
    setup: Setup, samples: Samples, found: tuple[EventRecord, ...], known: Mapping[str, Any]
) -> Solution:
    """The solution of these samples; `known` is what `facts` says."""
    system, method, start = setup.system, setup.method, setup.start
    t, q, v = samples.t, samples.q, samples.v
    k, e = len(t), system.extents
    a, lam = np.zeros((k, e.nv)), np.zeros((k, e.rows))
    phi, phi_dot = np.zeros((k, e.holonomic)), np.zeros((k, e.rows))
    rank = np.zeros(k, dtype=np.int64)
    # Accelerations and multipliers by the constrained equations, whatever method made the motion;
    # but where impulses act, what they have made of it.
    touch = None
    if samples.contacts is not None and setup.contacts is not None:
        touch = Touch.of(setup.contacts, samples.contacts, k, setup.running.extents.nv)
    besides = loads(setup, samples, touch)
    if besides is None:
        opened = open_measuring(setup)
        given = _commanded(setup, samples, opened)
    else:
        opened = open_measuring(setup, besides.system, besides.values)
        given = _with_loads(_commanded(setup, samples, opened), besides, opened)
    turned = Turns.of(setup.model, t, q, v, samples.angles)
    given = _with_turns(given, turned, system, opened, k)
    if touch is not None and setup.on_tree is None:
        if e.rows:
            violations(opened.work, opened.sizes, t, q, v, *given, phi, phi_dot)
        rank[:] = start.rank
        chosen = np.flatnonzero(touch.smooth)
        a[chosen], lam[chosen] = _measured_some(opened, chosen, t, q, v, given, e)
    else:
        _measure_all(opened, t, q, v, given, (a, lam, phi, phi_dot, rank))
    if touch is not None:
        by_impulses = touch.accelerations
        if setup.on_tree is not None:
            by_impulses = setup.on_tree.accelerations(samples, by_impulses)
        a = np.where(touch.smooth[:, None], a, by_impulses)
    if samples.lam is not None and not (touch is not None and setup.on_tree is not None):
        # on a tree with contact joints and loops share what is measured
        lam = np.where(np.isnan(samples.lam), lam, samples.lam)
    kinetic, potential = _energies(setup.model, t, q, v, turned)
    if besides is not None:
        kinetic = kinetic + besides.energy
    if isinstance(system, BodySystem):
        # The solve of bodies needs no rank; what is known is that of the start.
        rank = np.full(k, start.rank)
    ranks = rank[rank >= 0]
    return Solution(
        t=t,
        q=q,
        v=v,
        a=a,
        lam=lam,
        phi=phi,
        phi_dot=phi_dot,
        kinetic=kinetic,
        potential=potential,
        coordinate_names=system.coordinate_names,
        row_names=system.row_names,
        constraint_slices=dict(system.constraint_slices),
        model=setup.model,
        method=method,
        # A method of the user's own class may be known by its text only.
        integrator=setup.integrator if getattr(method, "advance", None) is None else None,
        step=setup.step,
        events=found,
        status=Status(known["status"]),
        message=known["message"],
        statistics={
            **known["statistics"],
            "rank_min": int(ranks.min()) if ranks.size else 0,
            "rank_max": int(ranks.max()) if ranks.size else 0,
            "unique_multipliers": bool(ranks.size and np.all(ranks == e.rows)),
        },
        worst=_worst(system, start, known, phi, phi_dot),
        initial_move={"q": start.move_q, "v": start.move_v},
        commands=samples.commands,
        touch=touch,
        angles=samples.angles,
    )


def _measure_all(opened: Opened, t: Any, q: Any, v: Any, given: Any, out: Any) -> None:
    """Accelerations, multipliers, violations and rank at the samples."""
    measured = 0
    while measured < len(t):
        measured = measure(opened.work, opened.sizes, measured, t, q, v, *given, *out)
        if measured < len(t):
            opened.provide_general()


def _measured_some(
    opened: Opened, chosen: np.ndarray, t: Any, q: Any, v: Any, given: Any, extents: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and multipliers of some samples."""
    k = len(chosen)
    a, lam = np.zeros((k, extents.nv)), np.zeros((k, extents.rows))
    rest = np.zeros((k, extents.holonomic)), np.zeros((k, extents.rows)), np.zeros(k, np.int64)
    where, held = given
    some = where, np.ascontiguousarray(held[chosen] if len(held) else held)
    _measure_all(opened, t[chosen], q[chosen], v[chosen], some, (a, lam, *rest))
    return a, lam


def _commanded(setup: Setup, samples: Samples, opened: Opened) -> tuple[np.ndarray, np.ndarray]:
    """Places of commands in `work`, and their values at the samples."""
    commands = samples.commands
    if commands is None:
        return NO_COMMANDS
    found = places(setup.system, opened.state, setup.model, commands.names)
    return found, np.ascontiguousarray(commands.at(samples.t))


def _worst(
    system: AnySystem, start: Start, known: Mapping[str, Any], phi: np.ndarray, phi_dot: np.ndarray
) -> dict[str, Any]:
    """The worst violation met; a run on a tree watches its loops, the samples tell of joints."""
    worst = dict(known["worst"])
    if known["statistics"].get("formulation") != "generalized":
        return worst
    # full turns are counted from step to step, and samples may be far apart
    counted = [rows for c, rows in _rows_of(system) if c in _counted(system)]
    for level, values in (("phi", phi), ("phi_dot", phi_dot)):
        if not values.size:
            continue
        largest = np.nanmax(np.abs(values), axis=0)
        for rows in counted if level == "phi" else ():
            largest[rows] = 0.0
        row = int(np.argmax(largest))
        if not worst[f"{level}_row"] or largest[row] > worst[level]:
            worst |= {
                level: float(largest[row]),
                f"{level}_row": system.row_names[row],
                f"{level}_size": _size(start, row),
            }
    return worst


def _rows_of(system: Any) -> list[tuple[str, list[int]]]:
    """Names of constraints of bodies, and their position rows."""
    held = system.extents.holonomic
    return [(name, [r for r in rows if r < held]) for name, rows in system.parts.slices.items()]


def _counted(system: Any) -> set[str]:
    """Constraints whose formulas hold full turns."""
    found = {w.element.name for w in system.parts.wound if w.element is not None}
    return found | {w.name.partition("@")[0] for w in system.parts.wound if w.name}


def _with_loads(
    given: tuple[np.ndarray, np.ndarray], besides: Loads, opened: Opened
) -> tuple[np.ndarray, np.ndarray]:
    """Places in `work` and values, with what acts besides the force elements."""
    where, held = given
    more = besides.places(opened.state)
    more[:, 1] += held.shape[1]
    held = held if len(held) else np.zeros((len(besides.forces), 0))
    return np.concatenate([where, more]), np.ascontiguousarray(np.hstack([held, besides.forces]))


def _with_turns(
    given: tuple[np.ndarray, np.ndarray],
    turned: Turns | None,
    system: AnySystem,
    opened: Opened,
    count: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Places in `work` and values, with the angles near which the equations look for theirs."""
    wound = system.parts.wound if isinstance(system, BodySystem) else []
    chosen = [] if turned is None else [k for k, w in enumerate(wound) if w.angle in turned.column]
    if turned is None or not chosen:
        return given
    where, held = given
    more = np.array([[k, held.shape[1] + i] for i, k in enumerate(chosen)], dtype=np.int64)
    more[:, 0] += opened.state.start_of("last_angles")
    angles = turned.angles[:, [turned.column[wound[k].angle] for k in chosen]]
    held = held if len(held) else np.zeros((count, 0))
    return np.concatenate([where, more]), np.ascontiguousarray(np.hstack([held, angles]))


def facts(setup: Setup, run: Run, status: Status, prepared: float) -> dict[str, Any]:
    """How the run went, as plain values: status, message, statistics, worst violation."""
    system, start, state = setup.system, setup.start, run.state
    if setup.on_tree is not None:
        system, start = setup.on_tree.system, setup.on_tree.start
    return {
        "status": int(status),
        "message": _message(system, run, status) + _broken(system, run, start),
        "statistics": {
            "formulation": _formulation(setup),
            "steps": int(run.count[loop.DONE]),
            "rejected": state.rejected,
            "evaluations": state.evaluations,
            "factorisations": state.factorisations,
            "refinements": state.refinements,
            "leaps": state.leaps,
            "every": run.every,
            "wall_time": run.seconds,
            "cpu_time": run.cpu_seconds,
            "compile_time": prepared,
            "projections": state.projections,
            "iterations": state.iterations,
            "specialised": state.rates != state.rates_general,
            # The run's own interval: the samples may begin later and end earlier.
            "start": float(run.clock[loop.START]),
            "end": float(run.clock[loop.T]),
            "consistent": setup.consistent,
            "length": float(start.length),
            **({"step_reason": setup.step_reason} if setup.step_reason else {}),
            **_speeds(setup.start),
            **_touched(run),
        },
        "worst": {
            "phi": float(run.clock[loop.WORST_PHI]),
            "phi_dot": float(run.clock[loop.WORST_PHI_DOT]),
            "phi_row": _row(system, run.count[loop.PHI_ROW]),
            "phi_dot_row": _row(system, run.count[loop.PHI_DOT_ROW]),
            "phi_size": _size(start, run.count[loop.PHI_ROW]),
            "phi_dot_size": _size(start, run.count[loop.PHI_DOT_ROW]),
        },
    }


def _touched(run: Run) -> dict[str, Any]:
    """The worst of contacts over the run."""
    if run.contact_log is None:
        return {}
    found = worst_of(*part_of(run.work, run.sizes))
    return {"contact": found | {"size": float(run.shape_size)}}


def _formulation(setup: Setup) -> str | None:
    """Kind of coordinates of a run of bodies; None for other models."""
    if not setup.system.has_bodies:
        return None
    return "maximal" if setup.on_tree is None else "generalized"


def keep_last(run: Run) -> None:
    """The state at which a run stopped early is a sample too."""
    k = int(run.count[loop.SAMPLES])
    t = float(run.clock[loop.T])
    if len(run.times) or (k and run.t_out[k - 1] == t):
        return
    if k >= len(run.t_out):
        run.make_room()
    run.t_out[k], run.q_out[k], run.v_out[k], run.lam_out[k] = t, run.q, run.v, np.nan
    run.angle_out[k] = run.angles_now
    run.count[loop.SAMPLES] = k + 1


def _row(system: AnySystem, index: int) -> str:
    return system.row_names[int(index)] if system.row_names else ""


def _speeds(start: Start) -> dict[str, Any]:
    """Speeds asked for at the start that the constraints did not leave."""
    return {"changed_speeds": [[one.name, one.asked, one.taken] for one in start.changed]}


def _size(start: Start, row: int) -> float:
    """Size of a row: what the violation is compared with."""
    return float(start.row_size[int(row)]) if len(start.row_size) else 1.0


def _energies(
    model: Model, t: Any, q: Any, v: Any, turned: Turns | None
) -> tuple[np.ndarray, np.ndarray | None]:
    if model.is_maximal:
        return body_energies(model, t, q, v, turned)
    formulas = [model.kinetic] + ([] if model.potential is None else [model.potential])
    found = evaluate(formulas, known_values(model, formulas, t, q, v))
    full = [np.broadcast_to(np.asarray(x, dtype=float), t.shape).copy() for x in found]
    return full[0], (full[1] if len(full) > 1 else None)


def events(run: Run) -> tuple[EventRecord, ...]:
    """The events located so far."""
    found = run.located(0, int(run.count[loop.EVENT_COUNT]))
    return tuple(
        EventRecord(run.events[int(index)].label, float(t), q.copy(), v.copy())
        for t, index, q, v in zip(*found, strict=True)
    )


def _broken(system: AnySystem, run: Run, start: Start) -> str:
    """A further sentence when the motion plainly left the constraints."""
    if not system.extents.holonomic:
        return ""
    row = int(run.count[loop.PHI_ROW])
    worst = float(run.clock[loop.WORST_PHI])
    if worst <= BROKEN * start.row_size[row] * start.length:
        return ""
    return (
        f" The constraints were not kept: |phi| reached {worst:.2g} in {system.row_names[row]!r}."
    )


def _dependent_row(system: AnySystem, run: Run) -> str | None:
    """The first row that the rows before it imply at the last good state."""
    m = system.extents.rows
    evaluate_model(*run.state, float(run.clock[loop.T]), run.q, run.v)
    J: Any = system.jacobian(*run.state)
    J = J / np.maximum(np.linalg.norm(J, axis=1, keepdims=True), 1e-300)
    for i in range(1, m):
        rest = J[i] - np.linalg.lstsq(J[:i].T, J[i], rcond=1e-6)[0] @ J[:i]
        if np.linalg.norm(rest) < 1e-3:
            return system.row_names[i]
    return system.row_names[-1] if m else None


def _message(system: AnySystem, run: Run, status: Status) -> str:
    """The sentence: what happened, where, what to do."""
    t = float(run.clock[loop.T])
    where = detail = None
    failed = run.state.failed_index
    names = system.coordinate_names
    if status is Status.EVENT:
        where = run.events[int(run.event_index[int(run.count[loop.EVENT_COUNT]) - 1])].label
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
    return sentence(status, t=t, where=where, detail=detail)
