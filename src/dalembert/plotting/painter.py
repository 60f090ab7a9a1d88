"""A scene at one moment as shaded faces, those behind drawn first."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.model.start.states import rotations
from dalembert.plotting import tessellation
from dalembert.plotting.camera import Camera
from dalembert.scene import Motion, Scene, Shape
from dalembert.scene.extent import corners_over
from dalembert.scene.palette import GROUND, LINE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

ARROWS = {"reaction": "#7A4FA3", "force": "#C0392B", "torque": "#2E8B57", "contact": "#C77F1B"}
"""Colours of arrows by kind."""

LIGHT = np.array([-0.35, 0.55, 0.76])
"""Direction the light comes from, in axes of the paper."""

PIECE = 0.06
"""Longest edge of a face in the size of the scene."""


@dataclass
class Part:
    """Faces that move together."""

    body: int
    faces: Array
    color: Array
    opacity: float


@dataclass
class Wire:
    """A polyline that moves with a body."""

    body: int
    line: Array
    width: float
    color: Array


class Painter:
    """Draws a scene; what does not change from frame to frame is worked out once.

    Parameters
    ----------
    view : see `Camera.of`
    arrows : draw reactions and forces
    """

    def __init__(self, scene: Scene, *, view: Any = "auto", arrows: bool = False) -> None:
        self.scene = scene
        self.camera = Camera.of(scene, view)
        self.arrows = arrows
        self.piece = PIECE * scene.size
        self.parts: list[Part] = []
        self.wires: list[Wire] = []
        for shape in scene.ground:
            self._add(-1, shape, GROUND)
        for k, body in enumerate(scene.bodies):
            for shape in body.shapes:
                self._add(k, shape, body.color)
        for joint in scene.joints:
            for shape in joint.shapes:
                self._add(joint.body_b, shape, LINE)
            for shape in joint.shapes_a:
                self._add(joint.body_a, shape, LINE)
        self.balls = [
            (k, tessellation.ball(point.radius), rgb(point.color or LINE))
            for k, point in enumerate(scene.points)
            if point.radius > 0.0
        ]
        self.turns: dict[int, float] = {}

    def _add(self, body: int, shape: Shape, color: str) -> None:
        paint = rgb(shape.color or color)
        if shape.kind == "polyline":
            line = tessellation.polyline(shape)
            self.wires.append(Wire(body, line, shape.size[0], paint))
        else:
            faces = tessellation.faces(shape, self.piece)
            self.parts.append(Part(body, faces, paint, shape.opacity))

    # -- one moment ------------------------------------------------------------------------------

    def faces(
        self, motion: Motion, k: int, *, tint: Any = None, opacity: float = 1.0
    ) -> tuple[Array, Array]:
        """Polygons on the paper (n, 4, 2), farthest first, and their colours (n, 4)."""
        R = rotations(motion.rotations[k]) if motion.rotations.size else np.zeros((0, 3, 3))
        p = motion.positions[k]
        solid: list[Any] = []
        paints: list[Any] = []
        for part in self.parts:
            placed = part.faces if part.body == -1 else part.faces @ R[part.body].T + p[part.body]
            self._collect(solid, paints, placed, part.color, part.opacity * opacity, tint)
        for index, ball, color in self.balls:
            placed = ball + motion.points[k, index]
            self._collect(solid, paints, placed, color, opacity, tint)
        for i, link in enumerate(self.scene.links):
            ends = motion.points[k, list(link.points)]
            color = rgb(link.color or LINE)
            for faces in self._link(i, link, ends):
                self._collect(solid, paints, faces, color, opacity, tint)
        found = self._shaded(solid, paints)
        for wire in self.wires:
            line = wire.line if wire.body == -1 else wire.line @ R[wire.body].T + p[wire.body]
            found.append(self._stroke(line, wire.width, wire.color, opacity, tint))
        for i, link in enumerate(self.scene.links):
            if link.kind in ("line", "rope", "spring"):
                line = motion.points[k, list(link.points)]
                width, behind = link.width, 0.0
                if link.kind == "line" and self.scene.bodies:
                    behind = 4.0 * width  # it runs inside what is drawn of the bodies
                if link.kind == "spring":
                    line, width = self._coil(i, line, link.width), 0.17 * link.width
                color = rgb(link.color or LINE)
                found.append(self._stroke(line, width, color, opacity, tint, behind))
        if self.arrows:
            found += self._arrows(motion, k)
        polygons = np.concatenate([polygon for polygon, _ in found])
        colors = np.concatenate([color for _, color in found])
        order = np.argsort(polygons[:, :, 2].mean(axis=1), kind="stable")
        return polygons[order][:, :, :2], colors[order]

    def _collect(
        self,
        solid: list[Any],
        paints: list[Any],
        faces: Array,
        color: Array,
        opacity: float,
        tint: Any,
    ) -> None:
        if len(faces) and np.all(np.isfinite(faces)):
            solid.append(faces)
            paint = np.append(color if tint is None else rgb(tint), opacity)
            paints.append(np.broadcast_to(paint, (len(faces), 4)))

    def _shaded(self, solid: list[Any], paints: list[Any]) -> list[tuple[Array, Array]]:
        if not solid:
            return [(np.zeros((0, 4, 3)), np.zeros((0, 4)))]
        seen = self.camera.seen(np.concatenate(solid))
        colors = np.concatenate(paints).copy()
        normal = np.cross(seen[:, 2] - seen[:, 0], seen[:, 3] - seen[:, 1])
        length = np.linalg.norm(normal, axis=1)
        front = normal[:, 2] > 1e-9 * np.maximum(length, 1e-300)
        seen, colors, normal = seen[front], colors[front], normal[front]
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        light = LIGHT / np.linalg.norm(LIGHT)
        bright = 0.60 + 0.46 * np.maximum(normal @ light, 0.0)
        colors[:, :3] = np.clip(colors[:, :3] * bright[:, None], 0.0, 1.0)
        return [(seen, colors)]

    def _link(self, i: int, link: Any, ends: Array) -> list[Array]:
        """Faces of a link that is a solid."""
        pairs = list(itertools.pairwise(ends))
        if link.kind in ("bar", "distance"):
            return [tessellation.tube(a, b, link.width / 2, self.piece) for a, b in pairs]
        if link.kind == "damper":
            found = []
            for a, b in pairs:
                middle = a + 0.55 * (b - a)
                found.append(tessellation.tube(a, middle, 0.5 * link.width, self.piece))
                found.append(tessellation.tube(middle, b, 0.2 * link.width, self.piece))
            return found
        return []

    def _coil(self, i: int, ends: Array, width: float) -> Array:
        """A helix between two points with straight ends; as many turns as at first."""
        a, b = ends[0], ends[-1]
        d = b - a
        length = float(np.linalg.norm(d))
        if not length > 1e-12:
            return ends
        turns = self.turns.setdefault(i, float(np.clip(round(length / (0.75 * width)), 4, 14)))
        z = d / length
        # zigzag in the plane of the paper when seen from the front
        x = np.cross(z, self.camera.axes[2])
        if np.linalg.norm(x) < 1e-6:
            x = np.cross(z, self.camera.axes[1])
        x /= np.linalg.norm(x)
        y = np.cross(z, x)
        share = np.linspace(0.0, 1.0, round(16 * turns) + 1)
        angle = 2.0 * np.pi * turns * share
        radius = width / 2
        along = 0.1 + 0.8 * share
        body = (
            a
            + np.outer(along, d)
            + radius * np.outer(np.sin(angle), x)
            + 0.5 * radius * np.outer(np.cos(angle) - 1.0, y)
        )
        return np.concatenate([[a], body, [b]])

    def _stroke(
        self,
        line: Array,
        width: float,
        color: Array,
        opacity: float,
        tint: Any,
        behind: float = 0.0,
    ) -> tuple[Array, Array]:
        """A polyline as flat pieces that face the reader."""
        seen = self.camera.seen(line)
        a, b = seen[:-1], seen[1:]
        d = b[:, :2] - a[:, :2]
        length = np.linalg.norm(d, axis=1, keepdims=True)
        keep = np.isfinite(length[:, 0])
        direction = d / np.maximum(length, 1e-12)
        across = np.column_stack([-direction[:, 1], direction[:, 0]]) * width / 2
        more = direction * width / 4  # pieces overlap, so that bends have no gaps
        quads = np.empty((len(a), 4, 3))
        quads[:, 0, :2], quads[:, 1, :2] = a[:, :2] - across - more, b[:, :2] - across + more
        quads[:, 2, :2], quads[:, 3, :2] = b[:, :2] + across + more, a[:, :2] + across - more
        quads[:, :, 2] = ((a[:, 2] + b[:, 2]) / 2)[:, None] - behind
        paint = np.append(color if tint is None else rgb(tint), opacity)
        return quads[keep], np.broadcast_to(paint, (int(keep.sum()), 4))

    def _arrows(self, motion: Motion, k: int) -> list[tuple[Array, Array]]:
        """Shaft and head of every arrow, in front of what it acts on."""
        found = []
        size = self.scene.size
        for i, arrow in enumerate(self.scene.arrows):
            tail, vector = motion.tails[k, i], motion.vectors[k, i] * arrow.scale
            length = float(np.linalg.norm(vector))
            if not np.isfinite(length) or length < 0.004 * size or not np.all(np.isfinite(tail)):
                continue
            # a peak leaves the picture no larger than it is
            vector = vector * min(1.0, 0.45 * size / length)
            seen = self.camera.seen(np.stack([tail, tail + vector]))
            seen[:, 2] += size
            d = seen[1, :2] - seen[0, :2]
            flat = float(np.linalg.norm(d))
            if flat < 0.002 * size:
                continue
            d = d / flat
            across = np.array([-d[1], d[0]])
            head = min(0.035 * size, 0.6 * flat)
            neck, width = seen[1, :2] - d * head, 0.0035 * size
            shaft = [seen[0, :2] - across * width, neck - across * width]
            shaft += [neck + across * width, seen[0, :2] + across * width]
            wing = 0.35 * head
            tip = [neck - across * wing, seen[1, :2], seen[1, :2], neck + across * wing]
            quads = np.empty((2, 4, 3))
            quads[:, :, :2] = [shaft, tip]
            quads[:, :, 2] = seen[:, 2].max()
            color = np.append(rgb(ARROWS.get(arrow.kind, ARROWS["force"])), 0.95)
            found.append((quads, np.broadcast_to(color, (2, 4))))
        return found

    # -- the paper -------------------------------------------------------------------------------

    def limits(self, motion: Motion, margin: float = 0.05) -> tuple[Array, Array]:
        """Lowest and highest place on the paper over a motion, with room around."""
        chosen = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), 240)).astype(int))
        room = corners_over(
            self.scene, motion.positions[chosen], motion.rotations[chosen], motion.points[chosen]
        )
        if self.arrows and motion.vectors.size:
            scale = np.array([arrow.scale for arrow in self.scene.arrows])[:, None]
            tips = motion.tails[chosen] + motion.vectors[chosen] * scale
            far = np.linalg.norm(tips - np.array(self.scene.centre), axis=2) < 0.8 * self.scene.size
            room = np.concatenate([room, tips[far]])
        room = room[np.all(np.isfinite(room), axis=1)]
        seen = self.camera.seen(room if len(room) else np.zeros((1, 3)))[:, :2]
        low, high = seen.min(axis=0), seen.max(axis=0)
        wide = max(float(np.max(high - low)), 1e-9)
        return low - margin * wide, high + margin * wide

    def grid(self, axes: Axes) -> None:
        """A light grid on the ground, for scenes in space."""
        from matplotlib.collections import LineCollection

        up = np.array(self.scene.up)
        if abs(self.camera.axes[2] @ up) < 0.02:
            return
        size = self.scene.size
        step = nice(size / 6)
        floor = up * self.scene.floor
        a = self.camera.axes[0] - (self.camera.axes[0] @ up) * up
        a = np.eye(3)[int(np.argmax(np.abs(a)))]
        a = a - (a @ up) * up
        a /= np.linalg.norm(a)
        b = np.cross(up, a)
        centre = np.array(self.scene.centre)
        middle = [step * round(float(centre @ axis) / step) for axis in (a, b)]
        count = int(np.ceil(0.55 * size / step))
        lines = []
        for i in range(-count, count + 1):
            for first, second, m, n in ((a, b, middle[0], middle[1]), (b, a, middle[1], middle[0])):
                at = floor + (m + i * step) * first
                ends = [at + (n + s * count * step) * second for s in (-1.0, 1.0)]
                lines.append(self.camera.seen(np.array(ends))[:, :2])
        axes.add_collection(
            LineCollection(lines, colors="#D5D9DE", linewidths=0.7, zorder=0.5), autolim=False
        )

    def trails(self, axes: Axes, motion: Motion, until: int | None = None, **looks: Any) -> None:
        """Paths of the chosen points."""
        options: dict[str, Any] = {"color": "#9AA2AC", "linewidth": 0.9, "zorder": 1.5} | looks
        for k in self.scene.trails:
            path = self.camera.seen(motion.points[: None if until is None else until + 1, k])
            axes.plot(path[:, 0], path[:, 1], **options)

    def paint(self, axes: Axes, motion: Motion, k: int, **options: Any) -> Any:
        """The moment k as one collection."""
        from matplotlib.collections import PolyCollection

        zorder = options.pop("zorder", 2.0)
        polygons, colors = self.faces(motion, k, **options)
        # edges in the colour of the face close the seams between pieces
        edges = outlines(colors)
        made = PolyCollection(
            list(polygons), facecolors=colors, edgecolors=edges, linewidths=0.7, zorder=zorder
        )
        axes.add_collection(made, autolim=False)
        return made


def outlines(colors: Array) -> Array:
    """Colours of the edges of faces: none where they can be seen through."""
    edges = colors.copy()
    edges[edges[:, 3] < 1.0, 3] = 0.0
    return edges


def rgb(color: Any) -> Array:
    """Three numbers of "#rrggbb" or of an array."""
    if isinstance(color, str):
        return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.asarray(color, dtype=float)[:3]


def nice(length: float) -> float:
    """1, 2 or 5 times a power of ten, not above a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(f * power for f in (1.0, 2.0, 5.0) if f * power <= length * (1 + 1e-9)))
