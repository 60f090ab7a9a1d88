"""A slider-crank from bodies and joints, through its singular positions; reactions by name."""

import numpy as np

import dalembert as dl

model = dl.Model("slider-crank", gravity=(0, 0, -9.81))
crank = model.add_body("crank", dl.Inertia.rod(mass=1.0, length=1.0))
rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
slider = model.add_body("slider", dl.Inertia.point(mass=1.0))
bearing = model.add_joint(dl.Revolute(model.world, crank.at(x=-0.5), axis="y", name="bearing"))
model.add_joint(dl.Revolute(crank.at(x=0.5), rod.at(x=-0.5), axis="y", name="pin"))
model.add_joint(dl.Revolute(rod.at(x=0.5), slider, axis="y", name="wrist"))
guide = model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
motor = model.add_force(dl.Torque(crank, about="y", value=5.0, name="motor"))
model.add_force(dl.JointFriction(bearing, damping=1.0, name="grease"))

if __name__ == "__main__":
    print(model.check())

    solution = dl.simulate(model, until=10.0, step=1e-3)
    print(solution.summary())
    print(solution.reaction(bearing).summary())

    # Three hinges and a slide hold the plane three times over; the mechanism turns all the same. It
    # passes the vertical, where the slider might also stay and the lever arm of the guide vanishes:
    # there bearing and guide press against one another with thousands of newtons.
    assert model.check().degrees_of_freedom == 1
    assert model.check().rank == 17
    assert solution[bearing.angle][-1] > 2 * np.pi
    assert solution.worst["phi"] < 1e-13
    assert solution.worst["phi_dot"] < 1e-12
    # Newton's law for all bodies, each of 1 kg: only bearing and guide hold them from outside
    held, guided = solution.reaction("bearing"), solution.reaction("guide")
    a = solution.a.reshape(-1, 3, 6)[:, :, :3].sum(axis=1)  # three bodies: linear, angular
    weight = np.array([0.0, 0.0, -3 * 9.81])
    assert not held.unique
    assert held.max() > 1000
    assert np.abs(held.force + guided.force + weight - a).max() < 1e-7 * held.max()
    # work of the motor and of the friction in the bearing
    assert abs(solution.report()["energy_balance"]) < 1e-6 * solution.energy.max()
