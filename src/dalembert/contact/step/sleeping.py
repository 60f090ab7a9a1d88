"""Islands that sleep: what has come to rest is neither solved nor moved until something wakes it.

An island falls asleep when all its bodies have been slower than 1e-4 (m/s and rad/s) for 0.5 s and
nothing but contacts holds it (contact 16). Its velocities are then zero, its contacts keep their
impulses, and stand behind those of the problem, whose blocks they are not. It wakes, whole, when

* a body that is awake comes within reach of a contact;
* forces accelerate one of its bodies differently than when it fell asleep;
* one of its bodies is set in motion, or its contacts are no longer those it had (bodies were moved,
  shapes changed).

Nothing here is changed by a step that has to be repeated with more room: what a step decides stands
in NEXT and NEXT_STILL until it has succeeded, and waking twice is waking once.
"""

from dalembert._jit import apart, kernel
from dalembert.collision import layout as found
from dalembert.contact.problem.layout import (
    BLOCK,
    BLOCK_COUNT,
    BLOCK_ISLAND,
    BLOCK_RECORD,
    CLIQUE,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    ISLAND,
    ISLAND_RECORD,
    ISLANDS,
    STICKING,
    V_BEFORE,
    V_FREE,
    Problem,
    V,
    clique_size,
    velocity_at,
)
from dalembert.contact.rows.body_rows import clique_of
from dalembert.contact.rows.contact_rows import shape_body
from dalembert.contact.rows.frames import tangents
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    ASLEEP,
    IMPULSE,
    NEXT,
    NEXT_STILL,
    NOW,
    SLEEP_NUMBERS,
    SLEEP_RECORD,
    SLIP,
    STATE_NOW,
    STIFF,
    STILL,
    TOUCHING,
    ContactRun,
    contact_at,
    found_at,
    found_numbers_at,
)

SLOW, LONG = 1e-4, 0.5
"""Speed [m/s, rad/s] and time [s] of rest after which an island sleeps."""

SAME = 1e-9
"""Relative change of an acceleration that is no change."""

AWAKE, NEW, SETTLED = range(3)
"""State of a clique: NEW until its first step asleep has noted how it rests."""


@kernel
def sleep_at(run: ContactRun, clique):
    """Record of a clique in `integers`."""
    integers = run.sizes
    return integers[memory.SLEEP_TABLE] + SLEEP_RECORD * clique


@kernel
def still_at(run: ContactRun, clique):
    """Its numbers."""
    integers = run.sizes
    return integers[memory.SLEEP_TIMES] + SLEEP_NUMBERS * clique


@kernel
def is_asleep(run: ContactRun, clique):
    """Whether a clique sleeps; the world does."""
    integers = run.sizes
    return clique < 0 or integers[sleep_at(run, clique) + ASLEEP] != AWAKE


@kernel
def wake(run: ContactRun, clique):
    """A clique is awake, and its time at rest begins anew."""
    integers = run.sizes
    numbers = run.work
    integers[sleep_at(run, clique) + ASLEEP] = AWAKE
    numbers[still_at(run, clique) + STILL] = 0.0


@kernel
def cliques_at(run: ContactRun, k):
    """Cliques of a contact; -1: the world."""
    integers = run.sizes
    at = found_at(run, k)
    a = clique_of(run, shape_body(run, integers[at + found.SHAPE_A]))
    b = clique_of(run, shape_body(run, integers[at + found.SHAPE_B]))
    return a, b


@apart(None)
def set_aside(run: ContactRun, problem: Problem, h):
    """Wake what must wake; contacts of the others behind the rest, and nothing accelerates them."""
    integers = run.sizes
    count = integers[memory.CONTACTS]
    sleepers = wake_by_force(run, problem, h)
    if sleepers == 0:
        return
    while wake_by_touch(run, count):
        pass
    note_rest(run, problem, h)
    partition(run, count)


@kernel
def wake_by_force(run: ContactRun, problem: Problem, h):
    """Wake cliques that are pulled, moved or held differently. Returns how many still sleep."""
    integers = run.sizes
    numbers = run.work
    x = problem.work
    for c in range(integers[memory.CLIQUES]):
        integers[sleep_at(run, c) + NOW] = 0
    for k in range(integers[memory.CONTACTS]):
        a, b = cliques_at(run, k)
        if a >= 0:
            integers[sleep_at(run, a) + NOW] += 1
        if b >= 0 and b != a:
            integers[sleep_at(run, b) + NOW] += 1
    sleepers = 0
    for c in range(integers[memory.CLIQUES]):
        at = sleep_at(run, c)
        if integers[at + ASLEEP] == AWAKE:
            continue
        changed = integers[at + ASLEEP] == SETTLED and integers[at + NOW] != integers[at + TOUCHING]
        free, before = velocity_at(problem, V_FREE, c), velocity_at(problem, V_BEFORE, c)
        pull = integers[memory.SLEEP_PULL] + free - velocity_at(problem, V_FREE, 0)
        for i in range(clique_size(problem, c)):
            if x[before + i] != 0.0:
                changed = True
            if integers[at + ASLEEP] == SETTLED:
                known = numbers[pull + i]
                if not abs(x[free + i] / h - known) <= SAME * (1.0 + abs(known)):
                    changed = True
        if changed:
            wake(run, c)
        else:
            sleepers += 1
    return sleepers


@kernel
def wake_by_touch(run: ContactRun, count):
    """Wake cliques that those awake touch. Returns whether there were any."""
    woken = False
    for k in range(count):
        a, b = cliques_at(run, k)
        if a < 0 or b < 0:
            continue
        first, second = is_asleep(run, a), is_asleep(run, b)
        if first != second:
            wake(run, a if first else b)
            woken = True
    return woken


