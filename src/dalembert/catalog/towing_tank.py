"""A ship model held in a towing tank: heave prescribed, pitch free, all else constrained.

Castro (2025), section 3: Phi = (roll, yaw, x_P, y_P, z_P - h(t)) with P a mount point fixed to the
body. Data of reference problem A11. The multipliers of the last three rows are the force the
mount exerts on the ship, which is what the balance of a towing tank measures.

Notes
-----
Angles follow R = Rz(yaw) Ry(pitch) Rx(roll) with z up, so that positive pitch is nose *down*. The
reference angle theta of A11 is nose up: theta = -pitch.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.body_shapes import hull
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model


def towing_tank(
    *,
    mount: float = 0.15,
    amplitude: float = 0.05,
    frequency: float = 0.8,
    gravity: float = 9.81,
) -> Model:
    """Captive ship with coordinates of the centre of mass and roll, pitch, yaw.

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
    >>> towing_tank().row_names
    ['mount[0]', 'mount[1]', 'mount[2]', 'mount[3]', 'mount[4]']
    """
    mass, pitch_inertia = 40.0, 12.0
    stiffness, damping = 90.0, 6.0  # restoring moment [N m/rad], damping [N m s/rad]
    g, offset, height, rate = parameters(
        g=gravity, mount=mount, amplitude=amplitude, frequency=frequency
    )
    model = Model("towing-tank", gravity=(0.0, 0.0, -g))
    # Only the pitch inertia matters: roll and yaw are held.
    ship = model.add_body(
        "ship",
        Inertia(mass, (2.0, pitch_inertia, pitch_inertia)),
        orientation="roll-pitch-yaw",
        shapes=[hull(3.0, 0.5, 0.35)],
    )
    P = ship.at(x=offset).position
    heave = height * np.sin(2 * np.pi * rate * time)
    model.constrain(ship.roll, ship.yaw, P[0], P[1], P[2] - heave, name="mount")
    model.add_force({ship.pitch: -stiffness * ship.pitch - damping * ship.pitch.dot})
    # At rest but for the heave: the constraint velocity is satisfied.
    model.set_initial({ship.x: -offset, ship.z.dot: 2 * np.pi * rate * height})
    model.add_point("mount", P)
    model.add_point("centre", ship.at())
    model.add_point("bow", ship.at(x=1.5))
    model.add_point("stern", ship.at(x=-1.5))
    model.add_line("stern", "bow")
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
