"""PyBullet: a scene of contact, with 50 sweeps of its solver, as it comes, and with 500.

pybullet_contact.py DESCRIPTION REPEATS

Bodies are `createMultiBody`, trees in joint coordinates; the damping that it adds by itself is
taken out. It multiplies the friction of two surfaces, so each has the root. It has no servo with a
stiffness: torques are set before every step, explicitly, and their time counts.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pybullet as p
from contact_judge import EVERY, Judge, load, matrix, measure, quaternion
from record import emit

SWEEPS = {"as it comes (50 sweeps)": 50, "500 sweeps": 500}
KINDS = {
    "box": p.GEOM_BOX,
    "sphere": p.GEOM_SPHERE,
    "capsule": p.GEOM_CAPSULE,
    "cylinder": p.GEOM_CYLINDER,
    "plane": p.GEOM_PLANE,
}


def turned(R: np.ndarray) -> list[float]:
    """(x, y, z, w)."""
    w, x, y, z = quaternion(R)
    return [float(x), float(y), float(z), float(w)]


def shape_of(shape: dict[str, Any]) -> dict[str, Any]:
    """Arguments of `createCollisionShape` but for the place."""
    kind, sizes = shape["kind"], shape["sizes"]
    size: dict[str, Any] = {"radius": sizes[0]} if sizes else {"planeNormal": [0, 0, 1]}
    if kind == "box":
        size = {"halfExtents": [0.5 * s for s in sizes]}
    elif kind in ("capsule", "cylinder"):
        size = {"radius": sizes[0], "length": sizes[1]}
    return {"kind": KINDS[kind]} | size


class World:
    """The scene in a client of its own."""

    def __init__(self, scene: dict[str, Any], sweeps: int) -> None:
        self.scene, self.client = scene, p.connect(p.DIRECT)
        c = self.client
        p.setGravity(*scene["gravity"], physicsClientId=c)
        p.setPhysicsEngineParameter(
            fixedTimeStep=scene["step"],
            numSolverIterations=sweeps,
            numSubSteps=0,
            physicsClientId=c,
        )
        self.place: list[tuple[int, int]] = []  # body and link of every body of the scene
        self.number: dict[tuple[int, int], int] = {}
        for ground in scene["ground"]:
            R = matrix(ground["quaternion"])
            made = shape_of(ground)
            kind = made.pop("kind")
            body = p.createMultiBody(
                0,
                p.createCollisionShape(kind, physicsClientId=c, **made),
                basePosition=ground["position"],
                baseOrientation=turned(R),
                physicsClientId=c,
            )
            self.surface(body, -1, ground=True)
        self.build()
        self.hinges = [(k, *self.place[k]) for k, b in enumerate(scene["bodies"]) if b["hinge"]]
        for _, body, link in self.hinges:
            p.setJointMotorControl2(body, link, p.VELOCITY_CONTROL, force=0, physicsClientId=c)
        self.servos = [
            (body, link, *scene["bodies"][k]["servo"])
            for k, body, link in self.hinges
            if scene["bodies"][k]["servo"]
        ]

    def surface(self, body: int, link: int, ground: bool = False) -> None:
        """Friction, no restitution, no damping of its own."""
        mu = math.sqrt(self.scene["friction"])
        p.changeDynamics(
            body,
            link,
            lateralFriction=mu,
            restitution=0,
            linearDamping=0,
            angularDamping=0,
            jointDamping=0,
            physicsClientId=self.client,
        )
        if self.scene["only_ground"]:
            group = (1, 2) if ground else (2, 1)
            p.setCollisionFilterGroupMask(body, link, *group, physicsClientId=self.client)

    def build(self) -> None:
        """Every tree of the scene, its frames in the principal axes of the bodies."""
        bodies, c = self.scene["bodies"], self.client
        trees: dict[int, list[int]] = {}
        root: list[int] = []
        for k, body in enumerate(bodies):
            root.append(k if body["parent"] is None else root[body["parent"]])
            trees.setdefault(root[k], []).append(k)
        self.place = [(-1, -1)] * len(bodies)
        for members in trees.values():
            held = bodies[members[0]]["hinge"]  # by the world: a base that has no mass
            links = members if held else members[1:]
            arguments: dict[str, Any] = {"baseMass": 0}
            if not held:
                k = members[0]
                arguments = {
                    "baseMass": bodies[k]["mass"],
                    "baseCollisionShapeIndex": self.shapes(k, self.centre(k)),
                    "basePosition": self.frame(k)[0],
                    "baseOrientation": turned(self.frame(k)[1]),
                }
            if links:
                arguments |= self.links(links, held)
            flags = p.URDF_USE_SELF_COLLISION | p.URDF_USE_SELF_COLLISION_EXCLUDE_PARENT
            tree = p.createMultiBody(flags=flags, physicsClientId=c, **arguments)
            for k in members:
                self.place[k] = (tree, links.index(k) if k in links else -1)
                self.number[self.place[k]] = k
                moments = np.linalg.eigvalsh(np.array(bodies[k]["inertia"])).tolist()
                p.changeDynamics(*self.place[k], localInertiaDiagonal=moments, physicsClientId=c)
                self.surface(*self.place[k])

    def principal(self, k: int) -> np.ndarray:
        """Principal axes in those of the body."""
        _, axes = np.linalg.eigh(np.array(self.scene["bodies"][k]["inertia"]))
        axes[:, 2] *= np.linalg.det(axes)
        return axes

    def centre(self, k: int) -> np.ndarray:
        """Of mass, in the frame of the body."""
        return np.array(self.scene["bodies"][k]["center"])

    def frame(self, k: int, at: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Place of a point of a body (of its centre) and principal axes, in the world."""
        body = self.scene["bodies"][k]
        R = matrix(body["quaternion"])
        point = self.centre(k) if at is None else at
        return np.array(body["position"]) + R @ point, R @ self.principal(k)

    def shapes(self, k: int, origin: np.ndarray) -> int:
        """Its shapes in a frame of the principal axes at a point."""
        P, parts = self.principal(k).T, [shape_of(s) for s in self.scene["bodies"][k]["shapes"]]
        if not parts:
            return -1
        placed = self.scene["bodies"][k]["shapes"]
        return p.createCollisionShapeArray(  # type: ignore[no-any-return]
            shapeTypes=[one["kind"] for one in parts],
            radii=[one.get("radius", 1.0) for one in parts],
            halfExtents=[one.get("halfExtents", [1, 1, 1]) for one in parts],
            lengths=[one.get("length", 1.0) for one in parts],
            collisionFramePositions=[
                (P @ (np.array(s["position"]) - origin)).tolist() for s in placed
            ],
            collisionFrameOrientations=[turned(P @ matrix(s["quaternion"])) for s in placed],
            physicsClientId=self.client,
        )

    def links(self, links: list[int], held: bool) -> dict[str, Any]:
        """Arguments of `createMultiBody`; the frame of a link is at its hinge."""
        bodies = self.scene["bodies"]
        said: dict[str, list[Any]] = {}
        for k in links:
            body, parent = bodies[k], bodies[k]["parent"]
            at, P = np.array(body["at"]), self.principal(k).T
            place, turn = self.frame(k, at)
            if parent is not None:
                on = np.array(bodies[parent]["at"]) if parent in links else None
                origin, R = self.frame(parent, on)
                place, turn = R.T @ (place - origin), R.T @ turn
            for name, value in {
                "linkMasses": body["mass"],
                "linkCollisionShapeIndices": self.shapes(k, at),
                "linkVisualShapeIndices": -1,
                "linkPositions": place.tolist(),
                "linkOrientations": turned(turn),
                "linkInertialFramePositions": (P @ (self.centre(k) - at)).tolist(),
                "linkInertialFrameOrientations": [0, 0, 0, 1],
                "linkParentIndices": 1 + links.index(parent) if parent in links else 0,
                "linkJointTypes": p.JOINT_REVOLUTE,
                "linkJointAxis": (P @ np.array(body["axis"])).tolist(),
            }.items():
                said.setdefault(name, []).append(value)
        return said

    def advance(self, count: int) -> None:
        """So many steps."""
        for _ in range(count):
            for body, link, kp, kd in self.servos:
                angle, speed, _, _ = p.getJointState(body, link, physicsClientId=self.client)
                p.setJointMotorControl2(
                    body,
                    link,
                    p.TORQUE_CONTROL,
                    force=-kp * angle - kd * speed,
                    physicsClientId=self.client,
                )
            p.stepSimulation(physicsClientId=self.client)

    def state(self) -> tuple[np.ndarray, ...]:
        """Centres, principal axes, velocities, angular velocities."""
        rows, c = [], self.client
        for body, link in self.place:
            if link < 0:
                rows.append(
                    (
                        *p.getBasePositionAndOrientation(body, physicsClientId=c),
                        *p.getBaseVelocity(body, physicsClientId=c),
                    )
                )
            else:
                s = p.getLinkState(body, link, 1, 1, physicsClientId=c)
                rows.append((s[0], s[1], s[6], s[7]))
        x, q, v, w = (np.array(part) for part in zip(*rows, strict=True))
        R = np.array([matrix((d, a, b, e)) for a, b, e, d in q])
        return x, R, v, w

    def angles(self) -> np.ndarray:
        """Of the hinges, by body."""
        found = np.zeros(len(self.place))
        for k, body, link in self.hinges:
            found[k] = p.getJointState(body, link, physicsClientId=self.client)[0]
        return found

    def take(self, other: World) -> None:
        """Places of `self` as they are, and the velocities of another client."""
        for body in {body for body, _ in self.place}:
            v, w = p.getBaseVelocity(body, physicsClientId=other.client)
            p.resetBaseVelocity(body, v, w, physicsClientId=self.client)
        for _, body, link in self.hinges:
            angle = p.getJointState(body, link, physicsClientId=self.client)[0]
            speed = p.getJointState(body, link, physicsClientId=other.client)[1]
            p.resetJointState(body, link, angle, speed, physicsClientId=self.client)

    def follow(self, other: World) -> None:
        """Places of another client."""
        for body in {body for body, _ in self.place}:
            x, q = p.getBasePositionAndOrientation(body, physicsClientId=other.client)
            p.resetBasePositionAndOrientation(body, x, q, physicsClientId=self.client)
        for _, body, link in self.hinges:
            angle = p.getJointState(body, link, physicsClientId=other.client)[0]
            p.resetJointState(body, link, angle, physicsClientId=self.client)


