"""Motor in a joint, with a torque that falls with its speed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import substitute
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.forces.base import read_value, shown, split
from dalembert.model.forces.force import components
from dalembert.model.forces.formula_frames import RATE
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class Motor(OnJoint):
    """Motor:  torque = stall_torque * (command - speed / no_load_speed),  or a law of the speed.

    Parameters
    ----------
    joint : joint with an angle or displacement, or its name
        The torque (force, along a slide) acts on its second body, the reaction on the first.
    stall_torque : float or formula of parameters  [N m] or [N]
        At rest with full command.
    no_load_speed : float or formula of parameters  [rad/s] or [m/s]
        Where the torque vanishes with full command.
    command : number or formula
        1 is full supply, of time, parameters and coordinates; by default 1.
    law : callable speed -> formula  [N m] or [N]
        Torque of the speed, instead of the two numbers; multiplied by the command.
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("fan")
    >>> blade = model.add_body("blade", dl.Inertia.rod(mass=0.2, length=0.5))
    >>> hinge = model.add_joint(dl.Revolute(model.world, blade, axis="z", name="hinge"))
    >>> model.add_force(dl.Motor(hinge, stall_torque=2.0, no_load_speed=300.0, name="motor"))
    Motor('hinge', stall_torque=2, no_load_speed=300, name='motor')
    """

    _: KW_ONLY
    stall_torque: Quantity | None = None
    no_load_speed: Quantity | None = None
    command: Any = 1.0
    law: Callable[[Any], Any] | Expression | None = None
    positive: ClassVar[tuple[str, ...]] = ("stall_torque", "no_load_speed")

    def read(self, findings: Findings) -> None:
        """Check the two numbers or the law, and the command."""
        read_value(self, "command", findings)
        numbers = (self.stall_torque, self.no_load_speed)
        if self.law is not None:
            if any(number is not None for number in numbers):
                findings.append("has a law beside stall_torque or no_load_speed. Keep one.")
            given = self.law(RATE) if callable(self.law) else self.law
            object.__setattr__(self, "law", Reader(findings).formula(given, "law"))
            return
        if any(number is None for number in numbers):
            findings.append("needs stall_torque and no_load_speed, or a law. Give them.")
            return
        for field in ("stall_torque", "no_load_speed"):
            read_quantity(self, field, findings, positive="a positive number")

    def formulas(self) -> tuple[Expression, ...]:
        """Command and law, as far as they change during the motion."""
        moving = [f for f in split([self.command])[1] if f is not None]
        return (*moving, *([self.law] if isinstance(self.law, Expression) else []))

    def data(self) -> tuple[Quantity, ...]:
        """Command if it is a number, stall torque and no-load speed."""
        numbers = () if self.law is not None else (self.stall_torque, self.no_load_speed)
        return (*split([self.command])[0], *(n for n in numbers if n is not None))

    def structure(self) -> Hashable:
        """Command and law."""
        return (self.coordinate, split([self.command])[1], self.law, self.watched.key)

    def effort(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> Expression:
        """Torque at the present speed."""
        command: Expression = components(self, [self.command], views, data[:1], turns)[0]
        speed = self.rate(views)
        if self.law is None:
            return data[1] * (command - speed / data[2])
        assert isinstance(self.law, Expression)
        (law,) = self.seen([self.law], views, turns)
        return command * substitute([law], {RATE: speed})[0]

    def options(self) -> list[tuple[str, str]]:
        """Numbers or law, and the command."""
        found = [
            (key, shown(getattr(self, key)))
            for key in ("stall_torque", "no_load_speed", "law")
            if getattr(self, key) is not None
        ]
        constant = self.command.op == "constant" and self.command.value == 1.0
        return found + ([] if constant else [("command", shown(self.command))])
