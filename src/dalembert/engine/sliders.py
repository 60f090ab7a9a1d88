"""Sliders of an engine: parameters, and the state it begins with."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from typing import Any

import numpy as np

from dalembert._memory import Memory
from dalembert.engine.starts import free_parameters
from dalembert.errors import DalembertError
from dalembert.simulation.prepare.contacts import tables_of
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.session.session import Session
from dalembert.simulation.session.tunable import slipped
from dalembert.system.parameter_tables import table_stores, turned_rightly

MOST = 24
"""Coordinates up to which those of the start can be turned."""


def knobs_of(session: Session, system: Any, state: Any) -> list[dict[str, Any]]:
    """Parameters that can be turned: name, group, value, range, place among the parameters.

    `free` is the place among those that only the start holds.

    `restarts`: a drive follows it, and the run begins anew.
    """
    values = {name: session.model.parameters.get(name, 0.0) for name in system.parameter_names}
    named = [knob.name for knob in session.knobs if knob.name in values]
    good = set(turned_rightly(system, values, table_stores(system, state), named))
    contacts = session.present.setup.contacts
    if contacts is not None and named:
        good &= _of_no_contact(contacts, session.present.setup.values, system, named)
    free = free_parameters(session, system.parameter_names)
    good |= set(free)
    return [
        {
            "name": knob.name,
            "group": knob.group,
            "value": knob.value,
            "low": knob.low,
            "high": knob.high,
            "index": None if knob.name in free else system.parameter_names.index(knob.name),
            "free": free.index(knob.name) if knob.name in free else None,
            "restarts": bool(slipped(session.model, 1.0, {knob.name: 1.1 * knob.value + 0.1})),
        }
        for knob in session.knobs
        if knob.name in good
    ]


def _of_no_contact(contacts: Any, given: Any, system: Any, names: list[str]) -> set[str]:
    """Parameters that no table of contact holds."""
    first = tables_of(contacts, system, given)
    good = set()
    for name in names:
        values = list(given)
        k = system.parameter_names.index(name)
        values[k] = 1.25 * values[k] if values[k] else 1.0
        with contextlib.suppress(DalembertError):  # a law that refuses the value holds it, too
            if _same(tables_of(contacts, system, values), first):
                good.add(name)
    return good


def _same(a: Any, b: Any) -> bool:
    """Whether two tables hold the same numbers."""
    if isinstance(a, np.ndarray):
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
    if isinstance(a, Memory):
        return _same((a.work, a.sizes), (b.work, b.sizes))
    if dataclasses.is_dataclass(a):
        names = [field.name for field in dataclasses.fields(a)]
        return all(_same(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def initial_of(session: Session, system: Any) -> dict[str, Any]:
    """The start that was asked for, and which of its numbers can be turned."""
    setup, run = session.present.setup, session.present.run
    q, v = setup.beginning.q, setup.beginning.v
    if not system.has_bodies:
        q, v = read_initial(session.model, session.initial)
    turned: list[dict[str, Any]] = []
    free = not system.has_bodies or run.in_joints
    if free and len(q) <= MOST:
        skipped = {k + i for k, _ in getattr(system, "quaternions", ()) for i in range(4)}
        for kind, names, numbers in (
            ("q", system.coordinate_names, setup.beginning.q),
            ("v", system.velocity_names, setup.beginning.v),
        ):
            for k, (name, value) in enumerate(zip(names, numbers, strict=True)):
                if kind == "q" and k in skipped:
                    continue
                reach = math.pi if "angle" in name else max(1.0, 2.0 * abs(float(value)))
                turned.append(
                    {
                        "kind": kind,
                        "index": k,
                        "name": name,
                        "value": float(value),
                        "low": float(value) - reach,
                        "high": float(value) + reach,
                    }
                )
    return {"q": [float(x) for x in q], "v": [float(x) for x in v], "turned": turned}
