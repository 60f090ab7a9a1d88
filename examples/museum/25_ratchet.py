"""A ratchet that goes on by teeth and holds against a load (google-deepmind/mujoco#1404).

A tooth is a bound that is set anew when the wheel has passed it. It never goes back by more than a
tooth, and at rest the pawl carries exactly the load.
"""

import numpy as np

import dalembert as dl

(turn,), (tooth, pitch) = dl.coordinates("turn"), dl.parameters(tooth=0.0, pitch=0.2)
wheel = dl.Model.from_lagrangian(
    kinetic=turn.dot**2 / 2, coordinates=[turn], initial={"turn": 0.01}, name="wheel"
)
push = 2.5 * dl.where(dl.time < 4.0, 1 + np.sin(5 * dl.time), 0.0)
wheel.add_force({turn: push - 1.0 - 3.0 * turn.dot})  # a hand, a load that pulls back, a drag
wheel.keep(turn >= tooth, name="pawl")
click = dl.Event(turn - tooth - pitch, direction=1, action={tooth: tooth + pitch})
solution = dl.simulate(wheel, until=8.0, events=[click])
clicks = [entry.t for entry in solution.log if entry.kind == "set"]
passed = 0.2 * np.searchsorted(clicks, solution.t, side="left")
back = (passed - solution["turn"]).max()
print(f"{len(clicks)} teeth in 8 s, never behind its tooth by more than {max(back, 0.0):.1e} rad")
print(f"at rest the pawl carries {solution['pawl.force'].ravel()[-1]:.12f} N m of a load of 1 N m")
assert len(clicks) > 3
assert back < 1e-9
assert abs(solution["pawl.force"].ravel()[-1] - 1.0) < 1e-9
