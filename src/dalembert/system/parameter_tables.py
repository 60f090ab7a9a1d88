"""Numbers of bodies that parameters decide, as formulas of the parameters.

The arrays of a run of bodies hold numbers: records of joints and forces, masses, inertias, links of
a tree. Python works them out anew when a parameter changes; an engine, and worlds that differ in
parameters, have their formulas. Whether these are right is found by trying: they are used only
where they give, at other values of a parameter, the numbers that Python writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.formulas import Expression, constant, evaluate, symbols
from dalembert.formulas.expression import ZERO
from dalembert.formulas.functions import maximum, sqrt
from dalembert.model.basics.quantity import value_of
from dalembert.system.body_writing import MISSING, TYPICAL
from dalembert.system.state_layout import State
from dalembert.system.table_formulas import table_formulas
from dalembert.system.tables import CONSTANT, LACKING

Stores = list[tuple[str, int, Expression]]

UPPER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Entries of an inertia in the order of the arrays."""

TRIALS = (1.25, 0.8)
"""Factors by which a parameter is changed to try the formulas; one that is zero becomes these."""

CLOSE = 1e-12
"""Difference, over the largest of its array, that two ways of working out a number may have."""


def table_stores(system: Any, state: State) -> Stores:
    """Formulas of the entries of `work` that depend on parameters, other than parameters."""
    if not system.has_bodies:
        return []
    if system.is_tree:
        own = state.start_of("parameters")
        held = range(own, own + len(system.parameter_names))
        found = table_formulas(system, state)
        return [("work", at, x) for at, x in found.items() if at not in held]
    stores: Stores = []

    def put(field: str, at: int, x: Any) -> None:
        if isinstance(x, Expression) and symbols([x], "parameter"):
            stores.append(("work", state.start_of(field) + at, x))

    for element in system.parts.recorded:
        for i, x in enumerate(element.data):
            put("element_data", element.start + i, x)
    for i, g in enumerate(system.gravity):
        put("gravity", i, g)
    _put_inertias(system, put)
    return stores


def _put_inertias(system: Any, put: Any) -> None:
    """Masses and inertias of bodies in maximal coordinates (`body_writing.write_inertias`)."""
    parts = system.parts
    far: list[Any] = [ZERO] * (len(parts.names) + 1)
    for pair in parts.pairs:
        for side, body in enumerate(pair.bodies):
            x, y, z = pair.data[12 * side : 12 * side + 3]
            far[body] = maximum(far[body], sqrt(x * x + y * y + z * z + ZERO))
    lacking = {b: k for k, b in enumerate(system.massless)}
    for b, body in enumerate(parts.bodies):
        mass, theta = body.inertia.mass, body.inertia.matrix
        length = far[b] if far[b] is not ZERO else constant(1.0)
        trace = theta[0][0] + theta[1][1] + theta[2][2]
        typical = trace / 3 + TYPICAL * mass * length**2 + ZERO
        bare = _bare(system, b)
        along = bare @ bare.T
        if b in lacking:
            for i in range(9):
                put("spare_inertia", LACKING * lacking[b] + i, float(along.flat[i]) * typical)
        elif bare.size and system._is_idle(b, bare):
            theta = [
                [theta[i][k] + float(along[i, k]) * typical for k in range(3)] for i in range(3)
            ]
        upper = [theta[i][k] for i, k in UPPER]
        for i, x in enumerate([mass, *upper, 1.0 / (mass + ZERO)]):
            put("body_constants", CONSTANT * b + i, x)
        put("body_weight", 2 * b, 1.0 / (mass + ZERO))
        put("body_weight", 2 * b + 1, 1.0 / typical)


def _bare(system: Any, b: int) -> Any:
    """Axes about which a body has no inertia, one a column."""
    inertia = system.parts.bodies[b].inertia
    values = {
        leaf.name: leaf.value for x in inertia.matrix for leaf in symbols(_formulas(x), "parameter")
    }
    theta = np.array([[value_of(x, values) or 0.0 for x in row] for row in inertia.matrix])
    moments, axes = np.linalg.eigh(theta)
    return axes[:, moments <= MISSING * moments[2]]


def _formulas(row: Any) -> list[Expression]:
    return [x for x in row if isinstance(x, Expression)]


# -- trying ----------------------------------------------------------------------------------------


def turned_rightly(
    system: Any, values: Mapping[str, float], stores: Sequence[Any], names: Sequence[str]
) -> list[str]:
    """The parameters among `names` that the formulas follow as Python does."""
    if not system.has_bodies:
        return list(names)
    good = []
    own = dict(values)
    first = _written(system, own)
    for name in names:
        value = own.get(name)
        if value is None:
            continue
        tried = [
            _agrees(system, {**own, name: factor * value if value else factor}, first, stores)
            for factor in TRIALS
        ]
        known = [found for found in tried if found is not None]
        if known and all(known):
            good.append(name)
    return good


def _written(system: Any, values: Mapping[str, float]) -> Any:
    state, _ = system.open([values[name] for name in system.parameter_names])
    return state


def _agrees(
    system: Any, values: Mapping[str, float], first: Any, stores: Sequence[Any]
) -> bool | None:
    """Whether the formulas turn the first arrays into those that Python writes; None: refused."""
    try:
        state = _written(system, values)
    except Exception:  # a value that cannot be: nothing is known of it
        return None
    formulas = [x for _, _, x in stores]
    known = {leaf: values[leaf.name] for leaf in symbols(formulas, "parameter")}
    made = first.work.copy()
    for (_, at, _), x in zip(stores, evaluate(formulas, known), strict=True):
        made[at] = float(x)
    wanted, begin = state.work, state.start_of("parameters")
    own = slice(begin, begin + len(system.parameter_names))
    made[own] = wanted[own]
    scale = max(1.0, float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)))
    return bool(np.allclose(made, wanted, rtol=CLOSE, atol=CLOSE * scale, equal_nan=True))
