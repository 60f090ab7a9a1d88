"""The start of bodies where parts of it were given by name.

A body of which something was given stands there; what was not given of it comes from its joints.
Bodies that were given nothing follow: joints place them, at their own coordinates. So the base of
a robot is moved by ``trunk.z``, and its legs go with it as they are.

    trunk.x, y, z           origin of the body frame     trunk.x.dot ...
    trunk.roll, pitch, yaw  R = Rz Ry Rx                 trunk.roll.dot ...
    trunk.position, velocity, angular_velocity, rotation: several at once
    knee.angle              coordinate of a joint        knee.angle.dot
    trunk.center_x, qw, wx  entries of the state itself

What is given later (for a run) counts more than what was given earlier (with the model); of entries
of the state and of the frame given together those of the frame count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.basics.by_name import PARTS, RATE
from dalembert.model.basics.rigid_body import (
    ANGLE_NAMES,
    CENTER_NAMES,
    POSITION_NAMES,
    QuaternionBody,
)
from dalembert.model.basics.rotation import (
    Rotation,
    about,
    as_rotation,
    quaternion_of_matrix,
    roll_pitch_yaw_of_matrix,
)
from dalembert.model.start import placement
from dalembert.model.start.given_names import SPIN, bodies_given, is_of_joint
from dalembert.model.start.placement import Placed, Start
from dalembert.model.start.started import started

Array = npt.NDArray[np.float64]
Numbers = Mapping[str, float]

QUATERNION = ("qw", "qx", "qy", "qz")

VECTORS = {
    "position": POSITION_NAMES,
    "velocity": tuple(f"{part}{RATE}" for part in POSITION_NAMES),
    "angular_velocity": SPIN,
    "rotation": QUATERNION,
}
"""Names that stand for several at once."""


def expanded(model: Any, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """The given entries with one number each: ``trunk.position`` becomes ``trunk.x`` and others."""
    found: dict[Any, Any] = {}
    for key, value in given.items():
        owner, _, part = key.rpartition(".") if isinstance(key, str) else ("", "", "")
        body = model.bodies.get(owner)
        if body is None or part not in VECTORS:
            found[key] = value
            continue
        if part == "rotation":
            value = as_rotation(value)
            names: Sequence[str] = QUATERNION
            entries = [float(x) for x in value.quaternion]
            if not isinstance(body, QuaternionBody):
                names, entries = ANGLE_NAMES, [float(x) for x in value.roll_pitch_yaw]
        else:
            names = VECTORS[part]
            entries = list(value) if isinstance(value, tuple | list | np.ndarray) else [value]
        if len(entries) != len(names):
            raise ModelError(
                f"initial: '{key}' has {len(entries)} "
                f"{'entry' if len(entries) == 1 else 'entries'}. Give {len(names)} numbers."
            )
        found |= {f"{owner}.{name}": x for name, x in zip(names, entries, strict=True)}
    return found


def placed(model: Any, layers: Sequence[Numbers]) -> dict[str, Placed]:
    """Every body frame at the start; later layers count more."""
    joints = list(started(model, layers).joints.values())
    starts = dict(model.starts)
    parameters = model.parameters
    found = placement.place(model.bodies, starts, joints, parameters)
    names = {name for layer in layers for name in layer}
    moved = bodies_given(model, names)
    pushed = bodies_given(model, names, speeds=True)
    for name in model.bodies:
        if name not in moved and name not in pushed:
            continue
        at = _changed(model, name, found[name], layers)
        old = starts.get(name, Start())
        if name in moved:
            old = replace(old, position=tuple(map(float, at.p)), rotation=Rotation(at.R))
        if name in pushed:
            v, w = (tuple(map(float, x)) for x in (at.v, at.w))
            old = replace(old, velocity=v, angular_velocity=w, axes="world")
        starts[name] = old
        # those that hang on it follow, before parts of them are asked for
        if not _is_whole(model, name, names):
            found = placement.place(model.bodies, starts, joints, parameters)
    return placement.place(model.bodies, starts, joints, parameters) if moved | pushed else found


def _is_whole(model: Any, name: str, names: set[str]) -> bool:
    """Whether all of a body was given, so that nothing before it matters."""
    body = model.bodies[name]
    if not isinstance(body, QuaternionBody):
        return False
    return names.issuperset(body.state_names) and names.issuperset(body.velocity_names)


def _changed(model: Any, name: str, at: Placed, layers: Sequence[Numbers]) -> Placed:
    """A body where the layers put it, the rest of it where it was."""
    body = model.bodies[name]
    center = placement.numbers(body.inertia.center, model.parameters)
    for layer in layers:
        mine = {
            part: layer[f"{name}.{part}"]
            for part in (*PARTS, *QUATERNION, *CENTER_NAMES, *SPIN)
            if f"{name}.{part}" in layer
        }
        rates = {
            part: layer[f"{name}.{part}{RATE}"]
            for part in (*PARTS, *CENTER_NAMES)
            if f"{name}.{part}{RATE}" in layer
        }
        at = _turned(_moved(at, mine, center), {**mine, "rates": rates}, center)
    return at


def _moved(at: Placed, mine: Mapping[str, float], center: Array) -> Placed:
    """Orientation first: entries of the state leave the centre of mass, angles the origin."""
    p, R = at.p, at.R
    middle = p + R @ center
    if any(part in mine for part in QUATERNION):
        q = np.array(
            [mine.get(k, x) for k, x in zip(QUATERNION, quaternion_of_matrix(R), strict=True)]
        )
        if not np.any(q):
            q = np.array([1.0, 0.0, 0.0, 0.0])  # told where the state is made
        R = Rotation.from_quaternion(list(q / np.linalg.norm(q))).matrix
        p = middle - R @ center
    if any(part in mine for part in CENTER_NAMES):
        middle = np.array([mine.get(k, x) for k, x in zip(CENTER_NAMES, middle, strict=True)])
        p = middle - R @ center
    if any(part in mine for part in ANGLE_NAMES):
        angles = zip(ANGLE_NAMES, roll_pitch_yaw_of_matrix(R), strict=True)
        R = Rotation.from_roll_pitch_yaw(*[mine.get(k, x) for k, x in angles]).matrix
    p = np.array([mine.get(k, x) for k, x in zip(POSITION_NAMES, p, strict=True)])
    return Placed(p, R, at.v, at.w)


def _turned(at: Placed, mine: Mapping[str, Any], center: Array) -> Placed:
    """Velocities, at a pose that is known: those of turning first."""
    arm, rates = at.R @ center, mine["rates"]
    v, w = at.v, at.w
    if any(part in mine for part in SPIN):
        middle = v + np.cross(w, arm)
        w = np.array([mine.get(k, x) for k, x in zip(SPIN, w, strict=True)])
        v = middle - np.cross(w, arm)
    if any(part in rates for part in CENTER_NAMES):
        middle = v + np.cross(w, arm)
        middle = np.array([rates.get(k, x) for k, x in zip(CENTER_NAMES, middle, strict=True)])
        v = middle - np.cross(w, arm)
    if any(part in rates for part in ANGLE_NAMES):
        B = turning_axes(at.R)
        now = np.linalg.lstsq(B, w, rcond=None)[0]
        w = B @ np.array([rates.get(k, x) for k, x in zip(ANGLE_NAMES, now, strict=True)])
    v = np.array([rates.get(k, x) for k, x in zip(POSITION_NAMES, v, strict=True)])
    return Placed(at.p, at.R, v, w)


def turning_axes(R: Array) -> Array:
    """B with w = B (roll, pitch, yaw)': the columns are the axes turned about."""
    z = np.array([0.0, 0.0, 1.0])
    return np.column_stack([R[:, 0], about(z, roll_pitch_yaw_of_matrix(R)[2])[:, 1], z])


def exact(model: Any, layers: Sequence[Numbers]) -> dict[str, float]:
    """Entries of the state that were given as such and hold: to be taken to the bit."""
    found: dict[str, float] = {}
    for layer in layers:
        found |= {name: x for name, x in layer.items() if _is_state(model, name)}
        for name in layer:
            if _is_state(model, name) or is_of_joint(model, name):
                continue
            owner, _, part = name.removesuffix(RATE).rpartition(".")
            rate = RATE if name.endswith(RATE) else ""
            body = model.bodies[owner]
            for k in body.center_names:
                found.pop(f"{k}{rate}", None)
            if part in ANGLE_NAMES:
                for k in SPIN if rate else QUATERNION:
                    found.pop(f"{owner}.{k}", None)
    return found


def _is_state(model: Any, name: str) -> bool:
    body = model.bodies.get(name.removesuffix(RATE).rpartition(".")[0])
    if not isinstance(body, QuaternionBody):
        return body is not None and not is_of_joint(model, name)
    return name in body.state_names or name in body.velocity_names
