"""Coordinates of the start that can be turned, and the ways along which the page moves there.

A model of formulas and a tree have them in their state. Bodies in maximal coordinates have those of
their joints, and those of bodies that no joint connects with the world: formulas of the state. In
the page the others follow: bodies are moved along the way of a coordinate and projected onto the
constraints until it has the value that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dalembert.engine.engine import Making
from dalembert.engine.watched_formulas import Binding
from dalembert.formulas import Expression, substitute, symbols
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import ZERO, constant
from dalembert.formulas.llvm_text import write_program
from dalembert.mechanics.motion import displace
from dalembert.model.basics.by_name import PARTS, formula_of, free_bodies, joint_names
from dalembert.simulation.motion.values import velocity_symbols
from dalembert.simulation.session.session import Session

MOST = 60
"""Coordinates of the start that can be turned."""


def turned_of(
    making: Making, session: Session, system: Any, checked: Any, trial: Any
) -> dict[str, Any]:
    """`turned`, entries of the start: kind (q or v), name, value, range, where the page finds them.

    `of` is "state" for numbers of q and v, "named" for results of the function of that name; `way`
    are velocities along which the coordinate changes: numbers of v, or of results. Results are
    coordinates, from `rates` on how fast they change, then ways.
    """
    run = session.present.run
    along = np.zeros(len(run.v))
    making.array("along", along)
    making.entry("displace", displace, checked, 1.0, along, trial[0])
    named = system.has_bodies and not run.in_joints
    entries = _of_bodies(making, session, system, checked) if named else _of_state(session, system)
    return {"turned": entries, "rates": len(entries) // 2}


def _of_state(session: Session, system: Any) -> list[dict[str, Any]]:
    """Coordinates that are numbers of the state; quaternions are left out."""
    start = session.present.setup.beginning
    quaternions = list(getattr(system, "quaternions", ()))
    skipped = {k + i for k, _ in quaternions for i in range(4)}
    entries = []
    for k, name in enumerate(system.coordinate_names):
        if k in skipped:
            continue
        # each quaternion before it has one number more than its velocities
        way = k - sum(k > first for first, _ in quaternions)
        entries.append(_entry("q", name, float(start.q[k]), "state", k, [way]))
    for k, name in enumerate(system.velocity_names):
        entries.append(_entry("v", name, float(start.v[k]), "state", k, [k]))
    return _few(entries)


def _few(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of each kind."""
    kinds = [[entry for entry in entries if entry["kind"] == kind][:MOST] for kind in "qv"]
    return [*kinds[0], *kinds[1]]


def _of_bodies(making: Making, session: Session, system: Any, checked: Any) -> list[dict[str, Any]]:
    """Coordinates of joints and of free bodies: a function of them, their rates and their ways."""
    model, start = session.model, session.present.setup.beginning
    found = list(_formulas(model))[:MOST]
    if not found:
        return []
    binding = Binding(model, system.parameter_names, checked.start_of("parameters"))
    velocities = velocity_symbols(model)
    rates = [formula.dot for _, formula in found]
    ways = [
        [(k, x) for k, x in enumerate(row) if not _is_zero(x)]
        for row in jacobian(rates, velocities)
    ]
    bound = binding.bound([*(x for _, x in found), *rates, *(x for way in ways for _, x in way)])
    if bound is None:
        return []
    making.array("named", np.zeros(len(bound)))
    stores = [("out", i, x) for i, x in enumerate(bound)]
    text = write_program("named", ["t", "q", "v", "out"], stores, binding.places)
    making.program.formulas("named", text)
    values = _values(session, binding, bound, start)
    entries, count, at = [], len(found), 2 * len(found)
    of_rates = []
    for k, ((name, _), way) in enumerate(zip(found, ways, strict=True)):
        places = [[at + i, v] for i, (v, _) in enumerate(way)]
        at += len(way)
        entries.append(_entry("q", name, values[k], "named", k, places))
        rate = values[count + k]
        of_rates.append(_entry("v", f"{name}.dot", rate, "named", count + k, places))
    return [*entries, *of_rates]


def _formulas(model: Any) -> Iterator[tuple[str, Expression]]:
    """Coordinates by name, angles in (-pi, pi]."""
    free = (f"{body}.{part}" for body in free_bodies(model) for part in PARTS)
    for name in (*joint_names(model), *free):
        formula = formula_of(model, name)
        if formula is None:
            continue
        turns = [leaf for leaf in symbols([formula], "coordinate") if leaf.name.endswith(":turns")]
        made = substitute([formula], dict.fromkeys(turns, ZERO))[0] if turns else formula
        if isinstance(made, Expression):
            yield name, made


def _is_zero(x: Any) -> bool:
    return x is ZERO or (isinstance(x, Expression) and x.op == "constant" and x.value == 0.0)


def _values(session: Session, binding: Binding, bound: Sequence[Any], start: Any) -> list[float]:
    """Values of the formulas at the start."""
    from dalembert.formulas import evaluate

    arrays = {"q": start.q, "v": start.v, "t": [start.t]}
    known = {}
    for leaf in symbols(bound, "coordinate", "velocity", "parameter", "time", "load"):
        where, k = binding.places[leaf]
        if where == "work":
            known[leaf] = session.model.parameters.get(leaf.name, leaf.value)
        elif where in arrays:
            known[leaf] = arrays[where][k or 0]
        else:
            known[leaf] = 0.0
    return [float(x) for x in evaluate([constant(0.0) + x for x in bound], known)]


def _entry(
    kind: str, name: str, value: float, of: str, index: int, way: list[Any]
) -> dict[str, Any]:
    part = name.removesuffix(".dot").rpartition(".")[2]
    turns = part.startswith("angle") or part in ("roll", "pitch", "yaw")
    reach = math.pi if turns and kind == "q" else max(1.0, 2.0 * abs(value))
    low, high = value - reach, value + reach
    if turns and kind == "q" and of == "named":
        low, high = (-0.5 * math.pi, 0.5 * math.pi) if part == "pitch" else (-math.pi, math.pi)
    return {
        "kind": kind,
        "name": name,
        "value": value,
        "low": low,
        "high": high,
        "of": of,
        "index": index,
        "way": way,
        "angle": turns and kind == "q" and of == "named",
    }
