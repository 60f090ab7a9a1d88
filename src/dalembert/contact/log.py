"""Records of contacts with a sample: rows in two tables that Python empties now and then.

| table | row |
|---|---|
| contacts | sample, shapes A, B, feature; point, normal, gap; force and torque on B; state, slip |
| steps | sample; what is reported of the step; forces of one-sided rows; accelerations (v+ - v)/h |

Forces are impulses over the step. A sample within a step has those of the step.
"""

from dalembert._jit import kernel
from dalembert.collision import layout as found
from dalembert.contact import memory
from dalembert.contact.memory import (
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
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.system.layout import NV, ROWS, SIDES, START_V


@kernel
def log_is_full(sizes):
    """Whether the contacts of another sample might find no room."""
    integers = memory.integers_of(sizes)
    if integers[LOGGED_STEPS] + 1 >= integers[MOST_LOGGED_STEPS]:
        return True
    left = integers[MOST_LOGGED_CONTACTS] - integers[LOGGED_CONTACTS]
    return left < integers[memory.MOST_CONTACTS]


@kernel
def log_sample(work, sizes, sample, v):
    """The contacts and the report of the last step, for a sample; v is the velocity at its end."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
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
        log_contact(integers, numbers, k, sample, h, to)


@kernel
def log_contact(integers, numbers, k, sample, h, to):
    """One row."""
    at, own = found_at(integers, k), contact_at(integers, k)
    place = found_numbers_at(integers, k)
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
