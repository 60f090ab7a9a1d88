"""URDF: what becomes of links and joints, what is told, what is refused and where."""

from __future__ import annotations

import math
import struct
import warnings

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.errors import DoubtfulWarning, ImportFileError, ModelError, OptionError
from dalembert.importers.native import load
from dalembert.importers.urdf.entry import read_urdf

MASS = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial>'
)


def link(name: str, inside: str = MASS) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{inside}</joint>"
    )


def file_of(folder, *parts: str, name: str = "robot.urdf"):
    path = folder / name
    path.write_text("\n".join(['<robot name="r">', *parts, "</robot>"]))
    return path


def read(folder, *parts: str, **options):
    return read_urdf(file_of(folder, *parts), **options)


@pytest.fixture
def arm(tmp_path):
    """One hinge."""
    return file_of(
        tmp_path, link("base", ""), link("arm"), joint("hinge", "continuous", "base", "arm")
    )


# -- bodies ----------------------------------------------------------------------------------------


def test_the_axes_of_an_inertial_may_be_turned(tmp_path):
    turned = MASS.replace('xyz="0.1 0 0"', 'xyz="0.1 0 0" rpy="0 0 1.5707963267948966"')
    made = read(tmp_path, link("a", turned), base="floating").model.bodies["a"].inertia
    assert made.mass == 2.0
    assert made.center == (0.1, 0.0, 0.0)
    np.testing.assert_allclose(made.matrix, np.diag([0.2, 0.1, 0.2]), atol=1e-16)


def test_numbers_are_kept_to_the_last_bit(tmp_path):
    odd = MASS.replace('"2"', '"0.1234567890123456789"').replace("0.1 0 0", "1e-3 .5 5.")
    made = read(tmp_path, link("a", odd), base="floating").model.bodies["a"].inertia
    assert made.mass == 0.1234567890123456789
    assert made.center == (1e-3, 0.5, 5.0)
    assert made.matrix[0][0] == 0.1


def test_fixed_links_are_one_body_and_stay_as_frames(tmp_path):
    weld = joint("weld", "fixed", "a", "b", '<origin xyz="0 0 1" rpy="0 0 0.5"/>')
    parts = (link("a"), link("b"), link("tip", ""), weld, joint("w", "fixed", "b", "tip"))
    body = read(tmp_path, *parts, base="floating").model.bodies["a"]
    alone = dl.Inertia(2.0, [0.1, 0.2, 0.2], (0.1, 0, 0))
    turn = dl.Rotation.about("z", 0.5)
    whole = dl.Inertia.combined([alone, alone.moved((0, 0, 1), rotation=turn)])
    assert body.inertia.mass == 4.0
    np.testing.assert_allclose(body.inertia.center, whole.center, atol=1e-15)
    np.testing.assert_allclose(body.inertia.matrix, whole.matrix, atol=1e-15)
    assert set(body.frames) == {"b", "tip"}
    assert body.frames["tip"].offset == (0.0, 0.0, 1.0)
    kept = read(tmp_path, *parts, base="floating", merge=False).model
    assert list(kept.bodies) == ["a", "b"]
    assert len(kept.joints["weld"]) == 6
    assert "tip" in kept.bodies["b"].frames


def test_the_root_is_part_of_the_world_or_free(arm):
    fixed = read_urdf(arm).model
    assert list(fixed.bodies) == ["arm"]
    assert "base" in fixed.world.frames
    with pytest.raises(ImportFileError, match=r"link 'base' moves freely and has no mass"):
        read_urdf(arm, base="floating")
    free = read_urdf(arm, base="floating", massless=0.5).model
    assert free.bodies["base"].inertia.mass == 0.5
    assert any("given 0.5 kg" in str(loss) for loss in free.losses)


