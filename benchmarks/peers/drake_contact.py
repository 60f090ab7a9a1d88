"""Drake: a scene of contact, as it comes and with the SAP solver and stiffer contacts.

drake_contact.py DESCRIPTION REPEATS

A discrete `MultibodyPlant`. As it comes: point contact, one point a pair, penetration allowed by
1 mm, lagged approximation. Hydroelastic: compliant boxes that touch over areas, SAP. Servos are its
own (`PdControllerGains`), which are implicit. The laws are judged for point contact only.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from contact_judge import EVERY, Judge, load, matrix, measure
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Box,
    Capsule,
    CollisionFilterDeclaration,
    Cylinder,
    GeometrySet,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiscreteContactApproximation,
)
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    PdControllerGains,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from record import emit

SETTINGS = {
    # contact approximation, penetration that is allowed [m], hydroelastic modulus [Pa]
    "as it comes": (None, None, None),
    "SAP, allowance 1e-5 m": (DiscreteContactApproximation.kSap, 1e-5, None),
    "SAP, hydroelastic 1e8 Pa": (DiscreteContactApproximation.kSap, None, 1e8),
}


def pose(place: Any, quaternion: Any) -> RigidTransform:
    return RigidTransform(RotationMatrix(matrix(quaternion)), np.array(place))


def solid(shape: dict[str, Any]) -> Any:
    sizes = shape["sizes"]
    return {
        "plane": HalfSpace,
        "box": Box,
        "sphere": Sphere,
        "capsule": Capsule,
        "cylinder": Cylinder,
    }[shape["kind"]](*sizes)


class World:
    """The scene as a diagram with its simulator."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.scene = scene
        approximation, allowance, self.modulus = SETTINGS[setting]
        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlantSceneGraph(builder, time_step=scene["step"])
        plant = self.plant
        if approximation is not None:
            plant.set_discrete_contact_approximation(approximation)
        plant.mutable_gravity_field().set_gravity_vector(scene["gravity"])
        for shape in scene["ground"]:
            self.touching(plant.world_body(), shape, ground=True)
        self.bodies, self.moving = [], []
        for k, body in enumerate(scene["bodies"]):
            self.add(k, body)
        if allowance is not None:
            plant.set_penetration_allowance(allowance)
        plant.Finalize()
        if scene["only_ground"]:
            self.graph.collision_filter_manager().Apply(
                CollisionFilterDeclaration().ExcludeWithin(GeometrySet(self.moving))
            )
        self.diagram = builder.Build()
        self.simulator = Simulator(self.diagram)
        self.root = self.simulator.get_mutable_context()
        self.context = plant.GetMyMutableContextFromRoot(self.root)
        for body, given in zip(self.bodies, scene["bodies"], strict=True):
            if not given["hinge"]:
                start = pose(given["position"], given["quaternion"])
                plant.SetFreeBodyPose(self.context, body, start)
        if plant.num_actuators():
            owner = plant.GetModelInstanceByName("DefaultModelInstance")
            wanted = np.zeros(2 * plant.num_actuators())
            plant.get_desired_state_input_port(owner).FixValue(self.context, wanted)
        self.simulator.Initialize()

    def touching(self, body: Any, shape: dict[str, Any], ground: bool = False) -> None:
        """A shape, with what the chosen model of contact wants to know."""
        properties = ProximityProperties()
        mu = self.scene["friction"]
        AddContactMaterial(friction=CoulombFriction(mu, mu), properties=properties)
        if self.modulus is not None and ground:
            AddRigidHydroelasticProperties(resolution_hint=0.1, properties=properties)
        elif self.modulus is not None:
            AddCompliantHydroelasticProperties(
                resolution_hint=0.5 * min(shape["sizes"]),
                hydroelastic_modulus=self.modulus,
                properties=properties,
            )
        number = self.plant.RegisterCollisionGeometry(
            body,
            pose(shape["position"], shape["quaternion"]),
            solid(shape),
            f"{body.name()}{self.plant.num_collision_geometries()}",
            properties,
        )
        if not ground:
            self.moving.append(number)

    def add(self, k: int, given: dict[str, Any]) -> None:
        """A body with its shapes, hinge and servo."""
        plant, I = self.plant, given["inertia"]
        inertia = SpatialInertia.MakeFromCentralInertia(
            given["mass"],
            np.array(given["center"]),
            RotationalInertia(I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]),
        )
        body = plant.AddRigidBody(f"b{k}", inertia)
        self.bodies.append(body)
        for shape in given["shapes"]:
            self.touching(body, shape)
        if not given["hinge"]:
            return
        own = pose(given["position"], given["quaternion"])
        parent, above = plant.world_body(), RigidTransform()
        if given["parent"] is not None:
            parent, carrier = self.bodies[given["parent"]], self.scene["bodies"][given["parent"]]
            above = pose(carrier["position"], carrier["quaternion"])
        at = RigidTransform(np.array(given["at"]))
        on = FixedOffsetFrame(f"p{k}", parent.body_frame(), above.inverse() @ own @ at)
        inside = FixedOffsetFrame(f"c{k}", body.body_frame(), at)
        joint = plant.AddJoint(
            RevoluteJoint(f"j{k}", plant.AddFrame(on), plant.AddFrame(inside), given["axis"])
        )
        if given["servo"]:
            kp, kd = given["servo"]
            plant.AddJointActuator(f"a{k}", joint).set_controller_gains(
                PdControllerGains(p=kp, d=kd)
            )

    def advance(self, count: int) -> None:
        """So many steps."""
        if count:
            end = round(self.root.get_time() / self.scene["step"]) + count
            self.simulator.AdvanceTo(end * self.scene["step"])

    def state(self, context: Any = None) -> tuple[np.ndarray, ...]:
        """Centres, axes, velocities of the centres, angular velocities."""
        rows, context = [], self.context if context is None else context
        for body, given in zip(self.bodies, self.scene["bodies"], strict=True):
            place = self.plant.EvalBodyPoseInWorld(context, body)
            R, arm = place.rotation().matrix(), place.rotation().matrix() @ given["center"]
            motion = self.plant.EvalBodySpatialVelocityInWorld(context, body)
            w = motion.rotational()
            rows.append(
                (place.translation() + arm, R, motion.translational() + np.cross(w, arm), w)
            )
        x, R, v, w = (np.array(part) for part in zip(*rows, strict=True))
        return x, R, v, w

    def angles(self) -> np.ndarray:
        """Of the hinges, by body."""
        found = np.zeros(len(self.bodies))
        for k, given in enumerate(self.scene["bodies"]):
            if given["hinge"]:
                found[k] = self.plant.GetJointByName(f"j{k}").get_angle(self.context)
        return found

    def deepest(self) -> float:
        """The smallest gap of all shapes, 0 where nothing overlaps."""
        port = self.plant.get_geometry_query_input_port()
        pairs = port.Eval(self.context).ComputePointPairPenetration()
        return -max((pair.depth for pair in pairs), default=0.0)


