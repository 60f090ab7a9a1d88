"""A hopping leg: a body on a spring with a foot, which strikes the floor and leaves it again.

The foot strikes without bouncing; the body goes on and compresses the spring. When the leg is as
long again as it can be, the body takes the foot with it: of its speed M / (M + m) is left. Each hop
reaches (M / (M + m))^2 of the height of the last, measured from where the foot leaves the floor.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.forces.spring import Spring
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.one_sided.limits import Limits
from dalembert.model.shapes.solids import Box, Cylinder, Plane, Sphere


def hopper(
    *,
    mass: float = 5.0,
    foot: float = 0.2,
    stiffness: float = 2000.0,
    leg: float = 0.5,
    height: float = 0.3,
    gravity: float = 9.81,
) -> Model:
    """Hopping leg of bodies trunk and foot on a vertical rail, dropped with its leg stretched.

    Parameters
    ----------
    mass, foot : float  [kg]
        Of trunk and foot.
    stiffness : float  [N/m]
        Of the leg; it has no tension where a stop keeps it from getting longer.
    leg : float  [m]
        From the foot to the middle of the trunk, at most.
    height : float  [m]
        Of the foot over the floor at the start.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> hopper()
    Model('hopper': 2 bodies, 2 joints, 10 constraint rows)
    """
    g, k = parameters(g=gravity, k=stiffness)
    model = Model("hopper", gravity=(0.0, 0.0, -g))
    rubber = Material(friction=0.8)
    model.add_shape(Plane(), material=rubber, name="floor")
    radius = 0.04
    low = model.add_body("foot", Inertia.sphere(foot, radius), position=(0, 0, radius + height))
    trunk = model.add_body(
        "trunk", Inertia.box(mass, size=(0.3, 0.2, 0.12)), position=(0, 0, radius + height + leg)
    )
    model.add_shape(Sphere(radius), on=low, material=rubber)
    model.add_shape(
        [Box(0.3, 0.2, 0.12), Cylinder(0.03, 0.3, position=(0, 0, -0.1))], on=trunk, contact=False
    )
    model.add_joint(Prismatic(model.world, trunk, axis="z", name="rail"))
    knee = model.add_joint(Prismatic(trunk, low, axis="-z", name="leg"))
    model.set_limits(knee, Limits(0.25, leg))
    model.add_force(Spring(trunk, low, stiffness=k, free_length=leg, name="spring"))
    model.suggested = {"until": 4.0}
    return model
