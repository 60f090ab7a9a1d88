"""Second order of contacts that go on: surfaces that curve, sliding that turns, bodies that spin.

A step of second order has its rows J in the middle and its velocities at the ends. A contact that
was there in the last step knows its rows from there, too, a step before. With them,

    C = (J - J_old) v h / (h + h_old),     half a step's change of J v,

(on a tree with J_old = J_b S of the last step, too: `velocity_then`)
the velocity at the end is J v+ + C, as that of joints is J v+ - h/2 r_a, and the gap there
phi + h/2 (J v+ + C/2). Neither is to be negative:  n: b = max(C, phi / (h/2) + C/2), which keeps a
body on a hill and in a bowl;  t: b = C where it sticks. Where it slides, friction acts against the
mean of the sliding at both ends, b = J_t v, as long as nothing stops or turns about in this step,
nor hits: an impact has one velocity to rub against, that after it. That is looked at when the step
is solved, and it is solved again without where it does. Resistance to spin and to rolling acts
against the mean of both ends in the same way, each where it goes on.

Torques of gyroscopes are those of the mean angular velocity, w + h/2 (w' + c), where c is what
impulses added in the last step; after an impact, which tells nothing about the next step, c = 0.

"""

from dalembert._jit import apart, in_traces, kernel
from dalembert._traceable import chosen
from dalembert.contact.algebra.blocks import row_times, row_velocity
from dalembert.contact.problem.layout import BOX, CONE, SLIDING, STICKING, Problem
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.assemble import take_without_impulses
from dalembert.contact.run.run_layout import ContactRun, tangents_of
from dalembert.mechanics.maximal import leave_out_gyroscopic
from dalembert.mechanics.tree_kinematics import spread_acceleration
from dalembert.numerics.spatial import motion
from dalembert.numerics.vector import Vec3
from dalembert.system.state_layout import State

TURNED = 0.04
"""Squared change of a normal beyond which it is another face that is touched."""

STEADY = 3.0
"""Times its change in a step that sliding must be to be taken as going on."""

SLOW = 1e-6
"""Speed of sliding [m/s] whose direction says nothing."""

ROUNDED = 1e-12
"""Part of a velocity that is rounding."""

STRUCK = 0.75
"""Approach, over the change of normal velocity by impulses, that makes it an impact. Where a
surface curves it is half of it."""


@apart(None)
def note_drift(state: State, run: ContactRun):
    """S' v of every body of a tree, where the step is looked at."""
    spread_acceleration(state.tree_integers, state.tree_room, run.at_rest, run.drift)


@kernel
def velocity_then(state: State, run: ContactRun, body, h):
    """V of a body where the last step was looked at, with the velocities of now.

    On a tree V = S v, and S was another one then: S v - (h + h_old)/2 S' v.
    """
    V = state.record_of(body).velocity
    if body >= 0 and state.on_tree:
        V = (-0.5 * (h + run.last_step)) * motion(run.drift, 6 * body) + V
    return V


@kernel
def change_ahead(run: ContactRun, contact, a, b, before, h):
    """C of n, t1, t2; zero where the contact does not go on.

    `a` and `b` are velocities of its bodies (`velocity_then`), `before` the relative one of now.
    """
    if not goes_on(run, contact):
        return Vec3.zero()
    turn = contact.n - contact.old_n
    if turn.dot(turn) > TURNED:
        return Vec3.zero()
    of_a, of_b = a.at(contact.old_arm_a), b.at(contact.old_arm_b)
    J_v, J_old_v = contact.frame @ before, turned_back(contact, of_b.linear - of_a.linear)
    return (h / (h + run.last_step)) * (J_v - J_old_v)


@kernel
def turned_back(contact, u):
    """Components of u along n, t1, t2 of the last step: those of now, turned with the normal.

    The least turn of n to m = n_old takes t to t - (m.t) (n + m) / (1 + n.m): tangents do not turn
    about the normal, however those that are made of it alone do.
    """
    n, m = contact.n, contact.old_n
    now, lean = contact.frame @ u, contact.frame @ m
    along = (n + m).dot(u) / (1.0 + n.dot(m))
    return Vec3(m.dot(u), now.y - along * lean.y, now.z - along * lean.z)


@kernel
def goes_on(run: ContactRun, contact):
    """Whether a contact was there in the last step, and its rows are those of the middle."""
    return run.second_order == 1 and contact.old_state != 0.0


