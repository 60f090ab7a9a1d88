"""Forces of joints in an engine whose run is on a tree: the equations of all bodies, looked at.

A run in the coordinates of joints solves for no forces of these. As for the samples of a solution
(`simulation.results.accelerations`) the page asks the constrained equations of the bodies at the
same state: M V' = F + J^T lam, with the rows of all joints (theory/methods.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.mechanics.motion import accelerate
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.system.state_layout import State


def open_measured(setup: Any) -> State | None:
    """State with the rows of all joints; None where the run has them, or cannot be looked at so.

    Impulses of contacts and rotors of drives act besides the forces of the model: with these the
    equations of bodies alone do not tell them (`simulation.results.loads`).
    """
    heavy = any(any(values) for values in getattr(setup.model, "armature", {}).values())
    if setup.on_tree is None or setup.contacts is not None or heavy:
        return None
    if tuple(setup.system.parameter_names) != tuple(setup.running.parameter_names):
        return None
    state = open_checked(setup.system, setup.values)
    setup.start.write_rows(state)
    return state


def measured_of(making: Making, setup: Any, state: State) -> dict[str, Any]:
    """Kernel and arrays with which the page looks, and which counted angles its own are."""
    q, v = np.zeros(state.nq), np.zeros(state.nv)
    a, lam = np.zeros(state.nv), np.zeros(state.rows)
    making.entry("measure", accelerate, state, float(setup.start.t), q, v, a, lam)
    named = {
        "measured": state.work,
        "measured_sizes": state.sizes,
        "measured_parameters": state.parameters,
        "measured_angles": state.last_angles,
        "measured_q": q,
        "measured_v": v,
        "measured_lam": lam,
    }
    for name, array in named.items():
        making.array(name, array)
    counted = {raw: k for k, raw in enumerate(hinges_of(setup.model))}
    return {"angles": [counted.get(wound.angle) for wound in setup.system.parts.wound]}
