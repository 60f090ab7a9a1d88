"""Contact and servos: two jaws close on a box, hold it by friction and lift it.

The box rises with the jaws; friction carries m g, so that it must not slip.
"""

import numpy as np

import dalembert as dl

hand = dl.catalog.load("gripper-with-box")
run = dl.simulate(hand, until=2.0, step=5e-3)
names = [name for name in hand.bodies if "box" in name]
box = run[f"{names[0]}.z"]
print(f"the box rose by {1e3 * (box[-1] - box[0]):.1f} mm and stays: {np.ptp(box[-40:]):.1e} m")
assert box[-1] - box[0] > 0.05
assert np.ptp(box[-40:]) < 0.02
