"""Events of a run: impacts, and the decision about the next phase."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from typing import Any

import numpy as np

from dalembert.contact.events.ending import AT_REST, OF_CONTACT
from dalembert.contact.events.layout import (
    AT_LEAST,
    AT_MOST,
    HELD,
    IDLE,
    PRESSED,
    SERVO,
    SLIP,
)
from dalembert.contact.events.watch import SLACK
from dalembert.integration.loop.phase_steps import FAR
from dalembert.simulation.hybrid.bounded import KINDS, MOVING
from dalembert.simulation.hybrid.candidates import (
    CLOSED_MODES,
    Candidate,
    Key,
    TooManyError,
    closed,
    deepest,
    drives_of,
    entries,
    refresh,
    still_there,
    write,
)
from dalembert.simulation.hybrid.crossed import modes_after
from dalembert.simulation.hybrid.decide import Laws, decide
from dalembert.simulation.hybrid.impact import stopping_impulse
from dalembert.simulation.hybrid.impacts import Impacts
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.hybrid.often import MANY, densest_of
from dalembert.simulation.hybrid.rims import closed_together, follow, leave
from dalembert.simulation.hybrid.soft import Ended, let_go, pushes_now, springs_of, too_stiff
from dalembert.simulation.status import Status
from dalembert.system.borders import OK

TOUCHING = 1e-13
"""Gap that is closed at an event, over the size of the smallest shape."""

DEEP = 1e-5
"""Penetration at the start, over the size of the smallest shape, that steps have to push out."""

SEEN = 1e-6
"""Gap, over the size of the smallest shape, of contacts that have come in the place of others."""

TOGETHER = 1e-5
"""Part of the accelerations of bodies below which those of contacts are not told apart closer."""

TOO_FAST = "events follow one another too fast"


class Transition(Impacts):
    """The way from one phase of a run to the next."""

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.recent: deque[float] = deque()
        self.densest = math.inf  # time of so many events, at least  [s]
        self.renewed = self.calmed = -math.inf

    def is_pole(self, j: int) -> bool:
        """Whether a guard is that of a normal force that becomes infinite."""
        i, which = divmod(j - self.run.state.sides - 1, OF_CONTACT)
        return bool(i >= 0 and which == 2)

    def turns(self, j: int) -> bool:
        """Whether a guard is that of sliding in space, whose direction is lost where it ends."""
        i, which = divmod(j - self.run.state.sides - 1, OF_CONTACT)
        if i < 0 or which != 1:
            return False
        one = entries(self.contacts)[i]
        turns = one.mode in MOVING and one.count == 2
        return bool(turns and not self.run.phase.contact(i).begins)

    # -- between steps -----------------------------------------------------------------------------

    def tidy(self) -> None:
        """Contacts that carry nothing and have opened are none of the phase any more."""
        phase = self.run.phase
        force = np.array(phase.force[: phase.rows])
        phase.last_force[: len(force)] = force
        self.read_back()
        left = [
            one
            for i, one in enumerate(entries(self.contacts))
            if not one.resists and (one.mode != IDLE or phase.contact(i).gap <= FAR * self.size)
        ]
        if len(left) < len(self.contacts):
            self._set(left, force)

    def read_back(self) -> None:
        """Take over what steps have changed of the contacts of the phase."""
        for i, one in enumerate(entries(self.contacts)):
            place = self.run.phase.contact(i)
            one.begins, one.rim = bool(place.begins), (float(place.rim_1), float(place.rim_2))
            one.toward = np.array([place.toward_1, place.toward_2])

    def _set(self, contacts: list[Candidate], force: np.ndarray) -> None:
        """The contacts of the next phase, with forces to begin with."""
        rows = [r for one in entries(contacts) for r in range(one.first, one.first + one.dim)]
        kept = force[rows] if len(rows) else np.zeros(0)
        follow(self.contact_run, contacts, self.contacts)
        self.contacts = contacts
        write(self.run.phase, contacts)
        self.run.phase.last_force[: len(kept)] = kept
        self.run.enter()
        self.run.look_here()

    # -- events ------------------------------------------------------------------------------------

    def begin(self) -> int:
        """The first phase; contacts may have been handed over."""
        if self.contacts:
            status = self.run.look_here()
            if status != OK:
                return int(status)
            with contextlib.suppress(TooManyError):
                found = closed(self.run.state, self.contact_run, SEEN * self.size, {})
                self.contacts = still_there(self.contacts, found)
                refresh(self.contacts, found)
        return self.happen(first=True)

    def happen(self, guards: tuple[int, ...] = (), *, first: bool = False) -> int:
        """Impacts and the decision about the next phase; `guards` have ended the last one."""
        calm = self._too_often()
        if calm and self.t - self.calmed <= MANY * self.densest:
            return self.step_on(TOO_FAST)
        if any(map(self.is_pole, guards)):
            return self.jam(int(Status.NOT_SOLVED))
        try:
            modes = modes_after(self.run.state, self.contact_run, self.contacts, guards)
            met = self.run.state.sides in guards
            return self._happen(Ended(modes, TOUCHING * self.size if met else 0.0), first, calm)
        except TooManyError:
            return self.step_on("more contacts are closed than a phase can hold")

    def _too_often(self) -> bool:
        """Whether events hardly let time go on."""
        self.recent.append(self.t)
        if len(self.recent) < MANY:
            return False
        passed = self.t - self.recent.popleft()
        self.densest = min(self.densest, passed)
        return passed < densest_of(float(self.run.clock.until) - self.run.began)

    def _happen(self, ended: Ended, first: bool, calm: bool) -> int:
        run = self.run
        if not first:
            self.read_back()
        known = {one.key: one for one in self.contacts}
        before = {one.key: one.mode for one in entries(self.contacts)}
        status = run.look_here()
        if status != OK:
            return int(status)
        depth, where = deepest(run.state, self.contact_run)
        if first and depth > DEEP * self.size:
            name = self.name(Candidate(where, 1, 0.0, 0.0))
            return self.step_on(f"{name} starts {depth:.3g} within, which steps push out")
        near = closed_together(run.state, self.contact_run, TOUCHING * self.size, known)
        near += [one for one in self._still_closed() if one not in near]
        drives = [known.get(one.key, one) for one in drives_of(run.state, self.contact_run)]
        contacts = [*near, *drives, *springs_of(run.state, self.contact_run, ended, known)]
        status = self._prepare(contacts)
        if status != OK:
            return status
        span = float(run.clock.until) - self.t
        stiff = too_stiff(run.state, contacts, span)
        if stiff is not None:
            return self.step_on(f"{self.name(stiff)} is too stiff for steps of a phase")
        if calm:
            left = self._come_to_rest(contacts, known)
            if left is None:
                return self.step_on(TOO_FAST)
            self.recent.clear()
            self.calmed = self.t
            return self._decide(left, before, {}, first)
        ends = self._accumulated(contacts)
        if ends is not None:
            contacts = self._close_all(contacts, known, ends)
            self.ahead = ends - self.t
            status = self._decide(contacts, before, {}, first)
            self.ahead = 0.0
            return status
        struck = self._impact(contacts)
        if struck is None:
            return self.step_on("an impact has no answer")
        if struck:
            contacts = [one for one in contacts if one.mode != PRESSED]
            status = self._prepare(contacts)  # velocities that dampers feel are others
            contacts += springs_of(run.state, self.contact_run, Ended({}), known)
            if status == OK:
                status = self._prepare(contacts)
            if status != OK:
                return status
        return self._decide(contacts, before, ended.modes, first)

    def _still_closed(self) -> list[Candidate]:
        """Contacts of the phase that are closed: those that carry nothing may have opened in it."""
        table = self.run.phase
        return [
            one
            for i, one in enumerate(entries(self.contacts))
            if not (one.drive or one.resists)
            and (one.mode != IDLE or table.contact(i).gap <= SLACK * self.size)
        ]

    # -- the next phase ----------------------------------------------------------------------------

    def _decide(
        self,
        contacts: list[Candidate],
        before: dict[Key, int],
        ended: dict[Key, int],
        first: bool,
    ) -> int:
        run, phase = self.run, self.run.phase
        u = np.array(phase.u[: phase.rows])
        staying = [one for one in contacts if one.drive or not self.leaves(one)]
        laws = self._laws(contacts, staying, u)
        deciding = entries(staying)
        answer = decide(laws, deciding, {**self._as_before(laws, staying, before), **ended})
        if answer is None:
            if self._jammed(contacts) == OK:
                return OK
            return self.step_on("no forces meet the laws")
        for one, mode, d in zip(deciding, answer.modes, answer.toward, strict=True):
            turned = mode in MOVING and before.get(one.key) == mode
            turned = turned and float(one.toward[: len(d)] @ d) < 0
            self._tell(one, before.get(one.key), mode, first, turned=turned)
            if mode in MOVING:
                one.toward = d
            one.mode, one.begins = mode, laws.begins(one, mode)
        for one in contacts:
            if one not in staying and before.get(one.key, IDLE) in CLOSED_MODES:
                self._note("open", one)
                for resting in entries([one]):
                    resting.mode = IDLE
        for one in let_go(before, contacts):
            self._note("open", one)
        leaving = [one for one in contacts if one not in staying]
        self._flight(leaving, u)
        sunk = [
            one
            for i, one in enumerate(entries(contacts))
            if one in leaving and phase.contact(i).gap < -TOUCHING * self.size
        ]  # they carried nothing below their surfaces, and would be met at once
        for one in sunk:
            one.mode = IDLE
        self._set([*staying, *sunk], answer.force)
        return int(run.settle())

    def _as_before(
        self, laws: Laws, staying: list[Candidate], before: dict[Key, int]
    ) -> dict[Key, int]:
        """Modes to begin with: a stop without a force, a drive at a bound are so if they can be.

        A stop and the friction of one joint hold it in more than one way where it rests.
        """
        found: dict[Key, int] = {}
        for one in staying:
            mode = before.get(one.key)
            if mode == IDLE and len(one.key) == 1 and not one.drive:
                found[one.key] = mode
            elif mode in (AT_LEAST, AT_MOST) and laws.begins(one, mode):
                found[one.key] = mode
        return found

    def _laws(self, contacts: list[Candidate], staying: list[Candidate], u: np.ndarray) -> Laws:
        """The problem of those of the contacts that stay."""
        phase, state = self.run.phase, self.run.state
        bounds = {}
        for one in staying:
            if one.drive and one.mode != PRESSED:
                drive = state.drive(one.key[0])
                bounds[one.first] = (
                    float(drive.least),
                    float(drive.most),
                    float(drive.target_speed),
                )
        free, eps = np.array(phase.free[: phase.rows]), float(phase.settling_time)
        if eps > 0.0:
            gaps = {one.key: phase.contact(i).gap for i, one in enumerate(entries(contacts))}
            for one in staying:
                if not one.drive:  # alpha = phi'' + (2 / eps) phi' + phi / eps^2
                    free[one.first] += 2.0 / eps * u[one.first] + gaps[one.key] / eps**2
        return Laws(
            np.array(phase.delassus),
            free,
            u,
            bounds,
            np.zeros(phase.rows),
            AT_REST,
            TOGETHER * float(np.max(np.abs(phase.vdot), initial=0.0)),
            pressed=pushes_now(phase, staying),
        )

    def _tell(
        self, one: Candidate, before: int | None, mode: int, first: bool, *, turned: bool
    ) -> None:
        """An entry for what has changed."""
        if turned:
            self._note("reverse", one)
        if mode == before or (mode == IDLE and before in (None, IDLE)):
            return
        if mode in (SERVO,) or (one.drive and first):
            return
        kind = KINDS.get(mode, "drive")
        if one.drive:
            kind = {HELD: "stick", AT_LEAST: "slip", AT_MOST: "slip", PRESSED: "close"}.get(
                mode, "drive"
            )
        self._note(kind, one)

    def _flight(self, leaving: list[Candidate], u: np.ndarray) -> None:
        """Where the next step looks first: half of the shortest flight that begins here."""
        phase = self.run.phase
        shortest = math.inf
        for one in leaving:
            a = float(phase.free[one.first])
            if a < 0.0:
                shortest = min(shortest, -u[one.first] / a)
        self.run.first_look = 0.0 if math.isinf(shortest) else shortest

    # -- Painleve ----------------------------------------------------------------------------------

    def stuck(self, status: int) -> int:
        """Go on where a step failed: with the contacts that are found here, a jam, or steps."""
        if self.run.clock.step < 1e-9:
            self.run.clock.step = 1e-6
        if self._renew():
            return OK
        if any(one.mode == SLIP for one in self.contacts) and self.jam(status) == OK:
            return OK
        if not self.contacts and not self.happened:
            return status
        return self.step_on("no step of a phase succeeds")

    def _renew(self) -> bool:
        """Take contacts that have come in the place of others, where features meet."""
        here = {one.key for one in self.contacts if one.mode != IDLE and not one.acts_anywhere}
        if not here or self.renewed == self.t:
            return False
        self.renewed = self.t
        write(self.run.phase, [])
        if self.run.look_here() != OK:
            return False
        known = {one.key: one for one in self.contacts}
        near = closed(self.run.state, self.contact_run, SEEN * self.size, known)
        soft = springs_of(self.run.state, self.contact_run, Ended({}), known)
        found = {one.key for one in [*near, *soft] if not one.acts_anywhere}
        if found == here or not found:
            return False
        self.contacts = [*near, *(one for one in self.contacts if one.acts_anywhere)]
        return self.happen() == OK

    def jam(self, status: int) -> int:
        """A step that failed while something slides: an impact without collision, or the end."""
        if not any(one.mode == SLIP for one in self.contacts):
            return status
        self._prepare(self.contacts)
        return self._jammed(self.contacts, status)

    def _jammed(self, contacts: list[Candidate], status: int = int(Status.NOT_SOLVED)) -> int:
        """Stop the sliding of contacts by an impulse: an impact without collision."""
        phase = self.run.phase
        u, W = np.array(phase.u[: phase.rows]), np.array(phase.delassus)
        full = stopping_impulse(W, u, contacts)
        if full is None:
            return status
        self.run.v += full @ np.array(phase.responses(self.run.state.nv))
        for one in contacts:
            if one.dim > 1:
                self._note("jam", one, "", float(u[one.first]), 0.0, float(full[one.first]))
                one.mode = IDLE
        status = self._prepare(contacts)
        if status != OK:
            return status
        return self._decide(contacts, {}, {}, False)

    def step_on(self, why: str) -> int:
        """Go on with steps of impulses."""
        self._tell_of(Happening(self.t, "stepping", why))
        self.contacts = []
        write(self.run.phase, [])
        leave(self.contact_run)
        self.run.enter()
        self.run.step_on()
        return OK
