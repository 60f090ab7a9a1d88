"""`prepare`: a model and what is wanted of a run, made into everything that the run needs."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.formulas.recent import Recent
from dalembert.model.basics.contents import contents
from dalembert.model.core.model import Model
from dalembert.simulation.prepare import announce
from dalembert.simulation.prepare.asked_speeds import Speeds
from dalembert.simulation.prepare.asked_turns import asked_turns
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.coincident import refuse_coincident
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.contacts import Contacts, build_for
from dalembert.simulation.prepare.controllers import Bound
from dalembert.simulation.prepare.formulation import Situation, choose_tree, tree_for
from dalembert.simulation.prepare.given_places import moved_places
from dalembert.simulation.prepare.ignored_starts import misplaced
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.prepare.on_tree import OnTree, on_tree
from dalembert.simulation.prepare.options import INITIAL_LIMIT
from dalembert.simulation.prepare.refusals import (
    refuse_combination,
    refuse_redundancy,
    refuse_weightless,
    refuse_without_smooth_steps,
)
from dalembert.simulation.prepare.setup import Setup, values_of
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.prepare.start_bodies import Placing
from dalembert.system.tree_system import TreeSystem


@dataclass(frozen=True)
class Wanted:
    """Everything that is asked of a run besides its model and its length.

    `watched` are formulas of events, `held` parameters that controllers have changed in a run whose
    samples are read; the others are options of `simulate`.
    """

    method: Any
    integrator: Any
    step: float | None = None
    formulation: str = "auto"
    initial: Any = None
    start: float = 0.0
    watched: tuple[Any, ...] = ()
    controllers: Bound | None = None
    held: frozenset[str] = frozenset()
    limit: float = INITIAL_LIMIT
    consistent: bool = True


@dataclass(frozen=True)
class Built:
    """Equations of a model, whatever the values of its parameters and its start.

    `model` is the one they were built from; `tree` is taken for the run where it is there, and
    `decided` says that this choice has been made.
    """

    model: Model
    system: AnySystem
    contacts: Contacts | None
    tree: TreeSystem | None = None
    decided: bool = False


_recent: Recent[tuple[Any, Setup]] = Recent(16)
"""Setups by the contents of their models and what was wanted."""


def prepare(model: Model, wanted: Wanted) -> Setup:
    """The setup of a run; the same one, with all it remembers, for the same contents."""
    key = _key(wanted)
    if key is None:
        return begin(build(model, wanted), model, wanted)
    if not model.is_maximal:
        _ = model.mass  # worked out once, for the copy too
    marks, held = contents(model)

    def made() -> tuple[Any, Setup]:
        own = copy.copy(model)  # no later edit reaches it
        return (held, wanted), begin(build(own, wanted), own, wanted)

    return _recent.get((marks, key), made)[1].of(model)


def forget() -> None:
    """Let go of all setups: the next call prepares anew."""
    _recent.clear()


def build(model: Model, wanted: Wanted) -> Built:
    """Equations of a model for a method; refuses what does not go together."""
    bound = wanted.controllers
    seen = () if bound is None else bound.inputs
    names = wanted.held if bound is None else frozenset(bound.names)
    system, contacts = build_for(model, wanted.method, [*wanted.watched, *seen], names)
    return Built(model, system, contacts)


def begin(built: Built, model: Model, wanted: Wanted) -> Setup:
    """The setup of a run from the initial state of `model`, moved onto the constraints."""
    refuse_combination(built.system, wanted.method, wanted.integrator, wanted.step)
    refuse_without_smooth_steps(built.contacts, wanted.method, wanted.integrator)
    announce.begin(wanted.method, wanted.integrator, built.contacts)
    initial, t = wanted.initial, wanted.start
    values = values_of(built.system, model)
    q, v = read_initial(model, initial)
    turned = asked_turns(model, initial, built.system, t, q)
    start = make_consistent(
        built.system,
        values,
        t,
        q,
        v,
        limit=wanted.limit,
        move=wanted.consistent,
        bodies=Placing(model, initial, turned) if model.is_maximal else None,
        angles=None if turned is None else turned.wound_of(built.system),
        speeds=Speeds(model, initial, wanted.limit) if wanted.consistent else None,
    )
    if wanted.consistent:
        places = misplaced(model, initial, t, start.q) + moved_places(model, initial, q, start.q)
        start = replace(start, moved=tuple(places))
    turned = asked_turns(model, initial, built.system, t, q, start.q)
    if built.contacts is not None and model.is_maximal:
        refuse_coincident(model, start.q, start.v)
    on = chosen(built, values, wanted, start, turned)
    return begin_at(built, model, wanted, start, on, turned)


def begin_at(
    built: Built,
    model: Model,
    wanted: Wanted,
    start: Start,
    on: OnTree | None = None,
    turned: Turned | None = None,
) -> Setup:
    """The setup of a run from a state that is consistent already."""
    return Setup(
        model,
        built.system,
        values_of(built.system, model),
        wanted.method,
        wanted.integrator,
        wanted.step,
        start,
        consistent=bool(wanted.consistent),
        controllers=wanted.controllers,
        contacts=None if built.contacts is None else built.contacts.at(model),
        on_tree=on,
        turned=turned,
        watched=tuple(wanted.watched),
    )


def resumed(
    model: Model, wanted: Wanted, start: Start, turns: tuple[Any, Any] = (None, None)
) -> Setup:
    """The setup of a run that is read from a folder, on the tree if it began there.

    `turns`: coordinates of the tree near those of the start, and angles that it counts.
    """
    built = build(model, wanted)
    built = decided_before(built, wanted, on_tree=wanted.formulation == "generalized")
    on = None
    if built.tree is not None:
        sizes = built.tree.tree.nq, len(built.tree.parts.wound)
        for numbers, size in zip(turns, sizes, strict=True):
            if numbers is not None and (numbers.shape != (size,) or numbers.dtype != np.float64):
                raise ValueError(f"turns have {numbers.shape} entries, not {size}")
        on = on_tree(built.tree, values_of(built.system, model), built.system, start, *turns)
    return begin_at(built, model, wanted, start, on)


def decided(built: Built, setup: Setup) -> Built:
    """The equations with the coordinates that a setup took: they do not depend on values."""
    tree = None if setup.on_tree is None else setup.on_tree.system
    return replace(built, tree=tree, decided=True)


def decided_before(built: Built, wanted: Wanted, *, on_tree: bool) -> Built:
    """The equations with coordinates that were chosen before: those of joints, or of bodies."""
    tree = None
    if on_tree:
        inputs = () if wanted.controllers is None else wanted.controllers.inputs
        tree = tree_for(built.model, [*wanted.watched, *inputs], built.contacts)
    return replace(built, tree=tree, decided=True)


def chosen(
    built: Built, values: list[float], wanted: Wanted, start: Start, turned: Turned | None = None
) -> OnTree | None:
    """The start in the coordinates of joints where the run takes place in these.

    Refuses a method that the model is not for. `turned`: full turns of a run that it goes on from.
    """
    system, method, tree = built.system, wanted.method, built.tree
    if not built.decided:
        situation = Situation(
            built.model,
            system,
            method,
            wanted.integrator,
            wanted.step,
            wanted.consistent,
            wanted.controllers,
            wanted.watched,
            built.contacts,
        )
        tree = choose_tree(wanted.formulation, situation, start)
        if tree is None:
            refuse_weightless(system, method, built.model)
    if tree is None:
        refuse_redundancy(system, method, start.rank)
        return None
    turns = (None, None) if turned is None else (turned.near(tree), turned.wound_of(tree))
    found = on_tree(tree, values, system, start, *turns)
    if not built.decided:
        refuse_redundancy(tree, method, found.start.rank)
    return found


# -- what was prepared before ----------------------------------------------------------------------

HOOKS = ("begin_step", "rates", "end_step", "advance", "interpolate", "interpolate_prepare")
"""Kernels of methods and integrators."""


def _key(wanted: Wanted) -> Any:
    """Marks of what is wanted, or None where these cannot be told."""
    if wanted.controllers is not None:
        return None  # functions, which remember what they like
    parts = (wanted.method, wanted.integrator)
    for part in parts:
        frozen = getattr(type(part), "__dataclass_params__", None)
        if frozen is None or not frozen.frozen:
            return None  # a class of the user's own, whose objects may change
    kernels = tuple(getattr(part, hook, None) for part in parts for hook in HOOKS)
    try:
        initial = _initial_marks(wanted.initial)
        rest = replace(wanted, initial=None)
        key = (
            _jit.mode(),
            kernels,
            tuple((type(part), repr(part)) for part in parts),
            initial,
            tuple(getattr(rest, field.name) for field in dataclasses.fields(rest)),
        )
        hash(key)
    except (TypeError, ValueError):
        return None
    return key


def _initial_marks(initial: Any) -> Any:
    """An initial state that can be compared with another one."""
    if initial is None:
        return None
    if isinstance(initial, Mapping):
        return tuple((key, float(value).hex()) for key, value in initial.items())
    q, v = (np.array(part, dtype=float) for part in initial)
    angles = tuple(getattr(initial, "angles", None) or {})
    turned = tuple(float(initial.angles[raw]).hex() for raw in angles)
    return q.shape, q.tobytes(), v.shape, v.tobytes(), angles, turned
