"""The borders: every place where modules meet by address, with its signature.

| border | writes | provided by |
|---|---|---|
| evaluate | PHI, PHI_DOT, PHI_T, RHS_A, JACOBIAN, MASS, FORCE | the model |
| residual | PHI, PHI_DOT | the model |
| tangent | STIFFNESS, DAMPING, JACOBIAN_DOT (`equations.Tangent`) | the model |
| guard | EVENT_VALUES | the model |
| factor | the factors of M and J at the last evaluated state, RANK | mechanics |
| solve | forces: x, lam of M x = top + J^T lam, J x = bottom | mechanics |
| respond | corrections: the same with top = 0 | mechanics |
| rates | q', v', lam at a stage | a method |
| begin_step, end_step | held corrections; q, v | a method |
| advance | q, v over one step | an integrator or a method with its own |

Return values: 0 is fine, anything else a `Status`.
"""

import math

from dalembert._jit import Signature, kernel, vector_view
from dalembert.system.layout import (
    BEFORE_LAST_VDOT,
    BEGIN_STEP,
    END_STEP,
    EVALUATE,
    EVALUATED,
    EVALUATIONS,
    FACTOR,
    HAS_LAST,
    LAST_TIMES,
    LAST_VDOT,
    MECHANISM,
    NQ,
    NV,
    PREDICTED_VDOT,
    QUATERNION_TABLE,
    QUATERNIONS,
    RATES,
    RATES_GENERAL,
    RESIDUAL,
    RESPOND,
    ROWS,
    SEEN,
    SOLVE,
    TANGENT,
    vector,
)

OK = 0
RANK_DEFICIENT = 1
NOT_POSITIVE_DEFINITE = 2
NO_CONVERGENCE = 3
NON_FINITE = 4
STEP_TOO_SMALL = 5
INCONSISTENT = 6
CONTROLLER_FAILED = 9
NOT_SOLVED = 10
NEEDS_GENERAL = 102
"""The straight-line rates gave up and the general ones are not compiled yet."""
NEEDS_ROOM = 103
"""Contacts found no room: more is made, and the step repeated."""

_STATE = {"q": NQ, "v": NV}

STATE = Signature("state", "t q v", _STATE)
"""Signature of evaluate, residual, tangent and guard."""
FACTORING = Signature("factor", "tolerance", {})
SOLVING = Signature(
    "solve", "top bottom x_out lam_out", {"top": NV, "bottom": ROWS, "x_out": NV, "lam_out": ROWS}
)
RESPONDING = Signature(
    "respond", "bottom x_out lam_out", {"bottom": ROWS, "x_out": NV, "lam_out": ROWS}
)
RATING = Signature(
    "rates",
    "t h q v qdot_out vdot_out lam_out",
    {**_STATE, "qdot_out": NQ, "vdot_out": NV, "lam_out": ROWS},
)
STEPPING = Signature("step", "t h q v", _STATE)
"""Signature of begin_step, end_step and advance; t is the time at the start of the step."""

CONTROLLING = Signature("control", "t context", {})
"""A controller's callback, called between two steps."""

_call_state = STATE.call
_call_control = CONTROLLING.call
_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call
_call_rates = RATING.call
_call_step = STEPPING.call


@kernel
def evaluate(work, sizes, t, q, v):
    """Everything the model says at (t, q, v)."""
    sizes[EVALUATIONS] += 1
    sizes[SEEN] = 0
    sizes[EVALUATED] = 0
    return _call_state(sizes[EVALUATE], work, sizes, t, q, v)


@kernel
def residual(work, sizes, t, q, v):
    """PHI and PHI_DOT at (t, q, v)."""
    sizes[SEEN] = 0
    sizes[EVALUATED] = 0
    return _call_state(sizes[RESIDUAL], work, sizes, t, q, v)


@kernel
def tangent(work, sizes, t, q, v):
    """STIFFNESS and DAMPING at (t, q, v) and the accelerations and multipliers in `work`."""
    return _call_state(sizes[TANGENT], work, sizes, t, q, v)


@kernel
def guard(address, work, sizes, t, q, v):
    """Event functions at (t, q, v)."""
    sizes[EVALUATED] = 0
    return _call_state(address, work, sizes, t, q, v)


@kernel
def control(address, work, sizes, t, context):
    """The callback of a controller; it reads its inputs and writes its outputs by itself."""
    return _call_control(address, work, sizes, t, context)


