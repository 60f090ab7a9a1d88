"""The initial state of bodies, as the user gave it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.errors import ModelError, OptionError
from dalembert.formulas import Expression
from dalembert.model.check_bodies import given_bodies
from dalembert.model.rotation import Rotation

FRAME = ("x", "y", "z")
ANGLES = ("roll", "pitch", "yaw")


def read_body_state(model: Any, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q0, v0) from the model's own start and what was given for this run.

    Keys may be the state itself (``ship.qw``, ``ship.wz``), or position and angles of the body
    frame (``ship.x``, ``ship.pitch``), as names or as the body's own formulas.
    """
    names = [name for body in model.bodies.values() for name in body.state_names]
    speeds = [name for body in model.bodies.values() for name in body.velocity_names]
    q, v = np.zeros(len(names)), np.zeros(len(speeds))
    _write(model.initial, model, names, speeds, q, v)
    if given is None:
        return q, v
    if isinstance(given, Mapping):
        frames = _write(given, model, names, speeds, q, v)
        _write_frames(frames, model, q)
    else:
        q, v = _arrays(given, names, speeds)
    for b, name in enumerate(model.bodies):
        part = q[7 * b + 3 : 7 * b + 7]
        norm = float(np.linalg.norm(part))
        if not norm > 0.0:
            raise OptionError(
                f"initial: the quaternion of body {name!r} is zero. Give (1, 0, 0, 0) for no "
                "rotation."
            )
        part /= norm
    return q, v


def given_now(model: Any, given: Any) -> set[str]:
    """Bodies whose place is given, by the model or for this run; others follow their joints."""
    if given is not None and not isinstance(given, Mapping):
        return set(model.bodies)
    names = [_name_of(key, model) for key in given or ()]
    speeds = {name for body in model.bodies.values() for name in body.velocity_names}
    return given_bodies(model) | {
        name.rpartition(".")[0] for name in names if isinstance(name, str) and name not in speeds
    }


def _write(
    source: Mapping[Any, Any],
    model: Any,
    names: list[str],
    speeds: list[str],
    q: np.ndarray,
    v: np.ndarray,
) -> dict[str, float]:
    """Fill in the state; returns what was given of body frames."""
    frames: dict[str, float] = {}
    place = {name: i for i, name in enumerate(names)}
    speed = {name: k for k, name in enumerate(speeds)}
    of_frames = {f"{name}.{part}" for name in model.bodies for part in (*FRAME, *ANGLES)}
    for key, value in source.items():
        name = _name_of(key, model)
        if not isinstance(name, str):
            raise OptionError(
                f"initial: the key {key!r} is neither a coordinate nor a velocity nor a name. "
                "Write for example {crank.x: 1.0, 'crank.wy': 0.5}."
            )
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise OptionError(f"initial: {name!r} is {value!r}. Give a number.") from None
        if not np.isfinite(number):
            raise OptionError(f"initial: {name!r} is {number}. Give a finite number.")
        if name in place:
            q[place[name]] = number
        elif name in speed:
            v[speed[name]] = number
        elif name in of_frames:
            frames[name] = number
        else:
            known = [*names, *speeds, *sorted(of_frames)]
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ModelError(
                f"initial: model {model.name!r} has no coordinate or velocity {name!r}.{hint}"
                f" A body has for example {', '.join(names[:7])} and {', '.join(speeds[:6])}."
            )
    return frames


def _name_of(key: Any, model: Any) -> Any:
    """The name a key of `initial` stands for; what it is itself when it stands for none."""
    if not isinstance(key, Expression):
        return key
    if key.op in ("coordinate", "velocity"):
        return repr(key)
    for body in model.bodies.values():
        for part in (*FRAME, *ANGLES):
            if getattr(body, part) is key:
                return f"{body.name}.{part}"
    return key


def _write_frames(frames: Mapping[str, float], model: Any, q: np.ndarray) -> None:
    """Angles first: they carry the centre of mass around the frame's origin."""
    for b, body in enumerate(model.bodies.values()):
        mine = {
            k.rpartition(".")[2]: x for k, x in frames.items() if k.rpartition(".")[0] == body.name
        }
        if not mine:
            continue
        center = np.array([_value(c, model) for c in body.inertia.center])
        place, turn = q[7 * b : 7 * b + 3], q[7 * b + 3 : 7 * b + 7]
        origin = place - Rotation.from_quaternion(list(turn)).matrix @ center
        angles = dict(zip(ANGLES, Rotation.from_quaternion(list(turn)).roll_pitch_yaw, strict=True))
        angles |= {k: x for k, x in mine.items() if k in ANGLES}
        if any(k in ANGLES for k in mine):
            turn[:] = Rotation.from_roll_pitch_yaw(*angles.values()).quaternion
        for k, axis in enumerate(FRAME):
            origin[k] = mine.get(axis, origin[k])
        place[:] = origin + Rotation.from_quaternion(list(turn)).matrix @ center


def _value(quantity: Any, model: Any) -> float:
    from dalembert.model.quantity import value_of

    return value_of(quantity, model.parameters) or 0.0


def _arrays(given: Any, names: list[str], speeds: list[str]) -> tuple[np.ndarray, np.ndarray]:
    try:
        q, v = (np.array(part, dtype=float) for part in given)
    except (TypeError, ValueError):
        raise OptionError(
            "initial: give a dict {coordinate: value} or a pair of arrays (q0, v0)."
        ) from None
    for label, x, known in (("q0", q, names), ("v0", v, speeds)):
        if x.shape != (len(known),):
            raise OptionError(
                f"initial: {label} has shape {x.shape}, expected ({len(known)},): "
                f"{', '.join(known[:7])}, ..."
            )
        bad = np.flatnonzero(~np.isfinite(x))
        if bad.size:
            raise OptionError(
                f"initial: {label}[{bad[0]}] ({known[bad[0]]}) is {x[bad[0]]}. "
                "Give a finite number."
            )
    return q, v
