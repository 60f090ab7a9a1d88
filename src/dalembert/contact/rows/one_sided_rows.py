"""One-sided rows: stops, cables, motors with limits, brakes, dry friction (contact 16).

Each row has a value phi(q, t), its J and a record of numbers; each becomes a block of its own, but
for drives that are part of A (`contact.rows.implicit_drives`).

| law | kind | record |
|---|---|---|
| STOP | UNI: phi >= 0 | stiffness (0: rigid), damping, restitution; frequency, its ratio; unit |
| DRIVE | BOX | lowest and highest force; target speed; kp, kd, target of phi (kp = kd = 0: rigid) |
| TANGENT | | none: a velocity of sliding of the stop before it, whose block is a CONE then |

A stop is a limit of a joint, a cable or any phi >= 0 of the user: b = phi / h where phi > 0, with a
frequency f instead of a stiffness k = m f^2 and d = 2 z m f, m = 1 / (J A^-1 J^T). A soft one has
the b of a soft contact (`contact.rows.contact_rows`): no force across a gap. A drive is

    lam / h = kp (target - phi - h phi') + kd (target speed - phi')      within its bounds,

which is b = (kp (phi - target) - kd target speed) / (h kp + kd), R = 1 / (h (h kp + kd)). In a step
of second order its force is the mean of those at both ends, as far as the step resolves it: a part
p of it is of the end, with W that of its row and z = h (kd + h/2 kp) W

    p = max(1/2, 1 - 1/z),     so that a damper alone never turns a velocity about. Dry
friction and brakes are rigid drives to the speed 0 with bounds, which may depend on the state at
the start of the step (Stribeck's curve). Where the force in a joint makes friction its bounds are
those of the impulses of the same step, |lam| <= h f + c |lam_joint|: the step is solved with the
impulses of the last one, and again with what it has found until they are the same.

A stop with one or two tangents is a contact of the user's formulas, phi' and s' being its normal
and tangential velocity: |lam_t| <= mu lam_n. With one the third row of its cone is zero, and has a
compliance: its impulse is zero then. With second order (`rows.second_order`) tangents have the lead
C = s'(middle) - s'(start) where they stuck in the last step, and s' where they slid, which makes
friction act against the mean of the sliding at both ends.

Laws and bodies of the rows are in
`ContactRun.law_table`, their J, body after body, in `State.side_jacobian`.
"""

import math

from dalembert._jit import apart, kernel
from dalembert._traceable import chosen
from dalembert.contact.problem.layout import BOX, CONE, OVERFLOW, UNI, Problem
from dalembert.contact.problem.record_layout import Friction
from dalembert.contact.problem.writing import add_block
from dalembert.contact.rows.body_rows import clique_of, open_block, put_rows, put_two_on_tree
from dalembert.contact.rows.contact_rows import REST, bounce_at, spring_bias
from dalembert.contact.rows.far_stops import REACH, fastest, is_far
from dalembert.contact.run.record_layout import DRIVE, STOP, TANGENT
from dalembert.contact.run.run_layout import ContactRun, tangents_of
from dalembert.mechanics.dense import mass_solve
from dalembert.numerics.spatial import force
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.state_layout import State

SAME_LOAD, LOAD_ROUNDS = 1e-10, 40
"""Change of a bound of friction that is none; times that the bounds of a step are renewed."""

AT_LIMIT, SLOW = 1.0 - 1e-6, 1e-6
"""Part of mu lam_n from which friction slid; speed [m/s] whose direction says nothing."""

METRES, RADIANS, OWN_UNIT = range(3)
"""Units of a stop."""

JUDGED = 2.0 / 3.0
"""Largest part of a drive's law that is of the end of a step which error control judges:
1 / (1 + r) where a stiff damper leaves -r of a velocity, a half."""


