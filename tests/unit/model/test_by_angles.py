"""Joints and forces between bodies with roll-pitch-yaw: the same text on other formulas."""

import numpy as np
import pytest
from tests.unit.model.mechanisms import BOX, JOINTS, numbers
from tests.unit.model.test_forces import BETWEEN, kind_of

import dalembert as dl
from dalembert.errors import ModelError

EPS = np.finfo(float).eps
PLACED = {
    "position": (0.9, 0.3, -0.2),
    "rotation": dl.Rotation.from_roll_pitch_yaw(0.5, 0.2, -0.3),
    "velocity": (-0.2, 0.8, 0.1),
    "angular_velocity": (0.6, -0.1, 0.9),
    "axes": "body",
}


def model_of(orientation, add, **options):
    """A base that moves and an arm; `add` puts something between them."""
    model = dl.Model(orientation)
    base = model.add_body(
        "base",
        BOX,
        position=(0.1, -0.2, 0.4),
        rotation=("y", 0.6),
        velocity=(0.5, 0.1, -0.3),
        angular_velocity=(0.2, -0.7, 0.4),
        orientation=orientation,
    )
    arm = model.add_body("arm", BOX, orientation=orientation, **options)
    made = add(model, base.at(x=0.3, rotation=("y", 0.5)), arm.at(y=-0.2))
    return model, made


@pytest.mark.parametrize("kind", [*JOINTS, "Distance", "PointOnLine", "Rolling"])
@pytest.mark.parametrize("given", [{}, PLACED])
def test_rows_are_those_of_quaternions(kind, given):
    options = JOINTS.get(kind, {"Distance": {"length": 0.7}, "Rolling": {"radius": 0.3}}.get(kind))

    def add(model, a, b):
        return model.add_joint(getattr(dl, kind)(a, b, name="joint", **(options or {})))

    if kind == "Screw":
        with pytest.raises(ModelError, match="joint 'joint': a screw counts full turns"):
            model_of("roll-pitch-yaw", add, **given)
        return
    expected, joint = model_of("quaternion", add, **given)
    rows = [row for part in joint.formulas() for row in part]
    model, _ = model_of("roll-pitch-yaw", add, **given)
    found = [row for constraint in model.constraints for row in constraint.rows]
    np.testing.assert_allclose(numbers(found, model), numbers(rows, expected), atol=100 * EPS)
    named = [name.replace(" slip:", ":") for name in model.row_names]
    assert named == list(joint.row_names)


@pytest.mark.parametrize("case", BETWEEN)
def test_generalised_forces_do_the_work_of_the_loads(case):
    def add(model, a, b):
        return model.add_force(kind_of(case)(a, b, name="force", **BETWEEN[case]))

    if "Torsion" in case:
        with pytest.raises(ModelError, match="force 'force': a torsion spring counts full turns"):
            model_of("roll-pitch-yaw", add, **PLACED)
        return
    model, force = model_of("roll-pitch-yaw", add, **PLACED)
    bare, _ = model_of("roll-pitch-yaw", lambda model, a, b: None, **PLACED)
    Q = numbers(model.force, model) - numbers(bare.force, bare)
    rates = numbers([q.dot for q in model.coordinates], model)
    power = 0.0
    for (pull, torque), view in zip(force.evaluated()[0], force.views, strict=True):
        power += numbers(pull, model) @ numbers(view.velocity, model)
        power += numbers(torque, model) @ numbers(view.angular_velocity, model)
    assert Q @ rates == pytest.approx(power, rel=1e-10)
    assert model.conservative == force.conservative


def test_start_is_the_same_state():
    def add(model, a, b):
        return model.add_joint(dl.Revolute(a, b, axis="y", initial=0.4, initial_speed=2.0))

    quaternions, _ = model_of("quaternion", add)
    angles, _ = model_of("roll-pitch-yaw", add)
    for name, body in angles.bodies.items():
        other = quaternions.bodies[name]
        for part in ("position", "rotation", "velocity", "angular_velocity"):
            np.testing.assert_allclose(
                numbers(getattr(body, part), angles),
                numbers(getattr(other, part), quaternions),
                atol=100 * EPS,
            )


def test_kinds_of_bodies_do_not_mix():
    model = dl.Model("m")
    model.add_body("a", BOX)
    with pytest.raises(ModelError, match="that of body 'a' 'quaternion'"):
        model.add_body("b", BOX, orientation="roll-pitch-yaw")


def pendulum(orientation):
    """A box on a ball joint with a damped spring, drag and a drive."""
    model = dl.Model("pendulum")
    box = model.add_body("box", BOX, orientation=orientation)
    model.add_joint(
        dl.Universal(
            model.world, box.at(x=-0.5), axis="y", second_axis="z", initial=(0.2, 0.1), name="cross"
        )
    )
    post = model.world.at(x=1.0, z=0.5)
    model.add_force(dl.Spring(post, box.at(z=0.2), free_length=0.3, stiffness=40.0, damping=0.5))
    model.add_force(dl.Drag(box, linear=0.1, quadratic=0.3))
    model.add_force(dl.Force(box, value=(0, 0, np.sin(dl.time)), axes="body"))
    return model


def test_both_kinds_of_bodies_move_alike():
    ends = []
    for orientation in ("quaternion", "roll-pitch-yaw"):
        model = pendulum(orientation)
        solution = dl.simulate(model, until=0.5, step=1e-3)
        box = model.bodies["box"]
        ends.append([solution[entry][-1] for entry in (*box.position, *box.rotation.ravel())])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)
