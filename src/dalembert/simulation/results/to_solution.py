"""From a finished run to a Solution: states, what follows from them, names, the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.integration import RK4
from dalembert.mechanics.measure import Measures
from dalembert.model.basics.contents import unchanged
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.results.accelerations import measured
from dalembert.simulation.results.contact_results import Touch
from dalembert.simulation.results.energies import energies
from dalembert.simulation.results.facts import facts, row_size
from dalembert.simulation.results.loads import loads
from dalembert.simulation.results.recorded import EventRecord
from dalembert.simulation.results.samples import Samples, keep_last
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.results.step_error import missed
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status


def solution(setup: Setup, run: Run, status: Status, prepared: float) -> Solution:
    """Everything the run computed, with what is derived from it."""
    keep_last(run)
    k = run.clock.samples
    t, q, v, lam = run.samples(k)
    own = lam if setup.method.own_multipliers else None
    samples = Samples(t.copy(), q.copy(), v.copy(), own)
    commands = run.calling.commands(run.clock.logged)
    run.take_log()
    samples = replace(samples, commands=commands, contacts=run.contact_log)
    samples = replace(samples, angles=run.angle_out[:k].copy())
    if setup.on_tree is not None and setup.on_tree.has_compounds:
        samples = replace(samples, of_tree=(run.q_out[:k].copy(), run.v_out[:k].copy()))
    with unchanged():
        return compose(setup, samples, events(run), ended(setup, run, status, prepared))


def ended(setup: Setup, run: Run, status: Status, prepared: float) -> dict[str, Any]:
    """Return what `facts` says of a run that is over, and what its steps missed."""
    known = facts(setup, run, status, prepared)
    return {**known, "statistics": known["statistics"] | missed(setup, run)}


def compose(
    setup: Setup, samples: Samples, found: tuple[EventRecord, ...], known: Mapping[str, Any]
) -> Solution:
    """The solution of these samples; `known` is what `facts` says."""
    system, method, start = setup.system, setup.method, setup.start
    t, q, v = samples.t, samples.q, samples.v
    touch = None
    if samples.contacts is not None and setup.contacts is not None:
        touch = Touch.of(setup.contacts, samples.contacts, len(t), setup.running.extents.nv)
    besides = loads(setup, samples, touch)
    turned = Turns.of(setup.model, t, q, v, samples.angles)
    made = measured(setup, samples, touch, besides, turned)
    kinetic, potential = energies(setup.model, t, q, v, turned)
    if besides is not None:
        kinetic = kinetic + besides.energy
    return Solution(
        t=t,
        q=q,
        v=v,
        a=made.a,
        lam=made.lam,
        phi=made.phi,
        phi_dot=made.phi_dot,
        kinetic=kinetic,
        potential=potential,
        coordinate_names=system.coordinate_names,
        row_names=system.row_names,
        constraint_slices=dict(system.constraint_slices),
        model=setup.model,
        method=method,
        # A method of the user's own class may be known by its text only.
        integrator=None if _steps_itself(setup) else setup.integrator,
        step=setup.step,
        events=found,
        status=Status(known["status"]),
        message=known["message"],
        statistics={**known["statistics"], **_ranks(made, system)},
        worst=_worst(system, start, known, made.phi, made.phi_dot),
        initial_move={"q": start.move_q, "v": start.move_v},
        commands=samples.commands,
        touch=touch,
        angles=samples.angles,
    )


def _steps_itself(setup: Setup) -> bool:
    """Whether the method has its own fixed step."""
    method, integrator = setup.method, setup.integrator
    between = isinstance(method, Method) and method.goes_between(integrator)
    if between and integrator != RK4():
        return False  # it was asked for, for the steps between impulses
    return setup.step is not None and getattr(method, "advance", None) is not None


def _ranks(made: Measures, system: AnySystem) -> dict[str, Any]:
    """Ranks of J met at the samples, and whether multipliers are unique."""
    ranks = made.rank[made.rank >= 0]
    return {
        "rank_min": int(ranks.min()) if ranks.size else 0,
        "rank_max": int(ranks.max()) if ranks.size else 0,
        "unique_multipliers": bool(ranks.size and np.all(ranks == system.extents.rows)),
    }


def events(run: Run) -> tuple[EventRecord, ...]:
    """The events located so far."""
    found = run.located(0, run.clock.event_count)
    return tuple(
        EventRecord(run.events[int(index)].label, float(t), q.copy(), v.copy())
        for t, index, q, v in zip(*found, strict=True)
    )


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
                f"{level}_size": row_size(start, row),
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
