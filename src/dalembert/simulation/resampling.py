"""A solution at other moments: states from the continuous output, everything else by the equations.

Accelerations, multipliers and violations are worked out anew from the interpolated states, so that
forces and specific forces between samples are those of the equations, not interpolated themselves.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dalembert.simulation.solution import Solution

Array = NDArray[np.float64]


def resampled(solution: Solution, times: Array) -> Solution:
    """The same run seen at increasing moments within it."""
    # modules that make solutions; this one is asked for by them
    from dalembert.simulation import wrap
    from dalembert.simulation.consistent import make_consistent
    from dalembert.simulation.setup import Setup
    from dalembert.system.build import build

    times = np.asarray(times, dtype=float)
    q, v = solution.at(times)
    same = np.searchsorted(solution.t, times).clip(max=len(solution.t) - 1)
    exact = solution.t[same] == times
    q[exact], v[exact] = solution.q[same[exact]], solution.v[same[exact]]
    model = solution.model
    commands = solution.commands
    held = frozenset(() if commands is None else commands.names)
    system = build(model, (), held)
    values = [model.parameters[name] for name in system.parameter_names]
    start = make_consistent(
        system, values, float(times[0]), q[0], v[0], limit=np.inf, move=False, bodies=None
    )
    setup = Setup(
        model, system, values, solution.method, solution.integrator, solution.step, start
    )
    known = {
        "status": int(solution.status),
        "message": solution.message,
        "statistics": dict(solution.statistics),
        "worst": dict(solution.worst),
    }
    made = wrap.compose(setup, wrap.Samples(times, q, v, None, commands), solution.events, known)
    return dataclasses.replace(made, integrator=solution.integrator)
