"""Humanoid of thirty degrees of freedom: 24 hinges and a floating pelvis, with a man's proportions.

x is forward, y to the left, z up. Lengths are those of Drillis and Contini (1966) and masses those
of Dempster (1955), as shares of height and weight, in D. A. Winter, *Biomechanics and motor control
of human movement*, figure 4.1 and table 4.1. What sits between the hinges of a hip, waist, shoulder
or ankle (a motor each), all radii and all gains are own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.catalog.posed import Part, Pose, ball, bar, beside, block, drive, hold
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.joints.fixed import Fixed
from dalembert.model.shapes.solids import Plane

Array = npt.NDArray[np.float64]

HEIGHT, WEIGHT = 1.6, 55.0  # [m], [kg]
THIGH, SHANK, ANKLE, SOLE = 0.245, 0.246, 0.039, 0.152  # shares of the height
HIPS, TRUNK, SHOULDERS, ARM, FOREARM = 0.191 / 2, 0.288, 0.259 / 2, 0.186, 0.146 + 0.108 / 2
NECK, HEAD = 0.052, 0.130
MOTOR, RADIUS = 0.8, 0.045  # mass of a motor between two hinges [kg], its radius [m]
KNEE = 0.25  # of thigh and shank from the vertical at the start [rad]
SQUAT, TURN, WAVE = 0.55, 0.5, 1.2  # amplitudes of the motion [rad]

# joint: (its axis, what it carries, stiffness [N m/rad], damping [N m s/rad])
LEG = {
    "hip_yaw": ("z", "hip1", 800.0, 6.0),
    "hip_roll": ("x", "hip2", 3000.0, 30.0),
    "hip_pitch": ("y", "thigh", 3000.0, 15.0),
    "knee": ("y", "shank", 3000.0, 12.0),
    "ankle_pitch": ("y", "ankle", 2000.0, 4.0),
    "ankle_roll": ("x", "foot", 400.0, 1.2),
}
ARMS = {
    "shoulder_pitch": ("y", "shoulder1", 300.0, 10.0),
    "shoulder_roll": ("x", "shoulder2", 300.0, 10.0),
    "shoulder_yaw": ("z", "upper_arm", 40.0, 0.4),
    "elbow": ("y", "forearm", 150.0, 3.0),
}
SPINE = {
    "waist_yaw": ("z", "waist1", 1000.0, 25.0),
    "waist_roll": ("x", "waist2", 3000.0, 30.0),
    "waist_pitch": ("y", "torso", 3000.0, 15.0),
    "neck": ("z", "head", 50.0, 2.0),
}


def humanoid(
    *, stance: bool = True, driven: bool = True, rate: float = 3.0, gravity: float = 9.81
) -> Model:
    """Humanoid: pelvis, torso, head; thigh, shank, foot, upper_arm, forearm of l_ and r_; motors.

    Parameters
    ----------
    stance : bool
        True: both feet are fixed to the ground, which closes a loop. False: nothing holds it.
    driven : bool
        True: servos in all joints let it squat, turn and wave. False: springs as stiff as them,
        conservative.
    rate : float  [rad/s]
        Of the motion.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> humanoid()
    Model('humanoid': 25 bodies, 26 joints, 132 constraint rows)
    """
    (g,) = parameters(g=gravity)
    model = Model("humanoid", gravity=(0.0, 0.0, -g))
    pose = Pose(model)
    (w,) = parameters(rate=rate) if driven else (0.0,)
    swing = (1 - np.cos(w * time)) / 2
    wave = np.sin(w * time)
    wanted = {
        "hip_pitch": -SQUAT * swing,
        "knee": 2 * SQUAT * swing,
        "ankle_pitch": -SQUAT * swing,
        "waist_yaw": TURN * wave,
        "waist_pitch": 0.2 * swing,
        "neck": -0.8 * TURN * wave,
        "shoulder_pitch": -WAVE * swing,
        "elbow": -0.8 * WAVE * swing,
    }

    def chain(first: str, carried: dict[str, Any], places: list[Array], side: str = "") -> None:
        """Joints one after the other, the first on a body that is there."""
        above = first
        for (name, (axis, body, kp, kd)), place in zip(carried.items(), places, strict=True):
            joint = pose.hinge(side + name, above, side + body, place, axis)
            command = wanted.get(name, 0.0)
            model.add_force(drive(joint, command, kp, kd) if driven else hold(joint, kp))
            above = side + body

    hips = np.array([0.0, 0.0, HEIGHT * (ANKLE + (THIGH + SHANK) * float(np.cos(KNEE)))])
    waist = beside(hips, 0.0, 0.0, 0.3 * HEIGHT * TRUNK)
    neck = beside(hips, 0.0, 0.0, HEIGHT * TRUNK)
    _trunk(pose, hips, waist, neck)
    chain("pelvis", SPINE, [waist, waist, waist, neck])
    for side, left in (("l_", 1), ("r_", -1)):
        chain("pelvis", LEG, _leg(pose, side, beside(hips, 0.0, left * HEIGHT * HIPS, 0.0)), side)
        shoulder = beside(neck, 0.0, left * HEIGHT * SHOULDERS, -0.03 * HEIGHT)
        chain("torso", ARMS, _arm(pose, side, shoulder), side)
        if stance:
            ground = beside(hips, 0.0, left * HEIGHT * HIPS, -hips[2])
            ends = pose.at("world", ground), pose.at(f"{side}foot", ground)
            model.add_loop(Fixed(*ends, name=f"{side}ground"))
    model.add_line("l_hip", "r_hip")
    model.add_line("waist", "neck", "crown")
    model.add_line("l_shoulder", "r_shoulder")
    if stance:
        model.add_shape(Plane(opacity=0.4))
    model.suggested = {"until": 6.0, "step": 5e-4}
    return model


def _motor(place: Array) -> Part:
    return ball(MOTOR, place, RADIUS)


def _trunk(pose: Pose, hips: Array, waist: Array, neck: Array) -> None:
    """Pelvis, waist, torso and head."""
    width, crown = HEIGHT * HIPS, beside(neck, 0.0, 0.0, HEIGHT * (NECK + HEAD))
    low = block(0.142 * WEIGHT, (hips + waist) / 2, (0.14, 2 * width, float(waist[2] - hips[2])))
    pose.body("pelvis", hips, low, color="grey", free=True)
    pose.body("waist1", waist, _motor(waist), color="orange")
    pose.body("waist2", waist, _motor(waist), color="orange")
    tall = float(neck[2] - waist[2]) - 0.04
    chest = block(0.355 * WEIGHT - 2 * MOTOR, (waist + neck) / 2, (0.16, 0.30, tall))
    across = [beside(neck, 0, y * HEIGHT * SHOULDERS, -0.03 * HEIGHT) for y in (-0.85, 0.85)]
    pose.body("torso", waist, chest, bar(1.0, across[0], across[1], 0.04), color="orange")
    skull = ball(0.061 * WEIGHT, beside(crown, 0, 0, -HEIGHT * HEAD / 2), HEIGHT * HEAD / 2)
    throat = bar(0.02 * WEIGHT, neck, beside(neck, 0, 0, HEIGHT * NECK), 0.04)
    pose.body("head", neck, throat, skull, color="grey")
    pose.line(("waist", "torso", waist), ("neck", "torso", neck), ("crown", "head", crown))


def _leg(pose: Pose, side: str, hip: Array) -> list[Array]:
    """A leg; where its six joints are."""
    down = np.array([0.0, 0.0, -1.0]) * float(np.cos(KNEE))
    lean = np.array([float(np.sin(KNEE)), 0.0, 0.0])
    knee = hip + HEIGHT * THIGH * (down + lean)
    ankle = knee + HEIGHT * SHANK * (down - lean)
    pose.body(f"{side}hip1", hip, _motor(hip), color="orange")
    pose.body(f"{side}hip2", hip, _motor(hip), color="orange")
    thigh = bar(0.100 * WEIGHT - 2 * MOTOR, hip, knee, 0.055)
    pose.body(f"{side}thigh", hip, thigh, color="grey")
    pose.body(f"{side}shank", knee, bar(0.0465 * WEIGHT, knee, ankle, 0.042), color="orange")
    pose.body(f"{side}ankle", ankle, _motor(ankle), color="grey")
    tall = HEIGHT * ANKLE
    sole = beside(ankle, 0.04, 0.0, -0.65 * tall)
    foot = block(0.0145 * WEIGHT, sole, (HEIGHT * SOLE, 0.09, 0.7 * tall))
    pose.body(f"{side}foot", ankle, foot, color="orange")
    pose.line(
        (f"{side}hip", "pelvis", hip),
        (f"{side}knee", f"{side}shank", knee),
        (f"{side}ankle", f"{side}foot", ankle),
    )
    return [hip, hip, hip, knee, ankle, ankle]


def _arm(pose: Pose, side: str, shoulder: Array) -> list[Array]:
    """An arm; where its four joints are."""
    elbow = beside(shoulder, 0, 0, -HEIGHT * ARM)
    hand = beside(elbow, 0, 0, -HEIGHT * FOREARM)
    pose.body(f"{side}shoulder1", shoulder, _motor(shoulder), color="grey")
    pose.body(f"{side}shoulder2", shoulder, _motor(shoulder), color="grey")
    upper = bar(0.028 * WEIGHT, shoulder, elbow, 0.038)
    pose.body(f"{side}upper_arm", shoulder, upper, color="grey")
    palm = ball(0.006 * WEIGHT, hand, 0.045)
    lower = bar(0.016 * WEIGHT, elbow, hand, 0.03)
    pose.body(f"{side}forearm", elbow, lower, palm, color="orange")
    pose.line(
        (f"{side}shoulder", "torso", shoulder),
        (f"{side}elbow", f"{side}upper_arm", elbow),
        (f"{side}hand", f"{side}forearm", hand),
    )
    return [shoulder, shoulder, shoulder, elbow]
