"""Which bodies hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.formulas.graph import symbols
from dalembert.model.basics.frame import WORLD

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

FEW = 6
"""Names that are listed before it says "and more"."""


def connected(model: Model) -> list[set[str]]:
    """Bodies, and the world, that joints and constraints connect."""
    bodies = model.bodies
    root = {name: name for name in (*bodies, WORLD)}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    links = [{frame.body.name for frame in joint.frames} for joint in model.joints.values()]
    for constraint in model.constraints:
        names = {
            leaf.name.partition(":")[0] if ":" in leaf.name else leaf.name.rpartition(".")[0]
            for leaf in symbols(constraint.rows, "coordinate", "velocity")
        }
        names = names & bodies.keys()
        # a formula of one body alone ties it to the world
        links.append(names | {WORLD} if len(names) == 1 else names)
    for link in links:
        first, *others = [find(name) for name in link if name in root] or [WORLD]
        for other in others:
            root[other] = first
    groups: dict[str, set[str]] = {}
    for name in root:
        groups.setdefault(find(name), set()).add(name)
    return list(groups.values())


def listed(names: list[str]) -> str:
    """Names in quotes; only the first few of many."""
    shown = ", ".join(f"'{name}'" for name in names[:FEW])
    return f"{shown} and {len(names) - FEW} more" if len(names) > FEW else shown
