"""The constraint step inserted into one's own integrator: a ship in a towing tank.

Castro (2025): whoever has a working simulator of a free ship, in whatever coordinates, need not
give it up to hold the ship in a mount. Here the simulator is a page of NumPy and a hand-written
RK4 loop; the mount prescribes the heave of a point P of the ship and leaves only the pitch free:

    Phi = (roll, yaw, x_P, y_P, z_P - h(t)),   q = (x, y, z, roll, pitch, yaw).

Three ways to insert the mount, by plain functions on arrays:

1. `constraint_forces` in every stage, `project_position` and `project_velocity` after the step;
2. `project_velocity` alone after a free step (impulses);
3. `compliant_velocity`: the mount as a stiff spring and damper, taken implicitly.

Reference: problem A11, theta = -pitch (nose up).
"""

import numpy as np

import dalembert as dl

# --- the simulator one has already: a free ship ------------------------------------------------

MASS, INERTIA, GRAVITY = 40.0, np.diag([2.0, 12.0, 12.0]), 9.81
RESTORING, DAMPING = 90.0, 6.0  # of the water, on pitch [N m/rad], [N m s/rad]


def rate_map(q):
    """E with  w_body = E (roll', pitch', yaw')  for R = Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr, cp, sp = np.cos(q[3]), np.sin(q[3]), np.cos(q[4]), np.sin(q[4])
    return np.array([[1.0, 0.0, -sp], [0.0, cr, cp * sr], [0.0, -sr, cp * cr]])


def rate_map_change(q, v):
    """E' along the motion."""
    cr, sr, cp, sp = np.cos(q[3]), np.sin(q[3]), np.cos(q[4]), np.sin(q[4])
    dr, dp = v[3], v[4]
    return np.array(
        [
            [0.0, 0.0, -cp * dp],
            [0.0, -sr * dr, cp * cr * dr - sp * sr * dp],
            [0.0, -cr * dr, -cp * sr * dr - sp * cr * dp],
        ]
    )


def mass_matrix(q):
    E = rate_map(q)
    M = np.zeros((6, 6))
    M[:3, :3] = MASS * np.eye(3)
    M[3:, 3:] = E.T @ INERTIA @ E
    return M


def force(q, v):
    """Q: weight, water, and the gyroscopic terms, which belong to Q in every method."""
    E = rate_map(q)
    w = E @ v[3:]
    gyroscopic = INERTIA @ rate_map_change(q, v) @ v[3:] + np.cross(w, INERTIA @ w)
    Q = np.zeros(6)
    Q[2] = -MASS * GRAVITY
    Q[3:] = -E.T @ gyroscopic
    Q[4] += -RESTORING * q[4] - DAMPING * v[4]
    return Q


# --- the mount: residual, Jacobian and right-hand sides ------------------------------------------

MOUNT, AMPLITUDE, OMEGA = 0.15, 0.05, 2 * np.pi * 0.8


def heave(t):
    """h, h', h''."""
    s, c = np.sin(OMEGA * t), np.cos(OMEGA * t)
    return AMPLITUDE * s, AMPLITUDE * OMEGA * c, -AMPLITUDE * OMEGA**2 * s


def phi(q, t):
    cp, sp, cy, sy = np.cos(q[4]), np.sin(q[4]), np.cos(q[5]), np.sin(q[5])
    x, y, z = q[0] + MOUNT * cy * cp, q[1] + MOUNT * sy * cp, q[2] - MOUNT * sp
    return np.array([q[3], q[5], x, y, z - heave(t)[0]])


def jacobian(q):
    cp, sp, cy, sy = np.cos(q[4]), np.sin(q[4]), np.cos(q[5]), np.sin(q[5])
    J = np.zeros((5, 6))
    J[0, 3] = J[1, 5] = J[2, 0] = J[3, 1] = J[4, 2] = 1.0
    J[2, 4:] = -MOUNT * cy * sp, -MOUNT * sy * cp
    J[3, 4:] = -MOUNT * sy * sp, MOUNT * cy * cp
    J[4, 4] = -MOUNT * cp
    return J


def phi_t(t):
    return np.array([0.0, 0.0, 0.0, 0.0, -heave(t)[1]])


def acceleration_side(q, v, t):
    """What J v' must equal: -J' v - Phi_tt."""
    cp, sp, cy, sy = np.cos(q[4]), np.sin(q[4]), np.cos(q[5]), np.sin(q[5])
    p, w = v[4], v[5]
    return np.array(
        [
            0.0,
            0.0,
            MOUNT * (cy * cp * (p**2 + w**2) - 2 * sy * sp * p * w),
            MOUNT * (sy * cp * (p**2 + w**2) + 2 * cy * sp * p * w),
            -MOUNT * sp * p**2 + heave(t)[2],
        ]
    )


