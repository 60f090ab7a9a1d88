"""Trees that whirl: momentum carried on from the last step instead of explicit forces of inertia.

On a tree v* = v + h v', with centrifugal, Coriolis and gyroscopic forces as they are at (q, v).
Explicit as they are, they bring energy where bodies turn far in a step, and then more and more
of it. A clique in which they would change the velocities by more than `MOST` of themselves, or
whose kinetic energy has grown by as much since the last step only because it stands otherwise, or
in which a body turns by more than `FAR` (about a principal axis the forces are small, and grow),
gets

    v* = A^-1 S^T (M_b V + h F)

instead: V are the velocities its bodies had at the end of the last step, S F all other forces. v*
is the motion nearest to V that the joints allow where they are now, in the norm of M_b, and
|S v*| <= |V|: it takes energy and brings none, as maximal coordinates do. Linear velocities stay
as they are, angular ones turn with the body, and the gyroscopic torque on it is that of an
implicit step (`mechanics.gyroscopic`). Both ways are of first order.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.gyroscopic import implicit_rate
from dalembert.mechanics.tree_aba import accelerate, articulate, solve_mass
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.mechanics.tree_kinematics import gather_force, spread_velocity
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    matrix,
    put_vector,
    scale,
    sub,
    symmetric,
    symmetric_times,
    times,
    transposed_times,
    vector,
)
from dalembert.numerics.vector import Sym3, Vec3
from dalembert.system.borders import OK, evaluate
from dalembert.system.layout import (
    BODY_FORCE,
    BODY_INERTIA,
    BODY_RECORDS,
    INERTIA,
    NV,
    PLACED,
    RECORD,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_SIDE,
)
from dalembert.system.layout import vector as vector_field
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import BIAS, BODY, LINK, LINK_ROOM, LINK_TABLE, LINKS, LOAD

SLOW = 0.1
"""Angle of a step up to which nothing is looked at."""

MOST = 0.2
"""Change of the velocities of a clique by forces of inertia, over themselves, in the mass norm."""

FAR, NOTHING = 0.5, 1e-20
"""Angle of a step from which it is done anyway, unless forces of inertia are rounding (MOST^2)."""

SUMS = 8
"""Sums of a clique: square of the change, twice the kinetic energy, mass, momentum (3), twice the
kinetic energy at the end of the last step, and the square of the largest angle."""


@apart(None)
def keep_twists(state: State, run: ContactRun, v):
    """Velocities of the bodies with the new v: linear in world axes, angular in those of bodies."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    bodies = sizes[PLACED]
    twists = vector_view(numbers, integers[memory.NEXT_TWISTS], 6 * bodies)
    spread_velocity(tree, room, v, twists)
    for b in range(bodies):
        R = matrix(work, sizes[BODY_RECORDS] + RECORD * b + 3)
        put_vector(twists, 6 * b + 3, transposed_times(R, vector(twists, 6 * b + 3)))


@kernel
def turns_far(state: State, h):
    """Whether any body does in a step."""
    work = state.work
    sizes = state.sizes
    for b in range(sizes[PLACED]):
        w = vector(work, sizes[BODY_RECORDS] + RECORD * b + 15)
        if not h * h * dot(w, w) <= SLOW * SLOW:
            return True
    return False


@apart(int)
def calm(state: State, run: ContactRun, t, h, q, v, seen, vdot):
    """Make v' anew where a tree whirls; after `free_acceleration` of the state (q, seen)."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if not turns_far(state, h):
        return OK
    n, bodies, cliques = sizes[NV], sizes[PLACED], integers[memory.CLIQUES]
    at = integers[memory.WHIRL]
    tau, a = vector_view(numbers, at, n), vector_view(numbers, at + n, n)
    forces = vector_view(numbers, at + 2 * n, 6 * bodies)
    twists = vector_view(numbers, at + 2 * n + 6 * bodies, 6 * bodies)
    sums = vector_view(numbers, at + 2 * n + 12 * bodies, SUMS * cliques)
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    gravity = vector(work, sizes[TREE_NUMBERS])
    for b in range(bodies):
        at = sizes[BODY_FORCE] + 6 * b
        mass = work[sizes[BODY_INERTIA] + INERTIA * b + 6]
        put_vector(forces, 6 * b, axpy(mass, gravity, vector(work, at)))
        put_vector(forces, 6 * b + 3, vector(work, at + 3))
    gather_force(tree, room, forces, tau)
    solve_mass(tree, room, tau, a)
    for k in range(n):
        a[k] = h * (vdot[k] - a[k])
    spread_velocity(tree, room, a, twists)
    if not add_up(state, run, h, twists, sums):
        return OK
    evaluate(work, sizes, t, q, seen)
    spread_velocity(tree, room, v, twists)
    carry_momentum(state, run, h, forces, twists, sums)
    still = vector_field(work, sizes, TREE_SIDE, NV)
    for k in range(n):
        still[k] = 0.0
    status = articulate(tree, rest_of(work, sizes, TREE_NUMBERS), room, still, still)
    if status != OK:
        return status
    return accelerate(tree, room, still, vdot)


@kernel
def last_of(state: State, run: ContactRun, b, present):
    """Velocity and angular velocity of a body as the last step left them, in world axes of now.

    Before the first step those at `present` in `work`.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if numbers[memory.LAST_STEP] > 0.0:
        at = integers[memory.LAST_TWISTS] + 6 * b
        R = matrix(work, sizes[BODY_RECORDS] + RECORD * b + 3)
        return vector(numbers, at), times(R, vector(numbers, at + 3))
    return vector(work, present), vector(work, present + 3)


