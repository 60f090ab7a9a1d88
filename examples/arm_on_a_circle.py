"""A robot: an arm of two links draws a circle, its torques by inverse dynamics on the tree.

Computed torque, 500 times a second: the angles that are wanted come from the inverse kinematics,
the torques from `Tree.inverse_dynamics` with an error that dies out as w^2 e + 2 w e'.
"""

import numpy as np

import dalembert as dl

LENGTH, RADIUS, TURN, FAST = 0.5, 0.15, 2.0, 40.0  # [m], [m], [rad/s], [rad/s]
CENTRE = np.array([0.55, 0.0])

arm = dl.Model("arm")
on = arm.world.at()
for name in ("upper", "lower"):
    link = arm.add_body(name, dl.Inertia.rod(2.0, LENGTH))
    arm.add_shape(dl.Capsule(0.03, LENGTH, rotation=("y", np.pi / 2)), on=link, contact=False)
    hinge = dl.Revolute(on, link.at(x=-LENGTH / 2), axis="-y", name=f"{name}_hinge")
    joint = arm.add_joint(hinge)
    arm.add_force(dl.DirectDrive(joint, name=f"{name}_motor"))
    arm.add_sensor(dl.JointSensor(joint, name=f"{name}_sensor"))
    on = link.at(x=LENGTH / 2)
tree = dl.Tree(arm)


def wanted(t):
    """Angles at a time: the elbow by the law of cosines."""
    x, z = CENTRE + RADIUS * np.array([np.cos(TURN * t), np.sin(TURN * t)])
    far = np.hypot(x, z)
    bend = np.arccos(far**2 / (2 * LENGTH**2) - 1)
    return np.array([np.arctan2(z, x) - bend / 2, bend])


def law(t, read):
    """Torques: inverse dynamics of the acceleration that leads back to the path."""
    q, v, d = read[0::2], read[1::2], 1e-4
    before, now, after = wanted(t - d), wanted(t), wanted(t + d)
    speed, bent = (after - before) / (2 * d), (after - 2 * now + before) / d**2
    a = bent + 2 * FAST * (speed - v) + FAST**2 * (now - q)
    return tree.inverse_dynamics(q, v, a)


start = {f"{n}_hinge.angle": q for n, q in zip(("upper", "lower"), wanted(0.0), strict=True)}
control = dl.Controller(
    law,
    rate=500.0,
    inputs=["upper_sensor", "lower_sensor"],
    outputs=["upper_motor", "lower_motor"],
)
run = dl.simulate(arm, until=2 * np.pi / TURN, step=1e-3, initial=start, controllers=[control])
q = np.stack([run[f"{n}_hinge.angle"] for n in ("upper", "lower")], axis=1)
hand = LENGTH * np.stack(
    [np.cos(q[:, 0]) + np.cos(q.sum(1)), np.sin(q[:, 0]) + np.sin(q.sum(1))], axis=1
)
off = np.abs(np.linalg.norm(hand - CENTRE, axis=1) - RADIUS)[run.t > 0.5].max()
print(f"the hand is off its circle by {1e3 * off:.2f} mm at most, once it has caught up")
assert off < 2e-3
