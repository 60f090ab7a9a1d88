"""A gripper whose second finger mimics the first (google-deepmind/mujoco#3527).

The file says so in one line; the model keeps it as a constraint that carries force.
"""

import tempfile
import warnings
from pathlib import Path

import dalembert as dl

LINK = """<link name="{0}"><inertial><mass value="0.1"/>
  <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{0}" type="prismatic"><parent link="palm"/><child link="{0}_finger"/>
  <axis xyz="{1} 0 0"/><limit lower="-1" upper="1" effort="20" velocity="1"/>{2}</joint>"""
text = "<robot name='gripper'><link name='palm'/>"
text += LINK.format("left_finger") + LINK.format("right_finger") + JOINT.format("left", 1, "")
text += JOINT.format("right", -1, '<mimic joint="left" multiplier="2" offset="0.01"/>') + "</robot>"
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "gripper.urdf"
    file.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # effort and speed limits are listed in `losses`
        gripper = dl.load_urdf(file)
gripper.add_force(dl.Force("left_finger", (0.5, 0, 0), name="push"))
solution = dl.simulate(gripper, until=0.5, step=1e-3)
left, right = solution["left.displacement"], solution["right.displacement"]
wrong = abs(right - 2 * left - 0.01).max()
law = left[0] + 0.5 / (0.1 + 4 * 0.1) * solution.t**2 / 2  # the mimic moves, too: m + 2^2 m
print(f"mimic kept to {wrong:.1e} m; motion by its law to {abs(left - law).max():.1e} m")
assert not any("mimic" in str(loss) for loss in gripper.losses)
assert wrong < 1e-12
assert abs(left - law).max() < 1e-12
