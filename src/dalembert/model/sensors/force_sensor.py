"""Force and torque in a joint."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dalembert.formulas.derivative import jacobian, time_derivative
from dalembert.formulas.expression import ZERO, Expression, lift, load
from dalembert.model.basics.element import cross
from dalembert.model.basics.frame import WORLD, World
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import end_text
from dalembert.model.joints.references import References
from dalembert.model.sensors.base import Sensor, components, named

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

MULTIPLIER = "multiplier of "
"""Beginning of the name of the array of a joint's multipliers in formulas that contain them."""


@dataclass(frozen=True, eq=False, repr=False)
class ForceSensor(Sensor):
    """Force fx, fy, fz [N] and torque tx, ty, tz [N m] that a joint exerts on a body.

    Parameters
    ----------
    joint : joint, or its name
    on : Body or its name, "world"
        The body it acts on; by default the joint's second.
    frame : Frame, Body, World or "body/frame"
        Whose axes the components are along; by default the world's.
    about : Frame, Body or "body/frame"
        Point about which the torque is taken; by default the joint's origin on that body.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_sensor(dl.ForceSensor(hinge, frame=arm, name="load"))
    ForceSensor('hinge', frame=arm, name='load')
    """

    joint: Any
    _: KW_ONLY
    on: Any = None
    frame: Any = None
    about: Any = None

    ends: ClassVar[tuple[str, ...]] = ("joint",)

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on a joint of the model."""
        element = f"sensor '{name}'"
        joint = names.joint(self.joint, element, findings)
        found: dict[str, Any] = {"joint": joint}
        for field in ("on", "frame", "about"):
            given = getattr(self, field)
            found[field] = None if given is None else names.frame(given, element, findings)
        on = found["on"]
        if joint is not None and on is not None:
            found["on"] = on.body.at()
            ends = [frame.body.name for frame in joint.frames]
            if on.body.name not in ends:
                known = " and ".join(f"'{end}'" for end in dict.fromkeys(ends))
                findings.add(
                    element, f"joint '{joint.name}' acts on {known}. Give on= one of them."
                )
        return replace(self, **found, name=name)

    @property
    def units(self) -> dict[str, str]:
        """Units of force and torque."""
        return components("f", "N") | components("t", "N m")

    @property
    def formulas(self) -> dict[str, Expression]:
        """None: reactions follow from the whole motion."""
        return {}

    def with_reactions(self, model: Model) -> dict[str, Expression]:
        """All of them:  f = sum of lam_i d Phi_i' / d v,  the torque likewise with omega."""
        position, velocity = self.joint.formulas()
        rates = [*time_derivative(position), *velocity]
        lam = [load(f"{MULTIPLIER}{self.joint.name}", i) for i in range(len(rates))]
        frames = {frame.body.name: frame for frame in self.joint.frames}
        on = self.joint.frames[-1].body.name if self.on is None else self.on.body.name
        about = self.about or frames[on]
        if isinstance(about.body, World):
            point: Any = np.array([lift(x) for x in about.offset])
        else:
            point = about.position
        force, torque = np.full(3, ZERO, dtype=object), np.full(3, ZERO, dtype=object)
        for name in frames if on == WORLD else [on]:
            if name == WORLD:
                continue
            body: Any = model.bodies[name]
            names = {*body.velocity_names}
            moving = [v for v in model.velocities if repr(v) in names]
            J = jacobian(rates, moving)
            pull = [_sum(lam[i] * J[i][k] for i in range(len(rates))) for k in range(6)]
            arm = np.array(body.center_symbols, dtype=object) - point
            force = force + np.array(pull[:3], dtype=object)
            torque = torque + np.array(pull[3:], dtype=object) + cross(arm, pull[:3])
        if on == WORLD:
            force, torque = -force, -torque
        if self.frame is not None and not isinstance(self.frame.body, World):
            turn = self.frame.rotation.T
            force, torque = turn @ force, turn @ torque
        return named("f", force) | named("t", torque)

    def options(self) -> list[tuple[str, str]]:
        """On whom, along whose axes, about which point."""
        found = []
        for field in ("on", "frame", "about"):
            given = getattr(self, field)
            if given is not None:
                found.append((field, end_text(given)))
        return found


def _sum(terms: Any) -> Any:
    total: Any = ZERO
    for term in terms:
        total = total + term
    return total
