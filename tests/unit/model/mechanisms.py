"""Two bodies with a joint of every kind, placed by it; numbers of formulas at the start."""

import numpy as np

import dalembert as dl
from dalembert.formulas.evaluate import evaluate
from dalembert.model.check.check import state

AXIS = (0.3, -0.5, 0.8)
BOX = dl.Inertia(2.0, (0.3, 0.4, 0.5), center=(0.02, -0.03, 0.05))
TILT = dl.Rotation.from_roll_pitch_yaw(0.3, -0.4, 0.7)


def numbers(formulas, model, **changes):
    """Values of formulas at the model's start; `changes` by symbol."""
    array = np.asarray(formulas, dtype=object)
    values = state(model) | changes.get("values", {})
    found = evaluate(list(array.ravel()), values)
    return np.array([float(x) for x in found]).reshape(array.shape)


def helix(x, y, z):
    return x - 0.5 * np.cos(z), y - 0.5 * np.sin(z)


JOINTS = {
    "Revolute": {"axis": AXIS, "initial": 0.7, "initial_speed": 1.3},
    "Prismatic": {"axis": AXIS, "initial": 0.2, "initial_speed": -0.4},
    "Cylindrical": {"axis": AXIS, "initial": (0.7, 0.2), "initial_speed": (1.3, -0.4)},
    "Spherical": {"initial": ("x", 0.4), "initial_speed": (0.1, 0.2, -0.3)},
    "Universal": {"axis": "y", "second_axis": "z", "initial": (0.4, -0.9), "initial_speed": (1, 2)},
    "Planar": {"axis": AXIS, "initial": (0.1, 0.2, 0.6), "initial_speed": (0.3, -0.1, 0.8)},
    "Fixed": {},
    "Screw": {"axis": AXIS, "pitch": 0.3, "initial": 0.7, "initial_speed": 1.3},
    "ConstantVelocity": {"axis": AXIS},
    "Compound": {
        "slides": [(1.0, 0.0, 0.4)],
        "hinges": ["y", AXIS],
        "initial": (0.2, 0.4, -0.7),
        "initial_speed": (0.3, -1.0, 0.5),
    },
}
"""Joints that place a body, with a start away from zero."""


def two_bodies(kind, options, *, given=None):
    """A base that moves on its own, and an arm on it placed by the joint; both ways round."""
    model = dl.Model(kind)
    base = model.add_body(
        "base",
        BOX,
        position=(0.1, -0.2, 0.4),
        rotation=TILT,
        velocity=(0.5, 0.1, -0.3),
        angular_velocity=(0.2, -0.7, 0.4),
    )
    arm = model.add_body("arm", BOX, **(given or {}))
    ends = [base.at(x=0.3, rotation=("y", 0.5)), arm.at(y=-0.2, rotation=("z", -0.8))]
    joint = model.add_joint(getattr(dl, kind)(*ends, name="joint", **options))
    return model, joint
