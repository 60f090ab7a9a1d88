"""Slider-crank from three bodies, three hinges and a slide: 20 rows of rank 17.

The mechanism of `slider_crank` (Braun & Goldfarb 2009, section 5.2) in the x-z plane of space,
program 2 of the design. The hinges hold the rods in the plane three times over. With equal links
it passes positions where the slider may also stay at rest.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.forces.torque import Torque
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute


def slider_crank_bodies(
    *,
    l1: float = 1.0,
    l2: float = 1.0,
    mass: float = 1.0,
    slider: float = 1.0,
    gravity: float = 9.81,
    torque: float = 20.0,
    damping: float = 5.0,
) -> Model:
    """Slider-crank of bodies crank, rod and slider; x along the guide, z up.

    Parameters
    ----------
    l1, l2 : float  [m]
        Length of crank and rod; ``l2=1.5`` is the case without singular positions.
    mass, slider : float  [kg]
        Of each uniform rod, and of the slider.
    gravity : float  [m/s^2]
        Along -z.
    torque, damping : float  [N m], [N m s]
        On the crank, counter-clockwise. Both zero: the model is conservative.

    Examples
    --------
    >>> slider_crank_bodies()
    Model('slider-crank-bodies': 3 bodies, 4 joints, 20 constraint rows)
    """
    a, b, m, ms, g = parameters(l1=l1, l2=l2, m=mass, ms=slider, g=gravity)
    model = Model("slider-crank-bodies", gravity=(0.0, 0.0, -g))
    crank = model.add_body("crank", Inertia.rod(m, a))
    rod = model.add_body("rod", Inertia.rod(m, b))
    block = model.add_body("slider", Inertia.point(ms))
    # About -y: counter-clockwise with z up. Both links start along x.
    model.add_joint(Revolute(model.world, crank.at(x=-a / 2), axis="-y", name="bearing"))
    model.add_joint(Revolute(crank.at(x=a / 2), rod.at(x=-b / 2), axis="-y", name="pin"))
    model.add_joint(Revolute(rod.at(x=b / 2), block, axis="-y", name="wrist"))
    model.add_joint(Prismatic(model.world, block, axis="x", name="guide"))
    if torque != 0.0 or damping != 0.0:
        drive, friction = parameters(torque=torque, damping=damping)
        turning = -crank.angular_velocity[1]
        model.add_force(Torque(crank, about="-y", value=drive - friction * turning, name="motor"))
    model.add_point("base", model.world.at())
    model.add_point("pin", crank.at(x=a / 2))
    model.add_point("slider", block.at())
    model.add_line("base", "pin", "slider")
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
