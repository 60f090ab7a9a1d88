"""A conveyor that stands still is a ramp; one that runs carries up at its speed (webots#2412)."""

import numpy as np

import dalembert as dl

SLOPE = np.radians(30)


def on(material):
    model = dl.Model("belt", gravity=(-9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    model.add_shape(dl.Plane(), material=material)
    box = model.add_body("box", dl.Inertia.box(8.0, size=(0.3, 0.3, 0.2)), position=(0, 0, 0.1))
    model.add_shape(dl.Box((0.3, 0.3, 0.2)), on=box, material=dl.Material(friction=0.6))
    return dl.simulate(model, until=3.0, step=5e-3)


ramp = on(dl.Material(friction=0.6))
still = on(dl.Material(friction=0.6, surface_velocity=(0.0, 0.0, 0.0)))
runs = on(dl.Material(friction=0.6, surface_velocity=(0.4, 0.0, 0.0)))
grip = 9.81 * (0.6 * np.cos(SLOPE) - np.sin(SLOPE))  # acceleration until it sticks
law = 0.4 * (3.0 - 0.4 / grip / 2)
print(f"ramp and stopped belt: {abs(ramp['box.x']).max():.1e}, {abs(still['box.x']).max():.1e} m")
print(f"running: {runs['box.x.dot'][-1]:.9f} m/s, {runs['box.x'][-1]:.6f} m of {law:.6f} m")
assert np.array_equal(ramp["box.x"], still["box.x"])
assert abs(ramp["box.x"]).max() < 1e-9
assert abs(runs["box.x.dot"][-1] - 0.4) < 2e-8  # laws are solved to 1e-8 m/s
assert abs(runs["box.x"][-1] - law) < 2e-3
