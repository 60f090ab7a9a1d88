"""Prescribed motion of a joint or of a body by a formula of time."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Self

from dalembert.errors import ModelError
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import ONE, TIME, Expression
from dalembert.formulas.functions import cos, sin
from dalembert.formulas.graph import symbols
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.frame import Frame, World
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.joints.joint import Joint, along_z
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import resolved_joint

BODY_COORDINATES = ("x", "y", "z", "roll", "pitch", "yaw")


@dataclass(frozen=True, eq=False, repr=False)
class Motion(Joint):
    """A coordinate that follows a formula f(t).

    An angle is prescribed as  sin(angle - f) = cos f (y_A . x_B) - sin f (x_A . x_B) = 0,  which
    needs no count of turns; a displacement as  z_A . d - f = 0.

    Parameters
    ----------
    target : joint, Frame, Body, or a name of one of them
        A body or frame is moved against the world. A formula of body coordinates is prescribed
        with ``model.constrain(formula - f)``.
    value : number or formula of time and parameters  [rad] or [m]
        `dl.table` makes one of measured values.
    coordinate : "angle" or "displacement"; of a body or frame "x", "y", "z", "roll", "pitch", "yaw"
        May be left out for a joint that has one coordinate.
    name : str

    Notes
    -----
    A joint that is driven starts where the formula is at time 0, with its speed. Roll, pitch and
    yaw are those of R = Rz(yaw) Ry(pitch) Rx(roll); the rows vanish at pitch = +-pi/2.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("fan")
    >>> blade = model.add_body("blade", dl.Inertia.rod(mass=0.2, length=0.5))
    >>> hinge = model.add_joint(dl.Revolute(model.world, blade, axis="z", name="hinge"))
    >>> model.add_joint(dl.Motion(hinge, value=30 * dl.time, name="drive"))
    Motion('hinge', coordinate='angle', value=30*t, name='drive')
    >>> model.initial["blade.wz"]
    30.0
    """

    target: Any
    value: Any
    _: KW_ONLY
    coordinate: str | None = None

    def read(self, findings: Findings) -> None:
        """Check the formula."""
        value = Reader(findings).formula(self.value, "value")
        moving = symbols([value], "coordinate", "velocity")
        if moving:
            findings.append(
                f"the value contains {moving[0]!r}. Use time and parameters; relate coordinates "
                "with model.constrain."
            )
        object.__setattr__(self, "value", value)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the motion of a joint or body of the model."""
        element = f"joint '{name}'"
        given, coordinate = self.target, self.coordinate
        if isinstance(given, Joint) or (isinstance(given, str) and given in names.joints):
            joint, which = resolved_joint(given, coordinate, names, element, findings)
            return replace(self, target=joint, coordinate=which, name=name)
        frame = names.frame(given, element, findings, or_joint=True)
        if coordinate not in BODY_COORDINATES:
            known = ", ".join(BODY_COORDINATES)
            if frame is not None and coordinate is None:
                findings.add(
                    element, f"coordinate= is missing: which one of a body? One of {known}."
                )
            elif frame is not None:
                findings.add(
                    element, f"coordinate {coordinate!r} of a body is unknown. Give one of {known}."
                )
            coordinate = "x"
        if frame is not None and isinstance(frame.body, World):
            findings.add(element, "the world does not move. Give a body.")
        return replace(self, target=frame, coordinate=coordinate, name=name)

    @property
    def of_joint(self) -> bool:
        """True for a joint coordinate."""
        return isinstance(self.target, Joint)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """Frames of the joint, or the world and the frame that is moved."""
        if isinstance(self.target, Joint):
            return self.target.frames
        if not isinstance(self.target, Frame):
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_joint returns.")
        return (World().at(), self.target)

    def structure(self) -> Hashable:
        """The coordinate and its formula."""
        return (self.coordinate, self.value)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """The prescribed coordinate, in words."""
        target = self.target.name if self.of_joint else self.target.label
        return (f"{self.coordinate} of {target}",)

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """The coordinate less its formula."""
        a, b = views
        f = self.value
        if self.coordinate in ("x", "y", "z"):
            k = "xyz".index(self.coordinate)
            return [b.origin[k] - a.origin[k] - f]
        if self.coordinate == "displacement":
            return [along_z(a, b) - f]
        if self.coordinate == "pitch":
            return [dot(a.z, b.x) + sin(f)]
        # sine and cosine of the angle, up to a common factor
        s, c = {
            "angle": (dot(a.y, b.x), dot(a.x, b.x)),
            "yaw": (dot(a.y, b.x), dot(a.x, b.x)),
            "roll": (dot(a.z, b.y), dot(a.z, b.z)),
        }[str(self.coordinate)]
        return [cos(f) * s - sin(f) * c]

    def lever(self, views: Sequence[FrameView]) -> Expression:
        """Force along the coordinate, or torque, over the multiplier: - d row / d f."""
        a, b = views
        f, found = self.value, ONE
        if self.coordinate == "pitch":
            found = -cos(f)
        elif self.coordinate == "yaw":
            found = sin(f) * dot(a.y, b.x) + cos(f) * dot(a.x, b.x)
        elif self.coordinate == "roll":
            found = sin(f) * dot(a.z, b.y) + cos(f) * dot(a.z, b.z)
        return found

    @property
    def unit(self) -> str:
        """Unit of the force along the coordinate."""
        return "N m" if self.coordinate in ("angle", "roll", "pitch", "yaw") else "N"

    def start(self, parameters: Mapping[str, float]) -> tuple[float, float]:
        """Value and speed at time 0."""
        formulas = [self.value, time_derivative([self.value])[0]]
        values = {
            leaf: parameters.get(leaf.name, leaf.value) for leaf in symbols(formulas, "parameter")
        }
        value, speed = evaluate(formulas, {TIME: 0.0, **values})
        return float(value), float(speed)

    @property
    def ends(self) -> tuple[Any, ...]:
        """The joint or frame that is moved."""
        return (self.target,)

    def options(self) -> list[tuple[str, str]]:
        """Coordinate and formula."""
        return [("coordinate", repr(self.coordinate)), ("value", f"{self.value!r:.60}")]
