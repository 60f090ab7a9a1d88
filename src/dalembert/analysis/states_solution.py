"""Given states of a model as a `Solution`, to be read, drawn and played like a run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.enforcement import Projection
from dalembert.integration import RK4
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.results.solution import Solution
from dalembert.system.build import build

Array = NDArray[np.float64]


def solution_of(model: Any, t: Array, q: Array, v: Array) -> Solution:
    """The samples with what follows from them; they are taken as they are."""
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    start = make_consistent(system, values, float(t[0]), q[0], v[0], limit=np.inf, move=False)
    setup = Setup(model, system, values, Projection(), RK4(), None, start, consistent=False)
    facts: dict[str, Any] = {"status": 0, "message": "", "statistics": {}, "worst": {}}
    t, q, v = (np.ascontiguousarray(x, dtype=float) for x in (t, q, v))
    samples = Samples(t, q, v)
    return to_solution.compose(setup, samples, (), facts)