@apart(int)
def open_side(state: State, run: ContactRun, problem: Problem, row, kind):
    """A block of one row with its J; OVERFLOW where there is no room."""
    if state.mechanism == 0:
        return open_formula_side(state, problem, row, kind)
    law = run.side_law(row)
    a = run.side_body(state.sides, law, 0).body
    b = a
    for i in range(1, law.count):
        body = run.side_body(state.sides, law, i).body
        if clique_of(run, body) != clique_of(run, a):
            b = body
    number = open_block(run, problem, kind, 1, a, b)
    if number == OVERFLOW:
        return OVERFLOW
    block = problem.block(number)
    if state.bodies == 0 and law.count == 2 and b == a:
        first, second = run.side_body(state.sides, law, 0), run.side_body(state.sides, law, 1)
        put_two_on_tree(state, run, problem.J_a(block)[0], first, second)
        return number
    for i in range(law.count):
        own = run.side_body(state.sides, law, i)
        rows = state.side_jacobian[own.start : own.start + 6]
        put_rows(state, run, problem, block, own.body, rows)
    return number


@apart(int)
def open_cone(state: State, run: ContactRun, problem: Problem, row, count):
    """A block of a stop and its tangents, `count` in all, with their J; OVERFLOW without room."""
    if state.mechanism == 0:
        number = add_block(problem, CONE, 3, 0, -1)
        if number != OVERFLOW:
            J = problem.J_a(problem.block(number))
            for r in range(3):
                for k in range(state.nv):
                    J[r, k] = state.side_jacobian[state.nv * (row + r) + k] if r < count else 0.0
        return number
    a = run.side_body(state.sides, run.side_law(row), 0).body
    b = a
    for r in range(count):
        law = run.side_law(row + r)
        for i in range(law.count):
            body = run.side_body(state.sides, law, i).body
            if clique_of(run, body) != clique_of(run, a):
                b = body
    number = open_block(run, problem, CONE, 3, a, b)
    if number == OVERFLOW:
        return OVERFLOW
    block, rows = problem.block(number), run.row_scratch
    for r in range(count):
        law = run.side_law(row + r)
        for i in range(law.count):
            own = run.side_body(state.sides, law, i)
            for k in range(18):
                rows[k] = 0.0
            for k in range(6):
                rows[6 * r + k] = state.side_jacobian[own.start + k]
            put_rows(state, run, problem, block, own.body, rows)
    return number


@kernel
def open_formula_side(state: State, problem: Problem, row, kind):
    """A block of one row of a model of formulas."""
    number = add_block(problem, kind, 1, 0, -1)
    if number == OVERFLOW:
        return OVERFLOW
    J = problem.J_a(problem.block(number))
    for k in range(state.nv):
        J[0, k] = state.side_jacobian[state.nv * row + k]
    return number


@apart(int)
def add_laws(state: State, run: ContactRun, problem: Problem, h, left):
    """Blocks of all one-sided rows; `left`: what is left of the step."""
    run.far_stops, reach = 0, REACH * h * fastest(problem)
    for row in range(state.sides):
        run.side_bounce[row] = 0.0
        run.side_far[row] = 0
        law = run.side_law(row).law
        if law == TANGENT:
            continue  # has been filled with its stop
        run.side_lead[row] = 0.0
        if run.absorbed > 0 and run.side_joint[row] >= 0:
            continue
        count = 1 + tangents_of(state, run, row)
        if law == STOP and run.all_stops == 0 and count == 1 and is_far(state, run, row, reach):
            run.side_far[row] = 1
            run.far_stops += 1
            continue
        run.side_kept[run.side_blocks] = row
        run.side_blocks += 1
        if count > 1:
            number = open_cone(state, run, problem, row, count)
        else:
            number = open_side(state, run, problem, row, UNI if law == STOP else BOX)
        if number == OVERFLOW:
            return NEEDS_ROOM
        block = problem.block(number)
        problem.bias[block.row] = state.side_phi_t[row]
        if law == STOP:
            fill_stop(state, run, problem, block, row, h, left)
            if count > 1:
                fill_tangents(state, run, problem, block, row, count, h, left)
        else:
            fill_drive(state, run, problem, block, row, h, left)
    run.fixed_blocks = problem.blocks
    return OK


# -- stops -----------------------------------------------------------------------------------------


