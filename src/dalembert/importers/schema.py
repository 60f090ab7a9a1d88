"""Contents of a model file; the published JSON schema is made from these classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PositiveFloat

from dalembert._files import writing
from dalembert.importers.checked_entries import Entry, Formula, Number, PlaceEntry, RotationEntry
from dalembert.importers.contact import CombineEntry, KeepAny, MaterialEntry, PairEntry
from dalembert.importers.elements import ForceEntry, JointEntry, SensorEntry
from dalembert.importers.shapes import DrawnEntry


class ParticleEntry(Entry):
    """A point mass."""

    name: str = Field("particle", description="For reports.")
    mass: Formula = Field(description="A number or a formula of parameters [kg].")
    position: list[Formula] = Field(description="2 or 3 formulas of the coordinates [m].")


class ShapeEntry(Entry):
    """Moments of inertia of a shape of uniform density, about its middle."""

    type: Literal["box", "rod", "sphere", "cylinder", "point"]
    size: list[Formula] | None = Field(None, description="Edges of a box along x, y, z [m].")
    length: Formula | None = Field(None, description="Of a rod or cylinder [m].")
    radius: Formula | None = Field(None, description="Of a sphere or cylinder [m].")
    axis: Literal["x", "y", "z"] | None = Field(
        None, description="Of a rod (default x) or cylinder (default z)."
    )


class BodyEntry(Entry):
    """A rigid body: free, or placed by formulas of `coordinates`.

    With `coordinates` in the file a body is planar (`angle`) or spatial (`rotation`) and placed by
    formulas; without, it is free, and position, rotation and velocities are those of the start.
    """

    name: str = Field("body", description="A free body's coordinates begin with it.")
    mass: Formula = Field(description="A number or a formula of parameters [kg].")
    inertia: Formula | list[Formula] | list[list[Formula]] | ShapeEntry = Field(
        description="About the centre of mass: a number in the plane, 3 moments, a 3 x 3 matrix "
        "or a shape in space [kg m^2]."
    )
    position: list[Formula] | None = Field(
        None, description="Centre of mass, 2 or 3 formulas; of a free body its frame at the start."
    )
    angle: Formula | None = Field(None, description="Of a planar body [rad].")
    rotation: RotationEntry | None = Field(
        None, description="Body to world: 3 x 3 formulas; of a free body at the start."
    )
    orientation: Literal["quaternion", "roll-pitch-yaw"] | None = Field(
        None, description="Coordinates of a free body's orientation; default quaternion."
    )
    center: list[Formula] | None = Field(
        None, description="Centre of mass of a free body in its own frame [m]."
    )
    velocity: list[Formula] | None = Field(
        None, description="Of a free body's frame at the start, world axes [m/s]."
    )
    angular_velocity: list[Formula] | None = Field(
        None, description="Of a free body at the start [rad/s]."
    )
    axes: Literal["world", "body"] | None = Field(
        None, description="Axes of angular_velocity; default world."
    )
    frames: dict[str, PlaceEntry] = Field(
        {}, description="Frames on a free body, by a name that joints and forces may use."
    )
    doubtful: bool = Field(
        False, description="Take moments of a free body that belong to no body as they are."
    )
    shapes: list[DrawnEntry] = Field([], description="What a free body looks like.")
    color: str | None = Field(None, description="Of a free body: #rrggbb, or red, blue, ...")


class BodyPoint(Entry):
    """A point fixed to a free body."""

    body: str
    at: list[Formula] = Field(description="3 numbers or formulas of parameters, body axes [m].")


class SimulateEntry(Entry):
    """How to run the model unless told otherwise."""

    until: PositiveFloat | None = Field(None, strict=False, description="End of the interval [s].")
    step: PositiveFloat | None = Field(None, strict=False, description="Step size [s].")
    method: str | None = Field(None, description="Enforcement method, e.g. 'projection'.")
    integrator: str | None = Field(None, description="Integrator, e.g. 'rk4'.")
    formulation: Literal["auto", "maximal", "generalized"] | None = Field(
        None, description="Coordinates of bodies or of joints."
    )
    mode: Literal["auto", "events", "stepping"] | None = Field(
        None, description="Contacts located in time, or met by steps."
    )
    rtol: PositiveFloat | None = Field(
        None, strict=False, description="Relative tolerance, without a step."
    )
    atol: PositiveFloat | None = Field(
        None, strict=False, description="Absolute tolerance, without a step."
    )


class UrdfEntry(Entry):
    """A robot's file, and how it is read."""

    file: str = Field(description="A .urdf file, from the folder of this file.")
    packages: dict[str, str] = Field(
        {}, description="Where package://name/... is, from the folder of this file."
    )
    initial: dict[str, Formula] = Field(
        {}, description="Joint -> where it starts [rad] or [m]; default 0."
    )
    merge: bool = Field(True, description="Make links that fixed joints connect one body.")
    massless: PositiveFloat | None = Field(
        None, strict=False, description="Mass given to links that move and have none [kg]."
    )
    meshes: bool = Field(True, description="Read the files of meshes, for drawing and contact.")
    contact: bool = Field(True, description="Take <collision> over.")
    self_collision: bool = Field(False, description="Let the robot's links touch each other.")
    material: str | None = Field(None, description="Of its shapes: one of `materials`.")
    strict: bool = Field(False, description="Refuse the file when anything in it is lost.")


