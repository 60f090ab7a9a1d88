"""Steps that follow a tolerance: each is made whole and in two halves, which are compared.

    d = x_halves - x_whole,     e = |d| / (2^p - 1)          p: order of the step (contact 21)
    between events   max_i  e_i / (atol + rtol |x_i|)  <=  h        the error of a second
    across one       max_i |d_i| / (atol + rtol |x_i|)  <=  EVENT   that of a tenth of a second
    springs press    the same: p is 1, and x_halves + d is taken    (contact 21)

The state of the halves is taken; if springs alone press, x_halves + d with joints closed again,
which would open rigid contacts. x is q and v. An impact is at an unknown moment of its step: there
d of q is |jump of v| h / 4 and not smaller than the error, of first order whatever p is. Where one
of both has not seen the impact at all, d of v is the jump itself, and h d is looked at instead.

Where something hits, output within the step is off whatever its end is (`meetings`), and that is
not to be more than the tolerance. A step that is too long for its impact ends shortly before it
next time, by what gaps and speeds foretell, and the one after it as shortly behind; where that is
not known it is halved, and so is what is left of it, until the step across it is short enough. A
jump of accelerations, as where sliding turns about, is noticed by
itself: errors that do not fall as their order says are of one moment (`kink`), which is found in
the same way. Nothing is left of a step that was not taken (`contact.run.saved`).

A run that was given no tolerance takes no steps shorter than those of the rule, if it has joints:
where they would be, some of the rule are taken as they come, and counted (`plain_steps`).
"""

from dalembert._jit import apart, border, kernel
from dalembert._memory import Part
from dalembert.contact.run.record_layout import AWAY, PRESSED
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.contact.run.saved import last_change_saved, restore, save
from dalembert.contact.run.step_in_halves import Doubled
from dalembert.contact.step.changes import BEGINS, STOPS, TURNS, presses_hard
from dalembert.contact.step.free_attempt import free_attempt
from dalembert.contact.step.meetings import NEVER, output_error
from dalembert.contact.step.step import step, step_with_impulses
from dalembert.mechanics.projection import project
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STEPPING, normalise
from dalembert.system.state_layout import State

EVENT = 0.3
"""Time [s] whose error an impact may make."""

LASTS = 0.1
"""Time [s] for which an error of velocity counts: with it it is one of position."""

SAFETY, SHRINK, GROW = 0.9, 0.1, 4.0
"""Step control: the next step over the one that would just do, and its bounds."""

FOLLOWS, HELD, SMALLEST = 0.5, 0.2, 1e-4
"""Control by two errors: powers of that of the step and the one before; the least that counts."""

LOCAL = 0.1
"""Error, over what that of a longer step lets expect, below which the rest has it."""

AT_ONCE = 0.25
"""The step after an impact, over that before it."""

NEAR = 0.01
"""How far before a foretold impact a step ends, over its length, if the tolerance lets it."""

NEGLIGIBLE = 1e-4
"""Length of a step that is taken whatever it does, over the tolerance  [s]."""

REACHED = 1.001
"""Part of a step up to which it is said to reach."""

ROUNDING, NOISE = 1e-15, 4.0
"""Part of a difference that is rounding, over a coordinate; that is unsolved, over residuals."""

PATIENT, MOST_PATIENT = 32, 256
"""Steps of the rule that are taken where the tolerance asks for shorter ones; at most."""

HALVES, BOTH = 2, 3
"""`struck_now`: who has seen an impact; 1: the whole step."""

PLAIN, CAP = 4, 10
"""`struck_now` of a step of the rule; Gauss-Newton steps of joints."""


class Options(Part, of=State):
    """Options of an integrator that controls steps with impulses, too."""

    rtol: float  # of steps without
    atol: float
    steps_rtol: float
    steps_atol: float
    most: float  # longest step with impulses  [s]
    least: float  # shortest one that is looked at; what is shorter is of the rule  [s], or 0


