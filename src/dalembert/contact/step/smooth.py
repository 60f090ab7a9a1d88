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

import math

from dalembert._jit import apart, kernel, vector_view
from dalembert.collision import layout as found
from dalembert.contact.rows.contact_rows import shape_body
from dalembert.contact.rows.one_sided_rows import evaluate_sides
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    CONTACTS,
    RESTING,
    ContactRun,
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.contact.step.position_pass import gap_now
from dalembert.numerics.small import dot, vector
from dalembert.numerics.vector import put_vec3, vec3
from dalembert.system.borders import (
    NEEDS_GENERAL,
    NEEDS_ROOM,
    OK,
    STEPPING,
    normalise,
    residual,
)
from dalembert.system.layout import (
    BODIES,
    BODY_RECORDS,
    CONTACT_COLLIDE,
    DENSE,
    HAS_LAST,
    LAM,
    MECHANISM,
    NQ,
    NV,
    PLACED,
    RECORD,
    ROWS,
    SEEN,
    SIDE_PHI,
    SIDE_PHI_DOT,
    SIDES,
    SMOOTH_ADVANCE,
    SMOOTH_END,
    START_Q,
    START_V,
)
from dalembert.system.layout import vector as field
from dalembert.system.state_layout import State

AWAY, COMING, PUSHED, PRESSED = range(4)
"""NEAR: nothing is; something may touch within LOOK_AHEAD steps; something has an impulse; and had
one in the step before, too."""

LOOK_AHEAD = 2.0
"""Steps within which what is about to close keeps the next step from being tried."""

UNKNOWN = float("nan")
"""Multiplier of a smooth step, which follows from its state."""

_call = STEPPING.call


@apart(int)
def smooth_step(state: State, run: ContactRun, t, h, q, v):
    """From (t, q, v) to t + h if nothing is near: SMOOTH_NOW says whether; else the start again."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    if not starts_open(state, run, t, h, q, v):
        return OK
    status = gaps_at(state, run, t, h, q, v)
    if status != OK or integers[memory.CLEAR] == 0:
        return status
    dense = sizes[DENSE]
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        sizes[DENSE] = 0  # along the tree, without full matrices
    status = _call(sizes[SMOOTH_ADVANCE], work, sizes, t, h, q, v)
    if status == OK:
        normalise(work, sizes, q)
        status = _call(sizes[SMOOTH_END], work, sizes, t, h, q, v)
    sizes[DENSE] = dense
    good = status == OK and is_finite(state, q, v)
    if good and ends_open(state, run, t + h, h, q, v):
        status = gaps_at(state, run, t + h, h, q, v)
        if status == OK and closed_gaps(run) == 0:
            accept(state, run, h, v)
            return OK
    for i in range(sizes[NQ]):
        q[i] = work[sizes[START_Q] + i]
    for k in range(sizes[NV]):
        v[k] = work[sizes[START_V] + k]
    integers[memory.CLEAR] = 0
    # failures are left to the step with impulses
    return status if status == NEEDS_GENERAL or status == NEEDS_ROOM else OK


@kernel
def is_finite(state: State, q, v):
    """Whether a state consists of numbers."""
    sizes = state.sizes
    for i in range(sizes[NQ]):
        if not abs(q[i]) < 1e300:
            return False
    for k in range(sizes[NV]):
        if not abs(v[k]) < 1e300:
            return False
    return True


# -- stops -----------------------------------------------------------------------------------------


@kernel
def starts_open(state: State, run: ContactRun, t, h, q, v):
    """Whether no stop is closed or about to close; keeps values and rates."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if sizes[SIDES] == 0:
        return True
    residual(work, sizes, t, q, v)
    evaluate_sides(state, t, q, v)
    at = integers[memory.SIDE_START]
    for row in range(sizes[SIDES]):
        phi, rate = work[sizes[SIDE_PHI] + row], work[sizes[SIDE_PHI_DOT] + row]
        numbers[at + 2 * row], numbers[at + 2 * row + 1] = phi, rate
        if not (phi > 0.0 and phi + h * rate / 3.0 > 0.0):
            return False
    return True


