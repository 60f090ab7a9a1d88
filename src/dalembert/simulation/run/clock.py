"""Clock and counters of a run at its start, and the moments that were asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.integration import loop


def clock_at(start: float, until: float, step: float | None, integrator: Any) -> loop.Clock:
    """The clock of a run at its start; `step` is None where the integrator finds its own."""
    clock = loop.Clock.alone()
    clock.t, clock.start, clock.until = start, start, until
    clock.max_step = getattr(integrator, "max_step", math.inf)
    clock.error_order = integrator.order
    clock.next_call = clock.shortest = math.inf
    if step is None:
        given = getattr(integrator, "first_step", None)
        clock.step = given or min(1e-4 * (until - start), 1e-3)
    else:
        clock.step = step
    return clock


def steps_between(start: float, until: float, step: float | None) -> int:
    """How many steps there are; 0 where that is not known."""
    return 0 if step is None else max(1, math.ceil((until - start) / step - 1e-9))


def put_output(clock: loop.Clock, method: Any, integrator: Any) -> None:
    """Put the borders of the continuous output in place."""
    own = integrator if method.interpolate is None else method
    clock.prepare_output = own.interpolate_prepare.address
    clock.interpolate = own.interpolate.address


def checked_times(times: Sequence[float] | None, start: float, until: float) -> np.ndarray:
    """Moments to record, none by default; an OptionError tells of those that cannot be."""
    if times is None:
        return np.zeros(0)
    moments = np.array(times, dtype=float)
    if moments.ndim != 1 or not len(moments) or not np.all(np.isfinite(moments)):
        raise OptionError("simulate: times must be a list of finite moments in seconds.")
    if np.any(np.diff(moments) <= 0):
        raise OptionError("simulate: times must increase from one to the next.")
    if moments[0] < start or moments[-1] > until:
        raise OptionError(
            f"simulate: times run from {moments[0]:g} to {moments[-1]:g} s, outside the run from "
            f"{start:g} to {until:g} s."
        )
    return moments
