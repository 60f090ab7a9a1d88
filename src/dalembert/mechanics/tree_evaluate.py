"""Bodies on a tree of joints: everything the model says at (t, q, v) of the tree.

With V = S v the velocities of bodies and V' = S v' + gamma (`mechanics.tree_kinematics`), what is
said of bodies, M_b V' = F + J_b^T lam and J_b V' = rhs_b, becomes

    S^T M_b S v' = S^T (F - M_b gamma) + J^T lam,    J v' = rhs_b - J_b gamma,    J = J_b S.

The right-hand side of the first is minus the forces of a motion without acceleration, by the
recursive Newton-Euler algorithm, which leaves gamma of every link behind.
"""

from dalembert._jit import border, kernel
from dalembert.mechanics.maximal import act, count_turns, see_rows, write_rows
from dalembert.mechanics.tree_crba import mass_matrix
from dalembert.mechanics.tree_kinematics import (
    joint_motion,
    move,
    push,
    set_world,
    sine_and_cosine,
)
from dalembert.mechanics.tree_rnea import newton_euler
from dalembert.mechanics.tree_rows import gather_rows
from dalembert.mechanics.tree_states import rest_at_origin, tree_to_bodies
from dalembert.numerics.spatial import Motion
from dalembert.numerics.vector import Vec3, vec3
from dalembert.system.borders import OK, STATE
from dalembert.system.loop_tables import loops_of
from dalembert.system.state_layout import State
from dalembert.system.tables import INERTIA, RECORD, BodyRecord, TurnedBody
from dalembert.system.tree_layout import FREE, PRISMATIC, REVOLUTE, Constants, Tree

_call_state = STATE.call


@kernel
def place_tree(state: State, q, v):
    """Motion of the tree, and with it the records of all bodies."""
    integers, numbers, room = state.tree_integers, state.tree_numbers, state.tree_room
    move(integers, numbers, room, q, v)
    write_records(integers, numbers, room, v, state.body_records)
    if state.contact_numbers > 0:
        write_inertias(state)


@kernel
def follow_tree(state: State, q, v):
    """Where the bodies are that rows see and how they move, without inertias and S."""
    tree, given = state.tree, Constants(state.tree_integers, state.tree_numbers)
    # Contacts and one-sided rows see any body.
    touching = state.contact_numbers > 0 or state.sides > 0
    set_world(tree)
    rest_at_origin(tree.pose(0))
    for i in range(1, tree.head.links + 1):
        link, own = tree.link(i), given.link(i)
        parent, above, qs, vs = (
            tree.parent(link),
            tree.pose(link.parent),
            link.q_start,
            link.v_start,
        )
        B, wp, slide = parent.rotation.times(own.frame_rotation), parent.spin, Vec3.zero()
        near = parent.rotation @ own.frame_origin
        if link.kind == REVOLUTE:
            dof = tree.dof(vs)
            sine, cosine = sine_and_cosine(q[qs], dof.angle, dof.sine, dof.cosine)
            R, w = B.about_z(sine, cosine), v[vs] * B.z + wp
        elif link.kind == PRISMATIC:
            R, w = B, wp
            near, slide = q[qs] * B.z + near, v[vs] * B.z
        else:
            R, d, w, _, slide = joint_motion(link, B, own.pitch, wp, q, v)
            near = near + d
        far = R @ own.center
        center = above.center + (near + far)
        linear = above.velocity.linear + (wp % near + (slide + w % far))
        if link.kind == FREE:
            linear = vec3(v, vs)
        link.rotation, link.spin = R, w
        pose = tree.pose(i)
        pose.center, pose.velocity = center, Motion(linear, w)
        if link.body >= 0 and (touching or state.is_seen(i)):
            seen = R.times(own.body_rotation)
            write_record(state.body_records, link.body, center, seen, Motion(linear, w))


