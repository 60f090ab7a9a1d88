"""The parts of a scene: shapes on bodies, joints, points, links, arrows, and curves beside them.

Plain numbers, SI units, no renderer. Quaternions are (w, x, y, z) and turn body axes into world
axes. Everything of a body stands in its own frame: the origin and axes that `Model.add_body` places
and `Frame.offset` counts from (not the centre of mass).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

WORLD = -1
"""Index of the world where one of a body is expected."""

ORIGIN: Vector = (0.0, 0.0, 0.0)
UNTURNED: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Shape:
    """A solid in the frame of its body (or of the world).

    Attributes
    ----------
    kind, size : str, tuple of lengths  [m]
        "box" (x, y, z) full lengths; "sphere" (radius,); "cylinder", "capsule", "cone" (radius,
        length) along z about the middle, a capsule with its round ends beyond the length, the tip
        of a cone at +z; "ellipsoid" (a, b, c) half axes; "plane" (x, y) with normal z; "mesh" ();
        "polyline" (width,).
    position, rotation : of the shape in the body
    color : "#rrggbb", or None for that of the body
    opacity : 0 to 1
    vertices, faces : (n, 3), (m, 3)
        Of a mesh, counter-clockwise from outside; a polyline has vertices only.
    """

    kind: str
    size: tuple[float, ...] = ()
    position: Vector = ORIGIN
    rotation: Quaternion = UNTURNED
    color: str | None = None
    opacity: float = 1.0
    vertices: Array | None = None
    faces: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class SceneFrame:
    """A frame that was given a name: drawn as three axes when asked for."""

    name: str
    position: Vector = ORIGIN
    rotation: Quaternion = UNTURNED


@dataclass(frozen=True, eq=False)
class SceneBody:
    """A body; its place in `Scene.bodies` is its column in `Motion.positions`.

    Attributes
    ----------
    mass : float  [kg]
    center : centre of mass in the body frame  [m]
    frames : those with a name
    """

    name: str
    shapes: tuple[Shape, ...]
    color: str
    mass: float = 0.0
    center: Vector = ORIGIN
    frames: tuple[SceneFrame, ...] = ()


@dataclass(frozen=True, eq=False)
class SceneJoint:
    """A joint between two bodies (indices, -1 is the world); drawn on `body_b`.

    Attributes
    ----------
    shapes : the glyph, in the frame of body_b
    shapes_a : the part of it that belongs to body_a, such as the rail of a slide
    position : of the joint, in the frame of body_b  [m]
    """

    name: str
    kind: str
    body_a: int
    body_b: int
    shapes: tuple[Shape, ...]
    shapes_a: tuple[Shape, ...] = ()
    position: Vector = ORIGIN


@dataclass(frozen=True, eq=False)
class ScenePoint:
    """A point; its place in `Scene.points` is its column in `Motion.points`.

    Attributes
    ----------
    body, offset : where it is fixed: a body (-1 the world) and the place in its frame
        None for a point that is a formula of the motion. Of a fixed point the column in
        `Motion.points` is position + R offset of the body, to rounding.
    radius : of the ball it is drawn as; 0 for a point that is only an end of something  [m]
    slide : direction of the straight line it moves along, and is drawn as a cart on; or None
    color : None for the ink of the page
    fixed : the point does not move (for formulas: over the run)
    """

    name: str
    body: int | None = None
    offset: Vector = ORIGIN
    radius: float = 0.0
    color: str | None = None
    fixed: bool = False
    slide: Vector | None = None


@dataclass(frozen=True, eq=False)
class SceneLink:
    """A line through points (indices in `Scene.points`).

    Attributes
    ----------
    kind : "bar", "line" (thin), "spring", "damper", "rope" or "distance"
    width : thickness; the diameter of a spring's coil  [m]
    """

    name: str
    points: tuple[int, ...]
    kind: str = "bar"
    width: float = 0.0
    color: str | None = None


@dataclass(frozen=True, eq=False)
class SceneArrow:
    """A force or torque; its place in `Scene.arrows` is its column in `Motion.tails` and `vectors`.

    Attributes
    ----------
    kind : "reaction", "force", "torque" or "contact"
    unit : "N" or "N m"
    scale : length in the picture that 1 unit gets  [m/N], [m/(N m)]
        One for all arrows of the same unit, so that they can be compared.
    body, offset : where the tail is fixed (-1 the world); None when it is not
    note : what to say about it, such as "not unique"
    """

    name: str
    kind: str
    unit: str
    scale: float = 1.0
    body: int | None = None
    offset: Vector = ORIGIN
    note: str = ""


@dataclass(frozen=True, eq=False)
class Signal:
    """A curve; its place in `Scene.signals` is its column in `Motion.values`.

    Attributes
    ----------
    group : "energy", "error", "drift", "reaction", "coordinate" or "velocity"
        Curves of one group share an axis.
    log : on a logarithmic axis; the values are not negative
    """

    name: str
    unit: str
    group: str
    log: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that is drawn.

    Attributes
    ----------
    ground : shapes on the world
    level : planes without end of `ground` (indices) that are level: a page has its floor there
    up : unit vector against gravity
    centre, size : middle and diameter of the space the motion takes (of `describe`: of the start)
    planar : the motion stays in the plane with unit normal `normal`, seen from its tip
    gravity : (3,)  [m/s^2]
    floor : height of the lowest place along `up`, where a ground can be drawn  [m]
    trails : points (indices) whose paths are drawn
    notes : sentences for the reader, such as why there is nothing to see
    frames : named frames of the world
    """

    name: str
    bodies: tuple[SceneBody, ...] = ()
    joints: tuple[SceneJoint, ...] = ()
    points: tuple[ScenePoint, ...] = ()
    links: tuple[SceneLink, ...] = ()
    arrows: tuple[SceneArrow, ...] = ()
    signals: tuple[Signal, ...] = ()
    ground: tuple[Shape, ...] = ()
    level: tuple[int, ...] = ()
    up: Vector = (0.0, 0.0, 1.0)
    centre: Vector = ORIGIN
    size: float = 1.0
    planar: bool = False
    gravity: Vector = ORIGIN
    normal: Vector = (0.0, 0.0, 1.0)
    floor: float = 0.0
    trails: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    frames: tuple[SceneFrame, ...] = ()


def vector(entries: Any) -> Vector:
    """Three plain numbers."""
    x, y, z = (float(entry) for entry in entries)
    return x, y, z


def quaternion(entries: Any) -> Quaternion:
    """Four plain numbers."""
    w, x, y, z = (float(entry) for entry in entries)
    return w, x, y, z
