"""A step of a model as formulas: of the state, the parameters, the time and the length of the step.

The texts of method and integrator are run once over formulas (batches 1). The end of a step with
constraints is one Newton correction of the positions and then one of the velocities, each with
factors of its own state: its derivative is that of the projected point (sensitivity 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.batch.compiled import reason_against
from dalembert.batch.equations import Places as PlacesOfAll
from dalembert.batch.equations import TracedEquations, between
from dalembert.batch.tracing import formula, loads
from dalembert.enforcement import Projection
from dalembert.errors import OptionError
from dalembert.formulas import (
    Condition,
    Expression,
    constant,
    load,
    maximum,
    reachable,
    substitute,
    symbols,
    time,
)
from dalembert.formulas.expression import ZERO, lift
from dalembert.gradients.places import AsTheyAre, Differenced, Formulas, Places
from dalembert.mechanics.corrections import correction_of_place, correction_of_speed
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.mechanics.motion import displace, kinematic_map
from dalembert.mechanics.residual_scale import velocity_factor
from dalembert.simulation.prepare.reduction import reduced
from dalembert.simulation.prepare.setup import Setup
from dalembert.system.borders import OK, evaluate, factor, normalise, residual
from dalembert.system.borders import rates as rates_at
from dalembert.system.state_layout import State
from dalembert.system.table_formulas import table_formulas
from dalembert.system.tree_system import TreeSystem

H = load("h", 0)
"""Length of the step."""

LARGEST = 1e300
"""Size of a coordinate or velocity beyond which it is no number."""

MOST_OPERATIONS = 80_000
"""Operations of a step beyond which its derivatives are not compiled: minutes."""


def _refused(who: str, reason: str) -> OptionError:
    """The error of a step that cannot be written as formulas."""
    lost = (
        "is no code of this model" if who.startswith("export") else "are no derivatives of this run"
    )
    return OptionError(f"{who}: there {lost}: {reason}.")


class Traced:
    """Formulas of one step.

    Attributes
    ----------
    q, v, p : symbols of coordinates, velocities and of the entries that parameters change
    places : Places of these entries
    step : formulas of q and v behind a step
    guards : conditions under which the formulas are right
    closing : formulas of q and v after another correction, and the residual over what is rounding
    phi, phi_dot : residuals of the constraints
    q_dot : formulas of q'
    signals : formulas that were asked for
    first : q and v where the run starts
    coordinate_names : names of q
    """

    def __init__(self, who: str, setup: Setup, names: Sequence[str], signals: Any) -> None:
        reason = reason_against(setup, implicit=True)
        if reason:
            raise _refused(who, reason)
        self.setup, self.names = setup, tuple(names)
        self._asked = [lift(x) for x in signals]
        method = between(setup)
        chosen = reduced(setup.running, setup.values, method, setup.beginning)
        self._system: Any = chosen.system
        self.first = np.array(chosen.start.q, float), np.array(chosen.start.v, float)
        self.coordinate_names = tuple(chosen.system.coordinate_names)
        try:
            bodies = self._system.has_bodies
            seen = tuple(signals) if bodies else ()
            e = TracedEquations(setup, chosen, self._find_places, seen)
            self.equations = e
            self.closes = isinstance(method, Projection) and e.rows > 0
            self._trace(method, setup.integrator)
        except LookupError as problem:
            raise _refused(who, problem.args[0]) from None
        self.q, self.v, self.p = e.q, e.v, e.given
        size = len(reachable([*self.step, *self.defects]))
        if size > MOST_OPERATIONS:
            raise OptionError(
                f"{who}: a step of model {setup.model.name!r} is {size} operations; derivatives of"
                f" more than {MOST_OPERATIONS} take too long to compile. Leave bodies out that do"
                " not matter, or take differences of dl.rollout."
            )
        self.signals = e.signals() if bodies else self._seen(list(signals))

    # -- parameters ----------------------------------------------------------------------------

    def _find_places(self, state: State) -> PlacesOfAll:
        """One entry of "p" for every place that a parameter changes."""
        system, setup = self._system, self.setup
        known = zip(system.parameter_names, setup.values, strict=True)
        leaves = {x.name: float(x.value) for x in symbols(self._asked, "parameter")}
        self.own = {**leaves, **setup.model.parameters, **dict(known)}
        self.places: Places
        if system.has_bodies:
            self.places = self._places_of_bodies(state)
            return tuple((int(k),) for k in self.places.index)
        self.places = AsTheyAre(self.names)
        first, names = state.start_of("parameters"), list(system.parameter_names)
        return tuple((first + names.index(n),) if n in names else () for n in self.names)

    def _places_of_bodies(self, state: State) -> Places:
        """Entries as formulas, where all of them are known."""
        if isinstance(self._system, TreeSystem):
            made = Formulas(table_formulas(self._system, state), self.names, self.own)
            if made.agree_with(self._work, self.own):
                return made
        return Differenced(self._work, self.names, self.own)

    def entries_of(self, name: str) -> list[int]:
        """Entries of p that are a parameter itself, as formulas of forces read it."""
        if not self._system.has_bodies:
            return [self.names.index(name)]
        column = self.places.slopes(self.own)[:, self.names.index(name)]
        found = np.flatnonzero(column)
        if not len(found) or np.abs(column[found] - 1.0).max() > 1e-9:
            raise OptionError(
                f"sensitivity: {name!r}, the side of a formula that forces of model"
                f" {self.setup.model.name!r} switch at, does not stand in them as it is. Give that"
                " force as a formula of dl.Force or dl.Torque."
            )
        return [int(k) for k in found]

    def _seen(self, signals: Sequence[Expression]) -> list[Expression]:
        """Formulas of a model of formulas in the symbols of the trace."""
        e = self.equations
        equations = self._system.equations
        known: dict[Any, Any] = dict(zip(equations.coordinates, e.q, strict=True))
        known |= zip(equations.velocities, e.v, strict=True)
        for leaf in symbols(signals, "parameter"):
            own = self.names.index(leaf.name) if leaf.name in self.names else -1
            number = self.own.get(leaf.name, leaf.value)
            known[leaf] = e.given[own] if own >= 0 else constant(float(number))
        return substitute([lift(x) for x in signals], known)

    def _work(self, values: Mapping[str, float]) -> Any:
        """`work` of the system with these values of parameters."""
        system, setup = self._system, self.setup
        e, method = system.extents, between(setup)
        with _jit.interpreted(_jit.TRACED):
            state, _ = replace(system).open(
                [values[name] for name in system.parameter_names],
                events=len(setup.watched),
                method_scratch=method.scratch(e.nq, e.nv, e.holonomic, e.rows),
                integrator_scratch=setup.integrator.scratch(e.nq, e.nv, e.rows),
                sides=(0, 0) if setup.contacts is None else setup.contacts.sides.extents,
            )
        return state.work

    def multipliers(self) -> list[Expression]:
        """Multipliers of the constraints, as the method has them."""
        return [formula(x) for x in self._rates()[2]]

    def rates(self) -> tuple[list[Expression], list[Condition]]:
        """q', v', and the conditions under which they are right."""
        made = self._rates()
        return [formula(x) for x in (*made[0], *made[1])], list(self.equations.trace.guards)

    def _rates(self) -> list[Any]:
        e = self.equations
        made = [np.empty(n, dtype=object) for n in (e.nq, e.nv, e.rows)]
        e.trace.forget()
        with e.trace.running():
            between(self.setup).rates(*e.state, time, H, e.q.copy(), e.v.copy(), *made)
        return made

    def fitted(self) -> list[Expression]:
        """q and v with velocities that fit the constraints: what constraints that engage do."""
        e = self.equations
        e.trace.forget()
        with e.trace.running():
            evaluate(e.state, time, e.q, e.v)
            factor(e.state, PROJECTION_TOLERANCE)
            delta = correction_of_speed(e.state)
        return [*e.q, *(formula(v + d) for v, d in zip(e.v, delta, strict=True))]

    # -- the step ------------------------------------------------------------------------------

    def _trace(self, method: Any, integrator: Any) -> None:
        e = self.equations
        state, trace = e.state, e.trace

        def rates(*given: Any) -> int:
            return int(method.rates(*given))

        state.rates_general, state.rates = 0, e.key(rates)
        q, v = e.q.copy(), e.v.copy()
        self.stages: list[Expression] = []
        self.defects: list[Expression] = []
        trace.forget()
        with trace.running():
            if method.begin_step is not None:
                method.begin_step(*state, time, H, q, v)
            if integrator.collocation is not None:
                q, v = self._collocated(integrator.collocation)
            else:
                status = integrator.advance(*state, time, H, q, v)
                if status != OK:
                    raise LookupError(f"a step of the example ends with status {status}")
            normalise(state, q)
        made = [formula(x) for x in (*q, *v)]
        self.guards: list[Condition] = [*trace.guards, *(abs(x) <= LARGEST for x in made)]
        self._trace_kinematics()
        self.closing: tuple[list[Expression], Expression] | None = None
        if self.closes:
            made = self._closed(made)
        self.step = made

    def _collocated(self, scheme: tuple[Any, Any, Any]) -> tuple[Any, Any]:
        """The end of a step whose stages are solved for; leaves their symbols and defects."""
        c, A, d = scheme
        e, n = self.equations, self.equations.nq + self.equations.nv
        x = np.concatenate([e.q, e.v])
        Z = loads("s", len(c) * n).reshape(len(c), n)
        for symbol in Z.ravel():
            e.trace.example[symbol] = np.float64(0.0)
        f = np.empty((len(c), n), dtype=object)
        for i, z in enumerate(Z):
            at, lam = x + z, np.empty(e.rows, dtype=object)
            stage = time + float(c[i]) * H, H, at[: e.nq], at[e.nq :]
            status = rates_at(e.state, *stage, f[i, : e.nq], f[i, e.nq :], lam)
            if status != OK:
                raise LookupError(f"a stage of the example ends with status {status}")
        self.stages = list(Z.ravel())
        defects = Z - H * (A.astype(object) @ f)
        self.defects = [formula(y) for y in defects.ravel()]
        end = x + d.astype(object) @ Z
        return end[: e.nq].copy(), end[e.nq :].copy()

    def _trace_kinematics(self) -> None:
        """Residuals of the constraints, and q'."""
        e = self.equations
        q_dot = np.empty(e.nq, dtype=object)
        e.trace.forget()
        with e.trace.running():
            kinematic_map(e.state, e.q, e.v, q_dot)
            if e.rows:
                residual(e.state, time, e.q, e.v)
        self.q_dot = [formula(x) for x in q_dot]
        holonomic = e.state.holonomic
        self.phi = [formula(x) for x in e.state.phi[:holonomic]] if e.rows else []
        self.phi_dot = [formula(x) for x in e.state.phi_dot] if e.rows else []

    def _closed(self, made: list[Expression]) -> list[Expression]:
        """The step with both corrections behind it; leaves `closing`."""
        e, state = self.equations, self.equations.state
        own = [*e.q, *e.v]
        with e.trace.running():
            evaluate(state, time, e.q, e.v)
            factor(state, PROJECTION_TOLERANCE)
            ratio = self._ratio()
            q = e.q.copy()
            displace(state, 1.0, correction_of_place(state), q)
            place = [formula(x) for x in q]
            speed = [formula(x + d) for x, d in zip(e.v, correction_of_speed(state), strict=True)]
        end = time + H
        there = {**dict(zip(own, made, strict=True)), time: end}
        moved = substitute(place, there)
        then = {**dict(zip(own, [*moved, *made[e.nq :]], strict=True)), time: end}
        again = dict(zip(e.q, place, strict=True))
        self.closing = [*place, *substitute(speed, again)], ratio
        return [*moved, *substitute(speed, then)]

    def _ratio(self) -> Expression:
        """The worst residual over what is rounding."""
        e, state = self.equations, self.equations.state
        scale = formula(velocity_factor(state, e.v))
        worst = ZERO
        for i in range(state.rows):
            over = 1.0 / float(e.row_tolerance[i])
            if i < state.holonomic:
                worst = maximum(worst, formula(abs(state.phi[i])) * over)
            worst = maximum(worst, formula(abs(state.phi_dot[i])) * over / scale)
        return worst
