"""Contacts of a run by name: which are closed, their laws, and the table of a phase."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert.contact.events.layout import (
    ACTIVE,
    HELD,
    IDLE,
    MOST,
    SERVO,
    SLIP,
    SMOOTH,
    SPLIT,
    STICK,
    Phase,
)
from dalembert.contact.run.record_layout import DRIVE, STOP, TANGENT
from dalembert.contact.run.run_layout import ContactRun
from dalembert.system.state_layout import State

Key = tuple[int, ...]
"""(row,) of a one-sided row, (shape, shape, feature) of two shapes; of their resistance to spin,
rolling or, where they are soft, sliding one of those below behind that."""

SPIN, ROLLING, SLIDING = 1, 2, 3

SLOW = 1e-10
"""Normal velocity that is none  [m/s]."""


@dataclass(eq=False)
class Candidate:
    """A contact that is closed, a resistance, a drive, a soft stop or contact that pushes.

    Attributes
    ----------
    first, dim : its rows
    mu, static : friction where it slides, where it sticks
    drive : whether it is no contact: nothing has to be closed, or struck
    begins : whether it has just begun to move, from rest
    toward : direction of sliding (dim - 1 entries)
    rim, held : direction to the point of a rim that is followed, if it is one; whether it stays
    turned : quarters of a turn by which the points of its rim are numbered from that on
    against : resistances to spin and to rolling, bounded by its force; `mu` is an arm over the size
        of the smallest shape, as their rows are of lengths. Of what is soft friction is one
    on_rim : whether it is one of a cylinder on a plane; None: nobody has looked (`rims`)
    """

    key: Key
    dim: int
    mu: float
    restitution: float
    static: float = 0.0
    drive: bool = False
    mode: int = IDLE
    first: int = 0
    begins: bool = False
    toward: np.ndarray = field(default_factory=lambda: np.zeros(2))
    rim: tuple[float, float] = (0.0, 0.0)
    held: bool = False
    turned: int = 0
    against: tuple[Candidate, ...] = ()
    on_rim: bool | None = field(default=None, compare=False)

    @property
    def resists(self) -> bool:
        """Whether it is a resistance to spin, rolling or sliding."""
        return len(self.key) in (2, 4)

    @property
    def owner(self) -> Key:
        """The key of the contact whose force bounds it; its own where it is none."""
        return self.key[:-1] if self.resists else self.key

    @property
    def acts_anywhere(self) -> bool:
        """Whether it acts wherever shapes are: a drive, a soft stop that pushes."""
        return self.drive and len(self.key) == 1

    @property
    def point(self) -> int:
        """Which of the points in which two shapes touch."""
        return int(self.key[2]) if len(self.key) >= 3 else 0

    def approaches(self, u: np.ndarray) -> bool:
        """Whether it does at these velocities of rows."""
        return bool(u[self.first] < -SLOW)

    @property
    def rows(self) -> slice:
        """Its rows."""
        return slice(self.first, self.first + self.dim)

    @property
    def tangents(self) -> slice:
        """Its rows but the normal, which a resistance has not."""
        return slice(self.first + self.dim - self.count, self.first + self.dim)

    @property
    def count(self) -> int:
        """How many tangents it has."""
        return self.dim if self.resists else self.dim - 1

    def copied(self) -> Candidate:
        """Another one like it, its resistances, too."""
        against = tuple(one.copied() for one in self.against)
        return replace(self, toward=self.toward.copy(), against=against)

    def renamed(self, key: Key) -> None:
        """Take another key, for its resistances, too."""
        self.key = key
        for one in self.against:
            one.key = (*key, one.key[-1])


def entries(contacts: list[Candidate]) -> list[Candidate]:
    """Contacts, each with its resistances behind it, as the table of a phase has them."""
    return [one for contact in contacts for one in (contact, *contact.against)]


class TooManyError(Exception):
    """More contacts are closed than a phase can hold."""


def drives_of(state: State, run: ContactRun) -> list[Candidate]:
    """Drives, brakes and dry friction, which act always."""
    found = []
    for row in range(state.sides):
        if run.side_law(row).law == DRIVE:
            drive = state.drive(row)
            soft = drive.gain > 0.0 or drive.rate_gain > 0.0
            found.append(Candidate((row,), 1, 0.0, 0.0, drive=True, mode=SERVO if soft else HELD))
    return found


def gives(law: Any) -> bool:
    """Whether a stop, or two surfaces, give way."""
    return bool(law.stiffness > 0.0 or law.frequency > 0.0)


def is_soft(state: State, run: ContactRun, row: int) -> bool:
    """Whether a guard is that of a one-sided row which is a stop with a spring."""
    return bool(row < state.sides and run.side_law(row).law == STOP and gives(state.stop(row)))


def is_rigid(state: State, run: ContactRun, row: int) -> bool:
    """Whether a one-sided row is a stop that nothing enters."""
    return bool(run.side_law(row).law == STOP and not is_soft(state, run, row))


def closed(
    state: State, run: ContactRun, gap: float, known: dict[Key, Candidate]
) -> list[Candidate]:
    """Stops and contacts with a gap of at most `gap` where the state was looked at last.

    Those of `known` keep their modes.
    """
    found = []
    for row in range(state.sides):
        if is_rigid(state, run, row) and state.side_phi[row] <= gap:
            stop = state.stop(row)
            count = tangents_of(state, run, row)
            mu = float(stop.friction)
            bounce, static = float(stop.restitution), float(stop.static)
            made = Candidate((row,), 1 + count if mu > 0 else 1, mu, bounce, static)
            found.append(known.get(made.key, made))
    for k in range(run.contacts):
        one = run.found(k)
        law = run.law(one.shape_a, one.shape_b)
        if one.gap <= gap and not gives(law):
            mu = float(law.friction)
            key = (int(one.shape_a), int(one.shape_b), int(one.key))
            bounce, static = float(law.restitution), float(law.static)
            against = resistances(key, law, Phase(state, state.method_scratch).size)
            made = Candidate(key, 3 if mu > 0 else 1, mu, bounce, static, against=against)
            found.append(known.get(key, made))
    if len(entries(found)) > MOST:
        raise TooManyError
    return found


def resistances(key: Key, law: Any, size: float) -> tuple[Candidate, ...]:
    """Resistances to spin and to rolling of two shapes."""
    arms = ((SPIN, float(law.spinning)), (ROLLING, float(law.rolling)))
    return tuple(Candidate((*key, dim), dim, arm / size, 0.0) for dim, arm in arms if arm > 0.0)


def still_there(contacts: list[Candidate], found: list[Candidate]) -> list[Candidate]:
    """Contacts that were handed over and are closed where a run begins, and drives.

    An action may have set coordinates, and a run may be put back where one of its samples is.
    Points of a pair of shapes go with it: those of rims have numbers of their own.
    """
    near = {one.key[:2] for one in found}
    return [one for one in contacts if one.drive or one.key[:2] in near]


def refresh(contacts: list[Candidate], found: list[Candidate]) -> None:
    """Laws of contacts that were handed over, as they are now."""
    laws = {one.key: one for one in found}
    for one in contacts:
        if one.key in laws:
            new = laws[one.key]
            one.mu, one.restitution, one.static = new.mu, new.restitution, new.static
            if [x.dim for x in one.against] != [x.dim for x in new.against]:
                one.against = new.against
            for old, other in zip(one.against, new.against, strict=True):
                old.mu = other.mu
            if one.dim != new.dim:
                one.dim, one.mode = new.dim, new.mode


def deepest(state: State, run: ContactRun) -> tuple[float, Key]:
    """Deepest penetration of rigid stops and contacts where the state was seen [m], and where.

    (0, ()) where there is none.
    """
    found: list[tuple[float, Key]] = [(0.0, ())]
    for k in range(run.contacts):
        one = run.found(k)
        if not gives(run.law(one.shape_a, one.shape_b)):
            found.append((-float(one.gap), (int(one.shape_a), int(one.shape_b), int(one.key))))
    for row in range(state.sides):
        if is_rigid(state, run, row):
            found.append((-float(state.side_phi[row]), (row,)))
    return max(found)


def tangents_of(state: State, run: ContactRun, row: int) -> int:
    """Rows behind a stop that are its tangents."""
    count = 0
    while row + count + 1 < state.sides and run.side_law(row + count + 1).law == TANGENT:
        count += 1
    return count


def write(phase: Phase, chosen: list[Candidate]) -> None:
    """The table of a phase; rows are given in its order."""
    table = entries(chosen)
    if len(table) > MOST:
        raise TooManyError
    row = owner = 0
    phase.table[: ACTIVE * len(table)] = 0.0
    for i, one in enumerate(table):
        place = phase.contact(i)
        one.first = row
        shapes = len(one.key) >= 3
        owner = owner if one.resists else i + 1
        place.owner = float(owner) if one.resists else 0.0
        place.slides = float(one.resists and one.key[-1] == SLIDING)
        place.side = -1.0 if shapes else one.key[0] + place.slides  # tangents are behind a stop
        if shapes:
            place.shape_a, place.shape_b = float(one.key[0]), float(one.key[1])
            place.feature_high, place.feature_low = map(float, divmod(one.key[2], SPLIT))
        place.mode, place.dim, place.first = float(one.mode), float(one.dim), float(row)
        place.mu, place.reserve = one.mu, max(0.0, one.static - one.mu)
        place.toward_1 = float(one.toward[0]) if one.count > 0 else 0.0
        place.toward_2 = float(one.toward[1]) if one.count > 1 else 0.0
        place.begins = float(one.begins)
        place.rim_1, place.rim_2, place.rim_held = *one.rim, float(one.held)
        row += one.dim
    phase.contact_count, phase.row_count = len(table), row


def name_of(one: Candidate, run: Any, names: Any) -> str:
    """The name of a contact for people."""
    if len(one.owner) == 1:
        return str(names["sides"][one.key[0]])
    a, b, _ = one.owner
    return f"{names['shapes'][a]} - {names['shapes'][b]}"


CLOSED_MODES = (SMOOTH, STICK, SLIP)

__all__ = [
    "Candidate",
    "Key",
    "TooManyError",
    "closed",
    "drives_of",
    "entries",
    "name_of",
    "refresh",
    "still_there",
    "write",
    "TANGENT",
]
