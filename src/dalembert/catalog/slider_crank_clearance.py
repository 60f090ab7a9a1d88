"""Slider-crank whose slider has play in its guide and strikes its walls with its corners.

Data of Flores, Leine & Glocker (2010), "Modeling and analysis of planar rigid multibody systems
with translational clearance joints based on the non-smooth dynamics approach", Multibody System
Dynamics 23, 165-190. The crank is not driven: it starts with 150 rad/s.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.solids import Box

CRANK, ROD = 0.153, 0.306
HALF = (0.05, 0.025)


def slider_crank_clearance(
    *,
    clearance: float = 1e-3,
    tilt: float = 0.0,
    rate: float = 150.0,
    restitution: float = 0.4,
    friction: float = 0.01,
    gravity: float = 9.81,
) -> Model:
    """Slider-crank of bodies crank, rod and slider, which has play between walls "upper", "lower".

    Parameters
    ----------
    clearance : float  [m]
        Between slider and each wall when it is in the middle.
    tilt : float  [rad]
        Of the slider at the start.
    rate : float  [rad/s]
        Of the crank at the start; the slider moves along its guide and does not turn.
    restitution, friction : float
        Between slider and walls.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> slider_crank_clearance()
    Model('slider-crank-clearance': 3 bodies, 3 joints, 15 constraint rows)
    """
    e, g = parameters(e=restitution, g=gravity)
    (mu,) = parameters(mu=friction)
    model = Model("slider-crank-clearance", gravity=(0.0, 0.0, -g))
    a, b = HALF
    high = b + clearance
    crank = model.add_body("crank", Inertia(0.038, (7.4e-5,) * 3))
    rod = model.add_body("rod", Inertia(0.038, (5.9e-4,) * 3))
    slider = model.add_body("slider", Inertia(0.076, (2.7e-6,) * 3))
    base, pin = crank.at(x=-0.5 * CRANK), crank.at(x=0.5 * CRANK)
    # level at the start; the pin's speed is the same on both links, the slider stands still
    turn = -rate * CRANK / ROD
    model.add_joint(Revolute(model.world, base, axis="-y", initial_speed=rate, name="bearing"))
    model.add_joint(
        Revolute(pin, rod.at(x=-0.5 * ROD), axis="-y", initial_speed=turn - rate, name="pin")
    )
    model.add_joint(
        Revolute(
            rod.at(x=0.5 * ROD), slider, axis="-y", initial=tilt, initial_speed=-turn, name="wrist"
        )
    )
    model.add_shape(Box(2 * a, 0.04, 2 * b), on=slider, contact=False)
    for wall, up in (("upper", 1.0), ("lower", -1.0)):
        for end, ahead in (("rear", -1.0), ("front", 1.0)):
            x, _, z = slider.at(x=ahead * a, z=up * b).position
            rubs = {"friction": mu, "sliding": x} if friction else {}
            model.keep(high - up * z >= 0, restitution=e, name=f"{wall} {end}", **rubs)
    # walls as they are seen: bars above and below, as long as the way of the slider
    near, far = ROD - CRANK - 1.4 * a, ROD + CRANK + 1.4 * a
    thick = 0.012
    bars: list[Box] = [
        Box(far - near, 0.06, thick, position=(0.5 * (near + far), 0.0, s * (high + 0.5 * thick)))
        for s in (-1.0, 1.0)
    ]
    model.add_shape(bars, contact=False)
    model.suggested = {"until": 0.2}
    return model
