"""Inputs played to a model that knows nothing of the outputs: how far they are kept to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PPoly, make_interp_spline

from dalembert.batch.rollout import rollout
from dalembert.errors import OptionError
from dalembert.formulas import Expression, constant, parameter, substitute, symbols, time
from dalembert.inverse.result import Servo
from dalembert.model.core.model import Model

Array = NDArray[np.float64]

DEGREE = 7
"""Degree of the splines that inputs are played by."""


FEWEST, MOST = 8, 64
"""Steps between samples where none are given: the fewest, and the most that are tried."""

ROUNDING = 1e-11
"""Error of outputs, over their size, below which shorter steps are not tried."""


def replay(model: Any, one: Servo, errors: Sequence[Expression], step: float | None) -> Array:
    """Errors of the outputs at the samples; the inputs are splines through them.

    Without a step they are halved until errors are those of the inputs.
    """
    t = one.t
    if len(t) <= DEGREE or not np.allclose(np.diff(t), t[1] - t[0]):
        raise OptionError(
            "servo: a replay needs equal steps between samples. Give until=..., or at=... so."
        )
    width = float(t[1] - t[0])
    if step is not None:
        return _played(model, one, errors, max(1, round(width / step)))
    each, found = FEWEST, _played(model, one, errors, FEWEST)
    size = float(np.abs(one.q).max(initial=1.0))
    while each < MOST:
        each *= 2
        last, found = found, _played(model, one, errors, each)
        worst = float(np.abs(found).max())
        if np.abs(found - last).max() <= max(0.1 * worst, ROUNDING * size):
            break
    return found


def _played(model: Any, one: Servo, errors: Sequence[Expression], each: int) -> Array:
    """Errors with so many steps between samples."""
    t = one.t
    width = float(t[1] - t[0])
    played, h = {}, width / each
    formulas: dict[str, Expression] = {}
    begin = t[0] + h * np.arange(each * (len(t) - 1))
    clock = parameter("servo:since", 0.0)
    for name, values in one.inputs.items():
        pieces = PPoly.from_spline(make_interp_spline(t, values, k=DEGREE))
        total: Any = 0.0
        for k in range(DEGREE + 1):
            factor = parameter(f"servo:{name}:{k}", 0.0)
            derivative = pieces if k == 0 else pieces.derivative(k)
            played[factor.name] = derivative(begin) / np.prod(np.arange(1, k + 1))
            total = total + factor * (time - clock) ** k
        formulas[name] = total
    played[clock.name] = begin
    made = _with(model, formulas)
    names = [x.name for x in made.coordinates]
    made.set_initial(dict(zip(names, one.q[0], strict=True)))
    found = rollout(
        made,
        (one.q[:1], one.v[:1]),
        controls=played,
        step=h,
        steps=each * (len(t) - 1),
        every=each,
        start=float(t[0]),
        record=list(errors),
    )
    return np.asarray(found.data[0])


def _with(model: Any, played: dict[str, Expression]) -> Model:
    """The model with formulas in the place of parameters of its forces."""
    leaves = symbols(model.force, "parameter")
    known = {leaf: played[leaf.name] for leaf in leaves if leaf.name in played}
    values = {leaf: constant(model.parameters[leaf.name]) for leaf in leaves if leaf not in known}
    return Model.from_matrices(
        name=model.name,
        coordinates=list(model.coordinates),
        mass=[list(row) for row in model.mass],
        force=substitute(list(model.force), {**values, **known}),
        constraints=[(c.name, list(c.rows)) for c in model.constraints],
    )
