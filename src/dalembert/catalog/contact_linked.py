"""Linked bodies that touch: a chain on the ground, a rod that slides, a gripper, a falling man."""

from __future__ import annotations

import math

from dalembert.catalog.humanoid import humanoid
from dalembert.catalog.on_floor import at_least, on_ground
from dalembert.formulas.functions import maximum, minimum
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.solids import Box, Capsule, Plane


def chain_on_ground(
    count: int = 20, *, tip: float = 100.0, friction: float = 0.5, height: float = 1.0
) -> Model:
    """Chain of hinged links with a heavy end, held at the other end, that falls on the ground.

    Parameters
    ----------
    count : int
    tip : float
        Mass of the last link over that of the others (1 kg).
    friction : float
    height : float  [m]
        Of the level chain at the start.

    Examples
    --------
    >>> chain_on_ground(4)
    Model('chain-on-ground-4': 4 bodies, 4 joints, 20 constraint rows)
    """
    at_least(1, "chain-on-ground", count)
    model, surface = on_ground(f"chain-on-ground-{count}", friction)
    length, thick, apart = 0.2, 0.06, 0.02
    pitch = length + apart
    before = model.world.at(z=height)
    for i in range(count):
        mass = tip if i == count - 1 else 1.0
        link = model.add_body(
            f"link{i}",
            Inertia.box(mass, size=(length, thick, thick)),
            position=((i + 0.5) * pitch, 0.0, height),
        )
        model.add_shape(Box(length, thick, thick), on=link, material=surface)
        model.add_joint(Revolute(before, link.at(x=-0.5 * pitch), axis="y", name=f"hinge{i}"))
        before = link.at(x=0.5 * pitch)
    model.suggested = {"until": 4.0, "step": 0.005}
    return model


def rod(
    *,
    angle: float = 60.0,
    friction: float = 1.6,
    speed: float = 2.0,
    spin: float = 0.0,
    radius: float = 0.01,
) -> Model:
    """Painleve's rod: its lower end slides towards the side it leans away from, and may jam.

    Parameters
    ----------
    angle : float  [degrees]
        Of the rod to the ground.
    friction : float
        Above 4/3 there are angles at which forces cannot do it: only an impulse can.
    speed : float  [m/s]
        Of the tip along the ground.
    spin : float  [rad/s]
        Of the rod, raising it.
    radius : float  [m]
        Of the rod and its round ends.

    Examples
    --------
    >>> rod()
    Model('rod': 1 body)
    """
    model, surface = on_ground("rod", friction)
    length, a = 1.0, math.radians(angle)
    along = (math.cos(a), 0.0, math.sin(a))
    place = (0.5 * length * along[0], 0.0, radius + 0.5 * length * along[2])
    # velocity of the tip: v + w x r = (-speed, 0, 0), r from the centre to the tip
    w = -spin
    v = (-speed + w * 0.5 * length * along[2], 0.0, -w * 0.5 * length * along[0])
    body = model.add_body(
        "rod",
        Inertia.cylinder(1.0, radius=radius, length=length),
        position=place,
        rotation=("y", 0.5 * math.pi - a),
        velocity=v,
        angular_velocity=(0.0, w, 0.0),
    )
    model.add_shape(Capsule(radius, length), on=body, material=surface)
    model.suggested = {"until": 1.0}
    return model


def gripper_with_box(
    *, force: float = 30.0, friction: float = 0.6, mass: float = 1.0, lift: float = 0.2
) -> Model:
    """Two jaws on a carriage that close on a box, hold it by friction and lift it.

    Parameters
    ----------
    force : float  [N]
        Bound of each jaw's drive.
    friction : float
        Between jaws and box: it holds as long as 2 mu force exceeds the weight.
    mass : float  [kg]
        Of the box.
    lift : float  [m]

    Examples
    --------
    >>> gripper_with_box()
    Model('gripper-with-box': 4 bodies, 4 joints, 16 constraint rows)
    """
    mu, most, rise = parameters(mu=friction, force=force, lift=lift)
    model = Model("gripper-with-box")
    rubber = Material(friction=mu)
    model.add_shape(Plane(), material=rubber, name="floor")
    box = model.add_body("box", Inertia.box(mass, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.05))
    model.add_shape(Box(0.1, 0.1, 0.1), on=box, material=rubber)
    carriage = model.add_body(
        "carriage", Inertia.box(2.0, size=(0.3, 0.05, 0.03)), position=(0, 0, 0.18)
    )
    rail = model.add_joint(Prismatic(model.world, carriage, axis="z", name="rail"))
    start = 0.18
    # up between 0.5 s and 1.5 s, with no speed at both ends
    s = maximum(0.0, minimum(1.0, time - 0.5))
    model.add_joint(Motion(rail, start + rise * s * s * (3.0 - 2.0 * s), name="hoist"))
    for name, side in (("left", -1.0), ("right", 1.0)):
        jaw = model.add_body(
            name, Inertia.box(0.3, size=(0.02, 0.05, 0.12)), position=(0.1 * side, 0, 0.08)
        )
        model.add_shape(Box(0.02, 0.05, 0.12), on=jaw, material=rubber)
        inward = "x" if side < 0.0 else "-x"
        slide = model.add_joint(
            Prismatic(carriage.at(z=-0.1), jaw, axis=inward, name=f"{name}_slide")
        )
        drive = PositionServo(
            slide, kp=2e4, kd=200.0, command=0.0, limits=(-most, most), name=f"{name}_drive"
        )
        model.add_force(drive)
    model.suggested = {"until": 2.0, "step": 0.001}
    return model


def falling_humanoid(*, friction: float = 0.8, height: float = 0.05, rate: float = 3.0) -> Model:
    """Humanoid of thirty degrees of freedom that squats and waves with nothing to balance it.

    Parameters
    ----------
    friction : float
        Between man and floor.
    height : float  [m]
        Of the feet over the floor at the start.
    rate : float  [rad/s]
        Of the motion of its joints.

    Examples
    --------
    >>> falling_humanoid()
    Model('humanoid': 25 bodies, 24 joints, 120 constraint rows)
    """
    model = humanoid(stance=False, rate=rate)
    (mu,) = parameters(mu=friction)
    surface = Material(friction=mu)
    low = Plane(position=(0.0, 0.0, -height))
    model.add_shape(low, material=surface, name="floor", group="floor")
    for name in model.bodies:
        for solid in model.shapes.get(name, ()):
            # neighbours overlap in their joints: only the floor is touched
            model.add_shape(
                solid,
                on=name,
                material=surface,
                group="man",
                collides_with="floor",
                drawn=False,
            )
    model.suggested = {"until": 2.0, "step": 0.001}
    return model
