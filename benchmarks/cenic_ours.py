"""Scenes of `cenic_scenes.py` as models of this package."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import dalembert as dl

KINDS = {"sphere": dl.Sphere, "box": dl.Box, "cylinder": dl.Cylinder}


def build(name: str, scene: dict[str, Any]) -> tuple[dl.Model, dict[str, Any]]:
    """The model, and those of its bodies that the scene names."""
    model, mu = dl.Model(name), scene["friction"]
    for k, plane in enumerate(scene["planes"]):
        material = dl.Material(friction=mu)
        if "on" in plane:  # a body that moves at a speed is a surface that does
            carrier = next(g for g in scene["bodies"] if g["name"] == plane["on"])
            material = dl.Material(friction=mu, surface_velocity=tuple(carrier["velocity"]))
        shape = dl.Plane(plane["normal"], position=plane["point"])
        model.add_shape(shape, material=material, name=f"plane{k}")
    bodies: dict[str, Any] = {}
    carried = {plane.get("on") for plane in scene["planes"]}
    for given in scene["bodies"]:
        if given["name"] not in carried:
            _add(model, bodies, given, dl.Material(friction=mu))
    return model, bodies


def _add(model: dl.Model, bodies: dict[str, Any], given: dict[str, Any], material: Any) -> None:
    """A body with its shapes, slides and drive."""
    name = given["name"]
    free = {
        "position": given["position"],
        "rotation": given["quaternion"],
        "velocity": given["velocity"],
        "angular_velocity": given["angular_velocity"],
    }
    inertia = dl.Inertia(given["mass"], given["moments"])
    body = bodies[name] = model.add_body(name, inertia, **({} if given["slides"] else free))
    for k, shape in enumerate(given["shapes"]):
        made = KINDS[shape["kind"]](*shape["sizes"], position=shape["position"])
        model.add_shape(made, on=body, material=material, name=f"{name}{k}")
    if given["slides"]:
        parent = model.world if given["parent"] is None else bodies[given["parent"]]
        joints = _slide(model, parent, body, given)
        _drive(model, body, joints[0], given)


def _slide(model: dl.Model, parent: Any, body: Any, given: dict[str, Any]) -> list[Any]:
    """Slides, one after the other, with light bodies between them."""
    place, speed = np.array(given["position"], float), np.array(given["velocity"], float)
    slides = [np.array(axis, float) for axis in given["slides"]]
    rest = place - sum(axis * (axis @ place) for axis in slides)
    above, joints = parent.at(*rest) if np.any(rest) else parent, []
    for k, axis in enumerate(slides):
        last = k + 1 == len(slides)
        below = body if last else model.add_body(f"slide{k}", dl.Inertia(1e-6, [4e-11] * 3))
        joint = dl.Prismatic(
            *(above, below),
            axis=axis.tolist(),
            initial=float(axis @ place),
            initial_speed=float(axis @ speed),
            name=f"{given['name']}_slide{k}",
        )
        joints.append(model.add_joint(joint))
        above = below
    return joints


def _drive(model: dl.Model, body: Any, joint: Any, given: dict[str, Any]) -> None:
    """A spring, a constant force, or a servo with a sine for its command."""
    drive, name = given["drive"], f"{given['name']}_drive"
    if given["spring"]:
        model.add_force(dl.Force(body, (-given["spring"] * body.x, 0, 0), name="spring"))
    if drive and "force" in drive:
        model.add_force(dl.DirectDrive(joint, command=drive["force"], name=name))
    elif drive:
        size, frequency = drive["sine"]
        command = size * np.sin(2 * math.pi * frequency * dl.time)
        servo = dl.PositionServo(joint, kp=drive["kp"], kd=drive["kd"], command=command, name=name)
        model.add_force(servo)
