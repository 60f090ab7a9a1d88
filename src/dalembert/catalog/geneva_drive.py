"""A Geneva drive: a pin on a turning crank takes a slotted wheel on by a quarter turn, once a turn.

With the crank a and axles sqrt(2) a apart the pin enters and leaves a slot along it. Between, the
slot points to the pin:  tan(b) = a sin(t) / (sqrt(2) a - a cos(t)),  less the play of the pin: it
lies on one wall while the wheel is driven and on the other while it is braked. Outside its slots
the wheel stands, held by the friction of its bearing.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solids import Capsule, Cylinder, Sphere

CRANK, PIN, WIDTH = 0.05, 0.005, 0.012
"""Length of the crank, radius of the pin, width of the wheel  [m]."""


def geneva_drive(*, rate: float = 2.0 * math.pi, play: float = 2e-4, brake: float = 1e-3) -> Model:
    """Geneva drive of bodies driver, which turns steadily, and wheel, which goes on by quarters.

    Parameters
    ----------
    rate : float  [rad/s]
        Of the driver.
    play : float  [m]
        Between the pin in the middle of a slot and each of its walls.
    brake : float  [N m]
        Dry friction of the wheel's bearing.

    Examples
    --------
    >>> geneva_drive()
    Model('geneva-drive': 2 bodies, 3 joints, 11 constraint rows)
    """
    (w,) = parameters(rate=rate)
    model = Model("geneva-drive", gravity=(0.0, 0.0, 0.0))
    steel = Material(friction=0.0)
    apart = math.sqrt(2.0) * CRANK
    lying = ("x", 0.5 * math.pi)  # axles along y
    driver = model.add_body("driver", Inertia.cylinder(0.2, radius=CRANK, length=WIDTH, axis="y"))
    wheel = model.add_body("wheel", Inertia.cylinder(0.2, radius=CRANK, length=WIDTH, axis="y"))
    # about -y: counter-clockwise with z up; a quarter turn before the pin is between the axles
    shaft = model.add_joint(
        Revolute(model.world, driver, axis="-y", initial=-0.5 * math.pi, name="shaft")
    )
    model.add_joint(Motion(shaft, w * time - 0.5 * math.pi, name="motor"))
    axle = model.add_joint(Revolute(model.world.at(x=apart), wheel, axis="-y", name="axle"))
    model.add_force(JointFriction(axle, dry=brake, name="bearing"))
    model.add_shape(Sphere(PIN, position=(CRANK, 0, 0)), on=driver, material=steel, name="pin")
    reach = Capsule(
        0.8 * PIN, CRANK, position=(0.5 * CRANK, -WIDTH, 0.0), rotation=("y", 0.5 * math.pi)
    )
    bolt = Cylinder(PIN, 2.0 * WIDTH, position=(CRANK, -0.5 * WIDTH, 0.0), rotation=lying)
    model.add_shape([reach, bolt], on=driver, contact=False)
    for k in range(4):
        model.add_shape(
            _arm(0.5 * math.pi * k, PIN + play), on=wheel, material=steel, name=f"arm{k}"
        )
    model.add_shape(Cylinder(0.25 * CRANK, WIDTH, rotation=lying), on=wheel, contact=False)
    model.suggested = {"until": 2.0}
    return model


def _arm(angle: float, half: float) -> Mesh:
    """The part of the wheel between two slots, a prism; half: half the width of a slot."""
    inner = math.sqrt(2.0) * half
    far = (CRANK + half) / math.sqrt(2.0)
    aside = (CRANK - half) / math.sqrt(2.0)
    corners = [complex(inner, 0.0), complex(far, -aside), complex(far, aside)]
    turned = [c * complex(math.cos(angle), math.sin(angle)) for c in corners]
    points = [(c.real, y, c.imag) for y in (-0.5 * WIDTH, 0.5 * WIDTH) for c in turned]
    faces = [(0, 1, 2), (3, 5, 4)]
    for i in range(3):
        j = (i + 1) % 3
        faces += [(i, i + 3, j), (j, i + 3, j + 3)]
    return Mesh(vertices=np.array(points), faces=np.array(faces))
