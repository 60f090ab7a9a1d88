"""DART: a scene of contact, as it comes, and with Bullet's collision detection.

dart_contact.py DESCRIPTION REPEATS

Skeletons in joint coordinates, Dantzig's boxed LCP with a pyramid of friction, impulses without
restitution; bodies are never put to sleep. Servos are its own springs and dampers, which are
implicit. The half space is a large box. Python keeps at most a thousand contacts of it, whatever
is asked for, so that scenes with more are not comparable; its row says so.
"""

from __future__ import annotations

import sys
from typing import Any

import dartpy
import numpy as np
from contact_judge import EVERY, Judge, load, matrix, measure
from record import emit

SETTINGS = {
    "as it comes": None,
    "Bullet's collision": dartpy.collision.BulletCollisionDetector,
}
MOST = 1000  # contacts
FLOOR, DEEP = 100.0, 1.0  # sizes of the box that is the half space  [m]


def pose(place: Any, R: np.ndarray) -> Any:
    made = dartpy.math.Isometry3()
    made.set_translation(np.array(place, float))
    made.set_rotation(R)
    return made


def solid(shape: dict[str, Any]) -> tuple[Any, np.ndarray]:
    """The shape, and where its centre is in its own frame."""
    sizes, made = shape["sizes"], dartpy.dynamics
    if shape["kind"] == "plane":
        return made.BoxShape([FLOOR, FLOOR, DEEP]), np.array([0.0, 0.0, -DEEP / 2])
    kinds = {
        "box": lambda: made.BoxShape(sizes),
        "sphere": lambda: made.SphereShape(*sizes),
        "capsule": lambda: made.CapsuleShape(*sizes),
        "cylinder": lambda: made.CylinderShape(*sizes),
    }
    return kinds[shape["kind"]](), np.zeros(3)


