"""The time loop, compiled: steps, error control, events, samples, and the watch over violation.

One call runs many steps and returns to Python between chunks, for progress, Ctrl-C and room in the
sample arrays. The state of the loop lives in two small arrays:

`clock` (floats)   T, STEP, UNTIL, START, ... and the worst violation met
`count` (integers) steps done, samples taken, ...
"""

from dalembert._jit import kernel
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.system.borders import (
    NO_CONVERGENCE,
    NON_FINITE,
    OK,
    STEP_TOO_SMALL,
    advance,
    begin_step,
    end_step,
    guard,
    residual,
)
from dalembert.system.layout import (
    ADVANCE,
    ERROR,
    EVENT_VALUES,
    EVENTS,
    FAILED_INDEX,
    GUARD,
    HOLONOMIC,
    LAM,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    REJECTED,
    ROWS,
    START_Q,
    START_V,
    vector,
)

# clock
T, STEP, UNTIL, START, MAX_STEP, ERROR_ORDER, WORST_PHI, WORST_PHI_DOT = range(8)
CLOCK_COUNT = 8
# count
(
    DONE,
    TOTAL,
    EVERY,
    SAMPLES,
    NEXT_TIME,
    TIMES_COUNT,
    ADAPTIVE,
    PHI_ROW,
    PHI_DOT_ROW,
    EVENT_COUNT,
    CLEAN_SAMPLES,
    PREPARE_OUTPUT,
    INTERPOLATE,
) = range(13)
COUNT_COUNT = 13

