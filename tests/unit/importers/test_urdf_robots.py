"""URDF: whole robots, with loops, written again, on the command line."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.unit.importers.urdf_text import MASS, file_of, joint, link, read

import dalembert as dl
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.errors import ImportFileError, ModelError
from dalembert.importers.native import load
from dalembert.importers.urdf.load import read_urdf

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


def assert_same_robot(one, other) -> None:
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
    assert_same_robot(one, two)
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


def test_bodies_that_float_apart_hang_on_the_world(tmp_path):
    """No joint leads to the world; the link of the world is needed all the same."""
    model = dl.Model("pair")
    for name, x in (("left", -1.0), ("right", 2.0)):
        body = model.add_body(name, dl.Inertia.box(1.0, size=(0.1, 0.2, 0.3)), position=(x, 0, 1))
        hand = model.add_body(f"{name}_hand", dl.Inertia.box(0.5, size=(0.1, 0.1, 0.1)))
        model.add_joint(dl.Revolute(body.at(x=0.2), hand, axis="y", name=f"{name}_wrist"))
    assert dl.save_urdf(model, tmp_path / "pair.urdf") == ()
    again = dl.load_urdf(tmp_path / "pair.urdf")
    assert {name: at[0] for name, at in again.placement().items()} == {
        name: pytest.approx(at[0]) for name, at in model.placement().items()
    }