class World:
    """The scene as skeletons."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.scene = scene
        self.world = dartpy.simulation.World()
        self.world.setTimeStep(scene["step"])
        self.world.setGravity(scene["gravity"])
        options = self.world.getDeactivationOptions()
        options.mEnabled = False
        self.world.setDeactivationOptions(options)
        if SETTINGS[setting] is not None:
            self.world.getConstraintSolver().setCollisionDetector(SETTINGS[setting]())
        ground = dartpy.dynamics.Skeleton("ground")
        _, fixed = ground.createWeldJointAndBodyNodePair()
        for shape in scene["ground"]:
            self.touching(fixed, shape)
        self.world.addSkeleton(ground)
        self.bodies: list[Any] = []
        self.joints: list[Any] = []
        self.skeletons: list[Any] = []
        for k, body in enumerate(scene["bodies"]):
            self.add(k, body)
        for skeleton in self.skeletons:
            if scene["only_ground"]:
                skeleton.disableSelfCollisionCheck()
            else:
                skeleton.enableSelfCollisionCheck()
            self.world.addSkeleton(skeleton)
        self.number = {body.getName(): k for k, body in enumerate(self.bodies)}

    def touching(self, body: Any, shape: dict[str, Any]) -> None:
        """A shape with its friction."""
        made, centre = solid(shape)
        node, R = body.createShapeNode(made), matrix(shape["quaternion"])
        node.setRelativeTransform(pose(np.array(shape["position"]) + R @ centre, R))
        node.createCollisionAspect()
        node.createDynamicsAspect().setFrictionCoeff(self.scene["friction"])

    def add(self, k: int, given: dict[str, Any]) -> None:
        """A body on its hinge, or free."""
        place, R = np.array(given["position"]), matrix(given["quaternion"])
        if given["hinge"] and given["parent"] is not None:
            above = self.scene["bodies"][given["parent"]]
            parent = self.bodies[given["parent"]]
            skeleton = parent.getSkeleton()
            joint, body = skeleton.createRevoluteJointAndBodyNodePair(parent)
            turn = matrix(above["quaternion"]).T
            place, R = turn @ (place - np.array(above["position"])), turn @ R
        else:
            skeleton = dartpy.dynamics.Skeleton(f"s{k}")
            self.skeletons.append(skeleton)
            if given["hinge"]:
                joint, body = skeleton.createRevoluteJointAndBodyNodePair()
            else:
                joint, body = skeleton.createFreeJointAndBodyNodePair()
        body.setName(f"b{k}")
        inertia = dartpy.dynamics.Inertia(given["mass"], given["center"], given["inertia"])
        body.setInertia(inertia)
        if given["hinge"]:
            at = np.array(given["at"])
            joint.setAxis(given["axis"])
            joint.setTransformFromChildBodyNode(pose(at, np.eye(3)))
            joint.setTransformFromParentBodyNode(pose(place + R @ at, R))
            if given["servo"]:
                joint.setSpringStiffness(0, given["servo"][0])
                joint.setDampingCoefficient(0, given["servo"][1])
        else:
            joint.setRelativeTransform(pose(place, R))
        for shape in given["shapes"]:
            self.touching(body, shape)
        self.bodies.append(body)
        self.joints.append(joint if given["hinge"] else None)

    def advance(self, count: int) -> None:
        """So many steps."""
        for _ in range(count):
            self.world.step()

    def state(self) -> tuple[np.ndarray, ...]:
        """Centres, axes, velocities of the centres, angular velocities."""
        rows = [
            (b.getCOM(), b.getWorldTransform().rotation(), b.getCOMLinearVelocity(), turning(b))
            for b in self.bodies
        ]
        x, R, v, w = (np.array(part) for part in zip(*rows, strict=True))
        return x, R, v, w

    def angles(self) -> np.ndarray:
        """Of the hinges, by body."""
        return np.array([0.0 if j is None else j.getPosition(0) for j in self.joints])


def turning(body: Any) -> np.ndarray:
    """Angular velocity in the axes of the world."""
    return np.asarray(body.getAngularVelocity())


class Look:
    """One run that is looked at after every step."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.run = World(scene, setting)

    def step(self, judge: Judge, k: int) -> None:
        """Step k, and what the judge wants to know of it."""
        run = self.run
        before = run.state()
        if k == 0:
            judge.state(*before, run.angles())
        run.advance(1)
        after = run.state()
        judge.state(*after, run.angles())
        found = run.world.getLastCollisionResult()
        contacts = [found.getContact(i) for i in range(found.getNumContacts())]
        judge.count(len(contacts), -max((c.penetrationDepth for c in contacts), default=0.0))
        if k % EVERY == EVERY - 1:
            self.laws(judge, (*before[:2], *after[2:]), contacts)

    def laws(self, judge: Judge, state: Any, contacts: list[Any]) -> None:
        """Contacts of a step, with the places of its start and the speeds of its end."""

        def side(one: Any) -> int:
            frame = one.getShapeFrame()
            return self.run.number.get(frame.asShapeNode().getBodyNodePtr().getName(), -1)

        a = np.array([side(c.collisionObject2) for c in contacts], int)
        b = np.array([side(c.collisionObject1) for c in contacts], int)
        points = np.array([c.point for c in contacts]).reshape(-1, 3)
        normals = np.array([c.normal for c in contacts]).reshape(-1, 3)
        gaps = np.array([-c.penetrationDepth for c in contacts])
        forces = np.array([c.force for c in contacts]).reshape(-1, 3)
        judge.laws(a, b, state, points, normals, gaps, forces)


def main() -> None:
    scene, repeats = load(sys.argv[1]), int(sys.argv[2])
    for setting in SETTINGS:

        def start(setting: str = setting) -> Any:
            return World(scene, setting).advance

        row = measure(scene, "DART", setting, repeats, start, Look(scene, setting).step)
        if row.get("contacts", 0) >= MOST:
            row["setting"] += f" (no more than {MOST} contacts: not comparable)"
        emit(**row)


main()
