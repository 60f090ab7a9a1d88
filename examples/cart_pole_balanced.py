"""Control: a pole on a cart is balanced by gains of its exact linear model, from 17 degrees.

Gravity pulls the pole over at the rate of the unstable eigenvalue; the linear-quadratic regulator
is sampled 200 times a second.
"""

import numpy as np
from scipy.linalg import solve_continuous_are

import dalembert as dl

cart = dl.Model("cart-pole")
base = cart.add_body("base", dl.Inertia.box(1.0, size=(0.3, 0.2, 0.1)))
pole = cart.add_body("pole", dl.Inertia.rod(0.2, 1.0, axis="z"))
slide = cart.add_joint(dl.Prismatic(cart.world, base, axis="x", name="slide"))
hinge = cart.add_joint(dl.Revolute(base, pole.at(z=-0.5), axis="y", name="hinge"))
cart.add_force(dl.DirectDrive(slide, name="motor"))
cart.add_sensor(dl.JointSensor(slide, name="where"))
cart.add_sensor(dl.JointSensor(hinge, name="lean"))
cart.add_shape(dl.Box((0.3, 0.2, 0.1)), on=base, contact=False)
cart.add_shape(dl.Capsule(0.02, 1.0), on=pole, contact=False)

near = dl.linearize(cart, inputs=["motor"])
growth = np.linalg.eigvals(near.A).real.max()
P = solve_continuous_are(near.A, near.B, np.eye(4), np.eye(1))
gains = dict(zip(near.states, (near.B.T @ P)[0], strict=True))
names = ["slide.displacement", "slide.displacement.dot", "hinge.angle", "hinge.angle.dot"]
row = np.array([gains[name] for name in names])
law = dl.Controller(
    lambda t, read: -row @ read, rate=200.0, inputs=["where", "lean"], outputs=["motor"]
)
run = dl.simulate(cart, until=8.0, step=1e-3, initial={"hinge.angle": 0.3}, controllers=[law])
print(f"falls at {growth:.3f} 1/s alone; leans by {run['hinge.angle'][-1]:.1e} rad after 8 s")

# with the cart free the pole turns about the common centre: growth^2 = m g l / 2 / moment
M, m, l = 1.0, 0.2, 1.0
moment = m * l**2 / 3 - (m * l / 2) ** 2 / (M + m)
assert abs(growth - np.sqrt(m * 9.81 * l / 2 / moment)) < 1e-9
assert abs(run["hinge.angle"][-1]) < 2e-3
