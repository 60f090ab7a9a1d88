"""Rows of the contacts of a phase at one state: gaps, velocities u = J v, and J.

u = (n, t1, t2) . (velocity of the point of B - that of A + motion of the surfaces)
"""

from dalembert._jit import apart, kernel
from dalembert.contact.events.layout import SPLIT, Phase
from dalembert.contact.events.rims import follow_rims
from dalembert.contact.rows.contact_rows import place_contact, shape_body
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.numerics.spatial import Force, force
from dalembert.numerics.vector import Vec3, copy
from dalembert.system.borders import OK, STEPPING, evaluate, evaluate_sides, residual
from dalembert.system.state_layout import State

NOT_FOUND = -1

_call_step = STEPPING.call


@kernel
def look(state: State, t, h, q, v):
    """Evaluate the model, its one-sided rows and contacts."""
    evaluate(state, t, q, v)
    return see_contacts(state, t, h, q, v)


@kernel
def glance(state: State, t, h, q, v):
    """Places and velocities only: residuals, one-sided rows and contacts."""
    residual(state, t, q, v)
    return see_contacts(state, t, h, q, v)


@apart(int)
def see_contacts(state: State, t, h, q, v):
    """One-sided rows and contacts where bodies are."""
    evaluate_sides(state, t, q, v)
    run = contact_of(state)
    run.contacts = run.resting = 0
    if run.shapes == 0:
        return OK
    follow_rims(run, Phase(state, state.method_scratch))
    status = _call_step(state.contact_collide, *state, t, h, q, v)
    if status != OK:
        return status
    for k in range(run.contacts):
        found, contact = run.found(k), run.contact(k)
        a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
        law = run.law(found.shape_a, found.shape_b)
        place_contact(found, contact, law, a, b, state.record_of(a), state.record_of(b))
    return OK


@kernel
def index_of(run: ContactRun, active):
    """Which of the contacts found is that of the phase; NOT_FOUND."""
    for k in range(run.contacts):
        found = run.found(k)
        if found.shape_a == int(active.shape_a) and found.shape_b == int(active.shape_b):
            if found.key == int(active.feature_high) * SPLIT + int(active.feature_low):
                return k
    return NOT_FOUND


@kernel
def sliding(state: State, run: ContactRun, k):
    """Velocity (n, t1, t2) of the surfaces of a contact against each other."""
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    record_a, record_b = state.record_of(a), state.record_of(b)
    u = record_b.velocity.at(contact.arm_b).linear - record_a.velocity.at(contact.arm_a).linear
    slide = record_b.rotation @ run.surface_velocity(found.shape_b)
    slide = slide - (record_a.rotation @ run.surface_velocity(found.shape_a))
    slide = slide - contact.n.dot(slide) * contact.n
    return contact.frame @ (u + slide)


@kernel
def turning(state: State, run: ContactRun, k):
    """Angular velocity (n, t1, t2) of the bodies of a contact against each other."""
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    V = state.record_of(b).velocity.angular - state.record_of(a).velocity.angular
    return contact.frame @ V


@apart(bool)
def write_velocities(state: State, phase: Phase, u):
    """Velocities of all rows into u; gaps beside them. False: a contact is not found."""
    run, complete = contact_of(state), True
    for i in range(phase.contacts):
        active = phase.contact(i)
        first, dim = int(active.first), int(active.dim)
        if active.side >= 0.0:
            row = int(active.side)
            active.gap = state.side_phi[row]
            for r in range(dim):
                u[first + r] = state.side_phi_dot[row + r]
            continue
        k = index_of(run, active)
        if k == NOT_FOUND:
            complete = False
            continue
        active.gap = run.found(k).gap
        if active.owner > 0.0:
            turn = phase.size * turning(state, run, k)
            if active.slides == 1.0:
                turn = sliding(state, run, k)
            if dim == 1:
                u[first] = turn.x
            else:
                u[first], u[first + 1] = turn.y, turn.z
            continue
        slide = sliding(state, run, k)
        u[first] = slide.x
        if dim > 1:
            u[first + 1], u[first + 2] = slide.y, slide.z
    return complete


# -- J ---------------------------------------------------------------------------------------------


@apart(None)
def write_jacobian(state: State, phase: Phase):
    """J of all rows."""
    run, J = contact_of(state), phase.jacobian(state.nv)
    for r in range(phase.rows):
        for k in range(state.nv):
            J[r, k] = 0.0
    for i in range(phase.contacts):
        active = phase.contact(i)
        first, dim = int(active.first), int(active.dim)
        if active.side >= 0.0:
            for r in range(dim):
                put_side(state, run, int(active.side) + r, J[first + r])
            continue
        k = index_of(run, active)
        if k != NOT_FOUND and active.owner > 0.0:
            put_resistance(state, run, phase, active, k)
        elif k != NOT_FOUND:
            put_contact(state, run, k, J, first, dim)


@kernel
def put_side(state: State, run: ContactRun, row, J):
    """J of a one-sided row."""
    if state.mechanism == 0:
        copy(state.side_jacobian[state.nv * row : state.nv * (row + 1)], J)
        return
    law = run.side_law(row)
    for i in range(law.count):
        own = run.side_body(state.sides, law, i)
        put_force(state, own.body, force(state.side_jacobian, own.start), J)


@kernel
def put_contact(state: State, run: ContactRun, k, J, first, dim):
    """J of a contact: (d, r x d) of B, less that of A, for each direction d."""
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    for r in range(dim):
        d = contact.n if r == 0 else (contact.t1 if r == 1 else contact.t2)
        put_force(state, a, Force(-1.0 * d, -1.0 * (contact.arm_a % d)), J[first + r])
        put_force(state, b, Force(d, contact.arm_b % d), J[first + r])


@kernel
def put_resistance(state: State, run: ContactRun, phase: Phase, active, k):
    """J of a resistance: (0, d) of B, less that of A, times a length; d: n, or t1 and t2.

    That of one to sliding is as of a contact.
    """
    found, contact = run.found(k), run.contact(k)
    a, b = shape_body(run, found.shape_a), shape_body(run, found.shape_b)
    J, first, dim, size = (
        phase.jacobian(state.nv),
        int(active.first),
        int(active.dim),
        phase.size,
    )
    for r in range(dim):
        d = contact.n if dim == 1 else (contact.t1 if r == 0 else contact.t2)
        if active.slides == 1.0:
            put_force(state, a, Force(-1.0 * d, -1.0 * (contact.arm_a % d)), J[first + r])
            put_force(state, b, Force(d, contact.arm_b % d), J[first + r])
        else:
            put_force(state, a, Force(Vec3.zero(), -size * d), J[first + r])
            put_force(state, b, Force(Vec3.zero(), size * d), J[first + r])


@kernel
def put_force(state: State, body, f, J):
    """A row of J += what a force on a body is along the velocities of the system."""
    if body < 0:
        return
    if state.bodies > 0:
        k = 6 * body
        x, n = f.force, f.torque
        J[k] += x.x
        J[k + 1] += x.y
        J[k + 2] += x.z
        J[k + 3] += n.x
        J[k + 4] += n.y
        J[k + 5] += n.z
        return
    tree = state.tree
    i = tree.link_of(body)
    while i > 0:
        link = tree.link(i)
        for k in range(link.v_start, link.v_start + link.dofs):
            J[k] += f.dot(tree.dof(k).S)
        f, i = f.carried(link.arm), link.parent
