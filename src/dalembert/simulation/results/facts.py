"""How a run went, as plain values."""

from __future__ import annotations

from typing import Any

from dalembert.integration import loop
from dalembert.simulation.prepare.contacts import part_of
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.results.contact_results import worst_of
from dalembert.simulation.results.message import broken, message
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status


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
            "phi_size": row_size(start, run.count[loop.PHI_ROW]),
            "phi_dot_size": row_size(start, run.count[loop.PHI_DOT_ROW]),
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


def _row(system: AnySystem, index: int) -> str:
    return system.row_names[int(index)] if system.row_names else ""


def _speeds(start: Start) -> dict[str, Any]:
    """Speeds asked for at the start that the constraints did not leave."""
    return {"changed_speeds": [[one.name, one.asked, one.taken] for one in start.changed]}


def row_size(start: Start, row: int) -> float:
    """Size of a row: what the violation is compared with."""
    return float(start.row_size[int(row)]) if len(start.row_size) else 1.0
