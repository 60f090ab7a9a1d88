"""Plausibility of a model of bodies: what it can do, what holds it, whether its start closes."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import TIME
from dalembert.formulas.graph import symbols
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.reading import Findings
from dalembert.model.check.conflict import conflict
from dalembert.model.check.connections import connected, listed
from dalembert.model.check.massless import check_inertia
from dalembert.model.check.mobility import Mobility, mobility
from dalembert.model.check.redundancy_advice import relaxed
from dalembert.model.start.closing import Closed, Closing
from dalembert.model.start.given_names import bodies_given
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import States, body_values, turned_by

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


Array = npt.NDArray[np.float64]

LIMIT = 0.1
"""How far `simulate` moves a body with a given position by default: `initial_limit`."""

OPPOSED = 0.1
"""Difference of unit vectors from which on a closed joint is the wrong way round."""


@dataclass(frozen=True)
class Move:
    """How far a body is moved when the joints are closed  [m], [rad]."""

    distance: float
    angle: float


class BodyCheck(Findings):
    """Doubts about a model of bodies, as a list of sentences, and what they are drawn from.

    Attributes
    ----------
    mobility : Mobility or None     rank, degrees of freedom, redundant rows
    relax : list of str             ways to remove redundancy
    unconnected : list of lists     names of bodies not connected with the world
    open_by, open_row               largest residual at the start, and where
    moves : dict body -> Move       how far closing the joints moves bodies
    refused : bool                  whether `simulate` refuses the start, as it is too far off

    ``print(model.check())`` shows all of it.
    """

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.mobility: Mobility | None = None
        self.relax: list[str] = []
        self.unconnected: list[list[str]] = []
        self.open_by = 0.0
        self.open_row = ""
        self.moves: dict[str, Move] = {}
        self.refused = False  # whether `simulate` refuses the start
        self.shown: set[str] = set()  # sentences that `summary` has other lines for

    @property
    def degrees_of_freedom(self) -> int | None:
        """Independent velocities at ordinary positions."""
        return None if self.mobility is None else self.mobility.degrees_of_freedom

    @property
    def rank(self) -> int | None:
        """Independent rows at ordinary positions."""
        return None if self.mobility is None else self.mobility.rank

    @property
    def redundant(self) -> tuple[str, ...]:
        """Rows that repeat others, in words."""
        return () if self.mobility is None else tuple(map(str, self.mobility.redundant))

    def report(self) -> dict[str, Any]:
        """Everything found as plain values (what ``--json`` prints)."""
        seen = self.mobility
        return {
            "model": self.model.name,
            "bodies": list(self.model.bodies),
            "joints": list(self.model.joints),
            "rows": self.model.row_names,
            "rank": self.rank,
            "rank_at_start": None if seen is None else seen.start_rank,
            "degrees_of_freedom": self.degrees_of_freedom,
            "redundant": []
            if seen is None
            else [[x.row, list(x.fixed_by)] for x in seen.redundant],
            "remedies": self.relax,
            "unconnected": self.unconnected,
            "open_by": self.open_by,
            "open_row": self.open_row or None,
            "moves": {name: [x.distance, x.angle] for name, x in self.moves.items()},
            "start_refused": self.refused,
            "doubts": list(self),
        }

    def summary(self) -> str:
        """Everything found, as aligned lines."""
        from dalembert.model.check.report import summary

        return summary(self)

    def __str__(self) -> str:
        return self.summary()


def check_bodies(
    model: Model,
    initial: tuple[Array, Array] | None = None,
    given: Iterable[str] = (),
    asked: Mapping[str, float] | None = None,
) -> BodyCheck:
    """Look at a model of bodies at its start; errors are raised together.

    Parameters
    ----------
    initial : (q, v), another start
    given : bodies that are meant to be where they are in it
    asked : what was given of them by name
    """
    errors, found = Findings(), BodyCheck(model)
    q, v = start_of(model) if initial is None else initial
    rows = Rows(model)
    if not np.isfinite(q).all():
        errors.add("initial state", "is not finite with the current parameters. Check them.")
        errors.raise_if_any(f"model '{model.name}'")
    _check_forces(model, q, v, errors)
    if not _undefined(rows, q, v, errors):
        held = given_bodies(model) | set(given)
        closed = _check_start(model, rows, q, held, errors, found)
        if closed.is_closed:
            _check_mobility(model, rows, closed.q, errors, found)
            check_inertia(model, rows, closed.q, found)
            _check_places(model, q, closed.q, asked, found)
            _check_speeds(model, closed.q, v, asked, found)
    errors.raise_if_any(f"model '{model.name}'")
    _check_connections(model, found)
    strange = [name for name, body in model.bodies.items() if body.inertia.is_implausible]
    if strange:
        found.add(
            f"{'bodies' if len(strange) > 1 else 'body'} {listed(strange)}",
            "moments of inertia that no rigid body has: the largest exceeds the sum of the "
            "others. They are used as given; check them.",
        )
    return found


def start_of(model: Model) -> tuple[Array, Array]:
    """(q, v) of the model's own start."""
    values = model.initial
    bodies: list[Any] = list(model.bodies.values())
    q = [values[name] for body in bodies for name in body.state_names]
    v = [values[name] for body in bodies for name in body.velocity_names]
    q_array = np.array(q).reshape(-1, 7)
    q_array[:, 3:] /= np.linalg.norm(q_array[:, 3:], axis=1, keepdims=True)
    return q_array.ravel(), np.array(v)


