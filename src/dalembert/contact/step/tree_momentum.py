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
implicit step (`mechanics.maximal`). Both ways are of first order.
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers, Place
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.maximal import implicit_rate
from dalembert.mechanics.tree_aba import accelerate, articulate, solve_mass
from dalembert.mechanics.tree_kinematics import gather_force, spread_velocity
from dalembert.numerics.spatial import Force, Motion, force, motion, put_force, put_motion
from dalembert.numerics.vector import Vec3
from dalembert.system.borders import OK, evaluate
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import Constants

SLOW = 0.1
"""Angle of a step up to which nothing is looked at."""

MOST = 0.2
"""Change of the velocities of a clique by forces of inertia, over themselves, in the mass norm."""

FAR, NOTHING = 0.5, 1e-20
"""Angle of a step from which it is done anyway, unless forces of inertia are rounding (MOST^2)."""


class CliqueMotion(Place):
    """Sums over the bodies of a clique."""

    class numbers:
        change: float  # its square in the mass norm, by forces of inertia
        weight: float  # twice the kinetic energy
        mass: float
        momentum: Vec3
        last_weight: float  # twice the kinetic energy at the end of the last step
        turn: float  # square of the largest angle of a step

    def whirls(self):
        """Whether forces of inertia change it too much; its centre of mass may fly as it will."""
        if not self.change > NOTHING * self.weight:
            return False
        if self.turn > FAR * FAR:
            return True
        p = self.momentum
        inside = self.weight - (p.dot(p) / self.mass if self.mass > 0.0 else 0.0)
        if self.weight - self.last_weight > MOST * inside:
            return True
        return not self.change <= MOST * MOST * inside


SUMS = CliqueMotion.entries("numbers")


class Room(Part, of=ContactRun):
    """Scratch of trees that whirl."""

    tau: Numbers = over("most_velocities")
    a: Numbers = over("most_velocities")
    forces: Numbers = over("6 * bodies")
    twists: Numbers = over("6 * bodies")
    sums: Numbers = over(f"{SUMS} * cliques")

    def clique(self, c):
        """Sums of a clique."""
        return CliqueMotion(self.sums, SUMS * c)


@apart(None)
def keep_twists(state: State, run: ContactRun, v):
    """Velocities of the bodies with the new v: linear in world axes, angular in those of bodies."""
    twists = run.next_twists
    spread_velocity(state.tree_integers, state.tree_room, v, twists)
    for b in range(state.placed):
        put_motion(twists, 6 * b, in_body_axes(state, b, motion(twists, 6 * b)))


@kernel
def in_body_axes(state: State, b, V):
    """Motion of a body as it is kept: its angular velocity in axes of the body."""
    return Motion(V.linear, state.body_record(b).rotation.transposed_times(V.angular))


@kernel
def turns_far(state: State, h):
    """Whether any body does in a step."""
    for b in range(state.placed):
        w = state.body_record(b).velocity.angular
        if not h * h * w.dot(w) <= SLOW * SLOW:
            return True
    return False


@apart(int)
def calm(state: State, run: ContactRun, t, h, q, v, seen, vdot):
    """Make v' anew where a tree whirls; after `free_acceleration` of the state (q, seen)."""
    if not turns_far(state, h):
        return OK
    own, tree, room = Room(run, run.whirl), state.tree_integers, state.tree_room
    a, gravity = own.a, Constants(tree, state.tree_numbers).gravity
    for b in range(state.placed):
        f = force(state.body_force, 6 * b)
        weight = state.turned_body(b).mass * gravity
        put_force(own.forces, 6 * b, Force(weight + f.force, f.torque))
    gather_force(tree, room, own.forces, own.tau)
    solve_mass(tree, room, own.tau, a)
    for k in range(state.nv):
        a[k] = h * (vdot[k] - a[k])
    spread_velocity(tree, room, a, own.twists)
    if not add_up(state, run, h):
        return OK
    evaluate(state, t, q, seen)
    spread_velocity(tree, room, v, own.twists)
    carry_momentum(state, run, h)
    return accelerate_loaded(state, vdot)


@kernel
def accelerate_loaded(state: State, vdot):
    """v' of a tree under the loads of its links, by the articulated-body algorithm."""
    tree, room, still = state.tree_integers, state.tree_room, state.tree_side
    for k in range(state.nv):
        still[k] = 0.0
    status = articulate(tree, state.tree_numbers, room, still, still)
    if status != OK:
        return status
    return accelerate(tree, room, still, vdot)


@kernel
def last_of(state: State, run: ContactRun, b, present):
    """Motion of a body as the last step left it, in world axes of now; `present` in the first."""
    if not run.last_step > 0.0:
        return present
    V = motion(run.last_twists, 6 * b)
    return Motion(V.linear, state.body_record(b).rotation @ V.angular)


@kernel
def add_up(state: State, run: ContactRun, h):
    """The sums of all cliques; whether any whirls. `twists`: the change by forces of inertia."""
    own = Room(run, run.whirl)
    for i in range(len(own.sums)):
        own.sums[i] = 0.0
    for b in range(state.placed):
        body, V = state.turned_body(b), state.body_record(b).velocity
        sums, w = own.clique(run.body(b).clique), V.angular
        sums.change += body.weight(motion(own.twists, 6 * b))
        sums.weight += body.weight(V)
        sums.mass += body.mass
        sums.momentum = sums.momentum + body.mass * V.linear
        sums.last_weight += body.weight(last_of(state, run, b, V))
        sums.turn = max(sums.turn, h * h * w.dot(w))
    for c in range(run.cliques):
        if own.clique(c).whirls():
            return True
    return False


@kernel
def carry_momentum(state: State, run: ContactRun, h):
    """Load and gamma of whirling cliques: other forces, and M_b (V - S v) / h. `twists`: S v."""
    own = Room(run, run.whirl)
    for link in state.tree.outward:
        b = link.body
        if b < 0 or not own.clique(run.body(b).clique).whirls():
            continue
        body, now, other = state.turned_body(b), motion(own.twists, 6 * b), force(own.forces, 6 * b)
        theta, V = body.theta, last_of(state, run, b, now)
        w = V.angular
        rate = implicit_rate(theta, w, -(w % (theta @ w)), h)
        # a body without inertia about an axis is its joint's affair
        if rate.extent < 1e300:
            w = w + h * rate
        push = (body.mass / h) * (V.linear - now.linear) + other.force
        turn = (1.0 / h) * (theta @ (w - now.angular)) + other.torque
        link.load, link.gamma = -Force(push, turn), Motion.zero()
