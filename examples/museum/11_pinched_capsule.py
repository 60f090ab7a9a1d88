"""A capsule pinched by two jaws, lifted, held for 20 s (google-deepmind/mujoco#3328).

The jaws could hold twenty times its weight. It does not creep through the grip.
"""

import numpy as np

import dalembert as dl

model = dl.Model("pinch")
rubber = dl.Material(friction=1.0)
capsule = model.add_body("capsule", dl.Inertia.cylinder(0.05, radius=0.01, length=0.06, axis="z"))
model.add_shape(dl.Capsule(0.01, 0.04), on=capsule, material=rubber)
hand = model.add_body("hand", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.02)), position=(0, 0, 0.1))
lift = model.add_joint(dl.Prismatic(model.world.at(z=0.1), hand, axis="z", name="lift"))
model.add_joint(dl.Motion(lift, value=0.05 * (1 - np.cos(dl.time)), name="hoist"))
force = 10 * 0.05 * 9.81  # of each jaw: both hold 20 times the weight
for side, name in ((-1, "left"), (1, "right")):
    jaw = model.add_body(
        name, dl.Inertia.box(0.1, size=(0.02, 0.04, 0.06)), position=(0.02 * side, 0, 0)
    )
    model.add_shape(dl.Box((0.02, 0.04, 0.06)), on=jaw, material=rubber)
    model.add_joint(dl.Prismatic(hand.at(z=-0.1), jaw, axis="x", name=f"{name} guide"))
    model.add_force(dl.Force(jaw, (-side * force, 0, 0), name=f"{name} squeeze"))
solution = dl.simulate(model, until=20.0)
slip = abs(solution["capsule.z"] - 0.05 * (1 - np.cos(solution.t))).max()
print(f"slip against the jaws in 20 s of going up and down: {slip:.1e} m")
assert slip < 1e-9
