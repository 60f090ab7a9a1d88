"""Places that were given at the start, and where the constraints took them.

A place counts as given when somebody wrote it: `position` and `rotation` of a body, coordinates by
name, arrays of all of them. `initial` of a joint places bodies that were given no place, and is a
guess where a loop is closed. What is given is moved onto the constraints within the limit of every
start; moved by more than its digits may explain, it is told with both values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression
from dalembert.model.basics.by_name import PARTS, RATE
from dalembert.model.basics.rigid_body import ANGLE_NAMES, CENTER_NAMES, POSITION_NAMES
from dalembert.model.basics.rotation import Rotation, roll_pitch_yaw_of_matrix
from dalembert.model.start.given_names import is_of_joint
from dalembert.model.start.given_start import QUATERNION
from dalembert.model.start.placement import numbers
from dalembert.simulation.assembly.body_start import as_given, read_layer
from dalembert.simulation.prepare.asked_speeds import NOTED, Taken

Array = NDArray[np.float64]


def moved_places(model: Any, initial: Any, q0: Array, q: Array) -> list[Taken]:
    """Places that were given and that a start q does not have, the most changed first.

    `q0` is the start as it was read.
    """
    if model.is_maximal:
        found = _of_bodies(model, initial, q0, q)
    else:
        found = _of_coordinates(model, initial, q0, q)
    return [one for _, one in sorted(found, key=lambda pair: -pair[0])]


def sentence(one: Taken) -> str:
    """A place that was given and the one that was taken, in words."""
    return f"{one.name} was given as {one.asked:.6g}, the constraints leave {one.taken:.6g}"


def place_remedy(model: Any) -> str:
    """Remedy for places that do not meet the constraints."""
    if model.is_maximal:
        return (
            "Give a place that goes with the joints, which dl.assemble(model) finds, or leave it"
            " to them."
        )
    return "Give coordinates that meet the constraints."


# -- coordinates of formulas -----------------------------------------------------------------------


def _of_coordinates(model: Any, initial: Any, q0: Array, q: Array) -> list[tuple[float, Taken]]:
    names = [x.name for x in model.coordinates]
    given = _given_coordinates(model, initial)
    least = NOTED * (float(np.abs(q0).max(initial=0.0)) or 1.0)
    return [
        (abs(now - was) / least, Taken(name, float(was), float(now)))
        for name, was, now in zip(names, q0, q, strict=True)
        if name in given and abs(now - was) > least
    ]


def _given_coordinates(model: Any, initial: Any) -> set[str]:
    """Names of the coordinates that were given a value."""
    if initial is not None and not isinstance(initial, Mapping):
        return {x.name for x in model.coordinates}
    if not model.bodies:
        keys = [*model.initial, *(initial or {})]
        return {key.name if isinstance(key, Expression) else str(key) for key in keys}
    found = set(model.initial_numbers()) | set(read_layer(model, initial or {}))
    for name, start in model.starts.items():
        found |= {f"{name}.{part}" for part in _stated(start)}
    return found


def _stated(start: Any) -> Iterator[str]:
    """Parts of the place of a body that were given with it."""
    yield from POSITION_NAMES if start.position is not None else ()
    yield from ANGLE_NAMES if start.rotation is not None else ()


# -- bodies ----------------------------------------------------------------------------------------


def _of_bodies(model: Any, initial: Any, q0: Array, q: Array) -> list[tuple[float, Taken]]:
    given = _given_parts(model, initial)
    if not given:
        return []
    was = as_given(model, initial, q0)
    if float(np.abs(was - q).max()) <= 1e-9:
        return []
    least = NOTED * _size(model, was)
    found = []
    for b, (name, body) in enumerate(model.bodies.items()):
        before, after = was[7 * b : 7 * b + 7], q[7 * b : 7 * b + 7]
        if name not in given or np.array_equal(before, after):
            continue
        center = numbers(body.inertia.center, model.parameters)
        for part, a, c, weight in _parts(before, after, center, given[name], least):
            found.append((weight, Taken(f"{part} of body {name!r}", a, c)))
    return found


def _parts(
    before: Array, after: Array, center: Array, given: set[str], least: float
) -> Iterator[tuple[str, float, float, float]]:
    """(part, as given, as taken, how far over what is small) of one body."""
    R, S = (Rotation.from_quaternion(list(x[3:])).matrix for x in (before, after))
    at = {
        CENTER_NAMES: (before[:3], after[:3]),
        POSITION_NAMES: (before[:3] - R @ center, after[:3] - S @ center),
    }
    for names, (p, r) in at.items():
        for part, a, c in zip(names, p, r, strict=True):
            if part in given and abs(c - a) > least:
                yield part, float(a), float(c), abs(c - a) / least
    turn = math.acos(min(1.0, max(-1.0, (float(np.trace(R.T @ S)) - 1.0) / 2.0)))
    if turn > NOTED and not given.isdisjoint((*ANGLE_NAMES, *QUATERNION)):
        angles = zip(
            ANGLE_NAMES, roll_pitch_yaw_of_matrix(R), roll_pitch_yaw_of_matrix(S), strict=True
        )
        off = [(part, float(a), math.remainder(float(c - a), math.tau)) for part, a, c in angles]
        own = [one for one in off if one[0] in given] or off
        part, a, by = max(own, key=lambda one: abs(one[2]))
        if abs(by) > NOTED:
            yield part, a, a + by, abs(by) / NOTED


def _given_parts(model: Any, initial: Any) -> dict[str, set[str]]:
    """Parts of the places of bodies that were given: of the frame or of the state itself."""
    if initial is not None and not isinstance(initial, Mapping):
        return {name: {*CENTER_NAMES, *QUATERNION} for name in model.bodies}
    found = {
        name: parts
        for name, start in model.starts.items()
        if name in model.bodies and (parts := set(_stated(start)))
    }
    for name in (*model.initial_numbers(), *read_layer(model, initial or {})):
        owner, _, part = name.rpartition(".")
        if name.endswith(RATE) or owner not in model.bodies or is_of_joint(model, name):
            continue
        if part in (*PARTS, *CENTER_NAMES, *QUATERNION):
            parts = found.setdefault(owner, set())
            if part in CENTER_NAMES:
                parts -= set(POSITION_NAMES)  # the centre of mass is given now, not the origin
            parts.add(part)
    return found


def _size(model: Any, q: Array) -> float:
    """Size of a mechanism: how far its bodies are apart, or their joints from them  [m]."""
    centers = q.reshape(-1, 7)[:, :3]
    apart = float((centers.max(axis=0) - centers.min(axis=0)).max(initial=0.0))
    frames = [frame for joint in model.joints.values() for frame in joint.frames]
    arms = [
        float(np.linalg.norm(numbers(frame.offset, model.parameters)))
        for frame in frames
        if frame.body.name in model.bodies
    ]
    return max([apart, *arms]) or min(1.0, float(np.abs(centers).max(initial=0.0))) or 1.0