def test_massless_links_between_masses_are_refused_together(tmp_path):
    parts = (
        link("base"),
        link("x", ""),
        link("y", ""),
        link("end"),
        joint("j1", "continuous", "base", "x"),
        joint("j2", "continuous", "x", "y", '<axis xyz="0 1 0"/><origin xyz="0 0 1"/>'),
        joint("j3", "continuous", "y", "end", '<axis xyz="0 0 1"/>'),
    )
    with pytest.raises(ImportFileError) as told:
        read(tmp_path, *parts)
    assert "line 3: link 'x' moves by joint 'j1' and has no mass." in str(told.value)
    assert "line 4: link 'y'" in str(told.value)
    assert "massless=1e-3" in str(told.value)
    assert len(read(tmp_path, *parts, massless=1e-3).model.bodies) == 3


def test_joints_through_massless_links_are_one_joint(tmp_path):
    """A base on two slides and a hip of three hinges, against the same with hardly any mass."""
    parts = [link("g", "")] + [link(name, "") for name in "abcd"] + [link("end")]
    kinds = (
        ("sx", "prismatic", "g", "a", '<axis xyz="1 0 0"/><origin xyz="0 1 0" rpy="0.3 0 0"/>'),
        ("sz", "prismatic", "a", "b", '<axis xyz="0 1 1"/><origin xyz="0.1 0 0" rpy="0 0.2 0"/>'),
        ("hx", "continuous", "b", "c", '<axis xyz="1 0 0"/><origin xyz="0 0.2 0"/>'),
        ("hy", "revolute", "c", "d", '<axis xyz="0 1 0"/><origin rpy="0 0 0.4"/>'
         '<limit lower="-1" upper="1"/><dynamics damping="0.1"/>'),
        ("hz", "continuous", "d", "end", '<axis xyz="0 1 1"/><origin rpy="0.5 0 0"/>'),
    )  # fmt: skip
    parts += [joint(*given) for given in kinds]
    start = {"sx": 0.3, "sz": -0.2, "hx": 0.4, "hy": 0.5, "hz": -0.6}
    one = read(tmp_path, *parts, initial=start)
    assert list(one.model.joints) == ["hz"]
    assert (one.model.joints["hz"].kind, len(one.model.joints["hz"])) == ("compound", 1)
    assert sum("has no mass: it is not in the model" in str(loss) for loss in one.losses) == 4
    assert any("limits within a joint are dropped" in str(loss) for loss in one.losses)
    other = read(tmp_path, *parts, initial=start, massless=1e-3).model
    for ours, theirs in zip(one.model.placement()["end"], other.placement()["end"], strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    assert one.model.check().degrees_of_freedom == 5


def test_a_massless_end_is_held_and_told(tmp_path):
    parts = (link("a"), link("tip", ""), joint("j", "prismatic", "a", "tip"))
    made = read(tmp_path, *parts, base="floating", initial={"j": 0.3})
    assert made.model.bodies["a"].frames["tip"].offset == (0.3, 0.0, 0.0)
    assert [str(loss) for loss in made.losses if "is held where it starts" in str(loss)]


def test_doubtful_moments_are_kept_and_told(tmp_path):
    odd = MASS.replace('izz="0.2"', 'izz="0.5"')
    model = read(tmp_path, link("a", odd), base="floating").model
    assert model.bodies["a"].inertia.matrix[2][2] == 0.5
    assert any("no rigid body has" in doubt for doubt in model.check())
    dl_file = tmp_path / "r.yaml"
    from dalembert.importers.native import export

    assert load(export(model, dl_file)).bodies["a"].inertia.is_implausible


def test_moments_that_are_rounding_are_none(tmp_path):
    none = 'ixx="-5e-20" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"'
    odd = f'<inertial><mass value="0.5"/><inertia {none}/></inertial>'
    made = read(tmp_path, link("a", odd), base="floating")
    assert made.model.bodies["a"].inertia.matrix == ((0.0,) * 3,) * 3
    assert "are rounding: taken as 0" in str(made.losses[0])


def test_negative_moments_are_refused(tmp_path):
    odd = MASS.replace('ixx="0.1"', 'ixx="-0.1"')
    with pytest.raises(ImportFileError, match=r"line 2: link 'a': .*cannot be negative"):
        read(tmp_path, link("a", odd), base="floating")


# -- joints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "made", "rows"),
    [
        ("revolute", dl.Revolute, 5),
        ("continuous", dl.Revolute, 5),
        ("prismatic", dl.Prismatic, 5),
        ("planar", dl.Planar, 3),
    ],
)
def test_kinds_of_joints(tmp_path, kind, made, rows):
    inside = '<axis xyz="0 0 -2"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    model = read(tmp_path, link("a", ""), link("b"), joint("j", kind, "a", "b", inside)).model
    found = model.joints["j"]
    assert isinstance(found, made)
    assert len(found) == rows
    assert found.axis == "-z"
    p, R, _, _ = model.placement()["b"]
    np.testing.assert_allclose(p, [1, 2, 3], atol=1e-15)
    expected = dl.Rotation.from_roll_pitch_yaw(0.1, 0.2, 0.3).matrix
    np.testing.assert_allclose(R, expected, atol=1e-15)


