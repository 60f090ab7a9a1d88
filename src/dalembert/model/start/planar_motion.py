"""Bodies that turn about one direction only, or move in a plane: known from the joints alone.

A hinge, sleeve, thread or plane leaves one relative rotation, about the z axis of its frames; a
slider or a fixed joint leaves none. A body joined to the world through such joints, all along one
direction n, has w parallel to n for good, and n is fixed in the body too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.frame import WORLD

if TYPE_CHECKING:
    from dalembert.model.joints.joint import Joint

Array = npt.NDArray[np.float64]

PARALLEL = 1e-9
"""Sine of the angle between directions that count as parallel."""


Links = dict[str, list[tuple["Joint", int]]]
"""Name of a body -> the joints on it, and which of their two frames is the body's."""


def turning_axes(joints: Iterable[Joint]) -> dict[str, list[Array]]:
    """Name of a body -> directions, in body axes, to each of which its w is always parallel.

    Two directions mean that the body does not turn at all.
    """
    links = _links(joints)
    found: dict[str, list[Array]] = {}
    for direction in _directions(links.get(WORLD, [])):
        for name, axis in _reached(links, direction, keeps_direction).items():
            found.setdefault(name, []).append(axis)
    return found


def plane_of(joints: Iterable[Joint], bodies: Collection[str]) -> int:
    """The world axis (0, 1, 2) at right angles to which all bodies move and always will, or -1.

    All turn about that axis only, and none moves along it.
    """
    links = _links(joints)
    for axis in range(3):
        if bodies and _reached(links, np.eye(3)[axis], keeps_plane).keys() >= set(bodies):
            return axis
    return -1


def keeps_direction(joint: Joint, along: Array) -> bool:
    """Whether bodies joined turn about the direction `along`, in the joint's axes, only."""
    return joint.free_rotations == 0 or bool(np.hypot(along[0], along[1]) <= PARALLEL)


def keeps_plane(joint: Joint, along: Array) -> bool:
    """Whether they besides do not move apart along it."""
    if not keeps_direction(joint, along):
        return False
    if joint.free_translations == 1:
        # Along z, which is the axis of rotation if there is one.
        return bool(abs(along[2]) <= PARALLEL)
    # Two are those at right angles to z.
    return joint.free_translations == 0 or joint.free_rotations == 1


def _links(joints: Iterable[Joint]) -> Links:
    links: Links = {}
    for joint in joints:
        if joint.free_rotations <= 1 and len(joint.frames) == 2:
            for side, frame in enumerate(joint.frames):
                links.setdefault(frame.body.name, []).append((joint, side))
    return links


def _directions(grounded: list[tuple[Joint, int]]) -> list[Array]:
    """Axes of the joints on the world, and those of the world, each direction once."""
    axes = [joint.frames[side].orientation.matrix[:, 2] for joint, side in grounded]
    kept: list[Array] = []
    for axis in [*axes, *np.eye(3)]:
        if all(np.linalg.norm(np.cross(axis, other)) > PARALLEL for other in kept):
            kept.append(axis)
    return kept


def _reached(
    links: Links, direction: Array, keeps: Callable[[Joint, Array], bool]
) -> dict[str, Array]:
    """Bodies joined to the world by joints that keep a direction of it, which is, in their axes."""
    known, waiting = {WORLD: direction}, [WORLD]
    while waiting:
        name = waiting.pop()
        for joint, side in links.get(name, []):
            near, far = joint.frames[side], joint.frames[1 - side]
            # The same in both frames: what turns about it, or not at all, leaves it in place.
            along = near.orientation.matrix.T @ known[name]
            if far.body.name not in known and keeps(joint, along):
                known[far.body.name] = far.orientation.matrix @ along
                waiting.append(far.body.name)
    del known[WORLD]
    return known
