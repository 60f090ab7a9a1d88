"""A robot's file: a humanoid from MJCF, let go while it moves forward, falls over.

Nothing drives it, so that energy never rises. Needs the extra mjcf:  pip install 'dalembert[mjcf]'
"""

from pathlib import Path

import numpy as np

import dalembert as dl

robot = dl.load_mjcf(Path(__file__).with_name("humanoid.xml"))
run = dl.simulate(robot, until=2.0, step=2e-3, initial={"torso.x.dot": 1.5})
print(f"{len(robot.bodies)} bodies, {len(run.contacts())} contacts at the end")
rises = np.diff(run.energy).max()
print(f"energy {run.energy[0]:.1f} J at first, {run.energy[-1]:.1f} J; largest rise {rises:.1e} J")
assert run["head.z"][-1] < 0.5 * run["head.z"][0]
assert rises < 1e-3 * (run.energy[0] - run.energy[-1])
