"""Clock and counters of a run at its start, and the moments that were asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.integration import loop


def clock_at(start: float, until: float, step: float | None, integrator: Any) -> np.ndarray:
    """The clock of a run (`loop.T`, ...); `step` is None where the integrator finds its own."""
    clock = np.zeros(loop.CLOCK_COUNT)
    clock[[loop.T, loop.START, loop.UNTIL]] = start, start, until
    clock[loop.MAX_STEP] = getattr(integrator, "max_step", math.inf)
    clock[loop.ERROR_ORDER] = integrator.order
    clock[[loop.NEXT_CALL, loop.SHORTEST]] = math.inf
    if step is None:
        given = getattr(integrator, "first_step", None)
        clock[loop.STEP] = given or min(1e-4 * (until - start), 1e-3)
    else:
        clock[loop.STEP] = step
    return clock


def steps_between(start: float, until: float, step: float | None) -> int:
    """How many steps there are; 0 where that is not known."""
    return 0 if step is None else max(1, math.ceil((until - start) / step - 1e-9))


def counters(method: Any, integrator: Any, *, adaptive: bool, interpolating: bool) -> np.ndarray:
    """Counters of a run (`loop.DONE`, ...), with the borders of the continuous output if needed."""
    count = np.zeros(loop.COUNT_COUNT, dtype=np.int64)
    count[loop.ADAPTIVE] = int(adaptive)
    count[loop.CLEAN_SAMPLES] = int(method.drift == "machine")
    if interpolating:
        own = integrator if method.interpolate is None else method
        count[loop.PREPARE_OUTPUT] = own.interpolate_prepare.address
        count[loop.INTERPOLATE] = own.interpolate.address
    return count


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
