"""`objective`: a number that a run is judged by, with its exact gradient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.gradients.of_runs import check_step, derivatives
from dalembert.gradients.prepared import Prepared, prepared
from dalembert.gradients.run import Run
from dalembert.gradients.start import Start
from dalembert.simulation.prepare import options

Array = NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)

PANELS = 16
"""Parts of a run, each with four places of Gauss at which an integrand is looked at; more where
controls have more rows."""


class Objective:
    """Number and gradient as functions of the variables, for `scipy.optimize.minimize`.

    Attributes
    ----------
    x0 : values of the variables in the model itself
    variables : their names; a control is as many as it has rows
    runs : how many runs were made so far
    """

    def __init__(
        self, made: Prepared, samples: Array, weights: Array, step: float, mode: str
    ) -> None:
        self._made, self._samples, self._weights = made, samples, weights
        self.step, self._mode = step, mode
        self.x0 = made.own_point
        self.variables = tuple(v.label for v in made.variables)
        self.runs = 0
        self._last: tuple[bytes, Run, Start, Array | None] | None = None

    def __repr__(self) -> str:
        names = ", ".join(self.variables[:8]) + (", ..." if len(self.variables) > 8 else "")
        return f"Objective({len(self.variables)} variables: {names}; {self.runs} runs made)"

    def __call__(self, x: Any) -> tuple[float, Array]:
        """The number and its gradient."""
        return self.value(x), self.gradient(x)

    def value(self, x: Any) -> float:
        """The number alone."""
        run, _ = self._run(x)
        return float(np.sum(self._weights * run.values))

    def gradient(self, x: Any) -> Array:
        """The gradient alone."""
        run, first = self._run(x)
        assert self._last is not None
        if self._last[3] is None:
            made = self._made
            mode = self._kind
            if mode == "adjoint":
                found = run.adjoints(self._weights, made.variables, made.places, first.slopes())
            else:
                found = np.einsum("so,sov->v", self._weights, derivatives(made, run, first, mode))
            self._last = (*self._last[:3], found)
        known = self._last[3]
        assert known is not None
        return known.copy()

    @property
    def _kind(self) -> str:
        """Derivatives forth or back."""
        if self._mode != "auto":
            return self._mode
        return "forward" if len(self._made.variables) <= 3 else "adjoint"

    def _run(self, x: Any) -> tuple[Run, Start]:
        point = np.array(x, dtype=float).ravel()
        if len(point) != len(self.x0) or not np.all(np.isfinite(point)):
            raise OptionError(
                f"objective: {x!r:.60} is no point. Give {len(self.x0)} finite numbers:"
                f" {', '.join(self.variables[:8])}."
            )
        key = point.tobytes()
        if self._last is None or self._last[0] != key:
            back = self._kind == "adjoint"
            run, first = self._made.run(point, self._samples, self.step, back=back)
            self.runs += 1
            self._last = key, run, first, None
        return self._last[1], self._last[2]


def objective(
    model: Any,
    with_respect_to: Sequence[Any],
    until: float,
    *,
    final: Any = None,
    integral: Any = None,
    step: float | None = None,
    start: float = 0.0,
    initial: Any = None,
    parameters: Mapping[Any, float] | None = None,
    controls: Mapping[Any, Any] | None = None,
    events: Sequence[Any] = (),
    released: Sequence[str] = (),
    hold: Sequence[Any] = (),
    mode: str = "auto",
    method: Any = None,
    integrator: Any = None,
) -> Objective:
    """A number that a run is judged by: a formula at its end plus the integral of another one.

    Parameters
    ----------
    final : formula of the state at the end, or name of a signal
    integral : formula or signal that is integrated over the run, by Gauss's places
    step, initial, parameters, controls, events, released, hold, mode, method, integrator : as in
        `sensitivity`

    Returns
    -------
    Objective               a function of the variables; number and exact gradient

    Examples
    --------
    The length with which a pendulum hangs straight down after a second:

    >>> import dalembert as dl, numpy as np
    >>> from scipy.optimize import minimize
    >>> (a,), (L,) = dl.coordinates("a"), dl.parameters(L=1.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=L**2 * a.dot**2 / 2, potential=-9.81 * L * np.cos(a),
    ...     coordinates=[a], initial={a: 0.5})
    >>> cost = dl.objective(model, [L], until=0.5, final=a**2)
    >>> found = minimize(cost, cost.x0, jac=True, tol=1e-12)
    >>> bool(abs(found.fun) < 1e-12), round(float(found.x[0]), 6)
    (True, 0.963181)
    """
    who = "objective"
    given = [x for x in (final, integral) if x is not None]
    if not given or not all(isinstance(x, Expression | str) for x in given):
        raise OptionError(
            f"{who}: give final=, integral=, or both: a formula, or the name of a signal."
        )
    if integral is not None and len(events):
        raise OptionError(
            f"{who}: an integral over a run with events has no exact gradient here. Add a"
            " coordinate whose rate it is, or use final= alone."
        )
    if not isinstance(until, int | float) or not start < until < np.inf:
        raise OptionError(f"{who}: until is {until!r}. Give the end of the run, in seconds.")
    model = options.model_with(model, parameters, who)
    made = prepared(
        who,
        model,
        given,
        with_respect_to,
        initial=initial,
        controls=controls,
        events=tuple(events),
        released=tuple(released),
        hold=hold,
        start=start,
        method=method,
        integrator=integrator,
    )
    samples, weights = _places(final, integral, start, float(until), len(made.controls))
    length = step if step is not None else made.step_for(made.own_point, samples)
    check_step(who, length)
    return Objective(made, samples, weights, float(length), mode)


def _places(
    final: Any, integral: Any, start: float, until: float, rows: int
) -> tuple[Array, Array]:
    """Moments of samples, and the weights of both formulas there."""
    if integral is None:
        return np.array([until]), np.ones((1, 1))
    panels = PANELS if not rows else rows * -(-PANELS // rows)
    width = (until - start) / panels
    middles = start + width * (np.arange(panels) + 0.5)
    moments = (middles[:, None] + 0.5 * width * NODES).ravel()
    shares = np.tile(0.5 * width * WEIGHTS, panels)
    samples = np.r_[moments, until]
    if final is None:
        return samples, np.r_[shares, 0.0][:, None]
    weights = np.zeros((len(samples), 2))
    weights[-1, 0] = 1.0
    weights[:-1, 1] = shares
    return samples, weights