class LimitsEntry(Entry):
    """Limits that a joint is built for; it stops at its ends, the rest is data."""

    lower: Number | None = Field(None, description="[rad] or [m]")
    upper: Number | None = Field(None, description="[rad] or [m]")
    effort: Number | None = Field(None, description="[N m] or [N]")
    velocity: Number | None = Field(None, description="[rad/s] or [m/s]")
    restitution: Number | None = Field(None, description="At the ends, 0 to 1.")
    stiffness: Number | None = Field(None, description="Of soft ends; default rigid.")
    damping: Number | None = Field(None, description="Beside a stiffness.")
    frequency: Number | None = Field(None, description="Instead of a stiffness [Hz].")
    damping_ratio: Number | None = Field(None, description="Beside a frequency; default 1.")


class ModelEntry(Entry):
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
    particles: list[ParticleEntry] = Field([], description="Point masses placed by formulas.")
    bodies: list[BodyEntry] = Field([], description="Rigid bodies.")
    urdf: str | UrdfEntry | None = Field(
        None, description="A robot's file whose links are bodies; the rest of this file adds to it."
    )
    base: Literal["fixed", "floating"] | None = Field(
        None, description="Whether the robot's root is part of the world (default) or free."
    )
    gravity: list[Formula] | None = Field(
        None, description="Of particles and bodies; default 9.81 along -y or -z [m/s^2]."
    )
    points: dict[str, list[Formula] | BodyPoint] = Field(
        {}, description="Points to draw; a point P can be used in formulas as P.x, P.y, P.z."
    )
    lines: list[list[str]] = Field([], description="Lines to draw, through named points.")
    frames: dict[str, PlaceEntry] = Field({}, description="Frames of the world, by name.")
    shapes: list[DrawnEntry] = Field([], description="Shapes on the world, for models of bodies.")
    materials: dict[str, MaterialEntry] = Field({}, description="Name -> surface of shapes.")
    contacts: list[PairEntry] = Field([], description="What holds for pairs; the last one counts.")
    combine: CombineEntry | None = Field(None, description="How two materials make one contact.")
    joints: dict[str, JointEntry] = Field({}, description="Name -> joint between bodies.")
    loops: dict[str, JointEntry] = Field(
        {}, description="The same, for joints that close the tree of a robot."
    )
    limits: dict[str, LimitsEntry] = Field(
        {}, description="Joint -> what it is built for; it stops at its ends."
    )
    armature: dict[str, list[Number]] = Field(
        {}, description="Joint -> inertia of its drive along each coordinate, for dl.Tree."
    )
    forces: dict[str, Formula | ForceEntry] = Field(
        {}, description="Name -> force on bodies, or coordinate -> generalised force."
    )
    sensors: dict[str, SensorEntry] = Field(
        {}, description="Name -> sensor; a signal is used in formulas as name.signal."
    )
    constraints: list[Formula | list[Formula]] | dict[str, Formula | list[Formula]] = Field(
        {}, description="Formulas that are zero, by name or as a list."
    )
    keep: dict[str, KeepAny] = Field(
        {}, description="Name -> formulas that stay positive (y >= 0), cables and stops."
    )
    initial: dict[str, Formula | list[Formula]] = Field(
        {},
        description="x or x.dot -> number or formula of parameters; missing ones are 0. Of bodies "
        "also trunk.z, trunk.roll, trunk.position: [x, y, z]; of joints knee.angle.",
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
