"""A ball that bounces ever faster until it rests (NVIDIAGameWorks/PhysX#351).

Restitution 1/2 from 1 m: infinitely many bounces, over after three times the fall.
"""

import numpy as np

import dalembert as dl

solution = dl.simulate(dl.catalog.load("bouncing-ball", height=1.0, restitution=0.5), until=2.0)
struck = [entry for entry in solution.log if entry.kind == "impact"]
[rest] = [entry for entry in solution.log if entry.kind == "rest"]
fall = np.sqrt(2 / 9.81)
ratios = np.array([entry.after / -entry.before for entry in struck])
law = fall * (1 + 2 * (1 - 0.5 ** np.arange(len(struck))))
late = abs(np.array([entry.t for entry in struck]) - law).max()
print(f"{len(struck)} bounces, each at its moment to {late:.1e} s")
print(f"rests at {rest.t:.12f} s, by the sum of all bounces {3 * fall:.12f} s")
assert len(struck) >= 10
assert abs(ratios - 0.5).max() < 1e-12
assert late < 1e-10
assert abs(rest.t - 3 * fall) < 1e-9
