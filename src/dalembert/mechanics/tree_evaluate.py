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
from dalembert.mechanics.tree_states import tree_to_bodies
from dalembert.numerics.small import (
    about_z,
    add,
    axpy,
    cross,
    dot,
    matrix,
    product,
    put_matrix,
    put_vector,
    scale,
    times,
    vector,
)
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
    JACOBIAN_BLOCKS,
    MASS,
    NV,
    PLACED,
    RECORD,
    RHS_A,
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
from dalembert.system.loop_rows import ELEMENT, SIDE, VELOCITY, WAY
from dalembert.system.tree_layout import (
    ACCELERATION,
    ARM,
    ARTICULATED,
    BODY,
    BODY_ROTATION,
    CENTER,
    COLUMN,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    FRAME_ORIGIN,
    FREE,
    GRAVITY_LENGTH,
    KIND,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    NUMBERS,
    PARENT,
    PITCH,
    POSE_RECORD,
    POSE_ROOM,
    PRISMATIC,
    Q_START,
    REVOLUTE,
    ROTATION,
    SPIN,
    V_START,
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
    tree, numbers = tree_of(sizes), rest_of(work, sizes, TREE_NUMBERS)
    room, records = rest_of(work, sizes, TREE_ROOM), rest_of(work, sizes, BODY_RECORDS)
    poses = tree[POSE_ROOM]
    # Contacts and one-sided rows see any body.
    touching = sizes[CONTACT_NUMBERS] > 0 or sizes[SIDES] > 0
    set_world(room)
    for k in range(POSE_RECORD):
        room[poses + k] = 0.0
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        kind, body = tree[at + KIND], tree[at + BODY]
        qs, vs = tree[at + Q_START], tree[at + V_START]
        c = GRAVITY_LENGTH + NUMBERS * (i - 1)
        here, up = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT]
        mine, above = poses + POSE_RECORD * i, poses + POSE_RECORD * tree[at + PARENT]
        Rp, wp = matrix(room, up + ROTATION), vector(room, up + SPIN)
        B = product(Rp, matrix(numbers, c))
        near = times(Rp, vector(numbers, c + FRAME_ORIGIN))
        slide = (0.0, 0.0, 0.0)
        if kind == REVOLUTE:
            sine, cosine = sine_and_cosine(room, tree[DOF_ROOM] + DOF_RECORD * vs, q[qs])
            R = about_z(B, sine, cosine)
            w = axpy(v[vs], (B[2], B[5], B[8]), wp)
        elif kind == PRISMATIC:
            R, w, z = B, wp, (B[2], B[5], B[8])
            near, slide = axpy(q[qs], z, near), scale(v[vs], z)
        else:
            R, d, w, _, slide = joint_motion(kind, B, numbers[c + PITCH], wp, q, v, qs, vs)
            near = add(near, d)
        far = times(R, vector(numbers, c + CENTER))
        center = add(vector(room, above), add(near, far))
        linear = add(vector(room, above + 7), add(cross(wp, near), add(slide, cross(w, far))))
        if kind == FREE:
            linear = vector(v, vs)
        put_matrix(room, here + ROTATION, R)
        put_vector(room, here + SPIN, w)
        put_vector(room, mine, center)
        put_vector(room, mine + 7, linear)
        if body >= 0 and (touching or sizes[sizes[TREE_SEEN] + i - 1] == 1):
            put_vector(records, RECORD * body, center)
            turned = product(R, matrix(numbers, c + BODY_ROTATION))
            put_matrix(records, RECORD * body + 3, turned)
            put_vector(records, RECORD * body + 12, linear)
            put_vector(records, RECORD * body + 15, w)


@kernel
def write_records(tree, numbers, room, v, records):
    """Centre of mass, rotation, velocity and angular velocity of every body, after `move`."""
    poses, dofs = tree[POSE_ROOM], tree[DOF_ROOM]
    for k in range(POSE_RECORD):
        room[poses + k] = 0.0
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        body, vs = tree[at + BODY], tree[at + V_START]
        mine, up = poses + POSE_RECORD * i, poses + POSE_RECORD * tree[at + PARENT]
        here = LINK_ROOM * i
        r = vector(room, here + ARM)
        spin = vector(room, LINK_ROOM * tree[at + PARENT] + SPIN)
        center, linear = add(vector(room, up), r), add(vector(room, up + 7), cross(spin, r))
        for k in range(tree[at + DOFS]):
            slot = dofs + DOF_RECORD * (vs + k) + COLUMN
            linear = axpy(v[vs + k], vector(room, slot), linear)
        put_vector(room, mine, center)
        put_vector(room, mine + 7, linear)
        if body >= 0:
            turned = matrix(numbers, GRAVITY_LENGTH + NUMBERS * (i - 1) + BODY_ROTATION)
            put_vector(records, RECORD * body, center)
            put_matrix(records, RECORD * body + 3, product(matrix(room, here + ROTATION), turned))
            put_vector(records, RECORD * body + 12, linear)
            put_vector(records, RECORD * body + 15, vector(room, here + SPIN))


@kernel
def write_inertias(tree, room, inertias):
    """Theta in world axes and mass of every body, after `move`."""
    for i in range(1, tree[LINKS] + 1):
        body = tree[tree[LINK_TABLE] + LINK * (i - 1) + BODY]
        if body >= 0:
            here, to = LINK_ROOM * i + ARTICULATED, INERTIA * body
            for k in range(6):
                inertias[to + k] = room[here + 15 + k]
            inertias[to + 6] = room[here]


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
def gather_rows(work, sizes, room, dofs):
    """J = J_b S of every constraint, and RHS_A less J_b gamma."""
    table, blocks, rhs = sizes[TREE_ELEMENT_TABLE], sizes[JACOBIAN_BLOCKS], sizes[RHS_A]
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        row, count, width = sizes[at], sizes[at + 1], sizes[at + 2]
        place = sizes[TREE_ROWS] + sizes[at + 3]
        for k in range(count * width):
            work[place + k] = 0.0
        for s in range(sizes[at + 9]):
            side = table + sizes[at + 8] + SIDE * s
            block, first, links = blocks + sizes[side], table + sizes[side + 1], sizes[side + 2]
            bias = LINK_ROOM * sizes[first] + ACCELERATION
            linear, angular = vector(room, bias), vector(room, bias + 3)
            for r in range(count):
                f, n = vector(work, block + 6 * r), vector(work, block + 6 * r + 3)
                work[rhs + row + r] -= dot(f, linear) + dot(n, angular)
                mine = place + width * r
                for i in range(links):
                    way = first + WAY * i
                    for k in range(sizes[way + 2]):
                        slot = dofs + DOF_RECORD * (sizes[way + 1] + k) + COLUMN
                        part = dot(f, vector(room, slot)) + dot(n, vector(room, slot + 3))
                        work[mine + sizes[way + 3] + k] += part
                    n = add(n, cross(vector(room, LINK_ROOM * sizes[way] + ARM), f))


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
