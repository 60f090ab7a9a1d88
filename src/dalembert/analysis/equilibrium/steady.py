"""`steady_motion`: relative equilibria, in which velocities stay as they are (analysis 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.constrained import Constrained
from dalembert.analysis.equations.onto_constraints import closed
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.equilibrium.equilibrium import Equilibrium
from dalembert.analysis.linear.chart import Chart, independent, velocities
from dalembert.analysis.linear.linearize import state_of
from dalembert.analysis.linear.reduce import Reduced, reduced
from dalembert.errors import EquilibriumError, OptionError
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare.options import by_name

Array = NDArray[np.float64]

MOST = 60
STEADY = 1e-11
"""Accelerations left, over those that enter."""

REACH = 0.3
"""Longest step of places, over the size of the model, and of rates, over themselves."""


@dataclass(frozen=True, eq=False, repr=False)
class SteadyMotion(Equilibrium):
    """A motion with constant velocities: of the coordinates in `rates`; all others rest."""

    rates: Mapping[str, float] = field(default_factory=dict)


@one_thread()
def steady_motion(
    model: Any,
    rates: Mapping[Any, float | None] | None = None,
    guess: Any = None,
    *,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> SteadyMotion:
    """A motion in which some coordinates turn or run on steadily, and the others rest.

    Parameters
    ----------
    rates : dict {coordinate: its rate, or None to have it found}
        Of coordinates that nothing depends on: the angle of a shaft, the way of a wheel. A drive
        (`dl.Motion`) has its rate already. A rate of 0 holds a coordinate where the guess has it.
    guess : dict or (q, v) to begin with; rates to be found begin with those of the guess
    t, parameters : as for `linearize`

    Returns
    -------
    SteadyMotion    q, v, `near` (the motion near it), `is_stable`, `rates`

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum on a shaft")
    >>> shaft = model.add_body("shaft", dl.Inertia.sphere(mass=1.0, radius=0.1))
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=0.6, axis="z"))
    >>> post = model.add_joint(dl.Revolute(model.world, shaft, axis="z", name="post"))
    >>> _ = model.add_joint(dl.Motion(post, 7.0 * dl.time, name="drive"))
    >>> _ = model.add_joint(
    ...     dl.Revolute(shaft, rod.at(z=0.3), axis="y", name="hinge", initial=-1.0)
    ... )
    >>> found = dl.steady_motion(model)
    >>> round(found["hinge.angle"], 9), found.is_stable
    (-1.046608318, True)
    """
    equations_of(model, "steady_motion")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    equations = equations_of(model, "steady_motion")
    q, v = state_of(model, guess)
    search = _Search(equations, float(t), _names(rates or {}))
    return search.from_guess(model, q, v)


def _names(rates: Mapping[Any, float | None]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for key, value in rates.items():
        name = key if isinstance(key, str) else str(key)
        if value is not None and not np.isfinite(value):
            raise OptionError(f"steady_motion: the rate of {name!r} is {value}. Give a number.")
        found[name] = None if value is None else float(value)
    return found


class _Search:
    """Newton's method for w' = 0, with places that rest and rates that are asked for unknown."""

    def __init__(self, equations: Equations, t: float, rates: dict[str, float | None]) -> None:
        self.equations, self.t, self.rates = equations, t, rates

    def from_guess(self, model: Any, q: Array, v: Array) -> SteadyMotion:
        equations = self.equations
        q = closed(equations, self.t, q)
        values = {name: value for name, value in self.rates.items() if value is not None}
        at = equations.at(self.t, q, v)
        for name in self.rates:
            if name not in values:
                values[name] = float((equations.gradients([name], at) @ v)[0])
        begun = float(np.abs(v).max(initial=0.0))
        for step in range(MOST):
            v = self._velocities(q, values)
            if not self.rates and begun > 0.0 and not np.any(v):
                raise OptionError(
                    f"steady_motion: model {equations.model.name!r} starts moving, and nothing is"
                    " said to run on. Name what does: rates={coordinate: None}, or"
                    " dl.equilibrium(model) for rest."
                )
            solved = Constrained(equations, equations.at(self.t, q, v))
            chart = independent(equations, solved, solved.a, None, tuple(self.rates))
            near = reduced(equations, solved, chart)
            self._check(chart, near, begun=step == 0)
            scale = self._scale(solved, near)
            left = float(np.abs(near.second).max(initial=0.0))
            if left <= STEADY * scale:
                return SteadyMotion(
                    model,
                    self.t,
                    q,
                    v,
                    solved.lam,
                    left / scale if scale else 0.0,
                    tuple(chart.names),
                    rates=values,
                )
            q, values = self._stepped(q, values, chart, near)
        worst = near.rates[int(np.argmax(np.abs(near.second)))]
        raise EquilibriumError(
            f"steady_motion: model {equations.model.name!r} has none that could be found from this"
            f" guess; {worst!r} still changes. Give a better guess=, or other rates."
        )

    def _velocities(self, q: Array, values: Mapping[str, float]) -> Array:
        """The velocity with these rates, all others resting as far as constraints let them."""
        equations = self.equations
        v = np.zeros(equations.nv)
        names = list(values)
        for _ in range(8):
            at = equations.at(self.t, q, v)
            G = equations.gradients(names, at) if names else np.zeros((0, equations.nv))
            rows = np.concatenate([at.J, G]) / equations.lengths
            wanted = np.array([values[name] for name in names])
            rest = np.concatenate([-at.phi_dot, wanted - G @ v])
            change = np.linalg.lstsq(rows, rest, rcond=1e-10)[0] / equations.lengths
            if names or len(at.J):
                free = self._resting(at, q, v + change, values)
                v = free
            if np.abs(rest).max(initial=0.0) <= 1e-13 * max(1.0, np.abs(v).max(initial=0.0)):
                break
        return v

    def _resting(self, at: Any, q: Array, v: Array, values: Mapping[str, float]) -> Array:
        """v with independent velocities beside the given rates taken away."""
        equations = self.equations
        solved = Constrained(equations, at)
        chart = independent(equations, solved, np.zeros(equations.nv), None, tuple(values))
        own = velocities(chart, solved, equations.lengths)  # fewer than places, with rolling
        wanted = np.array([values.get(chart.names[i], 0.0) for i in own])
        rows = np.concatenate([at.J, chart.G[own]]) / equations.lengths
        rest = np.concatenate([-at.phi_dot + at.J @ at.v, wanted])
        found = np.linalg.lstsq(rows, rest, rcond=1e-10)[0] / equations.lengths
        return np.asarray(found)

    def _check(self, chart: Chart, near: Reduced, begun: bool) -> None:
        for name in self.rates:
            if name in chart.names and f"{name}.dot" in near.rates:
                continue
            if begun:
                raise OptionError(
                    f"steady_motion: {name!r} does not move independently, so its rate cannot be"
                    " chosen. Leave it out of rates=."
                )
            others = ", ".join(x for x in chart.names if x not in self.rates)
            raise EquilibriumError(
                f"steady_motion: the search came to a place where {name!r} no longer moves"
                f" independently ({others} changed"
                " on the way). Give a better guess=, or hold a coordinate where the guess has it:"
                " rates={coordinate: 0.0}."
            )

    def _scale(self, solved: Constrained, near: Reduced) -> float:
        speed = float(np.abs(solved.at.v).max(initial=0.0))
        return float(
            max(
                np.abs(solved.a).max(initial=0.0),
                np.abs(near.Gx).max(initial=0.0),
                np.abs(near.Gw).max(initial=0.0) * speed,
                1e-300,
            )
        )

    def _stepped(
        self, q: Array, values: dict[str, float], chart: Chart, near: Reduced
    ) -> tuple[Array, dict[str, float]]:
        rest = [i for i, name in enumerate(chart.names) if name not in self.rates]
        asked = [name for name, value in self.rates.items() if value is None]
        columns = [near.rates.index(f"{name}.dot") for name in asked]
        J = np.concatenate([near.Gx[:, rest], near.Gw[:, columns]], axis=1)
        step = np.linalg.lstsq(J, -near.second, rcond=1e-11)[0]
        x, w = np.zeros(len(chart.names)), step[len(rest) :]
        x[rest] = step[: len(rest)]
        u = near.Ux @ x
        lengths = self.equations.lengths
        reach = float(np.abs(u * lengths).max(initial=0.0))
        most = REACH * float(lengths.max())
        part = min(1.0, most / reach) if reach > 0.0 else 1.0
        speeds = np.array([values[name] for name in asked])
        faster = float(np.max(np.abs(w) / (np.abs(speeds) + 1.0), initial=0.0))
        part = min(part, REACH / faster) if faster > 0.0 else part
        moved = closed(self.equations, self.t, self.equations.displaced(q, part * u))
        return moved, values | dict(zip(asked, map(float, speeds + part * w), strict=True))