@apart(None)
def fill_stop(state: State, run: ContactRun, problem: Problem, block, row, h, left):
    """b and R of a stop, and whether it bounces."""
    stop, i = state.stop(row), block.row
    phi, phi_dot = state.side_phi[row], state.side_phi_dot[row]
    stiffness, damping = stop_spring(state, run, row)
    if stiffness > 0.0:
        problem.bias[i] += spring_bias(stiffness, damping, phi, left)
        problem.compliance[i] = 1.0 / (h * (left * stiffness + damping))
        return
    ahead = lead_of_stop(state, run, row, h, left)
    e = bounce_at(run, stop.restitution, stop.arm * (phi_dot - ahead))
    problem.bias[i] += ahead + max(0.0, phi / left - 0.5 * ahead)
    if e > 0.0:
        run.side_bounce[row] = -e
        if phi + left * phi_dot <= 0.0:
            stop_short(state, run, problem, row, block)


@kernel
def stop_spring(state: State, run: ContactRun, row):
    """Stiffness and damping of a stop; (0, 0) for a rigid one."""
    stop = state.stop(row)
    if stop.frequency > 0.0:
        mass = felt_mass(state, run, row)
        damping = 2.0 * stop.damping_ratio * mass * stop.frequency
        return mass * stop.frequency * stop.frequency, damping
    return stop.stiffness, stop.damping


@kernel
def lead_of_stop(state: State, run: ContactRun, row, h, left):
    """Half a step's change of the rate, while it stays closed (`rows.second_order`)."""
    if left < h:
        change = state.side_phi_dot[row] - run.side_rates[row]
        return chosen(run.fixed_impulses[state.rows + row] > 0.0, change, 0.0)
    return 0.0


@kernel
def stop_short(state: State, run: ContactRun, problem: Problem, row, block):
    """Make a stop that might bounce an impact."""
    e = -run.side_bounce[row]
    run.side_bounce[row] = e
    problem.bias[block.row] = state.side_phi_t[row] + e * state.side_phi_dot[row]


# -- friction of stops -----------------------------------------------------------------------------


@apart(None)
def fill_tangents(state: State, run: ContactRun, problem: Problem, block, row, count, h, left):
    """mu and b of the cone of a stop; a compliance where a tangent is missing."""
    stop = state.stop(row)
    holds = stop.static > stop.friction and is_held(state, run, row, count)
    block.mu = Friction(stop.static if holds else stop.friction, 0.0, 0.0)
    slid = left < h and has_slid(state, run, row, count)
    stuck = left < h and not slid and run.fixed_impulses[state.rows + row] > 0.0
    for r in range(1, count):
        rate = state.side_phi_dot[row + r]
        lead = rate if slid else (rate - run.side_rates[row + r] if stuck else 0.0)
        run.side_lead[row + r] = lead
        problem.bias[block.row + r] = state.side_phi_t[row + r] + lead
    if count < 3:
        problem.compliance[block.row + 2] = 1.0 / felt_mass(state, run, row)


@kernel
def has_slid(state: State, run: ContactRun, row, count):
    """Whether friction was at its limit in the last step, and sliding goes on."""
    stop = state.stop(row)
    if stop.static > stop.friction and run.side_stuck[row] == 1.0:
        return False
    fast = ahead = 0.0
    for r in range(1, count):
        begins = run.side_rates[row + r]
        fast += begins * begins
        ahead += (state.side_phi_dot[row + r] - begins) * (state.side_phi_dot[row + r] - begins)
    return was_at_limit(state, run, row, count) and fast > max(SLOW * SLOW, ahead)


@kernel
def was_at_limit(state: State, run: ContactRun, row, count):
    """Whether a stop pressed in the last step, and its friction was at its limit."""
    first, rubbed = state.rows + row, 0.0
    most = AT_LIMIT * state.stop(row).friction * run.fixed_impulses[first]
    for r in range(1, count):
        rubbed += run.fixed_impulses[first + r] * run.fixed_impulses[first + r]
    return most > 0.0 and rubbed >= most * most


@kernel
def is_held(state: State, run: ContactRun, row, count):
    """Whether a stop stuck in the last step, or is at rest."""
    if run.side_stuck[row] == 1.0 and run.fixed_impulses[state.rows + row] > 0.0:
        return True
    fast = 0.0
    for r in range(1, count):
        fast += state.side_phi_dot[row + r] * state.side_phi_dot[row + r]
    return fast <= REST * REST


