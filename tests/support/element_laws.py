"""Forces on the bodies of a plan (`element_plan`), with NumPy alone.

Laws are those of `docs/reference/joints-and-forces.md`.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares
from tests.support.element_plan import WORLD
from tests.support.random_mechanisms import turned

Z = np.array([0.0, 0.0, 1.0])
TURNING = ("Revolute", "Cylindrical")
"""Joints with one angle."""


class Snapshot:
    """One state of the bodies: centres of mass, rotations, velocities (n, 6), and the time."""

    def __init__(self, plan, t, c, R, v, turns):
        self.plan, self.t, self.c, self.R, self.v = plan, t, c, R, v
        self.turns = turns  # angles of hinges, followed up to here, {joint: angles}

    def end(self, k, p, R):
        """Origin, axes, velocity and angular velocity of a frame."""
        if k == WORLD:
            return p, R, np.zeros(3), np.zeros(3)
        arm = self.R[k] @ (p - self.plan.links[k].center)
        w = self.v[k, 3:]
        return self.c[k] + arm, self.R[k] @ R, self.v[k, :3] + np.cross(w, arm), w

    def seen_from(self, k, p, R):
        """A place and axes of the world in those of a body."""
        if k == WORLD:
            return p, R
        link = self.plan.links[k]
        return self.R[k].T @ (p - self.c[k]) + link.center, self.R[k].T @ R

    def ends(self, joint):
        """Both frames of a joint."""
        return self.end(joint.a, joint.p_a, joint.R_a), self.end(joint.b, joint.p_b, joint.R_b)

    def coordinate(self, k, which):
        """Coordinate of a joint and its speed."""
        (p, A, u, w), (q, _, s, y) = self.ends(self.plan.joints[k])
        z = A[:, 2]
        if which == "angle":
            return self.turns[k][0], z @ (y - w)
        return z @ (q - p), z @ (s - u - np.cross(w, q - p))


def applied(plan, now: Snapshot):
    """Forces and torques about the centres of mass of all pushes and of gravity, (n, 6)."""
    out = np.zeros((len(plan.links), 6))

    def act(k, at, F, T=0.0):
        if k != WORLD:
            out[k, :3] += F
            out[k, 3:] += np.cross(at - now.c[k], F) + T

    for i, link in enumerate(plan.links):
        out[i, :3] += link.mass * plan.gravity
    for push in plan.pushes:
        _act(plan, push, now, act)
    return out


def _act(plan, push, now, act):
    data, kind = push.data, push.kind
    swing = np.cos(data.get("rate", 0.0) * now.t)
    if kind in ("Force", "Torque"):
        p, R, _, _ = now.end(push.on[0], data["p"], data["R"])
        value = swing * (data["value"] if data["axes"] == "world" else R @ data["value"])
        zero = np.zeros(3)
        act(push.on[0], p, *((value, zero) if kind == "Force" else (zero, value)))
    elif kind == "Drag":
        p, _, u, _ = now.end(push.on[0], data["p"], np.eye(3))
        u = u - data["flow"]
        act(push.on[0], p, -(data["linear"] + data["quadratic"] * np.linalg.norm(u)) * u)
    elif kind == "Potential":
        k = push.on[0]
        # the package places bodies by their own origin
        p = now.c[k] - now.R[k] @ plan.links[k].center
        x, n = now.R[k][:, 0], data["direction"]
        pull = -data["k"] * (p - data["point"])
        act(k, p, pull, np.cross(x, -2 * data["g"] * (x @ n) * n))
    elif kind in ("Spring", "SpringLaw"):
        (p, _, u, _), (q, _, s, _) = _ends(push, now)
        d = q - p
        length = np.linalg.norm(d)
        e = d / length
        x, rate = length - data["free_length"], e @ (s - u)
        k, c = data["stiffness"], data["damping"]
        pull = (k * x if kind == "Spring" else k * (x + x**3)) + c * rate
        act(push.on[0], p, pull * e)
        act(push.on[1], q, -pull * e)
    elif kind == "Bushing":
        _bush(push, now, act)
    elif kind == "SoftContact":
        _touch(push, now, act)
    else:
        _drive(plan, push, now, act)


def _ends(push, now):
    return [
        now.end(k, push.data[f"p_{s}"], push.data[f"R_{s}"])
        for k, s in zip(push.on, "ab", strict=True)
    ]


def _bush(push, now, act):
    """Force on the second body at its origin, the reaction on the first at the same point."""
    (p, A, u, w), (q, B, s, y) = _ends(push, now)
    k, c = np.array(push.data["stiffness"]), np.array(push.data["damping"])
    d, rate = q - p, s - u - np.cross(w, q - p)
    F = -A @ (k[:3] * (A.T @ d) + c[:3] * (A.T @ rate))
    g = (k[3:].sum() - 2 * k[3:]) / 2
    T = sum(g[i] * np.cross(B[:, i], A[:, i]) for i in range(3))
    T = T - A @ (c[3:] * (A.T @ (y - w)))
    act(push.on[1], q, F, T)
    act(push.on[0], q, -F, -T)


def _touch(push, now, act):
    """A ball on a plane: spring, Hunt and Crossley's damping, friction viscous in slow sliding."""
    data = push.data
    c, _, u, w = now.end(push.on[0], data["p"], np.eye(3))
    o, B, s, y = now.end(push.on[1], data["p_b"], data["R_b"])
    n = B[:, 2]
    point = c - data["radius"] * n
    overlap = max(0.0, -float(n @ (point - o)))
    slip = u + np.cross(w, point - c) - s - np.cross(y, point - o)
    rate = float(n @ slip)
    slip = slip - rate * n
    push_up = data["stiffness"] * overlap * max(0.0, 1.0 - data["dissipation"] * rate)
    F = push_up * (n - data["friction"] * slip / np.hypot(np.linalg.norm(slip), data["slip"]))
    act(push.on[0], point, F)
    act(push.on[1], point, -F)


