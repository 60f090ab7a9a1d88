"""Joints: one on a body as it is; several as one joint, without bodies between them, or a chain.

MuJoCo's chain of a body is  T = T_body J_1 J_2 ...  with every anchor and axis in the body's frame
at the reference positions qpos0, where all J are none. The frames of our joints coincide there, so
our coordinate is q - qpos0.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.importers.mjcf.chains import add_links
from dalembert.importers.mjcf.reading import Coordinate, Reading, Vector, matrix, tidy
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint

SAME = 1e-9
"""Distance of hinges, over the size of the joint, and sines, that are taken for zero."""


def add_joints(reading: Reading, data: Any) -> None:
    """The joints of all bodies, in MuJoCo's order."""
    m = reading.m
    for b in range(1, m.nbody):
        first = int(m.body_jntadr[b])
        own = list(range(first, first + int(m.body_jntnum[b])))
        if own:
            _Set(reading, b, own, data).add()


class _Set:
    """The joints of one body."""

    def __init__(self, reading: Reading, body: int, joints: list[int], data: Any) -> None:
        m, self.data = reading.m, data
        self.reading, self.body, self.joints = reading, body, joints
        self.kinds = [int(m.jnt_type[j]) for j in joints]
        self.slides = [j for j in joints if m.jnt_type[j] == SLIDE]
        self.hinges = [j for j in joints if m.jnt_type[j] == HINGE]
        self.balls = [j for j in joints if m.jnt_type[j] == BALL]
        self.axes = {j: _unit(m.jnt_axis[j]) for j in joints}

    def add(self) -> None:
        """Make the joint, and note where each of MuJoCo's coordinates is in it."""
        if FREE in self.kinds or self._leaves_all():
            self.reading.joints |= dict.fromkeys(self.joints)
            return
        if len(self.joints) == 1:
            self._add_one()
        else:
            self._add_several()

    def _leaves_all(self) -> bool:
        turns = 3 * len(self.balls) + len(self.hinges)
        simple = self.balls or not self._used(self.joints)
        return bool(len(self.slides) == 3 and turns == 3 and self._slides_first() and simple)

    def _slides_first(self) -> bool:
        return self.kinds == sorted(self.kinds, key=lambda kind: kind != SLIDE)

    def _slides_last(self) -> bool:
        return self.kinds == sorted(self.kinds, key=lambda kind: kind == SLIDE)

    # -- one -----------------------------------------------------------------------------------

    def _add_one(self) -> None:
        (j,) = self.joints
        self._add_simple(j, *self._frames(self.reading.m.jnt_pos[j]))

    def _add_simple(self, j: int, first: Any, second: Any) -> None:
        """A ball, hinge or slide between two frames."""
        axis, kind = _axis(self.axes[j]), int(self.reading.m.jnt_type[j])
        if kind == BALL:
            self._made(Spherical(first, second, name=self._name(j)), {}, of=[j])
        elif kind == HINGE:
            made: Any = Revolute(first, second, axis=axis, name=self._name(j))
            self._made(made, {j: "angle"}, of=[j])
        else:
            made = Prismatic(first, second, axis=axis, name=self._name(j))
            self._made(made, {j: "displacement"}, of=[j])

    def _add_chain(self) -> None:
        """One joint after the other, with small bodies between them (`chains`)."""
        m, b = self.reading.m, self.body
        places = add_links(self.reading, b, self.joints, self.data)
        turn = matrix(m.body_quat[b])
        for j, (before, after) in zip(self.joints, pairwise(places), strict=True):
            anchor = m.jnt_pos[j]
            if before is places[0]:
                first = before.at(m.body_pos[b] + turn @ anchor, tidy(turn))
            else:
                first = before.at(anchor)
            self._add_simple(j, first, after.at(anchor))

    # -- several -------------------------------------------------------------------------------

    def _add_several(self) -> None:
        mixed = not (self._slides_first() or self._slides_last())
        if (self.balls and self.hinges) or len(self.balls) > 1 or mixed:
            self._add_chain()
            return
        anchor = self._anchor()
        if anchor is None and len(self.joints) == 2 and not self.balls:
            self._add_apart()
            return
        if anchor is None:
            self._add_chain()
            return
        if len(self.hinges) == 1 and self.slides and self._add_familiar(anchor):
            return
        backwards = not self._slides_first()  # seen from the child the slides come first
        first, second = self._frames(anchor)
        hinges, slides = list(self.hinges), list(self.slides)
        if backwards:
            first, second = second, first
            hinges.reverse()
            slides.reverse()
        axes = [_axis(self.axes[j]) for j in hinges] or ["x", "y", "z"] * len(self.balls)
        try:
            joint = Compound(
                first,
                second,
                slides=[_axis(self.axes[j]) for j in slides],
                hinges=axes,
                name=self._name(*self.joints),
            )
        except ModelError as problem:
            self._refuse(str(problem))
        if not joint.has_angles and (self._acted_on(hinges) or self._held(hinges)):
            self._add_chain()  # its angles are no formulas
            return
        which: dict[int, str | int] = {j: k for k, j in enumerate(slides + hinges)}
        self._made(joint, which, -1.0 if backwards else 1.0)

    def _add_familiar(self, anchor: Vector) -> bool:
        """A cylindrical or planar joint, if that is what the slides and the hinge make."""
        (hinge,) = self.hinges
        u = self.axes[hinge]
        name = self._name(*self.joints)
        first, second = self._frames(anchor)
        if len(self.slides) == 1 and abs(u @ self.axes[self.slides[0]]) > 1.0 - SAME:
            (slide,) = self.slides
            made = Cylindrical(first, second, axis=_axis(u), name=name)
            self._made(made, {hinge: "angle"})
            self._note(slide, "displacement", 1.0 if u @ self.axes[slide] > 0 else -1.0)
            return True
        if len(self.slides) != 2 or self._used(self.slides):
            return False
        a, b = (self.axes[j] for j in self.slides)
        if max(abs(u @ a), abs(u @ b)) > SAME or np.linalg.norm(np.cross(a, b)) < SAME:
            return False
        self._made(Planar(first, second, axis=_axis(u), name=name), {hinge: "angle"})
        return True

    def _add_apart(self) -> None:
        """Two hinges, the frames put where they are nearest to each other."""
        one, two = self.hinges
        u1, u2 = self.axes[one], self.axes[two]
        p1, p2 = (np.array(self.reading.m.jnt_pos[j]) for j in (one, two))
        across = np.column_stack([u1, -u2])
        s1, s2 = np.linalg.lstsq(across, p2 - p1, rcond=None)[0]
        first, _ = self._frames(p1 + s1 * u1)
        _, second = self._frames(p2 + s2 * u2)
        joint = Compound(
            first,
            second,
            hinges=[_axis(u1), _axis(u2)],
            apart=tuple(p2 + s2 * u2 - p1 - s1 * u1),
            name=self._name(*self.joints),
        )
        self._made(joint, {one: 0, two: 1})

    def _used(self, joints: list[int]) -> bool:
        """Whether anything but the joint itself speaks of the coordinates of these joints."""
        dofs = [int(self.reading.m.jnt_dofadr[j]) for j in joints]
        return self._acted_on(joints) or any(self.reading.m.dof_armature[d] for d in dofs)

    def _acted_on(self, joints: list[int]) -> bool:
        """Whether springs, dampers, actuators or equations act along these joints."""
        m, mj = self.reading.m, self.reading.c.mj
        dofs = [int(m.jnt_dofadr[j]) for j in joints]
        named = {int(i) for i in m.wrap_objid[m.wrap_type == mj.mjtWrap.mjWRAP_JOINT]}
        for k in range(m.neq):
            if m.eq_type[k] == mj.mjtEq.mjEQ_JOINT:
                named |= {int(m.eq_obj1id[k]), int(m.eq_obj2id[k])}
        trn = (int(mj.mjtTrn.mjTRN_JOINT), int(mj.mjtTrn.mjTRN_JOINTINPARENT))
        for k in range(m.nactuator):
            if int(m.actuator_trntype[k]) in trn:
                named.add(int(m.actuator_trnid[k, 0]))
        return bool(
            any(m.jnt_stiffness[j] or j in named for j in joints)
            or any(m.dof_damping[d] for d in dofs)
        )

    def _held(self, joints: list[int]) -> bool:
        """Whether any of these joints has ends or dry friction."""
        m = self.reading.m
        dofs = [int(m.jnt_dofadr[j]) for j in joints]
        return any(m.jnt_limited[j] for j in joints) or any(m.dof_frictionloss[d] for d in dofs)

    def _anchor(self) -> Vector | None:
        """The point all hinges and balls go through; None where they do not meet."""
        m = self.reading.m
        turning = self.hinges + self.balls
        places = [np.array(m.jnt_pos[j]) for j in turning]
        if not places:
            return np.zeros(3)
        if all(np.array_equal(place, places[0]) for place in places):
            return places[0]
        if self.balls:
            return None
        across = [np.eye(3) - np.outer(self.axes[j], self.axes[j]) for j in turning]
        size = max(float(np.abs(places).max()), 1e-3)
        sides = [P @ p for P, p in zip(across, places, strict=True)]
        point, *_ = np.linalg.lstsq(np.vstack(across), np.concatenate(sides), rcond=None)
        away = [float(np.linalg.norm(P @ (point - p))) for P, p in zip(across, places, strict=True)]
        if max(away) > SAME * size:
            return None
        return np.asarray(point, dtype=float)

    # -- common --------------------------------------------------------------------------------

    def _frames(self, anchor: Any) -> tuple[Any, Any]:
        """The anchor on the parent and on the body, where they coincide at qpos0."""
        m, b = self.reading.m, self.body
        turn = matrix(m.body_quat[b])
        parent = self.reading.places[int(m.body_parentid[b])]
        first = parent.at(m.body_pos[b] + turn @ np.asarray(anchor), tidy(turn))
        return first, self.reading.places[b].at(anchor)

    def _name(self, *joints: int) -> str:
        given = [self.reading.c.mj.mj_id2name(self.reading.m, 3, j) for j in joints]
        if len(joints) == 1 and given[0]:
            made = self.reading.element_names.take(str(given[0]))
            if made != given[0]:
                self.reading.changed[str(given[0])] = made
            return made
        owner = self.reading.c.name("body", self.body)
        return self.reading.element_names.take(f"{owner}_joint")

    def _made(
        self,
        joint: Any,
        which: dict[int, str | int],
        sign: float = 1.0,
        of: list[int] | None = None,
    ) -> None:
        try:
            made: Joint = self.reading.model.add_joint(joint)
        except ModelError as problem:
            self._refuse(str(problem))
        self.reading.joints |= dict.fromkeys(self.joints if of is None else of, made)
        for j, coordinate in which.items():
            self._note(j, coordinate, sign)

    def _note(self, j: int, which: str | int, sign: float) -> None:
        m = self.reading.m
        zero = float(m.qpos0[m.jnt_qposadr[j]])
        joint = self.reading.joints[j]
        self.reading.coordinates[j] = Coordinate(joint, which, sign, zero)

    def _refuse(self, why: str) -> Any:
        c = self.reading.c
        names = ", ".join(f"'{c.name('joint', j)}'" for j in self.joints)
        raise c.refuse(f"body '{c.name('body', self.body)}' (joints {names}): {why}.")


def _unit(axis: Any) -> Vector:
    made: Vector = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return made


def _axis(unit: Vector) -> Any:
    """The name of a direction along a coordinate axis, which gives shorter rows and files."""
    k = int(np.argmax(np.abs(unit)))
    if abs(unit[k]) == 1.0:
        return ("-" if unit[k] < 0 else "") + "xyz"[k]
    return tuple(float(entry) for entry in unit)
