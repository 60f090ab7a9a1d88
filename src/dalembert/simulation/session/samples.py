"""Records of a session: moments, thinned out when they are too many, and their solution."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.prepare.controllers import Bound, Commands
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.facts import facts
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status

Array = NDArray[np.float64]

MOST_SAMPLES = 20_000
"""Samples a session keeps; beyond that every second one is dropped."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """The record of a moment.

    Attributes
    ----------
    t, q, v, a, lam, phi, phi_dot : the state, and what the equations say of it
    held : (m,)             commands of controllers
    angles : (n,)           those of hinges, with their turns
    of_run : (q, v)         coordinates and velocities of the run itself
    contacts : ContactLog   of the step that led here; None where nothing can touch
    """

    t: float
    q: Array
    v: Array
    a: Array
    lam: Array
    phi: Array
    phi_dot: Array
    held: Array
    angles: Array
    of_run: tuple[Array, Array]
    contacts: ContactLog | None = None


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


def solution_of(setup: Setup, run: Run, bound: Bound | None, samples: Sequence[Sample]) -> Solution:
    """The solution of these moments."""
    names = [f.name for f in dataclasses.fields(Sample) if f.name not in ("of_run", "contacts")]
    made = {name: np.array([getattr(s, name) for s in samples]) for name in names}
    states = Samples(made["t"], made["q"], made["v"], angles=made["angles"])
    if setup.on_tree is not None and setup.on_tree.has_compounds:
        q, v = (np.array([s.of_run[i] for s in samples]) for i in range(2))
        states = dataclasses.replace(states, of_tree=(q, v))
    logs = [s.contacts.shifted(k) for k, s in enumerate(samples) if s.contacts is not None]
    if logs:
        states = dataclasses.replace(states, contacts=ContactLog.joined(logs))
    if bound is not None:
        commands = Commands(bound.names, made["t"], made["held"])
        states = dataclasses.replace(states, commands=commands)
    known = facts(setup, run, Status.OK, 0.0)
    solution = to_solution.compose(setup, states, (), known)
    return dataclasses.replace(
        solution, a=made["a"], lam=made["lam"], phi=made["phi"], phi_dot=made["phi_dot"]
    )
