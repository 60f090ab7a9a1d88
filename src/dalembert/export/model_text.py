"""A model as formulas for other programs: rates, step, corrections and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.batch.describe import formulas_of, smooth_setup
from dalembert.batch.given import name_of
from dalembert.batch.tracing import loads
from dalembert.enforcement import Projection
from dalembert.errors import OptionError
from dalembert.export.c_text import body
from dalembert.formulas import parameter, substitute, time
from dalembert.gradients.places import Formulas
from dalembert.gradients.traced import H, Traced
from dalembert.integration import RK4
from dalembert.model.basics.names import nearest
from dalembert.model.one_sided.rows import hard_only
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.prepare import Wanted


class Exported:
    """A model traced for export.

    Attributes
    ----------
    states, inputs, parameters, outputs : names
    start : of the states          values : of the parameters          input_values : of the inputs
    """

    def __init__(
        self, who: str, model: Any, inputs: Sequence[Any], outputs: Any, parameters: Any
    ) -> None:
        model = options.model_with(model, None, who)
        if hard_only(model):
            raise OptionError(
                f"{who}: model {model.name!r} has {hard_only(model)[0]}, which are solved for in"
                " every step. They have no formula that could be written down; leave them out."
            )
        asked = [inputs] if isinstance(inputs, str) else list(inputs)
        acting, names = commanded(model, who, asked)
        signals = formulas_of(who, "outputs", model, outputs)
        self.inputs = [x if isinstance(x, str) else name_of(x) for x in asked]
        self.parameters = self._parameters(who, acting, names, parameters)
        method = Projection()
        wanted = Wanted(method, RK4(), 1e-3, held=frozenset(names))
        with announce.compiling(method, silent=False):
            setup = smooth_setup(acting, wanted, list(signals.values()))
        self.traced = Traced(who, setup, [*names, *self.parameters], list(signals.values()))
        system = setup.running
        self.coordinates = list(system.coordinate_names)
        self.states = [*system.coordinate_names, *system.velocity_names]
        self.outputs = list(signals)
        begin = setup.beginning
        self.start = [float(x) for x in (*begin.q, *begin.v)]
        self.values = [float(acting.parameters[n]) for n in self.parameters]
        self.input_values = [float(acting.parameters[n]) for n in names]
        self.leaves = self._leaves(who, len(names))

    def _parameters(self, who: str, model: Any, inputs: list[str], given: Any) -> list[str]:
        if given is None:
            return [] if model.is_maximal else [n for n in model.parameters if n not in inputs]
        names = [x if isinstance(x, str) else name_of(x) for x in given]
        for name in names:
            if name not in model.parameters:
                known = list(model.parameters)
                raise OptionError(
                    f"{who}: {name!r} is no parameter of model {model.name!r}{nearest(name, known)}"
                )
        return names

    def _leaves(self, who: str, inputs: int) -> dict[Any, str]:
        """Text of every symbol: x[i], u[i], p[i], t, h."""
        traced = self.traced
        names = {time: "t", H: "h"}
        names |= {x: f"x[{k}]" for k, x in enumerate([*traced.q, *traced.v])}
        own = [parameter(name, 0.0) for name in traced.names]
        places = [f"u[{k}]" for k in range(inputs)]
        places += [f"p[{k}]" for k in range(len(own) - inputs)]
        if isinstance(traced.places, Formulas):  # entries of the tables are written out
            given = dict(zip(loads("p", len(own)), own, strict=True))
            self._known = dict(zip(traced.p, substitute(traced.places.entries, given), strict=True))
            return names | dict(zip(own, places, strict=True))
        self._known = {}
        slopes = traced.places.slopes(traced.own)
        used: set[int] = set()
        for k, name in enumerate(traced.names):
            entries = np.flatnonzero(slopes[:, k])
            plain = len(entries) == 1 and abs(slopes[entries[0], k] - 1.0) < 1e-9
            if not plain or int(entries[0]) in used:
                raise OptionError(
                    f"{who}: {name!r} does not stand in forces as it is, but in masses or lengths"
                    " of bodies, whose tables are numbers in the code. Leave it out of"
                    " `parameters`, or state the model by formulas."
                )
            used.add(int(entries[0]))
            names[traced.p[entries[0]]] = places[k]
        return names

    def _body(self, target: str, formulas: Sequence[Any], guards: Sequence[Any] = ()) -> list[str]:
        """Lines that store formulas, with entries of tables as formulas of the parameters."""
        every = substitute([*formulas, *guards], self._known)
        made = [(f"{target}[{k}]", f) for k, f in enumerate(every[: len(formulas)])]
        return body(made, self.leaves, every[len(formulas) :])

    # -- functions ---------------------------------------------------------------------------------

    def rates(self) -> list[str]:
        """Lines of q', v'."""
        return self._body("xdot", *self.traced.rates())

    def step(self) -> list[str]:
        """Lines of a step of RK4 with both corrections."""
        return self._body("y", self.traced.step, self.traced.guards)

    def closing(self) -> list[str]:
        """Lines of a further correction, behind it the residual over what is rounding."""
        if self.traced.closing is None:
            return ["y[0] = 0.0 * x[0];", "return 0;"]
        state, ratio = self.traced.closing
        return self._body("y", [*state, ratio])

    def signals(self) -> list[str]:
        """Lines of the outputs."""
        return self._body("y", self.traced.signals)
