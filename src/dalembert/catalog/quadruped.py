"""Four-legged robot: a trunk on four legs of three hinges, twelve servos.

x is forward, y to the left, z up. Feet stand on the ground as on ball joints: four closed loops,
six degrees of freedom. Without them the trunk floats. All numbers are own, of a robot of 11 kg.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.posed import Pose, ball, bar, beside, block, drive, hold
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.joints.spherical import Spherical
from dalembert.model.shapes.solids import Plane

HIP = np.array([0.20, 0.06, 0.0])  # of the left fore leg, from the middle of the trunk [m]
SIDE = 0.08  # from the first hinge to the leg [m]
THIGH = KNEE = 0.21  # lengths of thigh and shank [m]
BEND = 0.75  # of the thigh from the vertical, half that of the knee [rad]
LEGS = {"fl": (1, 1), "fr": (1, -1), "rl": (-1, 1), "rr": (-1, -1)}
GAINS = {"roll": (300.0, 4.0), "hip": (300.0, 5.0), "knee": (300.0, 2.5)}  # [N m/rad], [N m s/rad]
LIFT, TILT = 0.3, 0.08  # amplitudes of the legs' bending and of the lean to a side [rad]


def quadruped(
    *, stance: bool = True, driven: bool = True, rate: float = 4.0, gravity: float = 9.81
) -> Model:
    """Four-legged robot: bodies trunk, and fl_hip, fl_thigh, fl_shank, ... of legs fl, fr, rl, rr.

    Parameters
    ----------
    stance : bool
        True: the feet stand on ball joints of the ground. False: nothing holds the robot.
    driven : bool
        True: servos in all joints bend the legs and sway the trunk. False: springs as stiff as
        them, conservative.
    rate : float  [rad/s]
        Of the motion.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> quadruped()
    Model('quadruped': 13 bodies, 16 joints, 72 constraint rows)
    """
    (g,) = parameters(g=gravity)
    model = Model("quadruped", gravity=(0.0, 0.0, -g))
    pose = Pose(model)
    height = (THIGH + KNEE) * float(np.cos(BEND))
    middle = np.array([0.0, 0.0, height])
    trunk = [
        block(6.0, middle, (0.40, 0.16, 0.10)),
        block(0.5, beside(middle, 0.23, 0, 0.03), (0.1,) * 3),
    ]
    pose.body("trunk", middle, *trunk, color="grey", free=True)
    (w,) = parameters(rate=rate) if driven else (0.0,)
    for leg, (fore, left) in LEGS.items():
        hip = middle + HIP * (fore, left, 1)
        side = beside(hip, 0.0, left * SIDE, 0.0)
        knee = side - THIGH * np.array([np.sin(BEND), 0.0, np.cos(BEND)])
        foot = knee + KNEE * np.array([np.sin(BEND), 0.0, -np.cos(BEND)])
        motor = bar(0.2, beside(side, 0, -left * 0.03, 0), beside(side, 0, left * 0.03, 0), 0.04)
        pose.body(f"{leg}_hip", hip, bar(0.4, hip, side, 0.03), color="orange")
        pose.body(f"{leg}_thigh", side, motor, bar(0.5, side, knee, 0.022), color="grey")
        shank = [bar(0.12, knee, foot, 0.014), ball(0.06, foot, 0.022)]
        pose.body(f"{leg}_shank", knee, *shank, color="orange")
        # the same bend at hip and half the knee's lifts the trunk straight up
        lift = LIFT * (1 - np.cos(w * time)) / 2
        wanted = {"roll": TILT * np.sin(w * time / 2), "hip": lift, "knee": -2 * lift}
        above, place = "trunk", {"roll": hip, "hip": side, "knee": knee}
        parts = zip(
            ("roll", "hip", "knee"), ("x", "y", "y"), ("hip", "thigh", "shank"), strict=True
        )
        for kind, axis, part in parts:
            joint = pose.hinge(f"{leg}_{kind}", above, f"{leg}_{part}", place[kind], axis)
            kp, kd = GAINS[kind]
            model.add_force(drive(joint, wanted[kind], kp, kd) if driven else hold(joint, kp))
            above = f"{leg}_{part}"
        if stance:
            ends = pose.at("world", foot), pose.at(f"{leg}_shank", foot)
            model.add_loop(Spherical(*ends, name=f"{leg}_foot"))
        pose.line(
            (f"{leg} side", f"{leg}_hip", side),
            (f"{leg} knee", f"{leg}_thigh", knee),
            (f"{leg} foot", f"{leg}_shank", foot),
        )
    model.add_line("fl side", "fr side", "rr side", "rl side", "fl side")
    if stance:
        model.add_shape(Plane(position=(0.0, 0.0, -0.022), opacity=0.4))
    model.suggested = {"until": 6.0, "step": 1e-3}
    return model
