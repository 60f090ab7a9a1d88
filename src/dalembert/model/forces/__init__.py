"""Forces, one file each: what acts on the bodies of the frames they are put on.

Gravity is not here: it is the model's own (`Model(gravity=...)`).
"""

from dalembert.model.forces.actuator import Actuator
from dalembert.model.forces.base import ForceElement
from dalembert.model.forces.brake import Brake
from dalembert.model.forces.bushing import Bushing
from dalembert.model.forces.compound_spring import CompoundSpring
from dalembert.model.forces.direct_drive import DirectDrive
from dalembert.model.forces.drag import Drag
from dalembert.model.forces.force import Force
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.forces.motor import Motor
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.potential import Potential
from dalembert.model.forces.soft_contact import SoftContact
from dalembert.model.forces.spring import Spring
from dalembert.model.forces.torque import Torque
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.forces.velocity_servo import VelocityServo

FORCES: dict[str, type[ForceElement]] = {
    kind.__name__: kind
    for kind in (
        Actuator,
        Brake,
        Bushing,
        DirectDrive,
        CompoundSpring,
        Drag,
        Force,
        JointFriction,
        Motor,
        PositionServo,
        Potential,
        SoftContact,
        Spring,
        Torque,
        TorsionSpring,
        VelocityServo,
    )
}
"""Every force by the name of its class."""

__all__ = ["FORCES", "ForceElement", *FORCES]
