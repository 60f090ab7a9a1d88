"""Angles of hinges counted through full turns, once a step (theory/methods.md, "Full turns").

    raw = atan2(y_A . x_B, x_A . x_B)  in (-pi, pi],      rate = z_A . (w_B - w_A)
    foretold_n+1 = foretold_n + h (rate_n + rate_n+1) / 2,    angle = raw + 2 pi k  nearest to it

The rate tells the turns of a step however many they are; where the foretold angle has gone further
than `SURE` it is brought back to the raw one, so that what the rule misses does not add up. A hinge
that is a coordinate of a tree is that coordinate. Which hinges there are, and their numbers:
`simulation.motion.turns`. They stand behind the rest of `sizes` and `work`.
"""

import math

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.mechanics.tree_kinematics import move
from dalembert.mechanics.tree_states import tree_to_bodies
from dalembert.numerics.vector import Vec3, vec3
from dalembert.system.state_layout import State
from dalembert.system.tables import HINGE, HINGE_FLOATS, Hinge

TABLE, NUMBERS = HINGE, HINGE_FLOATS
OF_TREE = 1
(FORETOLD,) = Hinge.offsets("foretold")

TURN = 2.0 * math.pi
SURE = 1.0
"""Way of a foretold angle after which it is compared with the raw one  [rad]."""


class Seen(Part, of=State):
    """Bodies of a tree, and scratch of it: the run must not notice that somebody looks."""

    places: Numbers = over("7 * placed")
    speeds: Numbers = over("6 * placed")
    scratch: Numbers = over("tree_room")


@kernel
def seen_of(state: State):
    """Where hinges of a tree look at its bodies."""
    return Seen(state, state.work[state.hinge_room :])


# -- a hinge between bodies ------------------------------------------------------------------------


@kernel
def turned_axis(q, body, axis):
    """An axis of a body in world axes."""
    if body < 0:
        return axis
    a, u = q[7 * body + 3], vec3(q, 7 * body + 4)
    once = u % axis
    return axis + 2.0 * (a * once + u % once)


@kernel
def spin_of(v, body):
    """Angular velocity of a body."""
    if body < 0:
        return Vec3.zero()
    return vec3(v, 6 * body + 3)


@kernel
def rate_of(hinge, q, v):
    """z_A . (w_B - w_A)."""
    return turned_axis(q, hinge.a, hinge.z_a).dot(spin_of(v, hinge.b) - spin_of(v, hinge.a))


@kernel
def nearest_angle(hinge, q, foretold):
    """Angle with as many turns as bring it nearest to a foretold one."""
    x = turned_axis(q, hinge.b, hinge.x_b)
    sine = turned_axis(q, hinge.a, hinge.y_a).dot(x)
    raw = math.atan2(sine, turned_axis(q, hinge.a, hinge.x_a).dot(x))
    return raw + TURN * round((foretold - raw) / TURN)


# -- bodies of a tree ------------------------------------------------------------------------------


@kernel
def has_free_hinges(state: State):
    """Whether any hinge of a tree is no coordinate of it."""
    for k in range(state.hinges):
        if state.hinge(k).is_coordinate == 0:
            return True
    return False


@kernel
def place_bodies(state: State, q, v):
    """Where the bodies of a tree are, in scratch of its own: the run must not notice."""
    if has_free_hinges(state):
        move_bodies(state, q, v)


@apart(None)
def move_bodies(state: State, q, v):
    """Places and speeds of all bodies; few trees have hinges that are not their coordinates."""
    integers, numbers, seen = state.tree_integers, state.tree_numbers, seen_of(state)
    move(integers, numbers, seen.scratch, q, v)
    tree_to_bodies(integers, numbers, seen.scratch, q, v, seen.places, seen.speeds)


# -- all hinges ------------------------------------------------------------------------------------


@apart(None)
def count_on(state: State, h, q, v, places, speeds):
    """Angles at a state the time h after the last; places and speeds are those of the bodies."""
    for k in range(state.hinges):
        hinge = state.hinge(k)
        if hinge.is_coordinate == 1:
            hinge.foretold = q[hinge.a]
            hinge.rate = v[hinge.b]
            continue
        rate = rate_of(hinge, places, speeds)
        hinge.foretold += 0.5 * h * (hinge.rate + rate)
        hinge.rate = rate
        if not abs(hinge.foretold - hinge.sure_at) < SURE:
            angle = nearest_angle(hinge, places, hinge.foretold)
            hinge.foretold = angle
            hinge.sure_at = angle


@kernel
def foretell(state: State, h, q, places, speeds, out):
    """Write the angles the time h after the last state to `out`: nothing is counted on."""
    for k in range(state.hinges):
        hinge = state.hinge(k)
        if hinge.is_coordinate == 1:
            out[k] = q[hinge.a]
        else:
            rate = rate_of(hinge, places, speeds)
            foretold = hinge.foretold + 0.5 * h * (hinge.rate + rate)
            out[k] = nearest_angle(hinge, places, foretold)


@kernel
def wind(state: State, t, h, q, v):
    """Count on to the state at the time t, the end of a step of length h."""
    if state.hinges == 0:
        return
    state.work[state.hinge_time] = t
    if state.tree_length == 0:
        count_on(state, h, q, v, q, v)
        return
    place_bodies(state, q, v)
    seen = seen_of(state)
    count_on(state, h, q, v, seen.places, seen.speeds)


@kernel
def angles_within(state: State, h, q, v, out):
    """Angles at a state the time h after the last counted one."""
    if state.hinges == 0:
        return
    if state.tree_length == 0:
        foretell(state, h, q, q, v, out)
        return
    place_bodies(state, q, v)
    seen = seen_of(state)
    foretell(state, h, q, seen.places, seen.speeds, out)


@kernel
def begin_winding(state: State, t, q, v):
    """Angles at the start of a run: nearest to what is foretold, with their rates."""
    for k in range(state.hinges):
        hinge = state.hinge(k)
        hinge.rate = 0.0
        hinge.sure_at = hinge.foretold + 2.0 * SURE
    wind(state, t, 0.0, q, v)


@kernel
def copy_angles(state: State, out):
    """The angles counted so far."""
    for k in range(state.hinges):
        out[k] = state.hinge(k).foretold
