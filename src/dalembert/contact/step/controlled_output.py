"""Continuous output of a step that was made in two halves.

In each of them q is the cubic with the q and q' of its ends, v a straight line. What is hit within
a half is off there by up to |jump of v| h / 4, all else as little as the step (contact 21). Steps
of the rule, which nobody judges, are straight lines.
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.run.step_in_halves import Doubled
from dalembert.contact.step.controlled import PLAIN
from dalembert.mechanics.motion import kinematic_map
from dalembert.numerics.vector import copy
from dalembert.system.state_layout import State


class Halves(Part, of=State):
    """The end of a step, and q' where its halves begin and end."""

    q: Numbers = over("nq")
    v: Numbers = over("nv")
    start_dot: Numbers = over("nq")
    middle_dot: Numbers = over("nq")
    end_dot: Numbers = over("nq")


@apart(None)
def prepare_halves(state: State, run: ContactRun, q, v):
    """Keep the end (q, v) of a step, and rates."""
    end, own = Halves(state, state.integrator_scratch), Doubled(state, run.doubled)
    copy(q, end.q)
    copy(v, end.v)
    kinematic_map(state, own.start_q, own.start_v, end.start_dot)
    kinematic_map(state, own.middle_q, own.middle_v, end.middle_dot)
    kinematic_map(state, q, v, end.end_dot)


@apart(None)
def output_of_halves(state: State, run: ContactRun, s, h, q, v):
    """State at the fraction s of a step of length h."""
    end, own = Halves(state, state.integrator_scratch), Doubled(state, run.doubled)
    straight, half, s = run.struck_now == PLAIN, 0.5 * h, 2.0 * s
    middle_q, middle_dot = own.middle_q, end.middle_dot
    if s < 1.0:
        put_q(s, half, own.start_q, end.start_dot, middle_q, middle_dot, straight, q)
        put_v(s, own.start_v, own.middle_v, v)
    else:
        put_q(s - 1.0, half, middle_q, middle_dot, end.q, end.end_dot, straight, q)
        put_v(s - 1.0, own.middle_v, end.v, v)


@kernel
def put_q(s, h, x, x_dot, y, y_dot, straight, out):
    """From x to y, on a line or the cubic with these rates."""
    rest = 1.0 - s
    for i in range(len(out)):
        out[i] = x[i] + s * (y[i] - x[i])
        if not straight:
            bent = h * (rest * x_dot[i] - s * y_dot[i]) + (s - rest) * (y[i] - x[i])
            out[i] += s * rest * bent


@kernel
def put_v(s, x, y, out):
    """From x to y on a line."""
    for k in range(len(out)):
        out[k] = x[k] + s * (y[k] - x[k])
