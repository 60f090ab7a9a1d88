"""Places and velocities of the bodies of a model along a motion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.model.start.angle_rows import angle_states
from dalembert.model.start.states import States

Array = NDArray[np.float64]


def states_of(model: Any, t: Any, q: Array, v: Array) -> States:
    """Places and velocities of the bodies along a motion."""
    if model.is_maximal:
        return States.of(t, q, v)
    return angle_states(model, list(model.bodies.values()), t, q, v)
