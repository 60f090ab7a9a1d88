"""A model as a scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.model.quantity import value_of
from dalembert.model.rotation import quaternion_of_matrix
from dalembert.model.states import number
from dalembert.scene.body_shapes import default_shapes
from dalembert.scene.description import (
    WORLD,
    Array,
    Scene,
    SceneBody,
    SceneFrame,
    SceneJoint,
    SceneLink,
    ScenePoint,
    quaternion,
    vector,
)
from dalembert.scene.joint_shapes import glyph, offset
from dalembert.scene.palette import SPRING, body_color


def describe(model: Any) -> Scene:
    """What of a model is drawn, sized for its start.

    Parameters
    ----------
    model : Model

    Examples
    --------
    >>> from dalembert import catalog
    >>> scene = describe(catalog.load("four-bar-3d"))
    >>> [body.name for body in scene.bodies]
    ['crank', 'coupler', 'rocker']
    """
    parameters = model.parameters
    number_of = {name: k for k, name in enumerate(model.bodies)} | {model.world.name: WORLD}
    bodies = tuple(
        SceneBody(
            name,
            default_shapes(body, parameters),
            body_color(k),
            mass=number(body.inertia.mass, parameters),
            center=vector(number(x, parameters) for x in body.inertia.center),
            frames=tuple(
                SceneFrame(label, offset(f, parameters), _turn(f))
                for label, f in body.frames.items()
            ),
        )
        for k, (name, body) in enumerate(model.bodies.items())
    )
    points = [ScenePoint(name, radius=0.02) for name in model.points]
    number_of_point = {name: k for k, name in enumerate(model.points)}
    kind = "line" if bodies else "bar"
    links = [
        SceneLink("-".join(line), tuple(number_of_point[p] for p in line), kind, 0.02)
        for line in model.lines
    ]
    joints = []
    for name, joint in model.joints.items():
        if joint.kind == "distance":
            links.append(_between(name, joint.frames, "distance", points, number_of, parameters))
        elif len(joint.frames) == 2:
            a, b = (number_of[frame.body.name] for frame in joint.frames)
            shapes = glyph(joint, 1.0, parameters)
            where = offset(joint.frames[1], parameters)
            joints.append(SceneJoint(name, joint.kind, a, b, shapes, position=where))
    for name, force in model.forces.items():
        if force.kind == "spring":
            links.append(
                _between(name, force.acted_frames(), "spring", points, number_of, parameters)
            )
    gravity = [value_of(x, parameters) or 0.0 for x in (*model.gravity, 0.0, 0.0)[:3]]
    scene = Scene(
        model.name,
        bodies=bodies,
        joints=tuple(joints),
        points=tuple(points),
        links=tuple(links),
        gravity=vector(gravity),
    )
    return scene


def start(model: Any) -> tuple[Array, Array]:
    """q and v at the start of a run, as the model states it."""
    try:
        initial = model.initial
    except DalembertError:
        initial = {}
    if model.is_maximal:
        names = model._state_names()
        state = [initial.get(name, 0.0) for name in names]
    else:
        q = [initial.get(x.name, 0.0) for x in model.coordinates]
        state = [*q, *(initial.get(f"{x.name}.dot", 0.0) for x in model.coordinates)]
    return np.array(state[: len(model.coordinates)]), np.array(state[len(model.coordinates) :])


def _between(
    name: str,
    frames: Any,
    kind: str,
    points: list[ScenePoint],
    number_of: dict[str, int],
    parameters: dict[str, float],
) -> SceneLink:
    first = len(points)
    for label, frame in zip(("first", "second"), frames, strict=False):
        points.append(
            ScenePoint(f"{name}/{label}", number_of[frame.body.name], offset(frame, parameters))
        )
    return SceneLink(name, (first, first + 1), kind, 0.04, SPRING if kind == "spring" else None)


def _turn(frame: Any) -> Any:
    return quaternion(quaternion_of_matrix(np.asarray(frame.orientation.matrix, dtype=float)))
