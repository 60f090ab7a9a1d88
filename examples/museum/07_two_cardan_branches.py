"""A double Cardan joint, then a second branch beside it (OpenModelica/OpenModelica#8365).

The second middle shaft repeats what the first one holds. The two crosses of a branch undo each
other's wobble: the output turns as the input does, and the middle by the law of one cross.
"""

import numpy as np

import dalembert as dl

model = dl.catalog.load("cardan-shaft", angle=0.5, rate=6.0)
first, middle, last = (model.bodies[name] for name in ("input", "middle", "output"))
position, rotation, velocity, turning = model.placement()["middle"]
again = model.add_body(
    "second",
    dl.Inertia.cylinder(1.0, radius=0.1, length=1.0, axis="x"),
    position=position,
    rotation=rotation,
    velocity=velocity,
    angular_velocity=turning,
)
ends = first.at(x=0.5), again.at(x=-0.5), again.at(x=0.5), last.at(x=-0.5)
model.add_joint(dl.Universal(*ends[:2], axis="y", second_axis="z", name="second_in"))
model.add_joint(dl.Universal(*ends[2:], axis="z", second_axis="y", name="second_out"))
told = model.check()
solution = dl.simulate(model, until=5.0)

turned = solution["bearing_in.angle"]
apart = abs(turned - solution["bearing_out.angle"]).max()
rate = solution["bearing_in.angle.dot"]
spins = np.cos(0.5) / (1 - np.sin(0.5) ** 2 * np.sin(turned) ** 2) * rate
own = np.sqrt(sum(solution[f"second.w{axis}"] ** 2 for axis in "xyz"))
print(f"{told.degrees_of_freedom} freedom, {len(told.redundant)} repeated rows")
print(f"{turned[-1] / 6.2832:.1f} turns; output and input differ by {apart:.1e} rad")
print(f"second shaft by the law of a cross to {abs(own - spins).max():.1e} rad/s")
assert abs(own - spins).max() < 1e-9
assert told.degrees_of_freedom == 1
assert apart < 1e-9
assert np.ptp(solution.energy) < 1e-8
