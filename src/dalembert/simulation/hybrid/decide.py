"""Which contacts carry a force from here on, and how: the problem at acceleration level.

    0 <= lam_n  |  u_n' >= 0         closed contacts whose normal velocity is zero
    stick:  u_t' = 0, |lam_t| <= mu lam_n       slip:  lam_t = -mu lam_n d        (contact 20)

and the same of resistances to spin and to rolling, with the lam_n of the contact before them. There
d is the direction of sliding, or of its beginning, u_t', where nothing slides yet. Modes are
taken, solved, and those that a law contradicts are changed, the worst first; where that goes in
circles all are tried. A problem without an answer is Painleve's: `decide` returns None.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace

import numpy as np

from dalembert.contact.events.layout import (
    AT_LEAST,
    AT_MOST,
    HELD,
    IDLE,
    LOCKED,
    PRESSED,
    SERVO,
    SLIP,
    SMOOTH,
    STICK,
    TURNING,
)
from dalembert.simulation.hybrid.beginning import direction_of
from dalembert.simulation.hybrid.bounded import MOVING, moving, pushes_of, resting, with_owners
from dalembert.simulation.hybrid.candidates import Candidate, Key
from dalembert.simulation.hybrid.islands import islands_of
from dalembert.simulation.hybrid.shared_load import shared_load

ROUNDS, DIRECTIONS, ENUMERATED = 60, 200, 3**6
"""Changes of modes; iterations of a direction; combinations of modes that are all tried."""

GIVEN = (SERVO, PRESSED)
"""Modes whose forces are part of the accelerations without forces."""

SAME = 1e-9
"""Part of the largest force, or acceleration, that is none."""

SINGULAR = 1e-9
"""Part of the largest singular value below which a direction is none."""


@dataclass
class Laws:
    """The problem: W, accelerations without forces, velocities, bounds of drives."""

    W: np.ndarray
    free: np.ndarray
    u: np.ndarray
    bounds: dict[int, tuple[float, float, float]]
    """Row of a drive -> least and largest force, target speed."""
    last: np.ndarray
    at_rest: float
    """Speed that is none."""
    least: float = 0.0
    """Accelerations are not told apart by parts of less than this: bodies fall together."""
    rows: list[int] | None = None
    """Rows whose sizes count; all."""
    pressed: dict[int, float] = field(default_factory=dict)
    """Row of what is soft -> its force, which is part of `free`."""

    def __post_init__(self) -> None:
        rows = slice(None) if self.rows is None else self.rows
        self.a_scale = float(np.max(np.abs(self.free[rows]), initial=self.least)) or 1.0
        own = np.diag(self.W)[rows]
        least = np.min(own[own > 0], initial=np.inf)
        self.f_scale = self.a_scale / least if np.isfinite(least) else self.a_scale

    def with_pressed(self, force: np.ndarray) -> np.ndarray:
        """Forces, and those that are part of `free`."""
        found = force.copy()
        for row, push in self.pressed.items():
            found[row] += push
        return found

    def slides(self, one: Candidate) -> bool:
        """Whether a contact slides now."""
        return one.count > 0 and bool(np.linalg.norm(self.u[one.tangents]) > self.at_rest)

    def begins(self, one: Candidate, mode: int) -> bool:
        """Whether a contact or a drive of this mode moves, and does so from rest."""
        if mode in (AT_LEAST, AT_MOST):
            return bool(abs(self.u[one.first] - self.bounds[one.first][2]) <= self.at_rest)
        return mode in MOVING and not self.slides(one)


@dataclass
class Answer:
    """Forces, accelerations, and the modes they belong to."""

    modes: list[int]
    toward: list[np.ndarray]
    force: np.ndarray
    a: np.ndarray
    consistent: bool


def decide(
    laws: Laws, contacts: list[Candidate], ended: dict[Key, int] | None = None
) -> Answer | None:
    """The modes from here on, with their forces; None where no modes are consistent.

    `ended`: modes to begin with of contacts whose guard has ended the last phase. At that moment
    both the old and the new mode are consistent to rounding.
    """
    answers = {}
    force = np.zeros(len(laws.free))
    for island in islands_of(laws.W, contacts):
        rows = [r for one in island for r in range(one.first, one.first + one.dim)]
        answer = _decide_island(replace(laws, rows=rows), island, ended or {})
        if answer is None:
            return None
        force += answer.force
        for one, mode, d in zip(island, answer.modes, answer.toward, strict=True):
            answers[one.key] = mode, d
    modes = [answers[one.key][0] for one in contacts]
    toward = [answers[one.key][1] for one in contacts]
    modes = with_owners(contacts, modes)
    return Answer(modes, toward, force, laws.free + laws.W @ force, consistent=True)


def _decide_island(laws: Laws, contacts: list[Candidate], ended: dict[Key, int]) -> Answer | None:
    """`decide` for contacts that move one another."""
    if _is_shared(laws, contacts):
        answer = _shared(laws, contacts, ended)
        if answer is not None:
            return answer
    modes = [ended.get(one.key, _first(laws, one)) for one in contacts]
    seen = set()
    for _ in range(ROUNDS):
        if tuple(modes) in seen:
            break
        seen.add(tuple(modes))
        answer = solve(laws, contacts, modes)
        worst = _worst(laws, contacts, answer)
        if worst is None:
            return answer
        modes = list(modes)
        modes[worst[0]] = worst[1]
    return _enumerated(laws, contacts)


def _is_shared(laws: Laws, contacts: list[Candidate]) -> bool:
    """Whether all contacts are at rest and share their load in more than one way."""
    moves = any(one.drive or laws.slides(one) for one in contacts)
    if moves or sum(not one.resists for one in contacts) < 2:
        return False
    rows = [r for one in contacts for r in range(one.first, one.first + one.dim)]
    sizes = np.linalg.svd(laws.W[np.ix_(rows, rows)], compute_uv=False)
    return bool(sizes[-1] < SINGULAR * sizes[0])


def _shared(laws: Laws, contacts: list[Candidate], ended: dict[Key, int]) -> Answer | None:
    """Modes by forces that the laws admit (`shared_load`)."""
    found = shared_load(laws.W, laws.free, [one for one in contacts if not one.resists])
    if found is None:
        return None
    force, a, spare = found
    modes, toward = [], []
    for one, push in zip(contacts, pushes_of(contacts, force), strict=True):
        rubbed = force[one.tangents]
        d, mode = np.array(one.toward[: one.count]), resting(one)
        most = max(one.mu, one.static) * push
        begins = float(np.linalg.norm(a[one.tangents])) > SAME * laws.a_scale
        ends = any(mode in MOVING for mode in ended.values()) and not spare
        if push <= SAME * laws.f_scale:
            mode = IDLE
        elif one.count > 0 and (
            begins or (ends and float(np.linalg.norm(rubbed)) >= (1.0 - 1e-5) * most)
        ):
            mode, d = moving(one), _unit(a[one.tangents] if begins else -rubbed)
        modes.append(mode)
        toward.append(d)
    laws.last = force
    if not any(mode in MOVING for mode in modes):
        return Answer(modes, toward, force, a, consistent=True)
    slips = _linear(laws, contacts, modes, toward)
    return slips if _worst(laws, contacts, slips) is None else None


def _first(laws: Laws, one: Candidate) -> int:
    """The mode to begin with: that of the last phase where it can still be."""
    if one.mode in GIVEN:
        return one.mode
    if one.drive:
        return _drive_mode(laws, one)
    return moving(one) if laws.slides(one) else resting(one)


def _drive_mode(laws: Laws, one: Candidate) -> int:
    over = laws.u[one.first] - laws.bounds[one.first][2]
    if abs(over) <= laws.at_rest:
        return HELD
    return AT_LEAST if over > 0 else AT_MOST


def _enumerated(laws: Laws, contacts: list[Candidate]) -> Answer | None:
    """The first consistent answer of all combinations of modes."""
    options = []
    for one in contacts:
        if one.mode in GIVEN:
            options.append([one.mode])
        elif one.drive:
            mode = _drive_mode(laws, one)
            options.append([HELD, AT_LEAST, AT_MOST] if mode == HELD else [mode])
        elif one.resists:
            options.append([TURNING] if laws.slides(one) else [LOCKED, TURNING])
        elif one.dim == 1:
            options.append([SMOOTH, IDLE])
        elif laws.slides(one):
            options.append([SLIP, IDLE])
        else:
            options.append([STICK, SLIP, IDLE])
    if math.prod(map(len, options)) > ENUMERATED:
        return None
    for modes in itertools.product(*options):
        answer = solve(laws, contacts, list(modes))
        if _worst(laws, contacts, answer) is None:
            return answer
    return None


# -- the answer of given modes ---------------------------------------------------------------------


def solve(laws: Laws, contacts: list[Candidate], modes: list[int]) -> Answer:
    """Forces of given modes; directions in which sliding begins are found on the way."""
    toward = [_sliding(laws, one) for one in contacts]
    begins = [
        i
        for i, (one, mode) in enumerate(zip(contacts, modes, strict=True))
        if mode in MOVING and not laws.slides(one)
    ]
    if begins:
        stuck = [resting(contacts[i]) if i in begins else mode for i, mode in enumerate(modes)]
        hold = _linear(laws, contacts, stuck, toward)
        for i in begins:
            toward[i] = _unit(-hold.force[contacts[i].tangents])
    answer = _linear(laws, contacts, modes, toward)
    for _ in range(DIRECTIONS):
        change = 0.0
        for i in begins:
            if contacts[i].count == 1:
                continue
            wanted = answer.a[contacts[i].tangents]
            if np.linalg.norm(wanted) <= SAME * laws.a_scale:
                continue  # it only begins to: as friction has it
            new = _unit(toward[i] + _unit(wanted))
            change = max(change, float(np.linalg.norm(new - toward[i])))
            toward[i] = new
        if change < 1e-15:
            break
        answer = _linear(laws, contacts, modes, toward)
    else:
        if change > SAME:  # it goes in circles
            for i in begins:
                _turn(laws, contacts, modes, toward, i)
            answer = _linear(laws, contacts, modes, toward)
    return answer


def _turn(
    laws: Laws, contacts: list[Candidate], modes: list[int], toward: list[np.ndarray], i: int
) -> None:
    """Turn the direction of a contact that begins to slide to that of its acceleration."""
    if contacts[i].count < 2:
        return

    def accelerated(d: np.ndarray) -> np.ndarray:
        tried = [d if k == i else other for k, other in enumerate(toward)]
        return _linear(laws, contacts, modes, tried).a[contacts[i].tangents]

    found = direction_of(accelerated, toward[i])
    if found is not None:
        toward[i] = found


def _sliding(laws: Laws, one: Candidate) -> np.ndarray:
    """Direction of sliding as it is, or as it was."""
    if laws.slides(one):
        return _unit(laws.u[one.tangents])
    return np.array(one.toward[: one.count])


def _unit(x: np.ndarray) -> np.ndarray:
    size = float(np.linalg.norm(x))
    return x / size if size > 0 else np.zeros_like(x)


def _linear(
    laws: Laws, contacts: list[Candidate], modes: list[int], toward: list[np.ndarray]
) -> Answer:
    """Forces of given modes and directions."""
    n = len(laws.free)
    given, columns, equations = np.zeros(n), [], []
    normal = np.zeros(n)  # column of the contact before a resistance
    soft = None  # the force of that contact where it is given
    for one, mode, d in zip(contacts, with_owners(contacts, modes), toward, strict=True):
        soft = soft if one.resists else laws.pressed.get(one.first)
        if mode in (SMOOTH, HELD, STICK, SLIP):
            normal = np.eye(n)[one.first]
            equations.append(one.first)
            columns.append(normal)
        if mode in (STICK, LOCKED):
            for r in range(one.tangents.start, one.tangents.stop):
                equations.append(r)
                columns.append(np.eye(n)[r])
        elif mode in MOVING and soft is not None:
            given[one.tangents] = -one.mu * soft * d
        elif mode in MOVING:
            normal[one.tangents] = -one.mu * d
        elif mode in (AT_LEAST, AT_MOST):
            given[one.first] = laws.bounds[one.first][0 if mode == AT_LEAST else 1]
    force, consistent = given, True
    if equations:
        T = np.array(columns).T
        A, b = laws.W[equations] @ T, -laws.free[equations] - laws.W[equations] @ given
        near = laws.last[equations]
        x = near + np.linalg.lstsq(A, b - A @ near, rcond=SINGULAR)[0]
        consistent = bool(np.all(np.abs(A @ x - b) <= 1e-7 * laws.a_scale))
        force = given + T @ x
    return Answer(modes, toward, force, laws.free + laws.W @ force, consistent)


# -- what contradicts a law ------------------------------------------------------------------------


def _worst(laws: Laws, contacts: list[Candidate], answer: Answer) -> tuple[int, int] | None:
    """The contact that contradicts its law most, and the mode it should have; None: none does."""
    found: tuple[float, int, int] | None = None
    pushes = pushes_of(contacts, laws.with_pressed(answer.force))
    for i, (one, mode) in enumerate(
        zip(contacts, with_owners(contacts, answer.modes), strict=True)
    ):
        by, wanted = _contradiction(laws, one, mode, answer, (answer.toward[i], pushes[i]))
        if by > SAME and (found is None or by > found[0]):
            found = (by, i, wanted)
    if found is not None:
        return found[1:]
    return None if answer.consistent else _contradicted(contacts, answer)


def _contradicted(contacts: list[Candidate], answer: Answer) -> tuple[int, int] | None:
    """The contact to give way, and how, where equations contradict one another.

    A drive that cannot hold its speed slides as the others move it; else the last one opens.
    """
    order = list(enumerate(zip(contacts, answer.modes, strict=True)))[::-1]
    for i, (one, mode) in order:
        if mode == HELD:
            return i, AT_LEAST if answer.a[one.first] > 0.0 else AT_MOST
    opens = [i for i, (one, mode) in order if not (one.drive or one.resists) and mode != IDLE]
    return (opens[0], IDLE) if opens else None


def _contradiction(
    laws: Laws, one: Candidate, mode: int, answer: Answer, along: tuple[np.ndarray, float]
) -> tuple[float, int]:
    """By how much a contact contradicts its law, and the mode it should have.

    `along`: direction of sliding, and the normal force that bounds friction.
    """
    f, a, n, (d, push) = answer.force, answer.a, one.first, along
    if one.resists and mode == IDLE:
        return 0.0, mode
    if mode == HELD:
        least, most, _ = laws.bounds[n]
        scale = max(abs(least), abs(most), laws.f_scale)
        if f[n] < least:
            return (least - f[n]) / scale, AT_LEAST
        return (f[n] - most) / scale, AT_MOST
    if mode in (AT_LEAST, AT_MOST):
        if abs(laws.u[n] - laws.bounds[n][2]) > laws.at_rest:
            return 0.0, mode
        return (-a[n] if mode == AT_LEAST else a[n]) / laws.a_scale, HELD
    if mode == IDLE:
        return -a[n] / laws.a_scale, _first(laws, one)
    if mode in GIVEN:
        return 0.0, mode
    if not one.resists and (push < -SAME * laws.f_scale or mode == SMOOTH):
        return -push / laws.f_scale, IDLE
    if mode in (STICK, LOCKED):
        over = float(np.linalg.norm(f[one.tangents])) - max(one.mu, one.static) * push
        return over / laws.f_scale, moving(one)
    if laws.slides(one):
        return 0.0, mode
    return -float(a[one.tangents] @ d) / laws.a_scale, resting(one)
