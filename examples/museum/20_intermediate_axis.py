"""A body spun about its middle axis turns over, again and again (godotengine/godot#50173).

Euler's equations have a closed form by elliptic functions, which gives the time from flip to flip.
Energy and angular momentum do not change.
"""

import numpy as np
from scipy.special import ellipk

import dalembert as dl

MOMENTS, START = np.array([1.0, 2.0, 3.0]), np.array([0.01, 10.0, 0.01])
model = dl.catalog.load("dzhanibekov", spin=START[1], disturbance=START[0])
body = model.bodies["body"]
spin = sum(body.rotation[i, 1] * body.angular_velocity[i] for i in range(3))  # about its own y
flip = dl.Event(spin, name="flip")
solution = dl.simulate(model, until=60.0, step=5e-3, integrator=dl.Gauss(order=6), events=[flip])

energy, spin = (MOMENTS * START**2).sum(), ((MOMENTS * START) ** 2).sum()  # 2 T, L^2
far, near = (MOMENTS[2], MOMENTS[0]) if spin > energy * MOMENTS[1] else (MOMENTS[0], MOMENTS[2])
rate = np.sqrt((far - MOMENTS[1]) * (spin - energy * near) / MOMENTS.prod())
share = (MOMENTS[1] - near) * (energy * far - spin) / ((far - MOMENTS[1]) * (spin - energy * near))
law = 2 * ellipk(share) / rate
flips = np.diff([event.t for event in solution.events])
print(
    f"{len(flips) + 1} flips, {law:.6f} s apart by the closed form, "
    f"to {abs(flips - law).max():.1e} s"
)
print(f"energy changes by {np.ptp(solution.energy) / energy * 2:.1e} of it")
assert len(flips) > 15
assert abs(flips - law).max() < 1e-5
assert np.ptp(solution.energy) < 1e-8 * energy
