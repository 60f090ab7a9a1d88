"""Contacts as blocks of the problem: frame, J, bias, compliance.

    u = (n, t1, t2) . (velocity of the point of B - that of A)
    rigid:      b_n = phi / s  where phi > 0 (speculative), else 0
    compliant:  b_n = k phi / (s k + d)  where phi < 0, else phi / s,
                R_n = 1 / (h (s k + d))                                     (contact 14)
    moving surface:   b_t = t . (s_B - s_A), s the velocity of a surface against its body

where s is what is left of the step when phi is looked at: h, or h/2 in the middle. The point is
where surfaces will meet: on the body itself against the world, halfway between two bodies.
A contact whose surfaces roll freely is a CONE, one without friction a UNI, any other a ROLL.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.collision import layout as found
from dalembert.contact.problem.layout import (
    BIAS,
    COMPLIANCE,
    CONE,
    LAM0,
    OVERFLOW,
    ROLL,
    UNI,
    Problem,
    length_at,
    mu_at,
    row_at,
)
from dalembert.contact.problem.writing import set_key
from dalembert.contact.rows.body_rows import open_block, put_rows
from dalembert.contact.rows.frames import tangents
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    ARM_A,
    ARM_B,
    BOUNCE,
    CLASS_FLOATS,
    DAMP,
    DAMPING,
    DAMPING_RATIO,
    DISSIPATION,
    FRAME,
    FREQUENCY,
    FRICTION,
    IMPULSE,
    LEAD,
    LOCAL_A,
    LOCAL_B,
    RESTITUTION,
    ROLLING,
    SPEED,
    SPINNING,
    STIFF,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    TURNING_IMPULSE,
    ContactRun,
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.contact.step.correction_limits import leverage
from dalembert.contact.step.second_order import change_ahead, lead_tangents
from dalembert.numerics.small import add, cross, dot, put_vector, scale, sub, vector
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.layout import BODY_INERTIA, BODY_RECORDS, INERTIA, PLACED, RECORD
from dalembert.system.state_layout import State


@kernel
def shape_body(run: ContactRun, shape):
    """Body of a shape; -1 for the world."""
    integers = run.sizes
    scene = integers[memory.SCENE_INTEGERS]
    at = scene + integers[scene + found.SHAPE_INTEGERS_AT] + found.SHAPE_INTEGERS * shape
    return integers[at + found.BODY]


@kernel
def shape_class(run: ContactRun, shape):
    """Class of the surface of a shape."""
    integers = run.sizes
    scene = integers[memory.SCENE_INTEGERS]
    at = scene + integers[scene + found.SHAPE_INTEGERS_AT] + found.SHAPE_INTEGERS * shape
    return integers[at + found.MATERIAL]


@kernel
def law_at(run: ContactRun, a, b):
    """Where the law of two shapes starts in `numbers`."""
    integers = run.sizes
    row, column = shape_class(run, a), shape_class(run, b)
    return integers[memory.CLASS_TABLE] + CLASS_FLOATS * (row * integers[memory.CLASSES] + column)


@kernel
def record_at(state: State, body):
    """Record of a body; that of the world for -1."""
    sizes = state.sizes
    if body < 0:
        body = sizes[PLACED]
    return sizes[BODY_RECORDS] + RECORD * body


@kernel
def turned(work, record, a):
    """R a: from body to world axes."""
    R = vector_view(work, record + 3, 9)
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@kernel
def turned_back(work, record, a):
    """R^T a: from world to body axes."""
    R = vector_view(work, record + 3, 9)
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@kernel
def point_velocity(work, record, arm):
    """v + w x r."""
    return add(vector(work, record + 12), cross(vector(work, record + 15), arm))


@kernel
def mobility(state: State, body, arm, n):
    """n . (velocity of the point that a unit impulse along n gives the body alone)."""
    work = state.work
    sizes = state.sizes
    if body < 0:
        return 0.0
    theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * body, INERTIA)
    turn = cross(arm, n)
    rest = turn_by(theta, turn)
    return 1.0 / theta[6] + dot(turn, rest)


@kernel
def turn_by(theta, a):
    """Theta^-1 a by the adjugate."""
    xx, yy, zz, xy, xz, yz = theta[0], theta[1], theta[2], theta[3], theta[4], theta[5]
    c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    c3, c4, c5 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    inverse = 1.0 / (xx * c0 + xy * c1 + xz * c2)
    return (
        inverse * (c0 * a[0] + c1 * a[1] + c2 * a[2]),
        inverse * (c1 * a[0] + c3 * a[1] + c4 * a[2]),
        inverse * (c2 * a[0] + c4 * a[1] + c5 * a[2]),
    )


@kernel
def add_contacts(state: State, run: ContactRun, problem: Problem, h, left):
    """Blocks of all contacts, and what is kept of each; `left`: what is left of the step."""
    integers = run.sizes
    for k in range(integers[memory.CONTACTS]):
        if add_contact(state, run, problem, h, left, k) != OK:
            return NEEDS_ROOM
    return OK


@kernel
def rows_of(law, numbers):
    """Rows of a contact: 1 without friction, 3 with it, 4 against spinning, 6 against rolling."""
    if numbers[law + ROLLING] > 0.0:
        return 6
    if numbers[law + SPINNING] > 0.0:
        return 4
    if numbers[law + FRICTION] > 0.0 or numbers[law + TANGENTIAL_STIFFNESS] > 0.0:
        return 3
    return 1


@kernel
def add_contact(state: State, run: ContactRun, problem: Problem, h, left, k):
    """One contact."""
    work = state.work
    integers = run.sizes
    numbers = run.work
    x = problem.work
    at, to = found_at(run, k), found_numbers_at(run, k)
    a, b = integers[at + found.SHAPE_A], integers[at + found.SHAPE_B]
    body_a, body_b = shape_body(run, a), shape_body(run, b)
    ra, rb = record_at(state, body_a), record_at(state, body_b)
    gap = numbers[to + found.GAP]
    n = vector(numbers, to + found.NORMAL)
    point = vector(numbers, to + found.POINT)
    t1, t2 = tangents(n)
    arm_a, arm_b = sub(point, vector(work, ra)), sub(point, vector(work, rb))
    law = law_at(run, a, b)
    own = contact_at(run, k)
    put_vector(numbers, own + FRAME, n)
    put_vector(numbers, own + FRAME + 3, t1)
    put_vector(numbers, own + FRAME + 6, t2)
    half = scale(0.5 * gap, n)
    end_a, end_b = sub(arm_a, half), add(arm_b, half)
    put_vector(numbers, own + LOCAL_A, turned_back(work, ra, end_a))
    put_vector(numbers, own + LOCAL_B, turned_back(work, rb, end_b))
    rigid = numbers[law + STIFFNESS] == 0.0 and numbers[law + FREQUENCY] == 0.0
    if rigid and integers[at + found.CONTACT_FLAGS] & found.SPUN == 0:
        # the world does not come nearer: what touches it does so with its own surface. Two bodies
        # meet halfway, and with one point for both friction has no moment of its own
        if body_a < 0:
            arm_b = end_b
        elif body_b < 0:
            arm_a = end_a
    put_vector(numbers, own + ARM_A, arm_a)
    put_vector(numbers, own + ARM_B, arm_b)
    before = sub(point_velocity(work, rb, arm_b), point_velocity(work, ra, arm_a))
    speed = dot(n, before)
    numbers[own + SPEED] = speed
    # -- J
    dim = rows_of(law, numbers)
    kind = UNI if dim == 1 else (CONE if dim == 3 else ROLL)
    block = open_block(run, problem, kind, dim, body_a, body_b)
    if block == OVERFLOW:
        return NEEDS_ROOM
    set_key(problem, block, (a << 32) | b, integers[at + found.KEY])
    put_side(state, run, problem, block, body_a, dim, -1.0, n, t1, t2, arm_a)
    put_side(state, run, problem, block, body_b, dim, 1.0, n, t1, t2, arm_b)
    if dim > 1:
        mu = mu_at(problem, block)
        x[mu] = numbers[law + FRICTION]
        x[mu + 1] = numbers[law + SPINNING]
        x[mu + 2] = numbers[law + ROLLING]
    if dim > 3:
        far = max(dot(arm_a, arm_a) if body_a >= 0 else 0.0, dot(arm_b, arm_b))
        x[length_at(problem, block)] = math.sqrt(far) if far > 0.0 else 1.0
    warm(run, problem, h, block, dim, own)
    # -- bias and compliance
    bias, soft = row_at(problem, BIAS, block), row_at(problem, COMPLIANCE, block)
    stiffness, damping = normal_spring(state, run, law, own, body_a, body_b, gap)
    numbers[own + STIFF], numbers[own + DAMP] = stiffness, damping
    numbers[own + BOUNCE] = 0.0
    ahead, hits = (0.0, 0.0, 0.0), False
    if stiffness == 0.0:
        ahead = change_ahead(state, run, ra, rb, own, before, h)
        if ahead[0] < 0.0:
            # what a mechanism can hardly follow is not asked of it
            ahead = scale(leverage(state, run, problem, block, body_a, body_b), ahead)
    put_vector(numbers, own + LEAD, (ahead[0], 0.0, 0.0))
    if stiffness > 0.0:
        x[bias] = spring_bias(stiffness, damping, gap, left)
        x[soft] = 1.0 / (h * (left * stiffness + damping))
    else:
        x[bias] = max(ahead[0], gap / left + 0.5 * ahead[0])
        if speed - ahead[0] < -numbers[memory.THRESHOLD]:
            # an impact if the surfaces met in this step: also ahead of it, with all of their speed
            e = numbers[law + RESTITUTION]
            numbers[own + BOUNCE] = -bounce_at(numbers, e, speed - ahead[0])
            meets = gap + left * speed <= 0.0
            if meets and numbers[own + BOUNCE] < 0.0:
                bounce_off(run, problem, own, bias)
            # what goes on where surfaces curve approaches by that alone
            hits = numbers[own + BOUNCE] > 0.0 or (meets and ahead[0] == 0.0)
    if dim == 1:
        return OK
    slide = sub(
        surface_velocity(state, run, rb, b),
        surface_velocity(state, run, ra, a),
    )
    x[bias + 1], x[bias + 2] = dot(t1, slide), dot(t2, slide)
    if numbers[law + TANGENTIAL_STIFFNESS] == 0.0:
        lead_tangents(run, problem, own, bias, add(before, slide), ahead, hits)
    stiffness = numbers[law + TANGENTIAL_STIFFNESS]
    if stiffness > 0.0:
        damping = numbers[law + TANGENTIAL_DAMPING]
        stretch = vector(numbers, own + STRETCH)
        share = stiffness / (h * stiffness + damping)
        x[bias + 1] += share * dot(t1, stretch)
        x[bias + 2] += share * dot(t2, stretch)
        x[soft + 1] = x[soft + 2] = 1.0 / (h * (h * stiffness + damping))
    return OK


@kernel
def spring_bias(stiffness, damping, gap, left):
    """b of a one-sided spring and damper.

    The damper acts on its way in the other body: all of the step where that begins there, and of a
    step that closes a gap on what is beyond it. Nothing acts across a gap.
    """
    if gap > 0.0:
        return gap / left
    return stiffness * gap / (left * stiffness + damping)


@kernel
def bounce_at(numbers, e, speed):
    """Restitution at a normal velocity; 0 where it would leave with no more than the threshold.

    It would hang before the surface, where the step has left it, until it falls again.
    """
    return e if -e * speed > numbers[memory.THRESHOLD] else 0.0


@kernel
def bounce_off(run: ContactRun, problem: Problem, own, bias):
    """Make a contact that might bounce an impact."""
    numbers = run.work
    x = problem.work
    numbers[own + BOUNCE], numbers[own + LEAD] = -numbers[own + BOUNCE], 0.0
    x[bias] = numbers[own + BOUNCE] * numbers[own + SPEED]


@kernel
def warm(run: ContactRun, problem: Problem, h, block, dim, own):
    """First impulses: those of the last step, in this frame and for this step's length."""
    numbers = run.work
    x = problem.work
    last = numbers[memory.LAST_STEP]
    share = h / last if last > 0.0 else 0.0
    at = row_at(problem, LAM0, block)
    impulse, turning = vector(numbers, own + IMPULSE), vector(numbers, own + TURNING_IMPULSE)
    for r in range(dim):
        axis = vector(numbers, own + FRAME + 3 * (r % 3))
        x[at + r] = share * dot(axis, impulse if r < 3 else turning)


