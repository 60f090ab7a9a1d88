"""Five hundred spoiled robots: each gives a model or an error that says where, nothing else."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from dalembert.errors import ImportFileError
from dalembert.importers.urdf.load import read_urdf

ROBOT = """<?xml version="1.0"?>
<robot name="arm" version="1.0">
  <material name="steel"><color rgba="0.5 0.5 0.6 1"/></material>
  <link name="base">
    <inertial>
      <mass value="3"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
    <visual><geometry><box size="0.2 0.2 0.1"/></geometry><material name="steel"/></visual>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0 0.1 0"/>
      <mass value="2.0"/>
      <inertia ixx="0.03" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.004"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.04" length="0.4"/></geometry>
    </visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial>
      <mass value="1.0"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.002"/>
    </inertial>
    <visual><geometry><mesh filename="package://arm/fore.stl" scale="1 1 1"/></geometry></visual>
  </link>
  <link name="finger">
    <inertial>
      <mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1" rpy="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="40" velocity="2"/>
    <dynamics damping="0.2" friction="0.01"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="1 1 0"/>
    <safety_controller k_velocity="3"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="fore"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.05" effort="5" velocity="1"/>
    <mimic joint="elbow" multiplier="0.01" offset="0.02"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="fore"/><child link="tool"/><origin xyz="0 0 0.3" rpy="0 1.57 0"/>
  </joint>
  <transmission name="drive"><type>simple</type></transmission>
  <gazebo reference="fore"><mu1>0.2</mu1></gazebo>
</robot>
"""

NUMBERS = ("0", "-1", "1e400", "nan", "-inf", "1e-320", "", "1 2", "0x10", "1_0", "x", "1e308", "٣")
NAMES = ("base", "world", "tool", "class", "a/b", "x:y", "", "elbow", "1st", "t", "é", "a" * 300)
COUNT = 500


def spoiled(dice: random.Random) -> bytes:
    """The text with one to three mistakes in it."""
    text = ROBOT
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        text = dice.choice(WAYS)(text, dice)
    data = text.encode()
    if dice.random() < 0.06:
        place = dice.randrange(len(data) + 1)
        data = data[:place] + dice.randbytes(dice.randrange(1, 9)) + data[place:]
    return data


def _one(pattern: str, text: str, dice: random.Random):
    found = list(re.finditer(pattern, text))
    return dice.choice(found) if found else None


def _replaced(text: str, found, new: str) -> str:
    return text if found is None else text[: found.start()] + new + text[found.end() :]


def drop_attribute(text: str, dice: random.Random) -> str:
    return _replaced(text, _one(r' \w+="[^"]*"', text, dice), "")


def double_attribute(text: str, dice: random.Random) -> str:
    found = _one(r' \w+="[^"]*"', text, dice)
    return text if found is None else _replaced(text, found, found[0] * 2)


def rename_attribute(text: str, dice: random.Random) -> str:
    found = _one(r" (\w+)=", text, dice)
    return text if found is None else _replaced(text, found, f" {found[1][::-1]}x=")


def change_number(text: str, dice: random.Random) -> str:
    return _replaced(text, _one(r"-?\d+(\.\d+)?(e-?\d+)?", text, dice), dice.choice(NUMBERS))


def change_name(text: str, dice: random.Random) -> str:
    found = _one(r'(name|link|joint|type)="[^"]*"', text, dice)
    return text if found is None else _replaced(text, found, f'{found[1]}="{dice.choice(NAMES)}"')


def change_tag(text: str, dice: random.Random) -> str:
    found = _one(r"<(/?)(\w+)", text, dice)
    new = dice.choice(("robot", "link", "joint", "origin", "xacro:if", "q", "mass"))
    return text if found is None else _replaced(text, found, f"<{found[1]}{new}")


def drop_element(text: str, dice: random.Random) -> str:
    name = dice.choice(("link", "joint", "inertial", "visual", "geometry"))
    empty, whole = r"<\w+[^<>]*/>", rf"<{name}\b[^/]*?>.*?</{name}>"
    return _replaced(text, _one(dice.choice((empty, f"(?s:{whole})")), text, dice), "")


def double_element(text: str, dice: random.Random) -> str:
    name = dice.choice(("link", "joint", "inertial", "visual"))
    whole = rf"(?s:<{name}\b[^/]*?>.*?</{name}>)"
    found = _one(dice.choice((r"<\w+[^<>]*/>", whole)), text, dice)
    return text if found is None else _replaced(text, found, found[0] * 2)


def drop_tag(text: str, dice: random.Random) -> str:
    return _replaced(text, _one(r"</?\w+[^<>]*>", text, dice), "")


def cut(text: str, dice: random.Random) -> str:
    place = dice.randrange(len(text))
    return text[:place] if dice.random() < 0.7 else text[place:]


def change_letter(text: str, dice: random.Random) -> str:
    place = dice.randrange(len(text))
    return text[:place] + dice.choice("<>/\"'&=\0 \n;é") + text[place + 1 :]


WAYS = (
    drop_attribute,
    double_attribute,
    rename_attribute,
    change_number,
    change_number,
    change_name,
    change_name,
    change_tag,
    drop_element,
    double_element,
    drop_tag,
    cut,
    change_letter,
)


def test_the_robot_itself_is_whole(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(ROBOT)
    model = read_urdf(file).model
    assert (len(model.bodies), len(model.joints), len(model.forces)) == (3, 4, 2)
    assert [shape.name for shape in model.contact_shapes] == ["upper.sphere"]


def test_spoiled_robots(tmp_path):
    dice = random.Random(20)
    seen: Counter[str] = Counter()
    for k in range(COUNT):
        file = tmp_path / f"{k}.urdf"
        file.write_bytes(spoiled(dice))
        try:
            read = read_urdf(file, base=dice.choice(("fixed", "floating")))
        except ImportFileError as problem:
            message = str(problem)
            assert message.startswith(str(file)), message
            assert message.strip().endswith((".", "?", ")")), message
            seen["refused"] += 1
            seen["with a line"] += ", line " in message
        else:
            read.model.initial  # noqa: B018  it can be placed
            assert all(str(loss).startswith(f"{file}, line ") for loss in read.losses)
            seen["read"] += 1
    # both happen, and nearly every refusal says which line
    assert seen["read"] > 50
    assert seen["refused"] > 200
    assert seen["with a line"] > 0.9 * seen["refused"]


@pytest.mark.parametrize("length", [50, 400, 1200])
def test_every_beginning_of_the_text(tmp_path, length):
    file = tmp_path / "arm.urdf"
    file.write_bytes(ROBOT.encode()[:length])
    with pytest.raises(ImportFileError, match=r"arm\.urdf, line"):
        read_urdf(file)
