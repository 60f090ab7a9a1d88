"""Bodies on a tree of joints: everything the model says at (t, q, v) of the tree.

With V = S v the velocities of bodies and V' = S v' + gamma (`mechanics.tree_kinematics`), what is
said of bodies, M_b V' = F + J_b^T lam and J_b V' = rhs_b, becomes

    S^T M_b S v' = S^T (F - M_b gamma) + J^T lam,    J v' = rhs_b - J_b gamma,    J = J_b S.

The right-hand side of the first is minus the forces of a motion without acceleration, by the
recursive Newton-Euler algorithm, which leaves gamma of every link behind.
"""

from dalembert._jit import border, kernel, vector_view
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
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.borders import OK, STATE
from dalembert.system.layout import (
    BODY_FORCE,
    BODY_INERTIA,
    BODY_RECORDS,
    CONTACT_NUMBERS,
    DENSE,
    EVALUATED_TIME,
    FORCE,
    INERTIA,
    JACOBIAN,
    MASS,
    NV,
    PLACED,
    RECORD,
    ROWS,
    SIDES,
    SPECIFIC_GUARD,
    SPECIFIC_SEE,
    TREE_ELEMENT_TABLE,
    TREE_ELEMENTS,
    TREE_LENGTH,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_ROWS,
    TREE_SEEN,
    TREE_SEES_QUATERNIONS,
    TREE_SIDE,
    TREE_STATE,
    TREE_TABLE,
    TURNS_IN_ROWS,
    WORK,
)
from dalembert.system.layout import matrix as matrix_field
from dalembert.system.layout import vector as vector_field
from dalembert.system.loop_rows import ELEMENT, VELOCITY
from dalembert.system.tree_layout import (
    DOF_ROOM,
    FREE,
    PRISMATIC,
    REVOLUTE,
    Constants,
    Tree,
)

_call_state = STATE.call


@kernel
def tree_of(sizes):
    """The integers of the tree."""
    return vector_view(sizes, sizes[TREE_TABLE], sizes[TREE_LENGTH])


@kernel
def rest_of(work, sizes, field):
    """A field from its beginning; how long it is, is the tree's affair."""
    return vector_view(work, sizes[field], sizes[WORK] - sizes[field])


@kernel
def place_tree(work, sizes, q, v):
    """Motion of the tree, and with it the records of all bodies."""
    tree, numbers = tree_of(sizes), rest_of(work, sizes, TREE_NUMBERS)
    room = rest_of(work, sizes, TREE_ROOM)
    move(tree, numbers, room, q, v)
    write_records(tree, numbers, room, v, rest_of(work, sizes, BODY_RECORDS))
    if sizes[CONTACT_NUMBERS] > 0:
        write_inertias(tree, room, rest_of(work, sizes, BODY_INERTIA))


@kernel
def follow_tree(work, sizes, q, v):
    """Where the bodies are that rows see and how they move, without inertias and S."""
    integers, numbers = tree_of(sizes), rest_of(work, sizes, TREE_NUMBERS)
    records = rest_of(work, sizes, BODY_RECORDS)
    tree, given = Tree(integers, rest_of(work, sizes, TREE_ROOM)), Constants(integers, numbers)
    # Contacts and one-sided rows see any body.
    touching = sizes[CONTACT_NUMBERS] > 0 or sizes[SIDES] > 0
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
        if link.body >= 0 and (touching or sizes[sizes[TREE_SEEN] + i - 1] == 1):
            write_record(records, link.body, center, R.times(own.body_rotation), linear, w)


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
            write_record(records, link.body, center, R, linear, link.spin)


@kernel
def write_record(records, body, center, R, linear, w):
    """Write the record of a body, as rows see it."""
    at = RECORD * body
    put_vec3(records, at, center)
    put_vec3(records, at + 3, R.row_x)
    put_vec3(records, at + 6, R.row_y)
    put_vec3(records, at + 9, R.row_z)
    put_vec3(records, at + 12, linear)
    put_vec3(records, at + 15, w)


