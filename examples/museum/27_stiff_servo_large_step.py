"""A servo far stiffer than the step resolves (google-deepmind/mujoco#3443).

sqrt(k / I) h is 50, where an explicit gain ends at 2. The arm holds its place: by Hooke's law it
sags by the torque of its weight over the gain.
"""

import numpy as np
from scipy.optimize import brentq

import dalembert as dl

GAIN, STEP = 1e6, 2e-2
arm = dl.Model("arm")
link = arm.add_body("link", dl.Inertia.rod(mass=1.0, length=0.7))
arm.add_joint(dl.Revolute(arm.world, link.at(x=-0.35), axis="-y", name="shoulder"))
servo = dl.PositionServo("shoulder", kp=GAIN, kd=100.0, command=0.5, limits=1e4, name="servo")
arm.add_force(servo)
inertia = 0.7**2 / 3
solution = dl.simulate(arm, until=5.0, step=STEP, method=dl.ContactImpulse())
angle = solution["shoulder.angle"]
law = brentq(lambda q: GAIN * (0.5 - q) - 9.81 * 0.35 * np.cos(q), 0.0, 1.0)
print(
    f"omega h = {np.sqrt(GAIN / inertia) * STEP:.0f}: "
    f"at last {angle[-1]:.12f} rad, by Hooke {law:.12f}"
)
assert abs(angle[-1] - law) < 1e-9
assert angle.max() < 0.6
