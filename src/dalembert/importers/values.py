"""Kinds of values in the options of joints and forces: how each stands in a file.

`read` turns what the file holds into what the class takes, `write` the other way. A formula in a
file names the symbols of a body as ``ship.x``, ``ship.R01``, ``ship.wx``, ``ship.qw``
(`formula_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dalembert.errors import DalembertError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.importers.checked_entries import (
    AnglesEntry,
    Formula,
    FrameEntry,
    PartEntry,
    RotationEntry,
    TableEntry,
    TurnEntry,
)
from dalembert.importers.formula_text import number_of, text_of
from dalembert.importers.source import Place, shown
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.rotation import Rotation, as_rotation
from dalembert.model.forces.formula_frames import EXTENSION, RATE
from dalembert.model.forces.table import table
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.point_on_curve import PLACE

if TYPE_CHECKING:
    from dalembert.importers.bodies import BodyReading


class Value:
    """One kind of value."""

    annotation: Any = str
    meaning: str = ""

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        """The value that the class takes."""
        return given

    def write(self, value: Any) -> Any:
        """The value that the file holds."""
        return value


class _Text(Value):
    annotation = str
    meaning = "One of a few words."


class _Quantity(Value):
    annotation = Formula
    meaning = "A number or a formula of parameters."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return reading.formula(given, place)

    def write(self, value: Any) -> Any:
        return number_of(value)


@dataclass(frozen=True)
class Several(Value):
    """A fixed count of numbers or formulas of parameters."""

    count: int
    annotation: Any = field(default=list[Formula], init=False)

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """For the schema."""
        return f"{self.count} numbers or formulas of parameters."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        """A list of formulas."""
        return reading.formulas(given, place, self.count)

    def write(self, value: Any) -> Any:
        """A list of numbers or texts."""
        return [number_of(entry) for entry in value]


class _Formula(Value):
    annotation = Formula | TableEntry
    meaning = "A number, a formula, or a table of times and values."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        if not isinstance(given, TableEntry):
            return reading.formula(given, place)
        try:
            return table(given.times, given.values)
        except DalembertError as problem:
            reading.source.refuse(place, str(problem))

    def write(self, value: Any) -> Any:
        return number_of(value)


@dataclass(frozen=True)
class Formulas(Value):
    """A fixed count of formulas."""

    count: int
    annotation: Any = field(default=list[Formula | TableEntry], init=False)

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """For the schema."""
        return f"{self.count} numbers, formulas or tables."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        """A list of formulas."""
        if len(given) != self.count:
            reading.source.refuse(
                place, f"{shown(place)} has {len(given)} entries, expected {self.count}."
            )
        return [FORMULA.read(reading, entry, (*place, i)) for i, entry in enumerate(given)]

    def write(self, value: Any) -> Any:
        """A list of numbers or texts."""
        return [number_of(entry) for entry in value]


@dataclass(frozen=True)
class Law(Value):
    """A formula of symbols that stand for something: extension and rate, or speed."""

    names: tuple[str, ...]
    annotation: Any = field(default=Formula, init=False)

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """For the schema."""
        return f"A formula of {' and '.join(self.names)}."

    @property
    def stands_for(self) -> dict[str, Expression]:
        """Symbols by their name in the file."""
        own = (EXTENSION, RATE) if len(self.names) == 2 else (RATE,)
        return dict(zip(self.names, own, strict=True))

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        """The formula with its symbols."""
        return reading.formula(given, place, self.stands_for)

    def write(self, value: Any) -> Any:
        """The formula as text."""
        return text_of(value, {symbol: name for name, symbol in self.stands_for.items()})


class _Curve(Value):
    annotation = list[Formula]
    meaning = "2 formulas of x, y, z that vanish on the curve, 1 for a surface."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        axes = dict(zip("xyz", PLACE, strict=True))
        return [reading.formula(text, (*place, i), axes) for i, text in enumerate(given)]

    def write(self, value: Any) -> Any:
        return [text_of(row, dict(zip(PLACE, "xyz", strict=True))) for row in value]


class _Axis(Value):
    annotation = str | list[Formula]
    meaning = "x, y, z, -x, -y, -z or 3 numbers."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return given if isinstance(given, str) else reading.numbers(given, place, 3)

    def write(self, value: Any) -> Any:
        return value if isinstance(value, str) else [float(entry) for entry in value]


class _Axes(Value):
    annotation = list[str | list[Formula]]
    meaning = "A list of axes, each x, y, z, -x, -y, -z or 3 numbers."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return [AXIS.read(reading, axis, (*place, i)) for i, axis in enumerate(given)]

    def write(self, value: Any) -> Any:
        return [AXIS.write(axis) for axis in value]


class _Numbers(Value):
    annotation = list[Formula]
    meaning = "Numbers or formulas of parameters, one for each coordinate."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return reading.formulas(given, place, len(given))

    def write(self, value: Any) -> Any:
        return [number_of(entry) for entry in value]


class _Count(Value):
    annotation = int
    meaning = "A number, counted from 0."


class _Rotation(Value):
    annotation = RotationEntry
    meaning = "3 x 3, quaternion, axis and angle, or roll_pitch_yaw."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        try:
            if isinstance(given, TurnEntry):
                (angle,) = reading.numbers([given.angle], (*place, "angle"), 1)
                return Rotation.about(AXIS.read(reading, given.axis, (*place, "axis")), angle)
            if isinstance(given, AnglesEntry):
                angles = reading.numbers(given.roll_pitch_yaw, (*place, "roll_pitch_yaw"), 3)
                return Rotation.from_roll_pitch_yaw(*angles)
            if given and isinstance(given[0], list):
                rows = [reading.numbers(row, (*place, i), 3) for i, row in enumerate(given)]
                return Rotation.from_matrix(rows)
            if len(given) == 3:
                reading.source.refuse(
                    place,
                    f"{shown(place)} has 3 numbers. Angles are written {{roll_pitch_yaw: [0, 0,"
                    " 0.3]}, in radians; a quaternion has 4 numbers.",
                )
            return Rotation.from_quaternion(reading.numbers(given, place, 4))
        except ModelError as problem:
            reading.source.refuse(place, str(problem))

    def write(self, value: Any) -> Any:
        """The shortest way that gives the same bits."""
        rotation = as_rotation(value)
        quaternion = [float(entry) for entry in rotation.quaternion]
        if Rotation.from_quaternion(quaternion) == rotation:
            return quaternion
        return [[float(entry) for entry in row] for row in rotation.matrix]


class _Frame(Value):
    annotation = str | FrameEntry
    meaning = "A body, body/frame, world, or a mapping with body, at, rotation."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return given if isinstance(given, str) else reading.frame(given, place)

    def write(self, value: Any) -> Any:
        assert isinstance(value, Frame)
        if value.name is not None:
            return f"{value.body.name}/{value.name}"
        data = place_of(value)
        return {"body": value.body.name, **data} if data else value.body.name


class _Frames(_Frame):
    annotation = list[str | FrameEntry]
    meaning = "A list of bodies, body/frame, or mappings with body, at, rotation."

    def read(self, reading: BodyReading, given: Any, place: Place) -> Any:
        return [super(_Frames, self).read(reading, x, (*place, i)) for i, x in enumerate(given)]

    def write(self, value: Any) -> Any:
        return [super(_Frames, self).write(frame) for frame in value]


class _Joint(Value):
    annotation = str
    meaning = "Name of a joint above."

    def write(self, value: Any) -> Any:
        return value.name


class _Actuator(_Joint):
    meaning = "Name of an actuator among the forces."


class _JointOrFrame(_Frame):
    annotation = str | FrameEntry
    meaning = "Name of a joint above, a body, body/frame, or a mapping with body, at, rotation."

    def write(self, value: Any) -> Any:
        return value.name if isinstance(value, Joint) else super().write(value)


class _Parts(Value):
    annotation = list[PartEntry]
    meaning = "Joint coordinates and their factors."

    def read(self, reading: BodyReading, given: Sequence[PartEntry], place: Place) -> Any:
        return [
            (reading.formula(part.factor, (*place, i, "factor")), part.joint, part.coordinate)
            for i, part in enumerate(given)
        ]

    def write(self, value: Any) -> Any:
        return [
            {"factor": number_of(factor), "joint": joint.name, "coordinate": which}
            for factor, joint, which in value
        ]


def place_of(frame: Frame) -> dict[str, Any]:
    """`at` and `rotation` of a frame, as far as they are not those of its body."""
    data: dict[str, Any] = {}
    if any(not (isinstance(entry, float) and entry == 0.0) for entry in frame.offset):
        data["at"] = [number_of(entry) for entry in frame.offset]
    if not frame.orientation.is_identity:
        data["rotation"] = ROTATION.write(frame.orientation)
    return data


TEXT = _Text()
QUANTITY = _Quantity()
FORMULA = _Formula()
CURVE = _Curve()
AXIS = _Axis()
AXES = _Axes()
NUMBERS = _Numbers()
COUNT = _Count()
ROTATION = _Rotation()
FRAME = _Frame()
FRAMES = _Frames()
JOINT = _Joint()
ACTUATOR = _Actuator()
JOINT_OR_FRAME = _JointOrFrame()
PARTS = _Parts()
