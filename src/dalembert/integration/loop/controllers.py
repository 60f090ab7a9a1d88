"""Controllers are called between steps, at start + k / rate.

A fixed step divides these times, an adaptive one ends there. What they command is held until the
next call (zero-order hold).
"""

from __future__ import annotations

from dalembert._jit import apart, kernel
from dalembert._records import IntegerMatrix, Matrix, Numbers, Place, value
from dalembert.system.borders import CONTROLLER_FAILED, OK, control, guard, rates
from dalembert.system.state_layout import State

COINCIDENT = 1e-9
"""Part of a period by which calls of several controllers may differ and still be one moment."""


class Call(Place):
    """A controller."""

    class integers:
        hook: int  # address of its callback
        stride: int  # fixed steps from call to call
        calls: int  # made
        first: int  # of its outputs among all commands
        outputs: int


@value
class Controls:
    """Controllers of a run, one a row, and what they command."""

    calls: IntegerMatrix  # `Call`
    contexts: IntegerMatrix  # for the hook
    frequencies: Numbers  # calls a second
    held: Numbers  # commands
    places: IntegerMatrix  # where in `work` a command stands, and which one it is
    log_t: Numbers
    log_held: Matrix  # every change of `held`

    def __len__(self):
        return self.calls.shape[0]

    def __getitem__(self, c):
        return Call(self.calls[c], 0)


@kernel
def is_due(clock, call, frequency):
    """Whether a controller is to be called before the next step."""
    if clock.adaptive == 0:
        return clock.done == call.calls * call.stride
    left = clock.start + call.calls / frequency - clock.t
    return left <= COINCIDENT / frequency


@kernel
def take_over(state: State, call, controls):
    """Put the commands of a controller into the equations; fails where one is no number."""
    held, places = controls.held, controls.places
    for k in range(call.first, call.first + call.outputs):
        if not abs(held[k]) < 1e300:
            state.failed_index = k
            return CONTROLLER_FAILED
    state.evaluated = 0
    for p in range(places.shape[0]):
        state.work[places[p, 0]] = held[places[p, 1]]
    return OK


@kernel
def look_around(state: State, t, h, q, v):
    """Inputs of controllers; accelerations are those of the commands held so far."""
    if state.see_rates == 1:
        nq, seen = state.nq, state.input_rates
        qdot, vdot, lam = seen[:nq], seen[nq : nq + state.nv], seen[nq + state.nv :]
        status = rates(state, t, h, q, v, qdot, vdot, lam)
        if status != OK:
            return status
    return guard(state, state.see, t, q, v)


@apart(int)
def call_controllers(state: State, clock, q, v, controls):
    """Call the controllers whose moment it is, once each, and keep what they command."""
    called = False
    for c in range(len(controls)):
        call = controls[c]
        if not is_due(clock, call, controls.frequencies[c]):
            continue
        if not called and state.inputs > 0:
            status = look_around(state, clock.t, clock.step, q, v)
            if status != OK:
                return status
        called = True
        status = control(state, call.hook, clock.t, controls.contexts[c])
        if status != OK:
            state.failed_index = -1 - c
        if status == OK:
            status = take_over(state, call, controls)
        if status != OK:
            return status
        call.calls += 1
    if called:
        note_commands(clock, controls)
    return OK


@kernel
def note_commands(clock, controls):
    """Log what is held now, and find the next call."""
    k, frequencies = clock.logged, controls.frequencies
    controls.log_t[k] = clock.t
    for i in range(len(controls.held)):
        controls.log_held[k, i] = controls.held[i]
    clock.logged = k + 1
    if clock.adaptive == 1:
        clock.next_call = clock.start + controls[0].calls / frequencies[0]
        for c in range(1, len(controls)):
            moment = clock.start + controls[c].calls / frequencies[c]
            clock.next_call = min(clock.next_call, moment)
