"""Bodies, frames, joints and forces in model files: read, written, and read again."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tests.unit.model.mechanisms import JOINTS, helix, numbers, two_bodies
from tests.unit.model.test_forces import BETWEEN, JOINT_FORCES, between, in_joint

import dalembert as dl
from dalembert.importers.elements import FORCE_KINDS, JOINT_KINDS
from dalembert.importers.native import load
from dalembert.importers.writing import save_model
from dalembert.model.basics.quantity import value_of
from dalembert.model.forces import FORCES
from dalembert.model.joints import JOINTS as JOINT_CLASSES
from dalembert.model.joints.motion import Motion

EXAMPLES = Path(__file__).parents[3] / "examples"
EPS = np.finfo(float).eps


def again(model, folder, suffix=".yaml"):
    return load(save_model(model, folder / f"model{suffix}"))


def quantities(body):
    inertia = body.inertia
    return [inertia.mass, *inertia.center, *(entry for row in inertia.matrix for entry in row)]


def assert_same(first, second):
    """The same bodies, joints, forces and start; formulas have the same values."""
    assert repr(first) == repr(second)
    for name, body in first.bodies.items():
        other = second.bodies[name]
        assert body.orientation == other.orientation
        for a, b in zip(quantities(body), quantities(other), strict=True):
            assert value_of(a) == pytest.approx(value_of(b), rel=10 * EPS)
        assert list(body.frames) == list(other.frames)
        for key, frame in body.frames.items():
            assert repr(frame.orientation) == repr(other.frames[key].orientation)
            offsets = zip(frame.offset, other.frames[key].offset, strict=True)
            assert all(value_of(a) == pytest.approx(value_of(b), rel=10 * EPS) for a, b in offsets)
    assert list(first.world.frames) == list(second.world.frames)
    assert list(first.joints) == list(second.joints)
    assert list(first.forces) == list(second.forces)
    assert first.parameters == second.parameters
    assert first.initial == pytest.approx(second.initial, abs=100 * EPS)
    assert [c.name for c in first.constraints] == [c.name for c in second.constraints]
    assert first.conservative == second.conservative
    for name, joint in first.joints.items():
        other = second.joints[name]
        assert type(joint) is type(other)
        assert joint.row_names == other.row_names
        for a, b in zip(joint.formulas(), other.formulas(), strict=True):
            np.testing.assert_allclose(numbers(a, first), numbers(b, second), atol=20 * EPS)
    for name, force in first.forces.items():
        other = second.forces[name]
        loads, energy = force.evaluated()
        loads_again, energy_again = other.evaluated()
        for a, b in zip(loads, loads_again, strict=True):
            np.testing.assert_allclose(numbers(a, first), numbers(b, second), rtol=100 * EPS)
        assert (energy is None) == (energy_again is None)
    for a, b in zip(first.constraints, second.constraints, strict=True):
        np.testing.assert_allclose(numbers(a.rows, first), numbers(b.rows, second), atol=20 * EPS)


def test_every_joint_and_force_can_stand_in_a_file():
    assert {kind.made for kind in JOINT_KINDS.values()} == set(JOINT_CLASSES.values())
    assert {kind.made for kind in FORCE_KINDS.values()} == set(FORCES.values())
    for kind in (*JOINT_KINDS.values(), *FORCE_KINDS.values()):
        options = {field.name for field in dataclasses.fields(kind.made)} - {"name", "watched"}
        assert set(kind.options) == options, kind.tag


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_joints_there_and_back(kind, suffix, tmp_path):
    model, _ = two_bodies(kind, JOINTS[kind])
    made = again(model, tmp_path, suffix)
    assert_same(model, made)
    assert_same(made, again(made, tmp_path, suffix))


def other_joints():
    model, hinge = two_bodies("Revolute", {"axis": "y", "initial": 0.3})
    base, arm = model.bodies["base"], model.bodies["arm"]
    wheel = model.add_body("wheel", dl.Inertia.sphere(1.0, 0.2), position=(0, 0, 0.2))
    tip = arm.at(x=0.4, rotation=("z", 0.2), name="tip")
    slide = model.add_joint(dl.Prismatic(tip, wheel, axis=(1, 2, 2), name="slide"))
    model.add_joint(dl.Distance("world", wheel, length=dl.parameters(l=0.7)[0]))
    model.add_joint(dl.PointOnLine(base, wheel, axis="x"))
    model.add_joint(dl.PointOnPlane(base, wheel.at(x=0.1), axis="-y"))
    model.add_joint(dl.PointOnCurve(base, wheel, curve=helix))
    model.add_joint(dl.Rolling(model.world.at(name="floor"), wheel, radius=0.2, axis="y"))
    model.add_joint(dl.RackPinion(hinge, slide, radius=0.1, offset=0.2))
    model.add_joint(dl.Coupler([(1.0, hinge), (2.0, slide)], offset=0.1))
    other = model.add_body("other", dl.Inertia.sphere(1.0, 0.2))
    second = model.add_joint(dl.Revolute(model.world, other, name="second"))
    model.add_joint(dl.Gear(hinge, second, ratio=-3.0))
    model.add_joint(dl.Motion(second, value=0.3 * np.sin(dl.time)))
    model.add_joint(dl.Motion(tip, coordinate="z", value=dl.table([0, 1, 2], [0, 0.5, 0.2])))
    model.constrain(other.pitch + 0.1 * hinge.angle - arm.x.dot * 0.0, name="formula")
    model.constrain(other.angular_velocity[0] - other.velocity[1], name="slip")
    return model


def test_all_other_joints_and_formulas_there_and_back(tmp_path):
    model = other_joints()
    made = again(model, tmp_path)
    assert_same(model, made)
    assert_same(made, again(made, tmp_path))
    (drive,) = (j for j in made.joints.values() if isinstance(j, Motion) and j.of_joint)
    assert drive.target is made.joints["second"]


@pytest.mark.parametrize("case", BETWEEN)
def test_forces_between_bodies_there_and_back(case, tmp_path):
    model, _ = between(case)
    assert_same(model, again(model, tmp_path))


@pytest.mark.parametrize("case", JOINT_FORCES)
def test_forces_in_joints_there_and_back(case, tmp_path):
    model, _ = in_joint(case)
    assert_same(model, again(model, tmp_path))


def test_applied_forces_there_and_back(tmp_path):
    model, hinge = two_bodies("Revolute", {"axis": "y"})
    arm = model.bodies["arm"]
    (k,) = dl.parameters(k=3.0)
    model.add_force(dl.Force(arm.at(x=0.1), value=(k, -k * arm.x, dl.time), axes="body"))
    model.add_force(dl.Torque(arm, about=(1, 2, 3), value=-0.5 * hinge.angle))
    model.add_force(dl.Drag(arm, linear=0.1, quadratic=k, flow=(1, 0, np.sin(dl.time))))
    model.add_force(dl.Potential(k * arm.z**2 + arm.rotation[0, 1]))
    model.add_point("tip", arm.at(x=1.0))
    model.set_initial({"arm.wx": 0.5 * k})
    model.suggested = {"until": 2.0, "step": 1e-3}
    made = again(model, tmp_path)
    assert_same(model, made)
    assert made.suggested == model.suggested
    assert list(made.points) == ["tip"]
    assert made.with_parameters(k=4.0).initial["arm.wx"] == 2.0


def test_angles_there_and_back(tmp_path):
    model = dl.Model("angles")
    box = dl.Inertia(2.0, (0.3, 0.4, 0.5), center=(0.02, -0.03, 0.05))
    given = {"rotation": ("x", 0.2), "angular_velocity": (1, 2, 3), "axes": "body"}
    body = model.add_body("body", box, orientation="roll-pitch-yaw", **given)
    model.add_joint(dl.Spherical(model.world, body.at(x=0.5), name="ball"))
    model.add_force(dl.Spring(model.world.at(z=1), body, free_length=0.3, stiffness=5.0))
    model.add_force({body.pitch: -2.0 * body.pitch.dot})
    model.constrain(body.yaw, name="no_yaw")
    made = again(model, tmp_path)
    assert made.initial == model.initial
    assert made.row_names == model.row_names
    np.testing.assert_allclose(numbers(made.force, made), numbers(model.force, model), rtol=1e-12)
    rows = [[r for c in m.constraints for r in c.rows] for m in (made, model)]
    np.testing.assert_allclose(numbers(rows[0], made), numbers(rows[1], model), atol=20 * EPS)


FILE = """
version: 1
parameters: {m: 2.0}
bodies:
  - name: arm
    mass: m
    inertia: {type: cylinder, radius: 0.1, length: 1, axis: x}
    center: [0.5, 0, 0]
    rotation: {axis: [0, 0, 2], angle: pi/2}
    frames: {tip: {at: [1, 0, 0], rotation: {roll_pitch_yaw: [0, 0, 0.5]}}}
  - {name: box, mass: 1, inertia: {type: box, size: [1, 2, 3]}, position: [1, 2, 3]}
  - {name: ball, mass: 1, inertia: {type: sphere, radius: 0.3}, rotation: [1, 0, 0, 0]}
  - {name: rod, mass: 1, inertia: {type: rod, length: 2, axis: z}}
  - {name: bead, mass: 1, inertia: {type: point}}
  - {name: bar, mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
joints:
  hinge: {type: revolute, first: world, second: arm, axis: y}
  ball: {type: spherical, first: arm/tip, second: {body: rod, at: [0, 0, -1]}}
forces:
  law: {type: spring, first: world, second: box, free_length: 1, law: 5*extension**3 + rate}
  push: {type: force, frame: ball, value: [{times: [0, 1], values: [0, 5]}, 0, -ball.x.dot]}
  back: {type: torque, frame: arm, about: y, value: -0.1*hinge.angle - 0.2*hinge.angle.dot}
  motor: {type: motor, joint: hinge, law: 3 - speed/2}
constraints:
  level: [box.pitch, box.x - 1]
  turn: box.wz - 0.1*box.yaw.dot
initial: {ball.wx: 1}
"""


def test_file_in_its_own_words(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(FILE)
    model = load(path)
    arm = model.bodies["arm"]
    assert model.is_maximal
    np.testing.assert_allclose(numbers(arm.at(x=1).position, model), (0, 1, 0), atol=4 * EPS)
    np.testing.assert_allclose(numbers(model.bodies["rod"].position, model)[:2], (0, 1), atol=1e-12)
    assert model.initial["ball.wx"] == 1.0
    assert [c.kind for c in model.constraints] == ["holonomic", "velocity"]
    assert model.bodies["box"].inertia.matrix[0][0] == pytest.approx(13 / 12)
    assert model.with_parameters(m=3.0).parameters == {"m": 3.0}
    assert_same(model, again(model, tmp_path))


@pytest.mark.parametrize("name", ["four-bar-in-space", "slider-crank-of-bodies"])
def test_example_files(name, tmp_path):
    model = load(EXAMPLES / f"{name}.yaml")
    assert_same(model, again(model, tmp_path))
    for joint in model.joints.values():  # the loop is closed as written
        np.testing.assert_allclose(numbers(joint.formulas()[0], model), 0.0, atol=1e-6)


def test_names_of_symbols_are_those_of_the_report():
    body = dl.Model().add_body("ship", dl.Inertia.sphere(1.0, 1.0))
    from dalembert.importers.formula_text import body_symbols

    known = body_symbols(body)
    for symbol in (*body.quaternion, *body.angular_velocity):
        assert known[repr(symbol)] is symbol
    assert known["ship.R12"] is body.rotation[1, 2]
