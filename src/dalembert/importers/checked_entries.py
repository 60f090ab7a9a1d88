"""The pieces model files are checked by: formulas, numbers, entries that know their keys."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError


def _formula(value: Any) -> Any:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if math.isfinite(value):
            return value
        raise PydanticCustomError("formula", "the number is not finite. Give a finite number")
    raise PydanticCustomError(
        "formula", "found {found}, expected a formula or a number", {"found": kind_of(value)}
    )


def _number(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise PydanticCustomError(
        "number",
        "found {found}, expected a finite number (formulas of parameters go to 'definitions')",
        {"found": kind_of(value)},
    )


def kind_of(value: Any) -> str:
    """A value as a message names it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"{value!r:.60}"


Formula = Annotated[str | float, BeforeValidator(_formula), Field(examples=["x**2 + y**2 - l**2"])]
Number = Annotated[float, BeforeValidator(_number)]


class Entry(BaseModel):
    """A mapping with known keys; others are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class TurnEntry(Entry):
    """A rotation about an axis."""

    axis: str | list[Formula] = Field(description="x, y, z, -x, -y, -z or 3 numbers.")
    angle: Formula = Field(description="Right-handed [rad].")


class AnglesEntry(Entry):
    """A rotation by angles."""

    roll_pitch_yaw: list[Formula] = Field(description="Rz(yaw) Ry(pitch) Rx(roll) [rad].")


RotationEntry = list[list[Formula]] | list[Formula] | TurnEntry | AnglesEntry


class FrameEntry(Entry):
    """A frame fixed to a body."""

    body: str = Field(description="Name of a body, or world.")
    at: list[Formula] | None = Field(None, description="Origin in body axes [m].")
    rotation: RotationEntry | None = Field(
        None, description="3 x 3, quaternion, axis and angle, or roll_pitch_yaw."
    )


class PlaceEntry(Entry):
    """A named frame on the body it stands under."""

    at: list[Formula] | None = Field(None, description="Origin in body axes [m].")
    rotation: RotationEntry | None = Field(
        None, description="3 x 3, quaternion, axis and angle, or roll_pitch_yaw."
    )


class TableEntry(Entry):
    """Measured values: linear between, constant beyond."""

    times: list[Number] = Field(description="Increasing [s].")
    values: list[Number]


class PartEntry(Entry):
    """A joint coordinate with its factor."""

    factor: Formula
    joint: str
    coordinate: str | None = Field(None, description="angle or displacement.")
