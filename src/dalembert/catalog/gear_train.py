"""A falling rack drives a wheel, the wheel a pinion: gear and rack-and-pinion joints.

With wheel and pinion of radii R and r, moments I and i, and a rack of mass m the rack falls at

    m g / (m + I / R^2 + i / r^2),

for the rims of both gears move at the speed of the rack.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.gear import Gear
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.rack_pinion import RackPinion
from dalembert.model.joints.revolute import Revolute


def gear_train(
    *,
    rack: float = 1.0,
    wheel: float = 4.0,
    pinion: float = 1.0,
    radius: float = 0.4,
    small: float = 0.1,
    gravity: float = 9.81,
) -> Model:
    """Gear train of bodies rack, wheel and pinion in the x-z plane, at rest at the start.

    Parameters
    ----------
    rack, wheel, pinion : float  [kg]
        The gears are uniform discs.
    radius, small : float  [m]
        Of the pitch circles of wheel and pinion.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> gear_train().row_names[-1]
    'teeth: relation of displacement of guide, angle of wheel_axle'
    """
    m, M, mp, R, r, g = parameters(m=rack, wheel=wheel, pinion=pinion, R=radius, r=small, g=gravity)
    model = Model("gear-train", gravity=(0.0, 0.0, -g))
    bar = model.add_body("rack", Inertia.rod(m, 4 * R, axis="z"))
    large = model.add_body("wheel", Inertia.cylinder(M, R, length=R / 10, axis="y"))
    fast = model.add_body("pinion", Inertia.cylinder(mp, r, length=R / 10, axis="y"))
    # The rack to the left of the wheel, the pinion to its right; angles about -y.
    guide = model.add_joint(Prismatic(model.world.at(x=-R), bar, axis="z", name="guide"))
    axle = model.add_joint(Revolute(model.world, large, axis="-y", name="wheel_axle"))
    other = model.add_joint(Revolute(model.world.at(x=R + r), fast, axis="-y", name="pinion_axle"))
    model.add_joint(Gear(axle, other, ratio=-r / R, name="mesh"))
    model.add_joint(RackPinion(axle, guide, radius=-R, name="teeth"))
    for name, frame in (
        ("low", bar.at(z=-2 * R)),
        ("high", bar.at(z=2 * R)),
        ("axle", large.at()),
        ("rim", large.at(x=R)),
        ("pinion", fast.at()),
        ("tooth", fast.at(z=r)),
    ):
        model.add_point(name, frame)
    model.add_line("low", "high")
    model.add_line("axle", "rim")
    model.add_line("pinion", "tooth")
    model.suggested = {"until": 2.0, "step": 1e-3}
    return model
