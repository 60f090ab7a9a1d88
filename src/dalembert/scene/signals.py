"""Curves that go with a motion."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.model.basics.by_name import PARTS, free_bodies, joint_names, unit_of
from dalembert.model.joints.motion import Motion
from dalembert.scene.arrows import Arrows, between
from dalembert.scene.description import Array, Signal

MOST = 60
"""Coordinates that become curves; more cannot be chosen from."""

TINY = float(np.finfo(float).eps) / 50
"""Exact zeros on a logarithmic axis."""


def signals_of(
    solution: Any, t: Array, thinned: Any, arrows: Arrows
) -> tuple[tuple[Signal, ...], Array]:
    """Curves and their values (k, n) at the moments t."""
    found: list[tuple[Signal, Array]] = []

    def add(name: str, unit: str, group: str, series: Array, log: bool = False) -> None:
        found.append((Signal(name, unit, group, log), series))

    add("kinetic energy", "J", "energy", between(t, solution.t, solution.kinetic))
    if solution.energy is not None:
        add("potential energy", "J", "energy", between(t, solution.t, solution.potential))
        add("total energy", "J", "energy", between(t, solution.t, solution.energy))
        lost = np.abs(solution.energy - solution.energy[0])
        name = "energy error" if _conservative(solution) else "change of energy"
        floor = TINY * max(1.0, float(np.abs(solution.kinetic[0])))
        add(name, "J", "error", np.maximum(highest(t, solution.t, lost), floor), log=True)
    for label, block in (
        ("position drift |phi|", solution.phi),
        ("velocity drift |phi'|", solution.phi_dot),
    ):
        if block.shape[1]:
            largest = highest(t, solution.t, np.max(np.abs(block), axis=1))
            add(label, "", "drift", np.maximum(largest, TINY), log=True)
    for name, series in arrows.sizes.items():
        add(f"|{name}|", "N", "reaction", series)
    for name, unit, series in _efforts(thinned):
        add(name, unit, "motor", between(t, thinned.t, series))
    for name, unit, series in _coordinates(thinned):
        add(name, unit, "coordinate", between(t, thinned.t, series))
    values = np.stack([series for _, series in found], axis=1)
    return tuple(signal for signal, _ in found), values


def highest(t: Array, known: Array, series: Array) -> Array:
    """The largest value near each moment: a peak between two frames is not lost."""
    if len(known) <= len(t):
        return between(t, known, series)
    middles = (t[1:] + t[:-1]) / 2
    edges = np.concatenate([[0], np.searchsorted(known, middles), [len(known)]])
    made = np.empty(len(t))
    for i, (low, high) in enumerate(itertools.pairwise(edges)):
        low = min(int(low), len(known) - 1)
        made[i] = np.max(series[low : max(int(high), low + 1)])
    return made


def _efforts(solution: Any) -> list[tuple[str, str, Array]]:
    """Torques and forces of motors and servos along their joints, and what drives of them need."""
    model = solution.model
    found: list[tuple[str, str, Array]] = []
    if not model.is_maximal:
        return found
    of_drives = [n for n, joint in model.joints.items() if isinstance(joint, Motion)]
    for name in [*model.actuators, *of_drives][:MOST]:
        owner = model.joints[name] if name in of_drives else model.actuators[name]
        signal = f"{name}.{'force' if name in of_drives else 'effort'}"
        try:
            series = solution[signal]
        except DalembertError:
            continue
        if series.ndim == 1:
            turns = getattr(owner, "coordinate", "") == "angle"
            found.append((f"{name}.effort", "N m" if turns else "N", series))
    return found


def _coordinates(solution: Any) -> list[tuple[str, str, Array]]:
    """Coordinates of joints, and of bodies that hang on none; else the coordinates that move."""
    model = solution.model
    found: list[tuple[str, str, Array]] = []
    if model.is_maximal:
        of_frames = (f"{body}.{part}" for body in free_bodies(model) for part in PARTS)
        for name in itertools.islice(itertools.chain(joint_names(model), of_frames), MOST):
            try:
                found.append((name, unit_of(model, name), solution[name]))
            except DalembertError:
                continue
        return found
    for k, name in enumerate(solution.coordinate_names):
        series = solution.q[:, k]
        if len(found) < MOST and float(np.ptp(np.nan_to_num(series))) > 1e-12:
            found.append((name, "", series))
    return found


def _conservative(solution: Any) -> bool:
    """Whether the energy should stay what it is: no force takes any, and nothing touched."""
    contact = solution.statistics.get("contact")
    if contact is not None and contact.get("contact_steps") != 0:
        return False
    try:
        return bool(solution.model.conservative)
    except DalembertError:
        return False
