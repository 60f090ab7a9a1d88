"""The borders: every place where modules meet by address, with its signature.

| border | writes | provided by |
|---|---|---|
| evaluate | PHI, PHI_DOT, PHI_T, RHS_A, JACOBIAN, MASS, FORCE | the model |
| residual | PHI, PHI_DOT | the model |
| side_rows | values, rates and J of one-sided rows | the model |
| tangent | STIFFNESS, DAMPING, JACOBIAN_DOT (`equations.Tangent`) | the model |
| guard | EVENT_VALUES | the model |
| factor | the factors of M and J at the last evaluated state, RANK | mechanics |
| solve | forces: x, lam of M x = top + J^T lam, J x = bottom | mechanics |
| respond | corrections: the same with top = 0 | mechanics |
| rates | q', v', lam at a stage | a method |
| begin_step, end_step | held corrections; q, v | a method |
| advance | q, v over one step | an integrator or a method with its own |
| contact_solve | impulses and velocities of the problem of a step | contact |
| backward | q, v at the end of a step of backward differences | a method with its own equations |
| contact_note, contact_log_full, contact_was_smooth | notes on contacts | contact |

Return values: 0 is fine, anything else a `Status`.
"""

import math

from dalembert._jit import apart, kernel
from dalembert._signature import Signature
from dalembert.system.state_layout import State

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
MAY_HAVE_PASSED = 104
"""Bodies may have gone past one another before a step is looked at: it is looked at sooner."""

REACTION_TOLERANCE = 1e-6
"""Rank tolerance of multipliers that forces are made of: that of forces."""

NQ, NV, ROWS = (State.slot(name) for name in ("nq", "nv", "rows"))
"""Where the head holds the lengths of what borders are given."""

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

BACKWARD = Signature("backward", "t h q_past v_past q v", {**_STATE, "q_past": NQ, "v_past": NV})
"""State at t with q' = q / h + q_past, v' = v / h + v_past, from a state foretold."""

CONTROLLING = Signature("control", "t context", {})
"""A controller's callback, called between two steps."""

NOTING = Signature("note", "t v", {"v": NV})
"""Notes that are written down with a sample; t is the number of the sample."""

ASKING = Signature("ask", "", {})
"""A question about the state: 1 is yes, 0 is no."""

_call_state = STATE.call
_call_note = NOTING.call
_call_ask = ASKING.call
_call_control = CONTROLLING.call
_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call
_call_rates = RATING.call
_call_step = STEPPING.call
_call_backward = BACKWARD.call


@kernel
def evaluate(state: State, t, q, v):
    """Everything the model says at (t, q, v)."""
    state.evaluations += 1
    state.seen = 0
    state.evaluated = 0
    if state.reactions > 0:
        return evaluate_by_reactions(state, t, q, v)
    return _call_state(state.evaluate, *state, t, q, v)


@kernel
def evaluate_held(state: State, t, q, v):
    """`evaluate` with the reactions in forces that are known."""
    state.evaluations += 1
    state.seen = 0
    state.evaluated = 0
    return _call_state(state.evaluate, *state, t, q, v)


@apart(int)
def evaluate_by_reactions(state: State, t, q, v):
    """`evaluate` where forces contain reactions: those of the motion without such forces.

    Q(q, v, t, 0) and its multipliers, then Q(q, v, t, lam) (methods 2.2).
    """
    places, parameters = state.reaction_places, state.parameters
    for i in range(state.reactions):
        parameters[int(places[2 * i])] = 0.0
    status = _call_state(state.evaluate, *state, t, q, v)
    if status != OK:
        return status
    status = factor(state, REACTION_TOLERANCE)
    if status != OK:
        return status
    known = state.has_last
    state.has_last = 0
    status = solve(state, state.force, state.rhs_a, state.ideal_vdot, state.ideal_lam)
    state.has_last = known
    if status != OK:
        return status
    for i in range(state.reactions):
        parameters[int(places[2 * i])] = state.ideal_lam[int(places[2 * i + 1])]
    return _call_state(state.evaluate, *state, t, q, v)


@kernel
def residual(state: State, t, q, v):
    """PHI and PHI_DOT at (t, q, v)."""
    state.seen = 0
    state.evaluated = 0
    return _call_state(state.residual, *state, t, q, v)


@kernel
def evaluate_sides(state: State, t, q, v):
    """Values, rates, J and numbers of all one-sided rows."""
    if state.sides > 0:
        _call_state(state.side_rows, *state, t, q, v)


@kernel
def tangent(state: State, t, q, v):
    """STIFFNESS and DAMPING at (t, q, v) and the accelerations and multipliers in `work`."""
    return _call_state(state.tangent, *state, t, q, v)


@kernel
def guard(state: State, address, t, q, v):
    """Event functions at (t, q, v)."""
    state.evaluated = 0
    return _call_state(address, *state, t, q, v)


@kernel
def control(state: State, address, t, context):
    """The callback of a controller; it reads its inputs and writes its outputs by itself."""
    return _call_control(address, *state, t, context)