@border(STEPPING)
def controlled_step(state: State, t, h, q, v):
    """From (t, q, v) to t + h, in place; `State.error`: its error, and the step to go on with.

    The second is 0 where that is the affair of an integrator, which made the step.
    """
    run = contact_of(state)
    if run.solve_only == 1:
        return step(state, t, h, q, v)
    state.next_step = 0.0
    if run.smooth == 1 and run.near == AWAY:
        run.smooth_now = 0
        status = free_attempt(state, run, t, h, q, v)
        if status != OK or run.smooth_now == 1:
            return status
    given = Options(state, state.integrator_options)
    if h > given.most:
        state.error, state.next_step = 2.0, given.most
        return OK
    if run.plain > 0:
        return plain_step(state, run, given.least, t, h, q, v)
    if run.order_by_step == 1:
        run.second_order = 0 if run.near == PRESSED else 1
    save(run)
    parted = state.parted
    status = step_twice(state, run, t, h, q, v)
    if status == OK:
        judge(state, run, t, h, q, v)
    if status != OK or not state.error <= 1.0:
        restore(run)
        state.parted = parted
        be_content(state, run, given.least)
    elif h > given.least:
        run.patience = 0
    return status


# -- steps of the rule -----------------------------------------------------------------------------


@kernel
def be_content(state: State, run: ContactRun, least):
    """Where attempts would become too short: some steps of the rule, more of them each time."""
    if state.next_step < least or (run.kink > 0.0 and run.kink_rate * least > 1.0):
        run.patience = min(MOST_PATIENT, max(PATIENT, 2 * run.patience))
        run.plain, run.kink, run.doubted = run.patience, 0.0, 0.0
        state.next_step = least


@apart(int)
def plain_step(state: State, run: ContactRun, least, t, h, q, v):
    """A step that nobody judges, as a run with a fixed step has it; output is a straight line."""
    own, second = Doubled(state, run.doubled), run.second_order
    run.second_order = run.plain_order
    status = step_with_impulses(state, run, run.problem, t, h, q, v)
    run.second_order = second
    if status != OK:
        return status
    normalise(state, q)
    copy(state.start_q, own.start_q)
    copy(state.start_v, own.start_v)
    for i in range(state.nq):
        own.middle_q[i] = 0.5 * (own.start_q[i] + q[i])
    for k in range(state.nv):
        own.middle_v[k] = 0.5 * (own.start_v[k] + v[k])
    run.plain -= 1
    run.plain_steps += 1
    run.struck_now, run.touched, run.steady = PLAIN, run.touching_now, least
    state.error, state.next_step = 0.0, least if run.plain > 0 else 2.0 * least
    return OK


@kernel
def step_twice(state: State, run: ContactRun, t, h, q, v):
    """The step whole, kept aside, and in halves."""
    own, problem, half, parted = Doubled(state, run.doubled), run.problem, 0.5 * h, state.parted
    copy(q, own.start_q)
    copy(v, own.start_v)
    status = step_with_impulses(state, run, problem, t, h, q, v)
    hit, residual = run.struck_now, run.solve_report.residual
    turned, touching, soft = run.sliding_now & TURNS, run.touching_now, run.soft_now
    speed, met = run.turned_speed, run.meets
    work = -run.solve_report.contact_work
    for k in range(state.nv):
        own.jump[k] = 0.0
    run.changed_now = 0 if touching == run.touched else 1
    normalise(state, q)
    copy(q, own.whole_q)
    copy(v, own.whole_v)
    restore(run)
    state.parted = parted
    copy(own.start_q, q)
    copy(own.start_v, v)
    if status != OK:
        return status
    status = step_with_impulses(state, run, problem, t, half, q, v)
    if status != OK:
        return status
    normalise(state, q)
    copy(q, own.middle_q)
    copy(v, own.middle_v)
    hit, residual = hit | (HALVES * run.struck_now), max(residual, run.solve_report.residual)
    first, speed = run.sliding_now, max(speed, run.turned_speed)
    soft, work = soft | run.soft_now, work + run.solve_report.contact_work
    earlier, met = run.meets, run.meets if run.meets != NEVER else met
    run.changed_now |= 0 if touching == run.touching_now else 1
    copy(q, state.start_q)
    copy(v, state.start_v)
    status = step_with_impulses(state, run, problem, t + half, half, q, v)
    normalise(state, q)
    if earlier == NEVER and run.meets != NEVER:
        met = half + run.meets
    if met != NEVER:
        run.hit = t + met
    elif run.aimed != h:
        run.hit = 0.0
    run.soft_now = soft | run.soft_now
    run.work_gained = work + run.solve_report.contact_work
    run.struck_now = hit | (HALVES * run.struck_now)
    run.changed_now |= 0 if touching == run.touching_now else 1
    run.turned_speed = max(speed, run.turned_speed)
    run.turned_now = turned | turns(first, run.sliding_now)
    run.residual_now = max(residual, run.solve_report.residual)
    copy(own.start_q, state.start_q)
    copy(own.start_v, state.start_v)
    return status


