"""Steps in which nothing touches: those of the same model without stops and shapes.

    while nothing is within reach    x+ = P(RK4(x)),    the default integrator and projection
    otherwise                        one step with impulses (`step.step`)          (contact 17)

Before such a step, and again where it has ended, stops and gaps are looked at. A stop phi >= 0 is
known with its rate at both ends: of the cubic through them the four coefficients of Bernstein,

    phi_0,   phi_0 + h phi_0' / 3,   phi_1 - h phi_1' / 3,   phi_1,

bound it from below; where all are positive it stays open. Gaps of shapes are those of collision,
which looks further ahead than a step goes: at the start none may close at the speed it has, with
the way of a fall and h^2 w^2 r / 2 of points on arcs, and nothing may turn by more than a radian;
at the end none may be closed. Where that fails the step is forgotten and made
with impulses. Drives, brakes and dry friction act always: a model with any has no smooth steps.

After a step with impulses the next one is not tried while something pushes or is about to. With
joints second order costs up to four times as much as first order while something pushes: by default
(ORDER_BY_STEP) such steps are of first order there, after two that push, and those before them,
impacts among them, of second.
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.collision.layout import SPUN
from dalembert.contact.run.record_layout import AWAY, COMING, PRESSED, PUSHED, TANGENT
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.position_pass import bodies_at, gap_now
from dalembert.contact.step.tree_momentum import in_body_axes
from dalembert.numerics.spatial import put_motion
from dalembert.system.borders import (
    NEEDS_GENERAL,
    NEEDS_ROOM,
    OK,
    STEPPING,
    evaluate_sides,
    normalise,
    residual,
)
from dalembert.system.state_layout import State

LOOK_AHEAD = 2.0
"""Steps within which what is about to close keeps the next step from being tried."""

UNKNOWN = float("nan")
"""Multiplier of a smooth step, which follows from its state."""

_call = STEPPING.call


class Looked(Part, of=State):
    """The state and the step whose gaps were looked at last."""

    step: Numbers = over("one")
    q: Numbers = over("nq")
    v: Numbers = over("nv")


@apart(int)
def smooth_step(state: State, run: ContactRun, t, h, q, v):
    """From (t, q, v) to t + h if nothing is near: `smooth_now` says whether; else the start."""
    if not starts_open(state, run, t, h, q, v):
        return OK
    status = gaps_at(state, run, t, h, q, v)
    if status != OK or run.clear == 0:
        return status
    status = advance_freely(state, t, h, q, v)
    if status == OK and is_finite(state, q, v) and ends_open(state, run, t + h, h, q, v):
        status = gaps_at(state, run, t + h, h, q, v)
        if status == OK and closed_gaps(run) == 0:
            accept(state, run, h, v)
            return OK
    for i in range(state.nq):
        q[i] = state.start_q[i]
    for k in range(state.nv):
        v[k] = state.start_v[k]
    run.clear = 0
    # failures are left to the step with impulses
    return status if status == NEEDS_GENERAL or status == NEEDS_ROOM else OK


@kernel
def advance_freely(state: State, t, h, q, v):
    """The step of the default integrator and projection."""
    dense = state.dense
    if state.on_tree:
        state.dense = 0  # along the tree, without full matrices
    status = _call(state.smooth_advance, *state, t, h, q, v)
    if status == OK:
        normalise(state, q)
        status = _call(state.smooth_end, *state, t, h, q, v)
    state.dense = dense
    return status


@kernel
def prepare_freely(state: State, t, h, q, v):
    """Make the output within such a step ready: further stages see what its own have seen."""
    dense = state.dense
    if state.on_tree:
        state.dense = 0
    status = _call(state.smooth_prepare, *state, t, h, q, v)
    state.dense = dense
    return status


@kernel
def is_finite(state: State, q, v):
    """Whether a state consists of numbers."""
    for i in range(state.nq):
        if not abs(q[i]) < 1e300:
            return False
    for k in range(state.nv):
        if not abs(v[k]) < 1e300:
            return False
    return True


# -- stops -----------------------------------------------------------------------------------------


@kernel
def starts_open(state: State, run: ContactRun, t, h, q, v):
    """Whether no stop is closed or about to close."""
    if state.sides == 0:
        return True
    residual(state, t, q, v)
    evaluate_sides(state, t, q, v)
    for row in range(state.sides):
        phi, rate = state.side_phi[row], state.side_phi_dot[row]
        if run.side_law(row).law == TANGENT:
            continue
        if not (phi > 0.0 and phi + h * rate / 3.0 > 0.0):
            return False
    return True


@kernel
def ends_open(state: State, run: ContactRun, t, h, q, v):
    """Whether no stop has closed, by its values and rates at both ends; leaves records of t."""
    residual(state, t, q, v)
    if state.sides == 0:
        return True
    evaluate_sides(state, t, q, v)
    for row in range(state.sides):
        phi, rate = state.side_phi[row], state.side_phi_dot[row]
        if run.side_law(row).law == TANGENT:
            continue
        if not (phi > 0.0 and phi - h * rate / 3.0 > 0.0):
            return False
    return True


# -- gaps ------------------------------------------------------------------------------------------


@kernel
def gaps_at(state: State, run: ContactRun, t, h, q, v):
    """`clear`: whether no gap of the state (q, v) closes within h, if it is not known."""
    if run.shapes == 0:
        run.clear = 1
        return OK
    if run.clear == 1 and is_same(state, run, h, q, v):
        return OK
    run.clear = 0
    residual(state, t, q, v)
    status = _call(state.contact_collide, *state, t, h, q, v)
    if status != OK:
        return status
    run.clear = 0 if whirls(state, h) else 1
    for k in range(run.contacts):
        found = run.found(k)
        if found.flags & SPUN or not found.gap + ahead(state, run, k, h) > 0.0:
            run.clear = 0
    looked = Looked(state, run.clear_state)
    looked.step[0] = h
    for i in range(state.nq):
        looked.q[i] = q[i]
    for k in range(state.nv):
        looked.v[k] = v[k]
    return OK


@kernel
def is_same(state: State, run: ContactRun, h, q, v):
    """Whether a state and a step are those that were looked at last."""
    looked = Looked(state, run.clear_state)
    if not h <= (1.0 + 1e-9) * looked.step[0]:
        return False
    for i in range(state.nq):
        if looked.q[i] != q[i]:
            return False
    for k in range(state.nv):
        if looked.v[k] != v[k]:
            return False
    return True


@kernel
def whirls(state: State, h):
    """Whether a body turns by more than a radian in h: its points go elsewhere than straight on."""
    for b in range(state.placed):
        w = state.body_record(b).velocity.angular
        if not h * h * w.dot(w) <= 1.0:
            return True
    return False


@kernel
def ahead(state: State, run: ContactRun, k, h):
    """Change of a gap within h to be reckoned with: by its speed, a fall, and arcs of turning."""
    found, (a, b) = run.found(k), bodies_at(run, k)
    body_a, body_b, p = state.record_of(a), state.record_of(b), found.point
    rate = found.normal.dot(body_b.velocity_at(p) - body_a.velocity_at(p))
    arcs = 0.5 * h * h * (bend(body_a, p) + bend(body_b, p))
    return h * min(0.0, rate) - run.scene.fall - arcs


@kernel
def bend(body, point):
    """|w|^2 |r|, the acceleration of a point towards the axis its body turns about."""
    w, r = body.velocity.angular, point - body.center
    return w.dot(w) * r.size


@kernel
def closed_gaps(run: ContactRun):
    """Gaps that were found closed."""
    count = 0
    for k in range(run.contacts if run.shapes > 0 else 0):
        if not run.found(k).gap > 0.0:
            count += 1
    return count


# -- what a step leaves ----------------------------------------------------------------------------


@kernel
def accept(state: State, run: ContactRun, h, v):
    """Tell the next step and the report of this one that nothing pushed."""
    run.smooth_now = 1
    run.smooth_steps += 1
    run.contacts = run.resting = run.remembered = 0
    for i in range(len(run.report)):
        run.report[i] = 0.0
    run.step_report.was_smooth = 1.0
    for i in range(state.rows + state.sides):
        run.fixed_impulses[i] = 0.0
    for i in range(state.rows):
        state.lam[i] = UNKNOWN
    for k in range(state.nv):
        run.last_change[k], run.last_push[k] = (v[k] - state.start_v[k]) / h, 0.0
    if state.on_tree:
        for b in range(state.placed):
            # as `tree_momentum.keep_twists` has them
            V = in_body_axes(state, b, state.body_record(b).velocity)
            put_motion(run.last_twists, 6 * b, V)
    if run.sleeping == 1:
        for c in range(run.cliques):
            run.sleep(c).still = 0.0
    run.last_step = h
    state.seen = 1


@kernel
def look_ahead(state: State, run: ContactRun, h):
    """`near`, at the end of a step with impulses: whether anything pushed or is about to."""
    run.smooth_now = run.clear = 0
    run.step_report.was_smooth = 0.0
    state.has_last = 0
    if pushes(state, run):
        run.near = PRESSED if run.near >= PUSHED else PUSHED
    else:
        run.near = COMING if comes_near(state, run, h) else AWAY


@kernel
def pushes(state: State, run: ContactRun):
    """Whether a stop or a contact has an impulse in the last step."""
    if run.resting > 0:
        return True
    for k in range(run.contacts):
        impulse = run.contact(k).impulse
        if impulse.dot(impulse) > 0.0:
            return True
    return stop_impulse(state, run) > 0.0


@kernel
def stop_impulse(state: State, run: ContactRun):
    """The largest impulse of a one-sided row in the last step."""
    largest = 0.0
    for row in range(state.sides):
        largest = max(largest, abs(run.fixed_impulses[state.rows + row]))
    return largest


@apart(bool)
def comes_near(state: State, run: ContactRun, h):
    """Whether a stop or a gap is about to close."""
    for k in range(run.contacts):
        if run.found(k).flags & SPUN:
            return True
        if not gap_now(state, run, k) + LOOK_AHEAD * ahead(state, run, k, h) > 0.0:
            return True
    return not stop_ahead(state, run, h) > 0.0


@kernel
def stop_ahead(state: State, run: ContactRun, h):
    """The least that any stop will be open within LOOK_AHEAD steps."""
    least = 1e300
    for row in range(state.sides):
        if run.side_law(row).law != TANGENT:
            rate = state.side_phi_dot[row]
            least = min(least, state.side_phi[row] + LOOK_AHEAD * h * min(0.0, rate))
    return least