EVENT = 7
"""A terminal event ended the run (`Status.EVENT`)."""
MORE = 100
"""The chunk is over, the run is not."""

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""Usual constants of step control."""

BISECTIONS = 60


@kernel
def first_not_finite(count, x):
    """Index of the first entry that is not a finite number, or -1."""
    for i in range(count):
        if not abs(x[i]) < 1e300:
            return i
    return -1


@kernel
def check_finite(sizes, q, v):
    """NON_FINITE with its index (velocities follow coordinates), or OK."""
    bad = first_not_finite(sizes[NQ], q)
    if bad < 0:
        bad = first_not_finite(sizes[NV], v)
        if bad >= 0:
            bad += sizes[NQ]
    if bad >= 0:
        sizes[FAILED_INDEX] = bad
        return NON_FINITE
    return OK


@kernel
def copy_state(sizes, q, v, q_out, v_out):
    """(q_out, v_out) <- (q, v)."""
    for i in range(sizes[NQ]):
        q_out[i] = q[i]
    for k in range(sizes[NV]):
        v_out[k] = v[k]


@kernel
def try_step(work, sizes, t, h, q, v):
    """begin_step, advance, and a look at the result; the start is kept in START_Q, START_V."""
    copy_state(sizes, q, v, vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV))
    status = begin_step(work, sizes, t, h, q, v)
    if status != OK:
        return status
    status = advance(sizes[ADVANCE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    return check_finite(sizes, q, v)


@kernel
def watch(work, sizes, clock, count, t, q, v):
    """Keep the worst violation of both levels and its row."""
    residual(work, sizes, t, q, v)
    phi = vector(work, sizes, PHI, HOLONOMIC)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for i in range(sizes[HOLONOMIC]):
        if abs(phi[i]) > clock[WORST_PHI]:
            clock[WORST_PHI] = abs(phi[i])
            count[PHI_ROW] = i
    for i in range(sizes[ROWS]):
        if abs(phi_dot[i]) > clock[WORST_PHI_DOT]:
            clock[WORST_PHI_DOT] = abs(phi_dot[i])
            count[PHI_DOT_ROW] = i


@kernel
def record(work, sizes, count, t, q, v, t_out, q_out, v_out, lam_out):
    """One sample."""
    k = count[SAMPLES]
    lam = vector(work, sizes, LAM, ROWS)
    t_out[k] = t
    copy_state(sizes, q, v, q_out[k], v_out[k])
    for i in range(sizes[ROWS]):
        lam_out[k, i] = lam[i]
    count[SAMPLES] = k + 1


@kernel
def state_within(work, sizes, count, t, h, s, q_out, v_out):
    """State at the fraction s of the last step, from the continuous output."""
    advance(count[INTERPOLATE], work, sizes, s, h, q_out, v_out)
    if count[CLEAN_SAMPLES] == 1:
        project(work, sizes, t + s * h, q_out, v_out, MASS_NORM, 10)


@kernel
def crossing(work, sizes, count, t, h, e, before, q_out, v_out):
    """Fraction of the step at which event `e` changes sign, by bisection on the output."""
    values = vector(work, sizes, EVENT_VALUES, EVENTS)
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        advance(count[INTERPOLATE], work, sizes, middle, h, q_out, v_out)
        guard(sizes[GUARD], work, sizes, t + middle * h, q_out, v_out)
        if (values[e] < 0.0) == (before < 0.0) and values[e] != 0.0:
            low = middle
        else:
            high = middle
    return high


@kernel
def find_events(
    work, sizes, count, t, h, q, v, kinds, before, fractions, event_t, event_index, event_q, event_v
):
    """Record the events of the last step in order; EVENT when a terminal one occurred.

    `kinds` has a row per event: direction, terminal. `before` holds the values at the start and is
    brought up to date. After a terminal event (q, v) is the state at its moment.
    """
    values = vector(work, sizes, EVENT_VALUES, EVENTS)
    n = sizes[EVENTS]
    guard(sizes[GUARD], work, sizes, t + h, q, v)
    found = False
    for e in range(n):
        up = before[e] < 0.0 and values[e] >= 0.0
        down = before[e] > 0.0 and values[e] <= 0.0
        wanted = (up and kinds[e, 0] >= 0) or (down and kinds[e, 0] <= 0)
        fractions[e] = 0.0 if wanted else 2.0
        found = found or wanted
        if not wanted:
            before[e] = values[e]
        else:
            # keep the sign of the start for the search, the end value in the second row
            fractions[n + e] = values[e]
    if not found:
        return OK
    status = advance(count[PREPARE_OUTPUT], work, sizes, t, h, q, v)
    if status != OK:
        return status
    k = count[EVENT_COUNT]
    for e in range(n):
        if fractions[e] <= 1.0:
            fractions[e] = crossing(work, sizes, count, t, h, e, before[e], event_q[k], event_v[k])
            before[e] = fractions[n + e]
    while True:
        e = 0
        for i in range(n):
            if fractions[i] < fractions[e]:
                e = i
        if fractions[e] > 1.0:
            return OK
        k = count[EVENT_COUNT]
        event_t[k] = t + fractions[e] * h
        event_index[k] = e
        state_within(work, sizes, count, t, h, fractions[e], event_q[k], event_v[k])
        count[EVENT_COUNT] = k + 1
        if kinds[e, 1] != 0:
            copy_state(sizes, event_q[k], event_v[k], q, v)
            return EVENT
        fractions[e] = 2.0


@kernel
def next_step(clock, count):
    """Length of the next step: the given one, or what is left."""
    if count[ADAPTIVE] == 0:
        if count[DONE] + 1 < count[TOTAL]:
            return clock[STEP]
        return clock[UNTIL] - clock[T]
    left = clock[UNTIL] - clock[T]
    h = min(clock[STEP], clock[MAX_STEP])
    # Avoid a last step of nothing: stretch, or share what is left between two.
    if h >= left * (1.0 - 1e-10):
        return left
    if h > 0.5 * left:
        return 0.5 * left
    return h


@kernel
def take_step(work, sizes, clock, count, q, v):
    """One accepted step, shortened until the error control is content. Returns (status, h)."""
    t = clock[T]
    h = next_step(clock, count)
    rejected = False
    while True:
        status = try_step(work, sizes, t, h, q, v)
        if count[ADAPTIVE] == 0:
            break
        error = work[sizes[ERROR]]
        recoverable = status == NON_FINITE or status == NO_CONVERGENCE
        if status == OK and error <= 1.0:
            power = error ** (-1.0 / clock[ERROR_ORDER]) if error > 0.0 else GROW
            factor = min(GROW, SAFETY * power)
            clock[STEP] = h * (min(1.0, factor) if rejected else factor)
            break
        if status != OK and not recoverable:
            break
        copy_state(sizes, vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV), q, v)
        rejected = True
        sizes[REJECTED] += 1
        factor = SHRINK
        if status == OK and error < 1e12:
            factor = max(SHRINK, SAFETY * error ** (-1.0 / clock[ERROR_ORDER]))
        h *= factor
        if not h > 1e-14 * max(abs(t), abs(clock[UNTIL])):
            status = STEP_TOO_SMALL
            break
    if status == OK:
        status = end_step(work, sizes, t, h, q, v)
    if status == OK:
        status = check_finite(sizes, q, v)
    if status != OK:
        copy_state(sizes, vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV), q, v)
    return status, h


@kernel
def run_chunk(
    work,
    sizes,
    clock,
    count,
    q,
    v,
    steps,
    times,
    kinds,
    before,
    fractions,
    t_out,
    q_out,
    v_out,
    lam_out,
    event_t,
    event_index,
    event_q,
    event_v,
):
    """At most `steps` steps. Returns OK at the end of the run, MORE, EVENT or a failure."""
    capacity = t_out.shape[0]
    event_room = event_t.shape[0] - sizes[EVENTS]
    for _ in range(steps):
        if count[SAMPLES] >= capacity or count[EVENT_COUNT] > event_room:
            return MORE
        t = clock[T]
        status, h = take_step(work, sizes, clock, count, q, v)
        if status != OK:
            return status
        count[DONE] += 1
        if count[ADAPTIVE] == 0 and count[DONE] < count[TOTAL]:
            end = clock[START] + count[DONE] * clock[STEP]
        elif count[ADAPTIVE] == 0 or h >= clock[UNTIL] - t:
            end = clock[UNTIL]
        else:
            end = t + h
        if sizes[EVENTS] > 0:
            status = find_events(
                work,
                sizes,
                count,
                t,
                h,
                q,
                v,
                kinds,
                before,
                fractions,
                event_t,
                event_index,
                event_q,
                event_v,
            )
            if status == EVENT:
                end = event_t[count[EVENT_COUNT] - 1]
        clock[T] = end
        watch(work, sizes, clock, count, end, q, v)
        last = end >= clock[UNTIL] or status == EVENT
        if count[TIMES_COUNT] == 0:
            if last or count[DONE] % count[EVERY] == 0:
                record(work, sizes, count, end, q, v, t_out, q_out, v_out, lam_out)
        else:
            output = sample_times(
                work, sizes, clock, count, t, h, end, q, v, times, t_out, q_out, v_out, lam_out
            )
            if output != OK:
                return output
        if status != OK:
            return status
        if last:
            return OK
    return MORE


@kernel
def sample_times(
    work, sizes, clock, count, t, h, end, q, v, times, t_out, q_out, v_out, lam_out
):
    """Samples at the asked moments within the last step; room for them all is the caller's."""
    prepared = False
    while count[NEXT_TIME] < count[TIMES_COUNT] and times[count[NEXT_TIME]] <= end:
        moment = times[count[NEXT_TIME]]
        k = count[SAMPLES]
        if moment >= end:
            record(work, sizes, count, end, q, v, t_out, q_out, v_out, lam_out)
        else:
            if not prepared:
                status = advance(count[PREPARE_OUTPUT], work, sizes, t, h, q, v)
                if status != OK:
                    return status
                prepared = True
            record(work, sizes, count, moment, q, v, t_out, q_out, v_out, lam_out)
            state_within(work, sizes, count, t, h, (moment - t) / h, q_out[k], v_out[k])
        count[NEXT_TIME] += 1
    return OK