@kernel
def turns(first, second):
    """1: what slides turns about in one of two half steps, or may do so after the second.

    Sliding that stops in the first half is known to have come to an end if it does not begin again
    in the second.
    """
    if (first | second) & TURNS or second & STOPS or (first & STOPS and second & BEGINS):
        return 1
    return 0


# -- errors ----------------------------------------------------------------------------------------


@kernel
def largest(x, other, before, rtol, atol, noise):
    """max_i |x_i - other_i| / (atol + rtol |x_i|), beyond noise; NaN where there is one."""
    worst = 0.0
    for i in range(len(x)):
        size = max(abs(x[i]), abs(before[i]))
        off = (abs(x[i] - other[i]) - noise - ROUNDING * size) / (atol + rtol * size)
        if not off <= worst:
            worst = off
    return worst


@kernel
def jump_of_acceleration(state: State, run: ContactRun, h, v, rtol, atol):
    """h/2 max_i |a_i - a_old_i| / (atol + rtol |v_i|), of the step and that before it."""
    own, worst = Doubled(state, run.doubled), 0.0
    last = last_change_saved(run, state.nv)
    for k in range(state.nv):
        size = max(abs(v[k]), abs(own.start_v[k]))
        jump = 0.5 * abs(v[k] - own.start_v[k] - h * last[k])
        worst = max(worst, jump / (atol + rtol * size))
    return worst


@apart(None)
def judge(state: State, run: ContactRun, t, h, q, v):
    """`State.error` of a step made twice; what is known of the next ones is kept."""
    own, given = Doubled(state, run.doubled), Options(state, state.integrator_options)
    rtol, atol, noise = given.steps_rtol, given.steps_atol, NOISE * run.residual_now
    of_q = largest(q, own.whole_q, own.start_q, rtol, atol, h * noise)
    of_v = largest(v, own.whole_v, own.start_v, rtol, atol, noise)
    order = 1.0 + run.second_order * (1 - run.soft_now)
    yields = state.rows == 0 or (run.soft_now == 1 and not presses_hard(state, run, run.problem))
    smooth = max(of_q, h * of_v) / (h * (2.0**order - 1.0))
    if run.soft_now == 1:
        # extrapolated it is of second order: d is that of one step, not of a second
        smooth = max(of_q, LASTS * of_v) / (EVENT if yields else h)
    lasts = LASTS
    if run.struck_now > 0:
        lasts = LASTS if run.struck_now == BOTH and given.least == 0.0 else min(h, LASTS)
    elif run.turned_now == 1:
        jump = jump_of_acceleration(state, run, h, v, rtol, atol)
        of_v = max(of_v, min(jump, run.turned_speed / atol))
    elif run.soft_now == 1 and run.changed_now == 1:
        # a damper begins at once: whole and halves may agree on when
        of_v = max(of_v, jump_of_acceleration(state, run, h, v, rtol, atol))
        smooth = max(smooth, LASTS * of_v / EVENT)
    event = max(of_q, lasts * of_v) / max(h, EVENT)
    known = t < run.kink and run.kink <= t + REACHED * h
    crosses = known or run.struck_now + run.turned_now + run.changed_now > 0
    error = smooth
    if crosses:
        error = min(smooth, event) if run.turned_now == 0 else event
    if run.struck_now > 0:
        within = output_error(state, run, h, q, rtol, atol)
        error, event = max(error, within), max(event, within)
    if h <= NEGLIGIBLE * rtol:
        error = min(error, 1.0)
    state.error = error
    if error <= 1.0 and not crosses and yields:
        extrapolate(state, run, order, q, v)
        if state.rows > 0 and project(state, t + h, q, v, state.method_flag, CAP) != OK:
            state.error, state.next_step = 2.0, 0.5 * h
            return
    if error <= 1.0:
        state.next_step = min(given.most, after_step(run, t, h, order, max(smooth, error)))
    else:
        state.next_step = shorter(run, t, h, order, smooth, event, crosses)


