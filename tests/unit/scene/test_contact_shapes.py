"""Shapes that touch, planes without end and cables, as they are drawn."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.scene.describe import describe
from dalembert.scene.solids import matrix


def drop(plane):
    model = dl.Model("drop")
    model.add_shape(plane, name="floor")
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(3.0, 0, 0.5))
    model.add_shape(dl.Sphere(0.1), on=body)
    return model


def test_a_plane_is_as_large_as_the_scene_needs():
    scene = describe(drop(dl.Plane(offset=-0.25, color="red")))
    (floor,) = scene.ground
    assert (floor.kind, floor.color) == ("plane", "#C0504D")
    assert floor.position == pytest.approx((3.0, 0.0, -0.25))  # below what moves
    assert scene.size == pytest.approx(0.2 * np.sqrt(3))  # the plane does not count
    assert floor.size[0] > scene.size
    assert scene.floor == -0.25
    (tall,) = describe(drop(dl.Plane("x", 2.0))).ground
    assert tall.position == pytest.approx((2.0, 0.0, 0.5))
    np.testing.assert_allclose(matrix(tall.rotation)[:, 2], [1, 0, 0], atol=1e-15)
    sized = describe(drop(dl.Plane(size=(1.0, 2.0), offset=1.0))).ground[0]
    assert (sized.size, sized.position) == ((1.0, 2.0), (0.0, 0.0, 1.0))


def test_shapes_that_touch_are_drawn_unless_they_are_not():
    model = drop(dl.Plane())
    model.add_shape(dl.Box(1, 1, 1), on="ball", drawn=False)
    (ball,) = describe(model).bodies
    assert [shape.kind for shape in ball.shapes] == ["sphere"]


def test_cables_are_drawn_through_their_points():
    model = dl.Model("crane")
    a = model.add_body("a", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, -1))
    b = model.add_body("b", dl.Inertia.sphere(1.0, radius=0.1), position=(1, 0, -1))
    model.keep(dl.Cable(a, b, length=4.0, through=[model.world.at(0.5, 0, 1)], name="rope"))
    model.keep(dl.Cable(model.world, a, length=4.0, name="leash"))
    scene = describe(model)
    found = {link.name: link.kind for link in scene.links}
    assert found == {"rope[0]": "rope", "rope[1]": "rope", "leash": "rope"}