@kernel
def lead_tangents(run: ContactRun, contact, bias, sliding, ahead, hits, on_tree):
    """Add what second order wants of the tangents to the bias of a contact's rows.

    Nothing where the contact hits. `sliding`: relative velocity of the surfaces.
    """
    n = contact.n
    slide = sliding - n.dot(sliding) * n
    contact.slide = slide
    if hits or not goes_on(run, contact):
        return
    lead, fast = ahead, slide.dot(slide)
    closely = on_tree or (run.controlled == 1 and run.plain == 0)
    if contact.old_state != 1.0 + STICKING and slides_at_start(contact, slide, ahead, closely):
        change = slide - contact.old_slide
        if fast > STEADY * STEADY * change.dot(change):
            lead = contact.frame @ slide
    contact.lead = Vec3(contact.lead.x, lead.y, lead.z)
    bias[1] += lead.y
    bias[2] += lead.z


@kernel
def lead_turning(run: ContactRun, contact, block, bias, turn, hits):
    """Add the spin and the rolling before the step, each where it goes on, to the bias of its rows.

    `turn`: angular velocity of B against A. Nothing where the contact hits.
    """
    contact.turn, contact.turn_lead = turn, Vec3.zero()
    if hits or not goes_on(run, contact):
        return
    now, before = contact.frame @ turn, contact.frame @ contact.old_turn
    slow = SLOW / block.length
    x = now.x if turns_on(now.x, 0.0, before.x, 0.0, slow) else 0.0
    y = z = 0.0
    if block.dim > 4 and turns_on(now.y, now.z, before.y, before.z, slow):
        y, z = now.y, now.z
        bias[4] += y
        bias[5] += z
    bias[3] += x
    contact.turn_lead = Vec3(x, y, z)


@kernel
def turns_on(y, z, old_y, old_z, slow):
    """Whether a motion is no slower than `slow`, and hardly another one than in the last step."""
    fast, a, b = y * y + z * z, y - old_y, z - old_z
    return fast > slow * slow and fast > STEADY * STEADY * (a * a + b * b)


@kernel
def slides_at_start(contact, slide, ahead, closely):
    """Whether a contact slides; of trees, and where steps are judged, where its step begins.

    By more than half a step's change of rows: J_t v of the middle, `slide`, is C where it sticks,
    and where rows turn it may be the other way round than what slides slowly.
    """
    if not closely:
        return slide.dot(slide) > SLOW * SLOW
    there = contact.frame @ slide
    y, z = there.y - ahead.y, there.z - ahead.z
    return y * y + z * z > max(SLOW * SLOW, ahead.y * ahead.y + ahead.z * ahead.z)


@kernel
def leads_by_mean(contact):
    """Whether the lead of the tangents is J_t v, sliding that goes on, and not C.

    But for rounding: compiled elsewhere, the same product may be fused otherwise.
    """
    mean = contact.frame @ contact.slide
    y, z = contact.lead.y - mean.y, contact.lead.z - mean.z
    return y * y + z * z <= ROUNDED * ROUNDED * (mean.y * mean.y + mean.z * mean.z)


@apart(bool)
def withdraw(state: State, run: ContactRun, problem: Problem):
    """Take the mean direction back where sliding stops or turns about, or something has hit.

    Whether that was anywhere. The velocity after the step is u - lead, that before it the lead.
    """
    found, hit = False, mark_struck(state, run, problem)
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if block.dim > 3 and problem.lam[block.row] > 0.0:
            struck_now = hit and run.redone[block.island] > 0.0
            found = withdraw_turning(problem, contact, block, struck_now) or found
        a, b = contact.lead.y, contact.lead.z
        if block.dim < 3 or (a == 0.0 and b == 0.0) or not problem.lam[block.row] > 0.0:
            continue
        if not leads_by_mean(contact):
            continue
        y, z = row_velocity(problem, block, 1) - a, row_velocity(problem, block, 2) - b
        steady = block.state == SLIDING and y * a + z * b >= 0.25 * (a * a + b * b)
        if not steady or (hit and run.redone[block.island] > 0.0):
            bias = block.of(problem.bias)
            bias[1] -= a
            bias[2] -= b
            contact.lead = Vec3(contact.lead.x, 0.0, 0.0)
            found = True
    if found:
        begin_with_impulses(problem)
    return found


@kernel
def withdraw_turning(problem: Problem, contact, block, hit):
    """`withdraw` of spin and rolling of one contact; whether any of them does not go on."""
    lead, bias = contact.turn_lead, block.of(problem.bias)
    x, y, z = lead.x, lead.y, lead.z
    spin, roll = x * x, y * y + z * z
    found = False
    if spin > 0.0 and (hit or x * row_velocity(problem, block, 3) < 1.25 * spin):
        bias[3] -= x
        x, found = 0.0, True
    if roll > 0.0:
        along = y * row_velocity(problem, block, 4) + z * row_velocity(problem, block, 5)
        if hit or along < 1.25 * roll:
            bias[4] -= y
            bias[5] -= z
            y, z, found = 0.0, 0.0, True
    if found:
        contact.turn_lead = Vec3(x, y, z)
    return found


