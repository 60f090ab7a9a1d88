"""A run from event to event: smooth phases, guards that end them, impacts and decisions.

step -> guards within it -> none crossed: the step is taken
-> the first crossing: the step is made to end there, then
impact (where something approaches), decision, next phase
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.contact.events.forces import phase_rates
from dalembert.contact.events.layout import Phase
from dalembert.contact.events.settle import phase_end
from dalembert.contact.events.watch import AT_REST, OF_CONTACT
from dalembert.enforcement.projection import end_of
from dalembert.integration import loop
from dalembert.integration.loop import phase_steps as steps
from dalembert.mechanics.choose_solve import install_tree
from dalembert.simulation.hybrid.locate import root
from dalembert.simulation.hybrid.stepping import Stepping
from dalembert.simulation.hybrid.transition import Transition
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK

WITHIN = (0.25, 0.5, 0.75)
"""Fractions of a step at which guards are looked at, besides its end."""

TOGETHER = 1e-9
"""Part of a step within which guards reach zero at one instant."""

GO_ON = 110
"""The chunk is not over."""

RETAKES = 4
"""Times that a step is made to end at an event."""

NEARER = 0.02
"""Part of its speed to which sliding in space is brought by a step towards its end."""


class HybridRun(Stepping):
    """A run with located events."""

    samples_of_step = steps.ROOM

    def __init__(self, *, integrator: Any, setup: Any, **rest: Any) -> None:
        super().__init__(integrator=integrator, **rest)
        state = self.state
        self.setup = setup
        self.room = np.zeros(loop.room_length(state))
        self.count[loop.PREPARE_OUTPUT] = integrator.interpolate_prepare.address
        self.count[loop.INTERPOLATE] = integrator.interpolate.address
        self._free = (state.rates, state.rates_general, end_of(state.rows).address)
        self._room_q, self._room_v = np.zeros(state.nq), np.zeros(state.nv)
        self._fractions, self.first_look = np.array([steps.FIRST, *WITHIN]), 0.0
        self.values = np.zeros(0)
        self.begun = False
        self.dense = int(state.dense)
        if state.smooth_advance and state.on_tree:
            state.dense = 0  # along the tree, without full matrices (`prepare.arrays`)
        self._open = bool(state.smooth_advance and state.on_tree and state.rows == 0)
        self.transition: Transition = Transition(self)

    # -- what the transition needs -----------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase."""
        return Phase(self.state, self.state.method_scratch)

    def solve_with(self, *, matrices: bool) -> None:
        """Choose how M v' = f is solved on an open tree.

        Along the tree the forces on its links are added to every f: with contacts, whose responses
        are asked for one by one, M is a full matrix.
        """
        if self._open:
            self.state.dense = self.dense if matrices else 0
            install_tree(self.setup.method.form, self.state.sizes, matrices=matrices)

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
        t = float(self.clock[loop.T])
        status = self._needing(lambda: phase_end(*self.state, t, 0.0, self.q, self.v))
        self.state.has_last = 0
        return status if status != OK else self.look_here()

    def look_here(self) -> int:
        """Guards where the run is, into `values`."""
        self.values = np.zeros(self.state.sides + 1 + OF_CONTACT * self.phase.contacts)
        return self._needing(lambda: steps.guards_now(self._course(), self._look_h, self.values))

    @property
    def _look_h(self) -> float:
        """Length of a step, as collision looks ahead for."""
        return float(max(self.clock[loop.LAST_H], min(self.clock[loop.STEP], 1e-2)))

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
        table, none = np.zeros((len(self._fractions) + 1, 0)), np.zeros(0)
        where = (self._fractions, self._room_q, self._room_v)
        steps.run_phase(self._course(), 0, 0.0, *where, table, none)
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
            status = self.transition.begin()
            if status != OK:
                return status
            if goes_on:
                steps.begin_again_here(self._course())
        done, ending = int(self.count[loop.DONE]), int(self.count[loop.ENDING])
        while (left := steps_ - int(self.count[loop.DONE]) + done) > 0:
            status = self._phase(left)
            if status != GO_ON:
                return status
            if self.count[loop.ENDING] != ending:
                break  # from here on a run to another end would be another one
        return loop.MORE

    def _phase(self, most: int) -> int:
        """Steps up to an event, and what happens there; GO_ON, or why the chunk ends."""
        self._make_room()
        table = np.zeros((len(self._fractions) + 1, len(self.values)))
        early, self.first_look = self.first_look, 0.0
        # a controller is called out of the loop, as `Run.chunk` does
        go = steps.run_phase if self.calling.bound is None else steps.run_phase.holding
        where = (self._fractions, self._room_q, self._room_v)
        try:
            status = self._needing(
                lambda: go(self._course(), most, early, *where, table, self.values)
            )
        except BaseException as problem:
            if self.calling.bound is None:
                raise
            return int(self.calling.failed(self.state.failed_index, problem))
        if status in (steps.CROSSED, loop.LOOK):
            self._make_room()
        if status == steps.CROSSED:
            status = self._meet(self._crossings(table))
        elif status == steps.OPENED:
            self.transition.tidy()
            return GO_ON
        elif status == loop.LOOK:
            status = self._look_within()
        elif status not in (OK, loop.MORE):
            status = self._stopped(status)
        return GO_ON if status == loop.MORE and not self.stepping else status

    def _make_room(self) -> None:
        """Make room for the samples, events and notes of another step, where there is none."""
        count, room = self.count, len(self._samples().t)
        events = len(self.event_t) - 1 - self.state.events
        full = count[loop.SAMPLES] + self.samples_of_step > room
        if full or count[loop.EVENT_COUNT] > events or self._log_is_full():
            self.make_room()

    def _log_is_full(self) -> bool:
        run = self.transition.contact_run
        return bool(
            run.logged_steps + steps.ROOM >= run.most_logged_steps
            or run.most_logged_contacts - run.logged_contacts < steps.ROOM * run.most_contacts
        )

    def _finish(self) -> int:
        """Finish the last step: samples, events of the user, the end."""
        course = self._course()
        out = np.zeros(len(self.values))
        if steps.end_step(course, self._room_q, self._room_v, out):
            return self._look_within()
        return OK if self.clock[loop.T] >= self.clock[loop.UNTIL] else loop.MORE

    def _look_within(self) -> int:
        """Events and asked moments within the last step; it ends where a terminal one is."""
        status = self.look()
        return self._stop_at_event() if status == Status.EVENT else status

    def _stop_at_event(self) -> int:
        """End the last step at a terminal event, with contacts closed as at the end of any step."""
        t, h = float(self.clock[loop.T]), float(self.clock[loop.T] - self.clock[loop.LAST_T])
        if self.phase.contacts == 0 or h <= 1e-14 * max(1.0, abs(t)):
            return int(Status.EVENT)
        there = self.q.copy(), self.v.copy()
        status, taken = steps.step_of(self._course(), h)
        if status == OK:
            status = self.look_here()
        if status != OK or taken < h:
            self.q[:], self.v[:] = there
        self.clock[loop.T] = t
        last = int(self.count[loop.EVENT_COUNT]) - 1
        self.event_q[last], self.event_v[last] = self.q, self.v
        steps.begin_again_here(self._course())
        return int(Status.EVENT)

    def _stopped(self, status: int) -> int:
        """A step that failed: other contacts in the place of those, a jam, or steps of impulses."""
        if status in (Status.STEP_TOO_SMALL, Status.NOT_SOLVED, Status.NO_CONVERGENCE):
            status = self.transition.stuck(status)
            return loop.MORE if status == OK else status
        return status

    # -- guards within a step ----------------------------------------------------------------------

    def _crossings(self, table: np.ndarray) -> list[tuple[int, float, float, float, float]]:
        """(guard, a, its value, b, its value) of the first change to a negative value of each."""
        fractions = [*self._fractions, 1.0]
        found = []
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
        h = float(self.clock[loop.LAST_H])
        steps.open_output(self._course())
        roots = sorted((self._root(*one), one[0]) for one in crossed)
        s, j = roots[0]
        together, near = tuple(other for at, other in roots if at - s <= TOGETHER), 0.0
        slope = self._slope(j, s)
        if self.transition.turns(j):
            # where sliding ends its direction is lost: it is come near to, and then made an end of
            near = NEARER * float(self.values[j])
            if near <= NEARER * AT_REST:
                return self._ends_here(j, slope / h)
            s = self._root(j, 0.0, float(self.values[j]), s, 0.0, near)
        steps.close_output(self._course())
        status, arrived = self._end_at(j, s * h, slope / h, near)
        if status != OK:
            return self._stopped(status)
        if near > 0.0 or not arrived:
            return self._finish()
        status = self._finish()
        if status != loop.MORE and status != OK:
            return status
        over = self.clock[loop.T] >= self.clock[loop.UNTIL]
        self._keep_before()
        status = self.transition.happen(together)
        if status != OK:
            return self._stopped(status)
        steps.end_at_event(self._course())
        return OK if over else loop.MORE

    def _keep_before(self) -> None:
        """Keep the state before an event as a sample, the least time before it."""
        if len(self.times):
            return
        steps.keep_sample(self._course())
        last = int(self.count[loop.SAMPLES]) - 1
        self.t_out[last] = np.nextafter(self.t_out[last], -math.inf)

    def _ends_here(self, j: int, slope: float) -> int:
        """Sliding that is all but over at the start of the last step is made an end of there."""
        steps.close_output(self._course())
        steps.back(self._course())
        self.transition.ahead = -float(self.values[j]) / slope if slope < 0.0 else 0.0
        status = self.transition.happen((j,))
        self.transition.ahead = 0.0
        return loop.MORE if status == OK else self._stopped(status)

    def _guard_within(self, j: int, s: float) -> float:
        values = np.zeros(len(self.values))
        steps.guards_within(self._course(), s, self._room_q, self._room_v, values)
        return float(values[j])

    def _root(self, j: int, a: float, fa: float, b: float, fb: float, level: float = 0.0) -> float:
        """Fraction of the step at which a guard becomes zero, or comes down to a level."""
        if fa <= 0.0:  # it begins with zero: a place where it is positive
            x = b
            for _ in range(40):
                x = a + 0.5 * (x - a)
                value = self._guard_within(j, x)
                if value > 0.0:
                    a, fa = x, value
                    break
                b, fb = x, value
            else:
                return b
        return root(lambda s: self._guard_within(j, s) - level, a, fa - level, b, fb - level)

    def _slope(self, j: int, s: float) -> float:
        """Derivative of a guard by the fraction of the step."""
        d = 1e-4 * s
        return (self._guard_within(j, s) - self._guard_within(j, s - d)) / d

    def _end_at(self, j: int, h: float, slope: float, level: float) -> tuple[int, bool]:
        """Take the last step anew so that it ends where guard j has a value.

        Returns a status, and whether it does: error control may want a shorter step.
        """
        for _ in range(RETAKES):
            status, taken = steps.step_of(self._course(), h)
            if status == OK:
                status = self.look_here()
            if status != OK or taken < h:
                return int(status), False
            change = (level - float(self.values[j])) / slope if slope < 0.0 else 0.0
            if abs(change) <= 4e-16 * max(abs(float(self.clock[loop.T])), h):
                break
            if level > 0.0 and abs(change) < 0.1 * h:
                break
            if not 0.0 < h + change < 2.0 * h:
                break
            h += change
        return OK, True
