"""A robot and contact: a quadruped from URDF is let go above the floor and lands on four feet.

Eight servos hold its legs bent. Standing, the floor carries its weight, and the forces of friction
add up to nothing.
"""

import tempfile
from pathlib import Path

import numpy as np

import dalembert as dl

LINK = """<link name="{name}"><inertial><origin xyz="0 0 {z}"/><mass value="{mass}"/>
  <inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0 {z}"/><geometry>{look}</geometry></visual>
  <collision><origin xyz="{at}"/><geometry>{shape}</geometry></collision></link>"""
JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
  <origin xyz="{at}"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="40" velocity="20"/></joint>"""
BEND, LEG, FOOT = 0.6, 0.2, 0.02  # [rad], [m], [m]
FEET = {"fl": (0.2, 0.15), "fr": (0.2, -0.15), "rl": (-0.2, 0.15), "rr": (-0.2, -0.15)}


def urdf():
    """The text of the robot."""
    box, ball = '<box size="0.5 0.25 0.1"/>', f'<sphere radius="{FOOT}"/>'
    bar = f'<box size="0.03 0.03 {LEG}"/>'
    parts = [LINK.format(name="trunk", z=0, mass=8, i=0.2, at="0 0 0", shape=box, look=box)]
    for leg, (x, y) in FEET.items():
        thigh, shank, low = f"{leg}_thigh", f"{leg}_shank", f"0 0 {-LEG}"
        same = {"z": -LEG / 2, "shape": ball, "look": bar}
        parts += [
            LINK.format(name=thigh, mass=0.8, i=4e-3, at="0 0 0", **same),
            LINK.format(name=shank, mass=0.3, i=2e-3, at=low, **same),
            JOINT.format(name=f"{leg}_hip", parent="trunk", child=thigh, at=f"{x} {y} 0"),
            JOINT.format(name=f"{leg}_knee", parent=thigh, child=shank, at=low),
        ]
    return f'<robot name="quadruped">{"".join(parts)}</robot>'


with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "quadruped.urdf"
    file.write_text(urdf())
    robot = dl.load_urdf(file, base="floating")
robot.add_shape(dl.Plane(), name="floor")
bent = {f"{leg}_{j}": a for leg in FEET for j, a in (("hip", BEND), ("knee", -2 * BEND))}
for name, angle in bent.items():
    servo = dl.PositionServo(name, kp=150.0, kd=4.0, command=angle, name=f"{name}_servo")
    robot.add_force(servo)
height = 2 * LEG * np.cos(BEND) + FOOT
angles = {f"{name}.angle": angle for name, angle in bent.items()}
robot.set_initial({"trunk.z": height + 0.15} | angles)

run = dl.simulate(robot, until=2.0, step=2e-3)
weight = 9.81 * (8 + 4 * 0.8 + 4 * 0.3)
carried = np.sum([contact.force for contact in run.contacts()], axis=0)
print(f"stands on {len(run.contacts())} feet that carry {carried[2]:.4f} N of {weight:.4f} N")
assert len(run.contacts()) == 4
assert abs(carried[2] - weight) < 1e-3 * weight
assert np.abs(carried[:2]).max() < 1e-3 * weight
