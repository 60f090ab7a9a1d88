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
from dalembert.mechanics.corrections import correction_of_place, correction_of_speed
from dalembert.mechanics.motion import displace, keep_evaluation, keep_state, put_back
from dalembert.mechanics.residual_scale import place_ratio, speed_ratio
from dalembert.system.borders import evaluate, residual
from dalembert.system.state_layout import State

FAST = 0.03
"""Ratio to which a correction with factors of an earlier moment must bring the residual: otherwise
new ones are worth their time."""

LOOKS = 6
"""Corrections after which factors of the step's start are given up."""

LIKELY = 2.0
"""Residual, over its threshold, that is expected of a look that is made as the last one: the
factor by which residuals fall is known to about that."""


@kernel
def settle(state: State, t, q, v):
    """Whether both levels are at rounding now; if not, they are nearer than before, or as near."""
    residual(state, t, q, v)
    place, speed = place_ratio(state), speed_ratio(state, v)
    # Events and controllers look at the bodies between the steps.
    alone = state.events == 0 and state.inputs == 0
    expected = 2.0 * LIKELY
    for _look in range(LOOKS):
        worst = max(place, speed)
        if worst <= 1.0:
            return True
        keep_state(state, q, v)
        if not place <= 1.0:
            displace(state, 1.0, correction_of_place(state), q)
            state.iterations += 1
        if not speed <= 1.0:
            delta = correction_of_speed(state)
            for k in range(state.nv):
                v[k] += delta[k]
        if alone and expected <= LIKELY:
            evaluate(state, t, q, v)
            keep_evaluation(state, q, v)
        else:
            residual(state, t, q, v)
        # A velocity also feels that the position has moved.
        place_limit, speed_limit = max(FAST * place, 1.0), max(FAST * speed, max(place, 1.0))
        place, speed = place_ratio(state), speed_ratio(state, v)
        now = max(place, speed)
        if not (place < place_limit and speed < speed_limit):
            if not now < worst:
                put_back(state, q, v)
            break
        expected = now * (now / worst)
    # Not even a first correction is left to them.
    state.step_factorisations = state.factorisations
    return False
