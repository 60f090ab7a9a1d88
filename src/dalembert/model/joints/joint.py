"""The common part of joints: frames, an axis, a name, and how they place a body at the start.

A joint is its equation. A subclass states `rows` as formulas of its frames; if it has coordinates
(angle, displacement) it also says where its second frame stands for given values of them, so that
bodies can be placed by their joints.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.formulas import orientation
from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.functions import arctan2
from dalembert.model.basics.constraint import ConstraintForce
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.limits import Limit, beyond
from dalembert.model.basics.named import Named
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import QUATERNION
from dalembert.model.basics.rotation import IDENTITY, Rotation, axis_frame, unit_vector
from dalembert.model.joints.references import References

Pose = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""Origin and axes (columns) of the second frame, seen in the first."""

Twist = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""Velocity of the second frame's origin and angular velocity relative to the first, its axes."""

NOTHING = np.zeros(3)


@dataclass(frozen=True, eq=False, repr=False)
class Joint(Named, ABC):
    """A connection of bodies.

    Parameters
    ----------
    name : str
        For reports and results; by default numbered, "revolute1".
    """

    coordinates: ClassVar[tuple[str, ...]] = ()
    """Joint coordinates that can be read, driven and coupled: "angle", "displacement"."""
    free_translations: ClassVar[int] = 0
    """Directions in which the origins may move apart; bodies are placed by tight joints first."""
    free_rotations: ClassVar[int] = 3
    """Relative rotations the rows leave; one is about the z axis of both frames."""
    counts_turns: ClassVar[bool] = False
    """True when the rows contain angles beyond half a turn."""
    positive: ClassVar[tuple[str, ...]] = ()
    """Options that must stay positive whatever values parameters take."""

    # -- connection ----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """``joint 'elbow'``, as messages begin."""
        return f"joint '{self.name}'" if self.name else f"{self.kind} joint"

    @abstractmethod
    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the joint with a name, between frames of the model."""

    @property
    @abstractmethod
    def frames(self) -> tuple[Frame, ...]:
        """The frames the rows are about."""

    @property
    def views(self) -> list[FrameView]:
        """The frames as formulas of the motion."""
        return [frame.view for frame in self.frames]

    @property
    def is_maximal(self) -> bool:
        """True between bodies with quaternions, whose turns are counted."""
        kinds = {getattr(frame.body, "orientation", QUATERNION) for frame in self.frames}
        return kinds == {QUATERNION}

    @property
    def force(self) -> ConstraintForce:
        """The multipliers of this joint, as a signal to read or plot."""
        return ConstraintForce(self.name)

    # -- equations -----------------------------------------------------------------------------

    def data(self) -> tuple[Quantity, ...]:
        """Numbers, or formulas of parameters, that the rows contain."""
        return ()

    def structure(self) -> Hashable:
        """Whatever else distinguishes the rows from those of another joint of the kind."""
        return ()

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """Angles, in (-pi, pi], whose full turns are counted during a run."""
        return []

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Position residuals Phi."""
        return []

    def velocity_rows(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> list[Expression]:
        """Velocity residuals psi."""
        return []

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents: position rows, then velocity rows."""
        return ()

    @property
    def row_names(self) -> tuple[str, ...]:
        """``elbow: rotation about x``, one for each row."""
        return tuple(f"{self.name}: {label}" for label in self.row_labels)

    def formulas(self) -> tuple[list[Expression], list[Expression]]:
        """Position and velocity rows as formulas of the motion, before any turn is counted."""
        views, data = self.views, [lift(entry) for entry in self.data()]
        turns = [ZERO] * len(self.angles(views))
        return self.rows(views, data, turns), self.velocity_rows(views, data, turns)

    def __len__(self) -> int:
        return len(self.row_labels)

    def __bool__(self) -> bool:
        return True

    # -- start ---------------------------------------------------------------------------------

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """The second frame in the first at the start; None when the joint does not say."""
        return None

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Motion of the second frame seen from the first at the start; None as above."""
        return None

    @property
    def named_parts(self) -> tuple[str, ...]:
        """Coordinates that are known by name: read as ``elbow.angle``, and set at the start."""
        return self.coordinates

    def named_part(self, name: str) -> Expression:
        """The formula of one of `named_parts`."""
        found: Expression = getattr(self, name)
        return found

    def started(
        self, part: str, value: Quantity | None = None, speed: Quantity | None = None
    ) -> Self:
        """A copy of the joint with another start of one of its `named_parts`; None leaves it."""
        changed: dict[str, Any] = {}
        for field, new in (("initial", value), ("initial_speed", speed)):
            if new is not None:
                old = getattr(self, field)
                if isinstance(old, tuple):
                    k = self.named_parts.index(part)
                    changed[field] = (*old[:k], new, *old[k + 1 :])
                else:
                    changed[field] = new
        return replace(self, **changed)

    # -- telling -------------------------------------------------------------------------------

    @property
    def ends(self) -> tuple[Any, ...]:
        """The parts that the joint connects, as shown first."""
        return ()

    def __repr__(self) -> str:
        ends = ", ".join(end_text(end) for end in self.ends)
        options = "".join(f", {key}={value}" for key, value in self.options())
        return f"{type(self).__name__}({ends}{options}, name={self.name!r})"

    def options(self) -> list[tuple[str, str]]:
        """Options to be shown, as text."""
        return []


@dataclass(frozen=True, eq=False, repr=False)
class PairJoint(Joint):
    """A joint of two frames.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
        A body stands for its own frame.
    """

    first: Any
    second: Any

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the joint with a name, between frames of the model."""
        element = f"joint '{name}'"
        first = names.frame(self.first, element, findings)
        second = names.frame(self.second, element, findings)
        if first is not None and second is not None and first.body is second.body:
            findings.add(
                element, f"both its frames are on '{first.body.name}'. Join two different bodies."
            )
        return replace(self, first=first, second=second, name=name)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The joint frames: those given, turned so that z is the joint's axis."""
        if not (isinstance(self.first, Frame) and isinstance(self.second, Frame)):
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_joint returns.")
        return (self.first.turned(self.turn), self.second.turned(self.turn))

    @property
    def turn(self) -> Rotation:
        """How both frames are turned; none unless the joint has an axis."""
        return IDENTITY

    @property
    def ends(self) -> tuple[Any, ...]:
        """The two frames."""
        return (self.first, self.second)


@dataclass(frozen=True, eq=False, repr=False)
class AxisJoint(PairJoint):
    """A joint along an axis: z of both joint frames.

    Parameters
    ----------
    axis : "x", "y", "z", "-x", ... or 3 numbers
        In the axes of the first frame at zero joint coordinate.
    """

    _: KW_ONLY
    axis: Any = "z"

    def read(self, findings: Findings) -> None:
        """Turn the axis into a direction."""
        read_axis(self.axis)

    @cached_property
    def turn(self) -> Rotation:
        """Rotation from the frames as given to the joint frames."""
        return axis_frame(unit_vector(self.axis, ""))

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of x, y, z of the joint frame: by the axes of the first frame if along them."""
        return axis_names(self.turn)

    def options(self) -> list[tuple[str, str]]:
        """The axis."""
        return [("axis", axis_text(self.axis))]


def axis_names(turn: Rotation) -> tuple[str, ...]:
    """Names of turned axes: x, y, z where they only changed places, else those of the joint."""
    largest = [int(np.argmax(np.abs(column))) for column in turn.matrix.T]
    if all(abs(turn.matrix[k, i]) == 1.0 for i, k in enumerate(largest)):
        return tuple("xyz"[k] for k in largest)
    return tuple(f"{axis} of the joint" for axis in "xyz")


def axis_text(axis: Any) -> str:
    """An axis as it was given."""
    if isinstance(axis, str):
        return repr(axis)
    return f"({', '.join(f'{float(entry):g}' for entry in axis)})"


# -- rows that joints are made of (equations 5) ----------------------------------------------------


def point(a: FrameView, b: FrameView) -> list[Expression]:
    """p_A - p_B: the origins coincide."""
    return list(a.origin - b.origin)


def parallel(a: FrameView, b: FrameView) -> list[Expression]:
    """z_A . x_B and z_A . y_B: the z axes are parallel; of full rank wherever they are."""
    return [dot(a.z, b.x), dot(a.z, b.y)]


def lock(a: FrameView, b: FrameView) -> list[Expression]:
    """x_A . y_B, y_A . z_B, z_A . x_B: all axes are parallel."""
    return [dot(a.x, b.y), dot(a.y, b.z), dot(a.z, b.x)]


def slides(a: FrameView, b: FrameView) -> list[Expression]:
    """x_A . d and y_A . d, d = p_B - p_A: the second origin stays on the first z axis."""
    d = b.origin - a.origin
    return [dot(a.x, d), dot(a.y, d)]


def angle_about_z(a: FrameView, b: FrameView) -> Expression:
    """Angle of x_B about z_A from x_A, in (-pi, pi]."""
    return arctan2(dot(a.y, b.x), dot(a.x, b.x))  # type: ignore[no-any-return]


def along_z(a: FrameView, b: FrameView) -> Expression:
    """z_A . (p_B - p_A)."""
    return dot(a.z, b.origin - a.origin)


POINT_LABELS = ("translation x", "translation y", "translation z")


def parallel_labels(names: Sequence[str] = "xyz") -> tuple[str, ...]:
    """Words for the motions that the rows of `parallel` prevent."""
    return (f"rotation about {names[1]}", f"rotation about {names[0]}")


def lock_labels(names: Sequence[str] = "xyz") -> tuple[str, ...]:
    """Words for the motions that the rows of `lock` prevent."""
    return (f"rotation about {names[2]}", *reversed(parallel_labels(names)))


def slide_labels(names: Sequence[str] = "xyz") -> tuple[str, ...]:
    """Words for the motions that the rows of `slides` prevent."""
    return (f"translation along {names[0]}", f"translation along {names[1]}")


def counted(joint: Joint, raw: Expression) -> Expression:
    """An angle with its full turns; without quaternions nobody counts them."""
    return raw + orientation.turns(joint.name) if joint.is_maximal else raw


# -- reading options -------------------------------------------------------------------------------


def read_axis(given: Any) -> None:
    """Raise for what is no direction; the message is a sentence without a subject."""
    try:
        unit_vector(given, "")
    except ModelError as problem:
        raise ModelError(str(problem).removeprefix(": ")) from None


def read_quantity(joint: Any, field: str, findings: Findings, *, positive: str = "") -> Quantity:
    """One number or formula of parameters of an element, stored as such."""
    quantity = as_quantity(getattr(joint, field), field, findings)
    object.__setattr__(joint, field, quantity)
    number = value_of(quantity)
    if positive and number is not None and number <= 0.0:
        findings.append(f"{field} is {number:g}. Give {positive}.")
    return quantity


def positive_findings(element: Any, parameters: Mapping[str, float]) -> list[str]:
    """Reasons why the given parameter values are impossible."""
    return beyond(positive_limits(element), parameters)


def positive_limits(element: Any) -> list[Limit]:
    """Bounds of the numbers of an element that must be positive."""
    return [
        Limit(quantity, f"{field} is {{x}}. Give a positive number.", strict=True).of(element.title)
        for field in element.positive
        if (quantity := getattr(element, field)) is not None
    ]


def read_quantities(joint: Any, field: str, size: int, findings: Findings) -> None:
    """Several numbers or formulas of parameters of an element, stored as a tuple."""
    given = getattr(joint, field)
    entries = list(given) if isinstance(given, tuple | list | np.ndarray) else []
    if len(entries) != size:
        findings.append(f"{field} is {given!r:.60}. Give {size} numbers.")
        entries = [0.0] * size
    object.__setattr__(
        joint,
        field,
        tuple(as_quantity(entry, f"{field}[{i}]", findings) for i, entry in enumerate(entries)),
    )


def number(quantity: Quantity, parameters: Mapping[str, float]) -> float:
    """Value at the start; a formula that has none counts as 0 and is found by `check`."""
    return value_of(quantity, parameters) or 0.0


def end_text(end: Any) -> str:
    """A frame, a body, a joint or a name, shown shortly."""
    if isinstance(end, Joint):
        return repr(end.name)
    return end.label if isinstance(end, Frame) else repr(end)
