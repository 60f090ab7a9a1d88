"""A brake in a joint: it holds, or slows down, with at most its torque.

The torque opposes motion like dry friction, |torque| <= bound, and at rest it is whatever holds the
joint: a bounded row (kind BOX) of the methods that solve for impulses. Others do not know it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from dalembert.formulas.expression import ZERO, Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import is_moving, read_value, shown, split
from dalembert.model.forces.on_joint import OnJoint


@dataclass(frozen=True, eq=False, repr=False)
class Brake(OnJoint):
    """Brake:  |torque| <= the given one,  against the motion.

    Parameters
    ----------
    joint : joint with an angle or displacement, or its name
    torque : number or formula  [N m] or [N]
        The most it holds with (a force, along a slide): of time, parameters, coordinates; where it
        is negative the brake is open.
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("winch")
    >>> drum = model.add_body("drum", dl.Inertia.cylinder(2.0, radius=0.1, length=0.3))
    >>> hinge = model.add_joint(dl.Revolute(model.world, drum, axis="z", name="hinge"))
    >>> model.add_force(dl.Brake(hinge, torque=dl.where(dl.time > 1.0, 5.0, 0.0), name="brake"))
    Brake('hinge', torque=where(1 < t, 5, 0), name='brake')
    """

    _: KW_ONLY
    torque: Any

    def read(self, findings: Findings) -> None:
        """Check the torque."""
        read_value(self, "torque", findings)
        number = None if is_moving(self.torque) else value_of(self.torque)
        if number is not None and number < 0.0:
            findings.append(f"torque is {number:g}. Give a number that is not negative.")

    @property
    def is_found_with_motion(self) -> bool:
        """A brake holds with whatever it takes."""
        return True

    def formulas(self) -> tuple[Expression, ...]:
        """The torque, if it changes during the motion."""
        return tuple(f for f in split([self.torque])[1] if f is not None)

    def data(self) -> tuple[Quantity, ...]:
        """The torque if it is a number."""
        return split([self.torque])[0]

    def structure(self) -> Hashable:
        """Coordinate and torque."""
        return (self.coordinate, split([self.torque])[1], self.watched.key)

    def effort(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> Expression:
        """Nothing as a function of the state: what it holds with is found with the motion."""
        return ZERO

    def options(self) -> list[tuple[str, str]]:
        """The torque."""
        return [("torque", shown(self.torque))]
