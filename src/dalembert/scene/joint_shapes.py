"""Glyphs of joints and of what works in them; z of a joint's frames is its axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.rotation import quaternion_of_matrix
from dalembert.model.shapes.solid import measured
from dalembert.scene import solids
from dalembert.scene.attachments import offset
from dalembert.scene.description import Quaternion, Shape, Vector, quaternion, vector
from dalembert.scene.palette import JOINT, RAIL, SPRING

Pair = tuple[list[Shape], list[Shape]]
"""Shapes on the second body, and on the first; in the joint's frames."""


@dataclass(frozen=True)
class Reach:
    """How the second frame moves in the first over what is drawn: low and high, (3,) each."""

    low: Any
    high: Any
    path: Any = None


def glyph(joint: Any, unit: float, reach: Reach, parameters: dict[str, float]) -> tuple[Any, Any]:
    """The joint in the frames of its second and of its first body."""
    maker = _MAKERS.get(joint.kind)
    if maker is None:
        return (), ()
    on_b, on_a = maker(joint, unit, reach, parameters)
    frames = joint.frames[-2:]
    return (
        tuple(_carried(shape, frames[1], parameters) for shape in on_b),
        tuple(_carried(shape, frames[0], parameters) for shape in on_a),
    )


def _carried(shape: Shape, frame: Any, parameters: dict[str, float]) -> Shape:
    """A shape of a frame, in the frame of its body."""
    R = frame.orientation.matrix
    place = np.array(offset(frame, parameters)) + R @ np.array(shape.position)
    turn = quaternion_of_matrix(R @ solids.matrix(shape.rotation))
    return replace(
        shape, position=vector(place), rotation=quaternion(turn), color=shape.color or JOINT
    )


