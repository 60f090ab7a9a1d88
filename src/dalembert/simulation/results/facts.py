"""How a run went, as plain values."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from dalembert.simulation.prepare.contacts import part_of
from dalembert.simulation.prepare.modes import why_steps
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.results.contact_results import worst_of
from dalembert.simulation.results.message import broken, message
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status

COUNTS = (
    *("steps", "rejected", "evaluations", "factorisations", "refinements", "leaps"),
    *("undecided_steps", "projections", "iterations"),
)
TIMES = ("wall_time", "cpu_time", "compile_time", "undecided_time", "undecided_share", "parted")
"""Statistics of every run: numbers without and with a unit."""

ALWAYS = ("steps", "every", "wall_time", "cpu_time", "compile_time", "start", "end")
"""Statistics that files of every version have."""


def check(found: Any) -> None:
    """Raise for facts from a file that are none: whoever reads them counts on their kinds."""
    Status(found["status"])
    if not isinstance(found["message"], str):
        raise TypeError("message")
    statistics, worst = found["statistics"], found["worst"]
    numbers = {name: statistics[name] for name in ALWAYS}
    numbers |= {name: statistics[name] for name in (*COUNTS, *TIMES) if name in statistics}
    numbers |= {name: worst[name] for name in ("phi", "phi_dot")}
    for name, x in numbers.items():
        if type(x) not in (int, float):
            raise TypeError(name)
    if type(statistics["every"]) is not int or not 0 < statistics["every"] < 2**53:
        raise ValueError("every")


def facts(setup: Setup, run: Run, status: Status, prepared: float) -> dict[str, Any]:
    """How the run went, as plain values: status, message, statistics, worst violation."""
    system, start, state = setup.system, setup.start, run.state
    if setup.on_tree is not None:
        system, start = setup.on_tree.system, setup.on_tree.start
    return {
        "status": int(status),
        "message": message(system, run, status) + broken(system, run, start),
        "statistics": {
            "formulation": _formulation(setup),
            "steps": run.clock.done,
            "rejected": state.rejected,
            "evaluations": state.evaluations,
            "factorisations": state.factorisations,
            "refinements": state.refinements,
            "leaps": state.leaps,
            "parted": float(state.parted),
            "undecided_steps": state.undecided_steps,
            "undecided_time": float(state.undecided_time),
            "undecided_share": float(state.undecided_sigma),
            "every": run.every,
            "wall_time": run.seconds,
            "cpu_time": run.cpu_seconds,
            "compile_time": prepared,
            "projections": state.projections,
            "iterations": state.iterations,
            "specialised": state.rates != state.rates_general,
            # The run's own interval: the samples may begin later and end earlier.
            "start": run.began,
            "end": float(run.clock.t),
            "consistent": setup.consistent,
            "length": float(start.length),
            **_lengths(run),
            **_speeds(setup.start),
            **_touched(run),
            **_happened(run),
            **_stepping(setup),
            **({} if run.swung_at is None else {"swung_at": run.swung_at}),
        },
        "worst": {
            "phi": float(run.clock.worst_phi),
            "phi_dot": float(run.clock.worst_phi_dot),
            "phi_row": _row(system, run.clock.phi_row),
            "phi_dot_row": _row(system, run.clock.phi_dot_row),
            "phi_size": row_size(start, run.clock.phi_row),
            "phi_dot_size": row_size(start, run.clock.phi_dot_row),
        },
    }


def _happened(run: Run) -> dict[str, Any]:
    """The log of a run with located events, as rows."""
    transition = getattr(run, "transition", None)
    if transition is None:
        return {}
    return {"log": [list(astuple(one)) for one in transition.happened]}


def _stepping(setup: Setup) -> dict[str, Any]:
    """Why contacts took steps of impulses, where events were not located."""
    if "why steps" not in setup.memory:
        setup.memory["why steps"] = why_steps(setup.model, setup.method, setup.step)
    why = setup.memory["why steps"]
    return {} if why is None else {"stepping": why}


def _lengths(run: Run) -> dict[str, Any]:
    """The shortest and the longest step, where error control found them."""
    if not run.adaptive or not run.clock.done:
        return {}
    shortest, longest = run.clock.shortest, run.clock.longest
    return {"shortest_step": float(shortest), "longest_step": float(longest)}


def _touched(run: Run) -> dict[str, Any]:
    """The worst of contacts over the run."""
    if run.contact_log is None:
        return {}
    found = worst_of(*part_of(run.state))
    return {"contact": found | {"size": float(run.shape_size)}}


def _formulation(setup: Setup) -> str | None:
    """Kind of coordinates of a run of bodies; None for other models."""
    if not setup.system.has_bodies:
        return None
    return "maximal" if setup.on_tree is None else "generalized"


def _row(system: AnySystem, index: int) -> str:
    return system.row_names[int(index)] if system.row_names else ""


def _speeds(start: Start) -> dict[str, Any]:
    """Speeds and places asked for at the start that the constraints did not leave."""
    told = {"changed_speeds": start.changed, "changed_places": start.moved}
    return {key: [[one.name, one.asked, one.taken] for one in found] for key, found in told.items()}


def row_size(start: Start, row: int) -> float:
    """Size of a row: what the violation is compared with."""
    return float(start.row_size[int(row)]) if len(start.row_size) else 1.0
