"""Contact: a row of dominoes; each takes the next one with it, and energy never rises."""

import numpy as np

import dalembert as dl

row = dl.catalog.load("dominoes")
run = dl.simulate(row, until=2.0, step=2e-3)
names = list(row.bodies)
heights = np.array([run[f"{name}.z"] for name in names])
fallen = [float(run.t[np.argmax(z < 0.9 * z[0])]) for z in heights]
print("fell at", " ".join(f"{t:.2f}" for t in fallen), "s")
assert np.all(np.diff(fallen) > 0)
assert np.diff(run.energy).max() < 1e-6
