"""Parameters that are not the same in all worlds: where they stand in the arrays of a run.

Places are found by trying other values, so they follow from the model and the names alone, and not
from the worlds at hand: a world has the same bits whoever stands beside it.

What they hold follows by formulas of the parameters (`system.parameter_tables`), of all worlds at
once, where these give what Python writes at the trials and at the least and largest value of each
parameter. Otherwise, and for a world whose numbers have another sign than those of the model (a
mass below zero), Python works them out world by world, and says what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.formulas import evaluate, symbols
from dalembert.simulation.prepare.arrays import Opened, open_setup
from dalembert.simulation.prepare.setup import Setup, values_of
from dalembert.system.parameter_tables import CLOSE, table_stores

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
        self._touching = setup.contacts is not None and setup.model.has_contact
        self._room, self._counts = len(opened.work), len(opened.sizes)
        self.places = np.zeros(0, dtype=np.int64)
        self._direct: list[int] | None = []
        self._formulas: list[Any] | None = None
        self.deciding: frozenset[str] | None = None
        """Parameters that the start depends on, once that is known (`batch.starts`)."""
        if names:
            self._find()
            self._formulas = self._found_formulas(opened)

    def _find(self) -> None:
        own = self._own()
        first = self._work(own)
        differs = np.zeros(len(first), dtype=bool)
        is_value = np.zeros((len(self.names), len(first)), dtype=bool)
        for k, name in enumerate(self.names):
            is_value[k] = first == own[name]
            for value in (x for other, x in self.trials() if other == name):
                other = self._work({**own, name: value})
                changed = other != first
                differs |= changed
                is_value[k] &= ~changed | (other == value)
                is_value[k] &= changed
        self.places = np.flatnonzero(differs)
        alone = is_value[:, self.places]
        plain = bool(np.all(alone.sum(axis=0) == 1))
        self._direct = [int(k) for k in np.argmax(alone, axis=0)] if plain else None

    def _found_formulas(self, opened: Opened) -> list[Any] | None:
        """Formulas of all places; None where one has none, or not what Python writes.

        They are not asked for where all places hold parameters themselves.
        """
        if self._direct is not None:
            return None
        system, state = self._system, opened.state
        known: dict[int, Any] = {place: x for _, place, x in table_stores(system, state)}
        first = state.start_of("parameters")
        known |= {first + k: name for k, name in enumerate(system.parameter_names)}
        if not all(int(place) in known for place in self.places):
            return None
        found = [known[int(place)] for place in self.places]
        trials = [{**self._own(), name: value} for name, value in self.trials()]
        return found if self._agree(found, trials) else None

    def trials(self) -> list[tuple[str, float]]:
        """Parameters with other values than those of the model, to see what they change."""
        own = self._own()
        return [(name, f * own[name] if own[name] else f) for name in own for f in TRIALS]

    def _own(self) -> dict[str, float]:
        """Values that the parameters have in the model."""
        return {name: float(self.setup.model.parameters[name]) for name in self.names}

    def _agree(self, formulas: Sequence[Any], worlds: Sequence[Mapping[str, float]]) -> bool:
        """Whether formulas give what Python writes for these values of parameters."""
        columns = np.array([[world[name] for name in self.names] for world in worlds])
        for made, world in zip(self._evaluated(formulas, columns), worlds, strict=True):
            wanted = self._work(world)[self.places]
            if not np.allclose(made, wanted, rtol=CLOSE, atol=CLOSE * np.abs(wanted).max()):
                return False
        return True

    def _evaluated(self, formulas: Sequence[Any], columns: Any) -> Any:
        """Values of formulas, or of parameters by name, a row for each row of values."""
        values = {**self.setup.model.parameters, **dict(zip(self.names, columns.T, strict=True))}
        given = [x for x in formulas if not isinstance(x, str)]
        known = {x: values.get(x.name, x.value) for x in symbols(given, "parameter")}
        with np.errstate(all="ignore"):
            found = iter(evaluate(given, known))
        entries = [values[x] if isinstance(x, str) else next(found) for x in formulas]
        return np.stack([np.broadcast_to(x, len(columns)) for x in entries], axis=1)

    def _by_formulas(self, columns: Any) -> Any:
        """Entries of all worlds by formulas; None where they are not what Python writes."""
        formulas = self._formulas
        if formulas is None:
            return None
        ends = np.unique([columns.argmin(axis=0), columns.argmax(axis=0)])
        worlds = [dict(zip(self.names, map(float, row), strict=True)) for row in columns[ends]]
        if not self._agree(formulas, worlds):
            return None
        rows = self._evaluated(formulas, columns)
        here = self._evaluated(formulas, np.array([list(self._own().values())]))[0]
        odd = ~np.all(np.isfinite(rows) & (np.sign(rows) == np.sign(here)), axis=1)
        for world in np.flatnonzero(odd):
            rows[world] = self._work(
                dict(zip(self.names, map(float, columns[world]), strict=True))
            )[self.places]
        return np.ascontiguousarray(rows)

    def _work(self, values: Mapping[str, float]) -> Any:
        """`work` of the system with these values of parameters; of contact, too, if it has any."""
        system, setup = self._system, self.setup
        model = setup.model.with_parameters(**values)
        if self._touching:
            return self._whole(values_of(system, model), values)
        e, method = system.extents, setup.method
        sides = (0, 0) if setup.contacts is None else setup.contacts.sides.extents
        state, _ = system.open(
            values_of(system, model),
            method_scratch=method.scratch(e.nq, e.nv, e.holonomic, e.rows),
            integrator_scratch=setup.integrator.scratch(e.nq, e.nv, e.rows),
            events=len(setup.watched),
            sides=sides,
        )
        return state.work

    def _whole(self, given: list[float], values: Mapping[str, float]) -> Any:
        """All of `work`: laws and shapes of contact stand behind what the system writes."""
        opened = open_setup(replace(self.setup, values=given))
        if len(opened.work) != self._room or len(opened.sizes) != self._counts:
            shown = ", ".join(f"{name} = {x:g}" for name, x in values.items())
            raise OptionError(
                f"with {shown} contact has tables of another size than with the values of the"
                " model: surfaces or shapes have become alike, or others. Run such values with"
                " `simulate`, or as models of their own."
            )
        return opened.work

    def table(self, changing: Mapping[str, Any]) -> Any:
        """Entries of all worlds at the places, a row each."""
        columns = np.stack([changing[name] for name in self.names], axis=1)
        if self._direct is not None:
            return np.ascontiguousarray(columns[:, self._direct])
        found = self._by_formulas(columns)
        if found is not None:
            return found
        kinds, which = np.unique(columns, axis=0, return_inverse=True)
        rows = [
            self._work(dict(zip(self.names, map(float, kind), strict=True)))[self.places]
            for kind in kinds
        ]
        return np.ascontiguousarray(np.array(rows)[which.ravel()])
