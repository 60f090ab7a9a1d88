"""A block on a belt, tied to the wall by a spring: it rides with the belt until the spring wins.

It sticks up to the stretch mu_s m g / k, slides back about the stretch mu m g / k, and sticks again
where it meets the speed of the belt: with mu_s > mu again and again (Leine et al. 1998). With one
coefficient it sticks once, and slides ever after.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.forces.spring import Spring
from dalembert.model.joints.compound import Compound
from dalembert.model.shapes.solids import Box, Plane, Sphere


def stick_slip_belt(
    *,
    friction: float = 0.3,
    static: float = 0.5,
    belt: float = 0.4,
    stiffness: float = 50.0,
    damping: float = 0.0,
    mass: float = 2.0,
    stretch: float = 0.5,
    gravity: float = 9.81,
) -> Model:
    """Block on a belt that runs along x, held by a spring; x of the block is its stretch.

    Parameters
    ----------
    friction, static : float
        Between block and belt, while it slides and while it sticks.
    belt : float  [m/s]
        Its speed.
    stiffness, damping : float  [N/m], [N s/m]
        Of the spring.
    mass : float  [kg]
    stretch : float  [m]
        Of the spring at the start; the block is at rest there.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> stick_slip_belt()
    Model('stick-slip-belt': 1 body, 1 joint, 4 constraint rows)
    """
    mu, most, g = parameters(mu=friction, mu_static=static, g=gravity)
    k, c, speed = parameters(k=stiffness, c=damping, belt=belt)
    model = Model("stick-slip-belt", gravity=(0.0, 0.0, -g))
    rubber = Material(friction=mu, static_friction=most)
    running = Material(friction=mu, static_friction=most, surface_velocity=(speed, 0.0, 0.0))
    model.add_shape(Plane(), material=running, name="belt")
    size = (0.3, 0.2, 0.1)
    block = model.add_body("block", Inertia.box(mass, size=size))
    # it does not tip, and rests on one point in the middle of its lower face
    start = (stretch, 0.5 * size[2])
    model.add_joint(Compound(model.world, block, slides=["x", "z"], initial=start, name="guide"))
    model.add_shape(Box(size), on=block, contact=False)
    model.add_shape(Sphere(0.5 * size[2]), on=block, material=rubber, name="runner", drawn=False)
    wall = model.world.at(x=-1.0, z=0.5 * size[2])
    model.add_force(Spring(wall, block, stiffness=k, damping=c, free_length=1.0, name="spring"))
    model.suggested = {"until": 6.0}
    return model
