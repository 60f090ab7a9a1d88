"""Small models that environments are made from in these tests."""

import dalembert as dl


def cart_pole():
    model = dl.Model("cart-pole")
    cart = model.add_body("cart", dl.Inertia.box(mass=1.0, size=(0.3, 0.2, 0.15)))
    pole = model.add_body("pole", dl.Inertia.rod(mass=0.1, length=1.0, axis="z"))
    rail = model.add_joint(dl.Prismatic(model.world, cart, axis="x", name="rail"))
    model.add_joint(dl.Revolute(cart, pole.at(z=-0.5), axis="y", name="hinge"))
    model.add_force(dl.DirectDrive(rail, name="motor"))
    return model


SMALL = (-0.05, 0.05)


def balancing(**changes):
    """Model and settings of a pole to be balanced."""
    model = cart_pole()
    settings = {
        "step": 0.01,
        "every": 2,
        "actions": {"motor": (-10.0, 10.0)},
        "observations": ["rail.displacement", "hinge.angle", "hinge.angle.dot"],
        "reward": 1 - 0.01 * dl.rl.action("motor") ** 2,
        "terminate": abs(model.joints["hinge"].angle) > 0.2,
        "truncate": 1.0,
        "reset": {"hinge.angle": SMALL, "hinge.angle.dot": SMALL, "rail.displacement": SMALL},
    }
    return model, settings | changes


def fragile(**changes):
    """A slide pushed by F / (1 - x) beyond which there is nothing: x = 1 is a pole of the force."""
    (x,) = dl.coordinates("x")
    (f,) = dl.parameters(F=0.0)
    model = dl.Model.from_lagrangian(
        name="fragile", kinetic=x.dot**2 / 2, potential=0 * x, forces={x: f * (1 - x) ** -0.5}
    )
    settings = {
        "step": 0.1,
        "actions": {f: (-10.0, 10.0)},
        "observations": [x, x.dot],
        "reward": x - f,
        "reset": {x: (0.0, 0.1)},
    }
    return model, settings | changes
