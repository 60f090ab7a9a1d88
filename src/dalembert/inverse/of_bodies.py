"""Models of bodies for servo constraints: their traced accelerations as a plant (servo 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import make_interp_spline

from dalembert.batch.describe import formulas_of, smooth_setup
from dalembert.batch.kernels.layout import BATCH as SIGNATURE
from dalembert.batch.tracing import loads
from dalembert.enforcement import Projection
from dalembert.errors import OptionError, SimulationError
from dalembert.formulas import Expression, parameter, substitute
from dalembert.formulas.expression import ONE, ZERO
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.gradients.places import Formulas
from dalembert.gradients.traced import Traced
from dalembert.integration import RK4
from dalembert.inverse.jets import Plant
from dalembert.inverse.result import Servo
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.prepare import Wanted

Array = NDArray[np.float64]

ACCURACY = 1e-12
"""Relative error of a replay."""


@dataclass(frozen=True)
class Bodies:
    """A model of bodies, traced.

    Attributes
    ----------
    plant : accelerations as forces on unit masses; rows of loops without multipliers
    q, v : where it starts
    coordinates : names of q
    """

    plant: Plant
    q: Array
    v: Array
    coordinates: tuple[str, ...]

    def replay(self, one: Servo) -> Array:
        """Errors of the outputs at the samples, inputs being splines through them."""
        names, nv = list(one.inputs), len(self.v)
        played = make_interp_spline(one.t, np.array([one.inputs[n] for n in names]).T, k=5)
        rates = self._compiled("accelerations", self.plant.force)
        errors = self._compiled("errors", self.plant.errors)

        def moved(t: float, x: Array) -> Array:
            return np.concatenate([x[nv:], _called(rates, t, x, played(t), nv)])

        span = float(one.t[0]), float(one.t[-1])
        start = np.r_[one.q[0], one.v[0]]
        done = solve_ivp(
            moved, span, start, method="DOP853", t_eval=one.t, rtol=ACCURACY, atol=ACCURACY
        )
        if not done.success:
            raise SimulationError(f"servo: the replay could not be followed: {done.message}")
        count = len(self.plant.errors)
        found = [
            _called(errors, t, x, played(t), count) for t, x in zip(one.t, done.y.T, strict=True)
        ]
        return np.array(found)

    def _compiled(self, name: str, formulas: Sequence[Expression]) -> CompiledFunction:
        inputs = loads("x", len(self.plant.inputs))
        known: dict[Any, Any] = dict(zip(self.plant.inputs, inputs, strict=True))
        stores = [("y", k, x) for k, x in enumerate(substitute(list(formulas), known))]
        return compile_function(f"servo_{name}", SIGNATURE.arguments, stores, {}, None)


def _called(function: CompiledFunction, t: float, x: Array, u: Any, count: int) -> Array:
    out, empty, half = np.zeros(count), np.zeros(1), len(x) // 2
    function(
        work=empty,
        sizes=np.zeros(1, dtype=np.int64),
        t=float(t),
        h=0.0,
        q=np.ascontiguousarray(x[:half]),
        v=np.ascontiguousarray(x[half:]),
        p=empty,
        s=empty,
        x=np.ascontiguousarray(u, dtype=float),
        y=out,
    )
    return out


def bodies_of(
    who: str,
    model: Any,
    outputs: Mapping[Any, Any],
    inputs: Sequence[Any],
    start: float,
    initial: Any,
) -> Bodies:
    """A model of bodies as a plant; `outputs`: {name or formula: path, a formula of the time}."""
    acting, names = commanded(model, who, list(inputs))
    if len(set(names)) < len(names):
        raise OptionError(f"{who}: inputs are {names!r}. Name each once.")
    if model.has_contact:
        raise OptionError(
            f"{who}: model {model.name!r} has shapes that touch, which have no derivatives. Leave"
            " them out, or state what stays closed as a constraint."
        )
    signals = list(formulas_of(who, "outputs", acting, list(outputs)).values())
    wanted = Wanted(Projection(), RK4(), 1e-3, start=start, held=frozenset(names), initial=initial)
    traced = Traced(who, smooth_setup(acting, wanted, signals), names, signals)
    if len(traced.q) != len(traced.v):
        raise OptionError(
            f"{who}: model {model.name!r} has bodies that turn freely (ball joints, or no joint at"
            " all), whose places are not differentiated as often as it takes. Give them hinges and"
            " slides: dl.Planar, dl.Universal or dl.Compound joints."
        )
    if not isinstance(traced.places, Formulas):
        raise OptionError(
            f"{who}: model {model.name!r} runs in coordinates of its bodies, not of its joints;"
            " servo constraints are for trees, with loops or not."
        )
    own = [parameter(name, 0.0) for name in names]
    entries = substitute(traced.places.entries, dict(zip(loads("p", len(own)), own, strict=True)))
    known: dict[Any, Any] = dict(zip(traced.p, entries, strict=True))
    n = len(traced.v)

    def written(formulas: Sequence[Expression]) -> list[Expression]:
        return substitute(list(formulas), known)

    rates = written(traced.rates()[0])[n:]
    rows = written(traced.phi)
    errors = [y - path for y, path in zip(written(traced.signals), outputs.values(), strict=True)]
    plant = Plant(
        list(traced.q),
        list(traced.v),
        own,
        [[ONE if i == j else ZERO for j in range(n)] for i in range(n)],
        rates,
        rows,
        [[ZERO] * n for _ in rows],
        errors,
    )
    q, v = traced.first
    return Bodies(plant, q, v, tuple(traced.coordinate_names))
