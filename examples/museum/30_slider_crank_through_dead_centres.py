"""A slider-crank with its rod, in continuous time (RobotLocomotion/drake#24957).

The rod is a constraint: it counts in the accelerations at one state, and keeps its length through
the dead centres.
"""

import numpy as np

import dalembert as dl

CRANK, ROD = 0.1, 0.3
turn, slide = dl.coordinates("turn slide")
gap = (slide - CRANK * np.cos(turn)) ** 2 + (CRANK * np.sin(turn)) ** 2 - ROD**2
start = 0.7
there = CRANK * np.cos(start) + np.sqrt(ROD**2 - (CRANK * np.sin(start)) ** 2)
s, c, w = np.sin(start), np.cos(start), 10.0
root = np.sqrt(ROD**2 - (CRANK * s) ** 2)
slope = -CRANK * s - CRANK**2 * s * c / root  # of the slide by the turn
second = -CRANK * c - CRANK**2 * (c**2 - s**2) / root - (CRANK**2 * s * c) ** 2 / root**3
model = dl.Model.from_lagrangian(
    kinetic=(0.01 * turn.dot**2 + 0.5 * slide.dot**2) / 2,
    constraints={"rod": gap},
    initial={turn: start, slide: there, turn.dot: w, slide.dot: slope * w},
    name="slider-crank",
)
spin = -0.5 * slope * second * w**2 / (0.01 + 0.5 * slope**2)  # Lagrange, one coordinate
law = slope * spin + second * w**2
now = dl.evaluate(model)
print(f"acceleration of the slider {now.a[1]:.9f}, closed form {law:.9f} m/s^2")
solution = dl.simulate(model, until=20.0)
centres = int(np.ptp(solution["turn"]) / np.pi)
print(
    f"{centres} dead centres, rod to {solution.worst['phi']:.1e} m^2, "
    f"energy {np.ptp(solution.energy):.1e} J"
)
assert abs(now.a[1] - law) < 1e-9
assert centres > 40
assert solution.worst["phi"] < 1e-13
assert np.ptp(solution.energy) < 1e-8