class Look:
    """One run that is looked at after every step."""

    def __init__(self, scene: dict[str, Any], setting: str) -> None:
        self.run = World(scene, setting)
        self.scratch = self.run.plant.CreateDefaultContext()
        self.numbers = {int(body.index()): k for k, body in enumerate(self.run.bodies)}

    def step(self, judge: Judge, k: int) -> None:
        """Step k, and what the judge wants to know of it."""
        run, scratch = self.run, self.scratch
        if k == 0:
            judge.state(*run.state(), run.angles())
        before = run.plant.GetPositions(run.context).copy()
        run.advance(1)
        judge.state(*run.state(), run.angles())
        found = run.plant.get_contact_results_output_port().Eval(run.context)
        count = found.num_point_pair_contacts() + found.num_hydroelastic_contacts()
        judge.count(count, run.deepest())
        if k % EVERY == EVERY - 1 and run.modulus is None:
            run.plant.SetPositions(scratch, before)
            run.plant.SetVelocities(scratch, run.plant.GetVelocities(run.context))
            laws(judge, run.state(scratch), found, self.numbers)


def laws(judge: Judge, state: Any, found: Any, numbers: dict[int, int]) -> None:
    """Contacts of a step, with the places of its start and the speeds of its end."""
    pairs = [found.point_pair_contact_info(k) for k in range(found.num_point_pair_contacts())]
    a = np.array([numbers.get(int(one.bodyA_index()), -1) for one in pairs], int)
    b = np.array([numbers.get(int(one.bodyB_index()), -1) for one in pairs], int)
    points = np.array([one.contact_point() for one in pairs]).reshape(-1, 3)
    normals = -np.array([one.point_pair().nhat_BA_W for one in pairs]).reshape(-1, 3)
    gaps = np.array([-one.point_pair().depth for one in pairs])
    forces = np.array([one.contact_force() for one in pairs]).reshape(-1, 3)
    judge.laws(a, b, state, points, normals, gaps, forces)


def main() -> None:
    scene, repeats = load(sys.argv[1]), int(sys.argv[2])
    for setting in SETTINGS:

        def start(setting: str = setting) -> Any:
            return World(scene, setting).advance

        emit(**measure(scene, "Drake", setting, repeats, start, Look(scene, setting).step))


main()
