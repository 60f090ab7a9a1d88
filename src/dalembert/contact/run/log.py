"""Records of contacts with a sample: rows in two tables that Python empties now and then.

| table | row |
|---|---|
| contacts | sample, shapes A, B, feature; point, normal, gap; force and torque on B; state, slip |
| steps | sample; what is reported of the step; forces of one-sided rows; accelerations (v+ - v)/h |

Forces are impulses over the step. A sample within a step has those of the step.
"""

from dalembert._jit import border, kernel
from dalembert.contact.run.record_layout import REPORT_FLOATS
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.contact.run.step_in_halves import Doubled
from dalembert.system.borders import ASKING, NOTING, OK
from dalembert.system.state_layout import State


@border(ASKING)
def log_is_full(state: State):
    """1 where the contacts of another sample might find no room."""
    run = contact_of(state)
    if run.logged_steps + 1 >= run.most_logged_steps:
        return 1
    return 1 if run.most_logged_contacts - run.logged_contacts < run.most_contacts else 0


@border(NOTING)
def note_sample(state: State, t, v):
    """The contacts and the report of the last step, for the sample of number t."""
    log_sample(state, t, v)
    return OK


@kernel
def log_sample(state: State, sample, v):
    """The contacts and the report of the last step, for a sample; v is the velocity at its end."""
    run = contact_of(state)
    h = run.last_step
    if not h > 0.0 or run.logged_steps >= run.most_logged_steps:
        return
    width = run.step_log_floats
    row = run.step_log[width * run.logged_steps : width * (run.logged_steps + 1)]
    run.logged_steps += 1
    log_step(state, run, sample, v, row)
    for k in range(run.contacts + run.resting):
        if run.logged_contacts >= run.most_logged_contacts:
            return
        log_contact(run, k, sample, run.logged_contact(run.logged_contacts))
        run.logged_contacts += 1


@kernel
def log_step(state: State, run: ContactRun, sample, v, row):
    """The row of a step."""
    h = run.last_step
    row[0] = sample
    for i in range(REPORT_FLOATS):
        row[1 + i] = run.report[i]
    at = 1 + REPORT_FLOATS
    for i in range(state.sides):
        row[at + i] = run.fixed_impulses[state.rows + i] / h
    at += state.sides
    before = state.start_v
    if run.controlled == 1 and run.smooth_now == 0:
        before = Doubled(state, run.doubled).middle_v
    for k in range(state.nv):
        row[at + k] = run.last_change[k] if run.located == 1 else (v[k] - before[k]) / h


@kernel
def log_contact(run: ContactRun, k, sample, row):
    """The row of a contact."""
    found, contact, h = run.found(k), run.contact(k), run.last_step
    row.sample, row.shape_a, row.shape_b, row.feature = (
        sample,
        found.shape_a,
        found.shape_b,
        found.key,
    )
    row.point, row.normal, row.gap = found.point, contact.n, found.gap
    push = contact.impulse + contact.viscous if run.viscous_blocks > 0 else contact.impulse
    row.force, row.torque = push / h, contact.turning_impulse / h
    row.state, row.slip = contact.state, contact.slip
