"""A scene as nodes of a viser page, moved from state to state.

A body is a frame with its shapes below it; formula models have balls at their points and bars
between them. Whatever can be dragged reports its drags to a `Grabbing`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dalembert.scene.description import WORLD, Scene, SceneLink, Shape
from dalembert.scene.palette import BODIES, JOINT, LINE, SPRING

Array = NDArray[np.float64]

HAND = "#D1495B"
ARROW = "#2E7D32"
TRAIL = 400
"""Points a trail keeps."""

COILS = 12
"""Turns of a drawn spring."""


class Grabbing(Protocol):
    """Who wants to know what is dragged."""

    async def drag(self, event: Any, on: Any) -> None:
        """`on`: name of a body, or the names of the two ends of a bar, or of a point."""


def rgb(color: str | None, other: str) -> tuple[int, int, int]:
    """0 to 255 of "#rrggbb"."""
    text = (color or other).lstrip("#")
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:6], 16)


class Stretched:
    """A node of length 1 along z that is put between two places."""

    def __init__(self, node: Any, a: int = -1, b: int = -1) -> None:
        self.node, self.a, self.b = node, a, b
        self._length = 1.0

    def move(self, start: Array, end: Array) -> None:
        """From start to end."""
        middle, turn, length = between(start, end)
        self.node.position = middle
        self.node.wxyz = turn
        if abs(length - self._length) > 1e-4 * self._length:
            self._length = max(length, 1e-9)
            self.node.scale = (1.0, 1.0, self._length)


class Drawing:
    """Nodes of a scene on a viser server."""

    def __init__(self, server: Any, scene: Scene, grabbing: Grabbing, grips: Sequence[str]) -> None:
        self.server, self.grabbing, self.grips = server, grabbing, set(grips)
        self.scene = scene
        self._bodies: list[Any] = []
        self._points: list[tuple[int, Any]] = []
        self._links: list[Stretched] = []
        self._labels: list[Any] = []
        self._joints: list[Any] = []
        self._trails: list[deque[Array]] = []
        self.shown: tuple[Array, Array, Array] = (np.zeros((0, 3)), np.zeros((0, 4)), np.zeros(0))
        self._ends: tuple[float, ...] = ()
        self._build()
        api = server.scene
        self._hand = Stretched(
            api.add_cylinder("/hand", 0.003 * scene.size, 1.0, rgb(None, HAND), visible=False)
        )
        self._goal = api.add_icosphere(
            "/hand goal", 0.012 * scene.size, rgb(None, HAND), visible=False
        )
        self._path = api.add_line_segments(
            "/trails",
            np.zeros((1, 2, 3)),
            rgb(None, BODIES[0]),
            thickness=1.5,
            thickness_units="screen",
            visible=False,
        )
        self._arrows: Any = None

    # -- nodes ---------------------------------------------------------------------------------

    def _build(self) -> None:
        scene, api = self.scene, self.server.scene
        size = scene.size or 1.0
        for k, shape in enumerate(scene.ground):
            if k in scene.level:
                continue  # the floor of the page
            self._add(f"/ground/{k}", shape, LINE)
        for body in scene.bodies:
            path = f"/bodies/{body.name}"
            self._bodies.append(api.add_frame(path, show_axes=False))
            for k, shape in enumerate(body.shapes):
                self._draggable(self._add(f"{path}/shape {k}", shape, body.color), body.name)
            label = api.add_label(f"{path}/name", body.name, visible=False)
            label.position = body.center
            self._labels.append(label)
        for joint in scene.joints:
            for owner, shapes in ((joint.body_b, joint.shapes), (joint.body_a, joint.shapes_a)):
                path = "/joints" if owner == WORLD else f"/bodies/{scene.bodies[owner].name}"
                for k, shape in enumerate(shapes):
                    node = self._add(f"{path}/joint {joint.name} {k}", shape, JOINT)
                    if owner != WORLD:
                        self._draggable(node, scene.bodies[owner].name)
                    self._joints.append(node)
        for k, point in enumerate(scene.points):
            if point.radius > 0.0:
                color = rgb(point.color, JOINT if point.fixed else BODIES[k % len(BODIES)])
                node = api.add_icosphere(f"/points/{k}", point.radius, color)
                self._points.append((k, node))
                if point.name in self.grips and point.body is None:
                    self._draggable(node, (point.name, point.name))
            if point.body is None:
                label = api.add_label(f"/point names/{k}", point.name, visible=False)
                self._points.append((k, label))
                self._labels.append(label)
        for k, link in enumerate(scene.links):
            self._add_link(k, link, size)

    def _add_link(self, k: int, link: SceneLink, size: float) -> None:
        """A link as pieces of length 1, which are moved and stretched like bodies.

        A page shows new places of nodes at once, new lines only when it has time for them.
        """
        api, points = self.server.scene, self.scene.points
        for i, (a, b) in enumerate(zip(link.points, link.points[1:], strict=False)):
            path = f"/links/{k} {link.name} {i}"  # two links may have the same name
            if link.kind in ("spring", "damper"):
                line = coil(0.5 * link.width)
                node = api.add_line_segments(
                    path,
                    np.stack([line[:-1], line[1:]], axis=1),
                    rgb(link.color, SPRING),
                    thickness=2.0,
                    thickness_units="screen",
                )
            else:
                bar = link.kind == "bar"
                thick = max(0.5 * link.width, 0.004 * size) if bar else 0.002 * size
                other = BODIES[len(self._links) % len(BODIES)] if bar else LINE
                node = api.add_cylinder(path, thick, 1.0, rgb(link.color, other))
                if {points[a].name, points[b].name} <= self.grips:
                    self._draggable(node, (points[a].name, points[b].name))
            self._links.append(Stretched(node, a, b))

    def _add(self, path: str, shape: Shape, color: str) -> Any:
        """One shape as a node; what viser does not know becomes a mesh."""
        api = self.server.scene
        options: dict[str, Any] = {
            "color": rgb(shape.color, color),
            "position": shape.position,
            "wxyz": shape.rotation,
            "opacity": None if shape.opacity >= 1.0 else shape.opacity,
        }
        if shape.kind == "box":
            return api.add_box(path, dimensions=shape.size, **options)
        if shape.kind == "sphere":
            return api.add_icosphere(path, shape.size[0], **options)
        if shape.kind == "ellipsoid":
            return api.add_icosphere(path, 1.0, scale=shape.size, **options)
        if shape.kind == "cylinder":
            return api.add_cylinder(path, shape.size[0], shape.size[1], **options)
        if shape.kind == "polyline":
            line = np.asarray(shape.vertices, dtype=float)
            segments = np.stack([line[:-1], line[1:]], axis=1)
            return api.add_line_segments(
                path,
                segments,
                options["color"],
                thickness=shape.size[0] if shape.size else 0.01,
                position=shape.position,
                wxyz=shape.rotation,
            )
        vertices, faces = mesh_of(shape)
        return api.add_mesh_simple(path, vertices, faces, side="double", **options)

    def _draggable(self, node: Any, on: Any) -> None:
        """A true drag with the mouse; the camera turns when nothing is grabbed."""
        if not hasattr(node, "on_drag"):
            return

        # Awaited on the server's loop, so that start, moves and end keep their order.
        async def dragged(event: Any) -> None:
            await self.grabbing.drag(event, on)

        node.on_drag(dragged)

    def remove(self) -> None:
        """Take every node away."""
        nodes = [*self._bodies, *(node for _, node in self._points)]
        nodes += [link.node for link in self._links]
        for path in ("/ground", "/joints"):
            self.server.scene.remove_by_name(path)
        self.show_arrows(None, None)
        for node in (*nodes, self._hand.node, self._goal, self._path):
            node.remove()

    # -- motion --------------------------------------------------------------------------------

    def move(self, positions: Array, rotations: Array, points: Array) -> None:
        """Everything to its place."""
        self.shown = (positions, rotations, points)
        for node, p, turn in zip(self._bodies, positions, rotations, strict=True):
            node.position = p
            node.wxyz = turn
        for k, node in self._points:
            node.position = points[k]
        for link in self._links:
            link.move(points[link.a], points[link.b])

    def show_pull(self, held: Array | None, target: Array | None) -> None:
        """The line between the grabbed point and the cursor."""
        seen = held is not None and target is not None
        if seen:
            assert held is not None
            assert target is not None
            ends = (*held, *target)
            if ends != self._ends:
                self._ends = ends
                self._hand.move(held, target)
                self._goal.position = target
        for node in (self._hand.node, self._goal):
            if node.visible != seen:
                node.visible = seen

    def show_names(self, wanted: bool) -> None:
        """Names beside bodies and points."""
        for label in self._labels:
            label.visible = wanted

    def show_joints(self, wanted: bool) -> None:
        """Glyphs of joints."""
        for node in self._joints:
            node.visible = wanted

    def show_arrows(self, tails: Array | None, tips: Array | None) -> None:
        """Arrows of reactions; None hides them."""
        if tails is None or tips is None or not len(tails):
            if self._arrows is not None:
                self._arrows.remove()
                self._arrows = None
            return
        ends = np.stack([tails, tips], axis=1)
        if self._arrows is not None and len(self._arrows.points) == len(ends):
            _set_segments(self._arrows, ends)
            return
        size = self.scene.size
        self._arrows = self.server.scene.add_arrows(
            "/reactions",
            ends,
            rgb(None, ARROW),
            shaft_radius=0.006 * size,
            head_radius=0.016 * size,
            head_length=0.035 * size,
        )

    def leave_trail(self, wanted: bool, centers: Sequence[Any]) -> None:
        """Add the present places to the trails and draw them."""
        if not wanted:
            self._trails = []
            if self._path.visible:
                self._path.visible = False
            return
        positions, rotations, points = self.shown
        places = [points[k] for k in self.scene.trails]
        if not places:
            places = [
                p + turned(q, np.asarray(c))
                for p, q, c in zip(positions, rotations, centers, strict=True)
            ]
        if not places:
            places = [points[k] for k, p in enumerate(self.scene.points) if not p.fixed]
        if len(self._trails) != len(places):
            self._trails = [deque(maxlen=TRAIL) for _ in places]
        for trail, place in zip(self._trails, places, strict=True):
            trail.append(np.array(place))
        parts = [
            np.stack([list(trail)[:-1], list(trail)[1:]], axis=1)
            for trail in self._trails
            if len(trail) > 1
        ]
        if parts:
            _set_segments(self._path, np.concatenate(parts))
            if not self._path.visible:
                self._path.visible = True

    def forget_trails(self) -> None:
        """Begin the trails anew, after a reset."""
        self._trails = []


# -- geometry --------------------------------------------------------------------------------------


def _set_segments(node: Any, segments: Array) -> None:
    """New ends of lines or arrows; their one colour stays."""
    node.points = segments.astype(np.float32)


def turned(q: Array, x: Array) -> Array:
    """x turned by the unit quaternion q."""
    u = q[1:]
    return np.asarray(x + 2.0 * np.cross(u, np.cross(u, x) + q[0] * x))


def between(a: Array, b: Array) -> tuple[Array, Array, float]:
    """Middle, rotation of z onto the way from a to b, and its length."""
    way = b - a
    length = float(np.linalg.norm(way))
    if length < 1e-12:
        return a, np.array([1.0, 0.0, 0.0, 0.0]), 0.0
    x, y, z = way / length
    q = np.array([1.0 + z, -y, x, 0.0]) if z > -0.999999 else np.array([0.0, 1.0, 0.0, 0.0])
    return (a + b) / 2, q / np.linalg.norm(q), length


def coil(radius: float) -> Array:
    """Points of a helix of length 1 along z about the origin, with straight ends."""
    s = np.linspace(0.0, 1.0, 10 * COILS + 1)
    r = radius * np.clip(np.minimum(s, 1.0 - s) / 0.08, 0.0, 1.0)
    angle = 2.0 * np.pi * COILS * s
    return np.stack([r * np.cos(angle), r * np.sin(angle), s - 0.5], axis=1)


def mesh_of(shape: Shape) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and faces of a mesh, plane, cone or capsule."""
    if shape.kind == "mesh":
        assert shape.vertices is not None
        assert shape.faces is not None
        return np.asarray(shape.vertices), np.asarray(shape.faces)
    if shape.kind == "plane":
        x, y = 0.5 * shape.size[0], 0.5 * shape.size[1]
        corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
        return corners, np.array([[0, 1, 2], [0, 2, 3]])
    radius, length = shape.size[0], shape.size[1]
    if shape.kind == "cone":
        outline = [(0.0, -0.5 * length), (radius, -0.5 * length), (0.0, 0.5 * length)]
    elif shape.kind == "capsule":
        steps = np.linspace(0.0, np.pi / 2, 7)
        low = [(radius * np.sin(s), -0.5 * length - radius * np.cos(s)) for s in steps]
        outline = low + [(r, -z) for r, z in reversed(low)]
    else:
        raise ValueError(f"shape {shape.kind!r}")
    return revolved(np.array(outline))


