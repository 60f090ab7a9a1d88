"""Impulses of the last step as the first guess of this one (contact 16).

A contact is known again by its shapes and feature; failing that, by the nearest contact of the same
two shapes that no other has claimed, if it is within a fifth of the smaller shape. Impulses are
kept in world axes, so that the frames of two steps need not agree. What a step that is repeated for
want of room has done here leaves no trace.
"""

from dalembert._jit import kernel
from dalembert.collision import layout as found
from dalembert.contact.problem.layout import LAM, LAM0, Problem
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    ARM_A,
    ARM_B,
    FRAME,
    HASH_LENGTH,
    IMPULSE,
    KEPT_FLOATS,
    KEPT_RECORD,
    OLD,
    OLD_FLOATS,
    SLIDE,
    STATE_NOW,
    STRETCH,
    TURNING_IMPULSE,
    ContactRun,
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.numerics.small import dot, put_vector, sub, vector
from dalembert.system.layout import ROWS
from dalembert.system.state_layout import State

NEAR = 0.2
"""Part of the smaller bounding radius of a pair: how far a contact moves in a step and is known."""


@kernel
def slot_of(run: ContactRun, a, b):
    """Slot of a pair in the table: where it stands, or where it would be put."""
    integers = run.sizes
    mask = integers[HASH_LENGTH] - 1
    slot = ((a * 73856093) ^ (b * 19349663)) & mask
    while True:
        kept = integers[integers[memory.PAIR_HASH] + slot] - 1
        if kept < 0:
            return slot
        at = integers[memory.KEPT_INTEGERS] + KEPT_RECORD * kept
        if integers[at] == a and integers[at + 1] == b:
            return slot
        slot = (slot + 1) & mask


@kernel
def match(run: ContactRun):
    """IMPULSE, TURNING_IMPULSE and STRETCH of every contact, from the last step or zero."""
    integers = run.sizes
    numbers = run.work
    table = integers[memory.PAIR_HASH]
    count = integers[memory.REMEMBERED]
    present = integers[memory.CONTACTS] + integers[memory.RESTING]
    if present == 0:
        return
    for s in range(integers[HASH_LENGTH]):
        integers[table + s] = 0
    for k in range(count):
        at = integers[memory.KEPT_INTEGERS] + KEPT_RECORD * k
        integers[at + 3] = 0
        slot = slot_of(run, integers[at], integers[at + 1])
        if integers[table + slot] == 0:
            integers[table + slot] = k + 1
    # exact matches first: they claim theirs before anything is guessed
    for k in range(present):
        at = found_at(run, k)
        a, b = integers[at + found.SHAPE_A], integers[at + found.SHAPE_B]
        own = contact_at(run, k)
        for i in range(IMPULSE, STRETCH + 3):
            numbers[own + i] = 0.0
        numbers[own + memory.SLIP] = 0.0
        numbers[own + OLD + OLD_FLOATS - 1] = 0.0
        first = integers[table + slot_of(run, a, b)] - 1
        if first < 0:
            numbers[own + memory.SLIP] = 1.0
            continue
        kept = first
        while kept < count:
            at_kept = integers[memory.KEPT_INTEGERS] + KEPT_RECORD * kept
            if integers[at_kept] != a or integers[at_kept + 1] != b:
                break
            if integers[at_kept + 2] == integers[at + found.KEY] and integers[at_kept + 3] == 0:
                take(run, kept, own)
                to = integers[memory.KEPT_NUMBERS] + KEPT_FLOATS * kept + 12
                for i in range(OLD_FLOATS):
                    numbers[own + OLD + i] = numbers[to + i]
                numbers[own + memory.SLIP] = 1.0
                break
            kept += 1
    for k in range(present):
        own = contact_at(run, k)
        if numbers[own + memory.SLIP] == 0.0:
            guess(run, k, count)


@kernel
def guess(run: ContactRun, k, count):
    """The nearest contact of the same shapes that is left, if it is near."""
    integers = run.sizes
    numbers = run.work
    at = found_at(run, k)
    a, b = integers[at + found.SHAPE_A], integers[at + found.SHAPE_B]
    point = vector(numbers, found_numbers_at(run, k) + found.POINT)
    near = NEAR * min(radius_of(run, a), radius_of(run, b))
    least, best = near * near, -1
    kept = integers[integers[memory.PAIR_HASH] + slot_of(run, a, b)] - 1
    while kept < count:
        at_kept = integers[memory.KEPT_INTEGERS] + KEPT_RECORD * kept
        if integers[at_kept] != a or integers[at_kept + 1] != b:
            break
        if integers[at_kept + 3] == 0:
            to = integers[memory.KEPT_NUMBERS] + KEPT_FLOATS * kept
            away = sub(point, vector(numbers, to + 9))
            if dot(away, away) < least:
                least, best = dot(away, away), kept
        kept += 1
    if best >= 0:
        take(run, best, contact_at(run, k))


