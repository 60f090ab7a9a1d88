"""The numbers of the links of a tree: one link for each joint, several for a compound one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.rotation import Rotation, axis_frame, unit_vector
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.screw import Screw
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal
from dalembert.model.start.states import from_center, number
from dalembert.system.tree_layout import (
    COMPOUND,
    CYLINDRICAL,
    FIXED,
    NUMBERS,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SCREW,
    SPHERICAL,
    UNIVERSAL,
    LinkData,
)

Array = npt.NDArray[np.float64]

KINDS: dict[type, int] = {
    Fixed: FIXED,
    Revolute: REVOLUTE,
    Prismatic: PRISMATIC,
    Screw: SCREW,
    Cylindrical: CYLINDRICAL,
    Universal: UNIVERSAL,
    Planar: PLANAR,
    Spherical: SPHERICAL,
    Compound: COMPOUND,
}
"""Joints that can carry a body of the tree."""

TURNING = {
    REVOLUTE: [2],
    SCREW: [2],
    CYLINDRICAL: [2],
    PLANAR: [2],
    UNIVERSAL: [0, 1],
    SPHERICAL: [0, 1, 2],
}
"""Axes of the joint's frames about which a body turns."""

RESISTS = 1e-12
"""Least moment of inertia, over the largest, that counts as one."""

HALF_TURN = np.diag([1.0, -1.0, -1.0])
"""About x: what turns z round without changing an angle's sign seen from the other side."""

ARMS = np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
"""x and y change places and signs: Ry(-b) Rx(-a) becomes Rx(b) Ry(a)."""

TURNS = {FIXED: np.eye(3), UNIVERSAL: ARMS, SPHERICAL: np.eye(3)}
"""How the frames of a joint seen from its second one are turned, where not by half a turn."""

Place = tuple[Array, Array]
"""Axes of a frame in those of its body, and its origin from the body's centre of mass."""

Links = list[tuple[int, Array]]
"""Kind and record of links, the last of which is the body."""

HERE: Place = (np.eye(3), np.zeros(3))


def turns_freely(joint: Any, parameters: Mapping[str, float]) -> bool:
    """True when one of the bodies, alone, does not resist turning about an axis of the joint."""
    about = TURNING.get(KINDS[type(joint)])
    if about is None:
        return False
    for frame in joint.frames:
        if frame.body.name == WORLD:
            continue
        theta = inertia_about(frame, parameters)
        axes = frame.orientation.matrix[:, about]
        moments = np.linalg.eigvalsh(axes.T @ theta @ axes)
        if not moments[0] > RESISTS * max(moments[-1], float(np.abs(theta).max())):
            return True
    return False


def inertia_about(frame: Any, parameters: Mapping[str, float]) -> Array:
    """Moments of inertia of the body of a frame about its origin, in axes of the body."""
    arm, inertia = from_center(frame, parameters), frame.body.inertia
    theta = np.array([[number(x, parameters) for x in row] for row in inertia.matrix])
    mass = number(inertia.mass, parameters)
    return np.asarray(theta + mass * ((arm @ arm) * np.eye(3) - np.outer(arm, arm)))


def links_of(
    joint: Any,
    kind: int,
    turned: bool,
    body: Any,
    parent_axes: Array,
    parameters: Mapping[str, float],
) -> tuple[Links, Array]:
    """The links that carry a body, and the rotation from the axes of the last to the body's.

    `parent_axes` is that rotation of the parent, `turned` says that the joint's first frame is on
    the body.
    """
    theta = np.array([[number(x, parameters) for x in row] for row in body.inertia.matrix])
    mass = number(body.inertia.mass, parameters)
    if joint is None:
        return [(kind, _record(HERE, HERE, parent_axes, mass, theta))], HERE[0]
    frames = joint.frames[::-1] if turned else joint.frames
    near, far = ((f.orientation.matrix, from_center(f, parameters)) for f in frames)
    if kind == COMPOUND:
        return _compound(joint, turned, near, far, parent_axes, (mass, theta))
    if turned:
        turn = TURNS.get(kind, HALF_TURN)
        near, far = (near[0] @ turn, near[1]), (far[0] @ turn, far[1])
    record = _record(near, far, parent_axes, mass, theta)
    if kind == SCREW:
        record[LinkData.span("pitch")] = number(joint.pitch, parameters) / (2.0 * np.pi)
    return [(kind, record)], far[0]


def _record(near: Place, far: Place, parent_axes: Array, mass: float, theta: Array) -> Array:
    """Numbers of a link whose joint frame is `near` on the parent and `far` on its body."""
    own, own_origin = far
    kinds = np.result_type(np.asarray(mass), theta, near[1], own_origin)  # formulas are objects
    record = np.zeros(NUMBERS, dtype=kinds)
    frame, inertia = parent_axes.T @ near[0], own.T @ theta @ own
    record[LinkData.span("frame_rotation")] = frame.ravel()
    record[LinkData.span("frame_origin")] = parent_axes.T @ near[1]
    record[LinkData.span("center")] = -own.T @ own_origin
    record[LinkData.span("mass")] = mass
    record[LinkData.span("theta")] = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    record[LinkData.span("frame_quaternion")] = Rotation(frame).quaternion
    record[LinkData.span("body_quaternion")] = Rotation(own.T).quaternion
    record[LinkData.span("body_rotation")] = own.T.ravel()
    return record


# -- compound joints -------------------------------------------------------------------------------


def compound_parts(joint: Any, turned: bool) -> tuple[str, ...]:
    """Names of the coordinates, from the parent to the child."""
    parts: tuple[str, ...] = joint.named_parts
    return parts[::-1] if turned else parts


def compound_axes(joint: Any) -> Array:
    """Directions of all slides, then hinges, in the first frame."""
    axes = [unit_vector(axis, "") for axis in (*joint.slides, *joint.hinges)]
    return np.array(axes).reshape(-1, 3)


def _compound(
    joint: Any,
    turned: bool,
    near: Place,
    far: Place,
    parent_axes: Array,
    inertia: tuple[float, Array],
) -> tuple[Links, Array]:
    """A link without mass after each slide and hinge but the last; at zero all axes coincide."""
    kinds = [PRISMATIC] * len(joint.slides) + [REVOLUTE] * len(joint.hinges)
    frames = [axis_frame(axis).matrix for axis in compound_axes(joint)]
    apart = np.array(joint.apart, dtype=float)
    if turned:
        kinds, apart = kinds[::-1], -apart
        frames = [frame @ HALF_TURN for frame in frames[::-1]]
    links: Links = []
    axes, place = parent_axes, near
    for k, (kind, frame) in enumerate(zip(kinds, frames, strict=True)):
        at = (place[0] @ frame, place[1])
        last = k == len(kinds) - 1
        own = (far[0] @ frame, far[1]) if last else (frame, np.zeros(3))
        mass, theta = inertia if last else (0.0, np.zeros((3, 3)))
        links.append((kind, _record(at, own, axes, mass, theta)))
        # On the next link the frame stands as before, or where the second hinge is.
        axes, place = own[0], (np.eye(3), apart)
    return links, axes
