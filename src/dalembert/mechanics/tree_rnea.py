"""Recursive Newton-Euler algorithm: the forces a motion takes (Featherstone 2008, sec. 5.3).

V_i' = X_i V_p' + S_i v_i' + gamma_i                                       (eq. 5.8)
f_i = I_i V_i' - (forces on the body) + sum over its children of X^T f     (eqs 5.9, 5.10)
tau_i = S_i^T f_i                                                          (eq. 5.11)
"""

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move
from dalembert.numerics.spatial import Force
from dalembert.system.tree_layout import Constants, Tree


@kernel
def newton_euler(integers, numbers, room, v, a, tau_out):
    """tau of M v' + bias = tau, after `move` (and `push`)."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    for link in tree.outward:
        V = tree.parent(link).acceleration.at(link.arm) + link.gamma
        for k in range(link.v_start, link.v_start + link.dofs):
            V = a[k] * tree.dof(k).S + V
        link.acceleration = V
        link.pull = Force(link.mass * V.linear, link.theta @ V.angular) + link.load
    for link in tree.inward:
        f = link.pull
        for k in range(link.v_start, link.v_start + link.dofs):
            drive = given.armature(k) * a[k]
            tau_out[k] = f.dot(tree.dof(k).S) + drive + given.damping(k) * v[k]
        parent = tree.parent(link)
        parent.pull = parent.pull + f.carried(link.arm)


@kernel
def inverse_dynamics(integers, numbers, room, q, v, a, tau_out):
    """tau of M v' + bias = tau."""
    move(integers, numbers, room, q, v)
    newton_euler(integers, numbers, room, v, a, tau_out)
