"""Sliding in space that comes to its end, where its direction is lost (contact 20).

With the sliding u and its rate a = J v' + b it is over after  -u . u / (u . a)  as it slows down.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.events.layout import SLIP, TURNING, Phase
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

OF_CONTACT = 3
"""Guards of a contact of the phase."""

AT_REST = 1e-9
"""Speed of sliding that is none  [m/s]."""

OVER = 1e-2
"""Speed of sliding [m/s] that is ended on a straight line, over the tolerance of the run."""

ENDLESS = 1e300
"""Time of what does not slow down  [s]."""


@kernel
def slides_in_space(active):
    """Whether a contact slides, or rolls against its resistance, in a direction of its own."""
    mode = int(active.mode)
    return (mode == SLIP or mode == TURNING) and active.tangents == 2


@kernel
def all_but_over(state: State):
    """Speed [m/s] of sliding in space that is as good as over: what is left is a straight line."""
    allowed = tolerance_of(state)
    return max(AT_REST, OVER * min(allowed.rtol, allowed.atol))


@kernel
def fades(state: State):
    """The guard of sliding in space that is over without having turned; -1: none.

    Its direction turns the faster the slower it is: error control may come ever nearer to its end
    by ever shorter steps, and never pass it.
    """
    phase, over = Phase(state, state.method_scratch), all_but_over(state)
    for i in range(phase.contacts):
        active = phase.contact(i)
        if slides_in_space(active) and active.begins == 0.0:
            first = active.tangent
            if math.hypot(phase.u[first], phase.u[first + 1]) <= over:
                return state.sides + 1 + OF_CONTACT * i + 1
    return -1


@kernel
def until_rest(state: State):
    """Time after which the first sliding in space is over as it slows down where it was seen."""
    phase, soonest, over = Phase(state, state.method_scratch), ENDLESS, all_but_over(state)
    J = phase.jacobian(state.nv)
    for i in range(phase.contacts):
        active = phase.contact(i)
        if slides_in_space(active) and active.begins == 0.0:
            square = slowing = 0.0
            for r in range(active.tangent, active.tangent + 2):
                rate = phase.bias[r]
                for k in range(state.nv):
                    rate += J[r, k] * phase.vdot_end[k]
                square += phase.u[r] * phase.u[r]
                slowing -= phase.u[r] * rate
            if slowing > 0.0 and square > over * over:
                soonest = min(soonest, square / slowing)
    return soonest
