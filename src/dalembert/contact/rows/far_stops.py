"""Stops that are far: they have no row in a step, and are looked at when it is solved (contact 16).

Of the limits of a robot few are near in a step; every row of the others costs its part of W. A
rigid stop on a tree that did not push in the last step, and is further away than `REACH` times the
way of the fastest velocity, is left out. With the answer its row must hold without an impulse,

    J v+ + phi_t + phi / s >= 0,                  s: what is left of the step

and then the answer is that of the whole problem. Otherwise the step is solved again with all rows.

A correction of positions by dq leaves out stops that are `AHEAD` times further away than anything
is to be moved; with its answer  J dq + phi >= 0.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import Problem
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.tree_kinematics import spread_velocity
from dalembert.numerics.spatial import force, motion
from dalembert.system.state_layout import State

REACH = 4.0
"""Ways of a step, at the speed of the fastest velocity, within which a stop has a row."""

AHEAD = 100.0
"""The largest penetration or gap of a joint, as often, within which a stop is corrected with it."""


@kernel
def fastest(problem: Problem):
    """Largest velocity before the step."""
    largest = 0.0
    for k in range(problem.velocities):
        largest = max(largest, abs(problem.v_before[k]))
    return largest


@kernel
def is_far(state: State, run: ContactRun, row, reach):
    """Whether a stop without tangents is left out; `reach`: the way of a step, REACH times."""
    stop = state.stop(row)
    if not state.side_phi[row] > reach or run.fixed_impulses[state.rows + row] != 0.0:
        return False
    return state.on_tree and stop.stiffness == 0.0 and stop.frequency == 0.0


@apart(bool)
def far_stops_hold(state: State, run: ContactRun, problem: Problem, left):
    """Whether all stops that were left out are open, `left` later, with the velocities found."""
    if run.far_stops == 0:
        return True
    take_velocities(state, run, problem, problem.v, state.top)
    twists = run.next_twists  # of the end of the step, once it is known
    if not stay_open(state, run, state.top, twists, 1.0, left):
        return False
    return run.completed_now == 0 or stay_open(state, run, run.way, twists, 1.0, left)


@kernel
def is_beyond(state: State, run: ContactRun, row):
    """Whether a rigid stop is left out of a correction of positions."""
    if run.all_stops == 1 or not state.on_tree:
        return False
    seen = run.step_report
    depth = max(seen.penetration, max(seen.penetration_angle, seen.penetration_own))
    return state.side_phi[row] > AHEAD * max(depth, seen.drift)


@kernel
def stay_open(state: State, run: ContactRun, v, twists, clock, left):
    """Whether stops that were left out are open after `left` with the velocities v of a tree.

    `clock`: 1, or 0 where time stands still. `twists` is filled.
    """
    spread_velocity(state.tree_integers, state.tree_room, v, twists)
    for row in range(state.sides):
        if run.side_far[row] == 0:
            continue
        law, rate = run.side_law(row), clock * state.side_phi_t[row]
        for i in range(law.count):
            own = run.side_body(state.sides, law, i)
            rate += force(state.side_jacobian, own.start).dot(motion(twists, 6 * own.body))
        if not rate + state.side_phi[row] / left >= 0.0:
            return False
    return True
