"""A torque or force in a joint, as commanded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.model.basics.element import Formulas
from dalembert.model.forces.joint_actuator import JointActuator


@dataclass(frozen=True, eq=False, repr=False)
class DirectDrive(JointActuator):
    """Torque (force, along a slide) as commanded:  force = command.

    Parameters
    ----------
    joint : joint with an angle or displacement, or its name
        The effort acts on its second body, the reaction on the first.
    command : number or formula  [N m] or [N]
        Of time, parameters, coordinates and sensors; a `Controller` takes its place during a run.
    gear : float or formula of parameters
        Travel of the actuator for one unit of the joint's coordinate: effort = gear * force.
    limits : number, or (low, high)  [N m] or [N]
        Of the force, before the gear; a number L stands for (-L, L).
    command_limits : number, or (low, high)
        Of the command.
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_force(dl.DirectDrive(hinge, command=-3 * hinge.angle.dot, limits=2, name="motor"))
    DirectDrive('hinge', command=..., limits=(-2, 2), name='motor')
    """

    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Any:
        """The command itself."""
        return u
