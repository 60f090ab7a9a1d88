"""Shapes of a model where they stand in a state, and the two that overlap most."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import numpy.typing as npt

from dalembert.collision.queries import Placed, Separation
from dalembert.collision.scene import build_scene
from dalembert.errors import OptionError
from dalembert.model.contact.pairs import pairs
from dalembert.model.core.model import Model
from dalembert.simulation.motion.body_states import states_of

Floats = npt.NDArray[np.float64]

MOST_SHAPES = 100
"""Shapes among which all pairs are looked at."""


def placed_shapes(model: Model, q: Floats, v: Floats) -> Placed:
    """The shapes that touch, in the order of `contact_shapes`."""
    states, shapes = states_of(model, 0.0, q, v), model.contact_shapes
    records = [
        np.concatenate([states.center[k, 0], states.R[k, 0].ravel(), np.zeros(6)])
        for k in range(len(model.bodies))
    ]
    scene = build_scene(model, list(model.bodies), [0] * len(shapes))
    return Placed(scene, np.array(records), shapes)


def deepest(model: Model, q: Floats, v: Floats) -> Separation | None:
    """The two shapes that may touch and overlap most; None where none do, or there are too many."""
    shapes = model.contact_shapes
    if len(shapes) > MOST_SHAPES:
        return None
    placed, found = placed_shapes(model, q, v), []
    number = {id(shape): k for k, shape in enumerate(shapes)}
    for a, b in pairs(model):
        with suppress(OptionError):  # two surfaces, of which no distance is known
            found.append(placed.separation(number[id(a)], number[id(b)]))
    worst = min(found, key=lambda one: one.distance, default=None)
    return worst if worst is not None and worst.distance < 0.0 else None
