"""Position and velocity brought onto the constraints together, with factors of the step's start.

    q <- q (+) N delta,     delta = -M^-1 J^T (J M^-1 J^T)^-1 Phi(q, t)
    v <- v - M^-1 J^T (J M^-1 J^T)^-1 Phi'(q, v, t)                              repeated

M and J are frozen where the step began (methods 5.2). The end is that of one level after the other:
corrections stay in the range of M^-1 J^T, which meets each level once. But a look at (q, v) shows
both residuals, and looking is what costs: the corrections of a step become as many looks as the
slower level needs, not the sum of both.

The residuals fall by the same factor each time, so it is known beforehand which look will be the
last. That one is an evaluation: the next step begins at this very state and finds it made.
"""

from dalembert._jit import kernel
from dalembert.mechanics.motion import displace, keep_evaluation, keep_state, put_back
from dalembert.mechanics.ratios import place_ratio, speed_ratio
from dalembert.system.borders import evaluate, residual, respond
from dalembert.system.layout import (
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    EVENTS,
    FACTORISATIONS,
    HOLONOMIC,
    INPUTS,
    ITERATIONS,
    NV,
    PHI,
    PHI_DOT,
    ROWS,
    STEP_FACTORISATIONS,
    vector,
)

FAST = 0.03
"""Ratio to which a correction with factors of an earlier moment must bring the residual: otherwise
new ones are worth their time."""

LOOKS = 6
"""Corrections after which factors of the step's start are given up."""

LIKELY = 2.0
"""Residual, over its threshold, that is expected of a look that is made as the last one: the
factor by which residuals fall is known to about that."""


@kernel
def settle(work, sizes, t, q, v):
    """Whether both levels are at rounding now; if not, they are nearer than before, or as near."""
    phi, phi_dot = vector(work, sizes, PHI, HOLONOMIC), vector(work, sizes, PHI_DOT, ROWS)
    bottom, lam = vector(work, sizes, BOTTOM, ROWS), vector(work, sizes, CORRECTION_LAM, ROWS)
    delta = vector(work, sizes, CORRECTION, NV)
    residual(work, sizes, t, q, v)
    place, speed = place_ratio(work, sizes), speed_ratio(work, sizes, v)
    # Events and controllers look at the bodies between the steps.
    alone = sizes[EVENTS] == 0 and sizes[INPUTS] == 0
    expected = 2.0 * LIKELY
    for _look in range(LOOKS):
        worst = max(place, speed)
        if worst <= 1.0:
            return True
        keep_state(work, sizes, q, v)
        if not place <= 1.0:
            for i in range(sizes[ROWS]):
                bottom[i] = -phi[i] if i < sizes[HOLONOMIC] else 0.0
            respond(work, sizes, bottom, delta, lam)
            displace(work, sizes, 1.0, delta, q)
            sizes[ITERATIONS] += 1
        if not speed <= 1.0:
            for i in range(sizes[ROWS]):
                bottom[i] = -phi_dot[i]
            respond(work, sizes, bottom, delta, lam)
            for k in range(sizes[NV]):
                v[k] += delta[k]
        if alone and expected <= LIKELY:
            evaluate(work, sizes, t, q, v)
            keep_evaluation(work, sizes, q, v)
        else:
            residual(work, sizes, t, q, v)
        # A velocity also feels that the position has moved.
        place_limit, speed_limit = max(FAST * place, 1.0), max(FAST * speed, max(place, 1.0))
        place, speed = place_ratio(work, sizes), speed_ratio(work, sizes, v)
        now = max(place, speed)
        if not (place < place_limit and speed < speed_limit):
            if not now < worst:
                put_back(work, sizes, q, v)
            break
        expected = now * (now / worst)
    # Not even a first correction is left to them.
    sizes[STEP_FACTORISATIONS] = sizes[FACTORISATIONS]
    return False
