"""One solution of all parts of a run.

Rows of constraints that do not act in a part: their multipliers are 0, as their forces; their
residuals are NaN, as nothing is asked of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from dalembert.contact.run.record_layout import REPORT_FLOATS
from dalembert.model.core.model import Model
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.controllers import Commands
from dalembert.simulation.results.contact_results import Touch
from dalembert.simulation.results.inactive import PARTS, part_of
from dalembert.simulation.results.recorded import EventRecord
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.status import Status
from dalembert.system.build import build

SUMS = (
    *("steps", "rejected", "evaluations", "factorisations", "refinements", "leaps"),
    *("wall_time", "cpu_time", "compile_time", "projections", "iterations", "undecided_steps"),
)


@dataclass(frozen=True)
class Piece:
    """The solution of a part.

    Attributes
    ----------
    first, stop : its first sample that counts, and the first that does no more; None: all do
    until : moment up to which its log and its events count; None: to its end
    log : entries of what was done at its end
    met : forces that reached their limits there
    """

    solution: Solution
    first: int = 0
    stop: int | None = None
    until: float | None = None
    log: tuple[Happening, ...] = ()
    met: tuple[EventRecord, ...] = ()


def joined(
    model: Model, pieces: Sequence[Piece], status: Status, said: Callable[[], str]
) -> Solution:
    """The solution of the whole run of a model with all its constraints."""
    system = build(model)
    parts = [piece.solution for piece in pieces]
    kept = [slice(piece.first, piece.stop) for piece in pieces]
    t = _moments(pieces)
    block: dict[str, Any] = {
        name: np.concatenate([getattr(s, name)[k] for s, k in zip(parts, kept, strict=True)])
        for name in ("q", "v", "a", "kinetic")
    }
    potential = None
    if all(s.potential is not None for s in parts):
        potential = np.concatenate(
            [np.asarray(s.potential)[k] for s, k in zip(parts, kept, strict=True)]
        )
    rows, held = tuple(system.row_names), system.extents.holonomic
    wide: dict[str, Any] = {
        name: np.concatenate(
            [
                _wide(getattr(s, name)[k], s.row_names, names, absent)
                for s, k in zip(parts, kept, strict=True)
            ]
        )
        for name, names, absent in (
            ("lam", rows, 0.0),
            ("phi", rows[:held], np.nan),
            ("phi_dot", rows, np.nan),
        )
    }
    return replace(
        parts[-1],
        t=t,
        **block,
        **wide,
        potential=potential,
        row_names=rows,
        constraint_slices=dict(system.constraint_slices),
        model=model,
        method=parts[0].method,
        integrator=parts[0].integrator,
        step=parts[0].step,
        events=tuple(event for piece in pieces for event in _events(piece)),
        status=status,
        message=said(),
        statistics=_statistics(pieces) | {PARTS: _parts(model, pieces)},
        worst=_worst(parts),
        initial_move=parts[0].initial_move,
        commands=_commands(parts),
        touch=_touch(pieces),
        angles=_angles(model, pieces),
    )


def _moments(pieces: Sequence[Piece]) -> np.ndarray:
    """Moments of all samples; the end of a part is the least time before the next one begins."""
    found: list[np.ndarray] = []
    for piece in pieces:
        t = piece.solution.t[piece.first : piece.stop].copy()
        if found and len(t) and len(found[-1]) and found[-1][-1] == t[0]:
            found[-1][-1] = np.nextafter(t[0], -np.inf)
        found.append(t)
    return np.concatenate(found)


def _wide(
    values: np.ndarray, names: Sequence[str], wanted: Sequence[str], absent: float
) -> np.ndarray:
    """Columns in the order of other names."""
    made = np.full((len(values), len(wanted)), absent)
    place = {name: k for k, name in enumerate(names[: values.shape[1]])}
    for k, name in enumerate(wanted):
        if name in place:
            made[:, k] = values[:, place[name]]
    return made


def _events(piece: Piece) -> list[Any]:
    last = np.inf if piece.until is None else piece.until
    return [*(event for event in piece.solution.events if event.t <= last), *piece.met]


def _statistics(pieces: Sequence[Piece]) -> dict[str, Any]:
    parts = [piece.solution.statistics for piece in pieces]
    made: dict[str, Any] = dict(parts[0])
    for name in SUMS:
        made[name] = sum(part.get(name, 0) for part in parts)
    made["end"] = parts[-1]["end"]
    made["every"] = parts[0]["every"]
    log: list[list[Any]] = []
    for piece in pieces:
        last = np.inf if piece.until is None else piece.until
        log += [row for row in piece.solution.statistics.get("log", ()) if row[0] <= last]
        log += [list(astuple(one)) for one in piece.log]
    made["log"] = log
    made["actions"] = sum(len(piece.log) for piece in pieces)
    touched = [part["contact"] for part in parts if "contact" in part]
    if touched:
        made["contact"] = _largest(touched)
    return made


def _parts(model: Model, pieces: Sequence[Piece]) -> list[list[Any]]:
    """Where each part begins among all samples, and what is different there."""
    found, first = [], 0
    for piece in pieces:
        found.append(part_of(first, piece.solution.model, model))
        first += len(piece.solution.t[piece.first : piece.stop])
    return found


def _largest(tables: Sequence[Any]) -> dict[str, Any]:
    """The largest of numbers by name."""
    made = dict(tables[0])
    for table in tables[1:]:
        for name, value in table.items():
            old = made.get(name)
            if isinstance(value, int | float) and isinstance(old, int | float):
                made[name] = max(old, value)
            elif old is None:
                made[name] = value
    return made


def _worst(parts: Sequence[Solution]) -> dict[str, Any]:
    """The worst violation of all parts."""
    made = dict(parts[0].worst)
    for part in parts[1:]:
        for level in ("phi", "phi_dot"):
            if part.worst[level] > made[level]:
                made |= {key: part.worst[key] for key in (level, f"{level}_row", f"{level}_size")}
    return made


def _commands(parts: Sequence[Solution]) -> Commands | None:
    found = [part.commands for part in parts if part.commands is not None]
    if not found or any(one.names != found[0].names for one in found):
        return None
    return Commands(
        found[0].names,
        np.concatenate([one.t for one in found]),
        np.concatenate([one.values for one in found]),
    )


def _angles(model: Model, pieces: Sequence[Piece]) -> np.ndarray | None:
    """Angles of hinges; None where some are not followed all the time."""
    if any(len(hinges_of(p.solution.model)) != len(hinges_of(model)) for p in pieces):
        return None
    found = [piece.solution.angles for piece in pieces]
    if any(angles is None for angles in found):
        return None
    return np.concatenate(
        [np.asarray(a)[p.first : p.stop] for a, p in zip(found, pieces, strict=True)]
    )


def _touch(pieces: Sequence[Piece]) -> Touch | None:
    """Contacts of all parts; one-sided rows that are not there carry nothing."""
    known = [piece.solution.touch for piece in pieces if piece.solution.touch is not None]
    if not known:
        return None
    whole = max(known, key=lambda one: len(one.sides))
    sides = [*whole.sides]
    elements = [*whole.elements]
    for one in known:
        for name, element in zip(one.sides, one.elements, strict=True):
            if name not in sides:
                sides.append(name)
                elements.append(element)
    logs, place = [], 0
    for piece in pieces:
        count = len(piece.solution.t[piece.first : piece.stop])
        touch = piece.solution.touch
        if touch is not None:
            log = touch.log.between(piece.first, piece.first + count).shifted(place)
            head = log.steps[:, : 1 + REPORT_FLOATS]
            forces = log.steps[:, 1 + REPORT_FLOATS : 1 + REPORT_FLOATS + len(touch.sides)]
            steps = np.hstack([head, _wide(forces, touch.sides, sides, 0.0)])
            logs.append(ContactLog(steps, log.contacts))
        place += count
    log = ContactLog.joined(logs)
    return replace(
        whole, sides=tuple(sides), elements=tuple(elements), log=log, samples=place, velocities=0
    )
