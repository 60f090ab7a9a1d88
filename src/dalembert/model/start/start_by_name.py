"""The start of bodies as values of the state, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.basics.rigid_body import ANGLE_NAMES, POSITION_NAMES, QuaternionBody
from dalembert.model.basics.rotation import quaternion_of_matrix, roll_pitch_yaw_of_matrix
from dalembert.model.start import given_start, placement
from dalembert.model.start.placement import Placed

EPS = float(np.finfo(float).eps)


def start_by_name(model: Any, layers: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The state at the start by name, with what layers of names give; later ones count more."""
    placed = given_start.placed(model, layers)
    exact = given_start.exact(model, layers)
    if not model.is_maximal:
        return _with_angles(placed) | exact
    return _normalised(model, _with_quaternions(model, placed) | exact, exact)


def _with_quaternions(model: Any, placed: Mapping[str, Placed]) -> dict[str, float]:
    """Centres, quaternions and velocities of bodies by the names of their state."""
    found: dict[str, float] = {}
    parameters, bodies = model.parameters, model.bodies
    for name, at in placed.items():
        body, p, R, v, w = bodies[name], at.p, at.R, at.v, at.w
        assert isinstance(body, QuaternionBody)
        if not body.is_centered:
            arm = R @ placement.numbers(body.inertia.center, parameters)
            p, v = p + arm, v + np.cross(w, arm)
        state = [*p, *quaternion_of_matrix(R)]
        found |= zip(body.state_names, map(float, state), strict=True)
        found |= zip(body.velocity_names, map(float, [*v, *w]), strict=True)
    return found


def _normalised(model: Any, state: dict[str, float], given: Mapping[str, Any]) -> dict[str, float]:
    """The state with unit quaternions, whatever was set."""
    for body in model.bodies.values():
        names = body.state_names[3:] if isinstance(body, QuaternionBody) else ()
        if not any(name in given for name in names):
            continue
        q = np.array([state[name] for name in names])
        length = float(np.sqrt(q @ q))
        if length == 0.0:
            raise ModelError(
                f"model '{model.name}': initial '{names[0]}': the quaternion of body "
                f"'{body.name}' is zero. Set all four of its entries."
            )
        state |= zip(names, map(float, q / length), strict=True)
    return state


def _with_angles(placed: Mapping[str, Placed]) -> dict[str, float]:
    """Positions, angles and their rates by name; what is zero is left out."""
    found: dict[str, float] = {}
    for name, at in placed.items():
        rates = np.linalg.lstsq(given_start.turning_axes(at.R), at.w, rcond=None)[0]
        rates[np.abs(rates) <= 8 * EPS * np.linalg.norm(rates)] = 0.0  # rounding of zero
        parts = (*POSITION_NAMES, *ANGLE_NAMES)
        values = zip(parts, (*at.p, *roll_pitch_yaw_of_matrix(at.R)), strict=True)
        found |= {f"{name}.{part}": float(x) for part, x in values if x != 0.0}
        speeds = zip(parts, (*at.v, *rates), strict=True)
        found |= {f"{name}.{part}.dot": float(x) for part, x in speeds if x != 0.0}
    return found