@kernel
def write_records(integers, numbers, room, v, records):
    """Centre of mass, rotation, velocity and angular velocity of every body, after `move`."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    rest_at_origin(tree.pose(0))
    for i in range(1, tree.head.links + 1):
        link, above = tree.link(i), tree.pose(tree.link(i).parent)
        r, spin = link.arm, tree.parent(link).spin
        center, linear = above.center + r, above.velocity.linear + spin % r
        for k in range(link.v_start, link.v_start + link.dofs):
            linear = v[k] * tree.dof(k).S.linear + linear
        pose = tree.pose(i)
        pose.center, pose.velocity = center, Motion(linear, link.spin)
        if link.body >= 0:
            R = link.rotation.times(given.link(i).body_rotation)
            write_record(records, link.body, center, R, Motion(linear, link.spin))


@kernel
def write_record(records, body, center, R, velocity):
    """Write the record of a body, as rows see it."""
    record = BodyRecord(records, RECORD * body)
    record.center, record.rotation, record.velocity = center, R, velocity


@kernel
def write_inertias(state: State):
    """Theta in world axes and mass of every body, after `move`."""
    for link in state.tree.outward:
        if link.body >= 0:
            body = TurnedBody(state.body_inertia, INERTIA * link.body)
            body.theta, body.mass = link.theta, link.mass


@kernel
def write_states(state: State, q, v):
    """State of the bodies as in maximal coordinates, for formulas that hold quaternions."""
    bodies, out = state.placed, state.tree_state
    tree_to_bodies(
        state.tree_integers,
        state.tree_numbers,
        state.tree_room,
        q,
        v,
        out[: 7 * bodies],
        out[7 * bodies :],
    )


@border(STATE)
def evaluate_tree(state: State, t, q, v):
    """Everything the model says; J as rows over the velocities that each constraint touches."""
    state.evaluated_time = t
    place_tree(state, q, v)
    if state.tree_sees_quaternions == 1:
        write_states(state, q, v)
    count_turns(state, t, q, v)
    write_rows(state, t, q, v)
    forces = state.body_force
    for k in range(6 * state.placed):
        forces[k] = 0.0
    act(state, t, q, v)
    push(state.tree_integers, state.tree_room, forces)
    still, force = state.tree_side, state.force
    for k in range(state.nv):
        force[k] = 0.0
        still[k] = 0.0
    if state.rows == 0 and state.dense == 0:
        # The articulated-body algorithm takes the forces from the links themselves.
        return OK
    newton_euler(state.tree_integers, state.tree_numbers, state.tree_room, v, still, force)
    for k in range(state.nv):
        force[k] = -force[k]
    gather_rows(state)
    if state.dense == 1:
        fill_matrices(state)
    return OK


@kernel
def fill_matrices(state: State):
    """M and J as full matrices, after an evaluation."""
    mass_matrix(state.tree_integers, state.tree_numbers, state.tree_room, state.mass)
    J, rows, loops = state.jacobian, state.tree_rows, loops_of(state)
    for loop in loops:
        for r in range(loop.count):
            for k in range(loop.width):
                dof = loops.velocity(loop, k).dof
                J[loop.row + r, dof] = rows[loop.start + loop.width * r + k]


@border(STATE)
def residual_tree(state: State, t, q, v):
    """Phi and Phi'."""
    if state.tree_sees_quaternions == 1:
        place_tree(state, q, v)
        write_states(state, q, v)
    else:
        follow_tree(state, q, v)
    if state.turns_in_rows == 1:
        count_turns(state, t, q, v)
    see_rows(state, t, q, v)
    return OK


@kernel
def look_around(state: State, t, q, v):
    """Records and states of the bodies, and full turns."""
    place_tree(state, q, v)
    write_states(state, q, v)
    count_turns(state, t, q, v)


@border(STATE)
def guard_tree(state: State, t, q, v):
    """Event functions, which read the records of the bodies."""
    look_around(state, t, q, v)
    return _call_state(state.specific_guard, *state, t, q, v)


@border(STATE)
def see_tree(state: State, t, q, v):
    """Inputs of controllers, which read the records of the bodies."""
    look_around(state, t, q, v)
    return _call_state(state.specific_see, *state, t, q, v)
