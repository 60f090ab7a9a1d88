"""The problem of one step: v*, joints, one-sided rows, contacts and the first guess of impulses.

    A (v - v*) = J^T lam,   v* = v + h A^-1 Q                                  (contact 1, 16)

Kinematics and forces are those at the start of the step or, with the second order, of its middle.
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.writing import begin
from dalembert.contact.rows.assemble import add_constraints, complete_inertias
from dalembert.contact.rows.contact_rows import add_contacts
from dalembert.contact.rows.implicit_drives import absorb
from dalembert.contact.rows.one_sided_rows import add_laws, evaluate_sides
from dalembert.contact.rows.viscous_rows import add_viscous
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.free_velocity import add_free_motion, evaluate_middle
from dalembert.contact.step.sleeping import hold_resting, set_aside
from dalembert.contact.step.warm_start import match, warm_fixed
from dalembert.mechanics.maximal import turn_missing
from dalembert.system.borders import OK, STEPPING, evaluate
from dalembert.system.state_layout import State

_call = STEPPING.call


@kernel
def assemble(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The problem of a step, warm start included; t is `left` before its end."""
    status = look(state, run, t, h, left, q, v)
    if status != OK:
        return status
    begin(problem)
    status = add_free_motion(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    if run.sleeping == 1:
        set_aside(run, problem, h)
    match(run)
    hold_resting(run, h)
    return add_rows(state, run, problem, h, left)


@kernel
def look(state: State, run: ContactRun, t, h, left, q, v):
    """Look at the model, its one-sided rows and contacts, `left` before the end of the step."""
    if left < h:
        status = evaluate_middle(state, run, t, h, q, v)
        if status != OK:
            return status
    else:
        evaluate(state, t, q, v)
    if state.massless > 0:
        turn_missing(state)
        complete_inertias(state)
    evaluate_sides(state, t, q, v)
    if state.on_tree and state.sides > 0:
        absorb(state, run, h, left)
    run.contacts = run.resting = 0
    if run.shapes == 0:
        return OK
    return _call(state.contact_collide, *state, t, h, q, v)


@kernel
def add_rows(state: State, run: ContactRun, problem: Problem, h, left):
    """Rows of joints, stops, drives and contacts, with their first impulses."""
    status = add_constraints(state, run, problem, left if left < h else 0.0)
    if status != OK:
        return status
    run.viscous_blocks = 0
    if run.is_viscous == 1:
        status = add_viscous(state, run, problem, h, left)
        if status != OK:
            return status
    status = add_laws(state, run, problem, h, left)
    if status != OK:
        return status
    warm_fixed(state, run, problem, h)
    return add_contacts(state, run, problem, h, left)