def revolved(outline: Array, around: int = 24) -> tuple[Array, NDArray[np.int64]]:
    """Surface of (radius, z) pairs turned about z."""
    angles = 2.0 * np.pi * np.arange(around) / around
    r, z = outline[:, :1], outline[:, 1:]
    rings = np.stack(
        [r * np.cos(angles), r * np.sin(angles), np.broadcast_to(z, (len(z), around))], axis=2
    )
    faces = []
    for i in range(len(outline) - 1):
        for k in range(around):
            a, b = i * around + k, i * around + (k + 1) % around
            faces += [[a, b, b + around], [a, b + around, a + around]]
    return rings.reshape(-1, 3), np.array(faces)


def outline(scene: Any) -> Any:
    """A key that changes when nodes must be made anew."""
    return (
        [[_key(s) for s in body.shapes] + [body.center] for body in scene.bodies],
        [
            [_key(s) for s in (*joint.shapes, *joint.shapes_a)] + [joint.body_b]
            for joint in scene.joints
        ],
        [(p.name, p.radius, p.body) for p in scene.points],
        [(link.name, link.points, link.kind, link.width) for link in scene.links],
    )


def _key(shape: Any) -> Any:
    mesh = () if shape.vertices is None else shape.vertices.tobytes()
    return (shape.kind, shape.size, shape.position, shape.rotation, shape.color, mesh)
