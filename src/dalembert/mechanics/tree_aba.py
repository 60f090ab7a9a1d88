"""Articulated-body algorithm: accelerations of a tree in O(n) (Featherstone 2008, table 7.1).

Inward, the force a link needs at its joint is f = I^A V' + p^A; outward, the accelerations follow:

    U = I^A S,   D = S^T U,   u = tau - S^T p^A                                (eqs 7.42 to 7.44)
    I^a = I^A - U D^-1 U^T,   p^a = p^A + I^a gamma + U D^-1 u                 (eqs 7.36, 7.37)
    I^A_p += X^T I^a X,       p^A_p += X^T p^a                                 (eqs 7.25, 7.26)
    V'' = X V_p' + gamma,   v' = D^-1 (u - U^T V''),   V' = V'' + S v'         (eqs 7.45, 7.46)

A joint of several velocities is taken one velocity after the other: its D is factored as L D L^T on
the way, U holding the columns of U L^-T. The inertia of a drive (armature) adds to D. A free body
on the world needs one 6 x 6 solve instead.

An articulated inertia is [M H; H^T J] on (linear, angular), stored M, H, J.
"""

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move
from dalembert.numerics.small import (
    add,
    add_matrix,
    add_symmetric,
    add_vector,
    axpy,
    cross,
    dot,
    inverse,
    less_outer,
    less_square,
    matrix,
    put_matrix,
    put_symmetric,
    put_vector,
    scale,
    sub,
    symmetric,
    symmetric_times,
    times,
    transposed_times,
    vector,
)
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.tree_layout import (
    ACCELERATION,
    ANSWER,
    ARM,
    ARMATURE_START,
    ARTICULATED,
    ASIDE,
    BIAS,
    CARRIED,
    COLUMN,
    DAMPING_START,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    DRIVE,
    FREE,
    IMAGE,
    IS_LAST,
    IS_LEAF,
    KIND,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    LOAD,
    PARENT,
    PIVOT,
    V_START,
)


