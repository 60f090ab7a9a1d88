"""The state within a step by the cubic through both ends: near enough to see where to look."""

from dalembert._jit import kernel
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import guard, normalise
from dalembert.system.state_layout import State


@kernel
def place_in(halfway, state: State):
    """Room for a state within a step."""
    n = 2 * state.nq
    return halfway[n : n + state.nq], halfway[n + state.nq :]


@kernel
def open_cubic(state: State, halfway, q, v):
    """Make rates of coordinates at both ends ready."""
    nq = state.nq
    kinematic_map(state, state.start_q, state.start_v, halfway[:nq])
    kinematic_map(state, q, v, halfway[nq : 2 * nq])


@kernel
def cubic(state: State, s, h, halfway, q1, v1):
    """The state at a fraction of the step: q by Hermite's cubic, v on a straight line."""
    nq, r = state.nq, 1.0 - s
    q, v = place_in(halfway, state)
    q0, v0 = state.start_q, state.start_v
    for k in range(nq):
        ends = r * r * (1.0 + 2.0 * s) * q0[k] + s * s * (3.0 - 2.0 * s) * q1[k]
        q[k] = ends + h * s * r * (r * halfway[k] - s * halfway[nq + k])
    for k in range(state.nv):
        v[k] = r * v0[k] + s * v1[k]
    normalise(state, q)


@kernel
def guard_at(course, s):
    """Event formulas at a fraction of the last step, by the cubic; `open_cubic` came before."""
    state, clock = course.state, course.clock
    cubic(state, s, clock.last_h, course.halfway, course.q, course.v)
    q, v = place_in(course.halfway, state)
    guard(state, state.guard, clock.last_t + s * clock.last_h, q, v)
