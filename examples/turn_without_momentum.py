"""A tree that floats: three links turn themselves round without angular momentum, as cats do.

The two joints go round a circle of bent shapes. The momentum stays zero, yet after every round the
whole is turned a bit. About shapes that both ends bend alike it would not be: what half a round
turns, the other half turns back.
"""

import numpy as np

import dalembert as dl

SWING, RATE, ROUNDS = 0.9, 2 * np.pi, 4

model = dl.Model("swimmer", gravity=(0, 0, 0))
links = [model.add_body(name, dl.Inertia.rod(1.0, 1.0)) for name in ("left", "middle", "right")]
for link in links:
    model.add_shape(dl.Capsule(0.05, 1.0, rotation=("y", np.pi / 2)), on=link, contact=False)
left, middle, right = links
first = model.add_joint(dl.Revolute(middle.at(x=-0.5), left.at(x=0.5), axis="-y", name="first"))
second = model.add_joint(dl.Revolute(middle.at(x=0.5), right.at(x=-0.5), axis="-y", name="second"))
phase = RATE * dl.time - np.sin(RATE * dl.time)  # at rest at the start, and after every round
for joint, middling, ahead in ((first, 1.0, 0.0), (second, -1.0, np.pi / 2)):
    bend = middling + SWING * np.sin(phase + ahead)
    model.add_joint(dl.Motion(joint, bend, name=f"{joint.name} motor"))
run = dl.simulate(model, until=float(ROUNDS), step=1e-3)

places = np.array([[run[f"{b}.{c}"] for c in "xz"] for b in model.bodies])
speeds = np.array([[run[f"{b}.{c}.dot"] for c in "xz"] for b in model.bodies])
spins = np.array([run[f"{b}.wy"] for b in model.bodies])
momentum = (places[:, 1] * speeds[:, 0] - places[:, 0] * speeds[:, 1] + spins / 12).sum(axis=0)
turned = np.unwrap(np.cumsum(spins[1]) * 1e-3)[[1000 * k for k in range(1, ROUNDS + 1)]]
print("turned by", " ".join(f"{np.degrees(a):.2f}" for a in turned), "degrees after each round")
print(f"largest momentum {np.abs(momentum).max():.1e} kg m^2/s")
assert np.abs(momentum).max() < 1e-8
assert abs(turned[0]) > 0.05
assert np.allclose(turned / turned[0], np.arange(1, ROUNDS + 1), rtol=1e-3)
