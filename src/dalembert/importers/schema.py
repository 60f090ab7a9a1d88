"""What a model file may contain; the published JSON schema is made from these classes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveFloat
from pydantic_core import PydanticCustomError

from dalembert._files import writing


def _formula(value: Any) -> Any:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if math.isfinite(value):
            return value
        raise PydanticCustomError("formula", "the number is not finite. Give a finite number")
    raise PydanticCustomError(
        "formula", "found {found}, expected a formula or a number", {"found": _kind(value)}
    )


def _number(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise PydanticCustomError(
        "number",
        "found {found}, expected a finite number (formulas of parameters go to 'definitions')",
        {"found": _kind(value)},
    )


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"{value!r:.60}"


Formula = Annotated[str | float, BeforeValidator(_formula), Field(examples=["x**2 + y**2 - l**2"])]
Number = Annotated[float, BeforeValidator(_number)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ParticleEntry(_Entry):
    """A point mass."""

    name: str = Field("particle", description="For reports.")
    mass: Formula = Field(description="A number or a formula of parameters [kg].")
    position: list[Formula] = Field(description="2 or 3 formulas of the coordinates [m].")


class BodyEntry(_Entry):
    """A rigid body: planar (`angle`), spatial (`rotation`) or free (`orientation`)."""

    name: str = Field("body", description="A free body's coordinates are name.x ... name.yaw.")
    mass: Formula = Field(description="A number or a formula of parameters [kg].")
    inertia: Formula | list[Formula] | list[list[Formula]] = Field(
        description="About the centre of mass: a number in the plane, 3 moments or a 3 x 3 matrix "
        "in space [kg m^2]."
    )
    position: list[Formula] | None = Field(
        None, description="Centre of mass, 2 or 3 formulas [m]; not for a free body."
    )
    angle: Formula | None = Field(None, description="Of a planar body [rad].")
    rotation: list[list[Formula]] | None = Field(
        None, description="Of a spatial body: 3 x 3 formulas, body to world."
    )
    orientation: Literal["roll-pitch-yaw"] | None = Field(
        None, description="Makes the body free, with six coordinates of its own."
    )
    center: list[Formula] | None = Field(
        None, description="Centre of mass of a free body in its own frame [m]."
    )


class BodyPoint(_Entry):
    """A point fixed to a free body."""

    body: str
    at: list[Formula] = Field(description="3 numbers or formulas of parameters, body axes [m].")


class SimulateEntry(_Entry):
    """How to run the model unless told otherwise."""

    until: PositiveFloat | None = Field(None, strict=False, description="End of the interval [s].")
    step: PositiveFloat | None = Field(None, strict=False, description="Step size [s].")
    method: str | None = Field(None, description="Enforcement method, e.g. 'projection'.")
    integrator: str | None = Field(None, description="Integrator, e.g. 'rk4'.")


class ModelEntry(_Entry):
    """A mechanical system with formulas.

    The dynamics are stated in one of three ways: `kinetic` (and `potential`), `mass` and `force`,
    or `particles` and `bodies`.
    """

    version: Literal[1] = Field(description="Version of this format.")
    name: str = "model"
    description: str | None = Field(None, description="For the reader; not used.")
    parameters: dict[str, Number] = Field({}, description="Name -> value.")
    coordinates: list[str] = Field([], description="Names; free bodies bring their own.")
    definitions: dict[str, Formula] = Field(
        {}, description="Name -> formula, usable in everything below it."
    )
    kinetic: Formula | None = Field(None, description="Kinetic energy [J].")
    potential: Formula | None = Field(None, description="Potential energy [J].")
    dissipation: Formula | None = Field(None, description="Rayleigh function, forces -dD/dv [W].")
    mass: list[list[Formula]] | None = Field(None, description="Mass matrix.")
    force: list[Formula] | None = Field(None, description="Right-hand side Q, or tau with `bias`.")
    bias: list[Formula] | None = Field(None, description="Coriolis terms, subtracted from force.")
    particles: list[ParticleEntry] = []
    bodies: list[BodyEntry] = []
    gravity: list[Formula] | None = Field(
        None, description="Of particles and bodies; default 9.81 along -y or -z [m/s^2]."
    )
    points: dict[str, list[Formula] | BodyPoint] = Field(
        {}, description="Points to draw; a point P can be used in formulas as P.x, P.y, P.z."
    )
    lines: list[list[str]] = Field([], description="Lines to draw, through named points.")
    forces: dict[str, Formula] = Field({}, description="Coordinate -> generalised force.")
    constraints: list[Formula | list[Formula]] | dict[str, Formula | list[Formula]] = Field(
        {}, description="Formulas that are zero, by name or as a list."
    )
    initial: dict[str, Formula] = Field(
        {}, description="x or x.dot -> number or formula of parameters; missing ones are 0."
    )
    simulate: SimulateEntry | None = None


def json_schema() -> dict[str, Any]:
    """JSON schema of model files, for editors.

    Examples
    --------
    >>> json_schema()["title"]
    'dalembert model, version 1'
    """
    schema = ModelEntry.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "dalembert model, version 1",
    }


def write_schema(path: str | Path) -> Path:
    """Write the JSON schema to a file; the documentation publishes it."""
    path = Path(path)
    with writing(path, "the schema") as file:
        file.write((json.dumps(json_schema(), indent=2) + "\n").encode())
    return path
