"""Records of a session: moments, thinned out when they are too many, and their solution."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dalembert.mechanics.measure import HeldCommands, measure, room_for
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.controllers import Bound, Commands, places
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.facts import facts
from dalembert.simulation.results.measured import NO_COMMANDS
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status

Array = NDArray[np.float64]

MOST_SAMPLES = 20_000
"""Samples a session keeps; beyond that every second one is dropped."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """The record of a moment."""

    t: float
    q: Array
    v: Array
    a: Array
    lam: Array
    phi: Array
    phi_dot: Array
    held: Array
    angles: Array


class KeptSamples:
    """The samples of a run, or every 2^k-th of them."""

    def __init__(self) -> None:
        self.kept: list[Sample] = []
        self._sparse, self._skipped = 1, 0

    def keep(self, measured: Callable[[], Sample]) -> None:
        """One sample, or none where only every k-th is kept."""
        self._skipped += 1
        if self.kept and self._skipped < self._sparse:
            return
        self._skipped = 0
        self.kept.append(measured())
        if len(self.kept) > MOST_SAMPLES:
            self.kept = self.kept[::2]
            self._sparse *= 2


def measured(
    system: AnySystem,
    opened: Opened,
    model: Model,
    bound: Bound | None,
    t: float,
    q: Array,
    v: Array,
    held: Array,
    angles: Array,
) -> Sample:
    """Accelerations, multipliers and violation at a state.

    `held` is what controllers command, `angles` are those of hinges with their turns.
    """
    at, states, rates = np.array([t]), q[None], v[None]
    found, given = room_for(1, system.extents), NO_COMMANDS
    if bound is not None:
        given = places(system, opened.state, model, bound.names), held[None]
    for _ in range(2):
        if measure(*opened.state, 0, at, states, rates, HeldCommands(*given), found):
            break
        opened.provide_general()
    numbers = found.a[0], found.lam[0], found.phi[0], found.phi_dot[0]
    return Sample(t, q, v, *numbers, held, angles)


def solution_of(setup: Setup, run: Run, bound: Bound | None, samples: Sequence[Sample]) -> Solution:
    """The solution of these moments."""
    made = {
        field.name: np.array([getattr(s, field.name) for s in samples])
        for field in dataclasses.fields(Sample)
    }
    states = Samples(made["t"], made["q"], made["v"], angles=made["angles"])
    if bound is not None:
        commands = Commands(bound.names, made["t"], made["held"])
        states = dataclasses.replace(states, commands=commands)
    known = facts(setup, run, Status.OK, 0.0)
    solution = to_solution.compose(setup, states, (), known)
    return dataclasses.replace(
        solution, a=made["a"], lam=made["lam"], phi=made["phi"], phi_dot=made["phi_dot"]
    )
