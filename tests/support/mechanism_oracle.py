"""Rows, velocities and accelerations of a planned mechanism with NumPy alone.

State of a body: place of its centre of mass and rotation matrix; velocity of its centre of mass and
angular velocity, both along the axes of the world. Rows are those of
`docs/reference/joints-and-forces.md`, differentiated by hand.
"""

from __future__ import annotations

import numpy as np

RANK = 1e-9
"""Smallest singular value over the largest that counts."""


def poses(plan):
    """Centres (n, 3) and rotations (n, 3, 3) at the start."""
    centers = np.array([x.position + x.rotation @ x.center for x in plan.links])
    return centers, np.array([x.rotation for x in plan.links])


def mass_matrix(plan, rotations):
    """M along the axes of the world."""
    n = len(plan.links)
    M = np.zeros((6 * n, 6 * n))
    for i, (link, R) in enumerate(zip(plan.links, rotations, strict=True)):
        M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = link.mass * np.eye(3)
        M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = R @ link.moments @ R.T
    return M


def _end(plan, k, p, R, centers, rotations):
    """Point and axes of a frame in the world, and its arm from the centre of its body."""
    if k < 0:
        return p, R, None
    arm = rotations[k] @ (p - plan.links[k].center)
    return centers[k] + arm, rotations[k] @ R, arm


def _moving(J, row, k, arm, u, sign):
    """Enter sign u . (velocity of a point)."""
    if k >= 0:
        J[row, 6 * k : 6 * k + 3] += sign * u
        J[row, 6 * k + 3 : 6 * k + 6] += sign * np.cross(arm, u)


def _turning(J, row, a, b, u):
    """Enter u . (w_a - w_b)."""
    if a >= 0:
        J[row, 6 * a + 3 : 6 * a + 6] += u
    if b >= 0:
        J[row, 6 * b + 3 : 6 * b + 6] -= u


def jacobian(plan, centers, rotations):
    """J of all joints, in units of length: rows of angles are multiplied by the plan's size."""
    out = []
    for joint in plan.joints:
        p_a, A, arm_a = _end(plan, joint.a, joint.p_a, joint.R_a, centers, rotations)
        p_b, B, arm_b = _end(plan, joint.b, joint.p_b, joint.R_b, centers, rotations)
        J = np.zeros((6, 6 * len(plan.links)))
        d, used = p_b - p_a, 0

        def point(u, joint=joint, J=J, arm_a=arm_a, arm_b=arm_b):
            nonlocal used
            _moving(J, used, joint.a, arm_a, u, 1.0)
            _moving(J, used, joint.b, arm_b, u, -1.0)
            used += 1

        def across(u, joint=joint, J=J, arm_a=arm_a, arm_b=arm_b, d=d):
            nonlocal used
            _moving(J, used, joint.b, arm_b, u, 1.0)
            _moving(J, used, joint.a, arm_a, u, -1.0)
            if joint.a >= 0:  # (w_a x u) . d
                J[used, 6 * joint.a + 3 : 6 * joint.a + 6] += np.cross(u, d)
            used += 1

        def angle(u, w, joint=joint, J=J):
            nonlocal used
            _turning(J, used, joint.a, joint.b, plan.size * np.cross(u, w))
            used += 1

        x, y, z = A.T
        kind = joint.kind
        if kind in ("Fixed", "Revolute", "Spherical", "Universal"):
            for u in np.eye(3):
                point(u)
        if kind in ("Prismatic", "Cylindrical", "Screw", "PointOnLine"):
            across(x)
            across(y)
        if kind in ("Planar", "PointOnPlane"):
            across(z)
        if kind in ("Revolute", "Cylindrical", "Screw", "Planar"):
            angle(z, B[:, 0])
            angle(z, B[:, 1])
        if kind in ("Fixed", "Prismatic"):
            angle(x, B[:, 1])
            angle(y, B[:, 2])
            angle(z, B[:, 0])
        if kind == "Universal":
            angle(x, B[:, 1])
        if kind == "Distance":
            point(d / np.linalg.norm(d))
        if kind == "Screw":
            across(z)
            # less pitch / 2 pi times the rate of the angle, z . (w_b - w_a)
            _turning(J, used - 1, joint.a, joint.b, joint.pitch / (2 * np.pi) * z)
        out.append(J[:used])
    return np.vstack(out) if out else np.zeros((0, 6 * len(plan.links)))


def _tangent(plan, centers, rotations):
    """Square root of M, and orthonormal rows that span the constraint in its norm."""
    M = mass_matrix(plan, rotations)
    root = np.linalg.cholesky(M)  # M = root root^T
    J = jacobian(plan, centers, rotations)
    C = np.linalg.solve(root, J.T).T
    if not len(C):
        return root, C
    C = C / np.maximum(np.linalg.norm(C, axis=1), 1e-300)[:, None]
    _, sigma, V = np.linalg.svd(C, full_matrices=False)
    return root, V[sigma > RANK * sigma[0]]