# --- the user's own loop -------------------------------------------------------------------------


def rk4_step(rates, t, q, v, h):
    k1 = rates(t, q, v)
    k2 = rates(t + h / 2, q + h / 2 * k1[0], v + h / 2 * k1[1])
    k3 = rates(t + h / 2, q + h / 2 * k2[0], v + h / 2 * k2[1])
    k4 = rates(t + h, q + h * k3[0], v + h * k3[1])
    dq, dv = ((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(k1, k2, k3, k4, strict=True))
    return q + h * dq, v + h * dv


def free_rates(t, q, v):
    return v, np.linalg.solve(mass_matrix(q), force(q, v))


def held_rates(t, q, v):
    side = acceleration_side(q, v, t)
    return v, dl.constraint_forces(mass_matrix(q), jacobian(q), force(q, v), side)[0]


def start():
    return np.array([-MOUNT, 0, 0, 0, 0, 0]), np.array([0, 0, heave(0.0)[1], 0, 0, 0])


def rigid(until, h):
    """Fourth order, the mount exact at both levels; also its force."""
    q, v = start()
    worst = 0.0
    for n in range(round(until / h)):
        t = (n + 1) * h
        q, v = rk4_step(held_rates, n * h, q, v, h)
        q = dl.project_position(lambda q, t=t: phi(q, t), jacobian, q, M=mass_matrix(q))
        v = dl.project_velocity(mass_matrix(q), jacobian(q), v, target=-phi_t(t))[0]
        worst = max(worst, np.abs(phi(q, t)).max())
    side = acceleration_side(q, v, until)
    lam = dl.constraint_forces(mass_matrix(q), jacobian(q), force(q, v), side)[1]
    return -q[4], lam, worst


def impulsive(until, h):
    """First order: a free step, then the impulse that stops it at the mount, then q += h v."""
    q, v = start()
    for n in range(round(until / h)):
        M, J, t = mass_matrix(q), jacobian(q), (n + 1) * h
        v_star = rk4_step(free_rates, n * h, q, v, h)[1]
        target = -phi_t(t) - phi(q, n * h) / h  # dead-beat stabilisation, physics.md 5.4
        v, impulse = dl.project_velocity(M, J, v_star, target=target)
        q = q + h * v
    return -q[4], impulse / h, np.abs(phi(q, until)).max()


def soft(until, h, stiffness=1e7, damping=1e4):
    """First order: the mount as a spring of 1e7 N/m, stable although explicit RK4 would not be."""
    q, v = start()
    for n in range(round(until / h)):
        M, J, t = mass_matrix(q), jacobian(q), (n + 1) * h
        v_star = rk4_step(free_rates, n * h, q, v, h)[1]
        v, impulse = dl.compliant_velocity(
            M, J, v_star, phi(q, n * h), h, stiffness, damping, phi_t=phi_t(t)
        )
        q = q + h * v
    return -q[4], impulse / h, np.abs(phi(q, until)).max()


if __name__ == "__main__":
    # A11, t = 1: pitch, and the force of the mount on the ship
    theta_1, force_x, force_z = 0.923280328634, -16.3587955949, 453.977936018
    for name, method, h in (("rigid", rigid, 1e-3), ("impulsive", impulsive, 1e-3)):
        theta, lam, worst = method(1.0, h)
        print(
            f"{name:10s} theta {theta:.9f} (off by {abs(theta - theta_1):.1e}), mount force "
            f"({lam[2]:.3f}, {lam[3]:.3f}, {lam[4]:.3f}) N, |phi| {worst:.1e}"
        )
        if name == "rigid":
            assert abs(theta - theta_1) < 1e-8
            assert abs(lam[2] - force_x) < 1e-6 * abs(force_x)
            assert abs(lam[4] - force_z) < 1e-6 * force_z
            assert worst < 1e-13
        else:
            assert abs(theta - theta_1) < 1e-2
            assert abs(lam[4] - force_z) < 1e-2 * force_z

    theta, lam, worst = soft(1.0, 1e-3)
    print(f"soft       theta {theta:.9f} (off by {abs(theta - theta_1):.1e}), |phi| {worst:.1e}")
    assert abs(theta - theta_1) < 1e-2
    assert worst < 2 * force_z / 1e7 + 1e-4  # the spring gives way, and the step is first order

    # The same by dalembert's own model of the tank
    model = dl.catalog.load("towing-tank")
    solution = dl.simulate(model, until=1.0, step=1e-3)
    assert abs(-solution["ship.pitch"][-1] - theta_1) < 1e-8
    mount = solution["mount.force"][-1]
    assert np.allclose(mount[[2, 4]], [force_x, force_z], rtol=1e-6)
