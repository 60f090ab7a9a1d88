"""A leg like Cassie's: hip of three hinges, knee, two leaf springs, and two closed loops.

The Achilles rod goes from the thigh to the spring at the heel and turns the tarsus with the knee;
the plantar rod goes from a crank on the tarsus to the foot. Five motors, two springs: seven degrees
of freedom. The arrangement, and the stiffness of the springs, are those of Agility Robotics' robot
(its public MuJoCo model); places, masses and gains are own, rounded. x is forward, y to the left,
z up.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.posed import Pose, ball, bar, beside, block, drive, hold, wheel
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal

# Places at the start [m].
ROLL, YAW, PITCH = np.array([[-0.06, 0.0, 1.0], [0.0, 0.0, 0.95], [0.0, 0.06, 0.90]])
KNEE, SHIN = np.array([[0.09, 0.06, 0.81], [0.11, 0.06, 0.75]])
TARSUS, FOOT = np.array([[-0.21, 0.06, 0.46], [0.03, 0.06, 0.14]])
ROD, HEEL = np.array([[-0.01, 0.105, 0.88], [-0.29, 0.065, 0.53]])  # ends of the Achilles rod
CRANK, CRANK_PIN = np.array([[-0.174, 0.08, 0.412], [-0.132, 0.08, 0.4435]])
FOOT_PIN = np.array([0.068, 0.08, 0.1685])
TOE, BACK = np.array([[0.11, 0.06, 0.10], [-0.05, 0.06, 0.10]])

SHIN_SPRING, HEEL_SPRING = 1500.0, 1250.0  # [N m/rad]
MOTORS = {  # stiffness [N m/rad], damping [N m s/rad], amplitude of the motion [rad]
    "roll": (400.0, 20.0, 0.08),
    "yaw": (200.0, 10.0, 0.15),
    "pitch": (800.0, 20.0, 0.30),
    "knee": (400.0, 4.0, 0.45),
    "crank": (30.0, 0.5, 0.20),
}


def cassie_leg(
    *,
    driven: bool = True,
    damping: float = 1.0,
    rate: float = 5.0,
    gravity: float = 9.81,
) -> Model:
    """Leg of hip_roll, hip_yaw, thigh, knee_link, shin_link, tarsus_link, foot_link, springs, rods.

    Parameters
    ----------
    driven : bool
        True: servos of hip, knee and crank let it step in the air. False: springs as stiff.
    damping : float  [N m s/rad]
        Of the two leaf springs; with zero, and not driven, the model is conservative.
    rate : float  [rad/s]
        Of the steps.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> cassie_leg()
    Model('cassie-leg': 11 bodies, 13 joints, 60 constraint rows)
    """
    (g,) = parameters(g=gravity)
    model = Model("cassie-leg", gravity=(0.0, 0.0, -g))
    pose = Pose(model)
    _bodies(pose)
    (w,) = parameters(rate=rate) if driven else (0.0,)
    hinges = {
        "roll": pose.hinge("roll", "world", "hip_roll", ROLL, "x"),
        "yaw": pose.hinge("yaw", "hip_roll", "hip_yaw", YAW, "z"),
        "pitch": pose.hinge("pitch", "hip_yaw", "thigh", PITCH, "-y"),
        "knee": pose.hinge("knee", "thigh", "knee_link", KNEE, "y"),
    }
    shin = pose.hinge("shin", "knee_link", "shin_link", SHIN, "y")
    pose.hinge("tarsus", "shin_link", "tarsus_link", TARSUS, "y")
    heel = pose.hinge("heel", "tarsus_link", "heel_spring", TARSUS, "y")
    hinges["crank"] = pose.hinge("crank", "tarsus_link", "foot_crank", CRANK, "y")
    pose.hinge("plantar", "foot_crank", "plantar_rod", CRANK_PIN, "y")
    pose.hinge("foot", "tarsus_link", "foot_link", FOOT, "y")
    # A cross at the thigh: the rod does not turn about itself.
    along = (HEEL - ROD) / float(np.sqrt((HEEL - ROD) @ (HEEL - ROD)))
    across = np.array([along[2], 0.0, -along[0]]) / float(np.hypot(along[0], along[2]))
    ends = pose.at("thigh", ROD), pose.at("achilles_rod", ROD)
    arms = {"axis": (0.0, 1.0, 0.0), "second_axis": tuple(across)}
    model.add_joint(Universal(*ends, **arms, name="achilles"))
    ends = pose.at("achilles_rod", HEEL), pose.at("heel_spring", HEEL)
    model.add_loop(Spherical(*ends, name="achilles_end"))
    ends = pose.at("plantar_rod", FOOT_PIN), pose.at("foot_link", FOOT_PIN)
    model.add_loop(Spherical(*ends, name="plantar_end"))

    (c,) = parameters(c=damping) if damping else (0.0,)
    for joint, stiffness in ((shin, SHIN_SPRING), (heel, HEEL_SPRING)):
        spring = f"{joint.name}_spring"
        model.add_force(TorsionSpring(joint, stiffness=stiffness, damping=c, name=spring))
    step, sway = (1 - np.cos(w * time)) / 2, np.sin(w * time)
    for name, (kp, kd, most) in MOTORS.items():
        wanted = most * (sway if name in ("roll", "yaw") else step)
        joint = hinges[name]
        model.add_force(drive(joint, wanted, kp, kd) if driven else hold(joint, kp))
    if damping:
        model.add_force(JointFriction("foot", damping=0.02, name="foot_friction"))
    _lines(pose)
    model.add_shape(bar(1.0, beside(ROLL, -0.05, 0, 0), beside(ROLL, 0.02, 0, 0), 0.07).shape)
    model.suggested = {"until": 5.0, "step": 5e-4}
    return model


def _bodies(pose: Pose) -> None:
    """Motors sit in the hip and at the crank."""
    hip = ball(1.5, (ROLL + YAW) / 2, 0.06)
    pose.body("hip_roll", ROLL, bar(0.5, ROLL, YAW, 0.035), hip, color="grey")
    pose.body("hip_yaw", YAW, bar(0.4, YAW, PITCH, 0.035), ball(1.2, PITCH, 0.055), color="orange")
    thigh = [bar(0.8, PITCH, KNEE, 0.035), bar(0.2, PITCH, ROD, 0.015), ball(0.6, KNEE, 0.05)]
    pose.body("thigh", PITCH, *thigh, color="grey")
    # The wheel is what is felt of the motor's rotor through its gear.
    rotor = wheel(1.2, KNEE, 0.08, 0.03)
    pose.body("knee_link", KNEE, rotor, bar(0.3, KNEE, SHIN, 0.03), color="orange")
    pose.body("shin_link", SHIN, bar(0.6, SHIN, TARSUS, 0.02), color="grey")
    tarsus = [bar(0.8, TARSUS, FOOT, 0.02), ball(0.3, CRANK, 0.035)]
    pose.body("tarsus_link", TARSUS, *tarsus, color="orange")
    pose.body("heel_spring", TARSUS, bar(0.13, TARSUS, HEEL, 0.012), color="blue")
    pose.body("achilles_rod", ROD, bar(0.16, ROD, HEEL, 0.008), color="blue")
    pose.body("foot_crank", CRANK, bar(0.1, CRANK, CRANK_PIN, 0.012), color="blue")
    pose.body("plantar_rod", CRANK_PIN, bar(0.12, CRANK_PIN, FOOT_PIN, 0.007), color="blue")
    lever = [
        bar(0.05, FOOT, FOOT_PIN, 0.012),
        block(0.03, beside(FOOT, 0, 0, -0.02), (0.03, 0.02, 0.04)),
    ]
    pose.body("foot_link", FOOT, bar(0.12, BACK, TOE, 0.015), *lever, color="grey")


def _lines(pose: Pose) -> None:
    pose.line(
        ("hip", "hip_roll", ROLL),
        ("yaw", "hip_yaw", YAW),
        ("pitch", "thigh", PITCH),
        ("knee", "thigh", KNEE),
        ("shin", "knee_link", SHIN),
        ("tarsus", "shin_link", TARSUS),
        ("foot", "tarsus_link", FOOT),
    )
    pose.line(("rod", "thigh", ROD), ("heel", "heel_spring", HEEL))
    pose.line(("tarsus", "shin_link", TARSUS), ("heel", "heel_spring", HEEL))
    pose.line(
        ("crank", "tarsus_link", CRANK),
        ("crank pin", "foot_crank", CRANK_PIN),
        ("foot pin", "foot_link", FOOT_PIN),
        ("foot", "tarsus_link", FOOT),
    )
    pose.line(("back", "foot_link", BACK), ("toe", "foot_link", TOE))
