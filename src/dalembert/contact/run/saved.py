"""The memory of contact as it was before a step, put back where the step is not taken.

What lasts from step to step (`contact.run.tables`) is copied as far as it is in use: kept contacts
with their impulses, what was found, history of second order, rest of cliques, counts, the worst so
far. All else a step makes anew. A step that was tried and forgotten leaves no trace.
"""

from dalembert._jit import kernel
from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.contact.run.record_layout import (
    CONTACT_FLOATS,
    KEPT_FLOATS,
    KEPT_RECORD,
    SAVED_COUNTS,
    SAVED_SUMS,
    SavedCounts,
    SavedSums,
)
from dalembert.contact.run.run_layout import ContactRun


@kernel
def put_entries(given, count, room, place):
    """Copy the first entries of an array to a place of another one; the place behind them."""
    for i in range(count):
        room[place + i] = given[i]
    return place + count


@kernel
def take_entries(room, place, count, target):
    """The other way round; the place behind them."""
    for i in range(count):
        target[i] = room[place + i]
    return place + count


@kernel
def save(run: ContactRun):
    """Keep what lasts."""
    room = run.saved_integers
    had = SavedCounts(room, 0)
    had.remembered, had.contacts, had.resting = run.remembered, run.contacts, run.resting
    had.stalled_steps, had.flagged_steps = run.stalled_steps, run.flagged_steps
    had.poisson_steps, had.worst_step = run.poisson_steps, run.worst_step
    had.steps, had.smooth_steps = run.steps, run.smooth_steps
    had.smooth_now, had.near, had.clear = run.smooth_now, run.near, run.clear
    present = run.contacts + run.resting
    place = put_entries(run.kept_integers, KEPT_RECORD * run.remembered, room, SAVED_COUNTS)
    place = put_entries(run.found_integers, FOUND_INTEGERS * present, room, place)
    put_entries(run.sleep_table, len(run.sleep_table), room, place)
    save_numbers(run, present)


@kernel
def save_numbers(run: ContactRun, present):
    """Keep what lasts of the numbers."""
    room = run.saved_numbers
    had = SavedSums(room, 0)
    had.last_step, had.contact_work_sum = run.last_step, run.contact_work_sum
    place = put_entries(run.kept_numbers, KEPT_FLOATS * run.remembered, room, SAVED_SUMS)
    place = put_entries(run.found_numbers, FOUND_NUMBERS * present, room, place)
    place = put_entries(run.contact_table, CONTACT_FLOATS * present, room, place)
    place = put_entries(run.fixed_impulses, run.fixed_rows, room, place)
    run.saved_change = place
    place = put_entries(run.last_change, run.changes, room, place)
    place = put_entries(run.last_push, run.changes, room, place)
    place = put_entries(run.sleep_pull, run.changes, room, place)
    place = put_entries(run.last_twists, 6 * run.bodies, room, place)
    place = put_entries(run.sleep_times, len(run.sleep_times), room, place)
    place = put_entries(run.report, len(run.report), room, place)
    put_entries(run.worst, len(run.worst), room, place)


@kernel
def restore(run: ContactRun):
    """Put it back."""
    room = run.saved_integers
    had = SavedCounts(room, 0)
    run.remembered, run.contacts, run.resting = had.remembered, had.contacts, had.resting
    run.stalled_steps, run.flagged_steps = had.stalled_steps, had.flagged_steps
    run.poisson_steps, run.worst_step = had.poisson_steps, had.worst_step
    run.steps, run.smooth_steps = had.steps, had.smooth_steps
    run.smooth_now, run.near, run.clear = had.smooth_now, had.near, had.clear
    present = run.contacts + run.resting
    place = take_entries(room, SAVED_COUNTS, KEPT_RECORD * run.remembered, run.kept_integers)
    place = take_entries(room, place, FOUND_INTEGERS * present, run.found_integers)
    take_entries(room, place, len(run.sleep_table), run.sleep_table)
    restore_numbers(run, present)


@kernel
def restore_numbers(run: ContactRun, present):
    """Put the numbers back."""
    room = run.saved_numbers
    had = SavedSums(room, 0)
    run.last_step, run.contact_work_sum = had.last_step, had.contact_work_sum
    place = take_entries(room, SAVED_SUMS, KEPT_FLOATS * run.remembered, run.kept_numbers)
    place = take_entries(room, place, FOUND_NUMBERS * present, run.found_numbers)
    place = take_entries(room, place, CONTACT_FLOATS * present, run.contact_table)
    place = take_entries(room, place, run.fixed_rows, run.fixed_impulses)
    place = take_entries(room, place, run.changes, run.last_change)
    place = take_entries(room, place, run.changes, run.last_push)
    place = take_entries(room, place, run.changes, run.sleep_pull)
    place = take_entries(room, place, 6 * run.bodies, run.last_twists)
    place = take_entries(room, place, len(run.sleep_times), run.sleep_times)
    place = take_entries(room, place, len(run.report), run.report)
    take_entries(room, place, len(run.worst), run.worst)


@kernel
def last_change_saved(run: ContactRun, nv):
    """`last_change` as it was kept."""
    return run.saved_numbers[run.saved_change : run.saved_change + nv]
