"""A ratchet spanner: an arm with a pawl goes forwards over the teeth of a wheel, not backwards.

A torque that swings to and fro turns the arm on by whole teeth: backwards it is stopped where the
tip of the pawl lies in the corner between the steep face of a tooth and the ramp of the next, once
in every pitch. The force of the face pushes the tip further in: it holds by its shape.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

from dalembert.catalog.on_floor import at_least
from dalembert.formulas.functions import sin
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.forces.torque import Torque
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.solids import Box, Capsule, Cylinder, Sphere

ROOT, TOP, WIDTH, THICK = 0.09, 0.1, 0.02, 0.02
"""Radii between and at the tips of the teeth; width and thickness of a tooth  [m]."""
PIVOT, PAWL, TIP = 0.135, 0.045, 0.004
"""Radius of the hinge of the pawl, its length, radius of its tip  [m]."""


def ratchet(
    *, teeth: int = 16, torque: float = 0.25, rate: float = 4.0, friction: float = 0.0
) -> Model:
    """Arm with a pawl on a toothed wheel that does not turn; a torque swings to and fro.

    Parameters
    ----------
    teeth : int
    torque : float  [N m]
        Amplitude of the torque on the arm.
    rate : float  [rad/s]
        Of its oscillation; it begins forwards, counter-clockwise with x to the right, z up.
    friction : float
        Between teeth and pawl.

    Examples
    --------
    >>> ratchet()
    Model('ratchet': 2 bodies, 2 joints, 10 constraint rows)
    """
    at_least(12, "ratchet", teeth)
    most, w, mu = parameters(torque=torque, rate=rate, mu=friction)
    model = Model("ratchet", gravity=(0.0, 0.0, 0.0))
    steel = Material(friction=mu)
    pitch = 2.0 * math.pi / teeth
    for k in range(teeth):
        model.add_shape(_tooth(k * pitch, pitch), material=steel, name=f"tooth{k}")
    model.add_shape(Cylinder(ROOT - THICK, WIDTH, rotation=("x", 0.5 * math.pi)), contact=False)
    turn, bend = _start(pitch)
    arm = model.add_body("arm", Inertia.rod(0.3, PIVOT))
    aside = (0.0, -WIDTH, 0.0)  # before the wheel
    bar = Capsule(0.006, PIVOT, position=aside, rotation=("y", 0.5 * math.pi))
    model.add_shape(bar, on=arm, contact=False)
    pawl = model.add_body("pawl", Inertia.rod(0.02, PAWL))
    model.add_shape(Capsule(TIP, PAWL, rotation=("y", 0.5 * math.pi)), on=pawl, contact=False)
    model.add_shape(
        Sphere(TIP, position=(0.5 * PAWL, 0.0, 0.0)), on=pawl, material=steel, name="tip"
    )
    # about -y: counter-clockwise with z up
    axle = model.add_joint(
        Revolute(model.world, arm.at(x=-0.5 * PIVOT), axis="-y", initial=turn, name="axle")
    )
    hinge = model.add_joint(
        Revolute(
            arm.at(x=0.5 * PIVOT), pawl.at(x=-0.5 * PAWL), axis="-y", initial=bend, name="hinge"
        )
    )
    model.add_force(Torque(arm, about="-y", value=most * sin(w * time), name="hand"))
    model.add_force(JointFriction(axle, damping=0.1, name="bearing"))
    press: Any = {"stiffness": 0.02, "damping": 1e-4, "free_angle": bend - 1.0}
    model.add_force(TorsionSpring(hinge, **press, name="spring"))
    model.suggested = {"until": 1.55}
    return model


def _ramp(angle: float, pitch: float) -> tuple[complex, complex, complex]:
    """Foot, top and direction of the ramp that begins at an angle; x + i z."""
    foot, top = cmath.rect(ROOT, angle), cmath.rect(TOP, angle + pitch)
    return foot, top, (top - foot) / abs(top - foot)


def _tooth(angle: float, pitch: float) -> Box:
    """A tooth: its upper face is the ramp, its end the steep face."""
    foot, top, along = _ramp(angle, pitch)
    beyond = 0.5 * THICK  # below the tooth before
    middle = 0.5 * (foot - beyond * along + top) + 1j * along * 0.5 * THICK
    return Box(
        abs(top - foot) + beyond,
        WIDTH,
        THICK,
        position=(middle.real, 0.0, middle.imag),
        rotation=("y", -cmath.phase(along)),
    )


def _start(pitch: float) -> tuple[float, float]:
    """Angles of arm and pawl with the tip in the corner between two teeth."""
    foot, _, along = _ramp(0.0, pitch)
    _, top, face = _ramp(-pitch, pitch)
    # middle of the tip: TIP above the ramp (-i along is outwards) and TIP before the steep face
    out = -1j * along
    c = foot + TIP * out
    short = TIP - ((c - top) * face.conjugate()).real
    c += along * short / (along * face.conjugate()).real
    bend = -math.acos((abs(c) ** 2 - PIVOT**2 - PAWL**2) / (2.0 * PIVOT * PAWL))
    return cmath.phase(c) - cmath.phase(PIVOT + cmath.rect(PAWL, bend)), bend
