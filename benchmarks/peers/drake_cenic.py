"""Drake's CENIC on scenes of contact; prints one row of JSON for every accuracy.

    drake_cenic.py SCENES.json SCENE MOMENTS REPEATS ACCURACY [ACCURACY ...]

CENIC (Kurtz and Castro 2025, arXiv 2511.08771) as Drake's manual has it: `SimulatorConfig` with
"cenic" and a continuous plant. As it comes (largest step 0.1 s, stiction tolerance 1e-4 m/s, the
default compliance), and with shapes of 1e8 N/m. Time is CPU time of `Initialize` and one
`AdvanceTo`, without building the model; places at the moments come from a further run with a
monitor, which takes the same steps, by the cubic between two of them.
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (
    AddContactMaterial,
    Box,
    Cylinder,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import (
    PdControllerGains,
    PrismaticJoint,
    PrismaticSpring,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource, Multiplexer, Sine, TrajectorySource
from pydrake.trajectories import PiecewisePolynomial


class World:
    """A scene as a diagram with its simulator."""

    def __init__(self, scene: dict[str, Any], accuracy: float, stiffness: float | None) -> None:
        self.scene, self.stiffness = scene, stiffness
        self.builder = DiagramBuilder()
        config = MultibodyPlantConfig(time_step=0.0, stiction_tolerance=1e-4, contact_model="point")
        self.plant, self.graph = AddMultibodyPlant(config, self.builder)
        self.plant.set_name("plant")
        self.bodies: dict[str, Any] = {}
        self.slides: dict[str, list[Any]] = {}
        for given in scene["bodies"]:
            self.add(given)
        self.ground()
        self.plant.Finalize()
        for given in scene["bodies"]:
            self.drive(given)
        self.diagram = self.builder.Build()
        self.simulator = Simulator(self.diagram)
        integrator = SimulatorConfig(
            integration_scheme="cenic", accuracy=accuracy, max_step_size=0.1
        )
        ApplySimulatorConfig(integrator, self.simulator)
        self.root = self.simulator.get_mutable_context()
        self.context = self.plant.GetMyMutableContextFromRoot(self.root)
        self.place()

    def material(self) -> Any:
        """Friction and stiffness of a shape."""
        properties, mu = ProximityProperties(), self.scene["friction"]
        AddContactMaterial(
            point_stiffness=self.stiffness,
            friction=CoulombFriction(mu, mu),
            properties=properties,
        )
        return properties

    def ground(self) -> None:
        """Planes of the scene."""
        for k, plane in enumerate(self.scene["planes"]):
            pose = HalfSpace.MakePose(np.array(plane["normal"]), np.array(plane["point"]))
            on = self.bodies[plane["on"]] if "on" in plane else self.plant.world_body()
            self.plant.RegisterCollisionGeometry(on, pose, HalfSpace(), f"p{k}", self.material())

    def add(self, given: dict[str, Any]) -> None:
        """A body with its shapes, slides and actuator."""
        plant, name = self.plant, given["name"]
        light = SpatialInertia.SolidSphereWithMass(1e-6, 0.01)  # Drake wants a mass between slides
        owner = plant.AddModelInstance(name)
        inertia = SpatialInertia.MakeFromCentralInertia(
            given["mass"], np.zeros(3), RotationalInertia(*given["moments"])
        )
        made = self.bodies[name] = plant.AddRigidBody(name, owner, inertia)
        for k, shape in enumerate(given["shapes"]):
            solid = {"sphere": Sphere, "box": Box, "cylinder": Cylinder}[shape["kind"]](
                *shape["sizes"]
            )
            at = RigidTransform(np.array(shape["position"]))
            plant.RegisterCollisionGeometry(made, at, solid, f"{name}{k}", self.material())
        above = (
            plant.world_frame()
            if given["parent"] is None
            else self.bodies[given["parent"]].body_frame()
        )
        self.slides[name] = []
        for k, axis in enumerate(given["slides"]):
            last = k + 1 == len(given["slides"])
            below = made if last else plant.AddRigidBody(f"{name}_slide{k}", owner, light)
            joint = PrismaticJoint(
                f"{name}_joint{k}",
                above,
                below.body_frame(),
                np.array(axis),
                damping=given["damping"],
            )
            self.slides[name].append(plant.AddJoint(joint))
            above = below.body_frame()
        if given["spring"]:
            plant.AddForceElement(PrismaticSpring(self.slides[name][0], 0.0, given["spring"]))
        if given["drive"]:
            actuator = plant.AddJointActuator(f"{name}_drive", self.slides[name][0])
            if "kp" in given["drive"]:
                actuator.set_controller_gains(
                    PdControllerGains(p=given["drive"]["kp"], d=given["drive"]["kd"])
                )

    def drive(self, given: dict[str, Any]) -> None:
        """The command of a servo, or a constant force, as blocks in C++."""
        drive, builder = given["drive"], self.builder
        if not drive:
            return
        owner = self.plant.GetModelInstanceByName(given["name"])
        if "force" in drive:
            source = builder.AddSystem(ConstantVectorSource([drive["force"]]))
            builder.Connect(source.get_output_port(), self.plant.get_actuation_input_port(owner))
            return
        if "sine" in drive:
            size, frequency = drive["sine"]
            source = builder.AddSystem(Sine(size, 2 * math.pi * frequency, 0.0, 1))
        else:
            ends = np.array([[0.0, 1000.0 * drive["ramp"]]])
            source = builder.AddSystem(
                TrajectorySource(PiecewisePolynomial.FirstOrderHold([0.0, 1000.0], ends))
            )
        still = builder.AddSystem(ConstantVectorSource([0.0]))
        both = builder.AddSystem(Multiplexer(2))
        builder.Connect(source.get_output_port(0), both.get_input_port(0))
        builder.Connect(still.get_output_port(), both.get_input_port(1))
        builder.Connect(both.get_output_port(), self.plant.get_desired_state_input_port(owner))

    def place(self) -> None:
        """Put all bodies where they start."""
        for given in self.scene["bodies"]:
            made, start = self.bodies[given["name"]], np.array(given["position"], dtype=float)
            if given["slides"]:
                for joint in self.slides[given["name"]]:
                    axis = joint.translation_axis()
                    joint.set_translation(self.context, float(axis @ start))
                    joint.set_translation_rate(self.context, float(axis @ given["velocity"]))
                continue
            turned = np.array(given["quaternion"])
            pose = RigidTransform(Quaternion(turned / np.linalg.norm(turned)), start)
            self.plant.SetFreeBodyPose(self.context, made, pose)
            moving = SpatialVelocity(
                np.array(given["angular_velocity"]), np.array(given["velocity"])
            )
            self.plant.SetFreeBodySpatialVelocity(context=self.context, body=made, V_JpJc=moving)

    def state(self) -> np.ndarray:
        """Positions and velocities of all bodies, as rows (x, v)."""
        rows = []
        for made in self.bodies.values():
            place = self.plant.EvalBodyPoseInWorld(self.context, made).translation()
            speed = self.plant.EvalBodySpatialVelocityInWorld(self.context, made).translational()
            rows.append(np.r_[place, speed])
        return np.array(rows)


def between(times: np.ndarray, states: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """Places at moments, by the cubic with the places and velocities of both ends of a step."""
    found = []
    for t in moments:
        k = min(max(int(np.searchsorted(times, t)), 1), len(times) - 1)
        h = times[k] - times[k - 1]
        s = (t - times[k - 1]) / h
        x, u, y, w = states[k - 1, :, :3], states[k - 1, :, 3:], states[k, :, :3], states[k, :, 3:]
        bent = h * ((1 - s) * u - s * w) + (2 * s - 1) * (y - x)
        found.append(x + s * (y - x) + s * (1 - s) * bent)
    return np.array(found)


def run(
    scene: dict[str, Any], accuracy: float, stiffness: float | None, moments: int, repeats: int
) -> dict[str, Any]:
    until, cpu = scene["until"], math.inf
    for _ in range(repeats):
        world = World(scene, accuracy, stiffness)
        start = time.process_time()
        world.simulator.Initialize()
        world.simulator.AdvanceTo(until)
        cpu = min(cpu, time.process_time() - start)
    world = World(scene, accuracy, stiffness)
    times, states = [], []

    def watch(root: Any) -> None:
        if not times or root.get_time() > times[-1]:
            times.append(root.get_time())
            states.append(world.state())

    world.simulator.set_monitor(watch)
    world.simulator.Initialize()
    world.simulator.AdvanceTo(until)
    path = between(np.array(times), np.array(states), np.linspace(0.0, until, moments))
    steps = world.simulator.get_integrator().get_num_steps_taken()
    return {
        "accuracy": accuracy,
        "stiffness": stiffness,
        "cpu": cpu,
        "steps": steps,
        "bodies": list(world.bodies),
        "path": path.tolist(),
    }


def main() -> None:
    file, name, moments, repeats, *accuracies = sys.argv[1:]
    with open(file) as opened:
        scene = json.load(opened)[name]
    for stiffness in (None, 1e8):
        for accuracy in accuracies:
            row = run(scene, float(accuracy), stiffness, int(moments), int(repeats))
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