@kernel
def surface_velocity(state: State, run: ContactRun, record, shape):
    """Velocity of the surface of a shape against its body, world axes."""
    work = state.work
    integers = run.sizes
    numbers = run.work
    return turned(work, record, vector(numbers, integers[memory.SURFACE_TABLE] + 3 * shape))


@kernel
def normal_spring(state: State, run: ContactRun, law, own, body_a, body_b, gap):
    """Stiffness and damping along the normal; (0, 0) for a rigid contact."""
    numbers = run.work
    stiffness = numbers[law + STIFFNESS]
    if stiffness > 0.0:
        # Hunt and Crossley's damping is that of the depth at the start of the step
        return stiffness, numbers[law + DAMPING] + numbers[law + DISSIPATION] * stiffness * max(
            0.0, -gap
        )
    frequency = numbers[law + FREQUENCY]
    if frequency > 0.0:
        n = vector(numbers, own + FRAME)
        felt = mobility(state, body_a, vector(numbers, own + ARM_A), n)
        felt += mobility(state, body_b, vector(numbers, own + ARM_B), n)
        mass = 1.0 / felt
        return mass * frequency * frequency, 2.0 * numbers[law + DAMPING_RATIO] * mass * frequency
    return 0.0, 0.0


@kernel
def put_side(
    state: State, run: ContactRun, problem: Problem, block, body, dim, sign, n, t1, t2, arm
):
    """J of one body: sign (d, r x d) for each direction; sign (0, d) for spin and rolling."""
    integers = run.sizes
    numbers = run.work
    if body < 0:
        return
    rows = integers[memory.ROW_SCRATCH]
    put_direction(numbers, rows, sign, n, cross(arm, n))
    if dim > 1:
        put_direction(numbers, rows + 6, sign, t1, cross(arm, t1))
        put_direction(numbers, rows + 12, sign, t2, cross(arm, t2))
    if dim > 3:
        none = (0.0, 0.0, 0.0)
        put_direction(numbers, rows + 18, sign, none, n)
        if dim > 4:
            put_direction(numbers, rows + 24, sign, none, t1)
            put_direction(numbers, rows + 30, sign, none, t2)
    put_rows(state, run, problem, block, body, dim, numbers, rows)


@kernel
def put_direction(numbers, at, sign, along, about):
    """One row."""
    put_vector(numbers, at, scale(sign, along))
    put_vector(numbers, at + 3, scale(sign, about))
