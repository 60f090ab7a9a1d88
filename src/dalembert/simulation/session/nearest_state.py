"""The state of a changed mechanism nearest to the present one.

Where it has far to go the change is made in small pieces, so that a mechanism stays in its way of
being put together.
"""

from __future__ import annotations

import dataclasses
import math
import time as clocks
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dalembert.enforcement.protocol import Method
from dalembert.errors import DalembertError
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.refusals import refuse_redundancy
from dalembert.simulation.prepare.setup import values_of
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.simulation.prepare.start_bodies import Placing

Array = NDArray[np.float64]

JUMP = 0.2
"""Change of a coordinate, over the largest or 1, that is followed in several small ones."""

MOST_PIECES, PATIENCE = 64, 1.0
"""Pieces into which the change of a parameter is divided, and seconds that are spent on them."""


@dataclasses.dataclass(frozen=True)
class State:
    """Where a mechanism is: of which model, when, and the angles whose turns are counted."""

    model: Model
    t: float
    q: Array
    v: Array
    angles: Array


def nearest_state(
    system: AnySystem, method: Method, present: State, model: Model, asked: Mapping[str, float]
) -> Start:
    """The state of `model` nearest to the present one; `asked` are the parameters that changed."""
    now = present.model.parameters
    allowed = JUMP * max(1.0, float(np.abs(present.q).max(initial=0.0)))
    direct, _ = _tried(system, method, present, model)
    if direct is not None and direct.move_q <= allowed:
        return direct
    # far away: in pieces, each halved until it moves the mechanism only a little
    began, done, piece, at = clocks.perf_counter(), 0.0, 0.5, present
    while piece >= 1.0 / MOST_PIECES and clocks.perf_counter() - began < PATIENCE:
        share = min(1.0, done + piece)
        between = {name: now[name] + share * (value - now[name]) for name, value in asked.items()}
        part = model if share == 1.0 else present.model.with_parameters(**between)
        found, _ = _tried(system, method, at, part)
        if found is None or found.move_q > allowed:
            piece *= 0.5
            continue
        at, done = dataclasses.replace(at, q=found.q, v=found.v), share
        if share == 1.0:
            return found
        if found.move_q < 0.25 * allowed:
            piece *= 2.0
    if direct is None:
        # put together from scratch, or told which joints are in conflict
        direct, problem = _tried(system, method, present, model, assemble=True)
        if direct is None:
            assert problem is not None
            raise problem
    return direct


def _tried(
    system: AnySystem, method: Method, at: State, model: Model, *, assemble: bool = False
) -> tuple[Start | None, DalembertError | None]:
    """The state nearest to (q, v), or why there is none."""
    bodies = Placing(model, None) if model.is_maximal and assemble else None
    try:
        found = _consistent(system, at, model, bodies)
        if found.move_q > 0.0:
            # velocities have all their digits where the position does not move any more
            moved = found.move_q
            again = dataclasses.replace(at, q=found.q, v=found.v)
            found = _consistent(system, again, model, bodies)
            found = dataclasses.replace(found, move_q=moved + found.move_q)
        refuse_redundancy(system, method, found.rank)
    except DalembertError as problem:
        return None, problem
    return found, None


def _consistent(system: AnySystem, at: State, model: Model, bodies: Placing | None) -> Start:
    return make_consistent(
        system,
        values_of(system, model),
        at.t,
        at.q,
        at.v,
        limit=math.inf,
        move=True,
        bodies=bodies,
        angles=at.angles,
    )
