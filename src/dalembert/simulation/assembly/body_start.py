"""The initial state of bodies, as the user gave it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import ModelError, OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import name_of
from dalembert.model.check.bodies import given_bodies
from dalembert.model.start.given_names import StartNames, bodies_given
from dalembert.model.start.given_start import expanded
from dalembert.model.start.started import started
from dalembert.simulation.assembly.asked_places import with_asked


def read_body_state(model: Any, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q0, v0) from the model's own start and what was given for this run.

    Keys may be the state itself (``ship.qw``, ``ship.wz``), position and angles of the body frame
    (``ship.x``, ``ship.pitch``), or coordinates of joints (``rudder.angle``), as names or as
    formulas (`model.start.given_start`).
    """
    names = [name for body in model.bodies.values() for name in body.state_names]
    speeds = [name for body in model.bodies.values() for name in body.velocity_names]
    if given is not None and not isinstance(given, Mapping):
        q, v = _arrays(given, names, speeds)
        return _with_units(model, q), v
    layers = _layers(model, given)
    q, v = _stated(model, layers, names, speeds)
    return with_asked(model, layers, q), v


def asked_angles(model: Any, given: Any) -> dict[Expression, float]:
    """Angles of joints that were asked for, turns included, by the angle in (-pi, pi]."""
    if given is not None and not isinstance(given, Mapping):
        return dict(getattr(given, "angles", None) or {})  # of an assembly, an equilibrium
    return started(model, _layers(model, given)).angles(model.parameters)


def as_given(model: Any, given: Any, q: np.ndarray) -> np.ndarray:
    """The configuration as it was given, before loops are closed; q is the one that was read."""
    if given is not None and not isinstance(given, Mapping):
        return q
    layers = _layers(model, given)
    if not any(layers):
        return q
    names = [name for body in model.bodies.values() for name in body.state_names]
    return _stated(model, layers, names, [])[0]


def _layers(model: Any, given: Any) -> list[dict[str, float]]:
    return [model.initial_numbers(), read_layer(model, given or {})]


def _stated(
    model: Any, layers: Sequence[Mapping[str, float]], names: list[str], speeds: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    """State of bodies as their starts, joints and the layers put them."""
    state = model.start_by_name(layers)
    q = np.array([state[name] for name in names])
    v = np.array([state[name] for name in speeds])
    return _with_units(model, q) if layers[1] else q, v


def given_now(model: Any, given: Any) -> set[str]:
    """Bodies whose place is given, by the model or for this run; others follow their joints."""
    if given is not None and not isinstance(given, Mapping):
        return set(model.bodies)
    return given_bodies(model) | bodies_given(model, read_layer(model, given or {}))


def read_layer(model: Any, given: Mapping[Any, Any]) -> dict[str, float]:
    """Numbers by name, of what was given for a run."""
    found: dict[str, float] = {}
    known = StartNames(model)
    named = {_name_of(key, model): value for key, value in given.items()}
    for name, value in expanded(model, named).items():
        if not isinstance(name, str):
            raise OptionError(
                f"initial: the key {name!r} is neither a coordinate nor a velocity nor a name. "
                "Write for example {crank.x: 1.0, 'crank.wy': 0.5}."
            )
        if name not in known:
            raise ModelError(_unknown(model, name, known))
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise OptionError(f"initial: {name!r} is {value!r}. Give a number.") from None
        if not np.isfinite(number):
            raise OptionError(f"initial: {name!r} is {number}. Give a finite number.")
        found[name] = number
    return found


def _unknown(model: Any, name: str, known: StartNames) -> str:
    """A sentence on a name that nothing has, with the nearest, and with what there is."""
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    body = next(iter(model.bodies))
    some = [f"{body}.{part}" for part in ("x", "roll", "position", "x.dot", "wx")]
    parts = [f"{n}.{p}" for n, joint in model.joints.items() for p in joint.named_parts][:1]
    of_joints = f", a joint {parts[0]} and {parts[0]}.dot" if parts else ""
    return (
        f"initial: model {model.name!r} has no coordinate or velocity {name!r}.{hint}"
        f" A body has for example {', '.join(some)}{of_joints}."
    )


def _name_of(key: Any, model: Any) -> Any:
    """The name a key of `initial` stands for; what it is itself when it stands for none."""
    if not isinstance(key, Expression):
        return key
    found = name_of(model, key)
    return key if found is None else found


def _with_units(model: Any, q: np.ndarray) -> np.ndarray:
    """The coordinates with unit quaternions."""
    for b, name in enumerate(model.bodies):
        part = q[7 * b + 3 : 7 * b + 7]
        norm = float(np.linalg.norm(part))
        if not norm > 0.0:
            raise OptionError(
                f"initial: the quaternion of body {name!r} is zero. Give (1, 0, 0, 0) for no "
                "rotation."
            )
        part /= norm
    return q


def refuse_flat(given: Any, names: Sequence[str]) -> None:
    """Refuse a plain list of numbers: coordinates and velocities are two arrays, or have names."""
    if not isinstance(given, list | tuple | np.ndarray) or not len(given):
        return
    if all(isinstance(x, int | float | np.number) for x in given):
        shown = ", ".join(f"{x:g}" for x in list(given)[:4]) + (", ..." if len(given) > 4 else "")
        pairs = ", ".join(f"{n!r}: {x:g}" for n, x in zip(names[:2], given, strict=False))
        raise OptionError(
            f"initial: [{shown}] is a plain list, and does not say what the numbers are. Name "
            f"them, initial={{{pairs}}}, or give two arrays, coordinates and velocities, "
            "initial=(q0, v0)."
        )


def _arrays(given: Any, names: list[str], speeds: list[str]) -> tuple[np.ndarray, np.ndarray]:
    refuse_flat(given, names)
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
                f"{', '.join(known[:7])}, ... States of joints, those of dl.rollout and dl.Tree, "
                "become states of bodies by dl.Tree(model).to_bodies(q, v)."
            )
        bad = np.flatnonzero(~np.isfinite(x))
        if bad.size:
            raise OptionError(
                f"initial: {label}[{bad[0]}] ({known[bad[0]]}) is {x[bad[0]]}. "
                "Give a finite number."
            )
    return q, v