@kernel
def articulate(tree, numbers, room, v, tau):
    """Inward pass (table 7.1, lines 10 to 20), after `move`; reports an inertia that is not one."""
    dofs, armature, damping = tree[DOF_ROOM], tree[ARMATURE_START], tree[DAMPING_START]
    for i in range(tree[LINKS], 0, -1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, parent = LINK_ROOM * i, tree[at + PARENT]
        if tree[at + IS_LEAF] == 1:
            mass = room[here + ARTICULATED]
            put_symmetric(room, here + ARTICULATED, (mass, mass, mass, 0.0, 0.0, 0.0))
            none = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            put_matrix(room, here + ARTICULATED + 6, none)
        if tree[at + KIND] == FREE:
            for k in range(6):
                dof = tree[at + V_START] + k
                place = k if k < 3 else 12 + k
                room[here + ARTICULATED + place] += numbers[armature + dof]
                room[here + LOAD + k] += numbers[damping + dof] * v[dof]
            continue
        M = symmetric(room, here + ARTICULATED)
        H = matrix(room, here + ARTICULATED + 6)
        J = symmetric(room, here + ARTICULATED + 15)
        f, n = vector(room, here + LOAD), vector(room, here + LOAD + 3)
        first = tree[at + V_START]
        for k in range(first + tree[at + DOFS] - 1, first - 1, -1):
            slot = dofs + DOF_RECORD * k
            sv, sw = vector(room, slot + COLUMN), vector(room, slot + COLUMN + 3)
            U = add(symmetric_times(M, sv), times(H, sw))
            N = add(transposed_times(H, sv), symmetric_times(J, sw))
            D = dot(sv, U) + dot(sw, N) + numbers[armature + k]
            if not D > 0.0:
                return NOT_POSITIVE_DEFINITE
            over = 1.0 / D
            u = tau[k] - numbers[damping + k] * v[k] - dot(sv, f) - dot(sw, n)
            put_vector(room, slot + IMAGE, U)
            put_vector(room, slot + IMAGE + 3, N)
            room[slot + PIVOT] = over
            room[slot + DRIVE] = u
            if tree[at + DOFS] == 1:
                # U^T (X V' + gamma) = (X^T U)^T V' + U^T gamma: less to wait for on the way back
                gv, gw = vector(room, here + BIAS), vector(room, here + BIAS + 3)
                room[slot + DRIVE] = u - dot(U, gv) - dot(N, gw)
                put_vector(room, slot + CARRIED, add(N, cross(vector(room, here + ARM), U)))
            Us, Ns = scale(over, U), scale(over, N)
            M, H, J = less_square(M, U, Us), less_outer(H, U, Ns), less_square(J, N, Ns)
            f, n = axpy(u, Us, f), axpy(u, Ns, n)
        if parent > 0:
            gv, gw = vector(room, here + BIAS), vector(room, here + BIAS + 3)
            f = add(f, add(symmetric_times(M, gv), times(H, gw)))
            n = add(n, add(transposed_times(H, gv), symmetric_times(J, gw)))
            last, r = tree[at + IS_LAST], vector(room, here + ARM)
            carry(room, LINK_ROOM * parent, last, r, M, H, J, f, n)
    return OK


@kernel
def carry(room, up, last, r, M, H, J, f, n):
    """Add X^T I X and X^T p to the parent's: H' = H - M [r], J' = J + [r] H' - H^T [r].

    The last child comes first: what it adds to is the parent's own m and Theta.
    """
    # columns of H, then of H', whose rows are those of H and r x rows of M
    a = add((H[0], H[1], H[2]), cross(r, (M[0], M[3], M[4])))
    b = add((H[3], H[4], H[5]), cross(r, (M[3], M[1], M[5])))
    c = add((H[6], H[7], H[8]), cross(r, (M[4], M[5], M[2])))
    hx, hy, hz = (H[0], H[3], H[6]), (H[1], H[4], H[7]), (H[2], H[5], H[8])
    x, y, z = cross(r, hx), cross(r, hy), cross(r, hz)
    p = cross(r, (a[0], b[0], c[0]))
    s = cross(r, (a[1], b[1], c[1]))
    t = cross(r, (a[2], b[2], c[2]))
    moved = (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])
    turned = (
        J[0] + p[0] + x[0],
        J[1] + s[1] + y[1],
        J[2] + t[2] + z[2],
        J[3] + s[0] + x[1],
        J[4] + t[0] + x[2],
        J[5] + t[1] + y[2],
    )
    if last == 1:
        m = room[up + ARTICULATED]
        whole = (M[0] + m, M[1] + m, M[2] + m, M[3], M[4], M[5])
        put_symmetric(room, up + ARTICULATED, whole)
        put_matrix(room, up + ARTICULATED + 6, moved)
    else:
        add_symmetric(room, up + ARTICULATED, M)
        add_matrix(room, up + ARTICULATED + 6, moved)
    add_symmetric(room, up + ARTICULATED + 15, turned)
    add_vector(room, up + LOAD, f)
    add_vector(room, up + LOAD + 3, add(n, cross(r, f)))


@kernel
def accelerate(tree, room, tau, a_out):
    """Outward pass (table 7.1, lines 21 to 28), after `articulate`.

    Leaves the acceleration of every link in its record.
    """
    dofs = tree[DOF_ROOM]
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, first = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT], tree[at + V_START]
        if tree[at + KIND] == FREE:
            f = sub(vector(tau, first), vector(room, here + LOAD))
            n = sub(vector(tau, first + 3), vector(room, here + LOAD + 3))
            linear, angular, determinant = solve_free(room, here + ARTICULATED, f, n)
            if not determinant > 0.0:
                return NOT_POSITIVE_DEFINITE
            put_vector(a_out, first, linear)
            put_vector(a_out, first + 3, angular)
        else:
            before, turning = vector(room, up + ACCELERATION), vector(room, up + ACCELERATION + 3)
            linear = add(before, cross(turning, vector(room, here + ARM)))
            linear = add(linear, vector(room, here + BIAS))
            angular = add(turning, vector(room, here + BIAS + 3))
            count = tree[at + DOFS]
            for k in range(first, first + count):
                slot = dofs + DOF_RECORD * k
                if count == 1:
                    against = dot(before, vector(room, slot + IMAGE))
                    against += dot(turning, vector(room, slot + CARRIED))
                else:
                    against = dot(linear, vector(room, slot + IMAGE))
                    against += dot(angular, vector(room, slot + IMAGE + 3))
                a = room[slot + PIVOT] * (room[slot + DRIVE] - against)
                linear = axpy(a, vector(room, slot + COLUMN), linear)
                angular = axpy(a, vector(room, slot + COLUMN + 3), angular)
                a_out[k] = a
        put_vector(room, here + ACCELERATION, linear)
        put_vector(room, here + ACCELERATION + 3, angular)
    return OK