@apart(bool)
def withdraw_tangents(state: State, run: ContactRun, problem: Problem):
    """`withdraw` of stops with friction; `redone` is as that has left it.

    What stops or turns about has b = C: its velocity at the end is J_t v+ + C.
    """
    found = False
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        if block.kind != CONE or not problem.lam[block.row] > 0.0:
            continue
        along = size = 0.0
        by_mean = True
        for r in range(1, 1 + tangents_of(state, run, row)):
            lead = run.side_lead[row + r]
            by_mean = by_mean and lead == state.side_phi_dot[row + r]
            along += lead * (row_velocity(problem, block, r) - lead)
            size += lead * lead
        if not by_mean or size == 0.0:
            continue
        steady = block.state == SLIDING and along >= 0.25 * size
        hit = run.redone[block.island] > 0.0
        if not steady or hit:
            for r in range(1, 1 + tangents_of(state, run, row)):
                ahead = 0.0 if hit else state.side_phi_dot[row + r] - run.side_rates[row + r]
                problem.bias[block.row + r] += ahead - run.side_lead[row + r]
                run.side_lead[row + r] = ahead
            found = True
    if found:
        begin_with_impulses(problem)
    return found


# -- bodies that spin ------------------------------------------------------------------------------


@apart(None)
def expect_spin(state: State, run: ContactRun, left, v):
    """Q with the gyroscopic torques of v + h/2 c in the place of those of v.

    `next_push` holds v + h/2 c until the step is done.
    """
    force, expected, torque = state.force, run.next_push, run.next_change
    for k in range(state.nv):
        expected[k] = v[k] + left * run.last_push[k]
        torque[k] = 0.0
    leave_out_gyroscopic(state, v, force)
    leave_out_gyroscopic(state, expected, torque)
    for k in range(state.nv):
        force[k] -= torque[k]


@apart(None)
def keep_push(state: State, run: ContactRun, problem: Problem, h, v):
    """next_push = (v+ - v*) / h; v: that after the step. After an impact both changes are zero."""
    push, change, hit = run.next_push, run.next_change, struck(state, run, problem)
    take_without_impulses(state, run, problem, push)
    for k in range(state.nv):
        push[k] = chosen(hit, 0.0, (v[k] - push[k]) / h)
        change[k] = chosen(hit, 0.0, change[k])


# -- impacts ---------------------------------------------------------------------------------------


@kernel
def bounces(state: State, run: ContactRun):
    """Whether a contact or a stop of this step gives something back."""
    for row in range(state.sides):
        if run.side_bounce[row] > 0.0:
            return True
    for k in range(run.contacts):
        if run.contact(k).bounce > 0.0:
            return True
    return False


@kernel
def struck(state: State, run: ContactRun, problem: Problem):
    """Whether a contact or a stop of this step is an impact."""
    if bounces(state, run):
        return True
    return mark_struck(state, run, problem)


@kernel
def mark_struck(state: State, run: ContactRun, problem: Problem):
    """`redone` of every island: 1 where a contact or a stop is an impact; whether any is."""
    found, redone = 0.0, run.redone
    for i in range(problem.islands):
        redone[i] = 0.0
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        if block.kind == BOX:
            continue
        speed = state.side_phi_dot[row]
        hit = is_struck(run, problem, block, speed, run.side_bounce[row], state.stop(row).arm)
        hit = chosen(hit, 1.0, 0.0)
        redone[block.island] = max(redone[block.island], hit)
        found = max(found, hit)
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if is_struck(run, problem, block, contact.speed, contact.bounce, 1.0):
            redone[block.island] = found = 1.0
    return found > 0.0


@kernel
def is_struck(run: ContactRun, problem: Problem, block, speed, bounce, arm):
    """Whether a block bounces, or presses and has been approached by what it takes.

    `speed`: its normal velocity before the step; times `arm` that of a surface.
    """
    if bounce > 0.0:
        return True
    if not (arm * speed < -run.threshold and problem.lam[block.row] > 0.0):
        return False
    after, free = problem.v, problem.v_free
    change = row_times(problem, block, 0, after) - row_times(problem, block, 0, free)
    return -speed > STRUCK * change


@in_traces(is_struck)
def is_struck_at_once(run, problem, block, speed, bounce, arm):
    """`is_struck` of what does not bounce, in one comparison."""
    change = row_times(problem, block, 0, problem.v) - row_times(problem, block, 0, problem.v_free)
    pressed = min(problem.lam[block.row], -arm * speed - run.threshold)
    return min(pressed, -speed - STRUCK * change) > 0.0