@kernel
def factor(work, sizes, tolerance):
    """Factor M and J of the last evaluated state, dropping what `tolerance` calls dependent."""
    return _call_factor(sizes[FACTOR], work, sizes, tolerance)


@kernel
def solve(work, sizes, top, bottom, x_out, lam_out):
    """M x = top + J^T lam, J x = bottom."""
    return _call_solve(sizes[SOLVE], work, sizes, top, bottom, x_out, lam_out)


@kernel
def respond(work, sizes, bottom, x_out, lam_out):
    """x = M^-1 J^T lam with J x = bottom: the least change, in the mass norm, that gives `bottom`.

    In the notation of physics 5 this is R^-1 C^+ applied to `bottom`.
    """
    return _call_respond(sizes[RESPOND], work, sizes, bottom, x_out, lam_out)


@kernel
def remember(work, sizes, t, vdot):
    """Keep the accelerations of the last two moments; HAS_LAST counts them."""
    last = vector(work, sizes, LAST_VDOT, NV)
    times = vector_view(work, sizes[LAST_TIMES], 2)
    if times[0] != t or sizes[HAS_LAST] == 0:
        before = vector(work, sizes, BEFORE_LAST_VDOT, NV)
        times[1] = times[0]
        times[0] = t
        for k in range(sizes[NV]):
            before[k] = last[k]
        sizes[HAS_LAST] = min(2, sizes[HAS_LAST] + 1)
    for k in range(sizes[NV]):
        last[k] = vdot[k]


@kernel
def predict(work, sizes, t):
    """PREDICTED_VDOT: the remembered accelerations on a straight line to t.

    It decides where a nearly dependent row cannot (continuation, see `mechanics.dense`).
    """
    last = vector(work, sizes, LAST_VDOT, NV)
    before = vector(work, sizes, BEFORE_LAST_VDOT, NV)
    times = vector_view(work, sizes[LAST_TIMES], 2)
    ratio = 0.0
    if sizes[HAS_LAST] == 2:
        # At most twice the known stretch: a step may have become much longer since.
        ratio = max(-2.0, min(2.0, (t - times[0]) / (times[0] - times[1])))
    predicted = vector(work, sizes, PREDICTED_VDOT, NV)
    for k in range(sizes[NV]):
        predicted[k] = last[k] + ratio * (last[k] - before[k])


@kernel
def rates(work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Rates of the method; the straight-line form first, the general one where it gives up."""
    if sizes[MECHANISM] == 1:
        # They predict when they need to.
        status = _call_rates(sizes[RATES], work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out)
        if status == OK:
            remember(work, sizes, t, vdot_out)
        return status
    if sizes[RATES] == sizes[RATES_GENERAL]:
        predict(work, sizes, t)
    status = _call_rates(sizes[RATES], work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out)
    if status == RANK_DEFICIENT and sizes[RATES] != sizes[RATES_GENERAL]:
        if sizes[RATES_GENERAL] == 0:
            return NEEDS_GENERAL
        predict(work, sizes, t)
        status = _call_rates(
            sizes[RATES_GENERAL], work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out
        )
    elif sizes[RATES] != sizes[RATES_GENERAL]:
        sizes[EVALUATIONS] += 1
    if status == OK:
        remember(work, sizes, t, vdot_out)
    return status


@kernel
def normalise(sizes, q):
    """Make all quaternions unit again; integrators add their rates."""
    for b in range(sizes[QUATERNIONS]):
        k = sizes[sizes[QUATERNION_TABLE] + 2 * b]
        square = q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3]
        scale = 1.0 / math.sqrt(square)
        for i in range(4):
            q[k + i] *= scale


@kernel
def begin_step(work, sizes, t, h, q, v):
    """The method's work at the accepted state, once a step."""
    if sizes[BEGIN_STEP] == 0:
        return OK
    return _call_step(sizes[BEGIN_STEP], work, sizes, t, h, q, v)


@kernel
def end_step(work, sizes, t, h, q, v):
    """The method's work after the integrator, once a step."""
    normalise(sizes, q)
    if sizes[END_STEP] == 0:
        return OK
    return _call_step(sizes[END_STEP], work, sizes, t, h, q, v)


@kernel
def advance(address, work, sizes, t, h, q, v):
    """One step from (t, q, v) in place."""
    return _call_step(address, work, sizes, t, h, q, v)
