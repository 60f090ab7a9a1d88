"""Numbers of a tree that parameters change: what writes them, run over formulas.

What stands in the arrays of a run is made of quantities of the model, which are formulas of its
parameters: data of joints and forces as they are, records of links by sums and products of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dalembert.formulas.expression import Expression, parameter
from dalembert.formulas.graph import symbols
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import AS_FORMULAS
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import GRAVITY_LENGTH, NUMBERS
from dalembert.system.tree_links import HERE, links_of
from dalembert.system.tree_system import TreeSystem


def table_formulas(system: TreeSystem, state: State) -> dict[int, Expression]:
    """Entries of `work` that hold parameters, by their place: formulas of them."""
    found: dict[int, Expression] = {}

    def keep(start: int, quantities: Iterable[Any]) -> None:
        for k, x in enumerate(quantities):
            if isinstance(x, Expression) and symbols([x], "parameter"):
                found[start + k] = x

    keep(state.start_of("parameters"), [parameter(x, 0.0) for x in system.parameter_names])
    data = state.start_of("element_data")
    for element in system.parts.recorded:
        keep(data + element.start, element.data)
    numbers = state.start_of("tree_numbers")
    keep(numbers, system.gravity)
    at, axes = numbers + GRAVITY_LENGTH, {WORLD: HERE[0]}
    for edge in system.tree.joints:
        body = system.model.bodies[edge.body]
        links, axes[edge.body] = links_of(
            edge.joint, edge.kind, edge.reversed, body, axes[edge.parent], AS_FORMULAS
        )
        for _, record in links:
            keep(at, record)
            at += NUMBERS
    return found
