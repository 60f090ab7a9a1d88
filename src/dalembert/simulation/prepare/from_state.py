"""The setup of a run that goes on from a state, with other constraints or other values."""

from __future__ import annotations

import math

import numpy as np

from dalembert.model.core.model import Model
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.coincident import refuse_coincident
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.prepare import Built, Wanted, begin_at, chosen
from dalembert.simulation.prepare.refusals import refuse_combination
from dalembert.simulation.prepare.setup import Setup, values_of


def setup_from_state(
    built: Built,
    model: Model,
    wanted: Wanted,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    *,
    move: bool,
    turned: Turned | None = None,
) -> Setup:
    """The setup from a state at a moment.

    `move`: onto the constraints, else it stays as it is; `turned`: turns that were counted before.
    """
    refuse_combination(built.system, wanted.method, wanted.integrator, wanted.step)
    values = values_of(built.system, model)
    angles = None if turned is None else turned.wound_of(built.system)
    start = make_consistent(built.system, values, t, q, v, limit=math.inf, move=move, angles=angles)
    if built.contacts is not None and model.is_maximal:
        refuse_coincident(model, start.q, start.v)
    return begin_at(built, model, wanted, start, chosen(built, values, wanted, start, turned))
