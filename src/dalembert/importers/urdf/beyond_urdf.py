"""Parts of a model that URDF has no words for."""

from __future__ import annotations

from typing import Any

from dalembert.importers.urdf.link_tree import KINDS, LinkTree
from dalembert.model import Model
from dalembert.model.core.read_description import STANDARD_GRAVITY
from dalembert.model.forces.joint_friction import JointFriction

KINDS_WITH_DAMPING = ("revolute", "prismatic")


def unsaid(tree: LinkTree) -> list[str]:
    """Sentences about gravity, starts, forces, contact, formulas and points."""
    lost: list[str] = []
    model = tree.model
    gravity = [tree.number(entry) for entry in model.gravity]
    if gravity != [0.0, 0.0, -STANDARD_GRAVITY]:
        lost.append(f"gravity {gravity}: URDF has none; readers take 9.81 along -z.")
    for joint in model.joints.values():
        begin = _several(getattr(joint, "initial", 0.0))
        begin += _several(getattr(joint, "initial_speed", 0.0))
        if type(joint) in KINDS and any(tree.number(x) != 0.0 for x in begin):
            lost.append(f"joint '{joint.name}': URDF does not say where it starts.")
    for name, start in model.starts.items():
        given = start.quantities[0 if start.position is None else 3 :]
        if any(tree.number(x) != 0.0 for x in given):
            lost.append(f"body '{name}': URDF does not say how fast it starts.")
    for name in model.initial_formulas:
        lost.append(f"initial '{name}': URDF does not say how a robot starts.")
    for force in model.forces.values():
        if not isinstance(force, JointFriction) or force.joint.kind not in KINDS_WITH_DAMPING:
            lost.append(f"force '{force.name}' ({force.kind}): URDF has no such force.")
        elif force.static is not None:
            lost.append(f"force '{force.name}': URDF has no friction that changes.")
    lost += _of_contact(tree.model)
    for constraint in model.constraints:
        if not constraint.labels:
            lost.append(f"constraint '{constraint.name}': URDF has no formulas.")
    for point in model.points:
        lost.append(f"point '{point}': URDF has none to draw.")
    return lost


def _of_contact(model: Model) -> list[str]:
    lost: list[str] = []
    said = [m for shape in model.contact_shapes if (m := shape.material).stated()]
    for material in dict.fromkeys(said):
        lost.append(f"{material!r}: URDF has no materials of contact.")
    if len(model.contact_rules):
        lost.append("rules about pairs of shapes: URDF has none.")
    for one in model.unilaterals:
        lost.append(f"{one.kind} '{one.name}': URDF has no one-sided constraints.")
    return lost


def _several(given: Any) -> list[Any]:
    if isinstance(given, tuple):
        return list(given)
    return [given] if isinstance(given, int | float) or hasattr(given, "op") else []