@kernel
def note_rest(run: ContactRun, problem: Problem, h):
    """Note what holds and pulls a clique that has just fallen asleep; then nothing pulls it."""
    integers = run.sizes
    numbers = run.work
    x = problem.work
    for c in range(integers[memory.CLIQUES]):
        at = sleep_at(run, c)
        if integers[at + ASLEEP] == AWAKE:
            continue
        free = velocity_at(problem, V_FREE, c)
        pull = integers[memory.SLEEP_PULL] + free - velocity_at(problem, V_FREE, 0)
        for i in range(clique_size(problem, c)):
            if integers[at + ASLEEP] == NEW:
                numbers[pull + i] = x[free + i] / h
            x[free + i] = 0.0
        if integers[at + ASLEEP] == NEW:
            integers[at + TOUCHING] = integers[at + NOW]
            integers[at + ASLEEP] = SETTLED


@kernel
def partition(run: ContactRun, count):
    """Contacts of sleepers behind the others, each in their order: pairs stay together."""
    integers = run.sizes
    kept = aside = 0
    spare, room = integers[memory.ASIDE_INTEGERS], integers[memory.ASIDE_NUMBERS]
    for k in range(count):
        a, b = cliques_at(run, k)
        at, to = found_at(run, k), found_numbers_at(run, k)
        put, place = spare + found.CONTACT_INTEGERS * aside, room + found.CONTACT_NUMBERS * aside
        if is_asleep(run, a) and is_asleep(run, b):
            aside += 1
        else:
            put, place = found_at(run, kept), found_numbers_at(run, kept)
            kept += 1
        move(run, at, to, put, place)
    for k in range(aside):
        at, to = spare + found.CONTACT_INTEGERS * k, room + found.CONTACT_NUMBERS * k
        put, place = found_at(run, kept + k), found_numbers_at(run, kept + k)
        move(run, at, to, put, place)
    integers[memory.CONTACTS], integers[memory.RESTING] = kept, aside


@kernel
def move(run: ContactRun, at, to, put, place):
    """A found contact from one place to another."""
    integers = run.sizes
    numbers = run.work
    if at == put:
        return
    for i in range(found.CONTACT_INTEGERS):
        integers[put + i] = integers[at + i]
    for i in range(found.CONTACT_NUMBERS):
        numbers[place + i] = numbers[to + i]


@kernel
def hold_resting(run: ContactRun, h):
    """Contacts of sleepers: the forces they had, whatever the step."""
    integers = run.sizes
    numbers = run.work
    last = numbers[memory.LAST_STEP]
    share = h / last if last > 0.0 else 0.0
    for k in range(integers[memory.CONTACTS], integers[memory.CONTACTS] + integers[memory.RESTING]):
        own = contact_at(run, k)
        contact, n = run.contact(k), run.found(k).normal
        t1, t2 = tangents(n)
        contact.n, contact.t1, contact.t2 = n, t1, t2
        for i in range(6):
            numbers[own + IMPULSE + i] *= share
        numbers[own + STATE_NOW], numbers[own + SLIP], numbers[own + STIFF] = STICKING, 0.0, 0.0


@apart(None)
def fall_asleep(run: ContactRun, problem: Problem, h):
    """NEXT and NEXT_STILL of all cliques after a step; velocities of those that fall asleep: 0."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    for c in range(integers[memory.CLIQUES]):
        at, own = sleep_at(run, c), still_at(run, c)
        speed = 0.0
        for i in range(clique_size(problem, c)):
            value = abs(x[velocity_at(problem, V, c) + i])
            if not value <= speed:
                speed = value
        numbers[own + NEXT_STILL] = numbers[own + STILL] + h if speed <= SLOW else 0.0
        integers[at + NEXT] = integers[at + ASLEEP]
    # in NOW of its number: whether an island may sleep; there are no more islands than cliques
    for i in range(p[ISLANDS]):
        blocks = p[p[ISLAND] + ISLAND_RECORD * i + BLOCK_COUNT]
        integers[sleep_at(run, i) + NOW] = 1 if blocks > 0 else 0
    for block in range(integers[memory.FIXED_BLOCKS]):
        island = p[p[BLOCK] + BLOCK_RECORD * block + BLOCK_ISLAND]
        integers[sleep_at(run, island) + NOW] = 0
    for row in range(integers[memory.FIXED_ROWS] if integers[memory.ABSORBED] > 0 else 0):
        joint = integers[integers[memory.SIDE_JOINT] + row]
        if joint >= 0:
            c = integers[integers[memory.DOF_CLIQUES] + 2 * joint]
            integers[sleep_at(run, p[p[CLIQUE] + CLIQUE_RECORD * c + CLIQUE_ISLAND]) + NOW] = 0
    for c in range(integers[memory.CLIQUES]):
        if not numbers[still_at(run, c) + NEXT_STILL] >= LONG:
            island = p[p[CLIQUE] + CLIQUE_RECORD * c + CLIQUE_ISLAND]
            integers[sleep_at(run, island) + NOW] = 0
    for c in range(integers[memory.CLIQUES]):
        island = p[p[CLIQUE] + CLIQUE_RECORD * c + CLIQUE_ISLAND]
        if integers[sleep_at(run, island) + NOW] == 1:
            integers[sleep_at(run, c) + NEXT] = NEW
            for i in range(clique_size(problem, c)):
                x[velocity_at(problem, V, c) + i] = 0.0


@apart(None)
def sleep_on(run: ContactRun):
    """The step has succeeded: what it decided holds."""
    integers = run.sizes
    numbers = run.work
    for c in range(integers[memory.CLIQUES]):
        at, own = sleep_at(run, c), still_at(run, c)
        integers[at + ASLEEP] = integers[at + NEXT]
        numbers[own + STILL] = numbers[own + NEXT_STILL]
