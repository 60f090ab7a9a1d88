"""A ball meets a sheet of 50 micrometres after a fall of 500 m (dartsim/dart#426).

Found as an event it is met where it should be, however long the steps of free flight are. Steps of
a given length close the gap at its surface, too.
"""

import numpy as np

import dalembert as dl

model = dl.Model("sheet")
model.add_shape(dl.Box((1, 1, 5e-5)), name="sheet")
ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.02), position=(0, 0, 500.020025))
model.add_shape(dl.Sphere(0.02), on=ball)
located = dl.simulate(model, until=11.0)
stepped = dl.simulate(model, until=11.0, step=5e-3)
law = np.sqrt(2 * 500.0 / 9.81)
low = [solution["ball.z"].min() for solution in (located, stepped)]
print(f"met at {located.log[0].t:.9f} s, by Galilei at {law:.9f} s")
print(f"lowest {low[0]:.6f} m, with steps of half a metre {low[1]:.6f} m")
assert abs(located.log[0].t - law) < 1e-9
assert min(low) > 0.019
