"""The state of the time loop: where a run is, how it goes on, what it has met."""

from dalembert._jit import kernel
from dalembert._records import Place


class Clock(Place):
    """Times and counts."""

    class numbers:
        t: float  # [s]
        step: float  # the given one, or what error control has found  [s]
        until: float
        start: float
        max_step: float
        error_order: float  # power of the step by which errors grow
        worst_phi: float  # worst violation met
        worst_phi_dot: float
        last_t: float  # start of the last step,
        last_h: float  # its length
        regular_step: float  # the last one far from singular positions
        next_call: float  # of a controller
        shortest: float  # step taken  [s]
        longest: float

    class counts:
        done: int  # steps
        total: int  # steps of a fixed length, all but the last
        every: int  # steps from sample to sample
        samples: int  # taken
        next_time: int  # of the asked moments
        times_count: int
        adaptive: int  # 1: error control finds the steps
        phi_row: int  # of the worst violation
        phi_dot_row: int
        event_count: int
        clean_samples: int  # 1: samples within a step are projected
        prepare_output: int  # addresses of the continuous output
        interpolate: int
        stopped: int  # 1: by a terminal event
        ending: int  # 1: the length of steps depends on where the run ends
        logged: int  # calls of controllers


@kernel
def clock_of(numbers, counts):
    """The clock in two arrays."""
    return Clock(numbers, 0, counts, 0)


@kernel
def feels_the_end(clock):
    """True when the length of the next step depends on where the run ends."""
    if clock.adaptive == 0:
        return clock.done + 1 >= clock.total
    return min(clock.step, clock.max_step) > 0.499 * (clock.until - clock.t)


@kernel
def next_step(numbers, counts):
    """Length of the next step: the given one, or what is left."""
    clock = clock_of(numbers, counts)
    if clock.adaptive == 0:
        if clock.done + 1 < clock.total:
            # The difference of neighbouring grid times is exact: t + h is the next one to the bit.
            return clock.start + (clock.done + 1) * clock.step - clock.t
        return clock.until - clock.t
    left = min(clock.until, clock.next_call) - clock.t
    h = min(clock.step, clock.max_step)
    # Avoid a last step of nothing: stretch, or share what is left between two.
    if h >= left * (1.0 - 1e-10):
        return left
    if h > 0.5 * left:
        return 0.5 * left
    return h


@kernel
def go_on(clock, h):
    """Count a step of length h: grid times, the end and calls of controllers are met to the bit."""
    t = clock.t
    clock.done += 1
    if clock.adaptive == 0 and clock.done < clock.total:
        clock.t = clock.start + clock.done * clock.step
    elif clock.adaptive == 0 or h >= clock.until - t:
        clock.t = clock.until
    elif h >= clock.next_call - t:
        clock.t = clock.next_call
    else:
        clock.t = t + h
    clock.last_t, clock.last_h = t, h
    clock.shortest, clock.longest = min(clock.shortest, h), max(clock.longest, h)