@kernel
def radius_of(run: ContactRun, shape):
    """Bounding radius of a shape."""
    integers = run.sizes
    numbers = run.work
    scene = integers[integers[memory.SCENE_INTEGERS] + found.SHAPE_NUMBERS_AT]
    at = integers[memory.SCENE_NUMBERS] + scene + found.SHAPE_NUMBERS * shape
    return numbers[at + found.BOUNDING_RADIUS]


@kernel
def take(run: ContactRun, kept, own):
    """A remembered contact becomes a present one."""
    integers = run.sizes
    numbers = run.work
    integers[integers[memory.KEPT_INTEGERS] + KEPT_RECORD * kept + 3] = 1
    at = integers[memory.KEPT_NUMBERS] + KEPT_FLOATS * kept
    for i in range(9):
        numbers[own + IMPULSE + i] = numbers[at + i]


@kernel
def remember(run: ContactRun):
    """Keep the contacts of this step that carry something, as `found` has been read into them."""
    integers = run.sizes
    numbers = run.work
    present = integers[memory.CONTACTS] + integers[memory.RESTING]
    for k in range(present):
        at, own = found_at(run, k), contact_at(run, k)
        to = integers[memory.KEPT_INTEGERS] + KEPT_RECORD * k
        integers[to] = integers[at + found.SHAPE_A]
        integers[to + 1] = integers[at + found.SHAPE_B]
        integers[to + 2] = integers[at + found.KEY]
        integers[to + 3] = 0
        to = integers[memory.KEPT_NUMBERS] + KEPT_FLOATS * k
        for i in range(9):
            numbers[to + i] = numbers[own + IMPULSE + i]
        put_vector(numbers, to + 9, vector(numbers, found_numbers_at(run, k) + found.POINT))
        put_vector(numbers, to + 12, vector(numbers, own + FRAME))
        put_vector(numbers, to + 15, vector(numbers, own + ARM_A))
        put_vector(numbers, to + 18, vector(numbers, own + ARM_B))
        put_vector(numbers, to + 21, vector(numbers, own + SLIDE))
        # rows of the start of a step are none that second order can go on from
        second = integers[memory.SECOND_ORDER] == 1
        numbers[to + 24] = 1.0 + numbers[own + STATE_NOW] if second else 0.0
    integers[memory.REMEMBERED] = present
    for i in range(integers[memory.FIXED_ROWS]):
        numbers[integers[memory.FIXED_IMPULSES] + i] = numbers[integers[memory.NEXT_IMPULSES] + i]
    for i in range(integers[memory.CHANGES]):
        numbers[integers[memory.LAST_CHANGE] + i] = numbers[integers[memory.NEXT_CHANGE] + i]
        numbers[integers[memory.LAST_PUSH] + i] = numbers[integers[memory.NEXT_PUSH] + i]
    for i in range(6 * integers[memory.BODIES]):
        numbers[integers[memory.LAST_TWISTS] + i] = numbers[integers[memory.NEXT_TWISTS] + i]


@kernel
def warm_fixed(state: State, run: ContactRun, problem: Problem, h):
    """First impulses of joints and one-sided rows."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    last, impulses = numbers[memory.LAST_STEP], integers[memory.FIXED_IMPULSES]
    share = h / last if last > 0.0 else 0.0
    for i in range(sizes[ROWS]):
        x[p[LAM0] + i] = share * numbers[impulses + i]
    for k in range(integers[memory.SIDE_BLOCKS]):
        row = integers[integers[memory.SIDE_KEPT] + k]
        x[p[LAM0] + sizes[ROWS] + k] = share * numbers[impulses + sizes[ROWS] + row]


@kernel
def take_fixed(state: State, run: ContactRun, problem: Problem):
    """Impulses of joints and one-sided rows, to be kept when the step has succeeded."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    impulses = integers[memory.NEXT_IMPULSES]
    for i in range(sizes[ROWS]):
        numbers[impulses + i] = x[p[LAM] + i]
    for k in range(integers[memory.SIDE_BLOCKS]):
        row = integers[integers[memory.SIDE_KEPT] + k]
        numbers[impulses + sizes[ROWS] + row] = x[p[LAM] + sizes[ROWS] + k]


@kernel
def world_impulse(numbers, own, lam, at, dim):
    """IMPULSE and TURNING_IMPULSE of a contact from its rows."""
    for axis in range(3):
        force = turning = 0.0
        for r in range(dim):
            part = lam[at + r] * numbers[own + FRAME + 3 * (r % 3) + axis]
            if r < 3:
                force += part
            else:
                turning += part
        numbers[own + IMPULSE + axis] = force
        numbers[own + TURNING_IMPULSE + axis] = turning
