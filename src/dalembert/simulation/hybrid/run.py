"""A run from event to event: smooth phases, guards that end them, impacts and decisions.

step -> guards within it -> none crossed: the step is taken
-> the first crossing: the step is made to end there, then
impact (where something approaches), decision, next phase
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.contact.events.ending import OF_CONTACT, all_but_over, fades
from dalembert.contact.events.forces import phase_rates
from dalembert.contact.events.layout import Phase
from dalembert.contact.events.settle import phase_end
from dalembert.contact.events.watch import has_opened, keep_forces
from dalembert.enforcement.projection import end_of
from dalembert.integration import loop
from dalembert.integration.loop import phase_steps as steps
from dalembert.integration.loop.phase_samples import (
    ROOM,
    close_output,
    look_with_forces,
    open_output,
)
from dalembert.mechanics.choose_solve import install_all_rows, install_tree
from dalembert.mechanics.motion import displace
from dalembert.simulation.hybrid.candidates import entries
from dalembert.simulation.hybrid.fading import end_of_sliding
from dalembert.simulation.hybrid.often import MANY, Pace, slowest_of
from dalembert.simulation.hybrid.stepping import Stepping
from dalembert.simulation.hybrid.transition import Transition
from dalembert.simulation.run.memory import EVENTS_OF_STEP
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK

WITHIN = (0.25, 0.5, 0.75)
"""Fractions of a step at which guards are looked at, besides its end."""

TOGETHER = 1e-9
"""Part of a step within which guards reach zero at one instant."""

GO_ON = 110
"""The chunk is not over."""

NEARER = 0.02
"""Part of its speed to which sliding in space is brought by a step towards its end."""


class HybridRun(Stepping):
    """A run with located events."""

    samples_of_step = ROOM

    def __init__(self, *, integrator: Any, setup: Any, **rest: Any) -> None:
        super().__init__(integrator=integrator, **rest)
        state = self.state
        self.setup, self.room = setup, np.zeros(loop.room_length(state))
        self.clock.prepare_output = integrator.interpolate_prepare.address
        self.clock.interpolate = integrator.interpolate.address
        if self.samples_times:
            self.provide_general()  # moments are recorded within the loop
        self._free = (state.rates, state.rates_general, end_of(state.rows).address)
        self._room_q, self._room_v = np.zeros(state.nq), np.zeros(state.nv)
        self._fractions, self.first_look = np.array([steps.FIRST, *WITHIN]), 0.0
        self.values, self._seen_ahead = np.zeros(0), 0.0
        self.begun, self.pace = False, Pace(float(self.clock.t))
        self.dense = int(state.dense)
        if state.smooth_advance and state.on_tree:
            state.dense = 0  # along the tree, without full matrices (`prepare.arrays`)
        self._in_plane, self._all_rows = state.plane >= 0, False
        self._open = bool(state.smooth_advance and state.on_tree and state.rows == 0)
        self.transition: Transition = Transition(self)

    # -- what the transition needs -----------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase."""
        return Phase(self.state, self.state.method_scratch)

    def solve_with(self, *, matrices: bool) -> None:
        """Choose how M v' = f is solved on an open tree, and of bodies that joints keep in a plane.

        Along the tree the forces on its links are added to every f: with contacts, whose responses
        are asked for one by one, M is a full matrix. In a plane joints carry nothing across it
        while nothing touches: with contacts, which may push there, all of their rows take part.
        """
        if self._in_plane and matrices != self._all_rows:
            self._all_rows, state = matrices, self.state
            if matrices:
                self._own_solve = state.factor, state.solve, state.respond
                install_all_rows(state)
            else:
                state.factor, state.solve, state.respond = self._own_solve
        if self._open:
            self.state.dense = self.dense if matrices else 0
            install_tree(self.setup.method.form, self.state, matrices=matrices)

    def enter(self) -> None:
        """Put the borders of the phase in place, as its table has it now."""
        state = self.state
        self.solve_with(matrices=self.phase.contacts > 0)
        if self.phase.contacts > 0:
            self._hold_contacts()
        else:
            state.rates, state.rates_general, state.end_step = self._free
        state.has_last = 0
        state.evaluated = state.seen = state.factored = 0

    def _hold_contacts(self) -> None:
        """Put the borders of a phase with contacts in place."""
        state = self.state
        state.rates = state.rates_general = phase_rates.address
        state.end_step = phase_end.address

    def goes_on(self) -> None:
        """Put the borders of the phase in place in a run that is resumed within it."""
        if self.phase.contacts > 0:
            self.solve_with(matrices=True)
            self._hold_contacts()
        elif self.begun:
            self.solve_with(matrices=False)
            self.state.end_step = self._free[2]

    def settle(self) -> int:
        """Close what the phase keeps closed, to rounding, where the run is."""
        if self.phase.contacts == 0:
            return OK
        t = float(self.clock.t)
        status = self._needing(lambda: phase_end(*self.state, t, 0.0, self.q, self.v))
        self.state.has_last = 0
        return status if status != OK else self.look_here()

    def look_here(self) -> int:
        """Guards where the run is, into `values`."""
        self.values = np.zeros(self.state.sides + 1 + OF_CONTACT * self.phase.contacts)
        return self._needing(lambda: steps.guards_now(self.course(), self._look_h, self.values))

    @property
    def _look_h(self) -> float:
        """Length of a step, as collision looks ahead for."""
        return float(max(self.clock.last_h, min(self.clock.step, 1e-2)))

    def _needing(self, call: Any) -> int:
        """A compiled call, with more room where it asks for it."""
        while True:
            status = int(call())
            if status not in (NEEDS_GENERAL, NEEDS_ROOM):
                return status
            self.provide(status)

    def compile(self, *, general: bool = False) -> None:
        """Compile the loop, the event functions and the phase."""
        self.opened.compile_guard()
        table, none = np.zeros((len(self._fractions) + 2, 0)), np.zeros(0)
        room = self._room_q, self._room_v
        steps.run_phase(self.course(), 0, 0.0, self._fractions, *room, table, none)
        if general:
            self.provide_general()

    # -- the loop ----------------------------------------------------------------------------------

    def chunk(self, steps_: int) -> int:
        """Take so many steps, or fewer; a status, or what the loop asks for."""
        if self.stepping:
            return super().chunk(steps_)
        if steps_ == 0:
            return loop.MORE
        if not self.begun:
            self.begun = True
            goes_on = bool(self.transition.contacts)
            status = self._behind(self.transition.begin())
            if status != OK:
                return status
            if self.stepped is not None:
                return loop.MORE
            if goes_on:
                steps.begin_again_here(self.course())
        done, ending = self.clock.done, self.clock.ending
        while (left := steps_ - self.clock.done + done) > 0:
            status = self._phase(min(left, MANY))
            if status != GO_ON:
                return status
            if self._hardly_moves():
                self.transition.step_on("steps between events become too short")
                break
            if self.clock.ending != ending:
                break  # from here on a run to another end would be another one
        return loop.MORE

    def _hardly_moves(self) -> bool:
        """Whether steps hardly let time go on, as where forces of a phase are noise."""
        passed = self.pace.passed(self.clock.done, float(self.clock.t))
        return passed < slowest_of(float(self.clock.until) - self.began)

    def _phase(self, most: int) -> int:
        """Steps up to an event, and what happens there; GO_ON, or why the chunk ends."""
        self._make_room()
        table = np.zeros((len(self._fractions) + 2, len(self.values)))
        self._fractions[1:] = WITHIN
        early, done = self.first_look, self.clock.done
        # a controller is called out of the loop, as `Run.chunk` does
        go = steps.run_phase if self.calling.bound is None else steps.run_phase.holding
        where = (self._fractions, self._room_q, self._room_v)
        try:
            status = self._needing(
                lambda: go(self.course(), most, early, *where, table, self.values)
            )
        except BaseException as problem:
            if self.calling.bound is None:
                raise
            return int(self.calling.failed(self.state.failed_index, problem))
        if self.clock.done > done:
            self.first_look = 0.0  # it was of the first step
        if status in (steps.CROSSED, loop.LOOK):
            self._make_room()
        if status == steps.CROSSED:
            status = self._meet(self._crossings(table[:-1]))
        elif status == steps.OPENED:
            self.transition.tidy()
            return GO_ON
        elif status == steps.FADED:
            status = self._fades(int(fades(*self.state)))
        elif status == loop.LOOK:
            status = self._look_within(float(self.clock.last_h))
            if status == loop.MORE:
                status = self._go_on_after_look()
        elif status not in (OK, loop.MORE):
            status = self._stopped(status)
        return GO_ON if status == loop.MORE and not self.stepping else status

    def _fades(self, j: int) -> int:
        """End sliding in space that is all but over, guard j; time goes there."""
        contacts = self.transition.contacts
        one = entries(contacts)[(j - self.state.sides - 1) // OF_CONTACT]
        over = float(all_but_over(*self.state))
        change, left = end_of_sliding(self.phase, self.state.nv, contacts, one, over)
        # a step is left behind it: where the run ends together with the sliding, too
        left = left if self.clock.t + left < self.clock.until else 0.0
        displace(*self.state, left, self.v, self.q)
        self.v += change
        self.clock.t += left
        status = self._behind(self.transition.happen((j,)))
        return loop.MORE if status == OK else self._stopped(status)

    def _make_room(self) -> None:
        """Make room for the samples, events and notes of another step, where there is none."""
        clock, room = self.clock, len(self._samples().t)
        events = len(self.event_t) - 1 - EVENTS_OF_STEP * self.state.events
        full = clock.samples + self.samples_of_step > room
        if full or clock.event_count > events or self._log_is_full():
            self.make_room()

    def _log_is_full(self) -> bool:
        run = self.transition.contact_run
        left = run.most_logged_contacts - run.logged_contacts
        full = run.logged_steps + ROOM >= run.most_logged_steps
        return bool(full or left < ROOM * run.most_contacts)

    def _finish(self) -> int:
        """Finish the last step: samples, events of the user, the end."""
        course, out = self.course(), np.zeros(len(self.values))
        if steps.end_step(course, self._look_h, self._room_q, self._room_v, out):
            return self._look_within(self._look_h)
        return OK if self.clock.t >= self.clock.until else loop.MORE

    def look(self) -> int:
        """As of any run; asked moments of a phase with contacts have the forces of that moment."""
        if self.stepping or self.phase.contacts == 0:
            return super().look()
        self.provide_general()
        room = (self._seen_ahead, self._room_q, self._room_v, np.zeros(len(self.values)))
        return self._looked(int(look_with_forces(self.course(), self._located(), *room)))

    def _look_within(self, ahead: float) -> int:
        """Events and asked moments within the last step; it ends where a terminal one is."""
        self._seen_ahead = ahead
        status = self.look()
        return self._stop_at_event() if status == Status.EVENT else status

    def _go_on_after_look(self) -> int:
        """Go on as `run_phase` does after a step within which nothing is to be looked at."""
        keep_forces(*self.state)
        fading = int(fades(*self.state))
        if fading >= 0:
            return self._fades(fading)
        if has_opened(*self.state, steps.FAR):
            self.transition.tidy()
        return loop.MORE

    def _stop_at_event(self) -> int:
        """End the last step at a terminal event, with contacts closed as at the end of any step."""
        t, h = float(self.clock.t), float(self.clock.t - self.clock.last_t)
        if self.phase.contacts == 0 or h <= 1e-14 * max(1.0, abs(t)):
            return int(Status.EVENT)
        there = self.q.copy(), self.v.copy()
        status, taken = steps.step_of(self.course(), h)
        if status == OK:
            status = self.look_here()
        if status != OK or taken < h:
            self.q[:], self.v[:] = there
        self.clock.t = t
        last = self.clock.event_count - 1
        self.event_q[last], self.event_v[last] = self.q, self.v
        steps.begin_again_here(self.course())
        return int(Status.EVENT)

    def _stopped(self, status: int) -> int:
        """A step that failed: other contacts in the place of those, a jam, or steps of impulses."""
        if status in (Status.STEP_TOO_SMALL, Status.NOT_SOLVED, Status.NO_CONVERGENCE):
            status = self._behind(self.transition.stuck(status))
            return loop.MORE if status == OK else status
        return status

    # -- guards within a step ----------------------------------------------------------------------

    def _crossings(self, table: np.ndarray) -> list[tuple[int, float, float, float, float]]:
        """(guard, a, its value, b, its value) of the first change to a negative value of each."""
        fractions, found = [*self._fractions, 1.0], []
        for j in np.flatnonzero(np.any(table < 0.0, axis=0)):
            a, fa = 0.0, max(float(self.values[j]), 0.0)
            for s, value in zip(fractions, table[:, j], strict=True):
                if value < 0.0:
                    found.append((int(j), a, fa, s, float(value)))
                    break
                a, fa = s, float(value)
        return found

    # -- events ------------------------------------------------------------------------------------

    def _meet(self, crossed: list[tuple[int, float, float, float, float]]) -> int:
        """End the step at the first event, and go on from there."""
        h, course = float(self.clock.last_h), self.course()
        open_output(course)
        room = (self._room_q, self._room_v, np.zeros(len(self.values)))
        found = [(*steps.locate(course, *one, *room), one[0]) for one in crossed]
        for status in (int(one[0]) for one in found if one[0] != OK):
            return self._not_located(status)
        _, s, slope, j = min(found, key=lambda one: (one[1], one[3]))
        together = tuple(sorted(one[3] for one in found if one[1] - s <= TOGETHER))
        first = float(self.values[j])
        near, force = 0.0, first if j > self.state.sides else 0.0  # gaps do not jump
        if self.transition.turns(j):
            # where sliding ends its direction is lost: it is come near to, and then made an end of
            near = NEARER * first
            if near <= NEARER * all_but_over(*self.state):
                return self._ends_here(j)
            status, s = steps.root_within(course, j, steps.Bracket(0.0, first, s, 0.0), near, *room)
            if status != OK:
                return self._not_located(int(status))
        close_output(course)
        status, arrived = steps.end_at(course, j, s * h, slope / h, near, force, self.values)
        if status != OK:
            return self._stopped(int(status))
        if near > 0.0 or not arrived:
            return self._finish()
        status = self._finish()
        if status != loop.MORE and status != OK:
            return status
        over = self.clock.t >= self.clock.until
        self._keep_before()
        status = self.transition.happen(together)
        if status != OK:
            return self._stopped(status)
        steps.end_at_event(self.course())
        status = self._behind(OK)
        return status if over or status != OK else loop.MORE

    def _behind(self, status: int) -> int:
        """Events of the user whose formulas have changed their signs in what happened here."""
        if status != OK or not self.events:
            return status
        self._make_room()
        loop.across(self.course(), self._located(in_parts=False))
        return int(Status.EVENT) if self.clock.stopped else OK

    def _keep_before(self) -> None:
        """Keep the state before an event as a sample, the least time before it."""
        if len(self.times):
            return
        steps.keep_sample(self.course())
        last = self.clock.samples - 1
        self.t_out[last] = np.nextafter(self.t_out[last], -math.inf)

    def _not_located(self, status: int) -> int:
        """A look within the last step that failed: it is to be taken once more."""
        close_output(self.course())
        steps.back(self.course())
        return self._stopped(status)

    def _ends_here(self, j: int) -> int:
        """Sliding that is all but over at the start of the last step is made an end of there."""
        close_output(self.course())
        steps.back(self.course())
        status = self.look_here()
        return self._fades(j) if status == OK else self._stopped(status)
