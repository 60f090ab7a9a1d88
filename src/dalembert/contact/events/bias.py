"""J' v of the contacts of a phase:  u' = J v' + J' v  (contact 20).

That of one-sided rows is a formula, but not on trees. That of shapes is the derivative of J v along
q' = N v with v held: a central difference of eighth order over a stretch in which nothing turns by
more than FINE, where its error is FINE^8 / 630.

Where an edge is passed J v bends, and a difference across it is of neither side. Then that side is
looked at on which it does not bend, the past first, with five points on it: of fourth order.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.events.layout import PRESSED, SERVO, STENCIL, Phase
from dalembert.contact.events.rims import has_rim
from dalembert.contact.events.rows import glance, write_velocities
from dalembert.contact.run.record_layout import DRIVE
from dalembert.contact.run.run_layout import contact_of
from dalembert.mechanics.motion import displace
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STATE
from dalembert.system.state_layout import State

FINE, LONGEST = 5e-2, 1e-2
"""Angle, or way over the size of the smallest shape, and time [s] of a difference, at most."""

SMOOTH, ROUNDING, FINER, OF_RIMS = 1e-8, 1e-14, 6, 10
"""Part by which differences of two orders may differ; of the speed of bodies, rounding of
velocities of rows; how often differences are taken with a quarter of the step until they do not
differ: an edge that is passed bends the path all at once. The lowest point of a rim goes round the
faster the flatter it lies, which finer differences see."""

_call_state = STATE.call

BEFORE, BOTH, BEHIND = -1, 0, 1
"""Sides on which differences are taken."""


@kernel
def write_bias(state: State, phase: Phase, t, h, q, v):
    """J' v of contacts, from states around (q, v); the state is another one then."""
    bias = phase.bias
    for r in range(phase.rows):
        bias[r] = 0.0
    if all_given(phase) or (not has_shapes(phase) and not state.on_tree):
        return OK
    status = glance(state, t, h, q, v)
    if status != OK:
        return status
    delta, count = stretch(state, phase), OF_RIMS if follows_rim(phase) else FINER
    status, found = finer_and_finer(state, phase, t, h, q, v, delta, count, BOTH)
    if status == OK and not found:
        return beside_a_bend(state, phase, t, h, q, v, delta, count)
    return status


@kernel
def finer_and_finer(state: State, phase: Phase, t, h, q, v, delta, count, side):
    """Differences with shorter and shorter steps until J v does not bend; whether it does not."""
    allowed, rounding = SMOOTH / delta, ROUNDING * phase.size * FINE / delta
    for _ in range(count):
        status = differences(state, phase, t, h, q, v, delta, side)
        if status != OK:
            return status, False
        if phase.delta > 0.0 and is_smooth(phase, allowed, rounding / delta):
            return OK, True
        delta *= 0.25
    return OK, False


@apart(int)
def beside_a_bend(state: State, phase: Phase, t, h, q, v, delta, count):
    """Differences on the side where J v does not bend; the finest ones where it does on both."""
    status, found = finer_and_finer(state, phase, t, h, q, v, delta, count, BEFORE)
    if status == OK and not found:
        status, found = finer_and_finer(state, phase, t, h, q, v, delta, count, BEHIND)
    if status == OK and not found:
        status = differences(state, phase, t, h, q, v, delta * 0.25 ** (count - 1), BOTH)
    return status


@kernel
def differences(state: State, phase: Phase, t, h, q, v, delta, side):
    """J' v of eighth order into `bias`, of sixth into `b`, the largest velocities into `x`.

    On one side of fourth and of third order. A contact that is out of sight on the way leaves zero
    in place of the step of differences.
    """
    phase.delta = delta
    for r in range(phase.rows):
        phase.bias[r] = phase.b[r] = phase.x[r] = 0.0
    for s in range(-STENCIL, STENCIL + 1):
        if s == 0 and side == BOTH:
            continue
        if s * side < 0:
            continue
        fine, rough = eighth_order(s), sixth_order(s)
        if side != BOTH:
            fine, rough = side * fourth_order(abs(s)), side * third_order(abs(s))
        copy(q, phase.q)
        displace(state, s * delta, v, phase.q)
        status = glance(state, t + s * delta, h, phase.q, v)
        if status != OK:
            return status
        if not write_velocities(state, phase, phase.free):
            phase.delta = 0.0
            continue
        subtract_targets(state, phase, phase.free)
        for r in range(phase.rows):
            u = phase.free[r]
            phase.bias[r] += fine / delta * u
            phase.b[r] += rough / delta * u
            phase.x[r] = max(phase.x[r], abs(u))
    return OK


