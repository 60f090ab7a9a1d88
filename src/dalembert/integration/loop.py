"""The time loop, compiled: steps, error control, samples, and the watch over violation.

One call runs many steps and returns to Python between chunks, for progress, Ctrl-C and room in the
sample arrays, and whenever there is something to look at within a step (an event, a moment to
record): `integration.output` does that. The state of the loop lives in two small arrays:

`clock` (floats)   T, STEP, UNTIL, START, ... and the worst violation met
`count` (integers) steps done, samples taken, ...

Controllers are called between steps, at start + k / rate: a fixed step divides these times, an
adaptive one ends there. What they command is held until the next call (zero-order hold):

`calls` (integers, one row a controller)   HOOK, STRIDE, CALLS, FIRST, OUTPUTS
`contexts` (integers, one row)             for the hook
`frequencies` (floats)                     calls a second
`held` (floats), `places` (integers)       commands; (where in `work`, which of them)
`log_t`, `log_held`                        every change of `held`
"""

from dalembert._jit import kernel
from dalembert.contact.log import log_is_full, log_sample
from dalembert.mechanics.winding import copy_angles, wind
from dalembert.system.borders import (
    CONTROLLER_FAILED,
    NO_CONVERGENCE,
    NON_FINITE,
    OK,
    STEP_TOO_SMALL,
    advance,
    begin_step,
    control,
    end_step,
    guard,
    rates,
    residual,
)
from dalembert.system.layout import (
    ADVANCE,
    AFTER_Q,
    CONTACT_INTEGERS,
    ERROR,
    EVALUATED,
    EVENT_VALUES,
    EVENTS,
    FACTORISATIONS,
    FAILED_INDEX,
    GUARD,
    HOLONOMIC,
    INPUT_RATES,
    INPUTS,
    INTEGRATOR_OPTIONS,
    LAM,
    LEAPS,
    NEAR_COUNT,
    NQ,
    NV,
    OPTIONS_LENGTH,
    PHI,
    PHI_DOT,
    REJECTED,
    ROWS,
    SEE,
    SEE_RATES,
    SEEN,
    START_Q,
    START_V,
    STEP_FACTORISATIONS,
    scratch_vector,
    vector,
)

# clock
T, STEP, UNTIL, START, MAX_STEP, ERROR_ORDER, WORST_PHI, WORST_PHI_DOT, LAST_T, LAST_H = range(10)
REGULAR_STEP, NEXT_CALL = 10, 11
CLOCK_COUNT = 12
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
    STOPPED,
    ENDING,
    LOGGED,
) = range(16)
COUNT_COUNT = 16
# calls
HOOK, STRIDE, CALLS, FIRST, OUTPUTS = range(5)

