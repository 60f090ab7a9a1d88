"""A Scott-Russell mechanism of hinges in space (jgerstmayr/EXUDYN#39).

Its loop repeats rows, which makes the Jacobian singular. Its law: the free end of the bar moves on
a straight line, upright above the bearing of the crank.
"""

import numpy as np

import dalembert as dl

HALF = 0.5
model = dl.Model("Scott-Russell", gravity=(0, 0, -9.81))
bar = model.add_body("bar", dl.Inertia.rod(mass=2.0, length=2 * HALF))
crank = model.add_body("crank", dl.Inertia.rod(mass=1.0, length=HALF))
slider = model.add_body("slider", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
lean = 0.4
joints = [
    dl.Revolute(model.world, crank.at(x=-HALF / 2), axis="y", initial=-lean, name="bearing"),
    dl.Revolute(crank.at(x=HALF / 2), bar, axis="y", initial=np.pi + 2 * lean, name="middle"),
    dl.Revolute(bar.at(x=-HALF), slider, axis="y", initial=np.pi - lean, name="pin"),
    dl.Prismatic(model.world, slider, axis="x", name="guide"),
]
for joint in joints:
    model.add_joint(joint)
told = model.check()
print(told[0])

solution = dl.simulate(model, until=20.0, step=1e-3)
x, _, z = bar.at(x=HALF).position
straight = abs(solution[x]).max()
print(f"freedom {told.degrees_of_freedom}, {len(told.redundant)} repeated rows")
print(f"the end leaves its line by {straight:.1e} m, joints open by {solution.worst['phi']:.1e} m")
print(f"it travels {np.ptp(solution[z]):.2f} m; energy changes by {np.ptp(solution.energy):.1e} J")
assert told.degrees_of_freedom == 1
assert straight < 1e-11
assert np.ptp(solution[z]) > 0.5
assert np.ptp(solution.energy) < 1e-5
