"""Whether time stands in the formulas of a model: worlds may then have clocks of their own."""

from __future__ import annotations

from typing import Any

from dalembert.formulas import symbols
from dalembert.formulas.node import Node
from dalembert.model.core.model import Model
from dalembert.model.core.read_body import formulas_of_element
from dalembert.model.one_sided.rows import one_sided_rows


def has_time(model: Model) -> bool:
    """Whether forces, constraints, stops or drives of a model contain time."""
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
    return bool(symbols([x for x in found if isinstance(x, Node)], "time"))
