"""URDF: what becomes of links, joints and looks."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import numpy as np
import pytest
from tests.unit.importers.urdf_text import MASS, joint, link, read

import dalembert as dl
from dalembert.errors import ImportFileError, MassMatrixError, OptionError
from dalembert.importers.native import load
from dalembert.importers.urdf.load import read_urdf
from dalembert.in_words import as_command
from dalembert.simulation.prepare.start_refusals import refuse_mass
from dalembert.system.borders import NOT_POSITIVE_DEFINITE
from dalembert.system.build import build

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
    from dalembert.importers.writing import save_model

    assert load(save_model(model, dl_file)).bodies["a"].inertia.is_implausible


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


def test_ball_joints_of_other_programs(tmp_path):
    """A joint that URDF does not have: read, and told."""
    inside = '<axis xyz="0 0 0"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    made = read(tmp_path, link("a", ""), link("b"), joint("j", "spherical", "a", "b", inside))
    assert isinstance(made.model.joints["j"], dl.Spherical)
    assert any("ball joint" in str(loss) for loss in made.losses)
    p, R, _, _ = made.model.placement()["b"]
    np.testing.assert_allclose(p, [1, 2, 3], atol=1e-15)
    expected = dl.Rotation.from_roll_pitch_yaw(0.1, 0.2, 0.3).matrix
    np.testing.assert_allclose(R, expected, atol=1e-15)


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


POINT = (
    '<inertial><mass value="0.1"/>'
    '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
)


def test_masses_without_moments_may_have_small_ones(tmp_path):
    parts = (
        link("base"),
        link("arm"),
        link("wrist", POINT),
        joint("bend", "continuous", "base", "arm", '<axis xyz="0 1 0"/>'),
        joint("roll", "continuous", "arm", "wrist", '<axis xyz="1 0 0"/>'),
    )
    plain = read(tmp_path, *parts).model
    with pytest.raises(OptionError, match="nothing resists the velocity"):
        dl.simulate(plain, until=0.01, formulation="generalized")
    found = read(tmp_path, *parts, massless=1e-3)
    assert any("link 'wrist' has no moments of inertia" in str(loss) for loss in found.model.losses)
    run = dl.simulate(found.model, until=0.01, formulation="generalized")
    assert run.verdict.word == "good"
    assert found.model.bodies["wrist"].inertia.mass == 0.1


def test_a_run_names_bodies_without_moments(tmp_path):
    parts = [link("base"), link("leg", POINT), joint("hip", "continuous", "base", "leg")]
    system = build(read(tmp_path, *parts).model)
    state = SimpleNamespace(failed_index=3)
    with pytest.raises(MassMatrixError) as told:
        refuse_mass(NOT_POSITIVE_DEFINITE, system, state, np.zeros(7))
    assert "'leg' have a mass and no moments of inertia" in str(told.value)
    assert "`robot.urdf:massless=1e-3`" in as_command(str(told.value))


@pytest.mark.parametrize(
    ("head", "tail", "told"),
    [
        ('<?xml version="0.0" ?>\n', "", "version of XML is '0.0'"),
        ('\n\n<?xml version="1.0"?>\n', "", "white space before"),
        ('<?xml version="1.0"?>\n', "\n\0", "zero bytes"),
        ('<?xml version="1.0"?>\n', "", None),
    ],
)
def test_what_other_readers_let_pass_is_read_and_told(tmp_path, head, tail, told):
    """Files of PyBullet have such heads and ends."""
    parts = f"{link('a')}{link('b')}{joint('j', 'continuous', 'a', 'b')}<odd/>"
    body = f"<robot name='r'>{parts}</robot>"
    path = tmp_path / "robot.urdf"
    path.write_bytes(f"{head}{body}{tail}".encode())
    losses = [str(loss) for loss in read_urdf(path).losses]
    assert any("<odd>" in loss and f"line {head.count(chr(10)) + 1}" in loss for loss in losses)
    assert any(told is not None and told in loss for loss in losses) == (told is not None)
