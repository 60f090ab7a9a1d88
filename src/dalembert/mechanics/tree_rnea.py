"""Recursive Newton-Euler algorithm: the forces a motion takes (Featherstone 2008, sec. 5.3).

V_i' = X_i V_p' + S_i v_i' + gamma_i                                       (eq. 5.8)
f_i = I_i V_i' - (forces on the body) + sum over its children of X^T f     (eqs 5.9, 5.10)
tau_i = S_i^T f_i                                                          (eq. 5.11)
"""

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move
from dalembert.numerics.small import (
    add,
    add_vector,
    axpy,
    cross,
    dot,
    put_vector,
    symmetric,
    symmetric_times,
    vector,
)
from dalembert.system.tree_layout import (
    ACCELERATION,
    ANSWER,
    ARM,
    ARMATURE_START,
    ARTICULATED,
    BIAS,
    COLUMN,
    DAMPING_START,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    LOAD,
    PARENT,
    V_START,
)


@kernel
def newton_euler(tree, numbers, room, v, a, tau_out):
    """tau of M v' + bias = tau, after `move` (and `push`)."""
    dofs = tree[DOF_ROOM]
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, first = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT], tree[at + V_START]
        angular = vector(room, up + ACCELERATION + 3)
        r = vector(room, here + ARM)
        linear = add(vector(room, up + ACCELERATION), cross(angular, r))
        linear = add(linear, vector(room, here + BIAS))
        angular = add(angular, vector(room, here + BIAS + 3))
        for k in range(first, first + tree[at + DOFS]):
            slot = dofs + DOF_RECORD * k
            linear = axpy(a[k], vector(room, slot + COLUMN), linear)
            angular = axpy(a[k], vector(room, slot + COLUMN + 3), angular)
        put_vector(room, here + ACCELERATION, linear)
        put_vector(room, here + ACCELERATION + 3, angular)
        mass, theta = room[here + ARTICULATED], symmetric(room, here + ARTICULATED + 15)
        put_vector(room, here + ANSWER, axpy(mass, linear, vector(room, here + LOAD)))
        torque = add(symmetric_times(theta, angular), vector(room, here + LOAD + 3))
        put_vector(room, here + ANSWER + 3, torque)
    for i in range(tree[LINKS], 0, -1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, first = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT], tree[at + V_START]
        f, n = vector(room, here + ANSWER), vector(room, here + ANSWER + 3)
        for k in range(first, first + tree[at + DOFS]):
            slot = dofs + DOF_RECORD * k
            held = dot(f, vector(room, slot + COLUMN)) + dot(n, vector(room, slot + COLUMN + 3))
            drive = numbers[tree[ARMATURE_START] + k] * a[k]
            tau_out[k] = held + drive + numbers[tree[DAMPING_START] + k] * v[k]
        add_vector(room, up + ANSWER, f)
        add_vector(room, up + ANSWER + 3, add(n, cross(vector(room, here + ARM), f)))


@kernel
def inverse_dynamics(tree, numbers, room, q, v, a, tau_out):
    """tau of M v' + bias = tau."""
    move(tree, numbers, room, q, v)
    newton_euler(tree, numbers, room, v, a, tau_out)
