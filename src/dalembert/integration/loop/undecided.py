"""Steps after which a position cannot be told from its mirror image.

Rows that are dependent but for sigma hold a position that is sigma L from a singular one, L the
size of the mechanism. On the other side of that is another position, which meets the same rows; in
between they are violated by sigma^2 L / 2. A run that stays there knows its side as long as its
error is less than that, no correction of a step moves it across, and steps without error control
come near it bit by bit (decision 0003, rule 11).
"""

from dalembert._jit import apart, kernel
from dalembert.mechanics.weakest_direction import weakest_direction
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

MARGIN = 10.0
"""Error of a run, over its tolerance, that may be."""

ACROSS = 0.5
"""Correction of a position, over its distance from the singular one, that may lead across."""

UNTOLD = 1e-6
"""Sigma, at most, of directions of which forces can tell nothing: what is done along them is left
to rounding, and several motions may part there."""

CLOSE, FALL, STAYS = 1e-3, 4.0, 8
"""Sigma after a step that may have led across, quotient of those before and after it, and steps for
which a mechanism stays as near as that; on its way through it has left in the next one."""


@kernel
def look_at_sides(state: State, clock, h, q, left):
    """Note a step after which the side of a singular position is not known.

    `after_q` is where the integrator had led it, and `q` where the end of the step has; `left`:
    forces have left directions off.
    """
    moved = 0.0
    if state.end_step != 0:
        for i in range(state.nq):
            moved = max(moved, abs(q[i] - state.after_q[i]))
    rtol = tolerance_of(state).rtol if clock.adaptive == 1 else 0.0
    note_side(state, clock.t + h, moved, rtol, left)


@apart(None)
def note_side(state: State, t, moved, rtol, left):
    """Note the first time and the least sigma of steps that leave the side undecided."""
    sigma = weakest_direction(state)
    if left:
        sigma = min(sigma, UNTOLD)
    lost = state.weak_for_good == 1 and sigma * sigma <= MARGIN * rtol
    led_across = moved > ACROSS * sigma * state.length
    # error control sees what a step does; a step of its own length may lead across unseen
    stays = rtol == 0.0 and has_come_to_stay(state, sigma)
    if not lost and not led_across and not stays and not left:
        return
    if state.undecided_steps == 0:
        state.undecided_time, state.undecided_sigma = t, sigma
    state.undecided_steps += 1
    state.undecided_sigma = min(state.undecided_sigma, sigma)


@kernel
def has_come_to_stay(state: State, sigma):
    """Whether a mechanism has come near in one step and stays there; sigma after each step."""
    before, near = state.last_sigma, state.near_sigma
    state.last_sigma = sigma
    if before > FALL * sigma and sigma < CLOSE:
        state.beside_steps, state.near_sigma = 1, sigma
    elif state.beside_steps > 0 and sigma <= 2.0 * near:
        state.beside_steps += 1
    else:
        state.beside_steps = 0
    return state.beside_steps > STAYS
