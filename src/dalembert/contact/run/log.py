"""Records of contacts with a sample: rows in two tables that Python empties now and then.

| table | row |
|---|---|
| contacts | sample, shapes A, B, feature; point, normal, gap; force and torque on B; state, slip |
| steps | sample; what is reported of the step; forces of one-sided rows; accelerations (v+ - v)/h |

Forces are impulses over the step. A sample within a step has those of the step.
"""

from dalembert._jit import border, kernel
from dalembert.collision import layout as found
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    CONTACT_LOG,
    CONTACT_LOG_FLOATS,
    FRAME,
    IMPULSE,
    LOGGED_CONTACTS,
    LOGGED_STEPS,
    MOST_LOGGED_CONTACTS,
    MOST_LOGGED_STEPS,
    REPORT_FLOATS,
    SLIP,
    STATE_NOW,
    STEP_LOG,
    STEP_LOG_FLOATS,
    ContactRun,
    contact_at,
    contact_of,
    found_at,
    found_numbers_at,
    was_smooth,
)
from dalembert.system.borders import ASKING, NOTING, OK
from dalembert.system.layout import NV, ROWS, SIDES, START_V
from dalembert.system.state_layout import State


@border(ASKING)
def log_is_full(state: State):
    """1 where the contacts of another sample might find no room."""
    run = contact_of(state)
    integers = run.sizes
    if integers[LOGGED_STEPS] + 1 >= integers[MOST_LOGGED_STEPS]:
        return 1
    left = integers[MOST_LOGGED_CONTACTS] - integers[LOGGED_CONTACTS]
    return 1 if left < integers[memory.MOST_CONTACTS] else 0


@border(ASKING)
def is_smooth(state: State):
    """1 where the last step was one without impulses."""
    return 1 if was_smooth(state.sizes) else 0


@border(NOTING)
def note_sample(state: State, t, v):
    """The contacts and the report of the last step, for the sample of number t."""
    log_sample(state, t, v)
    return OK


@kernel
def log_sample(state: State, sample, v):
    """The contacts and the report of the last step, for a sample; v is the velocity at its end."""
    work = state.work
    sizes = state.sizes
    run = contact_of(state)
    integers, numbers = run.sizes, run.work
    h = numbers[memory.LAST_STEP]
    if not h > 0.0 or integers[LOGGED_STEPS] >= integers[MOST_LOGGED_STEPS]:
        return
    to = integers[STEP_LOG] + integers[STEP_LOG_FLOATS] * integers[LOGGED_STEPS]
    integers[LOGGED_STEPS] += 1
    numbers[to] = sample
    for i in range(REPORT_FLOATS):
        numbers[to + 1 + i] = numbers[integers[memory.REPORT] + i]
    to += 1 + REPORT_FLOATS
    for i in range(sizes[SIDES]):
        numbers[to + i] = numbers[integers[memory.FIXED_IMPULSES] + sizes[ROWS] + i] / h
    to += sizes[SIDES]
    for k in range(sizes[NV]):
        numbers[to + k] = (v[k] - work[sizes[START_V] + k]) / h
    for k in range(integers[memory.CONTACTS] + integers[memory.RESTING]):
        if integers[LOGGED_CONTACTS] >= integers[MOST_LOGGED_CONTACTS]:
            return
        to = integers[CONTACT_LOG] + CONTACT_LOG_FLOATS * integers[LOGGED_CONTACTS]
        integers[LOGGED_CONTACTS] += 1
        log_contact(run, k, sample, h, to)


@kernel
def log_contact(run: ContactRun, k, sample, h, to):
    """One row."""
    integers = run.sizes
    numbers = run.work
    at, own = found_at(run, k), contact_at(run, k)
    place = found_numbers_at(run, k)
    numbers[to] = sample
    numbers[to + 1] = integers[at + found.SHAPE_A]
    numbers[to + 2] = integers[at + found.SHAPE_B]
    numbers[to + 3] = integers[at + found.KEY]
    for i in range(3):
        numbers[to + 4 + i] = numbers[place + found.POINT + i]
        numbers[to + 7 + i] = numbers[own + FRAME + i]
    numbers[to + 10] = numbers[place + found.GAP]
    for i in range(6):
        numbers[to + 11 + i] = numbers[own + IMPULSE + i] / h
    numbers[to + 17] = numbers[own + STATE_NOW]
    numbers[to + 18] = numbers[own + SLIP]
