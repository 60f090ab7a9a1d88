"""A step: foretold, solved, judged; the order and length of the next (methods 10).

Brenan, Campbell & Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic
Equations, section 5.2: the rules by which their program DASSL chooses.
"""

from dalembert._jit import kernel
from dalembert._memory import Part
from dalembert.integration.backward.history import (
    MOST,
    Room,
    leading,
    look_back,
    make_room,
    put_point,
    scaled_derivative,
)
from dalembert.integration.backward.newton import solve_step
from dalembert.system.borders import NEEDS_GENERAL, OK, rates
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

JUMP = 30.0
"""Change of the state between two steps, over the tolerance, that begins a new history."""

ASIDE = 0.75
"""Length of the next attempt where one that ends near a singular position seems to err."""


class Options(Part, of=State):
    """Options of the integrator, its tolerance first."""

    rtol: float
    atol: float
    max_order: float


@kernel
def goes_on(state: State, own, t, q, v):
    """Whether (q, v) at t is the end of the last attempt, corrected at most."""
    if own.known == 0.0 or abs(t - own.end_time) > 1e-3 * own.last_h:
        return False
    allowed, worst = tolerance_of(state), 0.0
    for i in range(state.nq + state.nv):
        now = q[i] if i < state.nq else v[i - state.nq]
        worst = max(worst, abs(now - own.end[i]) / allowed.of(abs(now)))
    return worst <= JUMP


@kernel
def begin(state: State, own, t, q, v):
    """A history of one point."""
    own.known = 1.0
    own.order = own.next_order = 1.0
    own.steady = own.failures = 0.0
    own.rising = 1.0
    put_point(state, own, t, q, v)


@kernel
def foretell_start(state: State, own, t, h, q, v):
    """A second point where there is one only: x - h x' at t - h."""
    nq = state.nq
    status = rates(state, t, h, q, v, own.r[:nq], own.r[nq:], state.lam)
    own.times[1] = t - h
    for i in range(nq + state.nv):
        own.X[1, i] = own.X[0, i] - h * own.r[i]
    return status


@kernel
def remember(state: State, own, t, q, v):
    """The state that a step begins with enters the history; an attempt before may have failed."""
    if own.known > 0.0 and t == own.times[0]:
        own.failures += 1.0
        put_point(state, own, t, q, v)
    elif goes_on(state, own, t, q, v):
        make_room(state, own)
        put_point(state, own, t, q, v)
        changed = own.next_order != own.order
        own.order = own.next_order
        own.steady = 0.0 if changed else own.steady + 1.0
        own.failures = 0.0
    else:
        begin(state, own, t, q, v)


@kernel
def error_constant(own, order, t, h):
    """Error of a step over T of degree k + 1: of the formula and of its output (10.4)."""
    alpha_sum, product = 0.0, 1.0
    for i in range(1, order + 2):
        psi = t - own.times[i - 1]
        product *= psi / (i * h)
        if i <= order:
            alpha_sum += h / psi
    last = h / (t - own.times[order])
    return max(last, abs(last + alpha_sum - leading(order))) * product


@kernel
def next_order(own, order, most, T_less, T_same, T_more):
    """Order of the next step from T of degrees k, k + 1 and k + 2, which is negative if unknown."""
    if order > 1 and T_less <= (0.5 if order == 2 else 1.0) * T_same:
        return order - 1
    if order >= most or own.known + 1.0 < order + 2.0:
        return order
    if own.rising == 1.0:
        return order + 1
    if T_more >= 0.0 and T_more < (0.5 if order == 1 else 1.0) * T_same:
        return order + 1
    return order


@kernel
def choose(state: State, own, t, h, order, near):
    """Length of the next attempt, whether this one is taken or not; its order is noted.

    Near a singular position (`near`) the state has noise, which a shorter step does not lessen: the
    next attempt ends a little aside of it.
    """
    most = int(Options(state, state.integrator_options).max_order)
    T_same = scaled_derivative(state, own, order + 1, t, h)
    T_less = scaled_derivative(state, own, order, t, h) if order > 1 else 0.0
    T_least = scaled_derivative(state, own, order - 1, t, h) if order > 2 else 0.0
    if state.error > 1.0:
        own.rising = own.steady = 0.0
        own.next_order = own.order
        if near:
            return ASIDE * h
        if order > 1 and max(T_less, T_least) <= T_same:
            order -= 1
            T_same = T_less
        own.order = own.next_order = float(order)
        if own.failures > 1.0:
            own.order = own.next_order = 1.0
        if own.failures > 0.0:
            return 0.25 * h
        return h * max(0.25, min(0.9, 0.9 * length_ratio(order, T_same)))
    T_more = -1.0
    if order < MOST and own.known >= order + 2.0 and own.steady >= order:
        T_more = scaled_derivative(state, own, order + 2, t, h)
    chosen = next_order(own, order, most, max(T_less, T_least), T_same, T_more)
    own.next_order = float(chosen)
    if chosen <= order and (chosen < order or order >= most):
        own.rising = 0.0
    if own.rising == 1.0:
        return 2.0 * h
    estimate = T_same
    if chosen < order:
        estimate = T_less
    elif chosen > order:
        estimate = T_more
    ratio = length_ratio(chosen, estimate)
    if ratio >= 2.0:
        own.steady = -1.0
        return 2.0 * h
    if ratio <= 1.0:
        own.steady = -1.0
        return h * max(0.5, min(0.9, ratio))
    return h


@kernel
def length_ratio(order, T):
    """(2 T / (k + 1) + 1e-4)^(-1 / (k + 1))."""
    return (2.0 * T / (order + 1.0) + 1e-4) ** (-1.0 / (order + 1.0))


@kernel
def step_backward(state: State, t, h, q, v):
    """One attempt; `error` gets its error and the length of the next."""
    own, nq = Room(state, state.integrator_scratch), state.nq
    remember(state, own, t, q, v)
    if own.known == 1.0:
        status = foretell_start(state, own, t, h, q, v)
        if status != OK:
            return status
    order, end = int(own.order), t + h
    c0 = leading(order) / h
    look_back(state, own, order, end, c0)
    own.last_h, own.end_time = h, end
    state.next_step = 0.0
    near_before = state.near_count
    status = solve_step(state, end, h, c0, q, v)
    if status != OK:
        if status != NEEDS_GENERAL:
            own.rising = own.steady = 0.0
        return status
    for i in range(nq):
        own.end[i] = q[i]
    for k in range(state.nv):
        own.end[nq + k] = v[k]
    T = scaled_derivative(state, own, order + 1, end, h)
    state.error = error_constant(own, order, end, h) * T
    state.next_step = choose(state, own, end, h, order, state.near_count > near_before)
    return OK