def _drive(plan, push, now, act):
    """Efforts along a coordinate of a joint."""
    joint, data = plan.joints[push.on[0]], push.data
    (p, A, u, w), (q, _, s, y) = now.ends(joint)
    if push.kind == "JointFriction" and joint.kind in (
        "Spherical",
        "Universal",
        "ConstantVelocity",
    ):
        T = -data["damping"] * (y - w)
        act(joint.b, q, np.zeros(3), T)
        act(joint.a, q, np.zeros(3), -T)
        return
    if push.kind == "CompoundSpring":
        push_along, turn_about, x, rate = _compound(
            joint, A, now.turns.get(push.on[0]), q - p, s - u, w, y, data["coordinate"]
        )
        effort = data["effort"] - data["stiffness"] * (x - data["free"]) - data["damping"] * rate
        effort = float(np.clip(effort, *data.get("limits", (-np.inf, np.inf))))
        F, T = effort * push_along, effort * turn_about
    else:
        which = "displacement" if joint.kind == "Prismatic" else "angle"
        which = data.get("coordinate", which)
        x, rate = now.coordinate(push.on[0], which)
        effort = _effort(push, x, rate, np.cos(data.get("rate", 0.0) * now.t))
        z = A[:, 2]
        F, T = (np.zeros(3), effort * z) if which == "angle" else (effort * z, np.zeros(3))
    act(joint.b, q, F, T)
    act(joint.a, q, -F, -T)


def _effort(push, x, rate, swing):
    data, kind = push.data, push.kind
    if kind == "TorsionSpring":
        return -data["stiffness"] * (x - data["free_angle"]) - data["damping"] * rate
    if kind == "JointFriction":
        return -data["damping"] * rate
    if kind == "Motor":
        return data["stall_torque"] * (data["command"] - rate / data["no_load_speed"])
    if kind == "MotorLaw":
        return data["k"] * (1 - np.tanh(rate))
    gear, u = data["gear"], data["command"] * swing
    travel, speed = gear * x, gear * rate
    if kind == "DirectDrive":
        return gear * u
    if kind == "VelocityServo":
        return gear * data["kd"] * (u - speed)
    if kind == "PositionServo":
        return gear * (data["kp"] * (u - travel) - data["kd"] * speed)
    b = data["bias"]
    return gear * (data["gain"] * u + b[0] + b[1] * travel + b[2] * speed)


def _compound(joint, A, angles, d, rate, w, y, number):
    """Direction of a force and of a torque of unit effort, the coordinate and its speed."""
    slides, hinges = joint.options["slides"], joint.options["hinges"]
    if number < len(slides):
        S = A @ np.array(slides).T
        dual = np.linalg.pinv(S).T
        way = dual[:, number]
        return way, np.zeros(3), way @ d, way @ (rate - np.cross(w, d))
    axes, turn = [], np.eye(3)
    for h, angle in zip(hinges, angles, strict=True):
        axes.append(A @ turn @ h)
        turn = turn @ turned(np.array(h), angle)
    k = number - len(slides)
    dual = np.linalg.pinv(np.array(axes))[:, k]
    return np.zeros(3), dual, angles[k], dual @ (y - w)


def hinge_angles(axes, R, near):
    """Angles of successive hinges with that rotation, the ones near those of a moment before."""

    def off(x):
        turn = np.eye(3)
        for h, angle in zip(axes, x, strict=True):
            turn = turn @ turned(np.array(h), angle)
        return (turn - R).ravel()

    return least_squares(off, near, xtol=1e-15, ftol=1e-15, gtol=1e-15).x


def followed_angles(plan, motion, samples):
    """Angles of all hinges at samples in order, followed from the start: {joint: (k, hinges)}."""
    found = {}
    for k, joint in enumerate(plan.joints):
        if joint.kind not in (*TURNING, "Compound"):
            continue
        start = joint.options["initial"]
        if joint.kind == "Compound":
            axes = joint.options["hinges"]
            start = np.array(start[len(joint.options["slides"]) :])
        else:
            axes = [Z]
            start = np.array([start[0] if isinstance(start, tuple) else start])
        series = []
        for i in samples:
            now = Snapshot(plan, 0.0, motion.c[i], motion.R[i], motion.v[i], {})
            (_, A, _, _), (_, B, _, _) = now.ends(joint)
            start = hinge_angles(axes, A.T @ B, start)
            series.append(start)
        found[k] = np.array(series)
    return found