@apart(float)
def felt_mass(state: State, run: ContactRun, row):
    """1 / (J A^-1 J^T) of a row."""
    total = 0.0
    if state.mechanism == 0:
        J, moved = state.side_jacobian[state.nv * row : state.nv * (row + 1)], state.top
        for k in range(state.nv):
            moved[k] = J[k]
        mass_solve(state, moved)
        for k in range(state.nv):
            total += J[k] * moved[k]
        return 1.0 / total
    law = run.side_law(row)
    for i in range(law.count):
        own = run.side_body(state.sides, law, i)
        f, body = force(state.side_jacobian, own.start), state.turned_body(own.body)
        total += f.force.dot(f.force) / body.mass + f.torque.dot(body.theta.solve(f.torque))
    return 1.0 / total


# -- drives ----------------------------------------------------------------------------------------


@apart(None)
def fill_drive(state: State, run: ContactRun, problem: Problem, block, row, h, left):
    """b, R and bounds of a drive."""
    drive, i = state.drive(row), block.row
    problem.lower[i], problem.upper[i] = h * drive.least, h * drive.most
    if drive.load > 0.0:
        share = run.share_of_last(h)
        set_load(problem, block, drive, h, share * load_of(drive, run.fixed_impulses))
    if yields(drive):
        run.side_late[row] = 1.0
        if left < h:
            run.side_late[row] = part_at_end(run, drive, 1.0 / felt_mass(state, run, row), h, left)
        problem.bias[i], whole = drive_of(state, run, row, left)
        problem.compliance[i] = 1.0 / (h * whole)
    else:
        problem.bias[i] -= drive.target_speed


@kernel
def yields(drive):
    """Whether a drive has gains; otherwise it is rigid."""
    return drive.gain > 0.0 or drive.rate_gain > 0.0


@kernel
def part_at_end(run: ContactRun, drive, mobility, h, left):
    """Part of the law of a drive that is of the end of a step of second order, by W of its row.

    A damper turns no velocity about; where steps are judged, to half of it at most (contact 21).
    """
    z = h * (left * drive.gain + drive.rate_gain) * mobility
    if not z > 2.0:
        return 0.5
    if run.controlled == 1 and run.plain == 0:
        return max(0.5, JUDGED - 1.0 / z)
    return 1.0 - 1.0 / z


@kernel
def drive_of(state: State, run: ContactRun, row, left):
    """b and 1 / (h R) of a drive that yields; `side_late` is known."""
    drive, phi, late = state.drive(row), state.side_phi[row], run.side_late[row]
    whole = late * (left * drive.gain + drive.rate_gain)
    pull = drive.gain * (phi - drive.target) - drive.rate_gain * drive.target_speed
    if late < 1.0:
        before = (drive.rate_gain - left * drive.gain) * state.side_phi_dot[row]
        pull += (1.0 - late) * before
    return state.side_phi_t[row] + pull / whole, whole


# -- friction by the load of a joint ---------------------------------------------------------------


@kernel
def has_drives(state: State, run: ContactRun):
    """Whether there are drives, brakes or friction of joints, which act in every step."""
    for row in range(state.sides):
        if run.side_law(row).law == DRIVE:
            return True
    return False


@kernel
def load_of(drive, impulses):
    """|F| h of the joint whose force makes friction; impulses of joints."""
    first, total = round(drive.load_row), 0.0
    for i in range(first, first + round(drive.load_rows)):
        total += impulses[i] * impulses[i]
    return math.sqrt(total)


@kernel
def set_load(problem: Problem, block, drive, h, load):
    """Bounds of friction where a joint carries `load`, an impulse."""
    problem.lower[block.row] = h * drive.least - drive.load * load
    problem.upper[block.row] = h * drive.most + drive.load * load


@apart(bool)
def renew_loads(state: State, run: ContactRun, problem: Problem, h):
    """Give friction the bounds of the loads that were found; whether they are others by much."""
    changed = False
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        drive = state.drive(row)
        if run.side_law(row).law == DRIVE and drive.load > 0.0:
            before = problem.upper[block.row]
            set_load(problem, block, drive, h, load_of(drive, problem.lam))
            now = problem.upper[block.row]
            changed = changed or abs(now - before) > SAME_LOAD * (now + before)
    return changed
