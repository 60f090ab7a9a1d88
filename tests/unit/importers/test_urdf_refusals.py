"""URDF: what is told, what is refused, and where."""

from __future__ import annotations

import math
import warnings

import pytest
from tests.unit.importers.urdf_text import MASS, file_of, joint, link, read

import dalembert as dl
from dalembert.cli import BAD_INPUT, main
from dalembert.errors import DoubtfulWarning, ImportFileError, OptionError
from dalembert.importers.urdf.load import read_urdf


def test_everything_else_is_told(tmp_path):
    parts = (
        link("a", MASS + "<collision/><contact/>"),
        '<transmission name="t"/>',
        '<gazebo reference="a"/>',
        '<ros2_control name="c"/>',
        "<sensors/>",
    )
    path = file_of(tmp_path, *parts)
    with pytest.warns(DoubtfulWarning, match="6 of what it says is not in the model"):
        model = dl.load_urdf(path, base="floating")
    told = [loss.what for loss in model.losses]
    assert told[0].startswith("<collision> of link 'a'")
    assert "did you mean 'sensor'?" in told[-1]
    with pytest.raises(ImportFileError) as refused:
        read_urdf(path, base="floating", strict=True)
    assert str(refused.value).count(f"{path}, line ") == 6


def test_a_clean_file_is_read_without_a_word(arm):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dl.load_urdf(arm, strict=True).losses == ()
        assert dl.load(arm).name == "r"


