"""The common part of actuators of joints: an effort by a command, with gear and limits.

An actuator sees the joint through a gear: its length is l = gear * (joint coordinate), its speed
l', and what it pulls with reaches the joint as  effort = gear * force.  Limits hold its force, and
those of the command what it is told, exactly: beyond them nothing changes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.functions import maximum, minimum
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import read_value, shown, split
from dalembert.model.forces.force import components
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import along_z, angle_about_z, read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class JointActuator(OnJoint):
    """Base of actuators.

    Parameters
    ----------
    joint : joint with an angle or displacement, or its name
        The effort acts on its second body, the reaction on the first.
    command : number or formula
        Of time, parameters, coordinates and sensors. A `Controller` takes its place during a run.
    gear : float or formula of parameters
        Travel of the actuator for one unit of the joint's coordinate; it multiplies the effort.
    limits : number, or (low, high)  [N m] or [N]
        Of the force, before the gear; a number L stands for (-L, L).
    command_limits : number, or (low, high)
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate. Full turns of an angle count.
    name : str
    """

    _: KW_ONLY
    command: Any = 0.0
    gear: Quantity = 1.0
    limits: Any = None
    command_limits: Any = None

    own: ClassVar[tuple[str, ...]] = ()
    """Fields with the actuator's own numbers."""

    @property
    def feels_position(self) -> bool:
        """Whether the force depends on the coordinate."""
        return False

    @property
    def counts_turns(self) -> bool:  # type: ignore[override]
        """Whether it contains an angle beyond half a turn."""
        return self.feels_position and self.coordinate == "angle"

    @abstractmethod
    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Any:
        """Force for the command u, by the values of its own numbers."""

    # -- reading -------------------------------------------------------------------------------

    def read(self, findings: Findings) -> None:
        """Check command, gear, limits and the actuator's own numbers."""
        read_value(self, "command", findings)
        gear = value_of(read_quantity(self, "gear", findings))
        if gear == 0.0:
            findings.append("gear is 0: it would move nothing. Give another number.")
        for field in ("limits", "command_limits"):
            read_limits(self, field, findings)
        for field in self.own:
            if getattr(self, field) is not None:
                read_quantity(self, field, findings)

    def formulas(self) -> tuple[Expression, ...]:
        """The command, if it changes during the motion."""
        return tuple(f for f in split([self.command])[1] if f is not None)

    def data(self) -> tuple[Quantity, ...]:
        """Command if it is a number, gear, the actuator's own numbers, limits."""
        limits = (*(self.limits or ()), *(self.command_limits or ()))
        return (*split([self.command])[0], self.gear, *limits, *self.numbers())

    def numbers(self) -> tuple[Quantity, ...]:
        """The actuator's own numbers."""
        found = (getattr(self, field) for field in self.own)
        return tuple(number for number in found if number is not None)

    def structure(self) -> Hashable:
        """Coordinate, command, and which limits there are."""
        limited = (self.limits is not None, self.command_limits is not None, self.feels_position)
        return (self.coordinate, split([self.command])[1], limited, self.watched.key)

    # -- equations -----------------------------------------------------------------------------

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """The joint's angle where it counts, and those in the command."""
        own = [angle_about_z(*views[:2])] if self.counts_turns else []
        return own + super().angles(views)

    def effort(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> Expression:
        """Torque or force on the second body along the coordinate."""
        told: Any = components(self, [self.command], views, data[:1], turns)[0]
        gear, given = data[1], iter(data[2:])
        limits = None if self.limits is None else (next(given), next(given))
        if self.command_limits is not None:
            told = within(told, (next(given), next(given)))
        length: Any = ZERO
        if self.feels_position:
            a, b = views[:2]
            place = angle_about_z(a, b) + turns[0] if self.coordinate == "angle" else along_z(a, b)
            length = gear * place
        force = self.force(told, list(given), length, gear * self.rate(views))
        force = force if limits is None else within(force, limits)
        return gear * force  # type: ignore[no-any-return]

    # -- telling -------------------------------------------------------------------------------

    def options(self) -> list[tuple[str, str]]:
        """Numbers, command, gear and limits, as far as they are not those by default."""
        given = [key for key in self.own if getattr(self, key) is not None]
        found = [(key, shown(getattr(self, key))) for key in given]
        if not (self.command.op == "constant" and self.command.value == 0.0):
            found.append(("command", shown(self.command)))
        if self.gear != 1.0:
            found.append(("gear", shown(self.gear)))
        for field in ("limits", "command_limits"):
            pair = getattr(self, field)
            if pair is not None:
                found.append((field, f"({', '.join(map(shown, pair))})"))
        return found


def within(x: Any, limits: tuple[Any, Any]) -> Any:
    """x, or the limit it exceeds."""
    low, high = limits
    return maximum(low, minimum(high, x))


def read_limits(element: Any, field: str, findings: Findings) -> None:
    """Store None, a number L for (-L, L), or two numbers in order."""
    given = getattr(element, field)
    if given is None:
        return
    several = isinstance(given, tuple | list) or (isinstance(given, np.ndarray) and given.ndim)
    pair = list(given) if several else None
    if pair is None:
        most = as_quantity(given, field, findings)
        pair = [-most, most]
    if len(pair) != 2:
        findings.append(f"{field} is {given!r:.60}. Give a number, or a pair (low, high).")
        pair = [0.0, 0.0]
    made = tuple(as_quantity(x, field, findings) for x in pair)
    low, high = (value_of(x) for x in made)
    if low is not None and high is not None and not low <= high:
        findings.append(f"{field} are {low:g} and {high:g}. Give the lower one first.")
    object.__setattr__(element, field, made)
