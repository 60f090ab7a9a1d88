"""The fidelity report of a run: as plain values, and as text a person reads in ten seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dalembert.simulation.solution import Solution


def values(solution: Solution) -> dict[str, Any]:
    """The report as numbers, strings and lists only, so that it can be written as JSON."""
    statistics, worst, move = solution.statistics, solution.worst, solution.initial_move
    change, relative = energy_change(solution)
    row_count = len(solution.row_names)
    coordinate_count = len(solution.coordinate_names)
    rank_min = _integer(statistics.get("rank_min"))
    rank_max = _integer(statistics.get("rank_max"))
    rank = rank_max if rank_max is not None else row_count
    steps = _integer(statistics.get("steps"))
    cpu_time = _number(statistics.get("cpu_time"))
    return {
        "model": solution.model.name,
        "coordinates": coordinate_count,
        "constraint_rows": row_count,
        "rank_min": rank_min,
        "rank_max": rank_max,
        "degrees_of_freedom": coordinate_count - rank,
        "multipliers_unique": bool(statistics.get("unique_multipliers", True)),
        "method": described(solution.method),
        "integrator": None if solution.integrator is None else described(solution.integrator),
        "step": _number(solution.step),
        "start": _number(solution.t[0]) if len(solution.t) else None,
        "end": _number(solution.t[-1]) if len(solution.t) else None,
        "steps": steps,
        "rejected_steps": _integer(statistics.get("rejected")),
        "leaps": _integer(statistics.get("leaps")) or 0,
        "samples": len(solution.t),
        "cpu_time": cpu_time,
        "compile_time": _number(statistics.get("compile_time")),
        "microseconds_per_step": 1e6 * cpu_time / steps if cpu_time is not None and steps else None,
        "worst_phi": _number(worst.get("phi")),
        "worst_phi_row": worst.get("phi_row"),
        "worst_phi_dot": _number(worst.get("phi_dot")),
        "worst_phi_dot_row": worst.get("phi_dot_row"),
        "conservative": bool(getattr(solution.model, "conservative", False)),
        "energy_change": change,
        "energy_change_relative": relative,
        "initial_move_q": _number(move.get("q")),
        "initial_move_v": _number(move.get("v")),
        "events": [{"name": event.name, "t": float(event.t)} for event in solution.events],
        "status": solution.status.name,
        "message": solution.message,
    }


def described(part: Any) -> str:
    """A method or integrator with its parameters, in one line."""
    if isinstance(part, str):
        return part
    describe = getattr(part, "describe", None)
    return str(describe()) if callable(describe) else repr(part)


def energy_change(solution: Solution) -> tuple[float | None, float | None]:
    """Largest departure of the energy from its first value, absolute [J] and relative.

    The relative value is over the largest kinetic energy or change of potential energy seen: the
    energy itself depends on where the potential is called zero. Samples after a run has left the
    finite numbers do not count.
    """
    if solution.energy is None or solution.potential is None:
        return None, None
    good = np.isfinite(solution.energy)
    energy, potential = solution.energy[good], solution.potential[good]
    if not len(energy):
        return None, None
    with np.errstate(over="ignore"):
        change = float(np.max(np.abs(energy - energy[0])))
        exchanged = np.max(np.abs(potential - potential[0]))
        scale = float(max(np.max(np.abs(solution.kinetic[good])), exchanged))
    return change, change / scale if scale > 0 else None


def text(solution: Solution) -> str:
    """The report as aligned lines."""
    r = values(solution)
    lines = [
        ("model", _model_line(r)),
        ("method", r["method"]),
        ("integrator", _integrator_line(r)),
        ("interval", _interval_line(r)),
        ("cost", _cost_line(r)),
    ]
    if r["constraint_rows"]:
        lines += [
            ("position", _violation("|phi| ", r["worst_phi"], r["worst_phi_row"])),
            ("velocity", _violation("|phi'|", r["worst_phi_dot"], r["worst_phi_dot_row"])),
        ]
    lines.append(("energy", _energy_line(r)))
    if r["constraint_rows"]:
        lines.append(("initial state", _move_line(r)))
        lines.append(("multipliers", _multiplier_line(r)))
    lines.append(("events", _event_line(r)))
    lines.append(("status", f"{r['status']}. {r['message']}".rstrip()))
    width = max(len(label) for label, _ in lines) + 2
    body = "\n".join(f"  {label:<{width}}{value}" for label, value in lines)
    return f"Fidelity report: {r['model']}\n{body}"


def count(number: int, noun: str) -> str:
    """``1 row``, ``2 rows``; thousands apart by thin separators people can read."""
    plural = "" if number == 1 else "s"
    if noun.endswith("degree of freedom"):
        noun, plural = ("degree", " of freedom") if number == 1 else ("degrees", " of freedom")
    return f"{number:,}".replace(",", " ") + f" {noun}{plural}"


def _model_line(r: dict[str, Any]) -> str:
    line = count(r["coordinates"], "coordinate")
    if r["constraint_rows"]:
        line += f", {count(r['constraint_rows'], 'constraint row')}{_rank_phrase(r)}"
    return f"{line}, {count(r['degrees_of_freedom'], 'degree of freedom')}"


def _rank_phrase(r: dict[str, Any]) -> str:
    low, high = r["rank_min"], r["rank_max"]
    if low is None or high is None:
        return ""
    return f" of rank {low}" if low == high else f" of rank {low} to {high}"


def _integrator_line(r: dict[str, Any]) -> str:
    step = f", step {r['step']:g} s" if r["step"] is not None else ", step by error control"
    return f"{r['integrator'] or 'the discretisation of the method'}{step}"


def _interval_line(r: dict[str, Any]) -> str:
    if r["start"] is None:
        return "nothing was recorded"
    line = f"{r['start']:.10g} to {r['end']:.10g} s"
    if r["steps"] is not None:
        line += f", {count(r['steps'], 'step')}"
        if r["rejected_steps"]:
            line += f" and {r['rejected_steps']} rejected"
        if r["leaps"]:
            line += f", {r['leaps']} of them leaps past singular positions"
    return f"{line}, {count(r['samples'], 'sample')} recorded"


def _cost_line(r: dict[str, Any]) -> str:
    if r["cpu_time"] is None:
        return "not measured"
    line = f"{r['cpu_time']:.3g} s CPU"
    if r["microseconds_per_step"] is not None:
        line += f", {r['microseconds_per_step']:.3g} us a step"
    if r["compile_time"]:
        line += f" (besides {r['compile_time']:.2g} s to prepare)"
    return line


def _violation(symbol: str, value: float | None, row: str | None) -> str:
    if value is None:
        return f"worst {symbol} not measured"
    place = f"   in {row!r}" if row else ""
    return f"worst {symbol} {value:.1e}{place}"


def _energy_line(r: dict[str, Any]) -> str:
    if r["energy_change"] is None:
        return "not defined: the model states no potential"
    word = "error" if r["conservative"] else "change"
    relative = r["energy_change_relative"]
    share = f", relative {relative:.1e}" if relative is not None else ""
    reason = "" if r["conservative"] else " (the model is not conservative)"
    return f"{word} {r['energy_change']:.1e} J{share}{reason}"


def _move_line(r: dict[str, Any]) -> str:
    dq, dv = r["initial_move_q"], r["initial_move_v"]
    if dq is None and dv is None:
        return "taken as given"
    if not dq and not dv:
        return "consistent as given"
    return f"moved onto the constraints by {dq or 0.0:.1e} in q and {dv or 0.0:.1e} in v"


def _multiplier_line(r: dict[str, Any]) -> str:
    if r["multipliers_unique"]:
        return "unique"
    return "not unique (dependent rows): the minimum-norm ones are given"


def _event_line(r: dict[str, Any]) -> str:
    events = r["events"]
    if not events:
        return "none"
    shown = ", ".join(f"{event['name']!r} at {event['t']:.6g} s" for event in events[:4])
    return shown + (f" and {len(events) - 4} more" if len(events) > 4 else "")


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(float(value)) else float(value)


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)
