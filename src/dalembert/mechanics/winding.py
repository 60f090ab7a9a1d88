"""Angles of hinges counted through full turns, once a step (theory/methods.md, "Full turns").

    raw = atan2(y_A . x_B, x_A . x_B)  in (-pi, pi],      rate = z_A . (w_B - w_A)
    foretold_n+1 = foretold_n + h (rate_n + rate_n+1) / 2,    angle = raw + 2 pi k  nearest to it

The rate tells the turns of a step however many they are; where the foretold angle has gone further
than `SURE` it is brought back to the raw one, so that what the rule misses does not add up. A hinge
that is a coordinate of a tree is that coordinate. Which hinges there are, and their numbers:
`simulation.turns`. They stand behind the rest of `sizes` and `work`:

`sizes`  HINGES, HINGE_TABLE: of each hinge (KIND, A, B)
`work`   HINGE_NUMBERS: of each hinge x_A, y_A, z_A, x_B in axes of the bodies, FORETOLD, RATE and
         SURE_AT; HINGE_ROOM: on a tree, scratch for the states of its bodies and for itself
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.mechanics.tree_kinematics import move
from dalembert.mechanics.tree_states import tree_to_bodies
from dalembert.numerics.small import cross, dot, sub, vector
from dalembert.system.layout import (
    HINGE_FLOATS,
    HINGE_FORETOLD,
    HINGE_NUMBERS,
    HINGE_RATE,
    HINGE_ROOM,
    HINGE_TABLE,
    HINGE_TIME,
    HINGES,
    PLACED,
    TREE_LENGTH,
    TREE_NUMBERS,
    WORK,
)

OF_BODIES, OF_TREE = range(2)
"""Kinds: A and B are bodies (-1: the world); or A is a coordinate, B its velocity."""

TABLE, NUMBERS = 3, HINGE_FLOATS
X_A, Y_A, Z_A, X_B, FORETOLD, RATE, SURE_AT = 0, 3, 6, 9, HINGE_FORETOLD, HINGE_RATE, 14

TURN = 2.0 * math.pi
SURE = 1.0
"""Way of a foretold angle after which it is compared with the raw one  [rad]."""


@kernel
def turned_axis(q, body, axis):
    """An axis of a body in world axes."""
    if body < 0:
        return axis
    u = vector(q, 7 * body + 4)
    a = q[7 * body + 3]
    once = cross(u, axis)
    twice = cross(u, once)
    return (
        axis[0] + 2.0 * (a * once[0] + twice[0]),
        axis[1] + 2.0 * (a * once[1] + twice[1]),
        axis[2] + 2.0 * (a * once[2] + twice[2]),
    )


@kernel
def spin_of(v, body):
    """Angular velocity of a body."""
    if body < 0:
        return (0.0, 0.0, 0.0)
    return vector(v, 6 * body + 3)


@kernel
def rate_of(work, sizes, k, q, v):
    """Rate of a hinge between bodies."""
    table, at = sizes[HINGE_TABLE] + TABLE * k, sizes[HINGE_NUMBERS] + NUMBERS * k
    a, b = sizes[table + 1], sizes[table + 2]
    z = turned_axis(q, a, vector(work, at + Z_A))
    return dot(z, sub(spin_of(v, b), spin_of(v, a)))


@kernel
def nearest_angle(work, sizes, k, q, foretold):
    """Angle of a hinge between bodies with as many turns as bring it nearest to a foretold one."""
    table, at = sizes[HINGE_TABLE] + TABLE * k, sizes[HINGE_NUMBERS] + NUMBERS * k
    a, b = sizes[table + 1], sizes[table + 2]
    x = turned_axis(q, b, vector(work, at + X_B))
    sine = dot(turned_axis(q, a, vector(work, at + Y_A)), x)
    raw = math.atan2(sine, dot(turned_axis(q, a, vector(work, at + X_A)), x))
    return raw + TURN * round((foretold - raw) / TURN)


@kernel
def has_free_hinges(sizes):
    """Whether any hinge of a tree is no coordinate of it."""
    for k in range(sizes[HINGES]):
        if sizes[sizes[HINGE_TABLE] + TABLE * k] == OF_BODIES:
            return True
    return False


@kernel
def places_of(work, sizes):
    """Scratch for the coordinates of the bodies of a tree."""
    return vector_view(work, sizes[HINGE_ROOM], 7 * sizes[PLACED])


@kernel
def speeds_of(work, sizes):
    """Scratch for the velocities of the bodies of a tree."""
    return vector_view(work, sizes[HINGE_ROOM] + 7 * sizes[PLACED], 6 * sizes[PLACED])


@kernel
def place_bodies(work, sizes, q, v):
    """Where the bodies of a tree are, in scratch of its own: the run must not notice."""
    if not has_free_hinges(sizes):
        return
    numbers, first = rest_of(work, sizes, TREE_NUMBERS), sizes[HINGE_ROOM] + 13 * sizes[PLACED]
    room = vector_view(work, first, sizes[WORK] - first)
    move(tree_of(sizes), numbers, room, q, v)
    places, speeds = places_of(work, sizes), speeds_of(work, sizes)
    tree_to_bodies(tree_of(sizes), numbers, room, q, v, places, speeds)


@kernel
def count_on(work, sizes, h, q, v, places, speeds):
    """Angles at a state the time h after the last; places and speeds are those of the bodies."""
    for k in range(sizes[HINGES]):
        at, table = sizes[HINGE_NUMBERS] + NUMBERS * k, sizes[HINGE_TABLE] + TABLE * k
        if sizes[table] == OF_TREE:
            work[at + FORETOLD] = q[sizes[table + 1]]
            work[at + RATE] = v[sizes[table + 2]]
        else:
            rate = rate_of(work, sizes, k, places, speeds)
            work[at + FORETOLD] += 0.5 * h * (work[at + RATE] + rate)
            work[at + RATE] = rate
            if not abs(work[at + FORETOLD] - work[at + SURE_AT]) < SURE:
                angle = nearest_angle(work, sizes, k, places, work[at + FORETOLD])
                work[at + FORETOLD] = angle
                work[at + SURE_AT] = angle


@kernel
def foretell(work, sizes, h, q, places, speeds, out):
    """Write the angles the time h after the last state to `out`: nothing is counted on."""
    for k in range(sizes[HINGES]):
        at, table = sizes[HINGE_NUMBERS] + NUMBERS * k, sizes[HINGE_TABLE] + TABLE * k
        if sizes[table] == OF_TREE:
            out[k] = q[sizes[table + 1]]
        else:
            rate = rate_of(work, sizes, k, places, speeds)
            foretold = work[at + FORETOLD] + 0.5 * h * (work[at + RATE] + rate)
            out[k] = nearest_angle(work, sizes, k, places, foretold)


@kernel
def wind(work, sizes, t, h, q, v):
    """Count on to the state at the time t, the end of a step of length h."""
    if sizes[HINGES] == 0:
        return
    work[sizes[HINGE_TIME]] = t
    if sizes[TREE_LENGTH] == 0:
        count_on(work, sizes, h, q, v, q, v)
        return
    place_bodies(work, sizes, q, v)
    count_on(work, sizes, h, q, v, places_of(work, sizes), speeds_of(work, sizes))


@kernel
def angles_within(work, sizes, h, q, v, out):
    """Angles at a state the time h after the last counted one."""
    if sizes[HINGES] == 0:
        return
    if sizes[TREE_LENGTH] == 0:
        foretell(work, sizes, h, q, q, v, out)
        return
    place_bodies(work, sizes, q, v)
    foretell(work, sizes, h, q, places_of(work, sizes), speeds_of(work, sizes), out)


@kernel
def begin_winding(work, sizes, t, q, v):
    """Angles at the start of a run: nearest to what is foretold, with their rates."""
    for k in range(sizes[HINGES]):
        at = sizes[HINGE_NUMBERS] + NUMBERS * k
        work[at + RATE] = 0.0
        work[at + SURE_AT] = work[at + FORETOLD] + 2.0 * SURE
    wind(work, sizes, t, 0.0, q, v)


@kernel
def copy_angles(work, sizes, out):
    """The angles counted so far."""
    for k in range(sizes[HINGES]):
        out[k] = work[sizes[HINGE_NUMBERS] + NUMBERS * k + FORETOLD]
