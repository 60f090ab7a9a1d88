"""Joints and forces in model files: which keys each has, and how a key is read and written.

One table for all of it. The schema, the reader and the writer are made from it, so that they cannot
differ; the meaning of an option is in the class it belongs to.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BaseModel, Field, create_model

from dalembert.importers import values as v
from dalembert.importers.checked_entries import Entry
from dalembert.model.basics.named import snake_case
from dalembert.model.forces import FORCES
from dalembert.model.joints import JOINTS
from dalembert.model.one_sided.cable import Cable
from dalembert.model.one_sided.law import LAW_FIELDS
from dalembert.model.one_sided.stop import Stop
from dalembert.model.sensors import SENSORS


@dataclass(frozen=True)
class Kind:
    """A kind of element: its class, and the kind of value of every option."""

    made: type[Any]
    options: Mapping[str, v.Value]

    @property
    def tag(self) -> str:
        """Name that `type` gives to the kind."""
        return snake_case(self.made.__name__)

    def default(self, option: str) -> Any:
        """The default of an option; MISSING when it must be given."""
        (field,) = (f for f in dataclasses.fields(self.made) if f.name == option)
        return field.default

    def entry(self) -> type[BaseModel]:
        """The keys of this kind, for checking and for the published schema."""
        fields: dict[str, Any] = {
            "type": (Literal[self.tag], Field(description="Kind of the element."))
        }
        for option, value in self.options.items():
            if self.default(option) is dataclasses.MISSING:
                fields[option] = (value.annotation, Field(description=value.meaning))
            else:
                fields[option] = (
                    value.annotation | None,
                    Field(None, description=value.meaning),
                )
        made = create_model(f"{self.made.__name__}Entry", __base__=Entry, **fields)
        made.__doc__ = (self.made.__doc__ or "").strip().splitlines()[0]
        return made


KEEPS: dict[str, type[Any]] = {"Cable": Cable, "Stop": Stop}
ENDS = {"first": v.FRAME, "second": v.FRAME}
LENGTHS = {"initial": v.QUANTITY, "initial_speed": v.QUANTITY}
LAW = v.Law(("extension", "rate"))
ACTUATOR = {
    "command": v.FORMULA,
    "gear": v.QUANTITY,
    "limits": v.Several(2),
    "command_limits": v.Several(2),
    "coordinate": v.TEXT,
}

_JOINTS: dict[str, dict[str, v.Value]] = {
    "Revolute": {**ENDS, "axis": v.AXIS, **LENGTHS},
    "Prismatic": {**ENDS, "axis": v.AXIS, **LENGTHS},
    "Cylindrical": {**ENDS, "axis": v.AXIS, "initial": v.Several(2), "initial_speed": v.Several(2)},
    "Spherical": {**ENDS, "initial": v.ROTATION, "initial_speed": v.Several(3)},
    "Fixed": {**ENDS},
    "Universal": {
        **ENDS,
        "axis": v.AXIS,
        "second_axis": v.AXIS,
        "initial": v.Several(2),
        "initial_speed": v.Several(2),
    },
    "Planar": {**ENDS, "axis": v.AXIS, "initial": v.Several(3), "initial_speed": v.Several(3)},
    "Compound": {
        **ENDS,
        "slides": v.AXES,
        "hinges": v.AXES,
        "apart": v.Several(3),
        "initial": v.NUMBERS,
        "initial_speed": v.NUMBERS,
    },
    "Screw": {**ENDS, "axis": v.AXIS, "pitch": v.QUANTITY, **LENGTHS},
    "Distance": {**ENDS, "length": v.QUANTITY},
    "ConstantVelocity": {**ENDS, "axis": v.AXIS},
    "PointOnLine": {**ENDS, "axis": v.AXIS},
    "PointOnPlane": {**ENDS, "axis": v.AXIS},
    "PointOnCurve": {**ENDS, "curve": v.CURVE},
    "Rolling": {**ENDS, "radius": v.QUANTITY, "normal": v.AXIS, "axis": v.AXIS},
    "Gear": {"first": v.JOINT, "second": v.JOINT, "ratio": v.QUANTITY, "offset": v.QUANTITY},
    "RackPinion": {
        "pinion": v.JOINT,
        "rack": v.JOINT,
        "radius": v.QUANTITY,
        "offset": v.QUANTITY,
    },
    "Coupler": {"parts": v.PARTS, "offset": v.QUANTITY},
    "Motion": {"target": v.JOINT_OR_FRAME, "value": v.FORMULA, "coordinate": v.TEXT},
}
_FORCES: dict[str, dict[str, v.Value]] = {
    "Force": {"frame": v.FRAME, "value": v.Formulas(3), "axes": v.TEXT},
    "Torque": {"frame": v.FRAME, "about": v.AXIS, "value": v.FORMULA, "axes": v.TEXT},
    "Spring": {
        **ENDS,
        "free_length": v.QUANTITY,
        "stiffness": v.QUANTITY,
        "damping": v.QUANTITY,
        "law": LAW,
    },
    "TorsionSpring": {
        "first": v.JOINT_OR_FRAME,
        "second": v.FRAME,
        "free_angle": v.QUANTITY,
        "stiffness": v.QUANTITY,
        "damping": v.QUANTITY,
        "law": LAW,
        "axis": v.AXIS,
    },
    "Bushing": {**ENDS, "stiffness": v.Several(6), "damping": v.Several(6)},
    "CompoundSpring": {
        "joint": v.JOINT,
        "coordinate": v.COUNT,
        "free": v.QUANTITY,
        "stiffness": v.QUANTITY,
        "damping": v.QUANTITY,
        "effort": v.QUANTITY,
        "limits": v.Several(2),
        "dry": v.QUANTITY,
    },
    "Motor": {
        "joint": v.JOINT,
        "stall_torque": v.QUANTITY,
        "no_load_speed": v.QUANTITY,
        "command": v.FORMULA,
        "law": v.Law(("speed",)),
        "coordinate": v.TEXT,
    },
    "Actuator": {"joint": v.JOINT, "gain": v.QUANTITY, "bias": v.Several(3), **ACTUATOR},
    "DirectDrive": {"joint": v.JOINT, **ACTUATOR},
    "VelocityServo": {"joint": v.JOINT, "kd": v.QUANTITY, **ACTUATOR},
    "PositionServo": {"joint": v.JOINT, "kp": v.QUANTITY, "kd": v.QUANTITY, **ACTUATOR},
    "JointFriction": {
        "joint": v.JOINT,
        "damping": v.QUANTITY,
        "dry": v.QUANTITY,
        "static": v.QUANTITY,
        "stribeck": v.QUANTITY,
        "coefficient": v.QUANTITY,
        "radius": v.QUANTITY,
        "coordinate": v.TEXT,
    },
    "Brake": {"joint": v.JOINT, "torque": v.FORMULA, "coordinate": v.TEXT},
    "Drag": {
        "frame": v.FRAME,
        "linear": v.QUANTITY,
        "quadratic": v.QUANTITY,
        "flow": v.Formulas(3),
    },
    "Potential": {"value": v.FORMULA},
    "SoftContact": {
        **ENDS,
        "radius": v.QUANTITY,
        "surface": v.TEXT,
        "size": v.Several(3),
        "stiffness": v.QUANTITY,
        "dissipation": v.QUANTITY,
        "friction": v.QUANTITY,
        "slip": v.QUANTITY,
    },
}

_STOP_LAW: dict[str, v.Value] = dict.fromkeys(LAW_FIELDS, v.QUANTITY)
_KEEPS: dict[str, dict[str, v.Value]] = {
    "Cable": {**ENDS, "length": v.QUANTITY, "through": v.FRAMES, **_STOP_LAW},
    "Stop": {**ENDS, "axis": v.AXIS, "gap": v.QUANTITY, **_STOP_LAW},
}

_SENSORS: dict[str, dict[str, v.Value]] = {
    "EffortSensor": {"actuator": v.ACTUATOR},
    "ForceSensor": {"joint": v.JOINT, "on": v.FRAME, "frame": v.FRAME, "about": v.FRAME},
    "IMU": {"frame": v.FRAME},
    "JointSensor": {"joint": v.JOINT, "coordinate": v.TEXT},
    "PoseSensor": {"frame": v.FRAME, "relative_to": v.FRAME},
    "TwistSensor": {"frame": v.FRAME, "axes": v.TEXT},
}

JOINT_KINDS = {kind.tag: kind for kind in (Kind(JOINTS[n], o) for n, o in _JOINTS.items())}
FORCE_KINDS = {kind.tag: kind for kind in (Kind(FORCES[n], o) for n, o in _FORCES.items())}

KEEP_KINDS = {kind.tag: kind for kind in (Kind(KEEPS[n], o) for n, o in _KEEPS.items())}
SENSOR_KINDS = {kind.tag: kind for kind in (Kind(SENSORS[n], o) for n, o in _SENSORS.items())}


def _any_of(kinds: Mapping[str, Kind]) -> Any:
    entries = tuple(kind.entry() for kind in kinds.values())
    return Annotated[Union[entries], Field(discriminator="type")]  # noqa: UP007


if TYPE_CHECKING:
    JointEntry = Any
    ForceEntry = Any
    SensorEntry = Any
    KeepEntry = Any
else:
    JointEntry = _any_of(JOINT_KINDS)
    ForceEntry = _any_of(FORCE_KINDS)
    SensorEntry = _any_of(SENSOR_KINDS)
    KeepEntry = _any_of(KEEP_KINDS)


def written(element: Any) -> dict[str, Any]:
    """An element of a model as plain data; options that have their default are left out."""
    kinds = JOINT_KINDS | FORCE_KINDS | KEEP_KINDS | SENSOR_KINDS
    kind = kinds[element.kind]
    data: dict[str, Any] = {"type": kind.tag}
    for option, value in kind.options.items():
        given = getattr(element, option)
        default = kind.default(option)
        if given is None:
            continue
        text = value.write(given)
        if default is dataclasses.MISSING or default is None or text != value.write(default):
            data[option] = text
    return data
