"""Blocks joined one on another with 100 kg on top (jrouwe/JoltPhysics#1392): nothing moves."""

import numpy as np

import dalembert as dl

COUNT, TOP = 10, 100.0
model = dl.Model("tower")
below = model.world.at(z=0.0)
for k in range(COUNT):
    mass = TOP if k == COUNT - 1 else 1.0
    block = model.add_body(f"block{k}", dl.Inertia.box(mass, size=(0.2, 0.2, 1.0)))
    model.add_joint(dl.Fixed(below, block.at(z=-0.5), name=f"joint{k}"))
    below = block.at(x=0.3, z=0.5)  # each a little further out: the joints bend, too
solution = dl.simulate(model, until=10.0, step=5e-3)
moved = abs(solution.q - solution.q[0]).max()
foot = solution.reaction("joint0")
weight = (TOP + COUNT - 1) * 9.81
arm = 9.81 * (sum(0.3 * k for k in range(COUNT - 1)) + TOP * 0.3 * (COUNT - 1))
carried, bent = np.linalg.norm(foot.force[-1]), np.linalg.norm(foot.torque[-1])
print(f"moved by {moved:.1e} in 10 s; the foot carries {carried:.6f} N and {bent:.4f} N m")
assert moved < 1e-12
assert abs(carried - weight) < 1e-9 * weight
assert abs(bent - arm) < 1e-9 * arm
