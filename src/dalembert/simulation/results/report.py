"""The fidelity report of a run: as plain values, and as text a person reads in ten seconds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.simulation.results.figures import figures
from dalembert.simulation.results.scales import sampling_limits
from dalembert.simulation.results.verdict_facts import LEAST_ENERGY

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution


def values(solution: Solution) -> dict[str, Any]:
    """The report as numbers, strings and lists only, so that it can be written as JSON."""
    verdict = solution.verdict
    return {
        "verdict": verdict.word,
        "reasons": [asdict(reason) for reason in verdict.reasons],
        **figures(solution),
    }


def _method_line(r: dict[str, Any]) -> str:
    """The method, and what it works on where that is not what the model is written in."""
    on = " in the coordinates of joints" if r["formulation"] == "generalized" else ""
    return f"{r['method']}{on}"


def text(solution: Solution) -> str:
    """The report as aligned lines."""
    r = values(solution)
    lines = [
        ("verdict", r["verdict"]),
        *(("", f"{reason['text']} {reason['remedy']}".strip()) for reason in r["reasons"]),
        ("model", _model_line(r)),
        ("method", _method_line(r)),
        ("integrator", _integrator_line(r)),
        ("interval", _interval_line(r)),
        ("cost", _cost_line(r)),
    ]
    if r["constraint_rows"]:
        lines += [
            ("position", _position_line(r, solution)),
            ("velocity", _violation("|phi'|", r["worst_phi_dot"], r["worst_phi_dot_row"])),
        ]
    lines.append(("energy", _energy_line(r, solution)))
    if r["energy_balance"] is not None:
        lines.append(("work", _work_line(r)))
    if r["step_error"] is not None:
        lines.append(
            ("step", f"its errors are at most {r['step_error']:.1e} of the motion, added up")
        )
    if r["constraint_rows"]:
        lines.append(("initial state", _move_line(r, solution)))
        lines.append(("multipliers", _multiplier_line(r)))
    if r["contact"] is not None:
        lines += _contact_lines(r)
    if r["located"] is not None:
        lines.append(("located", _located_line(r["located"])))
    if r["stepping"] is not None:
        lines.append(("steps", r["stepping"]))
    lines.append(("events", _event_line(r)))
    if solution.statistics.get("actions"):
        lines.append(("actions", _action_line(solution)))
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
    if r["degrees_of_freedom"] is None:
        reason = "too large to be examined" if r["samples"] else "no samples"
        return f"{line}, rank and degrees of freedom unknown ({reason})"
    line += f", {count(r['degrees_of_freedom'], 'degree of freedom')}"
    # One sample may be a singular position; elsewhere the rank is higher.
    lonely = r["samples"] == 1 and r["rank_max"] is not None
    return line + (" at the only sample" if lonely and r["rank_max"] < r["constraint_rows"] else "")


def _rank_phrase(r: dict[str, Any]) -> str:
    low, high = r["rank_min"], r["rank_max"]
    if low is None or high is None:
        return ""
    return f" of rank {low}" if low == high else f" of rank {low} to {high}"


def _integrator_line(r: dict[str, Any]) -> str:
    step = f", step {r['step']:g} s" if r["step"] is not None else ", step by error control"
    if r["shortest_step"] is not None and r["longest_step"] is not None:
        step += f", {r['shortest_step']:.2g} to {r['longest_step']:.2g} s"
    return f"{r['integrator'] or 'the discretisation of the method'}{step}"


def _interval_line(r: dict[str, Any]) -> str:
    if r["start"] is None:
        return "nothing was recorded"
    line = f"{r['start']:.10g} to {r['end']:.10g} s"
    if r["steps"] is not None:
        line += f", {count(r['steps'], 'step')}"
        if r["leaps"]:
            where = "a singular position" if r["leaps"] == 1 else "singular positions"
            line += f" (of them {count(r['leaps'], 'leap')} past {where})"
        if r["rejected_steps"]:
            line += f" and {r['rejected_steps']} rejected"
    if not r["samples"]:
        return f"{line}, no samples recorded"
    line += f", {count(r['samples'], 'sample')} recorded"
    first, last = r["first_sample"], r["last_sample"]
    if (first, last) == (r["start"], r["end"]):
        return line
    if first == last:
        return f"{line} at {first:.10g} s"
    return f"{line} from {first:.10g} to {last:.10g} s"


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


def _position_line(r: dict[str, Any], solution: Solution) -> str:
    if not solution.phi.shape[1]:
        return "no position level: the constraints are on velocities only"
    return _violation("|phi| ", r["worst_phi"], r["worst_phi_row"])


def _energy_line(r: dict[str, Any], solution: Solution) -> str:
    if solution.energy is None:
        return "not defined: the model states no potential"
    if r["energy_change"] is None:
        lost = np.flatnonzero(~np.isfinite(solution.energy))
        if lost.size:
            return f"lost: not a finite number from t = {solution.t[lost[0]]:.6g} s on"
        return "not measured: fewer than two samples"
    word = "error" if r["conservative"] else "change"
    relative = r["energy_change_relative"]
    share = f", relative {relative:.1e}" if relative is not None else ""
    reason = "" if r["conservative"] else " (the model is not conservative)"
    # Unlike the violations, the energy is known where it was recorded only.
    sparse = r["steps"] is not None and r["samples"] <= r["steps"]
    place = " at the samples" if sparse else ""
    return f"{word} {r['energy_change']:.1e} J{share}{place}{reason}"


def _work_line(r: dict[str, Any]) -> str:
    relative = r["energy_balance_relative"]
    share = f", relative {relative:.1e}" if relative is not None else ""
    line = f"{r['work']:.6g} J by forces and drives; balance with the energy off by"
    line += f" {r['energy_balance']:.1e} J{share}"
    # The integral of the samples may be coarser than the run itself.
    off = r["energy_balance_quadrature"]
    if sampling_limits(r) and relative is not None and relative > LEAST_ENERGY:
        line += f", of which {off:.1e} J may be the samples: they are too far apart to tell"
    elif off > 0.1 * r["energy_balance"]:
        line += f" (integrating the samples may be off by {off:.1e} J)"
    return line


def _move_line(r: dict[str, Any], solution: Solution) -> str:
    if not solution.statistics.get("consistent", True):
        if r["first_sample"] is None or r["first_sample"] != r["start"]:
            return "left as given"
        off = max(np.max(np.abs(level[0]), initial=0) for level in (solution.phi, solution.phi_dot))
        return f"left as given, off by {off:.1e}"
    dq, dv = r["initial_move_q"], r["initial_move_v"]
    if dq is None and dv is None:
        return "taken as given"
    if not dq and not dv:
        return "consistent as given"
    line = f"moved onto the constraints by {dq or 0.0:.1e} in q and {dv or 0.0:.1e} in v"
    changed = [
        f"{one['name']} was given as {one['asked']:.6g}, {one['taken']:.6g} was taken"
        for one in (*r["changed_places"][:3], *r["changed_speeds"][:3])
    ]
    return "; ".join([line, *changed])


def _multiplier_line(r: dict[str, Any]) -> str:
    if r["multipliers_unique"] is None:
        return f"unknown ({'too large to be examined' if r['samples'] else 'no samples'})"
    if r["multipliers_unique"]:
        return "unique"
    return "not unique (dependent rows): the minimum-norm ones are given"


def _contact_lines(r: dict[str, Any]) -> list[tuple[str, str]]:
    c, steps = r["contact"], r["steps"] or 0
    most = int(c["contacts"])
    solve = f"worst residual of the laws {c['residual']:.1e} m/s"
    if c["stalled"]:
        solve += f"; {c['stalled']} of {count(steps, 'step')} above the tolerance"
    place = f"at most {count(most, 'contact')} at once" if most else "none"
    if c.get("smooth_steps"):
        place += f", nothing near in {c['smooth_steps']} of {count(steps, 'step')}"
    if c.get("plain_steps"):
        place += f", {c['plain_steps']} of {count(steps, 'step')} without error control"
    if most or c["penetration"]:
        place += f", deepest penetration {c['penetration']:.1e} m"
    if most:
        place += f", work {c['contact_work']:.4g} J"
    if r["contact_balance_relative"] is not None:
        place += f" (energy off by {r['contact_balance_relative']:.1e} of what was exchanged)"
    if c.get("held"):
        place += f"; stops and drives that act: at most {int(c['held'])}"
    if c.get("penetration_angle"):
        place += f", passed by {c['penetration_angle']:.1e} rad"
    if c.get("penetration_own"):
        place += f", passed by {c['penetration_own']:.1e} in the unit of the formula"
    if c["flagged"]:
        place += f"; in {count(c['flagged'], 'step')} rigid contacts did work"
    if c["poisson"]:
        place += f"; {count(c['poisson'], 'step')} with impacts by Poisson's law"
    return [("contacts", place), ("solve", solve)]


def _action_line(solution: Solution) -> str:
    done = [one for one in solution.log if one.kind in ("release", "engage", "set")]
    shown = ", ".join(f"{one.kind} {one.contact!r} at {one.t:.6g} s" for one in done[:4])
    return shown + (f" and {len(done) - 4} more" if len(done) > 4 else "")


def _located_line(located: dict[str, Any]) -> str:
    """Happenings of contacts, by kind, and when."""
    said = ", ".join(f"{number} {kind}" for kind, number in located["counts"].items())
    first, last = located["first"], located["last"]
    when = f"at {first:.6g} s" if first == last else f"from {first:.6g} to {last:.6g} s"
    return f"{said}; {when}"


def _event_line(r: dict[str, Any]) -> str:
    events = r["events"]
    if not events:
        return "none"
    shown = ", ".join(f"{event['name']!r} at {event['t']:.6g} s" for event in events[:4])
    return shown + (f" and {len(events) - 4} more" if len(events) > 4 else "")
