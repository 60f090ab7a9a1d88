"""Parameters that are not the same in all worlds: where they stand in the arrays of a run.

Places are found by trying other values, so they follow from the model and the names alone, and not
from the worlds at hand: a world has the same bits whoever stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.setup import Setup, values_of

TRIALS = (1.25, 0.8)
"""Factors by which a parameter is changed to see what it changes; one that is zero becomes these
themselves."""


class VaryingParameters:
    """Places of `work` that some parameters change, and what they hold.

    Attributes
    ----------
    places : in the order of the first entries of "p"
    """

    def __init__(self, setup: Setup, opened: Opened, names: Sequence[str]) -> None:
        self.setup, self.names = setup, tuple(names)
        self._system: Any = opened.keep[0]
        self.places = np.zeros(0, dtype=np.int64)
        self._direct: list[int] | None = []
        if names:
            self._find()

    def _find(self) -> None:
        own = {name: float(self.setup.model.parameters[name]) for name in self.names}
        first = self._work(own)
        differs = np.zeros(len(first), dtype=bool)
        is_value = np.zeros((len(self.names), len(first)), dtype=bool)
        for k, name in enumerate(self.names):
            is_value[k] = first == own[name]
            for factor in TRIALS:
                value = factor * own[name] if own[name] else factor
                other = self._work({**own, name: value})
                changed = other != first
                differs |= changed
                is_value[k] &= ~changed | (other == value)
                is_value[k] &= changed
        self.places = np.flatnonzero(differs)
        alone = is_value[:, self.places]
        plain = bool(np.all(alone.sum(axis=0) == 1))
        self._direct = [int(k) for k in np.argmax(alone, axis=0)] if plain else None

    def _work(self, values: Mapping[str, float]) -> Any:
        """`work` of the system with these values of parameters."""
        system, setup = self._system, self.setup
        model = setup.model.with_parameters(**values)
        e, method = system.extents, setup.method
        sides = (0, 0) if setup.contacts is None else setup.contacts.sides.extents
        work, _, _ = system.open(
            values_of(system, model),
            method_scratch=method.scratch(e.nq, e.nv, e.holonomic, e.rows),
            integrator_scratch=setup.integrator.scratch(e.nq, e.nv, e.rows),
            events=len(setup.watched),
            sides=sides,
        )
        return work

    def table(self, changing: Mapping[str, Any]) -> Any:
        """Entries of all worlds at the places, a row each."""
        columns = np.stack([changing[name] for name in self.names], axis=1)
        if self._direct is not None:
            return np.ascontiguousarray(columns[:, self._direct])
        kinds, which = np.unique(columns, axis=0, return_inverse=True)
        rows = [
            self._work(dict(zip(self.names, map(float, kind), strict=True)))[self.places]
            for kind in kinds
        ]
        return np.ascontiguousarray(np.array(rows)[which.ravel()])