@kernel
def factor(state: State, tolerance):
    """Factor M and J of the last evaluated state, dropping what `tolerance` calls dependent."""
    return _call_factor(state.factor, *state, tolerance)


@kernel
def solve(state: State, top, bottom, x_out, lam_out):
    """M x = top + J^T lam, J x = bottom."""
    return _call_solve(state.solve, *state, top, bottom, x_out, lam_out)


@kernel
def respond(state: State, bottom, x_out, lam_out):
    """x = M^-1 J^T lam with J x = bottom: the least change, in the mass norm, that gives `bottom`.

    In the notation of methods 2 this is R^-1 C^+ applied to `bottom`.
    """
    return _call_respond(state.respond, *state, bottom, x_out, lam_out)


@kernel
def remember(state: State, t, vdot):
    """Keep the accelerations of the last two moments; HAS_LAST counts them."""
    last = state.last_vdot
    times = state.last_times
    if times[0] != t or state.has_last == 0:
        before = state.before_last_vdot
        times[1] = times[0]
        times[0] = t
        for k in range(state.nv):
            before[k] = last[k]
        state.has_last = min(2, state.has_last + 1)
    for k in range(state.nv):
        last[k] = vdot[k]


@kernel
def predict(state: State, t):
    """PREDICTED_VDOT: the remembered accelerations on a straight line to t.

    It decides where a nearly dependent row cannot (continuation, see `mechanics.dense`).
    """
    last = state.last_vdot
    before = state.before_last_vdot
    times = state.last_times
    ratio = 0.0
    if state.has_last == 2:
        # At most twice the known stretch: a step may have become much longer since.
        ratio = max(-2.0, min(2.0, (t - times[0]) / (times[0] - times[1])))
    predicted = state.predicted_vdot
    for k in range(state.nv):
        predicted[k] = last[k] + ratio * (last[k] - before[k])


@kernel
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Rates of the method; the straight-line form first, the general one where it gives up."""
    if state.mechanism == 1:
        # They predict when they need to.
        status = _call_rates(state.rates, *state, t, h, q, v, qdot_out, vdot_out, lam_out)
        if status == OK:
            remember(state, t, vdot_out)
        return status
    if state.rates == state.rates_general:
        predict(state, t)
    status = _call_rates(state.rates, *state, t, h, q, v, qdot_out, vdot_out, lam_out)
    if status == RANK_DEFICIENT and state.rates != state.rates_general:
        if state.rates_general == 0:
            return NEEDS_GENERAL
        predict(state, t)
        status = _call_rates(state.rates_general, *state, t, h, q, v, qdot_out, vdot_out, lam_out)
    elif state.rates != state.rates_general:
        state.evaluations += 1
    if status == OK:
        remember(state, t, vdot_out)
    return status


@kernel
def normalise(state: State, q):
    """Make all quaternions unit again; integrators add their rates."""
    for b in range(state.quaternions):
        k = state.quaternion(b).q
        square = q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3]
        scale = 1.0 / math.sqrt(square)
        for i in range(4):
            q[k + i] *= scale


@kernel
def begin_step(state: State, t, h, q, v):
    """The method's work at the accepted state, once a step."""
    if state.begin_step == 0:
        return OK
    return _call_step(state.begin_step, *state, t, h, q, v)


@kernel
def end_step(state: State, t, h, q, v):
    """The method's work after the integrator, once a step; a smooth step with contact has it."""
    if state.end_step == 0 and was_smooth(state):
        return OK
    normalise(state, q)
    if state.end_step == 0:
        return OK
    return _call_step(state.end_step, *state, t, h, q, v)


@kernel
def advance(state: State, address, t, h, q, v):
    """One step from (t, q, v) in place, or its output, by the border at an address."""
    return _call_step(address, *state, t, h, q, v)


@kernel
def solve_contact(state: State, t, h, q, v):
    """Impulses and velocities of the contact problem as it is, by the solver of the run."""
    return _call_step(state.contact_solve, *state, t, h, q, v)


@kernel
def solve_backward(state: State, t, h, q_past, v_past, q, v):
    """The method's equations at t with q' = q / h + q_past, v' = v / h + v_past."""
    return _call_backward(state.backward, *state, t, h, q_past, v_past, q, v)


@kernel
def note_sample(state: State, sample, v):
    """Let contact write down its part of a sample; v is the velocity at the end of the step."""
    if state.contact_note != 0:
        _call_note(state.contact_note, *state, sample, v)


@kernel
def log_is_full(state: State):
    """Whether contact might find no room for its part of another sample."""
    if state.contact_log_full == 0:
        return False
    return _call_ask(state.contact_log_full, *state) == 1


@kernel
def was_smooth(state: State):
    """Whether the last step of a run with contact was one without impulses."""
    if state.contact_was_smooth == 0:
        return False
    return _call_ask(state.contact_was_smooth, *state) == 1
