"""Figures of the fidelity report of a run, as plain values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.simulation.results.phases import counts_of
from dalembert.simulation.results.scales import stands
from dalembert.simulation.results.step_error import step_error

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution
    from dalembert.simulation.results.work import Balance


def figures(solution: Solution) -> dict[str, Any]:
    """The report without the verdict, which is made of it."""
    contact = solution.statistics.get("contact")
    return {
        "model": solution.model.name,
        "coordinates": len(solution.coordinate_names),
        "constraint_rows": len(solution.row_names),
        **_ranks(solution),
        **_course(solution),
        **_violations(solution),
        **_energy(solution, contact),
        "step_error": _step_error(solution, contact),
        **_beginning(solution),
        "contact": None if contact is None else dict(contact),
        "events": [{"name": event.name, "t": float(event.t)} for event in solution.events],
        "swung_at": _number(solution.statistics.get("swung_at")),
        "located": _located(solution),
        "stepping": _stepping(solution),
        "status": solution.status.name,
        "message": solution.message,
    }


def _ranks(solution: Solution) -> dict[str, Any]:
    """Rank of the constraints, and what follows from it."""
    statistics, row_count = solution.statistics, len(solution.row_names)
    rank_min = _integer(statistics.get("rank_min"))
    rank_max = _integer(statistics.get("rank_max"))
    recorded = len(solution.t) > 0
    if row_count and not recorded:  # the rank is that of the samples
        rank_min = rank_max = None
    rank = rank_max if rank_max is not None else row_count
    known = recorded or not row_count
    unique = bool(statistics.get("unique_multipliers", True))
    if solution.model.bodies and row_count and recorded:
        # The solve of bodies does not tell the rank; it is looked at in some samples.
        rank_min, rank_max = solution.statics.lowest, solution.statics.rank
        known = rank_max is not None
        rank = rank_max or 0
        unique = rank_min == row_count
    return {
        "rank_min": rank_min,
        "rank_max": rank_max,
        "degrees_of_freedom": solution.v.shape[1] - rank if known else None,
        "multipliers_unique": unique if known else None,
    }


def _course(solution: Solution) -> dict[str, Any]:
    """Ways and steps of the run, its interval, its cost."""
    statistics, t = solution.statistics, solution.t
    recorded = len(t) > 0
    steps, cpu_time = _integer(statistics.get("steps")), _number(statistics.get("cpu_time"))
    return {
        "formulation": statistics.get("formulation"),
        "method": described(solution.method),
        "integrator": None if solution.integrator is None else described(solution.integrator),
        "step": _number(solution.step),
        "tolerance": _number(getattr(solution.integrator, "steps_rtol", None)),
        "shortest_step": _number(statistics.get("shortest_step")),
        "longest_step": _number(statistics.get("longest_step")),
        "start": _number(statistics.get("start", t[0] if recorded else None)),
        "end": _number(statistics.get("end", t[-1] if recorded else None)),
        "steps": steps,
        "rejected_steps": _integer(statistics.get("rejected")),
        "leaps": _integer(statistics.get("leaps")) or 0,
        "undecided_steps": _integer(statistics.get("undecided_steps")) or 0,
        "samples": len(t),
        "first_sample": _number(t[0]) if recorded else None,
        "last_sample": _number(t[-1]) if recorded else None,
        "cpu_time": cpu_time,
        "compile_time": _number(statistics.get("compile_time")),
        "microseconds_per_step": 1e6 * cpu_time / steps if cpu_time is not None and steps else None,
    }


def _violations(solution: Solution) -> dict[str, Any]:
    """The worst violation of the constraints over all steps."""
    worst = solution.worst
    positions = solution.phi.shape[1] > 0 or not solution.row_names
    return {
        "worst_phi": _number(worst.get("phi")) if positions else None,
        "worst_phi_row": worst.get("phi_row") if positions else None,
        "worst_phi_dot": _number(worst.get("phi_dot")),
        "worst_phi_dot_row": worst.get("phi_dot_row"),
    }


def _energy(solution: Solution, contact: Any) -> dict[str, Any]:
    """Change of energy, and how far work and impulses explain it."""
    change, relative = energy_change(solution)
    scale = energy_scale(solution)
    idle = nothing_touched(solution, contact)
    conservative = bool(getattr(solution.model, "conservative", False)) and idle
    # forces of contacts and one-sided rows are not among those whose work is summed up
    balance = None if conservative or not idle else solution.balance
    off = None if balance is None else float(np.max(np.abs(balance.residual)))
    unexplained = contact_balance(solution)
    return {
        "conservative": conservative,
        "energy_change": change,
        "energy_change_relative": relative,
        "work": None if balance is None else float(balance.work[-1]),
        "energy_balance": off,
        "energy_balance_relative": _over(off, scale, balance),
        "energy_balance_quadrature": None if balance is None else balance.quadrature,
        "contact_balance": unexplained,
        "contact_balance_relative": _relative(unexplained, scale),
        "energy_gain_relative": None if idle else _relative(energy_gain(solution), scale),
    }


def _step_error(solution: Solution, contact: Any) -> float | None:
    """Errors of fixed steps over the motion; None where impulses act, or it cannot be told."""
    return step_error(solution) if nothing_touched(solution, contact) else None


def _located(solution: Solution) -> dict[str, Any] | None:
    """Numbers of entries of the log by kind, and the first and the last moment; None without."""
    log = solution.log
    if not log:
        return None
    moments = [float(entry.t) for entry in log]
    return {"counts": counts_of(log), "first": min(moments), "last": max(moments)}


def _stepping(solution: Solution) -> str | None:
    """Why the run took steps of impulses, in a sentence; None where all events were located."""
    why = solution.statistics.get("stepping")
    if why is not None:
        return f"of impulses, events are not located: {why}"
    for entry in solution.log:
        if entry.kind == "stepping":
            return f"of impulses from {entry.t:.6g} s on: {entry.contact}."
    return None


def nothing_touched(solution: Solution, contact: Any) -> bool:
    """Whether no contact or stop acted in the run; located impacts take no step."""
    if solution.statistics.get("log"):
        return False
    return contact is None or contact.get("contact_steps") == 0


def _beginning(solution: Solution) -> dict[str, Any]:
    """How the initial state was moved onto the constraints."""
    move = solution.initial_move
    return {
        "initial_move_q": _number(move.get("q")),
        "initial_move_v": _number(move.get("v")),
        **{
            key: [
                {"name": name, "asked": asked, "taken": taken}
                for name, asked, taken in solution.statistics.get(key, ())
            ]
            for key in ("changed_speeds", "changed_places")
        },
    }


def described(part: Any) -> str:
    """A method or integrator with its parameters, in one line."""
    if isinstance(part, str):
        return part
    describe = getattr(part, "describe", None)
    return str(describe()) if callable(describe) else repr(part)


def energy_change(solution: Solution) -> tuple[float | None, float | None]:
    """Largest departure of the energy from its first value, absolute [J] and relative.

    The relative value is over `energy_scale`. None with fewer than two samples, and when the energy
    left the finite numbers: its largest value would measure itself.
    """
    energy = solution.energy
    if energy is None or len(energy) < 2 or not np.all(np.isfinite(energy)):
        return None, None
    with np.errstate(over="ignore"):
        change = float(np.max(np.abs(energy - energy[0])))
    scale = energy_scale(solution)
    return change, change / scale if scale else None


def energy_scale(solution: Solution) -> float | None:
    """Energy that is exchanged: the largest kinetic one, or change of potential energy  [J].

    The energy itself depends on where the potential is called zero. None where nothing moves: what
    is left of both is rounding.
    """
    potential = solution.potential
    if potential is None or len(potential) < 2 or stands(solution):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        exchanged = np.max(np.abs(potential - potential[0]))
        scale = float(max(np.max(np.abs(solution.kinetic)), exchanged))
    return scale if 0.0 < scale < math.inf else None


def contact_balance(solution: Solution) -> float | None:
    """Change of energy that the work of contacts does not explain  [J].

    With W the sum of lam . (u- + u+) / 2 over all steps and contacts, E(end) - E(0) - W vanishes in
    the limit of short steps, where nothing else does work. None where something else does (forces,
    drives, stops), where there was no contact, and where samples leave out the start or the end.
    """
    contact, energy, t = solution.statistics.get("contact"), solution.energy, solution.t
    if not contact or not contact["contacts"] or contact.get("held") or energy is None:
        return None
    if "log" in solution.statistics:
        return None  # between located events forces have no steps to do work in
    if not solution.model.conservative or len(t) < 2 or not np.all(np.isfinite(energy[[0, -1]])):
        return None
    if (t[0], t[-1]) != (solution.statistics.get("start"), solution.statistics.get("end")):
        return None
    return float(abs(energy[-1] - energy[0] - contact["contact_work"]))


def energy_gain(solution: Solution) -> float | None:
    """Energy that nothing gave  [J]: the most by which E - E(0) exceeds what was given.

    Given by forces and drives where their work grows, and by contacts where theirs does in all (a
    belt); nothing that takes energy counts, so that it does not matter how well its work is known.
    None where work is not known, samples are too rare to know it, or impacts are located: reactions
    of drives at such an instant are impulses.
    """
    contact = solution.statistics.get("contact") or {}
    balance = None if "log" in solution.statistics else solution.balance
    if balance is None or solution.energy is None:
        return None
    gain = float(np.max(solution.energy - solution.energy[0] - balance.given))
    gain -= max(float(contact.get("contact_work", 0.0)), 0.0)
    every_step = len(solution.t) > solution.statistics.get("steps", math.inf)
    return gain if every_step or gain > 5.0 * balance.quadrature else None


def _relative(value: float | None, scale: float | None) -> float | None:
    return None if value is None or scale is None else value / scale


def _over(off: float | None, scale: float | None, balance: Balance | None) -> float | None:
    """Error of the balance over the energy exchanged, or the work where that is more."""
    if off is None or balance is None or scale is None:
        return None
    return off / max(scale, float(np.max(np.abs(balance.work))))


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(float(value)) else float(value)


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)
