"""Corrections where many directions are nearly lost: conjugate gradients on A lam = bottom.

    A = J M^-1 J^T,      x = M^-1 J^T lam

The proximal form is the preconditioner, B = (A + G^-1)^-1: with H = M + J^T G J

    H xi = J^T G r,      B r = G (r - J xi),       M^-1 J^T B r = xi,      A B r = J xi

so one solve with H gives the preconditioned residual together with its motion and its image. The
spectrum of B A is sigma^2 / (sigma^2 + p): plain steps lose a direction with sigma^2 far below p,
conjugate ones see it down to p / (steps)^2 at the accuracy that a larger p leaves to H.
"""

from dalembert._jit import apart
from dalembert.mechanics.incidence import image, pull
from dalembert.mechanics.proximal_matrix import solve_assembled
from dalembert.system.state_layout import State

STEPS = 8
"""At most: more would find what rounding has put into directions that are lost."""

SMALL = 1e-20
"""Fall of r^T B r that is enough."""


@apart(None)
def conjugate_response(state: State, bottom, x_out, lam_out):
    """x and lam of the correction."""
    n, m, g = state.nv, state.rows, state.row_weight
    r, y, Ay = state.rest_bottom, state.rest_weighted, state.gradient
    d, Ad, xi, motion = (
        state.direction,
        state.direction_image,
        state.change,
        state.direction_motion,
    )
    for k in range(n):
        x_out[k] = motion[k] = 0.0
    for i in range(m):
        lam_out[i] = d[i] = Ad[i] = 0.0
        r[i] = bottom[i]
    before = first = 0.0
    for step in range(STEPS):
        # y = B r, xi = M^-1 J^T y, Ay = J xi
        state.refinements += 1
        for i in range(m):
            y[i] = g[i] * r[i]
        for k in range(n):
            xi[k] = 0.0
        pull(state, y, xi)
        solve_assembled(state, xi)
        image(state, xi, Ay)
        size = 0.0
        for i in range(m):
            y[i] = g[i] * (r[i] - Ay[i])
            size += r[i] * y[i]
        if step == 0:
            first = size
        if not size > SMALL * first:
            break
        beta = size / before if step > 0 else 0.0
        before = size
        bend = 0.0
        for i in range(m):
            d[i] = y[i] + beta * d[i]
            Ad[i] = Ay[i] + beta * Ad[i]
            bend += d[i] * Ad[i]
        for k in range(n):
            motion[k] = xi[k] + beta * motion[k]
        if not bend > 0.0:
            break
        alpha = size / bend
        for i in range(m):
            lam_out[i] += alpha * d[i]
            r[i] -= alpha * Ad[i]
        for k in range(n):
            x_out[k] += alpha * motion[k]
