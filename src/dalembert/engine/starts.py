"""Starts that follow parameters.

A model of formulas says its initial state by formulas, which travel. Bodies are placed by Python:
of a parameter that moves their start, starts at some values of it travel, and the page takes those
between. Either is moved onto the constraints, whatever the parameters are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.engine.watched_formulas import Binding
from dalembert.errors import DalembertError
from dalembert.formulas import Expression, symbols
from dalembert.formulas.llvm_text import write_program
from dalembert.mechanics.motion import accelerate, displace
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.start import CAP
from dalembert.simulation.session.session import Session
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

TRIED = 17
"""Values of a parameter at which the start of bodies is worked out."""

LOOKS = 3
"""States around the start at which equations are compared."""

SAME = 1e-9
"""Difference of two starts that are the same."""


def start_formulas(making: Making, session: Session, checked: State, names: Any) -> bool:
    """The function of the start of a model of formulas; False where it is given in numbers."""
    model = session.model
    if model.is_maximal or (session.initial is not None and not _is_by_name(session.initial)):
        return False
    q, v = read_initial(model, session.initial)
    given = {str(getattr(key, "name", key)) for key in session.initial or {}}
    numbers: list[Any] = [*map(float, q), *map(float, v)]
    order = [x.name for x in model.coordinates]
    places = {name: k for k, name in enumerate([*order, *(f"{name}.dot" for name in order)])}
    for name, quantity in model.initial_formulas.items():
        if name in places and name not in given:
            numbers[places[name]] = quantity
    free = free_parameters(session, names)
    binding = Binding(model, names, checked.start_of("parameters"), free)
    formulas = binding.bound(numbers)
    if formulas is None:
        return False
    making.array("free", np.array([model.parameters[name] for name in free] or [0.0]))
    making.array("start", np.zeros(len(formulas)))
    stores = [("out", i, x) for i, x in enumerate(formulas)]
    text = write_program("start", ["t", "free", "out"], stores, binding.places)
    making.program.formulas("start", text)
    return True


def free_parameters(session: Session, names: Any) -> list[str]:
    """Parameters of the start of a model of formulas that its equations do not hold."""
    if session.model.is_maximal:
        return []
    return [name for name in sorted(_of_start(session.model)) if name not in names]


def _of_start(model: Any) -> set[str]:
    """Names of the parameters in the initial state of a model of formulas."""
    formulas = [x for x in model.initial_formulas.values() if isinstance(x, Expression)]
    return {leaf.name for leaf in symbols(formulas, "parameter")}


def _is_by_name(initial: Any) -> bool:
    return isinstance(initial, Mapping)


def moved_starts(session: Session, knobs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Name of a parameter -> values tried, and how the start of bodies differs there."""
    setup = session.present.setup
    if not setup.running.has_bodies:
        return {}
    q, v = setup.beginning.q, setup.beginning.v
    found: dict[str, Any] = {}
    for knob in knobs:
        name, value, low, high = (knob[key] for key in ("name", "value", "low", "high"))
        near = _start(session, name, value + 0.1 * (high - value or low - value or 1.0))
        if near is None or _is_found_again(near, q, v):
            continue
        values = sorted({value, *(float(x) for x in np.linspace(low, high, TRIED))})
        tried = [(x, made) for x in values if (made := _start(session, name, x)) is not None]
        found[name] = {
            "values": [x for x, _ in tried],
            "q": [[float(a) for a in made.beginning.q - q] for _, made in tried],
            "v": [[float(a) for a in made.beginning.v - v] for _, made in tried],
        }
    return found


def _start(session: Session, name: str, value: float) -> Any:
    """Setup of a run from the start with another value of a parameter; None where there is none."""
    try:
        return session.begun({name: value})
    except (DalembertError, ArithmeticError):
        return None


def _is_found_again(setup: Any, q: Any, v: Any) -> bool:
    """Whether the old start, moved onto the constraints, is the start of the setup."""
    state = open_checked(setup.running, setup.values)
    setup.beginning.write_rows(state)
    q, v = q.copy(), v.copy()
    if project(*state, setup.beginning.t, q, v, MASS_NORM, CAP) != OK:
        return False
    near = np.abs(q - setup.beginning.q).max(initial=0.0)
    return bool(max(near, np.abs(v - setup.beginning.v).max(initial=0.0)) < SAME)


def moves_only_the_start(session: Session, moved: Mapping[str, Any], name: str) -> bool:
    """Whether a parameter moves the start and changes nothing in the equations of the run.

    Looked at in some states around the start.
    """
    setup, model = session.present.setup, session.model
    names = list(setup.running.parameter_names)
    if name not in (moved if setup.running.has_bodies else _of_start(model)):
        return False
    if name not in names:
        return True
    seen = []
    for factor in (1.0, 1.3):
        values = list(setup.values)
        values[names.index(name)] = factor * model.parameters[name] + (factor - 1.0)
        state = open_checked(setup.running, values)
        setup.beginning.write_rows(state)
        seen.append([_accelerations(state, setup.beginning, k) for k in range(LOOKS)])
    return bool(np.array_equal(np.array(seen[0]), np.array(seen[1]), equal_nan=True))


def _accelerations(state: State, start: Any, k: int) -> Any:
    """Accelerations and residuals in the k-th state around the start."""
    generator = np.random.default_rng(k)
    q, v = start.q.copy(), start.v + generator.standard_normal(len(start.v))
    displace(*state, 0.1, generator.standard_normal(len(v)) * start.length, q)
    a, lam = np.zeros(state.nv), np.zeros(state.rows)
    accelerate(*state, start.t, q, v, a, lam)
    return np.concatenate([a, lam, state.phi, state.phi_dot, state.rhs_a])
