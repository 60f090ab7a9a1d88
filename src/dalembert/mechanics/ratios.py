"""Residuals of constraints over what counts as rounding: the measure every projection goes by."""

import math

from dalembert._jit import kernel
from dalembert.system.layout import (
    HOLONOMIC,
    LENGTH,
    NV,
    PHI,
    PHI_DOT,
    ROW_TOLERANCE,
    ROWS,
    vector,
)


@kernel
def scale_of(work, sizes, count, x):
    """Largest |x_i|, at least the coordinates' own size: what rounding is relative to."""
    result = work[sizes[LENGTH]]
    for i in range(count):
        result = max(result, abs(x[i]))
    return result


@kernel
def velocity_factor(work, sizes, v):
    """Thresholds of velocities over those of positions: |v| over |q|, at least 1/s."""
    return scale_of(work, sizes, sizes[NV], v) / work[sizes[LENGTH]]


@kernel
def worst_ratio(count, values, tolerance, scale):
    """max |values_i| / (tolerance_i scale); NaN counts as infinite."""
    worst = 0.0
    for i in range(count):
        allowed = tolerance[i] * scale
        # a product is cheaper than a quotient, and most rows are not the worst
        if not abs(values[i]) <= worst * allowed:
            worst = abs(values[i]) / allowed
            if worst != worst:
                return math.inf
    return worst


@kernel
def place_ratio(work, sizes):
    """Worst residual of the position, over its threshold."""
    phi = vector(work, sizes, PHI, HOLONOMIC)
    return worst_ratio(sizes[HOLONOMIC], phi, vector(work, sizes, ROW_TOLERANCE, ROWS), 1.0)


@kernel
def speed_ratio(work, sizes, v):
    """Worst residual of the velocity, over its threshold."""
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    return worst_ratio(sizes[ROWS], phi_dot, tolerance, velocity_factor(work, sizes, v))
