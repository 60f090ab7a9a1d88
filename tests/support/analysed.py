"""Mechanisms whose equilibria, modes and motions are known: references S2."""

from __future__ import annotations

import numpy as np

import dalembert as dl


def chain(n):
    """A chain of n equal rods, 1 m and 1 kg together, hanging."""
    model = dl.Model("chain", gravity=(0, -9.81, 0))
    end, length = model.world.at(), 1.0 / n
    for i in range(n):
        rod = model.add_body(f"rod{i}", dl.Inertia.rod(1.0 / n, length=length))
        start = 0.0 if i else -np.pi / 2
        model.add_joint(dl.Revolute(end, rod.at(x=-length / 2), name=f"joint{i}", initial=start))
        end = rod.at(x=length / 2)
    return model


def top():
    """Lagrange's top by its tilts a, b and its spin; A and C about the pivot."""
    a, b, c = dl.coordinates("a b c")
    (spin,) = dl.parameters(spin=60.0)
    rates = a.dot * np.cos(b), b.dot, c.dot + a.dot * np.sin(b)
    return dl.Model.from_lagrangian(
        kinetic=(0.05 * (rates[0] ** 2 + rates[1] ** 2) + 0.02 * rates[2] ** 2) / 2,
        potential=0.3 * 9.81 * np.cos(a) * np.cos(b),
        initial={c.dot: spin},
    )


def disc():
    """A thin disc that rolls upright along x with speed v."""
    model = dl.Model("disc")
    (v,) = dl.parameters(v=2.0)
    wheel = model.add_body(
        "disc",
        dl.Inertia(1.0, (0.0225, 0.0225, 0.045)),
        position=(0, 0, 0.3),
        rotation=("x", np.pi / 2),
        velocity=(v, 0, 0),
        angular_velocity=(0, v / 0.3, 0),
    )
    model.add_joint(dl.Rolling(model.world, wheel, radius=0.3, name="floor"))
    return model


def rotor():
    """A rigid rotor in two isotropic bearings, spinning with Omega."""
    model = dl.Model("rotor", gravity=(0, 0, 0))
    (omega,) = dl.parameters(Omega=0.0)
    body = model.add_body(
        "rotor", dl.Inertia(10.0, (0.5, 0.5, 0.8)), angular_velocity=(0, 0, omega)
    )
    for name, z in (("left", -0.2), ("right", 0.3)):
        bearing = dl.Spring(
            model.world.at(z=z), body.at(z=z), free_length=0.0, stiffness=1e6, name=name
        )
        model.add_force(bearing)
    return model


def shaft(offset=0.0, tilt=0.0):
    """A thin rod on a horizontal hinge of a vertical shaft that turns with Omega."""
    model = dl.Model("shaft")
    (omega,) = dl.parameters(Omega=7.0)
    post = model.add_body("post", dl.Inertia.sphere(mass=1.0, radius=0.1))
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=0.6, axis="z"))
    turn = model.add_joint(dl.Revolute(model.world, post, axis="z", name="turn"))
    model.add_joint(dl.Motion(turn, omega * dl.time, name="drive"))
    model.add_joint(
        dl.Revolute(post.at(x=offset), rod.at(z=0.3), axis="-y", name="hinge", initial=tilt)
    )
    return model


def slider_crank(damping=0.0, start=0.5):
    """Crank 0.2 m, rod 0.5 m, slider with a spring to the ground."""
    model = dl.Model("slider-crank", gravity=(0, -9.81, 0))
    crank = model.add_body("crank", dl.Inertia.rod(1.0, length=0.2))
    rod = model.add_body("rod", dl.Inertia.rod(1.5, length=0.5))
    slider = model.add_body("slider", dl.Inertia.point(2.0))
    model.add_joint(dl.Revolute(model.world, crank.at(x=-0.1), name="bearing", initial=start))
    model.add_joint(dl.Revolute(crank.at(x=0.1), rod.at(x=-0.25), name="pin", initial=-0.7))
    model.add_joint(dl.Revolute(rod.at(x=0.25), slider, name="wrist"))
    guide = model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
    force = -500.0 * (guide.displacement - 0.6) - damping * guide.displacement.dot
    model.add_force(dl.Force(slider, value=(force, 0, 0), name="spring"))
    return model


def four_bar():
    """Crank 0.4, coupler 1.0, rocker 0.7, ground 1.0, a torsion spring on the crank."""
    model = dl.Model("four-bar", gravity=(0, -9.81, 0))
    bars = {"crank": 0.4, "coupler": 1.0, "rocker": 0.7}
    crank, coupler, rocker = (
        model.add_body(name, dl.Inertia.rod(l, length=l)) for name, l in bars.items()
    )
    first = dl.Revolute(model.world, crank.at(x=-0.2), name="A", initial=np.pi / 3)
    first = model.add_joint(first)
    model.add_joint(dl.Revolute(crank.at(x=0.2), coupler.at(x=-0.5), name="B", initial=-0.6))
    model.add_joint(dl.Revolute(model.world.at(x=1.0), rocker.at(x=-0.35), name="D", initial=1.3))
    model.add_joint(dl.Revolute(coupler.at(x=0.5), rocker.at(x=0.35), name="C"))
    model.add_force(dl.TorsionSpring(first, free_angle=np.pi / 3, stiffness=10.0, name="spring"))
    return model


def governor():
    """Watt's governor: both arms by one angle, the shaft by another."""
    phi, theta = dl.coordinates("phi theta")
    (b,) = dl.parameters(b=1.0)
    return dl.Model.from_lagrangian(
        kinetic=0.25 * theta.dot**2 + 0.04 * (phi.dot**2 + np.sin(phi) ** 2 * theta.dot**2),
        potential=-0.4 * 9.81 * np.cos(phi),
        forces={theta: 5 * np.cos(phi) - 3, phi: -b * phi.dot},
        initial={phi: 0.8, theta.dot: 8.0},
        name="governor",
    )


def governor_of_bodies():
    """The same of bodies: a shaft, two balls on massless arms that move alike."""
    model = dl.Model("governor of bodies")
    (b,) = dl.parameters(b=1.0)
    shaft = model.add_body("shaft", dl.Inertia(1.0, (0.5, 0.5, 0.5)))
    bearing = dl.Revolute(model.world, shaft, axis="z", name="bearing", initial_speed=8.0)
    model.add_joint(bearing)
    arms = []
    for name, axis in (("left", "y"), ("right", "-y")):
        ball = model.add_body(name, dl.Inertia.point(1.0))
        arm = dl.Revolute(shaft, ball.at(z=0.2), axis=axis, name=f"{name}_arm", initial=0.8)
        arms.append(model.add_joint(arm))
        model.add_force(dl.JointFriction(arms[-1], damping=b / 2, name=f"{name}_damper"))
    model.add_joint(dl.Coupler([(1.0, arms[0]), (-1.0, arms[1])], name="sleeve"))
    engine = 5 * np.cos(arms[0].angle) - 3
    model.add_force(dl.Torque(shaft, about="z", value=engine, name="engine"))
    return model
