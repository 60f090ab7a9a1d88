"""Impulses of the last step as the first guess of this one (contact 16).

A contact is known again by its shapes and feature; failing that, by the nearest contact of the same
two shapes that no other has claimed, if it is within a fifth of the smaller shape. Impulses are
kept in world axes, so that the frames of two steps need not agree. What a step that is repeated for
want of room has done here leaves no trace.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import Problem
from dalembert.contact.run.run_layout import ContactRun, tangents_of
from dalembert.numerics.vector import Vec3
from dalembert.system.state_layout import State

NEAR = 0.2
"""Part of the smaller bounding radius of a pair: how far a contact moves in a step and is known."""


# -- contacts --------------------------------------------------------------------------------------


@kernel
def slot_of(run: ContactRun, a, b):
    """Slot of a pair in the table: where it stands, or where it would be put."""
    mask = run.hash_length - 1
    slot = ((a * 73856093) ^ (b * 19349663)) & mask
    while run.pair_hash[slot] > 0 and not is_pair(run.kept(run.pair_hash[slot] - 1), a, b):
        slot = (slot + 1) & mask
    return slot


@kernel
def is_pair(kept, a, b):
    """Whether a remembered contact is one of two shapes."""
    return kept.shape_a == a and kept.shape_b == b


@kernel
def first_of(run: ContactRun, a, b):
    """The first remembered contact of two shapes, or -1; the others follow it."""
    return run.pair_hash[slot_of(run, a, b)] - 1


@kernel
def match(run: ContactRun):
    """Impulses and stretch of every contact, from the last step or zero."""
    present = run.contacts + run.resting
    if present == 0:
        return
    enter_remembered(run)
    # exact matches first: they claim theirs before anything is guessed
    for k in range(present):
        contact, nothing = run.contact(k), Vec3.zero()
        contact.impulse, contact.turning_impulse, contact.stretch = nothing, nothing, nothing
        contact.old_state = contact.stuck = 0.0
        # `slip`, of no use yet: 1 where there is nothing to guess
        contact.slip = 0.0
        if first_of(run, run.found(k).shape_a, run.found(k).shape_b) < 0 or claim(run, k):
            contact.slip = 1.0
    for k in range(present):
        if run.contact(k).slip == 0.0:
            guess(run, k)


@kernel
def enter_remembered(run: ContactRun):
    """Fill the table of pairs: 1 + the first remembered contact of each."""
    for s in range(run.hash_length):
        run.pair_hash[s] = 0
    for k in range(run.remembered):
        kept = run.kept(k)
        kept.found = 0
        slot = slot_of(run, kept.shape_a, kept.shape_b)
        if run.pair_hash[slot] == 0:
            run.pair_hash[slot] = k + 1


@kernel
def claim(run: ContactRun, k):
    """Take a remembered contact of the same feature, with its rows; whether there is one."""
    found, contact = run.found(k), run.contact(k)
    for i in range(first_of(run, found.shape_a, found.shape_b), run.remembered):
        kept = run.kept(i)
        if not is_pair(kept, found.shape_a, found.shape_b):
            return False
        if kept.feature == found.key and kept.found == 0:
            take(kept, contact)
            contact.old_n, contact.old_slide = kept.old_n, kept.old_slide
            contact.old_turn = kept.old_turn
            contact.old_arm_a, contact.old_arm_b = kept.old_arm_a, kept.old_arm_b
            contact.old_state = kept.old_state
            return True
    return False


@apart(None)
def guess(run: ContactRun, k):
    """Take the nearest contact of the same shapes that is left, if it is near."""
    found, scene = run.found(k), run.scene
    a, b = found.shape_a, found.shape_b
    near = NEAR * min(scene.shape(a).bounding_radius, scene.shape(b).bounding_radius)
    least, best = near * near, -1
    for i in range(first_of(run, a, b), run.remembered):
        kept = run.kept(i)
        if not is_pair(kept, a, b):
            break
        if kept.found == 0:
            away = found.point - kept.point
            if away.dot(away) < least:
                least, best = away.dot(away), i
    if best >= 0:
        take(run.kept(best), run.contact(k))


@kernel
def take(kept, contact):
    """A remembered contact becomes a present one."""
    kept.found = 1
    contact.impulse, contact.turning_impulse = kept.impulse, kept.turning_impulse
    contact.stretch, contact.stuck = kept.stretch, kept.stuck


@kernel
def remember(run: ContactRun):
    """Keep what the next step begins with: contacts that carry something, impulses, changes."""
    present = run.contacts + run.resting
    for k in range(present):
        remember_contact(run, k)
    run.remembered = present
    for i in range(run.fixed_rows):
        run.fixed_impulses[i] = run.next_impulses[i]
        run.side_stuck[i] = run.next_stuck[i]
    for i in range(run.changes):
        run.last_change[i] = run.next_change[i]
        run.last_push[i] = run.next_push[i]
    for i in range(6 * run.bodies):
        run.last_twists[i] = run.next_twists[i]


@kernel
def remember_contact(run: ContactRun, k):
    """One contact, as `found` has been read into it."""
    found, contact, kept = run.found(k), run.contact(k), run.kept(k)
    kept.shape_a, kept.shape_b, kept.feature, kept.found = (
        found.shape_a,
        found.shape_b,
        found.key,
        0,
    )
    kept.impulse, kept.turning_impulse = contact.impulse, contact.turning_impulse
    kept.stretch, kept.point = contact.stretch, found.point
    kept.old_n, kept.old_slide, kept.old_turn = contact.n, contact.slide, contact.turn
    kept.stuck = contact.stuck
    kept.old_arm_a, kept.old_arm_b = contact.arm_a, contact.arm_b
    # rows of the start of a step are none that second order can go on from
    kept.old_state = 1.0 + contact.state if run.second_order == 1 else 0.0


# -- joints and one-sided rows ---------------------------------------------------------------------


@kernel
def warm_fixed(state: State, run: ContactRun, problem: Problem, h):
    """First impulses of joints and one-sided rows."""
    share, rows = run.share_of_last(h), state.rows
    for i in range(rows):
        problem.lam0[i] = share * run.fixed_impulses[i]
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        for r in range(1 + tangents_of(state, run, row)):
            problem.lam0[block.row + r] = share * run.fixed_impulses[rows + row + r]


@kernel
def take_fixed(state: State, run: ContactRun, problem: Problem):
    """Impulses of joints and one-sided rows, to be kept when the step has succeeded."""
    rows = state.rows
    for i in range(rows):
        run.next_impulses[i] = problem.lam[i]
    for row in range(state.sides):
        if run.side_far[row] == 1:
            run.next_impulses[rows + row] = 0.0
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        for r in range(1 + tangents_of(state, run, row)):
            run.next_impulses[rows + row + r] = problem.lam[block.row + r]
