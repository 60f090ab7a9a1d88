"""The hand in an engine: where the arrays of a run hold what is pulled, and how strongly."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.engine.watched_formulas import Binding
from dalembert.formulas.llvm_text import write_program
from dalembert.model.start.states import number
from dalembert.simulation.session.pull import PREFIX, STABLE, SWIFTNESS, BodyPull
from dalembert.simulation.session.session import Session
from dalembert.system.kinds import FRAME_DATA


def pull_of(making: Making, session: Session, system: Any, state: Any) -> dict[str, Any] | None:
    """Places of the hand; None where nothing can be pulled."""
    hand = session.hand
    if not hand.names:
        return None
    made = {"swift": SWIFTNESS, "stable": STABLE, "names": list(hand.names)}
    if isinstance(hand, BodyPull):
        return made | _of_bodies(session, system, state)
    return made | _of_points(making, session, system, state)


def places_of(session: Session, system: Any, state: Any) -> dict[str, Any]:
    """Where the arrays of a state hold which body is pulled and how, or parameters of the hand."""
    hand = session.hand
    if not isinstance(hand, BodyPull):
        found = enumerate(system.parameter_names)
        return {n.removeprefix(PREFIX): k for k, n in found if n.startswith(PREFIX)}
    index = next(k for k, a in enumerate(system.parts.actions) if a.name == hand.element)
    before = state.sizes.copy()
    action = state.action(index)
    held = action.b
    action.b = held + 1
    slot = int(np.flatnonzero(state.sizes != before)[0])
    action.b = held
    record = state.start_of("element_data") + system.parts.actions[index].start
    return {"slot": slot, "record": record}


def _of_bodies(session: Session, system: Any, state: Any) -> dict[str, Any]:
    """Where the bushing of the hand stands; masses, centres, and axes without inertia."""
    hand, model = session.hand, session.model
    bodies = [model.bodies[name] for name in hand.names]
    centers = [[number(x, model.parameters) for x in body.inertia.center] for body in bodies]
    probes = [c + np.array(axis) for c in map(np.array, centers) for axis in np.eye(3)]
    # how much of a way from the centre is left when only places are held that resist
    kept = [
        [
            [float(x) for x in hand.reachable(model, {name: 1.0}, probe) - centers[b]]
            for probe in probes[3 * b : 3 * b + 3]
        ]
        for b, name in enumerate(hand.names)
    ]
    return {
        "kind": "body",
        "running": places_of(session, system, state),
        "frame": FRAME_DATA,
        "masses": [number(body.inertia.mass, model.parameters) for body in bodies],
        "centers": centers,
        "kept": kept,
    }


def _of_points(making: Making, session: Session, system: Any, state: Any) -> dict[str, Any]:
    """Parameters of the hand, and the function of what a point weighs: slopes, and M."""
    hand, names = session.hand, list(system.parameter_names)
    first = state.start_of("parameters")
    binding = Binding(hand.model, names, first)
    n = len(hand.model.coordinates)
    mass = [x for row in system.equations.mass for x in row]
    formulas = binding.bound([*hand.point, *(x for row in hand.slopes for x in row), *mass])
    assert formulas is not None
    making.array("grip", np.zeros(len(formulas)))
    stores = [("out", i, x) for i, x in enumerate(formulas)]
    text = write_program("grip", ["t", "q", "v", "out"], stores, binding.places)
    making.program.formulas("grip", text)
    running = places_of(session, system, state)
    return {"kind": "point", "coordinates": n, "running": running}
