"""Joints of one body that no single joint stands for: a chain, with small bodies between them.

MuJoCo's body with the joints 1 ... n stands at  T = T_0 J_1 J_2 ... J_n,  T_0 its place beside its
parent at qpos0. Here a small body stands at each T_0 J_1 ... J_k, k < n, and every joint is one of
its own. What such a body has of mass is told among the losses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.importers.mjcf.reading import Place, Reading, Vector, matrix
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.rotation import about

BALL, SLIDE = 1, 2  # mjtJoint

PART = 1e-6
"""Mass and moments of a small body, over those of the body with the joints."""


def add_links(reading: Reading, b: int, joints: list[int], data: Any) -> list[Place]:
    """The bodies of the chain in their order: what the body hangs on, small ones, itself."""
    m, c = reading.m, reading.c
    parent = int(m.body_parentid[b])
    at, turn = np.array(m.body_pos[b]), matrix(m.body_quat[b])
    R0 = np.array(data.xmat[parent]).reshape(3, 3)
    p, R = data.xpos[parent] + R0 @ at, R0 @ turn
    v, w = _twist(c, data, parent, p)
    mass = PART * float(m.body_mass[b])
    moment = max(PART * float(np.mean(m.body_inertia[b])), 1e-12 * mass)
    names = [reading.c.name("joint", j) for j in joints]
    made = [reading.places[parent]]
    for k, j in enumerate(joints[:-1]):
        p, R, v, w = moved(m, data, j, p, R, v, w)
        name = reading.element_names.take(f"{c.name('body', b)}_link_{k + 1}")
        start: dict[str, Any] = {"position": p, "rotation": R}
        start |= {"velocity": v, "angular_velocity": w}
        inertia = Inertia(mass, (moment,) * 3, doubtful=True)
        body = reading.model.add_body(name, inertia, **start)
        made.append(Place(body, np.zeros(3), np.eye(3)))
    why = f"small bodies of {PART:g} of its mass stand between them, which MuJoCo has none of."
    reading.lose("chain of joints", names, why)
    return [*made, reading.places[b]]


def moved(
    m: Any, data: Any, j: int, p: Vector, R: Vector, v: Vector, w: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """Place and twist of a frame behind a joint, from those before it; v that of its origin."""
    q, d = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
    axis, anchor = R @ m.jnt_axis[j], R @ m.jnt_pos[j]
    if m.jnt_type[j] == SLIDE:
        way = data.qpos[q] - m.qpos0[q]
        return p + way * axis, R, v + data.qvel[d] * axis + np.cross(w, way * axis), w
    if m.jnt_type[j] == BALL:
        turn, rate = matrix(data.qpos[q : q + 4]), data.qvel[d : d + 3]
        after = R @ turn
        spin = after @ rate
    else:
        after = R @ about(m.jnt_axis[j], float(data.qpos[q] - m.qpos0[q]))
        spin = data.qvel[d] * axis
    arm = -after @ m.jnt_pos[j]
    place = p + anchor + arm
    return place, after, v + np.cross(w, anchor) + np.cross(w + spin, arm), w + spin


def _twist(c: Any, data: Any, b: int, p: Vector) -> tuple[Vector, Vector]:
    """Velocity of a point that moves with a body, and the body's angular velocity."""
    speed = np.zeros(6)
    c.mj.mj_objectVelocity(c.m, data, c.mj.mjtObj.mjOBJ_XBODY, b, speed, 0)
    return speed[3:] + np.cross(speed[:3], p - data.xpos[b]), speed[:3].copy()