# -- formulas -------------------------------------------------------------------------------------


def _undefined(rows: Rows, q: Array, v: Array, errors: Findings) -> bool:
    """Note rows that have no value at the start."""
    at = rows.at(0.0, q, v)
    bad = ~np.isfinite(at.phi_dot[0])
    bad[: rows.holonomic] |= ~np.isfinite(at.phi[0])
    for block in at.blocks:
        for mine, entries in zip(block.rows, block.entries, strict=True):
            bad[mine] |= ~np.isfinite(entries[0]).all(axis=1)
    for owner in dict.fromkeys(rows.owners[i] for i in np.flatnonzero(bad)):
        what = "joint" if owner in rows.model.joints else "constraint"
        errors.add(
            f"{what} '{owner}'", "is undefined at the initial state. Start where it is defined."
        )
    return bool(bad.any())


def _check_forces(model: Model, q: Array, v: Array, errors: Findings) -> None:
    """Note forces that have no value at the start."""
    states = States.of(0.0, q, v)
    place = {name: b for b, name in enumerate(model.bodies)}
    parameters = model.parameters
    for force in model.forces.values():
        loads, _ = force.evaluated()
        formulas = [x for pair in loads for part in pair for x in part]
        values: dict[Any, Any] = {TIME: 0.0}
        for leaf in symbols(formulas, "coordinate", "velocity", "parameter"):
            if leaf.op == "parameter":
                values[leaf] = parameters.get(leaf.name, leaf.value)
                continue
            name, _, part = leaf.name.partition(":")
            name = name if part else leaf.name.rpartition(".")[0]
            if part == "turns":
                values[leaf] = 0.0
            elif leaf not in values and name in place:
                values |= body_values(model.bodies[name], place[name], states)
        if not all(np.isfinite(x).all() for x in evaluate(formulas, values)):
            said = f"is undefined at the initial state{force.undefined}"
            errors.add(f"force '{force.name}'", said)


# -- start ----------------------------------------------------------------------------------------


def moved(model: Model, q: Array, other: Array) -> dict[str, Move]:
    """How far each body is moved."""
    u = turned_by(q, other).reshape(-1, 6)
    return {
        name: Move(float(np.linalg.norm(part[:3])), float(np.linalg.norm(part[3:])))
        for name, part in zip(model.bodies, u, strict=True)
    }


def given_bodies(model: Model) -> set[str]:
    """Bodies whose place at the start was given, not left to their joints."""
    placed = {name for name, start in model.starts.items() if start.is_placed}
    return placed | bodies_given(model, model.initial_formulas)