def test_the_axis_is_x_unless_given(arm):
    assert read_urdf(arm).model.joints["hinge"].axis == "x"


def test_a_floating_joint_holds_nothing_and_places(tmp_path):
    inside = '<origin xyz="0 0 2" rpy="0 0 1"/>'
    parts = (link("a"), link("b"), link("c"), joint("j", "prismatic", "a", "b"))
    model = read(
        tmp_path, *parts, joint("f", "floating", "b", "c", inside), initial={"j": 0.5}
    ).model
    assert list(model.joints) == ["j"]
    p, R, _, _ = model.placement()["c"]
    np.testing.assert_allclose(p, [0.5, 0, 2], atol=1e-15)
    np.testing.assert_allclose(R, dl.Rotation.about("z", 1.0).matrix, atol=1e-15)


@pytest.mark.parametrize("offset", [0.2, 4.0, -7.5])
def test_mimic_is_a_coupler(tmp_path, offset):
    follow = f'<axis xyz="0 1 0"/><mimic joint="one" multiplier="-2" offset="{offset}"/>'
    parts = (
        link("g", ""),
        link("a"),
        link("b"),
        joint("two", "continuous", "g", "b", follow),
        joint("one", "continuous", "g", "a", '<axis xyz="0 1 0"/>'),
    )
    model = read(tmp_path, *parts, initial={"one": 0.25}).model
    angle = -2 * 0.25 + offset
    np.testing.assert_allclose(
        model.placement()["b"][1], dl.Rotation.about("y", angle).matrix, atol=1e-15
    )
    found = model.check()
    assert found.open_by < 1e-12  # the start follows, however many turns it is
    assert found.degrees_of_freedom == 1


def test_damping_friction_and_limits(tmp_path):
    inside = (
        '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
        '<dynamics damping="0.5" friction="0.1"/>'
    )
    made = read(tmp_path, link("a", ""), link("b"), joint("j", "revolute", "a", "b", inside))
    viscous, dry = made.model.forces.values()
    assert (viscous.kind, viscous.damping, viscous.dry) == ("joint_friction", 0.5, 0.0)
    assert (dry.kind, dry.damping, dry.dry) == ("joint_friction", 0.0, 0.1)
    assert made.model.limits == {"j": dl.Limits(-1, 2, effort=3, velocity=4)}
    assert [row.name for row in made.model.one_sided()] == ["j: lower", "j: upper", "j_friction"]
    (told,) = made.losses
    assert "effort and velocity are kept" in str(told)


