"""Shaft with two cross joints between parallel shafts: the errors of the joints cancel.

A single cross joint at the angle b turns a uniform rate W into  W cos b / (1 - sin^2 b cos^2 a),  a
the angle of the driving yoke; the second one, its yoke in the plane of the first, turns it back.
17 independent rows, one degree of freedom: the output bearing lets its shaft slide.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model, Rotation
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.universal import Universal


def cardan_shaft(
    *, angle: float = np.pi / 6, rate: float = 6.0, mass: float = 2.0, length: float = 1.0
) -> Model:
    """Drive shaft of bodies input, middle and output, turning freely; no gravity.

    Parameters
    ----------
    angle : float  [rad]
        Between the outer shafts, along x, and the middle one; below pi/2.
    rate : float  [rad/s]
        Of input and output at the start, the input yoke being across the plane of the shafts.
    mass, length : float  [kg], [m]
        Of each shaft, a cylinder of radius length / 10.

    Examples
    --------
    >>> cardan_shaft()
    Model('cardan-shaft': 3 bodies, 4 joints, 17 constraint rows)
    """
    if not abs(angle) < np.pi / 2:
        raise ModelError(f"cardan-shaft: angle is {angle:g} rad. Give less than a right angle.")
    m, l, w = parameters(m=mass, l=length, rate=rate)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    model = Model("cardan-shaft", gravity=(0.0, 0.0, 0.0))
    inertia = Inertia.cylinder(m, l / 10, length=l, axis="x")
    rest = (0.0, 0.0, 0.0)
    first = model.add_body(
        "input", inertia, position=(-l / 2, 0.0, 0.0), velocity=rest, angular_velocity=(w, 0, 0)
    )
    middle = model.add_body(
        "middle",
        inertia,
        position=(l * c / 2, 0.0, l * s / 2),
        rotation=Rotation([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]]),
        velocity=rest,
        angular_velocity=(w * c * c, 0.0, w * c * s),
    )
    last = model.add_body(
        "output",
        inertia,
        position=(l * c + l / 2, 0.0, l * s),
        velocity=rest,
        angular_velocity=(w, 0, 0),
    )
    ends = [(-l, 0.0), (0.0, 0.0), (l * c, l * s), (l * c + l, l * s)]
    start, stop = (model.world.at(x=x, z=z) for x, z in (ends[0], ends[3]))
    model.add_joint(Revolute(start, first.at(x=-l / 2), axis="x", name="bearing_in"))
    model.add_joint(
        Universal(
            first.at(x=l / 2), middle.at(x=-l / 2), axis="y", second_axis="z", name="cross_in"
        )
    )
    model.add_joint(
        Universal(
            middle.at(x=l / 2), last.at(x=-l / 2), axis="z", second_axis="y", name="cross_out"
        )
    )
    model.add_joint(Cylindrical(stop, last.at(x=l / 2), axis="x", name="bearing_out"))
    frames = (first.at(x=-l / 2), middle.at(x=-l / 2), middle.at(x=l / 2), last.at(x=l / 2))
    names = ("start", "first", "second", "stop")
    for name, frame in zip(names, frames, strict=True):
        model.add_point(name, frame)
    model.add_point("yoke", first.at(x=l / 2, y=l / 5))
    model.add_line(*names)
    model.add_line("first", "yoke")
    model.suggested = {"until": 5.0, "step": 1e-3}
    return model