def along(axis: str) -> Quaternion:
    """Rotation that takes z to an axis."""
    return solids.turned_to({"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}[axis])


# -- one function a kind ---------------------------------------------------------------------------


def _revolute(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("cylinder", (u, 3.4 * u))], []


def _ball(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("sphere", (1.35 * u,))], []


def _universal(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    arm = (0.5 * u, 3.6 * u)
    second = [Shape("cylinder", arm, rotation=along("y")), Shape("sphere", (0.9 * u,))]
    return second, [Shape("cylinder", arm, rotation=along("x"))]


def _constant_velocity(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("sphere", (1.35 * u,)), Shape("cylinder", (0.8 * u, 3.4 * u))], []


def _fixed(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("box", (1.8 * u,) * 3)], []


def _prismatic(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("box", (2.4 * u, 2.4 * u, 3.6 * u))], [_rail(joint, u, reach, 0.7 * u)]


def _cylindrical(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    rod = _rail(joint, u, reach, 0.45 * u)
    rod = replace(rod, kind="cylinder", size=(0.45 * u, rod.size[2]))
    return [Shape("cylinder", (1.2 * u, 3.6 * u))], [rod]


def _screw(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    nut, (rod,) = _cylindrical(joint, u, reach, parameters)
    length = rod.size[1]
    turns = max(2.0, length / (1.1 * u))
    share = np.linspace(-0.5, 0.5, min(2000, round(16 * turns)))
    angle = 2.0 * np.pi * turns * share
    thread = 0.55 * u * np.column_stack([np.cos(angle), np.sin(angle), length * share / (0.55 * u)])
    wire = Shape("polyline", (0.25 * u,), rod.position, vertices=thread, color=RAIL)
    return nut, [rod, wire]


def _planar(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("cylinder", (1.2 * u, 0.8 * u))], [_sheet(u, reach)]


def _on_plane(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("sphere", (1.1 * u,))], [_sheet(u, reach)]


def _on_line(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    return [Shape("sphere", (1.1 * u,))], [_rail(joint, u, reach, 0.5 * u)]


def _on_curve(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    # the curve is known by its formula only: what is drawn of it is what was visited
    on_a = []
    if reach.path is not None and len(joint.curve) == 2 and len(reach.path) > 1:
        on_a = [Shape("polyline", (0.5 * u,), vertices=np.asarray(reach.path), color=RAIL)]
    return [Shape("sphere", (1.1 * u,))], on_a


def _rolling(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    radius = float(np.nan_to_num(measured([joint.radius], parameters)[0]))
    disc = [solids.ring(radius, 0.5 * u, (0, 0, 0), (1.0, 0.0, 0.0, 0.0))]
    # two spokes, so that turning is seen
    disc += [Shape("cylinder", (0.2 * u, 2 * radius), rotation=along(axis)) for axis in ("x", "y")]
    return disc, [_sheet(u, reach)]


def _motion(joint: Any, u: float, reach: Reach, parameters: Any) -> Pair:
    if joint.coordinate == "angle":
        return [], [_turning_arrow(u, 2.6 * u, JOINT)]
    return [], []


_MAKERS: dict[str, Callable[[Any, float, Reach, Any], Pair]] = {
    "compound": _ball,
    "constant_velocity": _constant_velocity,
    "cylindrical": _cylindrical,
    "fixed": _fixed,
    "motion": _motion,
    "planar": _planar,
    "point_on_curve": _on_curve,
    "point_on_line": _on_line,
    "point_on_plane": _on_plane,
    "prismatic": _prismatic,
    "revolute": _revolute,
    "rolling": _rolling,
    "screw": _screw,
    "spherical": _ball,
    "universal": _universal,
}


# -- relations of joints ---------------------------------------------------------------------------


def gear_rings(
    first: Any, second: Any, ratio: float, between: float, u: float, parameters: dict[str, float]
) -> list[tuple[Any, Shape]]:
    """Pitch circles of two gears whose axes are `between` apart, each with the frame's body."""
    if not np.isfinite(ratio) or ratio == 0.0 or between <= 0.0:
        return []
    share = 1.0 / (1.0 + abs(ratio)) if ratio < 0.0 else 1.0 / max(1e-9, abs(1.0 - abs(ratio)))
    radii = share * between, share * abs(ratio) * between
    found = []
    for joint, radius in ((first, radii[0]), (second, radii[1])):
        if radius < 50 * between:
            circle = solids.ring(radius, 0.4 * u, (0, 0, 0), (1.0, 0.0, 0.0, 0.0))
            found.append((joint.frames[1], _carried(circle, joint.frames[1], parameters)))
    return found


def pinion_ring(joint: Any, radius: float, u: float, parameters: dict[str, float]) -> Shape:
    """Pitch circle of a pinion."""
    circle = solids.ring(abs(radius), 0.4 * u, (0, 0, 0), (1.0, 0.0, 0.0, 0.0))
    return _carried(circle, joint.frames[1], parameters)


# -- forces that sit in a place --------------------------------------------------------------------


def force_glyph(force: Any, unit: float, parameters: dict[str, float]) -> tuple[Shape, ...]:
    """A bushing, torsion spring or motor, in the frame of its second body."""
    frames = force.acted_frames()
    if force.kind == "bushing":
        shape = Shape("cylinder", (2.0 * unit, 1.6 * unit), color=SPRING, opacity=0.6)
    elif force.kind == "torsion_spring":
        shape = solids.spiral(1.1 * unit, 2.6 * unit, 2.5, 0.3 * unit, color=SPRING)
        shape = replace(shape, position=(0.0, 0.0, 1.2 * unit))
    elif force.kind == "motor" and force.coordinate == "angle":
        shape = _turning_arrow(unit, 2.6 * unit, SPRING)
    else:
        return ()
    return (_carried(shape, frames[1], parameters),)


# -- parts of glyphs -------------------------------------------------------------------------------


def _rail(joint: Any, u: float, reach: Reach, width: float) -> Shape:
    # on a moving body it would stick out of what it belongs to
    beyond = 3.0 * u if joint.frames[0].body.name == WORLD else 0.5 * u
    low, high = float(reach.low[2]) - beyond, float(reach.high[2]) + beyond
    size = (width, width, high - low)
    return Shape("box", size, (0.0, 0.0, (low + high) / 2), color=RAIL)


def _sheet(u: float, reach: Reach) -> Shape:
    margin = 4.0 * u
    low, high = np.asarray(reach.low) - margin, np.asarray(reach.high) + margin
    middle: Vector = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, 0.0)
    size = (float(high[0] - low[0]), float(high[1] - low[1]))
    return Shape("plane", size, middle, color=RAIL, opacity=0.25)


def _turning_arrow(u: float, radius: float, color: str) -> Shape:
    """Three quarters of a circle about z with a head."""
    angles = np.linspace(0.0, 1.5 * np.pi, 28)
    line = radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    tip = line[-1]
    head = np.array([[-0.8, -0.8, 0.0], [0.0, 0.0, 0.0], [-0.8, 0.8, 0.0]]) * u + tip
    return Shape("polyline", (0.35 * u,), vertices=np.concatenate([line, head]), color=color)
