"""Continuous output: the polynomial through the end of the step and the points before."""

from dalembert._jit import border
from dalembert.integration.backward.history import Room
from dalembert.system.borders import OK, STEPPING, normalise
from dalembert.system.state_layout import State


@border(STEPPING)
def prepare(state: State, t, h, q, v):
    """The end of the step as the method left it."""
    own, nq = Room(state, state.integrator_scratch), state.nq
    for i in range(nq):
        own.x[i] = q[i]
    for k in range(state.nv):
        own.x[nq + k] = v[k]
    return OK


@border(STEPPING)
def interpolate(state: State, t, h, q, v):
    """x at the fraction t of the step: of degree k, through its end and k points before.

    The newest point is the start of the step, which ends h later.
    """
    own, nq = Room(state, state.integrator_scratch), state.nq
    count, times, weights = int(own.order), own.times, own.weights
    end = times[0] + h
    moment = times[0] + t * h
    last = 1.0
    for j in range(count):
        last *= (moment - times[j]) / (end - times[j])
        weight = (moment - end) / (times[j] - end)
        for m in range(count):
            if m != j:
                weight *= (moment - times[m]) / (times[j] - times[m])
        weights[j] = weight
    for i in range(nq + state.nv):
        value = last * own.x[i]
        for j in range(count):
            value += weights[j] * own.X[j, i]
        if i < nq:
            q[i] = value
        else:
            v[i - nq] = value
    normalise(state, q)
    return OK
