"""Viscous friction of contacts: -c s against the sliding s, beside Coulomb's cone (contact 13).

    lam = -h c s,     s = J_t v+ + b_t:       EQ with R = 1 / (h c)

b_t is the velocity of moving surfaces. It acts while surfaces touch: they pressed in the last step,
or are closed where this one is looked at. Implicit, so that any c is stable. With second order s is
the mean of both ends where the step resolves the decay, h c w < 1 with the mobility w of the point:

    J_t v+ + (J_t v- + 2 b_t) + R lam = 0,    R = 2 / (h c)

Blocks stand behind those of joints and before those of one-sided rows, in the order of contacts.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_times
from dalembert.contact.problem.layout import EQ, OVERFLOW, Problem
from dalembert.contact.rows.body_rows import open_block, put_rows
from dalembert.contact.rows.contact_rows import mobility, place_contact, shape_body
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.spatial import Force, put_force
from dalembert.numerics.vector import Vec3
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.state_layout import State


@apart(int)
def add_viscous(state: State, run: ContactRun, problem: Problem, h, left):
    """Blocks of contacts with viscous friction; `left`: what is left of the step."""
    for k in range(run.contacts):
        contact, found = run.contact(k), run.found(k)
        contact.viscous, contact.damped = Vec3.zero(), 0.0
        law = run.law(found.shape_a, found.shape_b)
        closed = found.gap <= 0.0 or found.normal.dot(contact.impulse) > 0.0
        if law.viscous > 0.0 and closed and not add_damper(state, run, problem, law, k, h, left):
            return NEEDS_ROOM
    return OK


@kernel
def add_damper(state: State, run: ContactRun, problem: Problem, law, k, h, left):
    """The block of one contact. False: there is no room for it."""
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    record_a, record_b = state.record_of(a), state.record_of(b)
    place_contact(found, contact, law, a, b, record_a, record_b)
    number = open_block(run, problem, EQ, 2, a, b)
    if number == OVERFLOW:
        return False
    run.viscous_blocks += 1
    contact.damped = 1.0
    block = problem.block(number)
    put_tangents(state, run, problem, block, a, -1.0, contact, contact.arm_a)
    put_tangents(state, run, problem, block, b, 1.0, contact, contact.arm_b)
    slide = record_b.rotation @ run.surface_velocity(found.shape_b)
    slide = slide - (record_a.rotation @ run.surface_velocity(found.shape_a))
    w = mobility(state, a, contact.arm_a, contact.t1) + mobility(
        state, b, contact.arm_b, contact.t1
    )
    mean = left < h and h * law.viscous * w < 1.0
    if mean:
        of_b = record_b.velocity.at(contact.arm_b).linear
        slide = 2.0 * slide + (of_b - record_a.velocity.at(contact.arm_a).linear)
    bias, R = block.of(problem.bias), block.of(problem.compliance)
    bias[0], bias[1] = contact.t1.dot(slide), contact.t2.dot(slide)
    R[0] = R[1] = (2.0 if mean else 1.0) / (h * law.viscous)
    return True


@kernel
def put_tangents(state: State, run: ContactRun, problem: Problem, block, body, sign, contact, arm):
    """J of one body: sign (t, r x t)."""
    if body < 0:
        return
    rows, t1, t2 = run.row_scratch, contact.t1, contact.t2
    put_force(rows, 0, sign * Force(t1, arm % t1))
    put_force(rows, 6, sign * Force(t2, arm % t2))
    put_rows(state, run, problem, block, body, rows)


@apart(None)
def take_viscous(run: ContactRun, problem: Problem):
    """Impulses of viscous friction in world axes, and their work, that of contacts."""
    number = run.side_block(0) - run.viscous_blocks
    for k in range(run.contacts):
        contact = run.contact(k)
        if contact.damped == 0.0:
            continue
        block = problem.block(number)
        lam = block.of(problem.lam)
        contact.viscous = lam[0] * contact.t1 + lam[1] * contact.t2
        for r in range(2):
            after, before = problem.v, problem.v_before
            u = row_times(problem, block, r, after) + row_times(problem, block, r, before)
            run.solve_report.contact_work += 0.5 * lam[r] * u
        number += 1
