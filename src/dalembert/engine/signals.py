"""Signals that an engine computes from the state: of joints, motors and bodies.

Those that are numbers of its arrays need no formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dalembert.engine import full_turns
from dalembert.errors import DalembertError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import (
    formula_of,
    free_bodies,
    joint_names,
    unit_of,
)
from dalembert.model.basics.rigid_body import ANGLE_NAMES
from dalembert.simulation.results.work import has_effort

MOST = 120
"""Signals of each kind that can be chosen from."""


class Signal(NamedTuple):
    """A curve: its formula is of the model's own coordinates."""

    name: str
    unit: str
    group: str
    formula: Expression


def signals_of(session: Any, known: set[str]) -> list[Signal]:
    """Signals of a model of bodies that are not known by their names already."""
    model = session.model
    if not model.is_maximal:
        return []
    found = list(_motors(session))[:MOST]
    moving: list[Signal] = []
    for name in [*joint_names(model), *_angles_of_free(model)]:
        for ending, group in (("", "coordinate"), (".dot", "velocity")):
            full = f"{name}{ending}"
            if full in known or len(moving) >= 2 * MOST:
                continue
            formula = formula_of(model, full)
            formula = None if formula is None else full_turns.of_joints(model, formula)
            if formula is not None:
                moving.append(Signal(full, unit_of(model, full), group, formula))
    return [*found, *moving]


def _angles_of_free(model: Any) -> Iterator[str]:
    for body in free_bodies(model):
        yield from (f"{body}.{part}" for part in ANGLE_NAMES)


def _motors(session: Any) -> Iterator[Signal]:
    """Torques and forces along joints; those that a run solves for are not formulas."""
    model = session.model
    contacts = session.present.setup.contacts
    solved = frozenset() if contacts is None else contacts.sides.replaced
    for name, force in model.forces.items():
        if name in solved or not has_effort(model, name):
            continue
        try:
            formula = full_turns.of_force(model, force, "effort")
        except (DalembertError, full_turns.UncountedError):
            continue
        if formula is not None:
            unit = "N m" if force.coordinate == "angle" else "N"
            yield Signal(f"{name}.effort", unit, "motor", formula)