@kernel
def weight(theta, mass, twist, at):
    """m v.v + w.Theta w."""
    v, w = vector(twist, at), vector(twist, at + 3)
    return mass * dot(v, v) + dot(w, symmetric_times(theta, w))


@kernel
def whirls(sums, clique):
    """Whether forces of inertia change a clique too much; its centre of mass may fly as it will."""
    at = SUMS * clique
    p, mass = vector(sums, at + 3), sums[at + 2]
    if not sums[at] > NOTHING * sums[at + 1]:
        return False
    if sums[at + 7] > FAR * FAR:
        return True
    inside = sums[at + 1] - (dot(p, p) / mass if mass > 0.0 else 0.0)
    if sums[at + 1] - sums[at + 6] > MOST * inside:
        return True
    return not sums[at] <= MOST * MOST * inside


@kernel
def add_up(state: State, run: ContactRun, h, twists, sums):
    """The sums of all cliques; whether any whirls. `twists`: the change by forces of inertia."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    cliques = integers[memory.CLIQUES]
    for i in range(SUMS * cliques):
        sums[i] = 0.0
    for b in range(sizes[PLACED]):
        inertia, record = sizes[BODY_INERTIA] + INERTIA * b, sizes[BODY_RECORDS] + RECORD * b
        theta, mass = symmetric(work, inertia), work[inertia + 6]
        at = SUMS * integers[integers[memory.BODY_TABLE] + 2 * b]
        sums[at] += weight(theta, mass, twists, 6 * b)
        sums[at + 1] += weight(theta, mass, work, record + 12)
        sums[at + 2] += mass
        put_vector(sums, at + 3, axpy(mass, vector(work, record + 12), vector(sums, at + 3)))
        kept, w = last_of(state, run, b, record + 12)
        sums[at + 6] += mass * dot(kept, kept) + dot(w, symmetric_times(theta, w))
        spin = vector(work, record + 15)
        sums[at + 7] = max(sums[at + 7], h * h * dot(spin, spin))
    for clique in range(cliques):
        if whirls(sums, clique):
            return True
    return False


@kernel
def carry_momentum(state: State, run: ContactRun, h, forces, twists, sums):
    """LOAD and BIAS of whirling cliques: other forces, and M_b (V - S v) / h. `twists`: S v."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    for i in range(1, tree[LINKS] + 1):
        b = tree[tree[LINK_TABLE] + LINK * (i - 1) + BODY]
        if b < 0:
            continue
        clique = integers[integers[memory.BODY_TABLE] + 2 * b]
        if not whirls(sums, clique):
            continue
        inertia = sizes[BODY_INERTIA] + INERTIA * b
        theta, mass = symmetric(work, inertia), work[inertia + 6]
        now, turning = vector(twists, 6 * b), vector(twists, 6 * b + 3)
        kept, w = now, turning
        if numbers[memory.LAST_STEP] > 0.0:
            kept, w = last_of(state, run, b, 0)
        torque = scale(-1.0, cross(w, symmetric_times(theta, w)))
        found = implicit_rate(Sym3(*theta), Vec3(*w), Vec3(*torque), h)
        rate = (found.x, found.y, found.z)
        # a body without inertia about an axis is its joint's affair
        if abs(rate[0]) + abs(rate[1]) + abs(rate[2]) < 1e300:
            w = axpy(h, rate, w)
        here = LINK_ROOM * i
        push = axpy(mass / h, sub(kept, now), vector(forces, 6 * b))
        turn = add(
            scale(1.0 / h, symmetric_times(theta, sub(w, turning))), vector(forces, 6 * b + 3)
        )
        put_vector(room, here + LOAD, scale(-1.0, push))
        put_vector(room, here + LOAD + 3, scale(-1.0, turn))
        put_vector(room, here + BIAS, (0.0, 0.0, 0.0))
        put_vector(room, here + BIAS + 3, (0.0, 0.0, 0.0))
