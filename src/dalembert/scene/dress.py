"""Shapes for a scene: sizes, glyphs of joints, points and links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.formulas.expression import TIME
from dalembert.model.joints.relation import Relation
from dalembert.model.start.states import number, rotations
from dalembert.scene import endless, formula_points, joint_shapes, solids
from dalembert.scene.attachments import attachments, offset
from dalembert.scene.body_shapes import extent, given_shape, shapes_of
from dalembert.scene.description import (
    WORLD,
    Array,
    Scene,
    SceneJoint,
    SceneLink,
    Shape,
    vector,
)
from dalembert.scene.extent import fitted
from dalembert.scene.joint_shapes import Reach
from dalembert.scene.palette import BAR, GROUND, JOINT, LINE, SPRING
from dalembert.scene.skeleton import start

STRAIGHT = 1e-6
"""Share of its way by which a point may leave a straight line and still be drawn as a cart."""


HELD = frozenset(
    ("revolute", "spherical", "universal", "fixed", "constant_velocity", "cylindrical", "screw")
)
"""Joints that stand on a foot where they hold something to the world."""


@dataclass
class Dressing:
    """One scene getting its shapes."""

    bare: Scene
    model: Any
    p: Array
    turned: Array
    points: Array

    def scene(self) -> Scene:
        """The scene with all its shapes."""
        model, bare = self.model, self.bare
        self.parameters = model.parameters
        self.number_of = {name: k for k, name in enumerate(model.bodies)}
        self.number_of[model.world.name] = WORLD
        self.R = rotations(self.turned) if self.turned.size else np.zeros((len(self.p), 0, 3, 3))
        self.places = attachments(model, self.parameters)
        self.unit = self.choose_unit()
        given = model.shapes
        standing = given.get(model.world.name, ())
        planes = [shape for shape in standing if endless.is_endless(shape)]
        self.ground = [
            given_shape(shape, self.parameters) for shape in standing if shape not in planes
        ]
        bodies = tuple(
            replace(
                body,
                shapes=shapes_of(
                    model.bodies[body.name],
                    given.get(body.name, ()),
                    self.places[body.name],
                    self.unit,
                    self.parameters,
                    self.most_guessed(),
                ),
            )
            for body in bare.bodies
        )
        joints = (*self.joints(), *self.force_glyphs())
        points, links = self.body_points() if bare.bodies else self.formula_points()
        made = replace(
            bare,
            bodies=bodies,
            joints=joints,
            points=points,
            links=links,
            ground=tuple(self.ground),
        )
        found = fitted(made, self.p, self.turned, self.points)
        return endless.laid(found, planes, self.parameters)

    # -- sizes ---------------------------------------------------------------------------------

    def most_guessed(self) -> float:
        """Largest solid guessed from moments: half the longest link, where there are links."""
        links = [
            float(np.linalg.norm(np.ptp(self.places[name], axis=0)))
            for name in self.model.bodies
            if len(self.places[name]) >= 2
        ]
        known = [length for length in links if np.isfinite(length) and length > 0.0]
        return 0.5 * max(known) if len(known) >= 2 else np.inf

    def choose_unit(self) -> float:
        """Radius of a joint: a small part of a typical body, to be seen in the whole."""
        model = self.model
        first = [self.p[0], self.points[0]]
        lengths = []
        for k, (name, body) in enumerate(model.bodies.items()):
            given = model.shapes.get(name, ())
            length = extent(body, given, self.places[name], self.parameters)
            lengths.append(length)
            places = self.places[name]
            first.append(self.p[0, k] + places @ self.R[0, k].T)
            first.append(self.p[0, k] + np.eye(3) * length / 2)
        for link in self.bare.links if not model.bodies else ():
            ends = self.points[0][list(link.points)]
            lengths += list(np.linalg.norm(np.diff(ends, axis=0), axis=1))
        first.append(self.places[model.world.name])
        room = np.concatenate(first)
        room = room[np.all(np.isfinite(room), axis=1)]
        whole = float(np.linalg.norm(np.ptp(room, axis=0))) if len(room) else 0.0
        known = [length for length in lengths if np.isfinite(length) and length > 0.0]
        typical = float(np.median(known)) if known else whole
        whole = max(whole, typical)
        if whole == 0.0:  # a single point: the path is all there is
            moved = self.points.reshape(-1, 3) if self.points.size else self.p.reshape(-1, 3)
            moved = moved[np.all(np.isfinite(moved), axis=1)]
            whole = float(np.linalg.norm(np.ptp(moved, axis=0))) if len(moved) else 0.0
            typical = whole = whole or 1.0
        return float(np.clip(0.034 * typical, 0.008 * whole, 0.022 * whole))

    # -- joints --------------------------------------------------------------------------------

    def joints(self) -> list[SceneJoint]:
        """Glyphs of the joints; feet where they stand on the ground."""
        found = []
        for name, joint in self.model.joints.items():
            if joint.kind == "distance":
                for frame in joint.frames:
                    if frame.body.name == self.model.world.name:
                        self.foot(offset(frame, self.parameters))
                continue
            if isinstance(joint, Relation):
                found += self.relation(name, joint)
                continue
            a, b = (self.number_of[frame.body.name] for frame in joint.frames)
            on_b, on_a = joint_shapes.glyph(joint, self.unit, self.reach(joint), self.parameters)
            where = offset(joint.frames[1], self.parameters)
            found.append(SceneJoint(name, joint.kind, a, b, on_b, on_a, where))
            if joint.kind in HELD and WORLD in (a, b):
                self.foot(offset(joint.frames[0 if a == WORLD else 1], self.parameters))
        return found

    def relation(self, name: str, joint: Any) -> list[SceneJoint]:
        """Pitch circles of gears and pinions; other relations are not seen."""
        found: list[SceneJoint] = []
        if joint.kind == "gear":
            (pa, Ra), (pb, _) = (self.start_of(j.frames[1]) for j in (joint.first, joint.second))
            across = (pb - pa) - Ra[:, 2] * float(Ra[:, 2] @ (pb - pa))
            ratio = number(joint.ratio, self.parameters)
            rings = joint_shapes.gear_rings(
                joint.first,
                joint.second,
                ratio,
                float(np.linalg.norm(across)),
                self.unit,
                self.parameters,
            )
            for frame, circle in rings:
                k = self.number_of[frame.body.name]
                found.append(SceneJoint(name, "gear", WORLD, k, (circle,), (), circle.position))
        elif joint.kind == "rack_pinion":
            radius = number(joint.radius, self.parameters)
            circle = joint_shapes.pinion_ring(joint.pinion, radius, self.unit, self.parameters)
            k = self.number_of[joint.pinion.frames[1].body.name]
            found.append(SceneJoint(name, "rack_pinion", WORLD, k, (circle,), (), circle.position))
        return found

    def force_glyphs(self) -> list[SceneJoint]:
        """Bushings, torsion springs and motors."""
        found = []
        for name, force in self.model.forces.items():
            if force.kind not in ("bushing", "torsion_spring", "motor"):
                continue
            shapes = joint_shapes.force_glyph(force, self.unit, self.parameters)
            frames = force.acted_frames()
            a, b = (self.number_of[frame.body.name] for frame in frames[:2])
            where = offset(frames[1], self.parameters)
            found.append(SceneJoint(name, force.kind, a, b, shapes, (), where))
        return found

    def reach(self, joint: Any) -> Reach:
        """Where the second frame has been, seen from the first."""
        (pa, Ra), (pb, _) = (self.frame(frame) for frame in joint.frames[-2:])
        seen = np.einsum("kji,kj->ki", Ra, pb - pa)
        seen = seen[np.all(np.isfinite(seen), axis=1)]
        if not len(seen):
            return Reach(np.zeros(3), np.zeros(3))
        path = seen[:: max(1, len(seen) // 500)]
        return Reach(seen.min(axis=0), seen.max(axis=0), path)

    def frame(self, frame: Any) -> tuple[Array, Array]:
        """Origin (k, 3) and axes (k, 3, 3) of a frame at the states."""
        at, own = np.array(offset(frame, self.parameters)), frame.orientation.matrix
        k = self.number_of[frame.body.name]
        if k == WORLD:
            n = len(self.p)
            return np.broadcast_to(at, (n, 3)), np.broadcast_to(own, (n, 3, 3))
        return self.p[:, k] + self.R[:, k] @ at, self.R[:, k] @ own

    def start_of(self, frame: Any) -> tuple[Array, Array]:
        """Origin and axes of a frame at the first state."""
        p, R = self.frame(frame)
        return p[0], R[0]

    def foot(self, at: Any) -> None:
        """A cone below a place on the ground, its tip there."""
        height = 3.6 * self.unit
        up = np.array(self.bare.up)
        middle = np.asarray(at) - up * height / 2
        if not np.all(np.isfinite(middle)):
            return
        if any(np.allclose(middle, shape.position) for shape in self.ground):
            return
        turn = solids.turned_to(up)
        size = (1.9 * self.unit, height)
        self.ground.append(Shape("cone", size, vector(middle), turn, color=GROUND))

    # -- points and links ----------------------------------------------------------------------

    def body_points(self) -> tuple[Any, Any]:
        """Small dots at named points; links by their kind."""
        points = tuple(
            replace(point, radius=0.0 if point.body is not None else 0.45 * self.unit)
            for point in self.bare.points
        )
        return points, tuple(self.sized(link) for link in self.bare.links)

    def formula_points(self) -> tuple[Any, Any]:
        """Balls at the ends of chains, smaller ones where lines meet, feet at what is fixed."""
        named = formula_points.points_of(self.model)
        meeting: dict[int, int] = {}
        for link in self.bare.links:
            for k in link.points:
                inner = k not in (link.points[0], link.points[-1])
                meeting[k] = meeting.get(k, 0) + (2 if inner else 1)
        points = []
        still = self.still()
        for k, point in enumerate(self.bare.points):
            # a foot that stands still is held for now; the end of a chain is a support
            support = bool(still[k]) and meeting.get(k) == 1
            point = replace(point, fixed=point.fixed or support)
            if point.fixed:
                radius, color = 0.9 * self.unit, GROUND
                if k in meeting:
                    self.foot(self.points[0, k])
            elif k not in meeting:
                radius, color = (1.6 * self.unit, SPRING)
            elif meeting[k] == 1:
                radius, color = 2.0 * self.unit, BAR
            else:
                radius, color = 1.25 * self.unit, JOINT
            slide = None if point.fixed or k not in meeting else self.slide(k)
            if slide is not None:
                radius, color = 2.0 * self.unit, BAR
            points.append(replace(point, radius=radius, color=color, slide=slide))
        links = list(self.bare.links)
        pairs = [(i, link) for i, link in enumerate(links) if len(link.points) == 2]
        ends = [tuple(named[self.bare.points[k].name] for k in link.points) for _, link in pairs]
        lengths = self.asked(formula_points.rigid, ends, True)
        springs = self.asked(formula_points.elastic, ends, False)
        for (i, link), stiff, elastic in zip(pairs, lengths, springs, strict=True):
            kind = "bar" if stiff else "spring" if elastic else "line"
            links[i] = replace(link, kind=kind, color=SPRING if kind == "spring" else link.color)
        return tuple(points), tuple(self.sized(link) for link in links)

    def still(self) -> Any:
        """Which points do not move although others do."""
        moved = np.max(np.ptp(self.points, axis=0), axis=1, initial=0.0)
        return (moved < 1e-9 * np.max(moved, initial=0.0)) & (np.max(moved, initial=0.0) > 0.0)

    def slide(self, k: int) -> Any:
        """Direction of the straight line that a point moves along, or None."""
        way = self.points[:, k] - self.points[0, k]
        far = way[np.argmax(np.linalg.norm(way, axis=1))]
        length = float(np.linalg.norm(far))
        if not length > 1e-3 * self.unit:
            return None
        along = far / length
        aside = np.linalg.norm(way - np.outer(way @ along, along), axis=1)
        return vector(along) if float(aside.max()) < STRAIGHT * length else None

    def asked(self, question: Any, ends: list[Any], otherwise: bool) -> list[bool]:
        """Answers to a question about lines between points, at the start of the model."""
        q, v = start(self.model)
        state: dict[Any, float] = {TIME: 0.0}
        state |= zip(self.model.coordinates, map(float, q), strict=True)
        state |= zip([x.dot for x in self.model.coordinates], map(float, v), strict=True)
        state |= zip(self.model.parameter_symbols, self.model.parameters.values(), strict=True)
        try:
            return list(question(self.model, ends, state))
        except DalembertError:
            return [otherwise] * len(ends)

    def sized(self, link: SceneLink) -> SceneLink:
        """The link with a width and a colour."""
        width = {
            "bar": 1.7,
            "line": 0.5,
            "spring": 2.6,
            "damper": 2.2,
            "rope": 0.6,
            "distance": 0.9,
        }[link.kind]
        color = link.color or (BAR if link.kind == "bar" else LINE)
        return replace(link, width=width * self.unit, color=color)
