"""Jansen's linkage put together from a rough guess (openai/mujoco-py#613).

Every body of the leg is displaced and turned; assembling closes ten hinges, and after a turn of
the crank the foot is where it was.
"""

import numpy as np

import dalembert as dl

model = dl.catalog.load("jansen-leg", rate=2 * np.pi)
chance = np.random.default_rng(613)
guess = {}
for name in model.bodies:
    guess |= {f"{name}.x": chance.uniform(-0.4, 0.2), f"{name}.z": chance.uniform(-0.6, 0.4)}
drawn = dl.evaluate(model, guess)
gap = abs(np.asarray(drawn.phi)).max()
made = dl.assemble(model, initial=guess)
turn = dl.simulate(model, until=1.0, step=1e-3, initial=made)
back = np.hypot(turn["shin.x"][-1] - turn["shin.x"][0], turn["shin.z"][-1] - turn["shin.z"][0])
print(f"open by {gap:.2f} m before, {turn.worst['phi']:.1e} m in the turn; returns to {back:.1e} m")
assert gap > 0.1
assert turn.worst["phi"] < 1e-12
assert back < 1e-9
