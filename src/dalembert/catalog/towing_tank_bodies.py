"""The captive ship of `towing_tank` with a quaternion: the same rows on a body free to turn over.

Castro (2025), section 3: Phi = (roll, yaw, x_P, y_P, z_P - h(t)) with P a mount point fixed to the
body; data of reference problem A11. Roll, pitch and yaw are formulas of the rotation here.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.body_shapes import hull
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.forces.torque import Torque


def towing_tank_bodies(
    *,
    mount: float = 0.15,
    amplitude: float = 0.05,
    frequency: float = 0.8,
    gravity: float = 9.81,
) -> Model:
    """Captive ship "ship" with a quaternion: heave prescribed, pitch free, all else held.

    Parameters
    ----------
    mount : float  [m]
        Mount point P ahead of the centre of mass, along body x.
    amplitude, frequency : float  [m], [Hz]
        Heave  h(t) = amplitude sin(2 pi frequency t).
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> towing_tank_bodies().row_names
    ['mount[0]', 'mount[1]', 'mount[2]', 'mount[3]', 'mount[4]']
    """
    stiffness, damping = 90.0, 6.0  # restoring moment [N m/rad], damping [N m s/rad]
    g, offset, height, rate = parameters(
        g=gravity, mount=mount, amplitude=amplitude, frequency=frequency
    )
    model = Model("towing-tank-bodies", gravity=(0.0, 0.0, -g))
    ship = model.add_body(
        "ship",
        Inertia(40.0, (2.0, 12.0, 12.0)),
        position=(-offset, 0.0, 0.0),
        velocity=(0.0, 0.0, 2 * np.pi * rate * height),
        shapes=[hull(3.0, 0.5, 0.35)],
    )
    P = ship.at(x=offset).position
    heave = height * np.sin(2 * np.pi * rate * time)
    model.constrain(ship.roll, ship.yaw, P[0], P[1], P[2] - heave, name="mount")
    moment = -stiffness * ship.pitch - damping * ship.angular_velocity[1]
    model.add_force(Torque(ship, about="y", value=moment, name="water"))
    model.add_point("mount", P)
    model.add_point("centre", ship.at())
    model.add_point("bow", ship.at(x=1.5))
    model.add_point("stern", ship.at(x=-1.5))
    model.add_line("stern", "bow")
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