OPEN = '<robot name="r">\n'
BAD = {
    "": "is empty",
    "\x7fELF\0": "binary",
    "<mujoco/>": "is an MJCF file, not URDF",
    "<sdf/>": "is an SDF file",
    "<rowbot/>": "line 1: begins with <rowbot>, not URDF. Did you mean <robot>",
    "<robot": "line 1: not well-formed XML",
    "<robot/>": "has no links",
    '<robot version="7"/>': "version '7' of URDF is unknown",
    '<!DOCTYPE r [<!ENTITY a "b">]>\n<robot name="&a;"/>': "line 1: defines an entity",
    f"{OPEN}{link('a')}{link('b')}</robot>": "several links hang on no joint: 'a' .line 2., 'b'",
    f"{OPEN}{link('a')}\n{link('a')}</robot>": "line 3: link 'a' stands here and on line 2",
    f"{OPEN}<link/></robot>": "line 2: a link: <link> has no attribute 'name'",
    f"{OPEN}<link nam='a'/></robot>": "has no attribute 'name'; did you mean 'nam'",
    f"{OPEN}{link('a')}\n{joint('j', 'fixed', 'a', 'bb')}{link('b')}</robot>": (
        "line 3: joint 'j': its child link 'bb' does not exist; did you mean 'b'"
    ),
    f"{OPEN}{link('a')}{joint('j', 'fixed', 'a', 'a')}</robot>": "is its parent and its child",
    f"{OPEN}{link('g')}{link('a')}{link('b')}{joint('j', 'fixed', 'a', 'b')}\n"
    f"{joint('k', 'fixed', 'b', 'a')}</robot>": "hang on one another in a ring",
    f"{OPEN}{link('a')}{link('b')}{joint('j', 'fixed', 'a', 'b')}\n"
    f"{joint('k', 'fixed', 'a', 'b')}</robot>": "line 3: joint 'k': link 'b' is the child of joint",
    f"{OPEN}{link('a')}{link('b')}{joint('j', 'revolut', 'a', 'b')}</robot>": (
        "type 'revolut' is unknown; did you mean 'revolute'"
    ),
    f"{OPEN}{link('a', MASS.replace('2', 'nan'))}</robot>": "'nan' is no finite number",
    f"{OPEN}{link('a', MASS.replace('0.1 0 0', '0.1 0'))}</robot>": "'0.1 0', expected 3 numbers",
    f"{OPEN}{link('a', MASS.replace('0.1 0 0', '0.1 0 1_0'))}</robot>": "'1_0' is no number",
    f"{OPEN}{link('a', MASS + MASS)}</robot>": "link 'a' has a second <inertial>",
    f"{OPEN}{link('a', MASS.replace('mass', 'maas'))}</robot>": "has no <mass>.*<maas> meant",
    f"{OPEN}{link('a', MASS.replace('2', '-2', 1))}</robot>": "mass is -2 kg",
    f"{OPEN}<xacro:macro xmlns:xacro='x'/></robot>": "which is xacro. Expand it first",
    f"{OPEN}{link('a')}{link('b')}"
    + joint("j", "continuous", "a", "b", '<axis xyz="0 0 0"/>')
    + "</robot>": "the axis is 0 0 0",
    f"{OPEN}{link('a')}{link('b')}"
    + joint("j", "continuous", "a", "b", '<mimic joint="jj"/>')
    + "</robot>": "mimics 'jj', which does not exist",
    f"{OPEN}{link('a')}{link('b')}"
    + joint("j", "continuous", "a", "b", '<mimic joint="j"/>')
    + "</robot>": "mimic one another in a ring: 'j' - 'j'",
    f"{OPEN}{link('a')}{link('b')}"
    + joint("j", "continuous", "a", "b", '<dynamics damping="-1"/>')
    + "</robot>": "damping is -1",
    f"{OPEN}{link('a')}{link('b')}"
    + joint("j", "revolute", "a", "b", '<limit lower="2" upper="1"/>')
    + "</robot>": "limits are 2 to 1",
    OPEN + "<a>" * 2000: "not well-formed XML",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_mistakes_are_named_with_file_and_line(tmp_path, text):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    with pytest.raises(ImportFileError, match=BAD[text]) as told:
        read_urdf(path)
    assert str(told.value).startswith(str(path))


def test_a_billion_laughs(tmp_path):
    path = tmp_path / "robot.urdf"
    lines = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    for encoding in ("utf-8", "utf-16"):
        text = f'<!DOCTYPE r [<!ENTITY l0 "ha">{lines}]><robot name="&l9;"/>'
        path.write_bytes(text.encode(encoding))
        with pytest.raises(ImportFileError, match=r"robot\.urdf"):
            read_urdf(path)


def test_a_file_outside_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("hidden")
    path = tmp_path / "robot.urdf"
    text = f'<!DOCTYPE r [<!ENTITY s SYSTEM "file://{tmp_path}/secret">]><robot>&s;</robot>'
    path.write_bytes(text.encode("utf-16"))
    with pytest.raises(ImportFileError) as told:
        read_urdf(path)
    assert "hidden" not in str(told.value)


def test_a_file_that_is_too_large(tmp_path, monkeypatch, arm):
    monkeypatch.setattr("dalembert.importers.urdf.reading.LARGEST", 20)
    with pytest.raises(ImportFileError, match="more than a robot needs"):
        read_urdf(arm)


def test_a_deep_tree(tmp_path):
    count = 1500
    links = [link(f"l{k}") for k in range(count + 1)]
    joints = [joint(f"j{k}", "continuous", f"l{k}", f"l{k + 1}") for k in range(count)]
    model = read(tmp_path, *reversed(joints), *reversed(links)).model
    assert len(model.bodies) == count


def test_options_are_checked(arm):
    for options in ({"base": "free"}, {"massless": -1.0}, {"initial": {"hinge": math.nan}}):
        with pytest.raises(OptionError):
            read_urdf(arm, **options)
    with pytest.raises(ImportFileError, match="did you mean 'hinge'"):
        read_urdf(arm, initial={"hing": 1.0})


def test_xacro_is_told_how_to_be_expanded(tmp_path, capsys):
    path = tmp_path / "robot.urdf.xacro"
    path.write_text("<robot/>")
    assert main(["check", str(path)]) == BAD_INPUT
    assert "xacro robot.urdf.xacro > robot.urdf" in capsys.readouterr().err
    with pytest.raises(ImportFileError, match="Expand it first"):
        dl.load_urdf(path)
