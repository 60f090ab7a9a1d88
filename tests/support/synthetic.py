"""Solutions written down, not computed: a weightless pendulum turning at constant speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert import catalog
from dalembert.enforcement import Projection
from dalembert.integration import RK4
from dalembert.simulation.results.solution import EventRecord, Solution
from dalembert.simulation.status import Status

SPEED = 2.0


def turning(until: float = 3.0, samples: int = 61, **changes: Any) -> Solution:
    """x = cos(w t), y = sin(w t), no gravity: m a = J^T lam, J = (2x, 2y), so lam = -w^2/2."""
    t = np.linspace(0.0, until, samples)
    q = np.stack([np.cos(SPEED * t), np.sin(SPEED * t)], axis=1)
    v = SPEED * np.stack([-q[:, 1], q[:, 0]], axis=1)
    fields: dict[str, Any] = {
        "t": t,
        "q": q,
        "v": v,
        "a": -(SPEED**2) * q,
        "lam": np.full((samples, 1), -(SPEED**2) / 2),
        "phi": (np.sum(q**2, axis=1) - 1)[:, None],
        "phi_dot": 2 * np.sum(q * v, axis=1)[:, None],
        "kinetic": np.sum(v**2, axis=1) / 2,
        "potential": np.zeros(samples),
        "coordinate_names": ("x", "y"),
        "row_names": ("bar",),
        "constraint_slices": {"bar": slice(0, 1)},
        "model": catalog.load("pendulum", gravity=0.0),
        "method": Projection(),
        "integrator": RK4(),
        "step": 1e-3,
        "events": (EventRecord("top", 0.75, np.array([0.0, 1.0]), np.array([-2.0, 0.0])),),
        "status": Status.OK,
        "message": "Finished at t = 3 s.",
        "statistics": {
            "steps": 3000,
            "rejected": 0,
            "evaluations": 12000,
            "cpu_time": 0.0015,
            "wall_time": 0.002,
            "compile_time": 0.3,
            "rank_min": 1,
            "rank_max": 1,
            "unique_multipliers": True,
        },
        "worst": {"phi": 3.3e-16, "phi_row": "bar", "phi_dot": 8.9e-16, "phi_dot_row": "bar"},
        "initial_move": {"q": 0.0, "v": 0.0},
    }
    return Solution(**(fields | changes))
