"""Tasks with a name: models, what is seen of them, and what they are rewarded for."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert import catalog
from dalembert.formulas import time
from dalembert.model.basics.inertia import Inertia
from dalembert.model.core.model import Model
from dalembert.model.forces.direct_drive import DirectDrive
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.rl.episode_formulas import action

FALLEN = 0.2
"""Lean at which a pole counts as fallen  [rad]."""


def cart_pole() -> tuple[Model, dict[str, Any]]:
    """A pole on a cart that a motor pushes along a rail; it begins nearly upright.

    The reward is 1 for every action until the pole leans by 0.2 rad or the cart leaves the rail.
    """
    model = Model("cart-pole")
    cart = model.add_body("cart", Inertia.box(mass=1.0, size=(0.3, 0.2, 0.15)))
    pole = model.add_body("pole", Inertia.rod(mass=0.1, length=1.0, axis="z"))
    rail = model.add_joint(Prismatic(model.world, cart, axis="x", name="rail"))
    hinge = model.add_joint(Revolute(cart, pole.at(z=-0.5), axis="y", name="hinge"))
    model.add_force(DirectDrive(rail, name="motor"))
    x, angle = rail.displacement, hinge.angle
    small = (-0.05, 0.05)
    return model, {
        "step": 0.01,
        "every": 2,
        "actions": {"motor": (-10.0, 10.0)},
        "observations": [x, angle, x.dot, angle.dot],
        "reward": 1.0,
        "terminate": (abs(angle) > FALLEN) | (abs(x) > 2.4),
        "truncate": 10.0,
        "reset": {x: small, angle: small, x.dot: small, angle.dot: small},
    }


def double_pendulum() -> tuple[Model, dict[str, Any]]:
    """Two rods that hang, with a motor at the lower hinge: to be swung up.

    The reward is the height of the tip over the lowest place, as a share of the whole way, less
    what the motor does.
    """
    model = Model("double-pendulum-with-motor", gravity=(0.0, 0.0, -9.81))
    rod = Inertia.rod(mass=1.0, length=1.0, axis="z")
    upper, lower = model.add_body("upper", rod), model.add_body("lower", rod)
    shoulder = model.add_joint(Revolute(model.world, upper.at(z=0.5), axis="y", name="shoulder"))
    elbow = model.add_joint(Revolute(upper.at(z=-0.5), lower.at(z=0.5), axis="y", name="elbow"))
    model.add_force(DirectDrive(elbow, name="motor"))
    for joint in (shoulder, elbow):
        model.add_force(JointFriction(joint, damping=0.02, name=f"{joint.name}_friction"))
    a, b = shoulder.angle, elbow.angle
    tip = -np.cos(a) - np.cos(a + b)
    around = (-0.1, 0.1)
    return model, {
        "step": 0.005,
        "every": 10,
        "actions": {"motor": (-10.0, 10.0)},
        "observations": [np.cos(a), np.sin(a), np.cos(b), np.sin(b), a.dot, b.dot],
        "reward": (tip + 2) / 4 - 1e-4 * action("motor") ** 2,
        "truncate": 10.0,
        "reset": {a: around, b: around, a.dot: around, b.dot: around},
    }


def quadruped() -> tuple[Model, dict[str, Any]]:
    """The robot of the catalog on its four feet: its trunk is to go up and down as told.

    Actions are the angles that the twelve servos are told to take. The reward falls with the
    distance of the trunk from where it should be, and with its lean.
    """
    model = catalog.load("quadruped")
    servos = [f"{leg}_{kind}_servo" for leg in ("fl", "fr", "rl", "rr") for kind in KINDS]
    trunk: Any = model.bodies["trunk"]
    joints = [name.removesuffix("_servo") for name in servos]
    height = HEIGHT - 0.04 * (1 - np.cos(4.0 * time)) / 2
    lean = trunk.roll**2 + trunk.pitch**2
    return model, {
        "step": 0.001,
        "every": 20,
        "actions": dict.fromkeys(servos, (-0.8, 0.8)),
        "observations": [
            trunk.z,
            trunk.roll,
            trunk.pitch,
            trunk.z.dot,
            np.sin(4.0 * time),
            np.cos(4.0 * time),
            *(f"{joint}.angle" for joint in joints),
            *(f"{joint}.angle.dot" for joint in joints),
        ],
        "reward": 1 - 400.0 * (trunk.z - height) ** 2 - 4.0 * lean,
        "terminate": (trunk.z < 0.15) | (lean > 0.25),
        "truncate": 3.0,
        "reset": {f"{joint}.angle": (-0.02, 0.02) for joint in joints},
    }


KINDS = ("roll", "hip", "knee")
HEIGHT = 0.42 * float(np.cos(0.75))
"""Height of the trunk of the quadruped as it stands  [m]."""


def leg() -> tuple[Model, dict[str, Any]]:
    """The leg with two closed loops of the catalog, hung up by its hip: its toe follows a path.

    Actions are the angles that its five servos are told to take.
    """
    model = catalog.load("cassie-leg")
    motors = ("roll", "yaw", "pitch", "knee", "crank")
    x, z = model.points["toe"][0], model.points["toe"][2]
    w = 2 * np.pi
    wanted = (0.12 + 0.06 * np.sin(w * time), 0.12 + 0.04 * (1 - np.cos(w * time)) / 2)
    miss = (x - wanted[0]) ** 2 + (z - wanted[1]) ** 2
    return model, {
        "step": 0.0005,
        "every": 20,
        "actions": {f"{name}_servo": (-0.6, 0.6) for name in motors},
        "observations": [
            *(f"{name}.angle" for name in motors),
            *(f"{name}.angle.dot" for name in motors),
            x,
            z,
            np.sin(w * time),
            np.cos(w * time),
        ],
        "reward": np.exp(-400.0 * miss),
        "truncate": 2.0,
        "reset": {f"{name}.angle": (-0.02, 0.02) for name in motors},
    }


TASKS = {
    "CartPole-v0": cart_pole,
    "DoublePendulum-v0": double_pendulum,
    "Quadruped-v0": quadruped,
    "Leg-v0": leg,
}