def test_names_the_model_cannot_have(tmp_path):
    parts = (link("world"), link("a-b"), link("a.b"), link("class"))
    joints = (
        joint("x/y", "continuous", "world", "a-b"),
        joint("x:y", "continuous", "a-b", "a.b"),
        joint("z", "continuous", "a-b", "class"),
    )
    made = read(tmp_path, *parts, *joints, base="floating")
    assert list(made.model.bodies) == ["world_", "a_b", "a_b_2", "class_"]
    assert list(made.model.joints) == ["x_y", "x_y_2", "z"]
    assert sum("is called" in str(loss) for loss in made.losses) == 6


# -- looks -----------------------------------------------------------------------------------------


def triangle(path) -> None:
    corners = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    path.write_bytes(bytes(80) + struct.pack("<I", 1) + corners)


def test_shapes_and_colours(tmp_path):
    (tmp_path / "meshes").mkdir()
    triangle(tmp_path / "meshes" / "t.stl")
    names = (
        "package://own/meshes/t.stl",
        f"file://{tmp_path}/meshes/t.stl",
        "meshes/t.stl",
        f"package://{tmp_path.name}/meshes/t.stl",
    )
    visuals = "".join(
        f'<visual><geometry><mesh filename="{name}" scale="2 2 -2"/></geometry></visual>'
        for name in names
    )
    shapes = (
        '<visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry>'
        '<material name="m"/></visual>'
        '<visual><geometry><cylinder radius="1" length="2"/></geometry>'
        '<material name=""><color rgba="1 0 0 0.5"/></material></visual>'
        '<visual><geometry><sphere radius="1"/></geometry></visual>'
    )
    color = '<material name="m"><color rgba="0 1 0 1"/></material>'
    made = read(
        tmp_path,
        color,
        link("a", MASS + shapes + visuals),
        base="floating",
        packages={"own": tmp_path},
    )
    assert made.losses == ()
    box, cylinder, sphere, *meshes = made.model.shapes["a"]
    assert (box.color, box.position) == ("#00FF00", (0.0, 0.0, 1.0))
    assert (cylinder.color, cylinder.opacity) == ("#FF0000", 0.5)
    assert sphere.color is None
    for mesh in meshes:
        np.testing.assert_array_equal(mesh.vertices.max(axis=0), [2, 2, 0])
        # the mirrored triangle still shows its outside
        a, b, c = mesh.vertices[mesh.faces[0]]
        assert np.cross(b - a, c - a)[2] < 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("package://nowhere/x.stl", "package 'nowhere' was not found"),
        ("x.stl", "there is no file"),
        ("broken.stl", "broken.stl"),
        ("here.ply", ".ply is not read"),
        ("http://host/x.stl", "nothing is fetched"),
    ],
)
def test_a_mesh_that_is_not_there_is_told(tmp_path, name, why):
    (tmp_path / "broken.stl").write_bytes(b"solid")
    (tmp_path / "here.ply").write_text("ply")
    visual = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    made = read(tmp_path, link("a", MASS + visual), base="floating")
    (loss,) = made.losses
    assert loss.where.endswith("robot.urdf, line 2")
    assert why in loss.what


# -- what is told, what is refused -----------------------------------------------------------------


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


# -- loops -----------------------------------------------------------------------------------------

FOUR_BAR = (
    link("ground", ""),
    link("crank"),
    link("coupler"),
    link("end", ""),
    link("rocker"),
    *(
        joint(name, "continuous", parent, child, f'<origin xyz="{at} 0 0"/><axis xyz="0 1 0"/>')
        for name, parent, child, at in (
            ("a", "ground", "crank", 0),
            ("b", "crank", "coupler", 0.1),
            ("c", "ground", "rocker", 0.3),
        )
    ),
    joint("tip", "fixed", "coupler", "end", '<origin xyz="0.3 0 0"/>'),
)
START = {"a": -math.pi / 2, "b": 1.2, "c": -1.5}
PIN = {"type": "revolute", "first": "end", "second": {"body": "rocker", "at": (0.2, 0, 0)}}


