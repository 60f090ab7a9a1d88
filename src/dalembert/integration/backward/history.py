"""Points the motion passed, and the numbers that a step makes of them (methods 10).

A point is (q, v) side by side at its time. The newest one is the state a step begins with, as the
method left it: whatever it corrected after the last step is part of the history.
"""

from dalembert._jit import kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

MOST = 5
"""Highest order; formulas of 6 are hardly stable, of 7 not at all."""

POINTS = MOST + 2
"""Points kept: one more than the highest order foretells from, to judge whether one more pays."""


class Room(Part, of=State):
    """Scratch of a run, and what is remembered from step to step."""

    X: Matrix = over(f"{POINTS}", "nq + nv")  # points, the newest first
    times: Numbers = over(f"{POINTS}")
    foretold: Numbers = over("nq + nv")  # x_p
    past: Numbers = over("nq + nv")  # x' = c0 x + past
    end: Numbers = over("nq + nv")  # of the last attempt
    x: Numbers = over("nq + nv")
    r: Numbers = over("nq + nv")
    r_moved: Numbers = over("nq + nv")
    F: Matrix = over("nq + nv", "nq + nv")  # derivatives of the rates
    A: Matrix = over("nq + nv", "nq + nv")  # c0 - F, factored
    pivots: Numbers = over("nq + nv")
    weights: Numbers = over(f"{POINTS + 1}")
    slopes: Numbers = over(f"{POINTS + 1}")
    c0_of_factors: float
    known: float  # points
    order: float  # of the attempt,
    next_order: float  # of the next step if it is taken
    steady: float  # steps since order or length changed
    rising: float  # 1: the run begins, order and length grow in every step
    failures: float  # attempts at this step that were not taken
    last_h: float  # of the last attempt
    end_time: float  # of the last attempt


@kernel
def put_point(state: State, own, t, q, v):
    """The newest point is (q, v) at t."""
    nq, newest = state.nq, own.X[0]
    own.times[0] = t
    for i in range(nq):
        newest[i] = q[i]
    for k in range(state.nv):
        newest[nq + k] = v[k]


@kernel
def make_room(state: State, own):
    """All points grow older by one."""
    n = state.nq + state.nv
    for j in range(POINTS - 1, 0, -1):
        own.times[j] = own.times[j - 1]
        for i in range(n):
            own.X[j, i] = own.X[j - 1, i]
    own.known = min(float(POINTS), own.known + 1.0)


@kernel
def polynomial(own, first, count, t):
    """Weights of the values at t, and of the slope there, of the polynomial through points.

    Lagrange's form: l_j(t) = prod_m (t - t_m) / (t_j - t_m) and its derivative, over `count` points
    from the `first` on.
    """
    for j in range(first, first + count):
        value, slope = 1.0, 0.0
        for m in range(first, first + count):
            if m != j:
                over_m = 1.0 / (own.times[j] - own.times[m])
                slope = slope * (t - own.times[m]) * over_m + value * over_m
                value *= (t - own.times[m]) * over_m
        own.weights[j] = value
        own.slopes[j] = slope


@kernel
def leading(order):
    """alpha = 1 + 1/2 + ... + 1/k, the leading coefficient of the formula of order k."""
    total = 0.0
    for j in range(1, order + 1):
        total += 1.0 / j
    return total


@kernel
def look_back(state: State, own, order, t, c0):
    """x_p and the history of x' = c0 x + past: x' = x_p' + c0 (x - x_p) (10.1)."""
    polynomial(own, 0, order + 1, t)
    for i in range(state.nq + state.nv):
        value = slope = 0.0
        for j in range(order + 1):
            value += own.weights[j] * own.X[j, i]
            slope += own.slopes[j] * own.X[j, i]
        own.foretold[i] = value
        own.past[i] = slope - c0 * value


@kernel
def scaled_derivative(state: State, own, degree, t, h):
    """T = |h^i x^(i)| of a degree i, from the end of the step and points before (10.3).

    i! h^i times the divided difference, each component over its tolerance, in the mean.
    """
    weights = own.weights
    for j in range(-1, degree):
        moment = t if j < 0 else own.times[j]
        weight = 1.0 if j < 0 else h / (moment - t)
        for m in range(degree):
            if m != j:
                weight *= h / (moment - own.times[m])
        for m in range(1, degree + 1):
            weight *= m
        weights[j + 1] = weight
    n, allowed, total = state.nq + state.nv, tolerance_of(state), 0.0
    for i in range(n):
        part = weights[0] * own.end[i]
        for j in range(degree):
            part += weights[j + 1] * own.X[j, i]
        part /= allowed.of(max(abs(own.end[i]), abs(own.X[0, i])))
        total += part * part
    return (total / n) ** 0.5 if n > 0 else 0.0
