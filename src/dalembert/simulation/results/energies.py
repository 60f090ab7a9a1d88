"""Energies of a model along a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.formulas import evaluate
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.motion.values import known_values
from dalembert.simulation.results.body_energy import body_energies

if TYPE_CHECKING:
    from dalembert.model import Model


def energies(
    model: Model, t: Any, q: Any, v: Any, turned: Turns | None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Kinetic and potential energy at states; None where the model states no potential."""
    if model.is_maximal:
        return body_energies(model, t, q, v, turned)
    formulas = [model.kinetic] + ([] if model.potential is None else [model.potential])
    found = evaluate(formulas, known_values(model, formulas, t, q, v))
    full = [np.broadcast_to(np.asarray(x, dtype=float), t.shape).copy() for x in found]
    return full[0], (full[1] if len(full) > 1 else None)
