"""Residuals of constraints over what counts as rounding: the measure every projection goes by."""

import math

from dalembert._jit import kernel
from dalembert.system.state_layout import State


@kernel
def scale_of(state: State, count, x):
    """Largest |x_i|, at least the coordinates' own size: what rounding is relative to."""
    result = state.length
    for i in range(count):
        result = max(result, abs(x[i]))
    return result


@kernel
def velocity_factor(state: State, v):
    """Thresholds of velocities over those of positions: |v| over |q|, at least 1/s."""
    return scale_of(state, state.nv, v) / state.length


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
def place_ratio(state: State):
    """Worst residual of the position, over its threshold."""
    phi = state.phi
    return worst_ratio(state.holonomic, phi, state.row_tolerance, 1.0)


@kernel
def speed_ratio(state: State, v):
    """Worst residual of the velocity, over its threshold."""
    phi_dot = state.phi_dot
    tolerance = state.row_tolerance
    return worst_ratio(state.rows, phi_dot, tolerance, velocity_factor(state, v))
