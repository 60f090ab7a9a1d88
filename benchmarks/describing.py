"""A catalog scene of contact as plain data, for programs that do not know this package.

Everybody gets the same bodies, shapes, hinges and servos from one description, which
`peers/contact_judge.py` reads. Joints are at their start, and their angles count from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from peers.contact_judge import matrix, quaternion

from dalembert.model.basics.quantity import value_of
from dalembert.model.forces.position_servo import PositionServo


def describe(model: Any, q: np.ndarray) -> dict[str, Any]:
    """The scene at `q`, places and quaternions of the centres; behind a body what it carries."""
    known = model.parameters

    def value(x: Any) -> float:
        return float(value_of(x, known) or 0.0)

    def values(x: Any) -> list[float]:
        return [value(one) for one in x]

    world = model.world.name
    above: dict[str, tuple[str | None, Any]] = {}
    for joint in model.joints.values():
        a, b = (frame.body.name for frame in joint.frames)
        if type(joint).__name__ != "Revolute" or b in above:
            raise ValueError(f"{joint.name}: only trees of hinges are described")
        above[b] = (None if a == world else a, joint)
    servos = {
        force.joint.name: (value(force.kp), value(force.kd))
        for force in model.forces.values()
        if isinstance(force, PositionServo)
    }
    states = dict(zip(model.bodies, np.asarray(q).reshape(-1, 7), strict=True))
    shapes: dict[str, list[dict[str, Any]]] = {}
    frictions = set()
    for shape in model.contact_shapes:
        frictions.add(value(shape.material.friction))
        shapes.setdefault(shape.body, []).append(
            {
                "kind": shape.kind,
                "sizes": values(shape.sizes),
                "position": values(shape.position),
                "quaternion": quaternion(shape.rotation.matrix).tolist(),
            }
        )
    (friction,) = frictions  # the programs combine two surfaces in different ways
    bodies: list[dict[str, Any]] = []
    placed: dict[str, int] = {}

    def add(label: str) -> None:
        parent, joint = above.get(label, (None, None))
        body = model.bodies[label]
        R, centre = matrix(states[label][3:]), np.array(values(body.inertia.center))
        frame = joint.frames[1] if joint is not None else None
        placed[label] = len(bodies)
        bodies.append(
            {
                "name": label,
                "mass": value(body.inertia.mass),
                "center": centre.tolist(),
                "inertia": [values(row) for row in body.inertia.matrix],
                "position": (states[label][:3] - R @ centre).tolist(),
                "quaternion": states[label][3:].tolist(),
                "shapes": shapes.get(label, []),
                "hinge": joint is not None,
                "parent": None if parent is None else placed[parent],
                "at": values(frame.offset) if frame is not None else None,
                "axis": frame.orientation.matrix[:, 2].tolist() if frame is not None else None,
                "servo": servos.get(joint.name) if joint is not None else None,
            }
        )
        for other, (carrier, _) in above.items():
            if carrier == label:
                add(other)

    for label in model.bodies:
        if above.get(label, (None, None))[0] is None:
            add(label)
    return {
        "name": model.name,
        "gravity": values(model.gravity),
        "friction": friction,
        "ground": shapes.get(world, []),
        # neighbours in the tree never touch; here nobody but the ground touches anybody
        "only_ground": any(
            not shape.group & shape.mask for shape in model.contact_shapes if not shape.is_fixed
        ),
        "bodies": bodies,
    }