@kernel
def ends_open(state: State, run: ContactRun, t, h, q, v):
    """Whether no stop has closed, by its values and rates at both ends; leaves records of t."""
    work = state.work
    sizes = state.sizes
    residual(work, sizes, t, q, v)
    if sizes[SIDES] == 0:
        return True
    evaluate_sides(state, t, q, v)
    for row in range(sizes[SIDES]):
        phi, rate = work[sizes[SIDE_PHI] + row], work[sizes[SIDE_PHI_DOT] + row]
        if not (phi > 0.0 and phi - h * rate / 3.0 > 0.0):
            return False
    return True


# -- gaps ------------------------------------------------------------------------------------------


@kernel
def gaps_at(state: State, run: ContactRun, t, h, q, v):
    """CLEAR: whether no gap of the state (q, v) closes within h, if it is not known."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if integers[memory.SHAPES] == 0:
        integers[memory.CLEAR] = 1
        return OK
    if integers[memory.CLEAR] == 1 and is_same(state, run, h, q, v):
        return OK
    integers[memory.CLEAR] = 0
    residual(work, sizes, t, q, v)
    status = _call(sizes[CONTACT_COLLIDE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    integers[memory.CLEAR] = 0 if whirls(state, h) else 1
    for k in range(integers[CONTACTS]):
        gap = numbers[found_numbers_at(run, k) + found.GAP]
        spun = integers[found_at(run, k) + found.CONTACT_FLAGS] & found.SPUN
        if spun or not gap + ahead(state, run, k, h) > 0.0:
            integers[memory.CLEAR] = 0
    at = integers[memory.CLEAR_STATE]
    numbers[at] = h
    for i in range(sizes[NQ]):
        numbers[at + 1 + i] = q[i]
    for k in range(sizes[NV]):
        numbers[at + 1 + sizes[NQ] + k] = v[k]
    return OK


@kernel
def is_same(state: State, run: ContactRun, h, q, v):
    """Whether a state and a step are those that were looked at last."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    at = integers[memory.CLEAR_STATE]
    if not h <= (1.0 + 1e-9) * numbers[at]:
        return False
    for i in range(sizes[NQ]):
        if numbers[at + 1 + i] != q[i]:
            return False
    for k in range(sizes[NV]):
        if numbers[at + 1 + sizes[NQ] + k] != v[k]:
            return False
    return True


@kernel
def whirls(state: State, h):
    """Whether a body turns by more than a radian in h: its points go elsewhere than straight on."""
    work = state.work
    sizes = state.sizes
    for b in range(sizes[PLACED]):
        w = vector(work, sizes[BODY_RECORDS] + RECORD * b + 15)
        if not h * h * dot(w, w) <= 1.0:
            return True
    return False


@kernel
def ahead(state: State, run: ContactRun, k, h):
    """Change of a gap within h to be reckoned with: by its speed, a fall, and arcs of turning."""
    integers = run.sizes
    numbers = run.work
    at, place = found_at(run, k), found_numbers_at(run, k)
    n, point = vec3(numbers, place + found.NORMAL), vec3(numbers, place + found.POINT)
    ra = state.record_of(shape_body(run, integers[at + found.SHAPE_A]))
    rb = state.record_of(shape_body(run, integers[at + found.SHAPE_B]))
    of_b = rb.velocity.at(point - rb.center).linear
    of_a = ra.velocity.at(point - ra.center).linear
    fall = numbers[integers[memory.SCENE_NUMBERS] + found.FALL]
    arcs = 0.5 * h * h * (bend(ra, point) + bend(rb, point))
    return h * min(0.0, n.dot(of_b - of_a)) - fall - arcs


@kernel
def bend(record, point):
    """|w|^2 |r|, the acceleration of a point towards the axis its body turns about."""
    w, r = record.velocity.angular, point - record.center
    return w.dot(w) * math.sqrt(r.dot(r))


