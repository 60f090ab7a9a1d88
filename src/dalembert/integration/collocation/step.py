"""A step of collocation: predicted, solved, taken; in parts where it is not solved in one."""

from dalembert._jit import kernel
from dalembert.integration.collocation.newton import solve_stages
from dalembert.integration.collocation.scheme import LARGE, NO_MATRIX, WANTED, Stretch
from dalembert.numerics.vector import copy
from dalembert.system.borders import NEEDS_GENERAL, OK

FAR = 3.0
"""Steps over which a polynomial is continued at most."""

PARTS = 8
"""Parts that a step may be taken in, a power of two."""


@kernel
def predict(scheme, end, ratio):
    """Z_i = p(end + ratio c_i) - p(end): the polynomial of the last step (end = 1), continued."""
    C, s, n = scheme.C, scheme.stages, scheme.n
    stages, known = scheme.own.z, scheme.own.polynomial
    for i in range(s):
        for k in range(n):
            stages[i * n + k] = 0.0
        for j in range(s):
            # l_j of the nodes 0, c_1 ... c_s, at both ends of the increment
            at = end + ratio * C[i]
            there, here = at / C[j], end / C[j]
            for m in range(s):
                if m != j:
                    there *= (at - C[m]) / (C[j] - C[m])
                    here *= (end - C[m]) / (C[j] - C[m])
            for k in range(n):
                stages[i * n + k] += (there - here) * known[j * n + k]


@kernel
def clear(x):
    """Zeros."""
    for k in range(len(x)):
        x[k] = 0.0


@kernel
def find_stages(scheme, stretch, q, v):
    """Z, from a prediction; from the state itself where that leads nowhere."""
    state, own, stages = scheme.state, scheme.own, scheme.own.z
    own.rough = own.fallback = 0.0
    near_before = state.near_count
    if own.step_of_polynomial > 0.0:
        predict(scheme, own.polynomial_end, stretch.h / own.step_of_polynomial)
    else:
        clear(stages)
    status = solve_stages(scheme, stretch, q, v)
    if status != OK and status != NEEDS_GENERAL:
        # A prediction may lead out of the range of a formula.
        clear(stages)
        if scheme.n <= LARGE and state.near_count == near_before:
            state.integrator_flag = WANTED
        status = solve_stages(scheme, stretch, q, v)
    if status != OK and own.fallback == 1.0:
        own.rough = 1.0
        state.integrator_flag = NO_MATRIX
        copy(own.best, stages)
        return OK
    return status


@kernel
def part_of_step(scheme, stretch, q, v):
    """From t to t + h: the stages, and x_{n+1} = x_n + sum_i d_i Z_i."""
    state, own, n = scheme.state, scheme.own, scheme.n
    status = find_stages(scheme, stretch, q, v)
    if status != OK:
        return status
    stages = own.z
    for i in range(scheme.stages):
        for k in range(state.nq):
            q[k] += scheme.D[i] * stages[i * n + k]
        for k in range(state.nv):
            v[k] += scheme.D[i] * stages[i * n + state.nq + k]
    if own.rough == 1.0 and own.step_of_polynomial > 0.0 and own.polynomial_end < FAR:
        # Continuing rough stages would make them rougher still: the last smooth ones serve on.
        own.polynomial_end += stretch.h / own.step_of_polynomial
        return OK
    own.step_of_polynomial = stretch.h
    own.polynomial_end = 1.0
    copy(stages, own.polynomial)
    return OK


@kernel
def collocate(scheme, t, h, q, v):
    """One step; in parts where its equations are not solved in one."""
    first, nq = scheme.own.first, scheme.state.nq
    copy(q, first[:nq])
    copy(v, first[nq:])
    status = OK
    parts = 1
    while parts <= PARTS:
        part = h / parts
        for i in range(parts):
            status = part_of_step(scheme, Stretch(t + i * part, part, h), q, v)
            if status != OK:
                break
        if status == OK or status == NEEDS_GENERAL:
            return status
        copy(first[:nq], q)
        copy(first[nq:], v)
        parts *= 2
    return status
