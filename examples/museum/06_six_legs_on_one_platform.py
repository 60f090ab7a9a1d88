"""A platform on six legs of a crank and a rod with two balls (OpenModelica/OpenModelica#8116).

All cranks swing alike: the platform goes straight up, by the law of Pythagoras for one rod.
"""

import numpy as np

import dalembert as dl

CRANK, ROD, LOW, HIGH = 0.2, 0.6, 0.5, 0.3  # lengths; radii of the base and of the platform  [m]
SWING = 0.5 * np.sin(2.0 * dl.time)  # of every crank, from the horizontal outwards


def on_circle(radius, degrees):
    angle = np.radians(degrees)
    return np.array([radius * np.cos(angle), radius * np.sin(angle), 0.0])


feet = [120 * k + side for k in range(3) for side in (-15, 15)]
tops = [120 * k + side for k in range(3) for side in (-40, 40)]
reach = np.linalg.norm(on_circle(LOW + CRANK, feet[0]) - on_circle(HIGH, tops[0]))
height = np.sqrt(ROD**2 - reach**2)
model = dl.Model("hexapod")
inertia = dl.Inertia.cylinder(5.0, radius=HIGH, length=0.02, axis="z")
plate = model.add_body("plate", inertia, position=(0, 0, height))
for k, (foot, top) in enumerate(zip(feet, tops, strict=True)):
    out = dl.Rotation.about("z", np.radians(foot))
    base = model.world.at(*on_circle(LOW, foot), rotation=out)
    crank = model.add_body(f"crank{k}", dl.Inertia.rod(0.3, CRANK))
    model.add_joint(dl.Revolute(base, crank.at(x=-CRANK / 2), axis="-y", name=f"shaft{k}"))
    model.add_joint(dl.Motion(f"shaft{k}", value=SWING, name=f"motor{k}"))
    ball = plate.at(*on_circle(HIGH, top))
    model.add_joint(dl.Distance(crank.at(x=CRANK / 2), ball, length=ROD, name=f"rod{k}"))
solution = dl.simulate(model, until=5.0, step=2e-3)

swing = 0.5 * np.sin(2.0 * solution.t)
tip = LOW + CRANK * np.cos(swing)
turned = np.radians(tops[0] - feet[0])
flat = tip**2 + HIGH**2 - 2 * tip * HIGH * np.cos(turned)
law = CRANK * np.sin(swing) + np.sqrt(ROD**2 - flat)
wrong = abs(solution["plate.z"] - law).max()
aside = max(abs(solution[f"plate.{name}"]).max() for name in ("x", "y", "roll", "pitch", "yaw"))
print(f"height by the law to {wrong:.1e} m, aside and turned by {aside:.1e}")
assert wrong < 1e-12
assert aside < 1e-10
