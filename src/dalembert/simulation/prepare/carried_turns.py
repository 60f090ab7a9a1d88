"""Full turns that a run has counted, for another one that goes on from where it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.counted_angles import counted, pass_on
from dalembert.simulation.prepare.on_tree import OnTree, neutral
from dalembert.system.tree_system import TreeSystem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Turned:
    """Where a run has ended.

    Attributes
    ----------
    model : of the run
    angles : of its hinges (`hinges_of`), turns included
    system : that it was a run of
    wound : angles that elements of the system count
    on_tree, q : where it had the coordinates of joints, and these
    """

    model: Any
    angles: Array
    system: Any
    wound: Array
    on_tree: OnTree | None
    q: Array

    @property
    def known(self) -> dict[Expression, float]:
        """Angles by the angle in (-pi, pi]."""
        return dict(zip(hinges_of(self.model), map(float, self.angles), strict=True))

    @classmethod
    def of(cls, setup: Any, run: Any) -> Turned:
        """Turns of a run where it stands."""
        arrays = (run.angles_now, setup.running, counted(run).copy(), setup.on_tree, run.q.copy())
        return cls(setup.model, *arrays)

    def near(self, tree: TreeSystem) -> Array:
        """Coordinates of a tree with the turns of the run; others are those of joints at zero."""
        made = neutral(tree)
        known = self.known
        before = {}
        if self.on_tree is not None:
            before = {e.joint.name: e for e in self.on_tree.system.tree.joints if e.joint}
        for edge in tree.tree.joints:
            if not edge.joint:
                continue
            if "angle" in edge.joint.coordinates and not edge.parts:
                raw = edge.joint.angles(edge.joint.views)[0]
                made[edge.q.start + edge.joint.named_parts.index("angle")] = known.get(raw, 0.0)
            old = before.get(edge.joint.name)
            if old is not None and (old.kind, old.reversed) == (edge.kind, edge.reversed):
                made[edge.q] = self.q[old.q]
        return made

    def wound_of(self, other: Any) -> Array | None:
        """Angles that elements of another system count; None where it has no bodies."""
        if not hasattr(other, "parts") or not hasattr(self.system, "parts"):
            return None
        made = np.zeros(len(other.parts.wound))
        pass_on(self.system, self.wound, other, made)
        known = self.known
        for k, one in enumerate(other.parts.wound):
            made[k] = known.get(one.angle, made[k])
        return made
