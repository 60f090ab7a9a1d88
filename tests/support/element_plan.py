"""Mechanisms with every kind of joint, drive, relation and force, as data.

A plan is a tree of bodies. `Plan.model` describes it to the package, in a world that may be turned
and shifted as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import dalembert as dl

WORLD = -1


@dataclass(frozen=True)
class Link:
    """A body: mass, moments about its centre of mass, centre of mass in its axes."""

    mass: float
    moments: np.ndarray
    center: np.ndarray


@dataclass(frozen=True)
class Connection:
    """The joint that carries body `b`; frames in the axes of each body, and where it starts."""

    kind: str
    a: int
    b: int
    p_a: np.ndarray
    R_a: np.ndarray
    p_b: np.ndarray
    R_b: np.ndarray
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Push:
    """A force element: its kind, what it acts on (bodies, or the number of a joint), its data."""

    kind: str
    on: tuple[int, ...]
    data: dict[str, Any]


@dataclass(frozen=True)
class Relation:
    """Gear, RackPinion, Coupler or Motion of joints."""

    kind: str
    joints: tuple[int, ...]
    data: dict[str, Any]


@dataclass(frozen=True)
class Closure:
    """A joint or constraint between two bodies of the tree, closed as they start."""

    kind: str
    a: int
    b: int
    p_a: np.ndarray
    R_a: np.ndarray
    p_b: np.ndarray
    R_b: np.ndarray
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """A place and orientation of the whole world."""

    p: np.ndarray
    R: np.ndarray

    def point(self, p):
        """Where a point of the plan stands."""
        return self.p + self.R @ p


UPRIGHT = View(np.zeros(3), np.eye(3))


@dataclass(frozen=True)
class Plan:
    """All of a mechanism."""

    seed: int
    links: tuple[Link, ...]
    joints: tuple[Connection, ...]
    pushes: tuple[Push, ...]
    relations: tuple[Relation, ...]
    gravity: np.ndarray
    closures: tuple[Closure, ...] = ()
    size: float = 1.0
    period: float = 0.8

    def model(self, view: View = UPRIGHT, orientation: str = "quaternion") -> dl.Model:
        """The plan in a world that stands as the view says."""
        model = dl.Model(f"elements {self.seed}", gravity=tuple(view.R @ self.gravity))
        for i, (link, joint) in enumerate(zip(self.links, self.joints, strict=True)):
            place = {}
            if joint.kind == "free":
                start = joint.options
                place = {
                    "position": view.point(start["position"]),
                    "rotation": view.R @ start["rotation"],
                    "velocity": view.R @ start["velocity"],
                    "angular_velocity": view.R @ start["angular_velocity"],
                }
            inertia = dl.Inertia(link.mass, link.moments, center=tuple(link.center))
            model.add_body(f"body{i}", inertia, orientation=orientation, **place)
        for i, joint in enumerate(self.joints):
            if joint.kind != "free":
                ends = (
                    self.frame(model, view, joint.a, joint.p_a, joint.R_a),
                    self.frame(model, view, joint.b, joint.p_b, joint.R_b),
                )
                made = getattr(dl, joint.kind)(*ends, name=f"joint{i}", **joint.options)
                model.add_joint(made)
        for i, relation in enumerate(self.relations):
            model.add_joint(_made_relation(relation, f"relation{i}"))
        for i, closure in enumerate(self.closures):
            _close(self, model, view, closure, f"closure{i}")
        for i, push in enumerate(self.pushes):
            model.add_force(_made_push(self, model, view, push, f"push{i}"))
        return model

    def frame(self, model, view, k, p, R=None):
        """A frame on a body or the world."""
        R = np.eye(3) if R is None else R
        if k == WORLD:
            return model.world.at(*view.point(p), rotation=view.R @ R)
        return model.bodies[f"body{k}"].at(*p, rotation=R)


def _made_relation(relation: Relation, name: str):
    names = [f"joint{k}" for k in relation.joints]
    data = relation.data
    if relation.kind == "Coupler":
        parts = list(zip(data["factors"], names, strict=True))
        return dl.Coupler(parts, offset=data["offset"], name=name)
    if relation.kind == "Motion":
        x, u, a, w = (data[k] for k in ("start", "speed", "swing", "rate"))
        t = dl.time
        value = x + (u - a * w) * t + a * np.sin(w * t)
        return dl.Motion(names[0], value=value, name=name)
    return getattr(dl, relation.kind)(*names, name=name, **data)


def _close(plan: Plan, model, view: View, closure: Closure, name: str) -> None:
    """Add a closure."""
    kind, data = closure.kind, closure.data
    first = plan.frame(model, view, closure.a, closure.p_a, closure.R_a)
    second = plan.frame(model, view, closure.b, closure.p_b, closure.R_b)
    if kind == "knife":  # the point moves across the edge only
        body = model.bodies[f"body{closure.b}"]
        edge = body.rotation @ closure.R_b[:, 0]
        model.constrain(edge @ body.point_velocity(closure.p_b), name=name)
    elif kind == "Motion":
        swing = data["swing"] * (1 - np.cos(data["rate"] * dl.time))
        way, start = data["coordinate"], data["start"]
        model.add_joint(dl.Motion(second, value=start + swing, coordinate=way, name=name))
    elif kind == "PointOnCurve":
        k, c = data["k"], data["c"]

        def surface(x, y, z):
            return (k[0] * x**2 + k[1] * y**2 + k[2] * x * z + k[3] * z + y - c,)

        model.add_joint(dl.PointOnCurve(first, second, curve=surface, name=name))
    else:
        model.add_joint(getattr(dl, kind)(first, second, name=name, **data))


def _made_push(plan: Plan, model, view: View, push: Push, name: str):
    data, kind = dict(push.data), push.kind
    t = dl.time
    if kind in ("Force", "Torque"):
        frame = plan.frame(model, view, push.on[0], data["p"], data["R"])
        swing = np.cos(data["rate"] * t)
        value = data["value"]
        turned_value = view.R @ value if data["axes"] == "world" else value
        if kind == "Force":
            return dl.Force(
                frame, tuple(x * swing for x in turned_value), axes=data["axes"], name=name
            )
        size = np.linalg.norm(value)
        about = tuple(turned_value / size)
        return dl.Torque(frame, about=about, value=size * swing, axes=data["axes"], name=name)
    if kind == "Drag":
        frame = plan.frame(model, view, push.on[0], data.pop("p"))
        data["flow"] = tuple(view.R @ data["flow"])
        return dl.Drag(frame, name=name, **data)
    if kind == "SoftContact":
        ball = plan.frame(model, view, push.on[0], data.pop("p"))
        ground = plan.frame(model, view, push.on[1], data.pop("p_b"), data.pop("R_b"))
        return dl.SoftContact(ball, ground, name=name, **data)
    if kind == "Potential":
        body = model.bodies[f"body{push.on[0]}"]
        centre = view.point(data["point"])
        d = body.position - centre
        column = body.rotation[:, 0] @ (view.R @ data["direction"])
        return dl.Potential(data["k"] * (d @ d) / 2 + data["g"] * column**2, name=name)
    if kind in ("Spring", "SpringLaw", "Bushing"):
        ends = [
            plan.frame(model, view, k, data.pop(f"p_{s}"), data.pop(f"R_{s}"))
            for k, s in zip(push.on, "ab", strict=True)
        ]
        if kind == "SpringLaw":
            k, c = data.pop("stiffness"), data.pop("damping")
            return dl.Spring(*ends, law=lambda x, u: k * (x + x**3) + c * u, name=name, **data)
        return getattr(dl, kind)(*ends, name=name, **data)
    joint = f"joint{push.on[0]}"
    if kind in ("DirectDrive", "PositionServo", "VelocityServo", "Actuator"):
        data["command"] = data["command"] * np.cos(data.pop("rate") * t)
    if kind == "MotorLaw":
        k = data.pop("k")
        return dl.Motor(joint, law=lambda s: k * (1 - np.tanh(s)), name=name, **data)
    return getattr(dl, kind)(joint, name=name, **data)
