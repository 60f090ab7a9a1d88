"""The start of a run on the constraints, and its derivatives (sensitivity 5).

The start of the model itself is the reference. With other values of parameters it is moved onto the
constraints again, along the directions B in which a projection in the norm of the mass would move
the reference; coordinates that are held do not move. So the start is an implicit function of
parameters and initial values, with an exact derivative.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.tracing import formula, loads
from dalembert.errors import OptionError, ProjectionError
from dalembert.formulas import Expression, jacobian, symbols
from dalembert.formulas.evaluate import evaluate
from dalembert.gradients.flow import Flow
from dalembert.gradients.variables import PARAMETER, START, Variable
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.setup import Setup
from dalembert.system.borders import evaluate as evaluate_rows
from dalembert.system.borders import factor, respond

Array = NDArray[np.float64]

ITERATIONS = 30
"""Newton steps onto the constraints."""


@dataclass(frozen=True)
class Start:
    """The start of one run, with derivatives for those who ask."""

    of: Starts
    values: Mapping[str, float]
    state: Array
    variables: Sequence[Variable]

    def slopes(self) -> Array:
        """Derivatives (rows: variables)."""
        return self.of.slopes(self.values, self.state, self.variables)


class Starts:
    """Starts of one flow for all values of parameters and initial values."""

    def __init__(
        self, who: str, flow: Flow, setup: Setup, initial: Any, held: Sequence[int]
    ) -> None:
        self.who, self.flow, self.setup, self.initial = who, flow, setup, initial
        self.t = float(setup.start.t)
        begin = setup.beginning
        self.reference: Array = np.r_[begin.q, begin.v]
        self.held = sorted(set(held))
        traced = flow.traced
        self.rows = len(traced.phi_dot)
        self.names = traced.names
        self.quantities = self._quantities()
        self.given = self._given({})
        if self.rows:
            self._phi = flow.outputs(traced.phi)
            self._phi_dot = flow.outputs(traced.phi_dot)
            self._turning = flow.outputs(traced.q_dot)
            self._look_around()
            self._put_back()

    def _look_around(self) -> None:
        """Directions in which the reference is moved: B of positions, C of velocities."""
        nq = self.flow.nq
        places = self._speeds_of([k for k in self.held if k < nq])
        self.B = self._directions(places)
        speeds = {*places, *(k - nq for k in self.held if k >= nq)}
        asked = sorted(speeds | self._asked_speeds())
        if self._leaves_rows(asked):
            self.C = self._directions(asked)
        else:
            self.C = self._directions(sorted(speeds))

    def _asked_speeds(self) -> set[int]:
        """Velocities that were asked for by name and are not zero: `simulate` keeps them."""
        system, model = self.setup.running, self.setup.model
        given = dict(model.initial_formulas)
        if isinstance(self.initial, Mapping):
            given |= {k if isinstance(k, str) else repr(k): x for k, x in self.initial.items()}
        for joint in model.joints.values():
            speed = getattr(joint, "initial_speed", 0.0)
            given |= {f"{joint.name}.{c}.dot": speed for c in ("angle", "displacement")}
        names = list(system.velocity_names)
        return {
            names.index(name)
            for name, x in given.items()
            if name in names and not (isinstance(x, int | float) and x == 0.0)
        }

    def _leaves_rows(self, held: Sequence[int]) -> bool:
        """Whether constraints can be met with these velocities held."""
        J = self._rows_of_speeds(self.reference, self.flow.entries({}))
        free = [k for k in range(self.flow.nv) if k not in held]
        least = 1e-9 * np.linalg.norm(J, 2)  # of all columns: those left may be rounding alone
        rank = np.linalg.matrix_rank
        return bool(rank(J[:, free], tol=least) == rank(J, tol=least))

    def _put_back(self) -> None:
        """Let coordinates that are held begin where they were asked for, not where they came to."""
        model = self.setup.model
        if model.is_maximal or not self.held:
            return
        asked = np.concatenate(read_initial(model, self.initial))
        for _ in range(2):
            moved = {k: asked[k] - self.reference[k] for k in self.held}
            self.reference = self.at({}, moved)
            self._look_around()

    # -- what is given ---------------------------------------------------------------------------

    def _quantities(self) -> dict[int, Expression]:
        """Initial values of a model that are formulas of parameters, by their place in (q, v)."""
        model, system = self.setup.model, self.setup.running
        if model.is_maximal:
            self._refuse_moving_bodies()
            return {}
        states = [*system.coordinate_names, *system.velocity_names]
        overruled = [str(k) for k in self.initial] if isinstance(self.initial, Mapping) else []
        if self.initial is not None and not isinstance(self.initial, Mapping):
            return {}
        return {
            states.index(name): x
            for name, x in model.initial_formulas.items()
            if isinstance(x, Expression) and symbols([x], "parameter") and name not in overruled
        }

    def _refuse_moving_bodies(self) -> None:
        """A placement of bodies that holds parameters in question has no derivative here."""
        model = self.setup.model
        placed: list[tuple[str, Any]] = []
        for joint in model.joints.values():
            for field in ("initial", "initial_speed"):
                placed.append((f"{field} of joint {joint.name!r}", getattr(joint, field, None)))
        for name, start in model.starts.items():
            for one in dataclasses.fields(start):
                placed.append((f"{one.name} of body {name!r}", getattr(start, one.name)))
        placed += [(f"initial {name!r}", x) for name, x in model.initial_formulas.items()]
        for what, given in placed:
            parts = list(np.ravel(np.array(given, dtype=object)))
            leaves = symbols([x for x in parts if isinstance(x, Expression)], "parameter")
            for leaf in leaves:
                if leaf.name in self.names:
                    raise OptionError(
                        f"{self.who}: {what} is a formula of {leaf.name!r}. Give it as a number,"
                        " and take derivatives with respect to the initial value itself."
                    )

    def _given(self, values: Mapping[str, float]) -> Array:
        """Initial values that are formulas, with these parameters; 0 elsewhere."""
        made = np.zeros(len(self.reference))
        if self.quantities:
            own = {**self.flow.traced.own, **self.setup.model.parameters, **values}
            found = [*self.quantities.values()]
            known = {x: own[x.name] for x in symbols(found, "parameter")}
            made[list(self.quantities)] = [float(x) for x in evaluate(found, known)]
        return made

    # -- onto the constraints --------------------------------------------------------------------

    def _directions(self, held: Sequence[int]) -> Array:
        """Changes (columns) by which the reference is put on the constraints, some speeds held."""
        flow, traced = self.flow, self.flow.traced
        if held:
            if not self._leaves_rows(held):
                names = [self.setup.running.velocity_names[k].removesuffix(".dot") for k in held]
                raise OptionError(
                    f"{self.who}: with {', '.join(names)} held the constraints cannot be met again"
                    " when something changes. Hold fewer coordinates."
                )
            J = self._rows_of_speeds(self.reference, flow.entries({}))
            free = [k for k in range(flow.nv) if k not in held]
            made = np.zeros((flow.nv, self.rows))
            made[free] = np.linalg.pinv(J[:, free], rcond=1e-9)
            return made
        e = traced.equations
        bottom = loads("b", self.rows)
        x, lam = np.empty(flow.nv, dtype=object), np.empty(self.rows, dtype=object)
        for symbol in bottom:
            e.trace.example[symbol] = 0.0
        with e.trace.running():
            evaluate_rows(e.state, self.t, e.q, e.v)
            factor(e.state, PROJECTION_TOLERANCE)
            respond(e.state, bottom, x, lam)
        known: dict[Any, Any] = dict(zip([*e.q, *e.v], self.reference, strict=True))
        known |= zip(e.given, flow.entries({}), strict=True)
        columns = [y for row in jacobian([formula(y) for y in x], list(bottom)) for y in row]
        known |= dict.fromkeys(bottom, 0.0)
        numbers = [float(y) for y in evaluate(columns, known)]
        return np.array(numbers).reshape(flow.nv, self.rows)

    def _speeds_of(self, places: Sequence[int]) -> list[int]:
        """Velocities of coordinates."""
        nq, nv = self.flow.nq, self.flow.nv
        if nq == nv:
            return list(places)
        p = self.flow.entries({})
        N = np.abs(self._turning.slopes(self.t, self.reference, p))[:, nq : nq + nv]
        return sorted({int(np.argmax(N[k])) for k in places})

    def _rows_of_speeds(self, x: Array, p: Array) -> Array:
        """J, by the velocities."""
        nq, nv = self.flow.nq, self.flow.nv
        return np.asarray(self._phi_dot.slopes(self.t, x, p)[:, nq : nq + nv])

    def at(self, values: Mapping[str, float], moved: Mapping[int, float]) -> Array:
        """The start with these values of parameters, and initial values changed by `moved`."""
        x: Array = self.reference + self._given(values) - self.given
        for place, by in moved.items():
            x[place] += by
        if not self.rows:
            return x
        flow, p = self.flow, self.flow.entries(values)
        nq = flow.nq
        for _ in range(ITERATIONS):
            phi = self._phi.values(self.t, x, p)
            if not len(phi):
                break
            moves = self._moves(x, p)
            G = self._phi.slopes(self.t, x, p)[:, :nq] @ moves
            change = moves @ np.linalg.lstsq(G, -phi, rcond=1e-12)[0]
            x[:nq] += change
            if np.max(np.abs(change)) <= 4e-16 * max(1.0, np.max(np.abs(x[:nq]))):
                break
        else:
            if np.max(np.abs(change)) > 1e-9 * max(1.0, np.max(np.abs(x[:nq]))):
                shown = ", ".join(f"{k} = {v:g}" for k, v in values.items())
                raise ProjectionError(
                    f"{self.who}: with {shown} the start has no place on the"
                    " constraints near that of the model."
                )
        J = self._rows_of_speeds(x, p)
        rest = self._phi_dot.values(self.t, x, p)
        x[nq:] -= self.C @ np.linalg.lstsq(J @ self.C, rest, rcond=1e-12)[0]
        return x

    def _moves(self, x: Array, p: Array) -> Array:
        """N B: how coordinates change along B."""
        nq, nv = self.flow.nq, self.flow.nv
        N = self._turning.slopes(self.t, self._reference_place(x), p)[:, nq : nq + nv]
        return np.asarray(N @ self.B)

    def _reference_place(self, x: Array) -> Array:
        return x if self.flow.nq != self.flow.nv else self.reference

    def slopes(self, values: Mapping[str, float], x: Array, variables: Sequence[Variable]) -> Array:
        """Derivatives of the start x (rows: variables) by the variables."""
        flow, nq, nx = self.flow, self.flow.nq, self.flow.nx
        given = np.zeros((len(variables), nx))
        dp = np.zeros((len(variables), flow.given))
        D = flow.slopes(values)
        for j, variable in enumerate(variables):
            if variable.kind == START:
                given[j, variable.place] = 1.0
            elif variable.kind == PARAMETER:
                dp[j] = D[:, self.names.index(variable.name)]
                given[j] = self._given_slope(values, variable.name)
        if not self.rows:
            return given
        p = flow.entries(values)
        made = given.copy()
        if len(flow.traced.phi):
            rows = self._phi.slopes(self.t, x, p)
            moves = self._moves(x, p)
            off = given[:, :nq] @ rows[:, :nq].T + dp @ rows[:, nx:-1].T
            made[:, :nq] -= np.linalg.lstsq(rows[:, :nq] @ moves, off.T, rcond=1e-12)[0].T @ moves.T
        rows = self._phi_dot.slopes(self.t, x, p)
        J = rows[:, nq:nx]
        off = made[:, :nq] @ rows[:, :nq].T + given[:, nq:] @ J.T + dp @ rows[:, nx:-1].T
        made[:, nq:] -= np.linalg.lstsq(J @ self.C, off.T, rcond=1e-12)[0].T @ self.C.T
        return made

    def _given_slope(self, values: Mapping[str, float], name: str) -> Array:
        """Derivatives of initial values that are formulas."""
        made = np.zeros(len(self.reference))
        if not self.quantities:
            return made
        found = [*self.quantities.values()]
        by = [x for x in symbols(found, "parameter") if x.name == name]
        if by:
            own = {**self.setup.model.parameters, **values}
            known = {x: own[x.name] for x in symbols(found, "parameter")}
            slopes = [row[0] for row in jacobian(found, by)]
            made[list(self.quantities)] = [float(x) for x in evaluate(slopes, known)]
        return made