def _check_start(
    model: Model, rows: Rows, q: Array, held: set[str], errors: Findings, found: BodyCheck
) -> Closed:
    closing = Closing(rows)
    phi = np.abs(rows.residuals(0.0, q, np.zeros(rows.velocities))[0][0])
    if len(phi):
        found.open_by, found.open_row = float(phi.max()), rows.names[int(np.argmax(phi))]
    closed = closing.nearer(0.0, q, closing.close(0.0, q))
    if not closed.is_closed:
        errors.add("start", f"the joints do not close. {conflict(rows, None, 0.0, q, closed)}")
        return closed
    found.moves = moved(model, q, closed.q)
    aimed = closing.ways_round
    off = np.abs(aimed.residuals(0.0, closed.q, np.zeros(rows.velocities))[0][0])
    for name in dict.fromkeys(o for o, x in zip(aimed.owners, off, strict=True) if x > OPPOSED):
        found.add(
            f"joint '{name}'",
            "is closed the wrong way round: axes that should point the same way are opposed. Turn "
            "one of its frames, or start the body the other way.",
        )
    largest = max(1.0, float(np.abs(q).max(initial=0.0)))
    for name in [name for name in found.moves if name in held]:
        way = found.moves[name].distance
        if way > LIMIT * largest:
            found.refused = True
            found.add(
                f"body '{name}'",
                f"would have to move by {way:.3g} m to close the joints, more than simulate moves "
                "a body whose position was given. Give a closer position, leave it to the joints, "
                "raise initial_limit, or use dl.assemble.",
            )
    return closed


def _check_places(
    model: Model, q: Array, closed: Array, asked: Mapping[str, float] | None, found: BodyCheck
) -> None:
    """Note places that were given and that the joints do not leave, within what is refused."""
    if found.refused:
        return
    # what counts as given is decided by a folder above this one
    places = importlib.import_module("dalembert.simulation.prepare.given_places")
    moved = places.moved_places(model, asked, q, closed)
    if moved:
        told = "; ".join(places.sentence(one) for one in moved[:3])
        found.add("start", f"{told}. {places.place_remedy(model)}")


def _check_speeds(
    model: Model, q: Array, v: Array, asked: Mapping[str, float] | None, found: BodyCheck
) -> None:
    """Note speeds that were given and that the constraints do not leave."""
    # velocities are found by a folder above this one
    misplaced = importlib.import_module("dalembert.simulation.prepare.ignored_starts").misplaced
    for one in misplaced(model, asked, 0.0, q):
        found.add(
            "start",
            f"{one.name} is {one.asked:.6g}, but its bodies are placed where it is {one.taken:.6g}:"
            " it has no effect. Leave out the place of one of them, or initial.",
        )
    speeds = importlib.import_module("dalembert.simulation.prepare.asked_speeds").Speeds(
        model, asked, LIMIT
    )
    changed = speeds.at(0.0, q, v) if speeds.asked else []
    if not changed:
        return
    found.refused = found.refused or speeds.refusal(changed) is not None
    found.add("start", speeds.doubt(changed))


# -- what it can do -------------------------------------------------------------------------------


def _check_mobility(model: Model, rows: Rows, q: Array, errors: Findings, found: BodyCheck) -> None:
    seen = found.mobility = mobility(model, rows, q)
    errors += seen.contradictions
    before = len(found)
    found += [f"{part}." for part in seen.redundant]
    found.relax = relaxed(model, rows, seen)
    if found.relax:
        found.append(f"To remove the redundancy, {', or '.join(found.relax)}.")
    if seen.start_rank < seen.rank:
        found.append(
            f"At the start the rank is {seen.start_rank}, elsewhere {seen.rank}: a singular "
            "position. Motions may branch there; start beside it if that is not meant."
        )
    found.shown |= set(found[before:])
    if seen.redundancy and not seen.redundant:
        found.append(
            f"{seen.redundancy} of the {seen.rows} rows repeat others; the model is too large to "
            "name them."
        )


# -- connections ----------------------------------------------------------------------------------


def _check_connections(model: Model, found: BodyCheck) -> None:
    groups = connected(model)
    free = {shape.body for shape in model.contact_shapes}  # contact holds them, or nothing
    order = {name: k for k, name in enumerate(model.bodies)}
    found.unconnected = [
        sorted(g, key=order.__getitem__) for g in groups if WORLD not in g and not g & free
    ]
    if not any(WORLD in group and len(group) > 1 for group in groups):
        return  # nothing is: a model that floats
    for group in found.unconnected:
        what = "is" if len(group) == 1 else "are"
        found.add(
            f"{'bodies' if len(group) > 1 else 'body'} {listed(group)}",
            f"{what} connected with the world by no joint or constraint. Connect "
            f"{'them' if len(group) > 1 else 'it'} unless free motion is meant.",
        )
        found.shown.add(found[-1])