def free_velocities(plan, v):
    """The velocity nearest in kinetic energy that the joints admit at the start."""
    root, V = _tangent(plan, *poses(plan))
    y = root.T @ v
    y = y - V.T @ (V @ y)
    y = y - V.T @ (V @ y)
    return np.linalg.solve(root.T, y)


def freedom(plan):
    """Degrees of freedom at the start."""
    _, V = _tangent(plan, *poses(plan))
    return 6 * len(plan.links) - len(V)


# -- laws ------------------------------------------------------------------------------------------


def states(plan, q, v):
    """Centres, rotations, velocities of samples of a solution of bodies with quaternions."""
    parts = q.reshape(len(q), len(plan.links), 7)
    w, x, y, z = np.moveaxis(parts[..., 3:], -1, 0)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return parts[..., :3], np.moveaxis(R, (0, 1), (-2, -1)), v.reshape(len(v), -1, 6)


def energy(plan, centers, rotations, v):
    """Kinetic plus potential energy of one state."""
    total = 0.0
    for link, c, R, speed in zip(plan.links, centers, rotations, v, strict=True):
        w = R.T @ speed[3:]
        total += 0.5 * link.mass * speed[:3] @ speed[:3] + 0.5 * w @ link.moments @ w
        total -= link.mass * plan.gravity @ c
    for tie in plan.ties:
        total += 0.5 * tie.stiffness * (_stretch(plan, tie, centers, rotations)[0]) ** 2
    return total


def _stretch(plan, tie, centers, rotations):
    a, _, arm_a = _end(plan, tie.a, tie.p_a, np.eye(3), centers, rotations)
    b, _, arm_b = _end(plan, tie.b, tie.p_b, np.eye(3), centers, rotations)
    length = np.linalg.norm(b - a)
    return length - tie.free_length, (b - a) / length, arm_a, arm_b


def forces(plan, centers, rotations, v):
    """Applied forces less gyroscopic ones, of one state."""
    f = np.zeros((len(plan.links), 6))
    for i, (link, R, speed) in enumerate(zip(plan.links, rotations, v, strict=True)):
        w = speed[3:]
        f[i, :3] = link.mass * plan.gravity
        f[i, 3:] = -np.cross(w, R @ link.moments @ R.T @ w)
    for tie in plan.ties:
        more, u, arm_a, arm_b = _stretch(plan, tie, centers, rotations)
        rate = 0.0
        for k, arm, sign in ((tie.a, arm_a, -1.0), (tie.b, arm_b, 1.0)):
            if k >= 0:
                rate += sign * u @ (v[k, :3] + np.cross(v[k, 3:], arm))
        pull = tie.stiffness * more + tie.damping * rate
        for k, arm, sign in ((tie.a, arm_a, 1.0), (tie.b, arm_b, -1.0)):
            if k >= 0:
                f[k, :3] += sign * pull * u
                f[k, 3:] += np.cross(arm, sign * pull * u)
    return f.ravel()


def momentum(plan, centers, rotations, v):
    """Linear momentum and angular momentum about the origin of one state."""
    p, L = np.zeros(3), np.zeros(3)
    for link, c, R, speed in zip(plan.links, centers, rotations, v, strict=True):
        p += link.mass * speed[:3]
        L += link.mass * np.cross(c, speed[:3]) + R @ link.moments @ R.T @ speed[3:]
    return p, L


def acceleration_error(plan, centers, rotations, v, a):
    """How far an acceleration is from d'Alembert's principle, and the size of its terms.

    In the norm of kinetic energy: the least a over what joints admit, Gauss's principle. J' v is
    the difference of J along the motion.
    """
    root, V = _tangent(plan, centers, rotations)
    free = np.linalg.solve(root, forces(plan, centers, rotations, v))
    have = root.T @ a.ravel()
    # what moves freely: the part of M^(1/2) a that joints do not hold
    off = (have - free) - V.T @ (V @ (have - free))
    # what joints hold: J a = -J' v
    J = jacobian(plan, centers, rotations)
    if len(J):
        dt = 1e-5 * plan.period
        ends = []
        for sign in (1.0, -1.0):
            c = centers + sign * dt * v[:, :3]
            R = np.array(
                [_spun(w, sign * dt) @ R for w, R in zip(v[:, 3:], rotations, strict=True)]
            )
            ends.append(jacobian(plan, c, R) @ v.ravel())
        wanted = -(ends[0] - ends[1]) / (2 * dt)
        held = J @ a.ravel() - wanted
        unit = np.linalg.norm(np.linalg.solve(root, J.T), axis=0)
        held = held / np.maximum(unit, 1e-300)
    else:
        held = np.zeros(1)
    kinetic = root.T @ v.ravel()
    size = np.linalg.norm(free) + np.linalg.norm(have) + np.linalg.norm(kinetic) / plan.period
    return float(np.linalg.norm(off)), float(np.linalg.norm(held)), float(size)


def _spun(w, dt):
    angle = np.linalg.norm(w) * dt
    x, y, z = w * dt
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    if abs(angle) < 1e-12:
        return np.eye(3) + K
    return np.eye(3) + np.sin(angle) / angle * K + (1 - np.cos(angle)) / angle**2 * (K @ K)
