"""A model as a scene without any size: bodies, points and links, enough to place them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.model.basics.quantity import value_of
from dalembert.model.basics.rotation import quaternion_of_matrix
from dalembert.model.start.states import number
from dalembert.scene import formula_points
from dalembert.scene.attachments import offset
from dalembert.scene.description import (
    WORLD,
    Array,
    Quaternion,
    Scene,
    SceneBody,
    SceneFrame,
    SceneLink,
    ScenePoint,
    quaternion,
    vector,
)
from dalembert.scene.palette import LINE, SPRING, body_color

NOTHING = (
    "The model names no points, and its coordinates are not recognised as places: only curves are "
    'shown. Give points={"tip": (x, y)} and lines=[("pivot", "tip")] when describing it.'
)


def skeleton(model: Any) -> Scene:
    """Bodies, points and links without any size: enough to place them."""
    parameters = model.parameters
    colors = model.colors
    bodies = tuple(
        SceneBody(
            name,
            (),
            colors.get(name, body_color(k)),
            mass=number(body.inertia.mass, parameters),
            center=vector(number(x, parameters) for x in body.inertia.center),
            frames=_frames(body, parameters),
        )
        for k, (name, body) in enumerate(model.bodies.items())
    )
    named = formula_points.points_of(model)
    points = [ScenePoint(name, fixed=formula_points.is_fixed(at)) for name, at in named.items()]
    index = {name: k for k, name in enumerate(named)}
    links = [
        SceneLink("-".join(line), tuple(index[p] for p in line), "line" if bodies else "bar")
        for line in model.lines
    ]
    flat = bool(named) and all(len(at) == 2 for at in named.values()) and not bodies
    gravity = [value_of(x, parameters) or 0.0 for x in (*model.gravity, 0.0, 0.0)[:3]]
    if flat or not bodies:
        gravity = [0.0, 0.0, 0.0]  # formulas contain it, nobody says where it points
    strength = float(np.linalg.norm(gravity))
    up = (0.0, 1.0, 0.0) if flat else (0.0, 0.0, 1.0)
    if strength > 0.0:
        up = vector(-np.array(gravity) / strength + 0.0)
    bare = Scene(
        model.name,
        bodies=bodies,
        points=tuple(points),
        links=tuple(links),
        up=up,
        gravity=vector(gravity),
        planar=flat,
        notes=() if bodies or points else (NOTHING,),
        frames=_frames(model.world, parameters),
    )
    return _with_element_links(bare, model)


def start(model: Any) -> tuple[Array, Array]:
    """q and v at the start of a run, as the model states it; zero where it cannot be said."""
    try:
        initial = model.initial
    except DalembertError:
        initial = {}
    count = len(model.coordinates)
    if model.is_maximal:
        names = [n for body in model.bodies.values() for n in body.state_names]
        names += [n for body in model.bodies.values() for n in body.velocity_names]
    else:
        names = [x.name for x in model.coordinates] + [f"{x.name}.dot" for x in model.coordinates]
    state = np.nan_to_num(np.array([initial.get(name, 0.0) for name in names], dtype=float))
    if model.is_maximal and not initial:
        state[3:count:7] = 1.0
    return state[:count], state[count:]


def _with_element_links(bare: Scene, model: Any) -> Scene:
    """Springs, dampers, ropes and distances: links between points fixed to bodies."""
    parameters = model.parameters
    points, links = list(bare.points), list(bare.links)
    number_of = {name: k for k, name in enumerate(model.bodies)} | {model.world.name: WORLD}

    def add(name: str, frames: Any, kind: str, color: str) -> None:
        first = len(points)
        for label, frame in zip(("first", "second"), frames, strict=False):
            on = number_of[frame.body.name]
            at = offset(frame, parameters)
            points.append(ScenePoint(f"{name}/{label}", on, at, fixed=on == WORLD))
        links.append(SceneLink(name, (first, first + 1), kind, color=color))

    for name, joint in model.joints.items():
        if joint.kind == "distance":
            add(name, joint.frames, "distance", LINE)
    for one in model.unilaterals:
        if one.kind == "cable":
            points_of = one.element.points
            for k, pair in enumerate(itertools.pairwise(points_of)):
                add(one.name if len(points_of) == 2 else f"{one.name}[{k}]", pair, "rope", SPRING)
    for name, force in model.forces.items():
        if force.kind == "spring":
            kind = "spring"
            if force.law is not None and "maximum" in repr(force.law):
                kind = "rope"
            elif force.law is None and value_of(force.stiffness, parameters) == 0.0:
                kind = "damper"
            add(name, force.acted_frames(), kind, SPRING)
    return replace(bare, points=tuple(points), links=tuple(links))


def _frames(body: Any, parameters: dict[str, float]) -> tuple[SceneFrame, ...]:
    """Frames of a body, or of the world, that were given a name."""
    return tuple(
        SceneFrame(label, offset(frame, parameters), _turn(frame))
        for label, frame in body.frames.items()
    )


def _turn(frame: Any) -> Quaternion:
    return quaternion(quaternion_of_matrix(np.asarray(frame.orientation.matrix, dtype=float)))
