"""Bodies that start in one and the same place: no direction leads apart.

What overlaps is pushed apart along the shortest way out. Two convex solids about one middle have
none; it would be left to rounding.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import value_of
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.pairs import neighbours, reason
from dalembert.model.core.model import Model
from dalembert.model.shapes.solid import measured
from dalembert.simulation.motion.body_states import states_of

Floats = npt.NDArray[np.float64]

SOLID = frozenset({"sphere", "capsule", "box", "cylinder", "ellipsoid"})
"""Kinds whose origin is their middle."""

SAME = 1e-12
"""Distance of two middles, over the smallest size of the shapes, at which they are one place."""


def refuse_coincident(model: Model, q: Floats, v: Floats) -> None:
    """Raise ModelError where the middles of two solids that touch are in one place.

    Parameters
    ----------
    q, v : state of the bodies at the start
    """
    shapes = [shape for shape in model.contact_shapes if shape.kind in SOLID]
    if len(shapes) < 2:
        return
    middles = _middles(model, shapes, q, v)
    sizes = np.array([measured(shape.sizes, model.parameters).min() for shape in shapes])
    order = np.lexsort(middles.T)
    joined = None
    for k, i in enumerate(order):
        for j in order[k + 1 :]:
            near = SAME * max(sizes[i], sizes[j])
            if middles[j, 2] - middles[i, 2] > near:
                break
            if np.abs(middles[j] - middles[i]).max() > near:
                continue
            joined = neighbours(model) if joined is None else joined
            a, b = (shapes[n] for n in sorted((int(i), int(j))))
            if not reason(model, a, b, joined):
                place = ", ".join(f"{x:.6g}" for x in middles[i])
                raise ModelError(
                    f"model '{model.name}': shapes '{a.name}' and '{b.name}' start in one place, "
                    f"({place}) m: no direction leads apart. Place them apart, or let them pass: "
                    "model.ignore_contact."
                )


def _middles(model: Model, shapes: list[ContactShape], q: Floats, v: Floats) -> Floats:
    """Middles of the shapes in the world."""
    states = states_of(model, 0.0, q, v)
    index = {name: k for k, name in enumerate(model.bodies)}
    found = np.zeros((len(shapes), 3))
    for n, shape in enumerate(shapes):
        found[n] = measured(shape.position, model.parameters)
        if shape.body != WORLD:
            k, inertia = index[shape.body], model.bodies[shape.body].inertia
            centre = [value_of(x, model.parameters) or 0.0 for x in inertia.center]
            found[n] = states.center[k, 0] + states.R[k, 0] @ (found[n] - centre)
    return found
