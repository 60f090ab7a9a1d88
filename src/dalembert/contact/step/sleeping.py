"""Islands that sleep: what has come to rest is neither solved nor moved until something wakes it.

An island falls asleep when all its bodies have been slower than 1e-4 (m/s and rad/s) for 0.5 s and
nothing but contacts holds it (contact 16). Its velocities are then zero, its contacts keep their
impulses, and stand behind those of the problem, whose blocks they are not. It wakes, whole, when

* a body that is awake comes within reach of a contact;
* forces accelerate one of its bodies differently than when it fell asleep;
* one of its bodies is set in motion, or its contacts are no longer those it had (bodies were moved,
  shapes changed).

Nothing here is changed by a step that has to be repeated with more room: what a step decides stands
in `next` and `next_still` until it has succeeded, and waking twice is waking once.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import STICKING, Problem
from dalembert.contact.rows.body_rows import clique_of, tangents
from dalembert.contact.run.run_layout import ContactRun

SLOW, LONG = 1e-4, 0.5
"""Speed [m/s, rad/s] and time [s] of rest after which an island sleeps."""

SAME = 1e-9
"""Relative change of an acceleration that is no change."""

AWAKE, NEW, SETTLED = range(3)
"""State of a clique: NEW until its first step asleep has noted how it rests."""


@kernel
def is_asleep(run: ContactRun, clique):
    """Whether a clique sleeps; the world does."""
    return clique < 0 or run.sleep(clique).asleep != AWAKE


@kernel
def wake(run: ContactRun, clique):
    """A clique is awake, and its time at rest begins anew."""
    rest = run.sleep(clique)
    rest.asleep, rest.still = AWAKE, 0.0


@kernel
def cliques_at(run: ContactRun, k):
    """Cliques of a contact; -1: the world."""
    found, scene = run.found(k), run.scene
    a, b = scene.shape(found.shape_a).body, scene.shape(found.shape_b).body
    return clique_of(run, a), clique_of(run, b)


@apart(None)
def set_aside(run: ContactRun, problem: Problem, h):
    """Wake what must wake; contacts of the others behind the rest, and nothing accelerates them."""
    count = run.contacts
    if wake_by_force(run, problem, h) == 0:
        return
    while wake_by_touch(run, count):
        pass
    note_rest(run, problem, h)
    partition(run, count)


@kernel
def wake_by_force(run: ContactRun, problem: Problem, h):
    """Wake cliques that are pulled, moved or held differently. Returns how many still sleep."""
    count_contacts(run)
    sleepers = 0
    for c in range(run.cliques):
        rest = run.sleep(c)
        if rest.asleep == AWAKE:
            continue
        if is_disturbed(run, problem, c, h):
            wake(run, c)
        else:
            sleepers += 1
    return sleepers


@kernel
def count_contacts(run: ContactRun):
    """`now` of every clique: the contacts it has."""
    for c in range(run.cliques):
        run.sleep(c).now = 0
    for k in range(run.contacts):
        a, b = cliques_at(run, k)
        if a >= 0:
            run.sleep(a).now += 1
        if b >= 0 and b != a:
            run.sleep(b).now += 1


@kernel
def is_disturbed(run: ContactRun, problem: Problem, c, h):
    """Whether a clique that sleeps is moved, pulled or held otherwise than when it fell asleep."""
    rest, clique = run.sleep(c), problem.clique(c)
    settled = rest.asleep == SETTLED
    if settled and rest.now != rest.touching:
        return True
    for i in range(clique.start, clique.start + clique.size):
        if problem.v_before[i] != 0.0:
            return True
        known = run.sleep_pull[i]
        if settled and not abs(problem.v_free[i] / h - known) <= SAME * (1.0 + abs(known)):
            return True
    return False


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
    for c in range(run.cliques):
        rest, clique = run.sleep(c), problem.clique(c)
        if rest.asleep == AWAKE:
            continue
        for i in range(clique.start, clique.start + clique.size):
            if rest.asleep == NEW:
                run.sleep_pull[i] = problem.v_free[i] / h
            problem.v_free[i] = 0.0
        if rest.asleep == NEW:
            rest.touching, rest.asleep = rest.now, SETTLED


@kernel
def partition(run: ContactRun, count):
    """Contacts of sleepers behind the others, each in their order: pairs stay together."""
    kept = aside = 0
    for k in range(count):
        a, b = cliques_at(run, k)
        if is_asleep(run, a) and is_asleep(run, b):
            run.aside(aside).take(run.found(k))
            aside += 1
        else:
            run.found(kept).take(run.found(k))
            kept += 1
    for k in range(aside):
        run.found(kept + k).take(run.aside(k))
    run.contacts, run.resting = kept, aside


@apart(None)
def hold_resting(run: ContactRun, h):
    """Contacts of sleepers: the forces they had, whatever the step."""
    share = run.share_of_last(h)
    for k in range(run.contacts, run.contacts + run.resting):
        contact, n = run.contact(k), run.found(k).normal
        t1, t2 = tangents(n)
        contact.n, contact.t1, contact.t2 = n, t1, t2
        contact.impulse = share * contact.impulse
        contact.turning_impulse = share * contact.turning_impulse
        contact.state, contact.slip, contact.stiff = STICKING, 0.0, 0.0


@apart(None)
def fall_asleep(run: ContactRun, problem: Problem, h):
    """Let every clique rest or wake after a step; velocities of those that fall asleep are zero."""
    for c in range(run.cliques):
        rest = run.sleep(c)
        rest.next_still = rest.still + h if speed_of(problem, c) <= SLOW else 0.0
        rest.next = rest.asleep
    mark_sleepers(run, problem)
    for c in range(run.cliques):
        clique = problem.clique(c)
        if run.sleep(clique.island).now == 1:
            run.sleep(c).next = NEW
            for i in range(clique.start, clique.start + clique.size):
                problem.v[i] = 0.0


@kernel
def speed_of(problem: Problem, c):
    """The largest velocity of a clique; NaN counts as the largest."""
    speed, clique = 0.0, problem.clique(c)
    for i in range(clique.start, clique.start + clique.size):
        size = abs(problem.v[i])
        if not size <= speed:
            speed = size
    return speed


@kernel
def mark_sleepers(run: ContactRun, problem: Problem):
    """`now` of its number: whether an island may sleep; there are no more islands than cliques."""
    for i in range(problem.islands):
        run.sleep(i).now = 1 if problem.island(i).block_count > 0 else 0
    for number in range(run.fixed_blocks):
        if not run.is_damper(number):
            run.sleep(problem.block(number).island).now = 0
    for row in range(run.fixed_rows if run.absorbed > 0 else 0):
        joint = run.side_joint[row]
        if joint >= 0:
            run.sleep(problem.clique(run.dof(joint).clique).island).now = 0
    for c in range(run.cliques):
        if not run.sleep(c).next_still >= LONG:
            run.sleep(problem.clique(c).island).now = 0


@apart(None)
def sleep_on(run: ContactRun):
    """The step has succeeded: what it decided holds."""
    for c in range(run.cliques):
        rest = run.sleep(c)
        rest.asleep, rest.still = rest.next, rest.next_still
