"""Slides and hinges in series at one point, as robot files have them: a hip of three hinges.

With the slides along a_i and the hinges about u_1, u_2, u_3, all in the axes of the first frame at
zero, the second frame stands at  sum s_i a_i,  R = R(u_1, q_1) R(u_2, q_2) R(u_3, q_3).  There are
no bodies between the hinges, so none needs a mass; what such a chain leaves free is told by the two
outer frames alone. Two hinges may also lie apart by o, the way from one to the other where they are
nearest: the second frame is then at  R(u_1, q_1) o.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import about, axis_frame, unit_vector
from dalembert.model.joints.compound_angles import ANGLES, along, angle_apart, rows_apart
from dalembert.model.joints.joint import (
    PairJoint,
    Pose,
    Twist,
    axis_text,
    lock,
    lock_labels,
    number,
    read_quantities,
)

Vector = npt.NDArray[np.float64]

DEPENDENT = 1e-6
"""Sine of the angle below which directions are taken for dependent."""

PERPENDICULAR = 1e-9
"""Cosine below which neighbouring hinges are at right angles."""


@dataclass(frozen=True, eq=False, repr=False)
class Compound(PairJoint):
    """Slides, then hinges through one point, one after the other.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    slides : list of at most 3 axes, each "x", "y", "z", "-x", ... or 3 numbers
        Independent directions along which the second origin moves, in the axes of the first frame.
    hinges : list of at most 3 axes
        In the order from the first body to the second, in the axes of the first frame at zero
        angles; neighbours are not parallel. Three hinges leave every rotation free, three slides
        every translation: such a joint has no rows, only coordinates for `CompoundSpring`.
    apart : 3 numbers  [m]
        Of exactly two hinges without slides: from the first to the second, at right angles to both,
        in the axes of the first frame at zero. The first hinge goes through the origin of the first
        frame, the second through that of the second.
    initial : numbers or formulas of parameters  [m], [rad]
        Displacements, then angles, at which the joint places a body that was given no position.
    initial_speed : the same  [m/s], [rad/s]
    name : str

    Notes
    -----
    The angles of three hinges have no value where the first and the third are parallel; the motion
    itself has no such places. `CompoundSpring` puts springs, dampers and motors into it.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("hip")
    >>> leg = model.add_body("leg", dl.Inertia.rod(mass=5.0, length=0.8, axis="z"))
    >>> hip = dl.Compound(model.world, leg.at(z=0.4), hinges=["x", "z", "y"], name="hip")
    >>> hip = model.add_joint(hip)
    >>> hip.row_labels, hip.coordinate_count
    (('translation x', 'translation y', 'translation z'), 3)
    """

    _: KW_ONLY
    slides: Any = ()
    hinges: Any = ()
    apart: tuple[float, ...] = (0.0, 0.0, 0.0)
    initial: tuple[Quantity, ...] = ()
    initial_speed: tuple[Quantity, ...] = ()

    free_rotations: ClassVar[int] = 3  # no z axis in common: nothing is concluded from it

    def read(self, findings: Findings) -> None:
        """Check axes and start."""
        for field in ("slides", "hinges"):
            given = getattr(self, field)
            axes = () if isinstance(given, str) or not np.iterable(given) else tuple(given)
            if isinstance(given, str) or len(axes) > 3:
                raise ModelError(f"{field} is {given!r:.60}. Give a list of at most 3 axes.")
            object.__setattr__(self, field, tuple(_axis(axis, field) for axis in axes))
        if not self.slides and not self.hinges:
            findings.append("has neither slides nor hinges. Give at least one.")
        for field in ("initial", "initial_speed"):
            if not np.size(getattr(self, field)):
                object.__setattr__(self, field, (0.0,) * self.coordinate_count)
            read_quantities(self, field, self.coordinate_count, findings)
        a = self._slide_axes
        if len(a) and np.linalg.svd(a, compute_uv=False)[-1] < DEPENDENT:
            findings.append("the slides are not independent. Leave one out.")
        self._read_apart(findings)
        u = self.hinge_axes
        for k in range(len(u) - 1 if not self.is_apart else 0):
            if np.linalg.norm(np.cross(u[k], u[k + 1])) < DEPENDENT:
                findings.append(f"hinges {k + 1} and {k + 2} are parallel. Keep one of them.")

    def _read_apart(self, findings: Findings) -> None:
        read_quantities(self, "apart", 3, findings)
        if not all(isinstance(entry, float) for entry in self.apart):
            raise ModelError("apart holds a formula. Give 3 numbers.")
        if not self.is_apart:
            return
        if len(self.hinges) != 2 or self.slides:
            raise ModelError("only two hinges without slides can be apart. Leave apart out.")
        lean = np.abs(self.hinge_axes @ _unit(np.array(self.apart))).max()
        if lean > DEPENDENT:
            findings.append(
                f"apart is not at right angles to the hinges (cosine {lean:.2g}). Put the frames "
                "where the hinges are nearest to each other."
            )

    @property
    def is_apart(self) -> bool:
        """True for two hinges that do not meet."""
        return any(entry != 0.0 for entry in self.apart)

    @cached_property
    def _is_parallel(self) -> bool:
        u = self.hinge_axes
        return self.is_apart and bool(np.linalg.norm(np.cross(u[0], u[1])) < DEPENDENT)

    @property
    def free_translations(self) -> int:  # type: ignore[override]
        """Directions in which the origins may move apart."""
        return len(self.slides) + self.is_apart

    @property
    def coordinate_count(self) -> int:
        """Displacements and angles."""
        return len(self.slides) + len(self.hinges)

    @property
    def has_angles(self) -> bool:
        """Whether the angles are formulas: of three hinges the middle one crosses the others."""
        u = self.hinge_axes
        return len(u) < 3 or bool(
            max(abs(u[0] @ u[1]), abs(u[1] @ u[2])) <= PERPENDICULAR
            and np.linalg.norm(np.cross(u[0], u[2])) > DEPENDENT
        )

    # -- directions ----------------------------------------------------------------------------

    @cached_property
    def _slide_axes(self) -> Vector:
        return np.array([unit_vector(axis, "") for axis in self.slides]).reshape(-1, 3)

    @cached_property
    def hinge_axes(self) -> Vector:
        """Unit vectors of the hinges in the axes of the first frame, one a row."""
        return np.array([unit_vector(axis, "") for axis in self.hinges]).reshape(-1, 3)

    @cached_property
    def across(self) -> Vector:
        """Orthonormal directions in which the second origin does not move, in the first frame."""
        a = self._slide_axes
        if not len(a):
            return np.eye(3)
        if len(a) == 1:  # as in `AxisJoint`, so that rows along coordinate axes stay short
            return axis_frame(a[0]).matrix.T[:2]
        return np.asarray(np.linalg.svd(a)[2][len(a) :])

    @cached_property
    def slide_duals(self) -> Vector:
        """Vectors g_i with g_i . a_k = (i == k), in the span of the slides."""
        made: Vector = np.zeros((0, 3))
        if self.slides:
            made = np.asarray(np.linalg.pinv(self._slide_axes).T, dtype=float)
        return made

    # -- equations -----------------------------------------------------------------------------

    def data(self) -> tuple[Quantity, ...]:
        """Components of the directions in the rows."""
        found: list[Any] = [] if not self.slides else [*self.across.ravel()]
        u = self.hinge_axes
        if self.is_apart:
            o = np.array(self.apart)
            found = [*u[0], *(axis_frame(u[1]).matrix.T[:2].ravel() if self._is_parallel else u[1])]
            found += [o @ o] if self._is_parallel else [u[0] @ u[1], o @ o]
        elif len(u) == 1:
            found += [*u[0], *axis_frame(u[0]).matrix.T[:2].ravel()]
        elif len(u) == 2:
            found += [*u.ravel(), u[0] @ u[1]]
        return tuple(float(entry) for entry in found)

    def structure(self) -> Hashable:
        """Counts of slides and hinges, and how two hinges lie to each other."""
        return (len(self.slides), len(self.hinges), self.is_apart, self._is_parallel)

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Origins apart along the slides only; rotations that the hinges do not make."""
        a, b = views
        d = b.origin - a.origin
        entries = iter(data)
        if self.is_apart:
            return rows_apart(a, b, d, entries, self._is_parallel)
        if self.slides:
            found = [dot(along(a, entries), d) for _ in range(3 - len(self.slides))]
        else:
            found = list(d)
        if not self.hinges:
            return [*found, *lock(a, b)]
        if len(self.hinges) == 1:
            axis = along(a, entries)
            return [*found, dot(axis, along(b, entries)), dot(axis, along(b, entries))]
        if len(self.hinges) == 2:
            first, second = along(a, entries), along(b, entries)
            found.append(dot(first, second) - next(entries))
        return found

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        if self.is_apart:
            return (
                "translation along the first hinge",
                "distance of the hinges",
                *(("rotation 1 across", "rotation 2 across") if self._is_parallel else ()),
                *(() if self._is_parallel else ("translation along the second hinge", "angle")),
            )
        if self.slides:
            moved: tuple[str, ...] = tuple(
                f"translation {i + 1} across the slides" for i in range(3 - len(self.slides))
            )
        else:
            moved = ("translation x", "translation y", "translation z")
        turned = {
            0: lock_labels(),
            1: ("rotation 1 across the hinge", "rotation 2 across the hinge"),
            2: ("rotation across the hinges",),
            3: (),
        }
        return moved + turned[len(self.hinges)]

    # -- coordinates ---------------------------------------------------------------------------

    def directions(self) -> tuple[float, ...]:
        """Numbers that `coordinate` needs, shared by all coordinates of the joint."""
        u = self.hinge_axes
        found: list[Any] = [*self.slide_duals.ravel()]
        if self.is_apart:
            o = np.array(self.apart)
            e = _unit(o)
            found = [*u.ravel(), *e, *np.cross(u[0], e), *e, *np.cross(u[1], e)]
            found += [u[0] @ u[1], o @ o]
        elif len(u) == 1:
            found += [*u[0], *axis_frame(u[0]).matrix.T[:2].ravel()]
        elif len(u) == 2:
            e = _unit(u[1] - (u[0] @ u[1]) * u[0])
            f = _unit(u[0] - (u[0] @ u[1]) * u[1])
            found += [*u.ravel(), *e, *np.cross(u[0], e), *f, *np.cross(u[1], f), u[0] @ u[1]]
        elif len(u) == 3:
            w = np.cross(u[0], u[1])
            s, c = u[2] @ u[0], u[2] @ w  # sine and cosine of beta,  u_3 = c w + s u_1
            g = c * u[0] - s * w
            sign = 1.0 if c > 0 else -1.0
            found += [*u[0], *u[2], *w, *u[1], *g, *np.cross(u[2], g), s, c, sign]
        return tuple(float(entry) for entry in found)

    def coordinate(
        self, index: int, views: Sequence[FrameView], data: Formulas
    ) -> tuple[Expression, npt.NDArray[Any], npt.NDArray[Any]]:
        """Displacement or angle, and the vectors g, h with  rate = g . v + h . w.

        v and w are those of the second frame seen from the first, in world components. An effort
        along the coordinate is the force  effort * g  at the second origin with the torque
        effort * h: it has no part in the other coordinates.
        """
        a, b = views[:2]
        nothing = np.full(3, ZERO, dtype=object)
        if self.is_apart:
            apart: tuple[Any, Any, Any] = angle_apart(index, a, b, iter(data))
            return apart
        if index < len(self.slides):
            dual = along(a, iter(data[3 * index :]))
            return dot(dual, b.origin - a.origin), dual, nothing
        entries, hinge = iter(data[3 * len(self.slides) :]), index - len(self.slides)
        angle, turn = ANGLES[len(self.hinges) - 1](hinge, a, b, entries)
        return angle, nothing, turn

    @property
    def named_parts(self) -> tuple[str, ...]:
        """Displacements and angles, numbered from 1."""
        slides = tuple(f"displacement_{k + 1}" for k in range(len(self.slides)))
        return (*slides, *(f"angle_{k + 1}" for k in range(len(self.hinges))))

    def named_part(self, name: str) -> Expression:
        """A displacement or an angle by name."""
        return self.value(self.named_parts.index(name))

    def value(self, index: int) -> Expression:
        """Displacement [m] or angle in (-pi, pi] [rad], as a formula of the motion.

        Parameters
        ----------
        index : int
            Slides come first, then hinges.
        """
        self.must_have(index)
        data = [lift(entry) for entry in self.directions()]
        return self.coordinate(index, self.views, data)[0]

    def must_have(self, index: Any) -> None:
        """Refuse a coordinate that is not there, or has no formula."""
        if not isinstance(index, int) or not 0 <= index < self.coordinate_count:
            raise ModelError(
                f"{self.title}: has no coordinate {index!r:.60}. Give 0 to "
                f"{self.coordinate_count - 1}: slides, then hinges."
            )
        if index >= len(self.slides) and not self.has_angles:
            raise ModelError(
                f"{self.title}: its hinges have no angles as formulas: the middle one is not at "
                "right angles to both others, or these are parallel at zero. Joint coordinates "
                "have them: dl.Tree, rollout."
            )

    # -- start ---------------------------------------------------------------------------------

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Displaced, then turned about one hinge after the other."""
        values = [number(entry, parameters) for entry in self.initial]
        R = np.eye(3)
        for axis, angle in zip(self.hinge_axes, values[len(self.slides) :], strict=True):
            R = R @ about(axis, angle)
        if self.is_apart:
            return about(self.hinge_axes[0], values[0]) @ np.array(self.apart), R
        return np.array(values[: len(self.slides)]) @ self._slide_axes, R

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Sliding, and turning about the hinges as they stand."""
        s = len(self.slides)
        values = [number(entry, parameters) for entry in self.initial]
        speeds = [number(entry, parameters) for entry in self.initial_speed]
        R, w = np.eye(3), np.zeros(3)
        for axis, angle, speed in zip(self.hinge_axes, values[s:], speeds[s:], strict=True):
            w = w + speed * (R @ axis)
            R = R @ about(axis, angle)
        if self.is_apart:
            u = self.hinge_axes[0]
            return speeds[0] * np.cross(u, about(u, values[0]) @ np.array(self.apart)), w
        return np.array(speeds[:s]) @ self._slide_axes, w

    def options(self) -> list[tuple[str, str]]:
        """The axes."""
        found = [
            (field, f"[{', '.join(axis_text(axis) for axis in getattr(self, field))}]")
            for field in ("slides", "hinges")
            if getattr(self, field)
        ]
        apart = f"({', '.join(f'{entry:g}' for entry in self.apart)})"
        return [*found, ("apart", apart)] if self.is_apart else found


# -- angles ----------------------------------------------------------------------------------------


def _axis(given: Any, field: str) -> Any:
    """A name as it is, numbers as a tuple."""
    try:
        unit_vector(given, "")
    except ModelError as problem:
        raise ModelError(f"{field}: {str(problem).removeprefix(': ')}") from None
    return given if isinstance(given, str) else tuple(float(entry) for entry in given)


def _unit(vector: Vector) -> Vector:
    made: Vector = vector / np.sqrt(vector @ vector)
    return made
