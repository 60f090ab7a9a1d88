"""A run of a setup, at its start."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.prepare.arrays import open_setup
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.marks import marks_of
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.run.controller_calls import Calling
from dalembert.simulation.run.memory import Recorder
from dalembert.simulation.run.run import Run


def make_run(
    setup: Setup,
    *,
    start: float,
    until: float,
    every: int | None,
    times: Sequence[float] | None,
    events: Sequence[Event],
    recorder: Recorder | None = None,
    angles: Any = None,
) -> Run:
    """A run at its start, not yet compiled; `angles` of hinges where another one ended."""
    state, bound = setup.beginning, setup.controllers
    opened = open_setup(setup, angles)
    q, v = state.q.copy(), state.v.copy()
    adaptive = setup.integrator.finds_steps(setup.method)
    calling = Calling(bound, opened, setup.model, (q, v), setup.step, adaptive)
    kind: Any = Run
    if setup.method.locates:
        kind = partial(HybridRun, setup=setup)
    made: Run = kind(
        opened=opened,
        integrator=setup.integrator,
        method=setup.method,
        q=q,
        v=v,
        start=start,
        until=until,
        step=setup.step,
        every=every,
        times=times,
        events=events,
        recorder=recorder,
        calling=calling,
        on_tree=setup.on_tree,
        prescribed=marks_of(setup.model, setup.watched, start) if adaptive else None,
    )
    return made
