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

from dalembert._jit import apart, kernel
from dalembert.collision.layout import SPUN
from dalembert.contact.problem.layout import CONE, OVERFLOW, ROLL, UNI, Problem
from dalembert.contact.problem.record_layout import Friction
from dalembert.contact.rows.body_rows import open_block, put_rows, tangents
from dalembert.contact.rows.correction_limits import push_share
from dalembert.contact.rows.second_order import (
    change_ahead,
    lead_tangents,
    lead_turning,
    note_drift,
    velocity_then,
)
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.spatial import Force, put_force
from dalembert.numerics.vector import Vec3
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.state_layout import State

REST = 1e-9
"""Speed of sliding that is none  [m/s]."""


@kernel
def shape_body(run: ContactRun, shape):
    """Body of a shape; -1 for the world."""
    return run.scene.shape(shape).body


@kernel
def add_contacts(state: State, run: ContactRun, problem: Problem, h, left):
    """Blocks of all contacts, and what is kept of each; `left`: what is left of the step."""
    if run.contacts > 0 and run.second_order == 1 and state.on_tree:
        note_drift(state, run)
    for k in range(run.contacts):
        if not add_contact(state, run, problem, h, left, k):
            return NEEDS_ROOM
    return OK


@kernel
def add_contact(state: State, run: ContactRun, problem: Problem, h, left, k):
    """One contact. False: there is no room for it."""
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    law = run.law(found.shape_a, found.shape_b)
    record_a, record_b = state.record_of(a), state.record_of(b)
    place_contact(found, contact, law, a, b, record_a, record_b)
    velocity_b = record_b.velocity.at(contact.arm_b).linear
    before = velocity_b - record_a.velocity.at(contact.arm_a).linear
    contact.speed = contact.n.dot(before)
    dim = rows_of(law)
    kind = UNI if dim == 1 else (CONE if dim == 3 else ROLL)
    number = open_block(run, problem, kind, dim, a, b)
    if number == OVERFLOW:
        return False
    block = problem.block(number)
    block.key, block.key_2 = (found.shape_a << 32) | found.shape_b, found.key
    put_side(state, run, problem, block, a, -1.0, contact, contact.arm_a)
    put_side(state, run, problem, block, b, 1.0, contact, contact.arm_b)
    put_friction(block, contact, law, a)
    warm(run, problem, block, contact, h)
    contact.stiff, contact.damp = normal_spring(state, contact, law, a, b, found.gap)
    ahead = Vec3.zero()
    if contact.stiff == 0.0:
        old_a, old_b = velocity_then(state, run, a, h), velocity_then(state, run, b, h)
        ahead = change_ahead(run, contact, old_a, old_b, before, h)
        if ahead.x < 0.0:
            # what a mechanism can hardly follow is not asked of it
            ahead = push_share(state, run, problem, block, a, b) * ahead
    hits = fill_normal(run, problem, block, contact, law.restitution, found.gap, ahead.x, h, left)
    if dim > 1:
        slide = record_b.rotation @ run.surface_velocity(found.shape_b)
        slide = slide - (record_a.rotation @ run.surface_velocity(found.shape_a))
        bias = block.of(problem.bias)
        bias[1], bias[2] = contact.t1.dot(slide), contact.t2.dot(slide)
        if run.is_static == 1:
            hold(block, contact, law, before + slide)
        if law.tangential_stiffness == 0.0:
            lead_tangents(run, contact, bias, before + slide, ahead, hits, state.on_tree)
        else:
            put_tangential_spring(problem, block, contact, law, h)
        if dim > 3:
            turn = record_b.velocity.angular - record_a.velocity.angular
            lead_turning(run, contact, block, bias, turn, hits)
    return True


# -- where and between what ------------------------------------------------------------------------


@kernel
def place_contact(found, contact, law, a, b, record_a, record_b):
    """Frame, arms and points of both surfaces."""
    n = found.normal
    t1, t2 = tangents(n)
    contact.n, contact.t1, contact.t2 = n, t1, t2
    arm_a, arm_b = found.point - record_a.center, found.point - record_b.center
    half = 0.5 * found.gap * n
    end_a, end_b = arm_a - half, arm_b + half
    contact.local_a = record_a.rotation.transposed_times(end_a)
    contact.local_b = record_b.rotation.transposed_times(end_b)
    rigid = law.stiffness == 0.0 and law.frequency == 0.0
    if rigid and found.flags & SPUN == 0:
        # the world does not come nearer: what touches it does so with its own surface. Two bodies
        # meet halfway, and with one point for both friction has no moment of its own
        if a < 0:
            arm_b = end_b
        elif b < 0:
            arm_a = end_a
    contact.arm_a, contact.arm_b = arm_a, arm_b


@kernel
def rows_of(law):
    """Rows of a contact: 1 without friction, 3 with it, 4 against spinning, 6 against rolling."""
    if law.rolling > 0.0:
        return 6
    if law.spinning > 0.0:
        return 4
    if law.friction > 0.0 or law.tangential_stiffness > 0.0:
        return 3
    return 1


