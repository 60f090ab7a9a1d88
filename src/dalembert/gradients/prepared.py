"""A model, what is asked of a run of it, and everything compiled for its derivatives."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.describe import formulas_of
from dalembert.batch.given import name_of
from dalembert.batch.starts import coordinate_name
from dalembert.errors import DoubtfulWarning, OptionError, SimulationError
from dalembert.formulas import Expression, symbols
from dalembert.formulas.recent import Recent
from dalembert.gradients.phases import Phases
from dalembert.gradients.run import Grid, Run
from dalembert.gradients.start import Start, Starts
from dalembert.gradients.switches import switches
from dalembert.gradients.variables import PARAMETER, START, read_variables
from dalembert.gradients.watched import formulas_seen, set_parameters, soft_contacts
from dalembert.integration import RK4
from dalembert.model.basics.contents import contents
from dalembert.model.basics.names import nearest
from dalembert.model.basics.quantity import value_of
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.prepare import Wanted

Array = NDArray[np.float64]

FEWEST, MOST = 64, 1 << 20
"""Steps of a run for which none was given: the fewest, and the most that are tried."""

FAILING = 1 << 14
"""Steps with which a run that fails is not tried with more."""

ACCURACY = 1e-11
"""Relative error of the outputs that such steps are chosen for."""


class Prepared:
    """A model ready for runs with derivatives.

    Parameters
    ----------
    who : begins messages
    wanted : what derivatives are taken with respect to
    outputs : formulas or names of signals
    controls : name -> numbers, each held for an equal part of the run
    more : parameters that differ from run to run, with derivatives or not
    """

    def __init__(
        self,
        who: str,
        model: Any,
        outputs: Any,
        wanted: Sequence[Any],
        *,
        initial: Any = None,
        controls: Mapping[Any, Any] | None = None,
        events: Sequence[Any] = (),
        hold: Sequence[Any] = (),
        start: float = 0.0,
        method: Any = None,
        integrator: Any = None,
        more: Sequence[str] = (),
        released: Sequence[str] = (),
    ) -> None:
        model = options.model_with(model, None, who)
        _refuse_contact(who, model)
        self.who, self.start = who, float(start)
        asked = dict(controls or {})
        method, integrator = _choice(who, model, method, integrator)
        self.signals = formulas_of(who, "outputs", model, outputs)
        acting, names = commanded(model, who, list(asked))
        self.model = acting
        self.control_names = names
        rows = [np.atleast_1d(np.asarray(x, dtype=float)) for x in asked.values()]
        longest = max((len(x) for x in rows), default=0)
        if any(x.ndim != 1 or len(x) not in (1, longest) for x in rows):
            raise OptionError(f"{who}: controls have different lengths. Give as many of each.")
        self.controls = (
            np.stack([np.broadcast_to(x, longest) for x in rows], axis=1)
            if rows
            else np.zeros((0, 0))
        )
        held = frozenset(names)
        nominal = Wanted(method, integrator, 1e-3, start=self.start, held=held, initial=initial)
        signals = list(self.signals.values())
        with announce.compiling(method, silent=False):
            self.phases = Phases(who, acting, nominal, signals, events, released)
        self.setup = self.phases.setup
        known = {given_name(k): n for k, n in zip(asked, names, strict=True)}
        wanted = [known.get(given_name(w), w) for w in wanted]
        seen = [*signals, *formulas_seen(who, acting, events)]
        own = {x.name: float(x.value) for x in symbols(seen, "parameter")} | acting.parameters
        self.variables = read_variables(
            who, acting, self.setup, wanted, dict.fromkeys(names, longest), list(own)
        )
        varied = {v.name for v in self.variables if v.kind == PARAMETER} | set(names)
        for name in more:
            if name not in own:
                options.model_with(acting, {name: 0.0}, who)  # says what is wrong
        sides = {one.side.name: 0.0 for one in switches(acting) if one.side is not None}
        own |= sides
        self.varied = sorted(varied | set(more) | set(set_parameters(own, events)) | set(sides))
        self.flow = self.phases.begin(self.varied).flow
        self.starts = Starts(who, self.flow, self.setup, initial, self._held(hold))
        self.places = self._control_places()
        self.own = {n: float(own[n]) for n in self.varied}

    def _held(self, hold: Sequence[Any]) -> list[int]:
        system = self.setup.running
        states = [*system.coordinate_names, *system.velocity_names]
        places = [v.place for v in self.variables if v.kind == START]
        for one in [hold] if isinstance(hold, str | Expression) else hold:
            name = coordinate_name(self.model, states, one)
            if name not in states:
                raise OptionError(
                    f"{self.who}: hold names {name!r}, which is no coordinate of the run"
                    f"{nearest(name, states)} Its coordinates are"
                    f" {', '.join(system.coordinate_names)}."
                )
            places.append(states.index(name))
        return places

    def _control_places(self) -> dict[str, int]:
        """Entries of p that are controls."""
        found: dict[str, int] = {}
        slopes = self.flow.slopes({}) if self.control_names else None
        for name in self.control_names:
            assert slopes is not None
            column = slopes[:, self.flow.traced.names.index(name)]
            entries = np.flatnonzero(column)
            if len(entries) != 1 or abs(column[entries[0]] - 1.0) > 1e-9:
                raise OptionError(
                    f"{self.who}: the control {name!r} does not stand in forces as it is. Give a"
                    " parameter or an actuator whose command is the force itself."
                )
            found[name] = int(entries[0])
        return found

    @property
    def contact(self) -> str:
        """How shapes touch, in words; "" where none do."""
        soft = soft_contacts(self.model)
        if not soft:
            return ""
        points = "1 point" if len(soft) == 1 else f"{len(soft)} points"
        slips = sorted({value_of(one.slip, self.model.parameters) or 0.0 for one in soft})
        below = " to ".join(f"{x:g}" for x in (slips[0], slips[-1])[: len(slips)])
        return f"smooth: springs at {points}, friction viscous below {below} m/s"

    # -- runs ------------------------------------------------------------------------------------

    @property
    def own_point(self) -> Array:
        """Values of the variables in the model itself."""
        made = []
        for v in self.variables:
            if v.kind == PARAMETER:
                made.append(self.own[v.name])
            elif v.kind == START:
                made.append(float(self.starts.reference[v.place]))
            else:
                made.append(float(self.controls[v.place, self.control_names.index(v.name)]))
        return np.array(made)

    def run(
        self,
        x: Array,
        samples: Any,
        step: float,
        more: Mapping[str, float] | None = None,
        back: bool = False,
    ) -> tuple[Run, Start]:
        """The run at values x of the variables, and its start, which has derivatives.

        `more` has values of other parameters; `back`: adjoints will be asked for.
        """
        values, moved, controls = {**self.own, **(more or {})}, {}, self.controls.copy()
        for number, v in zip(x, self.variables, strict=True):
            if v.kind == PARAMETER:
                values[v.name] = float(number)
            elif v.kind == START:
                moved[v.place] = float(number) - float(self.starts.reference[v.place])
            else:
                controls[v.place, self.control_names.index(v.name)] = number
        places = np.array([self.places[n] for n in self.control_names], dtype=np.int64)
        grid = Grid(self.start, np.asarray(samples, dtype=float), float(step), controls, places)
        first = self.starts.at(values, moved)
        run = Run(self.phases, grid, first, values, back)
        return run, Start(self.starts, values, first, self.variables)

    def step_for(self, x: Array, samples: Any) -> float:
        """A step that outputs are accurate with, by halving it."""
        length = float(np.max(samples)) - self.start
        last: Array | None = None
        count = FEWEST
        while count <= MOST:
            try:
                new = self.run(x, samples, length / count)[0].values
            except SimulationError:
                if count >= FAILING:  # no matter of the step
                    raise
                last, count = None, 2 * count
                continue
            size = np.maximum(1.0, np.nanmax(np.abs(new), initial=0.0))
            if last is not None and np.nanmax(np.abs(new - last)) / 15.0 <= ACCURACY * size:
                return length / count
            last, count = new, 2 * count
        raise OptionError(
            f"{self.who}: no step is short enough for an accuracy of {ACCURACY:g}. Give one."
        )


def given_name(given: Any) -> str:
    """The name that something was given by."""
    return given if isinstance(given, str) else name_of(given)


def _choice(who: str, model: Any, method: Any, integrator: Any) -> tuple[Any, Any]:
    from dalembert.enforcement import Projection

    method = Projection() if method is None else method
    if integrator is None and method.advance is None:
        integrator = RK4()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtfulWarning)  # stops are watched, not forgotten
        return options.choose(method, integrator, 1e-3, model)


def _refuse_contact(who: str, model: Any) -> None:
    if model.has_contact:
        raise OptionError(
            f"{who}: model {model.name!r} has shapes that touch; a run with hard contact has"
            " no derivative at impacts and where sticking begins. Give"
            " dl.smooth_contact(model, stiffness=1e5), the model with springs and regularised"
            " friction in their place, or state the contact as model.keep(formula >= 0, ...), whose"
            " impacts are located."
        )


def prepared(who: str, model: Any, outputs: Any, wanted: Sequence[Any], **rest: Any) -> Prepared:
    """Everything compiled for a model; the same one for the same contents and wishes."""
    options.model_with(model, None, who)
    key = _key(model, outputs, wanted, rest)

    def made() -> tuple[Any, Prepared]:
        return held, Prepared(who, copy.copy(model), outputs, wanted, **rest)

    if key is None:
        return Prepared(who, model, outputs, wanted, **rest)
    if not model.is_maximal:
        _ = model.mass  # worked out once
    marks, held = contents(model)
    return _recent.get((marks, key), made)[1]


_recent: Recent[tuple[Any, Prepared]] = Recent(8)
"""Things prepared before, by the contents of models and what was asked."""


def _key(model: Any, outputs: Any, wanted: Sequence[Any], rest: Mapping[str, Any]) -> Any:
    """Marks of what is asked for, or None where it cannot be told."""
    try:
        made = (
            _mark([outputs] if isinstance(outputs, str | Expression) else list(outputs)),
            _mark(list(wanted)),
            tuple((name, _mark(value)) for name, value in sorted(rest.items())),
        )
        hash(made)
    except TypeError:
        return None
    return made


def _mark(x: Any) -> Any:
    if isinstance(x, Expression):
        return "formula", x.id
    if isinstance(x, Mapping):
        return tuple((_mark(k), _mark(v)) for k, v in x.items())
    if isinstance(x, list | tuple):
        return tuple(map(_mark, x))
    if isinstance(x, np.ndarray):
        return x.shape, x.tobytes()
    if x is None or isinstance(x, str | int | float):
        return x
    return type(x), repr(x), id(x)
