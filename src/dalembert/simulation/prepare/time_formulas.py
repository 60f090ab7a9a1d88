"""Formulas of a model in which time stands, and their largest parts that time alone moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalembert.formulas import symbols
from dalembert.formulas.graph import in_depth
from dalembert.formulas.node import CONDITIONS, Node
from dalembert.formulas.simplify import subtract
from dalembert.model.basics.contents import remembered
from dalembert.model.core.model import Model
from dalembert.model.core.read_body import formulas_of_element
from dalembert.model.one_sided.rows import one_sided_rows


def formulas_of(model: Model) -> list[Node]:
    """Formulas of forces, constraints, stops and drives of a model."""
    found: list[Any] = [row for c in model.constraints for row in c.rows]
    for joint in model.joints.values():
        found += [row for rows in joint.formulas() for row in rows]
    for force in model.forces.values():
        found += [*formulas_of_element(force), *force.formulas()]
    found += [*model.generalised_forces.values(), model.extra_potential, *model.gravity]
    if not model.is_maximal:
        found += [x for row in model.mass for x in row]
        found += model.force
    for row in one_sided_rows(model):
        found += [row.phi, row.rate, row.low, row.high, row.target, row.target_rate]
    return [x for x in found if isinstance(x, Node)]


def has_time(model: Model) -> bool:
    """Whether forces, constraints, stops or drives of a model contain time."""
    return bool(symbols(formulas_of(model), "time"))


def prescribed(formulas: Sequence[Node]) -> list[Any]:
    """Largest parts of formulas that time alone moves; conditions and time itself are none."""
    order = in_depth(*formulas)
    known: set[Node] = set()
    timed: set[Node] = set()
    for node in order:
        if node.op in ("constant", "parameter", "time") or (
            node.args and all(a in known for a in node.args)
        ):
            known.add(node)
            if node.op == "time" or any(a in timed for a in node.args):
                timed.add(node)
    largest: dict[Node, None] = {x: None for x in formulas if x in timed}
    for node in order:
        if node not in known:
            largest.update((a, None) for a in node.args if a in timed)
    return [x for x in largest if x.args and x.op not in CONDITIONS]


@remembered
def prescribed_by(model: Any) -> list[Any]:
    """Largest parts of the formulas of a model that time alone moves."""
    return prescribed(formulas_of(model))


def telling(formula: Node) -> list[Any]:
    """Parts of a formula of time whose zeros may be where it changes: of a < b that is a - b."""
    found: list[Any] = []
    for node in in_depth(formula):
        if node.op in ("<", "<="):
            found.append(subtract(*node.args))
        elif node.args and node.op not in CONDITIONS:
            found.append(node)
    return [x for x in found if x.args]