@kernel
def put_side(state: State, run: ContactRun, problem: Problem, block, body, sign, contact, arm):
    """J of one body: sign (d, r x d) for each direction; sign (0, d) for spin and rolling."""
    if body < 0:
        return
    rows, n, dim = run.row_scratch, contact.n, block.dim
    put_force(rows, 0, sign * Force(n, arm % n))
    if dim > 1:
        t1, t2 = contact.t1, contact.t2
        put_force(rows, 6, sign * Force(t1, arm % t1))
        put_force(rows, 12, sign * Force(t2, arm % t2))
        if dim > 3:
            put_force(rows, 18, sign * Force(Vec3.zero(), n))
        if dim > 4:
            put_force(rows, 24, sign * Force(Vec3.zero(), t1))
            put_force(rows, 30, sign * Force(Vec3.zero(), t2))
    put_rows(state, run, problem, block, body, rows)


@kernel
def put_friction(block, contact, law, a):
    """Coefficients, and the length that makes angular rows a speed."""
    if block.dim > 1:
        block.mu = Friction(law.friction, law.spinning, law.rolling)
    if block.dim > 3:
        of_a = contact.arm_a.dot(contact.arm_a) if a >= 0 else 0.0
        far = max(of_a, contact.arm_b.dot(contact.arm_b))
        block.length = math.sqrt(far) if far > 0.0 else 1.0


@kernel
def hold(block, contact, law, sliding):
    """Static friction where the contact stuck in the last step, or is at rest."""
    n = contact.n
    along = sliding - n.dot(sliding) * n
    if law.static > law.friction and (contact.stuck == 1.0 or along.dot(along) <= REST * REST):
        block.mu = Friction(law.static, law.spinning, law.rolling)


@kernel
def warm(run: ContactRun, problem: Problem, block, contact, h):
    """First impulses: those of the last step, in this frame and for this step's length."""
    share = h / run.last_step if run.last_step > 0.0 else 0.0
    lam0, dim = block.of(problem.lam0), block.dim
    n, t1, t2 = contact.n, contact.t1, contact.t2
    impulse, turning = contact.impulse, contact.turning_impulse
    lam0[0] = share * n.dot(impulse)
    if dim > 1:
        lam0[1], lam0[2] = share * t1.dot(impulse), share * t2.dot(impulse)
    if dim > 3:
        lam0[3] = share * n.dot(turning)
    if dim > 4:
        lam0[4], lam0[5] = share * t1.dot(turning), share * t2.dot(turning)


# -- the normal ------------------------------------------------------------------------------------


@kernel
def fill_normal(run: ContactRun, problem: Problem, block, contact, e, gap, ahead, h, left):
    """b and R along the normal, and whether it bounces. True: the contact hits.

    `ahead`: what second order adds (`contact.rows.second_order`).
    """
    i, stiffness, damping, speed = block.row, contact.stiff, contact.damp, contact.speed
    contact.bounce, contact.lead = 0.0, Vec3(ahead, 0.0, 0.0)
    if stiffness > 0.0:
        problem.bias[i] = spring_bias(stiffness, damping, gap, left)
        problem.compliance[i] = 1.0 / (h * (left * stiffness + damping))
        return False
    problem.bias[i] = max(ahead, gap / left + 0.5 * ahead)
    if not speed - ahead < -run.threshold:
        return False
    # an impact if the surfaces met in this step: also ahead of it, with all of their speed
    contact.bounce = -bounce_at(run, e, speed - ahead)
    meets = gap + left * speed <= 0.0
    if meets and contact.bounce < 0.0:
        bounce_off(problem, contact, block)
    # what goes on where surfaces curve approaches by that alone
    return contact.bounce > 0.0 or (meets and ahead == 0.0)


@kernel
def normal_spring(state: State, contact, law, a, b, gap):
    """Stiffness and damping along the normal; (0, 0) for a rigid contact."""
    if law.stiffness > 0.0:
        # Hunt and Crossley's damping is that of the depth at the start of the step
        depth = max(0.0, -gap)
        return law.stiffness, law.damping + law.dissipation * law.stiffness * depth
    frequency = law.frequency
    if frequency > 0.0:
        felt = mobility(state, a, contact.arm_a, contact.n)
        felt += mobility(state, b, contact.arm_b, contact.n)
        mass = 1.0 / felt
        return mass * frequency * frequency, 2.0 * law.damping_ratio * mass * frequency
    return 0.0, 0.0


@kernel
def mobility(state: State, body, arm, n):
    """n . (velocity of the point that a unit impulse along n gives the body alone)."""
    if body < 0:
        return 0.0
    own, turn = state.turned_body(body), arm % n
    return 1.0 / own.mass + turn.dot(own.theta.solve(turn))


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
def bounce_at(run: ContactRun, e, speed):
    """Restitution at a normal velocity; 0 where it would leave with no more than the threshold.

    It would hang before the surface, where the step has left it, until it falls again.
    """
    return e if -e * speed > run.threshold else 0.0


@kernel
def bounce_off(problem: Problem, contact, block):
    """Make a contact that might bounce an impact."""
    e = -contact.bounce
    contact.bounce, contact.lead = e, Vec3(0.0, contact.lead.y, contact.lead.z)
    problem.bias[block.row] = e * contact.speed


# -- the tangents ----------------------------------------------------------------------------------


@apart(None)
def put_tangential_spring(problem: Problem, block, contact, law, h):
    """b and R of the bristles along t1 and t2."""
    stiffness, damping, stretch = law.tangential_stiffness, law.tangential_damping, contact.stretch
    bias, R = block.of(problem.bias), block.of(problem.compliance)
    share = stiffness / (h * stiffness + damping)
    bias[1] += share * contact.t1.dot(stretch)
    bias[2] += share * contact.t2.dot(stretch)
    R[1] = R[2] = 1.0 / (h * (h * stiffness + damping))
