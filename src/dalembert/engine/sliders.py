"""Sliders of an engine: parameters, and the state it was asked to begin with."""

from __future__ import annotations

from typing import Any

from dalembert.engine.starts import free_parameters
from dalembert.engine.surface_laws import followed
from dalembert.simulation.prepare.initial_state import read_initial
from dalembert.simulation.session.session import Session
from dalembert.simulation.session.tunable import slipped
from dalembert.system.parameter_tables import table_stores, turned_rightly


def sliders_of(session: Session, system: Any, state: Any) -> list[dict[str, Any]]:
    """Parameters that can be turned: name, group, value, range, place among the parameters.

    `free` is the place among those that only the start holds.

    `restarts`: a drive follows it, and the run begins anew.
    """
    values = {name: session.model.parameters.get(name, 0.0) for name in system.parameter_names}
    named = [knob.name for knob in session.knobs if knob.name in values]
    good = set(turned_rightly(system, values, table_stores(system, state), named))
    contacts = session.present.setup.contacts
    if contacts is not None and named:
        good &= followed(contacts, session.present.setup.values, system, named)
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


def initial_of(session: Session, system: Any) -> dict[str, Any]:
    """The start that was asked for."""
    setup = session.present.setup
    q, v = setup.beginning.q, setup.beginning.v
    if not system.has_bodies:
        q, v = read_initial(session.model, session.initial)
    return {"q": [float(x) for x in q], "v": [float(x) for x in v]}
