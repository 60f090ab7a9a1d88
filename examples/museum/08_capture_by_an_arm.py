"""An arm of four links on a free craft catches a tumbling target (pydy/pydy#497).

Before and behind the catch it is one model: a joint engages where the hand is met. Momentum and
angular momentum are those before, and the grasp does not drift.
"""

import numpy as np

import dalembert as dl

model = dl.Model("capture", gravity=(0, 0, 0))
inertias = {
    "craft": dl.Inertia.box(100.0, size=(1, 1, 1)),
    "target": dl.Inertia.box(30.0, size=(0.6, 0.6, 0.6)),
}
bodies = {name: model.add_body(name, inertia) for name, inertia in inertias.items()}
last = bodies["craft"].at(x=0.5)
for k, bend in enumerate((0.5, -0.7, 0.6, -0.4)):
    inertias[f"link{k}"] = dl.Inertia.rod(2.0, 0.5)
    link = bodies[f"link{k}"] = model.add_body(f"link{k}", inertias[f"link{k}"])
    model.add_joint(dl.Revolute(last, link.at(x=-0.25), axis="z", initial=bend, name=f"joint{k}"))
    last = link.at(x=0.25)
bends = np.cumsum([0.5, -0.7, 0.6, -0.4])
hand = np.array([0.5 + 0.5 * np.cos(bends).sum(), 0.5 * np.sin(bends).sum()])
grip = bodies["target"].at(x=-0.3)
model.add_joint(dl.Spherical(last, grip, name="grasp"))
model.set_initial({"target.position": (hand[0] + 0.9, hand[1], 0), "target.velocity": (-0.3, 0, 0)})
caught = dl.Event(bodies["target"].x - hand[0] - 0.3, direction=-1, action=dl.Engage("grasp"))
solution = dl.simulate(model, until=20.0, released=["grasp"], events=[caught])


def momenta(solution):
    total = np.zeros((len(solution.t), 3))
    for name, inertia in inertias.items():
        x, y, vx, vy, w = (solution[f"{name}.{one}"] for one in ("x", "y", "x.dot", "y.dot", "wz"))
        m, spin = inertia.mass, inertia.matrix[2][2]
        total += np.stack([m * vx, m * vy, m * (x * vy - y * vx) + spin * w], axis=1)
    return total


[entry] = solution.log
kept = np.ptp(momenta(solution), axis=0).max()
after = np.searchsorted(solution.t, entry.t, side="right")
apart = [solution[a - b][after:] for a, b in zip(last.position, grip.position, strict=True)]
drift, energy = abs(np.array(apart)).max(), np.ptp(solution.kinetic[after:])
print(f"caught at {entry.t:.9f} s, momenta change by {kept:.1e}")
print(f"behind it the grasp opens by {drift:.1e} m, energy changes by {energy:.1e} J")
assert abs(entry.t - 2.0) < 1e-9
assert kept < 1e-9
assert drift < 1e-12
assert energy < 1e-9
