"""A small ball on a large one, dropped together (kaplayjs/kaplay#958).

The large one turns back first and meets the small one: it leaves with (3 M - m)/(M + m) of the
speed of the fall, and rises to the square of that.
"""

import numpy as np

import dalembert as dl

LARGE, SMALL, DROP = 1.0, 0.01, 1.0
model = dl.Model("cannon")
rubber = dl.Material(restitution=1.0, friction=0.0)
model.add_shape(dl.Plane(), material=rubber)
gap = 1e-6
for name, mass, radius, z in (
    ("large", LARGE, 0.1, DROP + 0.1),
    ("small", SMALL, 0.02, DROP + 0.22 + gap),
):
    ball = model.add_body(name, dl.Inertia.sphere(mass, radius=radius), position=(0, 0, z))
    model.add_shape(dl.Sphere(radius), on=ball, material=rubber)
solution = dl.simulate(model, until=1.2)
fell = np.sqrt(2 * 9.81 * DROP)
law = (3 * LARGE - SMALL) / (LARGE + SMALL)
flying = solution.t > np.sqrt(2 * DROP / 9.81) + 1e-3
speed = (solution["small.z.dot"] + 9.81 * solution.t)[flying] - 9.81 * np.sqrt(2 * DROP / 9.81)
print(f"leaves with {speed[0] / fell:.6f} of the speed of the fall, by the law {law:.6f}")
print(f"so it rises to {(speed[0] / fell) ** 2:.2f} times the height")
assert abs(speed[0] / fell - law) < 1e-5