def test_a_loop_closes_the_tree(tmp_path):
    model = read(tmp_path, *FOUR_BAR, initial=START, loops={"pin": PIN | {"axis": "y"}}).model
    assert model.check().degrees_of_freedom == 1
    given = dl.Revolute("end", "rocker", axis="y", name="pin")
    assert len(read(tmp_path, *FOUR_BAR, loops=[given]).model.joints["pin"]) == 5
    with pytest.raises(ImportFileError, match="'revolut' is unknown; did you mean 'revolute'"):
        read(tmp_path, *FOUR_BAR, loops={"pin": PIN | {"type": "revolut"}})
    with pytest.raises(ImportFileError, match="there is no body 'rokker'; did you mean 'rocker'"):
        read(tmp_path, *FOUR_BAR, loops={"pin": PIN | {"second": "rokker"}})
    with pytest.raises(ImportFileError, match="loop 'pin' is 3"):
        read(tmp_path, *FOUR_BAR, loops={"pin": 3})


def test_a_model_file_extends_a_robot(tmp_path, capsys):
    file_of(tmp_path, *FOUR_BAR)
    text = (
        "version: 1\nname: bars\nurdf:\n  file: robot.urdf\n"
        "  initial: {a: -pi/2, b: 1.2, c: -1.5}\nloops:\n  pin:\n    type: revolute\n"
        "    first: {body: end}\n    second: {body: rocker, at: [0.2, 0, 0]}\n    axis: y\n"
        "limits: {a: {upper: 3}}\n"
        "forces:\n  drive: {type: torque, frame: crank, about: y, value: 0.1*sin(a.angle)}\n"
    )
    path = tmp_path / "bars.yaml"
    path.write_text(text)
    model = load(path)
    assert model.name == "bars"
    assert model.check().degrees_of_freedom == 1
    assert model.limits["a"].upper == 3.0
    out = tmp_path / "whole.yaml"
    assert main(["import", str(path), "-o", str(out)]) == OK
    assert "it is the same model" in capsys.readouterr().err
    path.write_text(text.replace("file: robot", "file: robt"))
    with pytest.raises(ImportFileError, match=r"bars\.yaml, line 3: .*robt.urdf: there is no"):
        load(path)
    path.write_text(text.replace("urdf:", "base: free\nurdf:"))
    with pytest.raises(ImportFileError, match=r"line 3: base: .*fixed or floating"):
        load(path)
    path.write_text("version: 1\nbase: fixed\nbodies: [{mass: 1, inertia: [1, 1, 1]}]\n")
    with pytest.raises(ImportFileError, match="'base' goes with 'urdf'"):
        load(path)


# -- and back --------------------------------------------------------------------------------------


def same_robot(one, other) -> None:
    """Bodies by mass and moments, joints by kind and axis, and where everything is."""
    assert list(one.bodies) == list(other.bodies)
    assert list(one.joints) == list(other.joints)
    assert one.limits == other.limits
    for name, body in one.bodies.items():
        twin = other.bodies[name]
        assert twin.inertia.mass == body.inertia.mass
        for a, b in zip(one.placement()[name], other.placement()[name], strict=True):
            np.testing.assert_allclose(a, b, atol=1e-14)
        np.testing.assert_allclose(twin.inertia.matrix, body.inertia.matrix, atol=1e-15)
        assert set(body.frames) == set(twin.frames)
        assert len(one.shapes.get(name, ())) == len(other.shapes.get(name, ()))
    for name, made in one.joints.items():
        assert type(made) is type(other.joints[name])
    assert [f.damping for f in one.forces.values()] == [f.damping for f in other.forces.values()]