@kernel
def closed_gaps(run: ContactRun):
    """Gaps that were found closed."""
    integers = run.sizes
    numbers = run.work
    count = 0
    for k in range(integers[CONTACTS] if integers[memory.SHAPES] > 0 else 0):
        if not numbers[found_numbers_at(run, k) + found.GAP] > 0.0:
            count += 1
    return count


# -- what a step leaves ----------------------------------------------------------------------------


@kernel
def accept(state: State, run: ContactRun, h, v):
    """Tell the next step and the report of this one that nothing pushed."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    integers[memory.SMOOTH_NOW] = 1
    integers[memory.SMOOTH_STEPS] += 1
    integers[CONTACTS] = integers[RESTING] = integers[memory.REMEMBERED] = 0
    report = integers[memory.REPORT]
    for i in range(memory.REPORT_FLOATS):
        numbers[report + i] = 0.0
    numbers[report + memory.WAS_SMOOTH] = 1.0
    for i in range(sizes[ROWS] + sizes[SIDES]):
        numbers[integers[memory.FIXED_IMPULSES] + i] = 0.0
    for i in range(sizes[ROWS]):
        work[sizes[LAM] + i] = UNKNOWN
    start = field(work, sizes, START_V, NV)
    change = vector_view(numbers, integers[memory.LAST_CHANGE], sizes[NV])
    push = vector_view(numbers, integers[memory.LAST_PUSH], sizes[NV])
    for k in range(sizes[NV]):
        change[k], push[k] = (v[k] - start[k]) / h, 0.0
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        for b in range(sizes[PLACED]):
            # as `whirling.keep_twists` has them
            record, to = state.body_record(b), 6 * b
            put_vec3(run.last_twists, to, record.velocity.linear)
            turning = record.rotation.transposed_times(record.velocity.angular)
            put_vec3(run.last_twists, to + 3, turning)
    if integers[memory.SLEEPING] == 1:
        for clique in range(integers[memory.CLIQUES]):
            numbers[integers[memory.SLEEP_TIMES] + memory.SLEEP_NUMBERS * clique] = 0.0
    numbers[memory.LAST_STEP] = h
    sizes[SEEN] = 1


@kernel
def look_ahead(state: State, run: ContactRun, h):
    """NEAR, at the end of a step with impulses: whether anything pushed or is about to."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    integers[memory.SMOOTH_NOW] = integers[memory.CLEAR] = 0
    numbers[integers[memory.REPORT] + memory.WAS_SMOOTH] = 0.0
    sizes[HAS_LAST] = 0
    if pushes(state, run):
        integers[memory.NEAR] = PRESSED if integers[memory.NEAR] >= PUSHED else PUSHED
    else:
        soon = comes_near(state, run, h)
        integers[memory.NEAR] = COMING if soon else AWAY


@kernel
def pushes(state: State, run: ContactRun):
    """Whether a stop or a contact has an impulse in the last step."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if integers[RESTING] > 0:
        return True
    for row in range(sizes[SIDES]):
        if numbers[integers[memory.FIXED_IMPULSES] + sizes[ROWS] + row] != 0.0:
            return True
    for k in range(integers[CONTACTS]):
        impulse = vector(numbers, contact_at(run, k) + memory.IMPULSE)
        if dot(impulse, impulse) > 0.0:
            return True
    return False


@kernel
def comes_near(state: State, run: ContactRun, h):
    """Whether a stop or a gap is about to close."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    for row in range(sizes[SIDES]):
        rate = work[sizes[SIDE_PHI_DOT] + row]
        if not work[sizes[SIDE_PHI] + row] + LOOK_AHEAD * h * min(0.0, rate) > 0.0:
            return True
    for k in range(integers[CONTACTS]):
        if integers[found_at(run, k) + found.CONTACT_FLAGS] & found.SPUN:
            return True
        gap = gap_now(state, run, k)
        if not gap + LOOK_AHEAD * ahead(state, run, k, h) > 0.0:
            return True
    return False
