"""Spring, damper, motor and dry friction along one slide or hinge of a compound joint.

    force = [effort - stiffness (x - free) - damping x'] within limits  -  dry sign(x')

The dry part holds at rest: it is a bounded row (kind BOX) of the methods that solve for impulses,
and unknown to the others. So is there a damper with limits, behind which effort and the spring of
a slide stand as what it is driven by: a servo that a step has implicitly.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import ForceElement, Load, is_zero, shown
from dalembert.model.forces.joint_actuator import read_limits, within
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.joint import read_quantity
from dalembert.model.joints.references import References

ACTING = ("stiffness", "damping", "effort", "dry")
"""Fields of which one at least makes a force."""


@dataclass(frozen=True, eq=False, repr=False)
class CompoundSpring(ForceElement):
    """effort - stiffness (x - free) - damping x'  along a coordinate x of a `Compound` joint.

    Within limits, if there are some, and with dry friction beside it.

    Parameters
    ----------
    joint : Compound joint, or its name
    coordinate : int
        Slides come first, then hinges, counted from 0.
    free : float or formula of parameters  [m] or [rad]
        Where the spring carries nothing; full turns count.
    stiffness, damping : float or formula of parameters  [N/m] or [N m/rad], [N s/m] or [N m s/rad]
    effort : float or formula of parameters  [N] or [N m]
        Of a motor, on the second body; its reaction on the first.
    limits : number, or (low, high)  [N] or [N m]
        Of effort, spring and damper together; a number L stands for (-L, L).
    dry : float or formula of parameters  [N] or [N m]
        Dry friction beside it, of sliding at any speed; at rest it holds.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("hip")
    >>> leg = model.add_body("leg", dl.Inertia.rod(mass=5.0, length=0.8, axis="z"))
    >>> hip = dl.Compound(model.world, leg.at(z=0.4), hinges=["x", "z", "y"], name="hip")
    >>> hip = model.add_joint(hip)
    >>> model.add_force(dl.CompoundSpring(hip, coordinate=1, damping=0.2, name="grease"))
    CompoundSpring('hip', coordinate=1, damping=0.2, name='grease')
    """

    joint: Any
    _: KW_ONLY
    coordinate: int = 0
    free: Quantity = 0.0
    stiffness: Quantity = 0.0
    damping: Quantity = 0.0
    effort: Quantity = 0.0
    limits: Any = None
    dry: Quantity = 0.0

    ends: ClassVar[tuple[str, ...]] = ("joint",)
    counts_turns: ClassVar[bool] = True

    def read(self, findings: Findings) -> None:
        """Check the numbers."""
        for field in ("free", *ACTING):
            value = value_of(read_quantity(self, field, findings))
            if field in ("stiffness", "damping", "dry") and value is not None and value < 0.0:
                findings.append(f"{field} is {value:g}. Give a number that is not negative.")
        read_limits(self, "limits", findings)
        if all(is_zero(getattr(self, field)) for field in ACTING):
            findings.append("has no stiffness, damping, effort or dry friction. Give at least one.")

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the element in a joint of the model."""
        element = f"force '{name}'"
        joint = names.joint(self.joint, element, findings)
        if isinstance(joint, Compound):
            try:
                joint.must_have(self.coordinate)
            except ModelError as problem:
                findings.add(element, str(problem))
        elif joint is not None:
            findings.add(
                element,
                f"joint '{joint.name}' is {joint.kind}, not compound. Give dl.TorsionSpring, "
                "dl.JointFriction or dl.Motor.",
            )
        return replace(self, joint=joint, name=name)

    def acted_frames(self) -> tuple[Frame, ...]:
        """The frames of the joint."""
        if not isinstance(self.joint, Compound):
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_force returns.")
        return self.joint.frames

    @property
    def slides(self) -> bool:
        """True along a slide."""
        return self.coordinate < len(self.joint.slides)

    @property
    def is_servo(self) -> bool:
        """Whether it is a damper with limits, of which steps with impulses make a row.

        The angle in such a row has no full turns: a spring about a hinge stays a force.
        """
        turns = not self.slides and not is_zero(self.stiffness)
        return self.limits is not None and not is_zero(self.damping) and not turns

    def data(self) -> tuple[Quantity, ...]:
        """The numbers, limits if there are some, and the directions of the joint."""
        own = (self.free, self.stiffness, self.damping, self.effort)
        return (*own, *(self.limits or ()), *self.joint.directions())

    def structure(self) -> Hashable:
        """Which coordinate of which kind of joint; turns are counted for a spring only."""
        return (
            self.coordinate,
            self.joint.structure(),
            self.limits is not None,
            *map(is_zero, (self.stiffness, self.damping)),
        )

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """The angle of a hinge, in (-pi, pi]."""
        return [] if self.slides else [self._coordinate(views)[0]]

    def _coordinate(self, views: Sequence[FrameView], data: Formulas | None = None) -> Any:
        given = self.joint.directions() if data is None else data[4 if self.limits is None else 6 :]
        made: Any = self.joint.coordinate(self.coordinate, views, given)
        return made

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """The effort on the second body, its reaction on the first."""
        a, b = views[:2]
        free, stiffness, damping, effort = data[:4]
        x, push, turn = self._coordinate(views, data)
        d = b.origin - a.origin
        if not is_zero(self.stiffness):
            wound = x if self.slides else x + turns[0]
            effort = effort - stiffness * (wound - free)
        if not is_zero(self.damping):
            effort = effort - damping * self._rate(a, b, push, turn)
        if self.limits is not None:
            effort = within(effort, (data[4], data[5]))
        push, turn = push * effort, turn * effort
        return [(-push, -turn - cross(d, push)), (push, turn)]

    def place(self) -> Expression:
        """Displacement, or angle in (-pi, pi]."""
        place: Expression = self._coordinate([frame.view for frame in self.joint.frames[:2]])[0]
        return place

    def rate(self) -> Expression:
        """Rate of the coordinate."""
        a, b = (frame.view for frame in self.joint.frames[:2])
        rate: Expression = self._rate(a, b, *self._coordinate([a, b])[1:])
        return rate

    def _rate(self, a: FrameView, b: FrameView, push: Any, turn: Any) -> Any:
        """Rate along the directions that the effort acts in."""
        moved = b.velocity - a.velocity - cross(a.angular_velocity, b.origin - a.origin)
        return dot(push, moved) + dot(turn, b.angular_velocity - a.angular_velocity)

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """k (x - free)^2 / 2 - effort x; None with limits."""
        if self.limits is not None:
            return None
        free, stiffness, _, effort = data[:4]
        x = self._coordinate(views, data)[0] + (0.0 if self.slides else turns[0])
        return stiffness * (x - free) ** 2 / 2 - effort * x  # type: ignore[no-any-return]

    @property
    def conservative(self) -> bool:
        """True of a spring alone."""
        alone = all(map(is_zero, (self.damping, self.effort, self.dry)))
        return alone and self.limits is None

    def options(self) -> list[tuple[str, str]]:
        """The coordinate and what is not zero."""
        found = [("coordinate", str(self.coordinate))]
        for key in ("free", *ACTING):
            if not is_zero(getattr(self, key)):
                found.append((key, shown(getattr(self, key))))
        if self.limits is not None:
            found.append(("limits", f"({', '.join(map(shown, self.limits))})"))
        return found


class ImplicitDamper(CompoundSpring):
    """A damper of a compound joint that steps with impulses have implicitly: a row of its own.

    In a file it is the damper that it was.
    """

    @property
    def kind(self) -> str:
        """Name of the spring whose damping it is."""
        return "compound_spring"