def test_a_robot_written_is_the_robot_read(tmp_path):
    box = '<visual><geometry><box size="1 2 3"/></geometry></visual>'
    parts = (
        link("base", box),
        link("a", MASS + box),
        link("b"),
        link("c"),
        link("tip", ""),
        joint("j", "revolute", "base", "a", '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
              '<axis xyz="1 2 3"/><limit lower="-1" upper="1" effort="9" velocity="8"/>'),
        joint("k", "prismatic", "a", "b", '<dynamics damping="0.5"/>'),
        joint("m", "continuous", "a", "c", '<mimic joint="j" multiplier="3" offset="0.5"/>'),
        joint("t", "fixed", "b", "tip", '<origin xyz="0 0 1"/>'),
    )  # fmt: skip
    one = read(tmp_path, *parts).model
    with pytest.raises(ModelError, match="joint 'm': URDF does not say where it starts"):
        dl.save_urdf(one, tmp_path / "out.urdf")
    lost = dl.save_urdf(one, tmp_path / "out.urdf", strict=False)
    assert len(lost) == 1
    two = read_urdf(tmp_path / "out.urdf").model
    same_robot(one, two)
    assert two.world.frames.keys() == {"base"}


def test_a_model_of_bodies_moves_as_its_urdf(tmp_path):
    """Joints away from the body frame, and one given from the child to the parent."""
    model = dl.Model("pair")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    bob = model.add_body("bob", dl.Inertia.box(mass=2.0, size=(0.1, 0.2, 0.3)))
    model.add_joint(dl.Revolute(model.world.at(z=1.0), rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_joint(dl.Revolute(bob.at(z=0.2), rod.at(x=0.5), axis=(0, 1, 0.2), name="pin"))
    model.add_force(dl.JointFriction("pin", damping=0.1, name="grease"))
    assert dl.save_urdf(model, tmp_path / "pair.urdf") == ()
    again = read_urdf(tmp_path / "pair.urdf").model
    runs = [dl.simulate(m, until=0.5, step=1e-3) for m in (model, again)]
    energies = [run.kinetic[-1] for run in runs]
    assert energies[0] == pytest.approx(energies[1], rel=1e-9)
    assert energies[0] > 0.1


def test_what_urdf_cannot_say_is_refused_by_name(tmp_path):
    model = dl.Model("chain", gravity=(0, 0, -1.62))
    a = model.add_body("a", dl.Inertia.point(1.0), shapes=[dl.Ellipsoid((1, 1, 2))])
    b = model.add_body("b", dl.Inertia.sphere(1.0, 0.1))
    model.add_joint(dl.Fixed(model.world, a, name="weld"))
    model.add_joint(dl.Spherical(a, b, name="ball"))
    model.add_force(dl.Spring(a, b, stiffness=1.0, free_length=1.0, name="coil"))
    model.constrain(b.x - 1, name="plane")
    with pytest.raises(ModelError) as told:
        dl.save_urdf(model, tmp_path / "no.urdf")
    for part in ("ball", "coil", "plane", "gravity", "ellipsoid"):
        assert part in str(told.value)
    assert not (tmp_path / "no.urdf").exists()
    with pytest.raises(ModelError, match="made of formulas"):
        dl.save_urdf(dl.catalog.load("pendulum"), tmp_path / "no.urdf")


# -- command line ----------------------------------------------------------------------------------


def test_commands_take_robots(arm, tmp_path, capsys):
    assert main(["check", str(arm)]) == OK
    assert "degrees of freedom  1" in capsys.readouterr().out
    assert main(["run", str(arm), "--until", "0.01", "--step", "1e-3"]) == OK
    assert main(["import", str(arm), "-o", str(tmp_path / "arm.yaml")]) == OK
    assert main(["import", str(arm), "-o", str(tmp_path / "again.urdf")]) == OK
    assert read_urdf(tmp_path / "again.urdf").model.bodies.keys() == {"arm"}
    capsys.readouterr()
    assert main(["check", f"{arm}:base=floating,massless=0.1"]) == OK
    seen = capsys.readouterr()
    assert "degrees of freedom  7" in seen.out
    assert "Note: 1 of what the robot's file says" in seen.err
    assert main(["check", f"{arm}:bse=floating"]) == BAD_INPUT
    assert "did you mean 'base'?" in capsys.readouterr().err