class Look:
    """One run that is looked at after every step."""

    def __init__(self, scene: dict[str, Any], sweeps: int) -> None:
        self.run, self.before = World(scene, sweeps), World(scene, sweeps)

    def step(self, judge: Judge, k: int) -> None:
        """Step k, and what the judge wants to know of it."""
        run, before = self.run, self.before
        if k == 0:
            moments = [np.linalg.eigvalsh(np.array(b["inertia"])) for b in run.scene["bodies"]]
            judge.inertia = np.array([np.diag(three) for three in moments])
            judge.state(*run.state(), run.angles())
        watched = k % EVERY == EVERY - 1
        if watched:
            before.follow(run)
        run.advance(1)
        judge.state(*run.state(), run.angles())
        found = p.getContactPoints(physicsClientId=run.client)
        judge.count(len(found), min((one[8] for one in found), default=0.0))
        if watched:
            before.take(run)
            laws(judge, before, found)


def laws(judge: Judge, before: World, found: Any) -> None:
    """Contacts of a step, with the places of its start and the speeds of its end."""
    number = before.number
    a = np.array([number.get((one[2], one[4]), -1) for one in found], int)  # normals point to A
    b = np.array([number.get((one[1], one[3]), -1) for one in found], int)
    points = np.array([one[6] for one in found]).reshape(-1, 3)
    normals = np.array([one[7] for one in found]).reshape(-1, 3)
    gaps = np.array([one[8] for one in found])
    forces = np.array(
        [
            one[9] * np.array(one[7]) + one[10] * np.array(one[11]) + one[12] * np.array(one[13])
            for one in found
        ]
    ).reshape(-1, 3)
    judge.laws(a, b, before.state(), points, normals, gaps, forces)


def main() -> None:
    scene, repeats = load(sys.argv[1]), int(sys.argv[2])
    for setting, sweeps in SWEEPS.items():

        def start(sweeps: int = sweeps) -> Any:
            return World(scene, sweeps).advance

        emit(**measure(scene, "PyBullet", setting, repeats, start, Look(scene, sweeps).step))


main()