MORE, LOOK = 100, 101
"""The chunk is over, the run is not; or: look within the last step."""

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""Usual constants of step control."""

LEAP = 0.1
"""Shortest step near a singular position, over the last regular one."""

CORRECTION = 30.0
"""Correction of the position, over the tolerance, beyond which a step is made shorter."""

TAME = 1e-5
"""Relative error up to which such a step may pass."""

COINCIDENT = 1e-9
"""Part of a period by which calls of several controllers may differ and still be one moment."""


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
    sizes[STEP_FACTORISATIONS] = sizes[FACTORISATIONS]
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
    # A projection ends with the residual of the accepted state.
    if sizes[SEEN] == 0:
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
def record(work, sizes, count, t, q, v, t_out, q_out, v_out, lam_out, angle_out):
    """One sample."""
    k = count[SAMPLES]
    lam = vector(work, sizes, LAM, ROWS)
    t_out[k] = t
    copy_state(sizes, q, v, q_out[k], v_out[k])
    for i in range(sizes[ROWS]):
        lam_out[k, i] = lam[i]
    copy_angles(work, sizes, angle_out[k])
    if sizes[CONTACT_INTEGERS] > 0:
        log_sample(work, sizes, k, v)
    count[SAMPLES] = k + 1


@kernel
def has_crossed(before, after, direction):
    """Whether an event function changed its sign in the wanted direction."""
    up = before < 0.0 and after >= 0.0
    down = before > 0.0 and after <= 0.0
    return (up and direction >= 0) or (down and direction <= 0)


@kernel
def look_needed(work, sizes, clock, count, q, v, times, kinds, before):
    """True when an event or a moment to record lies within the last step."""
    if count[NEXT_TIME] < count[TIMES_COUNT] and times[count[NEXT_TIME]] <= clock[T]:
        return True
    if sizes[EVENTS] > 0:
        values = vector(work, sizes, EVENT_VALUES, EVENTS)
        guard(work, sizes, sizes[GUARD], clock[T], q, v)
        for e in range(sizes[EVENTS]):
            if has_crossed(before[e], values[e], kinds[e, 0]):
                return True
        for e in range(sizes[EVENTS]):
            before[e] = values[e]
    return False


@kernel
def feels_the_end(clock, count):
    """True when the length of the next step depends on where the run ends."""
    if count[ADAPTIVE] == 0:
        return count[DONE] + 1 >= count[TOTAL]
    return min(clock[STEP], clock[MAX_STEP]) > 0.499 * (clock[UNTIL] - clock[T])


@kernel
def next_step(clock, count):
    """Length of the next step: the given one, or what is left."""
    if count[ADAPTIVE] == 0:
        if count[DONE] + 1 < count[TOTAL]:
            # The difference of neighbouring grid times is exact: t + h is the next one to the bit.
            return clock[START] + (count[DONE] + 1) * clock[STEP] - clock[T]
        return clock[UNTIL] - clock[T]
    left = min(clock[UNTIL], clock[NEXT_CALL]) - clock[T]
    h = min(clock[STEP], clock[MAX_STEP])
    # Avoid a last step of nothing: stretch, or share what is left between two.
    if h >= left * (1.0 - 1e-10):
        return left
    if h > 0.5 * left:
        return 0.5 * left
    return h


@kernel
def finish_attempt(work, sizes, t, h, q, v):
    """The method's end of the step, within the error control of an adaptive integrator.

    A correction of the position far above the tolerance means that the step passed over something
    its stages did not see, such as a kink in a prescribed motion: it becomes the error.
    """
    before = vector(work, sizes, AFTER_Q, NQ)
    for i in range(sizes[NQ]):
        before[i] = q[i]
    status = end_step(work, sizes, t, h, q, v)
    if status != OK:
        return status
    options = vector(work, sizes, INTEGRATOR_OPTIONS, OPTIONS_LENGTH)
    worst = 0.0
    for i in range(sizes[NQ]):
        worst = max(worst, abs(q[i] - before[i]) / (options[1] + options[0] * abs(q[i])))
    if worst > CORRECTION:
        work[sizes[ERROR]] = worst
    return OK


@kernel
def take_step(work, sizes, clock, count, q, v):
    """One accepted step, shortened until the error control is content. Returns (status, h).

    Near a singular position accelerations carry noise that no step can bring below a tight
    tolerance; following the error would lead the run into the singularity itself, where the branch
    is lost. There a step is not made shorter than LEAP times the last regular one.
    """
    t = clock[T]
    h = next_step(clock, count)
    rejected = False
    leapt = False
    while True:
        near_before = sizes[NEAR_COUNT]
        status = try_step(work, sizes, t, h, q, v)
        if count[ADAPTIVE] == 0:
            break
        if status == OK and work[sizes[ERROR]] <= 1.0:
            status = finish_attempt(work, sizes, t, h, q, v)
        error = work[sizes[ERROR]]
        near = sizes[NEAR_COUNT] > near_before
        recoverable = status == NON_FINITE or status == NO_CONVERGENCE
        if status == OK and error <= 1.0:
            power = error ** (-1.0 / clock[ERROR_ORDER]) if error > 0.0 else GROW
            factor = min(GROW, SAFETY * power)
            if not near:
                clock[REGULAR_STEP] = h
            clock[STEP] = h * (min(1.0, factor) if rejected else factor)
            break
        # The error in units of the state, not of the tolerance.
        tame = status == OK and near and error * work[sizes[INTEGRATOR_OPTIONS]] <= TAME
        if tame and h <= 1.01 * LEAP * clock[REGULAR_STEP]:
            sizes[LEAPS] += 1
            leapt = True
            clock[STEP] = h
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
        if tame:
            h = max(h, LEAP * clock[REGULAR_STEP])
        if not h > 1e-14 * max(abs(t), abs(clock[UNTIL])):
            # An iteration that fails at any step is not the error control's affair.
            if status == OK:
                status = STEP_TOO_SMALL
            break
    if status == OK and (count[ADAPTIVE] == 0 or leapt):
        status = end_step(work, sizes, t, h, q, v)
    if status == OK:
        status = check_finite(sizes, q, v)
    if status != OK:
        copy_state(sizes, vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV), q, v)
    return status, h


@kernel
def finish_step(work, sizes, clock, count, q, v, t_out, q_out, v_out, lam_out, angle_out):
    """Watch the violation of the accepted step, count turns, and record it when it is due."""
    watch(work, sizes, clock, count, clock[T], q, v)
    wind(work, sizes, clock[T], clock[T] - clock[LAST_T], q, v)
    if count[TIMES_COUNT] == 0 and (
        clock[T] >= clock[UNTIL] or count[STOPPED] == 1 or count[DONE] % count[EVERY] == 0
    ):
        # A terminal event at the very start of a step ends where the last sample is.
        if count[SAMPLES] > 0 and t_out[count[SAMPLES] - 1] == clock[T]:
            count[SAMPLES] -= 1
        record(work, sizes, count, clock[T], q, v, t_out, q_out, v_out, lam_out, angle_out)


@kernel
def is_due(clock, count, calls, frequencies, c):
    """Whether a controller is to be called before the next step."""
    if count[ADAPTIVE] == 0:
        return count[DONE] == calls[c, CALLS] * calls[c, STRIDE]
    left = clock[START] + calls[c, CALLS] / frequencies[c] - clock[T]
    return left <= COINCIDENT / frequencies[c]


@kernel
def take_over(work, sizes, calls, c, held, places):
    """Put the commands of a controller into the equations; fails where one is no number."""
    first = calls[c, FIRST]
    for k in range(first, first + calls[c, OUTPUTS]):
        if not abs(held[k]) < 1e300:
            sizes[FAILED_INDEX] = k
            return CONTROLLER_FAILED
    sizes[EVALUATED] = 0
    for p in range(places.shape[0]):
        work[places[p, 0]] = held[places[p, 1]]
    return OK


@kernel
def look_around(work, sizes, t, h, q, v):
    """Inputs of controllers; accelerations are those of the commands held so far."""
    if sizes[SEE_RATES] == 1:
        nq, nv = sizes[NQ], sizes[NV]
        qdot = scratch_vector(work, sizes, INPUT_RATES, 0, nq)
        vdot = scratch_vector(work, sizes, INPUT_RATES, nq, nv)
        lam = scratch_vector(work, sizes, INPUT_RATES, nq + nv, sizes[ROWS])
        status = rates(work, sizes, t, h, q, v, qdot, vdot, lam)
        if status != OK:
            return status
    return guard(work, sizes, sizes[SEE], t, q, v)


@kernel
def call_controllers(
    work, sizes, clock, count, q, v, calls, contexts, frequencies, held, places, log_t, log_held
):
    """Call the controllers whose moment it is, once each, and keep what they command."""
    called = False
    for c in range(calls.shape[0]):
        if not is_due(clock, count, calls, frequencies, c):
            continue
        if not called and sizes[INPUTS] > 0:
            status = look_around(work, sizes, clock[T], clock[STEP], q, v)
            if status != OK:
                return status
        called = True
        status = control(calls[c, HOOK], work, sizes, clock[T], contexts[c])
        if status != OK:
            sizes[FAILED_INDEX] = -1 - c
        if status == OK:
            status = take_over(work, sizes, calls, c, held, places)
        if status != OK:
            return status
        calls[c, CALLS] += 1
    if called:
        k = count[LOGGED]
        log_t[k] = clock[T]
        for i in range(held.shape[0]):
            log_held[k, i] = held[i]
        count[LOGGED] = k + 1
        if count[ADAPTIVE] == 1:
            clock[NEXT_CALL] = clock[START] + calls[0, CALLS] / frequencies[0]
            for c in range(1, calls.shape[0]):
                moment = clock[START] + calls[c, CALLS] / frequencies[c]
                clock[NEXT_CALL] = min(clock[NEXT_CALL], moment)
    return OK


CHUNK_KINDS = (
    "double[1] i64[1] double[1] i64[1] double[1] double[1] i64 double[1] i64[2] double[1] "
    "i64[2] i64[2] double[1] double[1] i64[2] double[1] double[2] double[1] double[2] double[2] "
    "double[2] double[2]"
)
"""Kinds of the arguments of `run_chunk`, which is compiled before there are any."""


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
    calls,
    contexts,
    frequencies,
    held,
    places,
    log_t,
    log_held,
    t_out,
    q_out,
    v_out,
    lam_out,
    angle_out,
):
    """At most `steps` steps. Returns OK at the end of the run, MORE, LOOK or a failure."""
    # Anything may have been changed between two calls.
    sizes[EVALUATED] = 0
    for _ in range(steps):
        if count[SAMPLES] >= t_out.shape[0]:
            return MORE
        if sizes[CONTACT_INTEGERS] > 0 and log_is_full(sizes):
            return MORE
        if count[ENDING] == 0 and feels_the_end(clock, count):
            # From here on a run to another end would be another run: time to remember the state.
            count[ENDING] = 1
            return MORE
        if calls.shape[0] > 0:
            if count[LOGGED] >= log_t.shape[0]:
                return MORE
            status = call_controllers(
                work,
                sizes,
                clock,
                count,
                q,
                v,
                calls,
                contexts,
                frequencies,
                held,
                places,
                log_t,
                log_held,
            )
            if status != OK:
                return status
        t = clock[T]
        status, h = take_step(work, sizes, clock, count, q, v)
        if status != OK:
            return status
        count[DONE] += 1
        if count[ADAPTIVE] == 0 and count[DONE] < count[TOTAL]:
            clock[T] = clock[START] + count[DONE] * clock[STEP]
        elif count[ADAPTIVE] == 0 or h >= clock[UNTIL] - t:
            clock[T] = clock[UNTIL]
        elif h >= clock[NEXT_CALL] - t:
            clock[T] = clock[NEXT_CALL]
        else:
            clock[T] = t + h
        clock[LAST_T], clock[LAST_H] = t, h
        if look_needed(work, sizes, clock, count, q, v, times, kinds, before):
            return LOOK
        finish_step(work, sizes, clock, count, q, v, t_out, q_out, v_out, lam_out, angle_out)
        if clock[T] >= clock[UNTIL]:
            return OK
    return MORE
