"""Events and contact: a Geneva drive goes on by a quarter turn for every turn of its crank.

The pin enters a slot along it and leaves it along it; in between the wheel follows
tan(b) = sin(t) / (sqrt(2) - cos(t)), less the play of the pin in its slot.
"""

import numpy as np

import dalembert as dl

drive = dl.catalog.load("geneva-drive")
run = dl.simulate(drive, until=2.0, step=1e-3)
angle = np.unwrap(run["axle.angle"])
quarters = (angle[-1] - angle[0]) / (np.pi / 2)
print(f"two turns of the crank took the wheel on by {quarters:.4f} quarters")
play = 2 * 2e-4 / 0.05  # of the pin, as an angle where it is closest to the axle
assert abs(abs(quarters) - 2) < 4 * play