@kernel
def subtract_targets(state: State, phase: Phase, u):
    """Take speeds that drives keep, whatever their mode, off the velocities of their rows."""
    run = contact_of(state)
    for i in range(phase.contacts):
        active = phase.contact(i)
        row = int(active.side)
        if row >= 0 and run.side_law(row).law == DRIVE and state.drive(row).rate_gain == 0.0:
            u[int(active.first)] -= state.drive(row).target_speed


@kernel
def is_smooth(phase: Phase, allowed, rounding):
    """Whether the two orders differ by less than so much of the velocities, and rounding.

    They differ by much where features change.
    """
    worst, fastest = 0.0, 0.0
    for r in range(phase.rows):
        worst = max(worst, abs(phase.bias[r] - phase.b[r]))
        fastest = max(fastest, phase.x[r])
    return worst <= allowed * fastest + rounding


@kernel
def sixth_order(s):
    """Weight of the point s of the first derivative: 3/4, -3/20, 1/60."""
    size = 3.0 / 4.0
    if abs(s) == 2:
        size = -3.0 / 20.0
    elif abs(s) == 3:
        size = 1.0 / 60.0
    elif abs(s) == 4:
        size = 0.0
    return size if s > 0 else -size


@kernel
def eighth_order(s):
    """Weight of the point s of the first derivative: 4/5, -1/5, 4/105, -1/280."""
    size = 4.0 / 5.0
    if abs(s) == 2:
        size = -1.0 / 5.0
    elif abs(s) == 3:
        size = 4.0 / 105.0
    elif abs(s) == 4:
        size = -1.0 / 280.0
    return size if s > 0 else -size


@kernel
def third_order(s):
    """Weight of the point s ahead: -11/6, 3, -3/2, 1/3."""
    if s == 0:
        return -11.0 / 6.0
    if s == 1:
        return 3.0
    if s == 2:
        return -1.5
    return 1.0 / 3.0 if s == 3 else 0.0


@kernel
def fourth_order(s):
    """Weight of the point s ahead: -25/12, 4, -3, 4/3, -1/4."""
    if s == 0:
        return -25.0 / 12.0
    if s == 1:
        return 4.0
    if s == 2:
        return -3.0
    return 4.0 / 3.0 if s == 3 else -0.25


@kernel
def stretch(state: State, phase: Phase):
    """Step of differences  [s]."""
    fastest = FINE / LONGEST
    for b in range(state.placed):
        V = state.body_record(b).velocity
        w, x = V.angular, V.linear
        fastest = max(fastest, math.sqrt(w.dot(w)))
        fastest = max(fastest, math.sqrt(x.dot(x)) / phase.size)
    return FINE / fastest


@kernel
def follows_rim(phase: Phase):
    """Whether a contact is the lowest point of a rim."""
    for i in range(phase.contacts):
        active = phase.contact(i)
        if has_rim(active) and active.rim_held == 0.0:
            return True
    return False


@kernel
def all_given(phase: Phase):
    """Whether forces of all contacts are given by the state: nothing is asked of accelerations."""
    for i in range(phase.contacts):
        mode = int(phase.contact(i).mode)
        if mode != PRESSED and mode != SERVO:
            return False
    return True


@kernel
def has_shapes(phase: Phase):
    """Whether any contact is one of shapes."""
    for i in range(phase.contacts):
        if phase.contact(i).side < 0.0:
            return True
    return False


@kernel
def add_side_bias(state: State, phase: Phase, t, q, v):
    """J' v of one-sided rows, less what the target of a drive gains, where it has been evaluated.

    Formulas have the velocities of bodies held, not those of joints: on a tree it is a difference.
    """
    if state.side_bias_rows == 0 or state.on_tree:
        return
    _call_state(state.side_bias_rows, *state, t, q, v)
    for i in range(phase.contacts):
        active = phase.contact(i)
        if active.side >= 0.0:
            for r in range(int(active.dim)):
                phase.bias[int(active.first) + r] = state.side_bias[int(active.side) + r]
