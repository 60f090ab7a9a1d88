"""A solution at other moments: states from the continuous output, everything else by the equations.

Accelerations, multipliers and violations are worked out anew from the interpolated states, so that
forces and specific forces between samples are those of the equations, not interpolated themselves.
Where contacts, stops or friction act the equations do not tell: there they are those of the samples
(`touched`).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import contact_series, to_solution
from dalembert.simulation.results.samples import Samples
from dalembert.system.build import build

if TYPE_CHECKING:
    from dalembert.simulation.prepare.controllers import Commands
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


def resampled(solution: Solution, times: Array) -> Solution:
    """The solution of a run at other, increasing moments within it."""
    times = np.asarray(times, dtype=float)
    q, v = solution.at(times)
    same = np.searchsorted(solution.t, times).clip(max=len(solution.t) - 1)
    exact = solution.t[same] == times
    q[exact], v[exact] = solution.q[same[exact]], solution.v[same[exact]]
    made = _composed(solution, times, q, v, solution.commands)
    acting = contact_series.acts(solution, times)
    if acting.any():
        for series, known in ((made.a, solution.a), (made.lam, solution.lam)):
            series[acting] = contact_series.between(solution, known, times[acting])
    return made


def before(solution: Solution) -> Array:
    """Accelerations just before each sample: controllers may have changed their commands there."""
    if "before" not in solution.memory:
        commands = solution.commands
        assert commands is not None
        values = commands.at(solution.t, before=True)
        earlier = dataclasses.replace(commands, t=solution.t, values=values)
        made = _composed(solution, solution.t, solution.q, solution.v, earlier)
        solution.memory["before"] = made.a
    found: Array = solution.memory["before"]
    return found


def _composed(
    solution: Solution, times: Array, q: Array, v: Array, commands: Commands | None
) -> Solution:
    """Everything that follows from states and commands."""
    model = solution.model
    held = frozenset(() if commands is None else commands.names)
    system = build(model, (), held)
    values = [model.parameters[name] for name in system.parameter_names]
    start = make_consistent(
        system, values, float(times[0]), q[0], v[0], limit=np.inf, move=False, bodies=None
    )
    setup = Setup(model, system, values, solution.method, solution.integrator, solution.step, start)
    known = {
        "status": int(solution.status),
        "message": solution.message,
        "statistics": dict(solution.statistics),
        "worst": dict(solution.worst),
    }
    angles = None if solution.turned is None else solution.turned.at(model, times, q)
    samples = Samples(times, q, v, None, commands, angles=angles)
    made = to_solution.compose(setup, samples, solution.events, known)
    return dataclasses.replace(made, integrator=solution.integrator)
