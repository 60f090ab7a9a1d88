"""Starts of all worlds, on the constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.batch.core import Core
from dalembert.batch.given import column, initial_states, name_of
from dalembert.errors import DalembertError, OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import formula_of
from dalembert.model.start.given_names import StartNames
from dalembert.simulation.prepare.prepare import Wanted, prepare


def starts(who: str, core: Core, initial: Any, worlds: int) -> tuple[Any, Any]:
    """Coordinates and velocities of all worlds, in the coordinates of the run.

    Where there are constraints, where names of the model are given that are no coordinates of the
    run (``trunk.z``, ``trunk.roll``), or the start depends on parameters that differ, each
    different start is assembled as `simulate` would do it.
    """
    setup = core.setup
    system, begin = setup.running, setup.beginning
    named, assembled = isinstance(initial, Mapping), False
    if named:
        known = [*system.coordinate_names, *system.velocity_names]
        initial = {
            coordinate_name(setup.model, known, key): values for key, values in initial.items()
        }
        others = [name for name in initial if name not in known]
        assembled = core.rows > 0 or any(is_start_name(setup.model, name) for name in others)
    moving = _deciding(who, core) if core.changing and (named or initial is None) else frozenset()
    if not moving and not assembled:
        names = system.coordinate_names, system.velocity_names
        return initial_states(who, initial, names, (begin.q, begin.v), worlds)
    asked = initial or {}
    given = {name: column(who, f"initial {name}", x, worlds) for name, x in asked.items()}
    moved = {name: x for name, x in core.changing.items() if name in moving}
    columns = [*given.values(), *moved.values()]
    table = np.stack(columns, axis=1) if columns else np.zeros((worlds, 0))
    kinds, which = np.unique(table, axis=0, return_inverse=True)
    states = [
        _start(who, core, dict(zip([*given, *moved], kind, strict=True)), list(given))
        for kind in kinds
    ]
    q, v = (np.stack(part)[which.ravel()] for part in zip(*states, strict=True))
    return np.ascontiguousarray(q), np.ascontiguousarray(v)


def _deciding(who: str, core: Core) -> frozenset[str]:
    """Parameters that the start depends on, found by trying others: masses are none of them."""
    known = core.parameters.deciding
    if known is None:
        begin, found = core.setup.beginning, set()
        for name, value in core.parameters.trials():
            try:
                q, v = _start(who, core, {name: value}, [])
                same = np.array_equal(q, begin.q) and np.array_equal(v, begin.v)
            except OptionError:  # with this value there is none
                same = False
            if not same:
                found.add(name)
        known = core.parameters.deciding = frozenset(found)
    return known


def is_start_name(model: Any, name: str) -> bool:
    """Whether a name says where bodies or joints begin (`model.start.given_names`)."""
    return bool(model.is_maximal) and name in StartNames(model)


def coordinate_name(model: Any, known: list[str], key: Any) -> str:
    """The name of a coordinate or velocity that is given by its name or its formula."""
    if isinstance(key, Expression):
        for name in known:
            if formula_of(model, name) is key:
                return name
    name = name_of(key)
    place = name.removesuffix(".dot")
    if place != name and name not in known and place in known:  # of a free body: vx is x.dot
        owner, _, part = place.rpartition(".")
        speed = f"{owner}.v{part.removeprefix('center_')}"
        return speed if speed in known else name
    return name


def _start(who: str, core: Core, values: dict[str, float], initial: list[str]) -> tuple[Any, Any]:
    """The start of one world."""
    setup = core.setup
    numbers = {name: float(x) for name, x in values.items()}
    changed = {name: x for name, x in numbers.items() if name not in initial}
    model = setup.model.with_parameters(**changed) if changed else setup.model
    wanted = Wanted(
        setup.method,
        setup.integrator,
        setup.step,
        formulation="auto" if setup.on_tree is None else "generalized",
        initial={name: numbers[name] for name in initial},
        start=float(setup.start.t),
        watched=setup.watched,
        held=frozenset(core.controls),
    )
    try:
        found = prepare(model, wanted).beginning
    except DalembertError as problem:
        shown = ", ".join(f"{name} = {x:g}" for name, x in numbers.items())
        raise OptionError(f"{who}: the world with {shown} has no start. {problem}") from problem
    return found.q, found.v
