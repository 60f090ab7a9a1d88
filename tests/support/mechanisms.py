"""Mechanisms of bodies for the batteries: every kind of row in a handful of small models."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as dl

BAR = dl.Inertia.box(mass=1.0, size=(1.0, 0.4, 0.6))
"""A bar of unit mass along x with three different moments."""


def tumbling_bar(**options: Any) -> dl.Model:
    """A bar alone, thrown so that it turns about its middle axis: no constraints."""
    model = dl.Model("tumbling bar", gravity=(0, 0, -9.81))
    model.add_body(
        "bar",
        BAR,
        position=(0, 0, 0),
        rotation=("z", 0.3),
        velocity=(1.0, 0.0, 2.0),
        angular_velocity=(0.3, 0.2, 4.0),
        **options,
    )
    return model


def hinged_bar(**options: Any) -> dl.Model:
    """A bar on a hinge, released horizontally: the pendulum as a body.

    Gravity is along -y here, so that roll-pitch-yaw turns by its yaw, which may go round.
    """
    model = dl.Model("hinged bar", gravity=(0, -9.81, 0))
    bar = model.add_body("bar", BAR, **options)
    model.add_joint(dl.Revolute(model.world, bar.at(x=-0.5), axis="z", name="hinge"))
    return model


def spherical_pendulum(**options: Any) -> dl.Model:
    """A bar on a ball joint, thrown so that it turns about all axes."""
    model = dl.Model("spherical pendulum", gravity=(0, 0, -9.81))
    bar = model.add_body(
        "bar",
        BAR,
        position=(0.5, 0, 0),
        rotation=("z", 0.0),
        velocity=(0.0, 1.0, 0.5),
        angular_velocity=(2.0, -1.0, 2.0),
        **options,
    )
    model.add_joint(dl.Spherical(model.world, bar.at(x=-0.5), name="ball"))
    return model


def four_bar(**options: Any) -> dl.Model:
    """The spatial four-bar with four hinges: 20 rows, of which 17 are independent."""
    model = dl.Model("four-bar", gravity=(0, -9.81, 0))
    lengths, angles = (1.0, 2.0, 1.5), closed(1.0, 2.0, 1.5, 2.2, 1.0)
    end, joint = np.zeros(3), model.world.at()
    for name, length, angle in zip(("crank", "coupler", "rocker"), lengths, angles, strict=True):
        along = length * np.array([np.cos(angle), np.sin(angle), 0.0])
        inertia = dl.Inertia.box(mass=length, size=(length, 0.2, 0.1))
        body = model.add_body(
            name, inertia, position=end + along / 2, rotation=("z", angle), **options
        )
        model.add_joint(dl.Revolute(joint, body.at(x=-length / 2), axis="z", name=f"hinge {name}"))
        end, joint = end + along, body.at(x=length / 2)
    ground = model.world.at(x=float(end[0]), y=float(end[1]))
    model.add_joint(dl.Revolute(joint, ground, axis="z", name="hinge ground"))
    return model


def closed(a: float, b: float, c: float, d: float, crank: float) -> tuple[float, float, float]:
    """Angles of crank, coupler and rocker of a four-bar with the given lengths."""
    x, z = d - a * np.cos(crank), -a * np.sin(crank)
    far = np.hypot(x, z)
    turn = np.arccos((b * b + far * far - c * c) / (2 * b * far))
    coupler = np.arctan2(z, x) + turn
    rocker = np.arctan2(z - b * np.sin(coupler), x - b * np.cos(coupler))
    return crank, float(coupler), float(rocker)


def driven_arm(**options: Any) -> dl.Model:
    """A crank that follows a formula of time, with a bar on a ball joint at its end."""
    model = dl.Model("driven arm", gravity=(0, 0, -9.81))
    start = {"position": (0.5, 0, 0), "velocity": (0, 0.5, 0), "angular_velocity": (0, 0, 1.0)}
    crank = model.add_body("crank", BAR, rotation=("z", 0.0), **start, **options)
    start = {"position": (1.5, 0, 0), "velocity": (0, 1.0, 0)}
    bar = model.add_body("bar", BAR, rotation=("z", 0.0), **start, **options)
    model.add_joint(dl.Revolute(model.world, crank.at(x=-0.5), axis="z", name="bearing"))
    model.add_joint(dl.Spherical(crank.at(x=0.5), bar.at(x=-0.5), name="ball"))
    angle = 0.5 * np.sin(2.0 * dl.time)
    x, y = crank.rotation[0, 0], crank.rotation[1, 0]
    model.constrain(y * np.cos(angle) - x * np.sin(angle), name="drive")
    return model


def rolling_disc(lean: float = 1.4, **options: Any) -> dl.Model:
    """A disc that rolls without slip on the plane z = 0, leaning; its axis is its own z."""
    radius = 0.5
    model = dl.Model("rolling disc", gravity=(0, 0, -9.81))
    disc = model.add_body(
        "disc",
        dl.Inertia.cylinder(mass=1.0, radius=radius, length=0.05, axis="z"),
        position=(0.0, 0.0, radius * np.sin(lean)),
        rotation=("x", lean),
        velocity=(1.0, 0.0, 0.0),
        angular_velocity=(0.0, 2.0 / np.sin(lean), 0.0),
        **options,
    )
    axis = disc.rotation[:, 2]
    # The direction from the contact to the centre: the vertical less its part along the axis.
    sine = (1 - axis[2] ** 2) ** 0.5
    up = np.array([-axis[2] * axis[0], -axis[2] * axis[1], 1 - axis[2] ** 2]) / sine
    slip = disc.velocity - radius * np.cross(disc.angular_velocity, up)
    model.constrain(disc.z - radius * sine, name="contact")
    model.constrain(slip[0], slip[1], name="rolling")
    return model
