"""A box with restitution 1 on a smaller one (erincatto/box3d#83): no higher than it fell.

Four contacts under the middle of the box are struck at once; Newton's law for all of them together
reverses its speed exactly.
"""

import numpy as np

import dalembert as dl

model = dl.Model("boxes")
steel = dl.Material(restitution=1.0, friction=0.0)
model.add_shape(dl.Box((0.75, 0.75, 0.5)), material=steel, name="small")
box = model.add_body("box", dl.Inertia.box(1.0, size=(1, 1, 1)), position=(0, 0, 2.75))
model.add_shape(dl.Box((1, 1, 1)), on=box, material=steel)
fall = np.sqrt(2 * 2.0 / 9.81)
solution = dl.simulate(model, until=6.5 * fall, times=2 * fall * np.arange(3.1))
top = solution["box.z"]
print(f"tops of three bounces: {top}")
assert abs(top - 2.75).max() < 1e-9
assert max(abs(solution[f"box.{one}"]).max() for one in ("roll", "pitch", "yaw")) < 1e-12
