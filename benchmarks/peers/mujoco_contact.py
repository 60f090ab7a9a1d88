"""MuJoCo: a scene of contact, as it comes and in the two ways that make it more exact.

mujoco_contact.py DESCRIPTION REPEATS

Elliptic cones, Newton's method, `implicitfast`: the servos' damping is implicit, as ours is.
Against creep: `impratio` 100 (friction stiffer than the normal) and 20 sweeps of `noslip`. Against
sinking: the shortest time constant that MuJoCo allows, two steps, and impedance 0.9999. Of fifteen
mixtures no single one was best, or second best, in all scenes.
"""

from __future__ import annotations

import sys
from typing import Any

import mujoco
import numpy as np
from contact_judge import EVERY, Judge, load, matrix, measure, quaternion
from record import emit


def numbers(values: Any) -> str:
    return " ".join(f"{float(x):.17g}" for x in np.ravel(values))


def geom(shape: dict[str, Any], scene: dict[str, Any], ground: bool, extra: str) -> str:
    kind, sizes = shape["kind"], shape["sizes"]
    size = {
        "plane": [0.0, 0.0, 1.0],
        "box": [0.5 * s for s in sizes],
        "capsule": [sizes[0], 0.5 * sizes[1]] if len(sizes) > 1 else sizes,
        "cylinder": [sizes[0], 0.5 * sizes[1]] if len(sizes) > 1 else sizes,
    }.get(kind, sizes)
    bits = 'contype="1" conaffinity="1"'
    if scene["only_ground"]:
        bits = 'contype="1" conaffinity="2"' if ground else 'contype="2" conaffinity="1"'
    return (
        f'<geom type="{kind}" size="{numbers(size)}" pos="{numbers(shape["position"])}"'
        f' quat="{numbers(shape["quaternion"])}" mass="0" condim="3"'
        f' friction="{scene["friction"]:.17g} 0 0" {bits} {extra}/>'
    )


SETTINGS = {
    # options; of every geom
    "as it comes": ("", ""),
    "impratio 100, noslip 20": ('impratio="100" noslip_iterations="20"', ""),
    "stiff": ("", 'solref="{} 1" solimp="0.9999 0.9999 0.001 0.5 2"'),
}


def mjcf(scene: dict[str, Any], setting: str) -> str:
    """The description in MuJoCo's own format."""
    bodies, step = scene["bodies"], scene["step"]
    more, extra = SETTINGS[setting]
    extra = extra.format(2 * step)
    R = [matrix(b["quaternion"]) for b in bodies]
    below: dict[int | None, list[int]] = {}
    for k, body in enumerate(bodies):
        below.setdefault(body["parent"], []).append(k)

    def text(k: int) -> str:
        body, parent = bodies[k], bodies[k]["parent"]
        place, turn = np.array(body["position"]), R[k]
        if parent is not None:
            place = R[parent].T @ (place - np.array(bodies[parent]["position"]))
            turn = R[parent].T @ turn
        inside = "<freejoint/>"
        if body["hinge"]:
            at, axis = numbers(body["at"]), numbers(body["axis"])
            inside = f'<joint name="j{k}" pos="{at}" axis="{axis}"/>'
        I = body["inertia"]
        full = numbers([I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]])
        return (
            f'<body name="b{k}" pos="{numbers(place)}" quat="{numbers(quaternion(turn))}">{inside}'
            f'<inertial pos="{numbers(body["center"])}" mass="{body["mass"]:.17g}"'
            f' fullinertia="{full}"/>'
            + "".join(geom(s, scene, False, extra) for s in body["shapes"])
            + "".join(text(other) for other in below.get(k, ()))
            + "</body>"
        )

    servos = "".join(
        f'<position joint="j{k}" kp="{body["servo"][0]:.17g}" kv="{body["servo"][1]:.17g}"/>'
        for k, body in enumerate(bodies)
        if body["servo"]
    )
    return (
        f'<mujoco><option timestep="{step}" gravity="{numbers(scene["gravity"])}"'
        f' cone="elliptic" integrator="implicitfast" {more}/>'
        f'<size memory="500M"/><worldbody>'
        + "".join(geom(s, scene, True, extra) for s in scene["ground"])
        + "".join(text(k) for k in below[None])
        + f"</worldbody><actuator>{servos}</actuator></mujoco>"
    )


class Look:
    """One run that is looked at after every step."""

    def __init__(self, scene: dict[str, Any], model: mujoco.MjModel) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self.rows = [model.body(f"b{k}").id for k in range(len(scene["bodies"]))]
        self.number = {b: k for k, b in enumerate(self.rows)}
        self.angles = [
            model.joint(f"j{k}").qposadr[0] if body["hinge"] else -1
            for k, body in enumerate(scene["bodies"])
        ]

    def velocities(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the centres, and angular, in world axes, from `cvel` (about the tree's centre)."""
        data, model = self.data, self.model
        w, v = data.cvel[self.rows, :3], data.cvel[self.rows, 3:]
        away = data.xipos[self.rows] - data.subtree_com[model.body_rootid[self.rows]]
        return v + np.cross(w, away), w.copy()

    def axes(self) -> np.ndarray:
        """Of all bodies."""
        return self.data.xmat[self.rows].reshape(-1, 3, 3).copy()

    def state(self, judge: Judge) -> None:
        """Tell the judge where everything is."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)
        v, w = self.velocities()
        at = np.array(self.angles)
        angles = np.where(at >= 0, self.data.qpos[np.maximum(at, 0)], 0.0)
        judge.state(self.data.xipos[self.rows].copy(), self.axes(), v, w, angles)

    def laws(self, judge: Judge) -> None:
        """Contacts of the step: the places are still those of its start, the speeds of its end."""
        data, model = self.data, self.model
        mujoco.mj_comVel(model, data)
        v, w = self.velocities()
        centres, count = data.xipos[self.rows].copy(), data.ncon
        a, b = np.zeros(count, int), np.zeros(count, int)
        forces = np.zeros((count, 3))
        points, normals = data.contact.pos.copy(), data.contact.frame[:, :3].copy()
        own = np.zeros(6)
        for k in range(count):
            for side, geom_id in zip((a, b), data.contact.geom[k], strict=True):
                side[k] = self.number.get(int(model.geom_bodyid[geom_id]), -1)
            mujoco.mj_contactForce(model, data, k, own)
            forces[k] = data.contact.frame[k].reshape(3, 3).T @ own[:3]
        gaps = data.contact.dist.copy()
        judge.laws(a, b, (centres, self.axes(), v, w), points, normals, gaps, forces)

    def step(self, judge: Judge, k: int) -> None:
        """Step k, and what the judge wants to know of it."""
        if k == 0:
            self.state(judge)
        mujoco.mj_step(self.model, self.data)
        gaps = self.data.contact.dist
        judge.count(self.data.ncon, float(gaps.min()) if len(gaps) else 0.0)
        if k % EVERY == EVERY - 1:
            self.laws(judge)
        self.state(judge)


def main() -> None:
    scene, repeats = load(sys.argv[1]), int(sys.argv[2])
    for setting in SETTINGS:
        model = mujoco.MjModel.from_xml_string(mjcf(scene, setting))

        def start(model: mujoco.MjModel = model) -> Any:
            data = mujoco.MjData(model)
            return lambda count: mujoco.mj_step(model, data, count) if count else None

        emit(**measure(scene, "MuJoCo", setting, repeats, start, Look(scene, model).step))


main()
