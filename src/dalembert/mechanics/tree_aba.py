"""Articulated-body algorithm: accelerations of a tree in O(n) (Featherstone 2008, table 7.1).

Inward, the force a link needs at its joint is f = I^A V' + p^A; outward, the accelerations follow:

    U = I^A S,   D = S^T U,   u = tau - S^T p^A                                (eqs 7.42 to 7.44)
    I^a = I^A - U D^-1 U^T,   p^a = p^A + I^a gamma + U D^-1 u                 (eqs 7.36, 7.37)
    I^A_p += X^T I^a X,       p^A_p += X^T p^a                                 (eqs 7.25, 7.26)
    V'' = X V_p' + gamma,   v' = D^-1 (u - U^T V''),   V' = V'' + S v'         (eqs 7.45, 7.46)

A joint of several velocities is taken one velocity after the other: its D is factored as L D L^T on
the way, U holding the columns of U L^-T. The inertia of a drive (armature) adds to D. A free body
on the world needs one 6 x 6 solve instead.
"""

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.spatial import ArticulatedInertia, Force, Motion, force, put_motion
from dalembert.numerics.vector import Vec3
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.tree_layout import FREE, Constants, Tree


@kernel
def articulate(integers, numbers, room, v, tau):
    """Inward pass (table 7.1, lines 10 to 20), after `move`; reports an inertia that is not one."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    for link in tree.inward:
        own = ArticulatedInertia.of_body(link.mass, link.theta)
        I = own if link.is_leaf == 1 else link.inertia
        if link.kind == FREE:
            drive_free(link, I, given, v)
            continue
        p, gamma = link.load, link.gamma
        for k in range(link.v_start + link.dofs - 1, link.v_start - 1, -1):
            dof = tree.dof(k)
            S = dof.S
            U = I @ S
            D = U.dot(S) + given.armature(k)
            if not D > 0.0:
                return NOT_POSITIVE_DEFINITE
            over = 1.0 / D
            u = tau[k] - given.damping(k) * v[k] - p.dot(S)
            dof.U, dof.over, dof.u = U, over, u
            if link.dofs == 1:
                # U^T (X V' + gamma) = (X^T U)^T V' + U^T gamma: less to wait for on the way back
                dof.u = u - U.dot(gamma)
                dof.carried = U.torque + link.arm % U.force
            W = over * U
            I, p = I.less_dyad(U, W), u * W + p
        if link.parent > 0:
            carry(tree.parent(link), link, I, p + (I @ gamma))
    return OK


@kernel
def drive_free(link, I, given, v):
    """Add armature and damping of the six velocities of a free body to its inertia and load."""
    first = link.v_start
    M = Sym3(
        I.M.xx + given.armature(first),
        I.M.yy + given.armature(first + 1),
        I.M.zz + given.armature(first + 2),
        I.M.xy,
        I.M.xz,
        I.M.yz,
    )
    J = Sym3(
        I.J.xx + given.armature(first + 3),
        I.J.yy + given.armature(first + 4),
        I.J.zz + given.armature(first + 5),
        I.J.xy,
        I.J.xz,
        I.J.yz,
    )
    link.inertia = ArticulatedInertia(M, I.H, J)
    link.load = Force(
        Vec3(
            link.load.force.x + given.damping(first) * v[first],
            link.load.force.y + given.damping(first + 1) * v[first + 1],
            link.load.force.z + given.damping(first + 2) * v[first + 2],
        ),
        Vec3(
            link.load.torque.x + given.damping(first + 3) * v[first + 3],
            link.load.torque.y + given.damping(first + 4) * v[first + 4],
            link.load.torque.z + given.damping(first + 5) * v[first + 5],
        ),
    )


@kernel
def carry(parent, link, I, p):
    """Add X^T I X and X^T p to the parent's.

    The last child comes first: it adds to the parent's own m and Theta.
    """
    moved = I.carried(link.arm)
    if link.is_last == 1:
        parent.inertia = moved.plus_body(parent.mass, parent.theta)
    else:
        parent.inertia = parent.inertia + moved
    parent.load = parent.load + p.carried(link.arm)


@kernel
def accelerate(integers, room, tau, a_out):
    """Outward pass (table 7.1, lines 21 to 28), after `articulate`.

    Leaves the acceleration of every link in its record.
    """
    tree = Tree(integers, room)
    for link in tree.outward:
        if link.kind == FREE:
            V, determinant = link.inertia.solve(force(tau, link.v_start) - link.load)
            if not determinant > 0.0:
                return NOT_POSITIVE_DEFINITE
            put_motion(a_out, link.v_start, V)
        else:
            above = tree.parent(link).acceleration
            V = above.at(link.arm) + link.gamma
            for k in range(link.v_start, link.v_start + link.dofs):
                dof = tree.dof(k)
                if link.dofs == 1:
                    against = dof.U.force.dot(above.linear) + dof.carried.dot(above.angular)
                else:
                    against = dof.U.dot(V)
                a = dof.over * (dof.u - against)
                V = a * dof.S + V
                a_out[k] = a
        link.acceleration = V
    return OK


@kernel
def forward_dynamics(integers, numbers, room, q, v, tau, a_out):
    """v' of M v' + bias = tau."""
    move(integers, numbers, room, q, v)
    status = articulate(integers, numbers, room, v, tau)
    if status != OK:
        return status
    return accelerate(integers, room, tau, a_out)


@kernel
def solve_mass(integers, room, b, x_out):
    """x = M^-1 b in O(n), for any b after `articulate`: the passes above without velocities."""
    tree = Tree(integers, room)
    for i in range(tree.head.links + 1):
        tree.link(i).pull = Force.zero()
    for link in tree.inward:
        if link.kind == FREE:
            continue
        p = link.pull
        for k in range(link.v_start + link.dofs - 1, link.v_start - 1, -1):
            dof = tree.dof(k)
            u = b[k] - p.dot(dof.S)
            dof.aside = u
            p = (u * dof.over) * dof.U + p
        parent = tree.parent(link)
        parent.pull = parent.pull + p.carried(link.arm)
    tree.link(0).answer = Motion.zero()
    for link in tree.outward:
        if link.kind == FREE:
            V, _ = link.inertia.solve(force(b, link.v_start) - link.pull)
            put_motion(x_out, link.v_start, V)
        else:
            V = tree.parent(link).answer.at(link.arm)
            for k in range(link.v_start, link.v_start + link.dofs):
                dof = tree.dof(k)
                x = dof.over * (dof.aside - dof.U.dot(V))
                V = x * dof.S + V
                x_out[k] = x
        link.answer = V
