"""Full turns in formulas of an engine: symbols of an array that the page fills.

A run counts the angles of hinges. Which of the angles raw + 2 pi k is meant is looked up there, as
readers of a solution do (`simulation.motion.turns`), and 2 pi k stands in the array `turns`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.formulas import Expression, substitute, symbols
from dalembert.formulas.expression import ZERO, load
from dalembert.formulas.llvm_text import write_program
from dalembert.mechanics.winding import copy_angles
from dalembert.simulation.motion.trajectory import of_element
from dalembert.simulation.motion.turns import hinges_of

ARRAY = "turns"


class UncountedError(Exception):
    """A force counts an angle that a run does not."""


def of_force(model: Any, force: Any, what: str) -> Expression | None:
    """A formula of a force (`energy`, `effort`), its turns those of the array."""
    views, data, angles = of_element(force)
    found: Expression | None = getattr(force, what)(views, data, list(angles))
    if found is None:
        return None
    numbers = {raw: k for k, raw in enumerate(hinges_of(model))}
    if any(raw not in numbers for raw in angles.values()):
        raise UncountedError
    known = {leaf: load(ARRAY, numbers[raw]) for leaf, raw in angles.items()}
    return substitute([found], known)[0] if known else found


def of_joints(model: Any, formula: Expression) -> Expression | None:
    """A formula of angles of joints, their turns those of the array; None: one is not counted."""
    numbers = {raw: k for k, raw in enumerate(hinges_of(model))}
    known = {}
    for leaf in symbols([formula], "coordinate"):
        name, _, part = leaf.name.partition(":")
        if part == "turns":
            raw = substitute([model.joints[name].angle], {leaf: ZERO})[0]
            if raw not in numbers:
                return None
            known[leaf] = load(ARRAY, numbers[raw])
    return substitute([formula], known)[0] if known else formula


def places(model: Any) -> dict[Any, tuple[str, int]]:
    """Where the symbols of the array are read."""
    return {load(ARRAY, k): (ARRAY, k) for k in range(len(hinges_of(model)))}


def count_turns(making: Making, run: Any, model: Any, binding: Any) -> bool:
    """Functions and arrays with which the page counts; False where there is nothing to count."""
    raw = list(hinges_of(model))
    making.array(ARRAY, np.zeros(max(1, len(raw))))
    if not raw:
        return False
    bound = binding.bound(raw)
    assert bound is not None
    hinges = np.zeros(len(raw))
    making.array("hinges", hinges)
    making.entry("count", copy_angles, run.state, hinges)
    making.array("raw", np.zeros(len(raw)))
    stores = [("out", i, x) for i, x in enumerate(bound)]
    text = write_program("raw", ["t", "q", "v", "out"], stores, binding.places)
    making.program.formulas("raw", text)
    return True


def places_of_hinges(state: Any) -> list[int]:
    """Where `work` holds the angles of hinges that a run counts."""
    found, before = [], state.work.copy()
    for k in range(state.hinges):
        hinge = state.hinge(k)
        held = hinge.foretold
        hinge.foretold = held + 1.0
        found.append(int(np.flatnonzero(state.work != before)[0]))
        hinge.foretold = held
    return found
