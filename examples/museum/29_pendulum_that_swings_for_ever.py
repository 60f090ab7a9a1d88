"""A pendulum loses nothing in a thousand swings (liabru/matter-js#216).

Its period at any amplitude is an elliptic integral; Gauss's method keeps energy without drift.
"""

import numpy as np
from scipy.special import ellipk

import dalembert as dl

model = dl.catalog.load("pendulum")  # released level: an amplitude of 90 degrees
period = 4 * np.sqrt(1 / 9.81) * ellipk(0.5)
until = 1000 * period
solution = dl.simulate(model, until=until, step=period / 1000, every=250)
top = solution["y"][::4]
print(f"after 1000 swings of {period:.6f} s: height to {abs(top).max():.1e} m, ", end="")
print(f"energy to {np.ptp(solution.energy):.1e} J, length to {solution.worst['phi']:.1e} m^2")
assert abs(top).max() < 1e-6
assert np.ptp(solution.energy) < 1e-6
assert solution.worst["phi"] < 1e-14
