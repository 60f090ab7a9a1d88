"""What `model.check()` says about contact and limits at the start."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError

TETRAHEDRON = dl.Mesh(
    vertices=[(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)],
    faces=[(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)],
)


def on_floor(shape, height, rotation=None):
    model = dl.Model("floor")
    model.add_shape(dl.Plane("y", 0.5), name="floor")
    start = {"position": (0.0, 0.5 + height, 0.0), "rotation": rotation}
    body = model.add_body("body", dl.Inertia.sphere(1.0, radius=0.3), **start)
    model.add_shape(shape, on=body, name="shape")
    return model


TILT = ("x", 0.4)
LOWEST = {
    "sphere": (dl.Sphere(0.2), 0.2),
    "box": (dl.Box(0.2, 0.4, 0.6), 0.2 * np.cos(0.4) + 0.3 * np.sin(0.4)),
    "capsule": (dl.Capsule(0.2, 1.0), 0.2 + 0.5 * np.sin(0.4)),
    "cylinder": (dl.Cylinder(0.2, 1.0), 0.2 * np.cos(0.4) + 0.5 * np.sin(0.4)),
    "ellipsoid": (
        dl.Ellipsoid((0.1, 0.2, 0.3)),
        np.hypot(0.2 * np.cos(0.4), 0.3 * np.sin(0.4)),
    ),
    "mesh": (TETRAHEDRON, np.cos(0.4) + np.sin(0.4)),
}


@pytest.mark.parametrize("kind", LOWEST)
def test_depth_in_a_plane(kind):
    shape, reach = LOWEST[kind]
    assert not [said for said in on_floor(shape, reach + 1e-9, TILT).check() if "overlap" in said]
    (said,) = on_floor(shape, reach - 0.05, TILT).check()
    assert "shapes 'shape' and 'floor': overlap by 0.05 m" in said


def test_shapes_in_the_same_place():
    model = dl.Model("same")
    for k in range(4):
        body = model.add_body(f"b{k}", dl.Inertia.sphere(1.0, radius=0.1), position=(k // 2, 0, 0))
        model.add_shape(dl.Sphere(0.1), on=body)
    said = list(model.check())
    assert len(said) == 2
    assert all("no way out is the shortest" in one for one in said)
    model.ignore_contact("b0", "b1")
    assert len(model.check()) == 1


def test_many_overlaps_are_counted():
    model = dl.Model("heap")
    for k in range(5):
        body = model.add_body(f"b{k}", dl.Inertia.sphere(1.0, radius=0.1))
        model.add_shape(dl.Sphere(0.1), on=body)
    assert model.check()[-1] == "shapes: 5 more pairs overlap at the start."


def test_bodies_that_contact_holds_are_not_called_unconnected():
    model = on_floor(dl.Sphere(0.2), 0.2)
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, arm, axis="y"))
    assert not model.check().unconnected


def test_a_free_point_mass_cannot_touch():
    model = dl.Model("point")
    model.add_shape(dl.Plane())
    point = model.add_body("point", dl.Inertia.point(1.0), position=(0, 0, 1))
    model.add_shape(dl.Sphere(0.1), on=point)
    with pytest.raises(ModelError, match="body 'point': touches others and has no moments"):
        model.check()
    with pytest.raises(ModelError, match="no moments of inertia"):
        dl.simulate(model, until=0.1, step=0.01)
    model.add_joint(dl.Prismatic(model.world, point, axis="z"))
    assert not model.check()


def test_limits_exceeded_at_the_start():
    model = dl.Model("arm")
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=1.0))
    hinge = dl.Revolute(model.world, arm.at(x=-0.5), axis="y", initial=0.8, name="hinge")
    model.set_limits(model.add_joint(hinge), dl.Limits(-1.0, 0.5))
    model.keep(arm.z >= 0.1, name="room")
    said = list(model.check())
    assert said[0].startswith("limit 'hinge: upper': is exceeded by 0.3 rad at the start")
    assert said[1].startswith("formula 'room': is exceeded by")
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x: -2.0})
    model.keep(np.sqrt(x) >= 0, name="root")
    with pytest.raises(ModelError, match="formula 'root': is undefined at the initial state"):
        model.check()


def test_sizes_that_parameters_make_impossible():
    (r,) = dl.parameters(r=0.1)
    model = dl.Model("ball")
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1))
    model.add_shape(dl.Sphere(r), on=body, name="skin")
    with pytest.raises(ModelError, match="shape 'skin': has a size that is no positive number"):
        model.with_parameters(r=0.0)


def test_what_touches_is_listed():
    model = on_floor(dl.Sphere(0.2), 0.2)
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, arm, axis="y", name="hinge"))
    model.set_limits(hinge, dl.Limits(-1.0, 0.5))
    model.add_force(dl.Brake(hinge, torque=1.0, name="brake"))
    text = str(model.check())
    for line in (
        r"shapes that touch     2: floor (plane), shape (sphere)",
        r"materials             1: unnamed (friction 0.5)",
        r"pairs that may touch  1: floor - shape",
        r"limits                1: hinge (-1 to 0.5)",
        r"brakes, dry friction  1: brake",
    ):
        assert line in text


def test_shapes_touch_on_bodies_with_quaternions():
    model = dl.Model("ship")
    model.add_shape(dl.Plane())
    inertia = dl.Inertia.sphere(1.0, radius=0.1)
    ship = model.add_body("ship", inertia, orientation="roll-pitch-yaw")
    model.add_shape(dl.Sphere(0.1), on=ship)
    with pytest.raises(ModelError, match="shapes touch on bodies with quaternions"):
        model.check()
    with pytest.raises(ModelError, match="shapes touch on bodies with quaternions"):
        dl.simulate(model, until=0.1, step=0.01)


def test_another_start_is_looked_at():
    """Stops and shapes that another start violates are named, those of the model's own are not."""
    from dalembert.model.check.check import check
    from dalembert.simulation.assembly.body_start import read_body_state

    model = dl.Model("ball")
    model.add_shape(dl.Plane(), name="floor")
    inertia = dl.Inertia(1.0, (0.004, 0.004, 0.004), center=(0.0, 0.0, 0.03))
    ball = model.add_body("ball", inertia, position=(0.0, 0.0, 0.5))
    model.add_shape(dl.Sphere(0.1), on=ball, name="shell")
    model.keep(dl.Cable(model.world, ball, length=1.0, name="rope"))
    assert not any("start" in what and "'" in what for what in model.check())
    low = check(model, read_body_state(model, {"ball.z": 0.06}))
    assert any("'shell' and 'floor'" in what and "overlap by 0.04 m" in what for what in low)
    far = check(model, read_body_state(model, {"ball.z": 1.5}))
    assert any("cable 'rope'" in what and "exceeded by 0.5" in what for what in far)


def test_another_start_of_formulas():
    from dalembert.model.check.check import check

    (y,) = dl.coordinates("y")
    model = dl.Model.from_lagrangian(kinetic=y.dot**2 / 2, potential=9.81 * y)
    model.keep(y >= 0, name="floor")
    assert [*model.check()] == []
    assert [*check(model, {"y": -0.1})] == [
        "formula 'floor': is exceeded by 0.1 at the start. Start within it."
    ]