@kernel
def solve_free(room, at, f, n):
    """(a, alpha) of M a + H alpha = f, H^T a + J alpha = n; and the smaller determinant.

    By the Schur complement of M: a positive definite matrix needs no pivoting.
    """
    M, H, J = symmetric(room, at), matrix(room, at + 6), symmetric(room, at + 15)
    X, mass = inverse(M)
    x = symmetric_times(X, (H[0], H[3], H[6]))
    y = symmetric_times(X, (H[1], H[4], H[7]))
    z = symmetric_times(X, (H[2], H[5], H[8]))
    b = symmetric_times(X, f)
    Y = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    p, q, r = transposed_times(H, x), transposed_times(H, y), transposed_times(H, z)
    left = (J[0] - p[0], J[1] - q[1], J[2] - r[2], J[3] - q[0], J[4] - r[0], J[5] - r[1])
    Z, turning = inverse(left)
    angular = symmetric_times(Z, sub(n, transposed_times(H, b)))
    return sub(b, times(Y, angular)), angular, min(mass, turning)


@kernel
def forward_dynamics(tree, numbers, room, q, v, tau, a_out):
    """v' of M v' + bias = tau."""
    move(tree, numbers, room, q, v)
    status = articulate(tree, numbers, room, v, tau)
    if status != OK:
        return status
    return accelerate(tree, room, tau, a_out)


@kernel
def solve_mass(tree, room, b, x_out):
    """x = M^-1 b in O(n), for any b after `articulate`: the passes above without velocities."""
    dofs = tree[DOF_ROOM]
    for k in range(tree[LINKS] + 1):
        put_symmetric(room, LINK_ROOM * k + ANSWER, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for i in range(tree[LINKS], 0, -1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, first = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT], tree[at + V_START]
        if tree[at + KIND] == FREE:
            continue
        f, n = vector(room, here + ANSWER), vector(room, here + ANSWER + 3)
        for k in range(first + tree[at + DOFS] - 1, first - 1, -1):
            slot = dofs + DOF_RECORD * k
            u = b[k] - dot(f, vector(room, slot + COLUMN)) - dot(n, vector(room, slot + COLUMN + 3))
            room[slot + ASIDE] = u
            s = u * room[slot + PIVOT]
            f = axpy(s, vector(room, slot + IMAGE), f)
            n = axpy(s, vector(room, slot + IMAGE + 3), n)
        add_vector(room, up + ANSWER, f)
        add_vector(room, up + ANSWER + 3, add(n, cross(vector(room, here + ARM), f)))
    put_symmetric(room, ANSWER, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, first = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT], tree[at + V_START]
        if tree[at + KIND] == FREE:
            f = sub(vector(b, first), vector(room, here + ANSWER))
            n = sub(vector(b, first + 3), vector(room, here + ANSWER + 3))
            linear, angular, _ = solve_free(room, here + ARTICULATED, f, n)
            put_vector(x_out, first, linear)
            put_vector(x_out, first + 3, angular)
        else:
            angular = vector(room, up + ANSWER + 3)
            r = vector(room, here + ARM)
            linear = add(vector(room, up + ANSWER), cross(angular, r))
            for k in range(first, first + tree[at + DOFS]):
                slot = dofs + DOF_RECORD * k
                against = dot(linear, vector(room, slot + IMAGE))
                against += dot(angular, vector(room, slot + IMAGE + 3))
                x = room[slot + PIVOT] * (room[slot + ASIDE] - against)
                linear = axpy(x, vector(room, slot + COLUMN), linear)
                angular = axpy(x, vector(room, slot + COLUMN + 3), angular)
                x_out[k] = x
        put_vector(room, here + ANSWER, linear)
        put_vector(room, here + ANSWER + 3, angular)