@kernel
def extrapolate(state: State, run: ContactRun, order, q, v):
    """x + d / (2^p - 1): the leading error of a smooth step is taken out of it."""
    own, part = Doubled(state, run.doubled), 1.0 / (2.0**order - 1.0)
    run.contact_work_sum += part * run.work_gained
    for i in range(state.nq):
        off = part * (q[i] - own.whole_q[i])
        q[i] += off
        own.middle_q[i] += 0.5 * off
    for k in range(state.nv):
        off = part * (v[k] - own.whole_v[k])
        v[k] += off
        own.middle_v[k] += 0.5 * off
    normalise(state, q)


@kernel
def power_of(order, error):
    """error^(-1 / order), within bounds; errors that are no numbers are large ones."""
    if not error < 1e12:
        return 0.0
    if error < 1e-12:
        return 1e12
    return error ** (-1.0 / order)


@kernel
def steadied(run: ContactRun, order, error):
    """The next step over this one, by its error and that of the step before (contact 21).

    Errors of second order depend on the step before, too: a step that follows its own error alone
    would be long and short by turns.
    """
    before, run.error_before = run.error_before, max(error, SMALLEST)
    if before == 0.0:
        return min(GROW, SAFETY * power_of(order, error))
    by_both = power_of(order, error) ** FOLLOWS / power_of(order, before) ** HELD
    return min(GROW, SAFETY**FOLLOWS * by_both)


@kernel
def after_step(run: ContactRun, t, h, order, smooth):
    """The next step after one that was taken."""
    end, run.touched = t + REACHED * h, run.touching_now
    if run.doubted > end and smooth < LOCAL * run.doubted_error * (h / run.doubted_length) ** order:
        run.kink, run.kink_rate = run.doubted, run.doubted_rate
    if run.doubted <= end:
        run.doubted = 0.0
    if run.kink <= end or run.struck_now + run.turned_now > 0:
        run.kink = 0.0
    foretold, run.aimed = run.aimed == h and run.hit > t + h, 0.0
    if smooth > 1.0:  # an impact is behind it
        return max(2.0 * h, AT_ONCE * run.steady)
    further = h * steadied(run, order, smooth)
    if run.kink == 0.0:
        run.steady = h
        return further
    rest = run.kink - (t + h)
    if foretold:  # as far behind it as this step ends before it
        return min(further, rest, 2.0 * (run.hit - (t + h)))
    if run.kink_rate * rest > SAFETY:
        rest *= 0.5
    return min(further, rest)


@kernel
def shorter(run: ContactRun, t, h, order, smooth, event, crosses):
    """The next attempt after one that failed."""
    if not crosses and run.doubted > 0.0 and t + run.doubted_length == run.doubted:
        # tried from here before: has the error become less, as that of something smooth would?
        expected = run.doubted_error * (h / run.doubted_length) ** (0.5 * order)
        crosses = not smooth <= expected
    if crosses:
        run.kink, run.kink_rate = t + h, event / h
        return up_to_hit(run, t, h)
    run.doubted, run.doubted_length = t + h, h
    run.doubted_error, run.doubted_rate = smooth, event / h
    return h * min(SAFETY, max(SHRINK, SAFETY * power_of(order, smooth)))


@kernel
def up_to_hit(run: ContactRun, t, h):
    """The next attempt after one that is too long for what happens in it.

    It ends before a foretold impact by half of what a step across it may have, at least; a step
    that was to end there and did not is halved.
    """
    missed, ahead = run.aimed == h, run.hit - t
    run.aimed = 0.0
    if run.hit == 0.0 or missed or not ahead < h:
        return 0.5 * h
    across = min(SAFETY / run.kink_rate, 0.5 * h)
    before = ahead - max(0.5 * across, NEAR * ahead)
    if before < across:
        return min(0.5 * h, ahead + 0.5 * across)
    run.aimed = before
    return before