@kernel
def write_inertias(integers, room, inertias):
    """Theta in world axes and mass of every body, after `move`."""
    for link in Tree(integers, room).outward:
        if link.body >= 0:
            to, theta = INERTIA * link.body, link.theta
            inertias[to], inertias[to + 1], inertias[to + 2] = theta.xx, theta.yy, theta.zz
            inertias[to + 3], inertias[to + 4], inertias[to + 5] = theta.xy, theta.xz, theta.yz
            inertias[to + 6] = link.mass


@kernel
def write_states(work, sizes, q, v):
    """State of the bodies as in maximal coordinates, for formulas that hold quaternions."""
    bodies = sizes[PLACED]
    tree_to_bodies(
        tree_of(sizes),
        rest_of(work, sizes, TREE_NUMBERS),
        rest_of(work, sizes, TREE_ROOM),
        q,
        v,
        vector_view(work, sizes[TREE_STATE], 7 * bodies),
        vector_view(work, sizes[TREE_STATE] + 7 * bodies, 6 * bodies),
    )


@border(STATE)
def evaluate_tree(work, sizes, t, q, v):
    """Everything the model says; J as rows over the velocities that each constraint touches."""
    work[sizes[EVALUATED_TIME]] = t
    place_tree(work, sizes, q, v)
    if sizes[TREE_SEES_QUATERNIONS] == 1:
        write_states(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    write_rows(work, sizes, t, q, v)
    forces = vector_view(work, sizes[BODY_FORCE], 6 * sizes[PLACED])
    for k in range(6 * sizes[PLACED]):
        forces[k] = 0.0
    act(work, sizes, t, q, v)
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    push(tree, room, forces)
    still, force = vector_field(work, sizes, TREE_SIDE, NV), vector_field(work, sizes, FORCE, NV)
    for k in range(sizes[NV]):
        force[k] = 0.0
        still[k] = 0.0
    if sizes[ROWS] == 0 and sizes[DENSE] == 0:
        # The articulated-body algorithm takes the forces from the links themselves.
        return OK
    newton_euler(tree, rest_of(work, sizes, TREE_NUMBERS), room, v, still, force)
    for k in range(sizes[NV]):
        force[k] = -force[k]
    gather_rows(work, sizes, room, tree[DOF_ROOM])
    if sizes[DENSE] == 1:
        fill_matrices(work, sizes)
    return OK


@kernel
def fill_matrices(work, sizes):
    """M and J as full matrices, after an evaluation."""
    M = matrix_field(work, sizes, MASS, NV, NV)
    mass_matrix(
        tree_of(sizes), rest_of(work, sizes, TREE_NUMBERS), rest_of(work, sizes, TREE_ROOM), M
    )
    J = matrix_field(work, sizes, JACOBIAN, ROWS, NV)
    table = sizes[TREE_ELEMENT_TABLE]
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        width, place = sizes[at + 2], sizes[TREE_ROWS] + sizes[at + 3]
        for r in range(sizes[at + 1]):
            for k in range(width):
                dof = sizes[table + sizes[at + 7] + VELOCITY * k]
                J[sizes[at] + r, dof] = work[place + width * r + k]


@border(STATE)
def residual_tree(work, sizes, t, q, v):
    """PHI and PHI_DOT."""
    if sizes[TREE_SEES_QUATERNIONS] == 1:
        place_tree(work, sizes, q, v)
        write_states(work, sizes, q, v)
    else:
        follow_tree(work, sizes, q, v)
    if sizes[TURNS_IN_ROWS] == 1:
        count_turns(work, sizes, t, q, v)
    see_rows(work, sizes, t, q, v)
    return OK


@border(STATE)
def guard_tree(work, sizes, t, q, v):
    """Event functions, which read the records of the bodies."""
    place_tree(work, sizes, q, v)
    write_states(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    return _call_state(sizes[SPECIFIC_GUARD], work, sizes, t, q, v)


@border(STATE)
def see_tree(work, sizes, t, q, v):
    """Inputs of controllers, which read the records of the bodies."""
    place_tree(work, sizes, q, v)
    write_states(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    return _call_state(sizes[SPECIFIC_SEE], work, sizes, t, q, v)
