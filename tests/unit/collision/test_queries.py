"""Public distances and rays: shapes, models, states, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.collision.convex_shapes import KINDS, random_shape, random_turn

import dalembert as dl
from dalembert.collision.mesh import grid_triangles
from dalembert.errors import OptionError


def table():
    """A ball 0.4 above a table that stands on a plane; a beam with two shapes."""
    model = dl.Model("room")
    model.add_shape(dl.Plane(), name="floor")
    model.add_shape(dl.Box(2, 1, 0.1), name="table")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.55))
    model.add_shape(dl.Sphere(0.1), on=ball)
    beam = model.add_body("beam", dl.Inertia.rod(mass=1.0, length=1.0), position=(0, 0, 2))
    model.add_shape([dl.Sphere(0.1, position=(x, 0, 0)) for x in (-0.5, 0.5)], on=beam)
    return model, ball, beam


def test_distance_of_bodies_where_the_model_starts():
    model, ball, beam = table()
    found = dl.distance(model, (ball, "table"))
    assert found.distance == pytest.approx(0.4, abs=1e-15)
    assert np.allclose(found.normal, [0, 0, -1])
    assert np.allclose(found.point_a, [0, 0, 0.45])
    assert (found.shape_a.name, found.shape_b.name) == ("ball.sphere", "table")
    assert dl.distance(model, ("world", "ball")).distance == pytest.approx(0.4)
    # of a body with two shapes the nearer one
    near = dl.distance(model, (ball, beam))
    assert near.distance == pytest.approx(np.hypot(0.5, 1.45) - 0.2)


def test_distance_at_a_state_of_a_run():
    model, ball, _ = table()
    solution = dl.simulate(model, until=0.1, step=0.01, method=dl.ContactImpulse())
    at = solution.at(0.1)
    height = solution["ball.z"][-1]
    assert dl.distance(model, (ball, "table"), at=at).distance == pytest.approx(height - 0.15)
    assert dl.distance(model, (ball, "table"), at={"ball.z": 0.2}).distance == pytest.approx(0.05)


def test_poses_move_shapes_that_have_a_place_of_their_own():
    box = dl.Box(1, 1, 1, position=(1, 0, 0))
    turned = ((0, 0, 1), ("z", np.pi / 2))
    assert dl.distance(box, dl.Sphere(0.25), pose_a=turned, pose_b=((0, 3, 1), None)).distance == (
        pytest.approx(1.25)
    )
    # the axis of a cylinder is part of the shape
    log = dl.Cylinder(radius=0.5, length=4, axis="x")
    assert dl.distance(log, dl.Sphere(0.5), pose_b=((3, 0, 0), None)).distance == pytest.approx(0.5)


def test_exchanged_shapes_exchange_the_answer():
    one = dl.distance(dl.Plane(), dl.Box(1, 1, 1), pose_b=((0, 0, 2), None))
    two = dl.distance(dl.Box(1, 1, 1), dl.Plane(), pose_a=((0, 0, 2), None))
    assert one.distance == two.distance == 1.5
    assert np.array_equal(one.normal, -two.normal)
    assert np.array_equal(one.point_a, two.point_b)


@pytest.mark.parametrize("kind", [*KINDS, "plane", "mesh", "height field"])
def test_a_ray_ends_on_the_surface_and_not_before(kind):
    rng = np.random.default_rng(len(kind))
    line = np.linspace(-1, 1, 9)
    bumps = 0.2 * rng.normal(size=(9, 9))
    points, faces = grid_triangles(line, line, bumps)
    shape = {
        "plane": lambda: dl.Plane("y", 0.1),
        "mesh": lambda: dl.Mesh(vertices=points, faces=faces),
        "height field": lambda: dl.HeightField(bumps, size=(2, 2)),
    }.get(kind, lambda: random_shape(rng, kind))()
    speck = dl.Sphere(1e-9)
    hits = 0
    for _ in range(25):
        o, d = rng.normal(size=3), rng.normal(size=3)
        o *= 5.0 / np.linalg.norm(o)
        d = -o + 0.5 * d if kind != "plane" else d
        hit = dl.ray_cast(shape, o, direction=d)
        if hit is None:
            continue
        hits += 1
        d /= np.linalg.norm(d)
        assert np.allclose(hit.point, o + hit.distance * d, atol=1e-14)
        assert abs(dl.distance(speck, shape, pose_a=(hit.point, None)).distance) < 1e-8
        assert abs(np.linalg.norm(hit.normal) - 1.0) < 1e-12
        if kind != "plane":
            assert hit.normal @ d < 0.0
            before = [o + s * hit.distance * d for s in np.linspace(0.1, 0.99, 9)]
            apart = [dl.distance(speck, shape, pose_a=(x, None)).distance for x in before]
            assert min(apart) > 0.0
    assert hits > 5


def test_a_ray_from_within_leaves():
    assert dl.ray_cast(dl.Sphere(2.0), (1, 0, 0), direction=(-5, 0, 0)).distance == 3.0
    hit = dl.ray_cast(dl.Box(2, 2, 2), (0, 0, 0.5), direction=(0, 0, 1))
    assert hit.distance == 0.5
    assert hit.normal.tolist() == [0, 0, 1]


def test_rays_that_touch_edges_do_not_slip_through_a_mesh():
    line = np.linspace(-1, 1, 9)
    points, faces = grid_triangles(line, line, np.zeros((9, 9)))
    ground = dl.Mesh(vertices=points, faces=faces)
    for x in line[1:-1]:
        for y in line[1:-1]:
            assert dl.ray_cast(ground, (x, y, 1), direction=(0, 0, -1)).distance == 1.0


def test_what_a_ray_meets_in_a_model():
    model, _, beam = table()
    down = {"direction": (0, 0, -1)}
    assert dl.ray_cast(model, (0.5, 0, 3), **down).shape.body == "beam"
    assert dl.ray_cast(model, (0.5, 0, 3), ignore=beam, **down).shape.name == "table"
    assert dl.ray_cast(model, (0.5, 0, 3), ignore=["beam", "table"], **down).shape.name == "floor"
    assert dl.ray_cast(model, (0.5, 0, 3), longest=0.5, **down) is None
    assert dl.ray_cast(model, (0, 0, 3), at={"ball.x": 5.0}, **down).shape.name == "table"
    assert dl.ray_cast([], (0, 0, 3), **down) is None


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda m: dl.distance(m, ("ball", "cup")), "no shape that touches on or named 'cup'"),
        (lambda m: dl.distance(m, "ball"), "is not a pair"),
        (lambda m: dl.distance(m, ("ball", "world"), pose_a=1), "a model has no pose"),
        (lambda m: dl.distance(dl.Sphere(1.0), dl.Sphere(1.0), at={}), "at is for models"),
        (lambda m: dl.distance(dl.Sphere(1.0), "ball"), "'ball' is no shape"),
        (lambda m: dl.distance(dl.Plane(), dl.Plane()), "not known for a plane and a plane"),
        (lambda m: dl.distance(dl.Sphere(1.0), dl.Sphere(1.0), pose_a=3), "pose_a is 3"),
        (lambda m: dl.distance(dl.Model("empty"), ("a", "b")), "has no shapes that touch"),
        (lambda m: dl.ray_cast(m, (0, 0, 0), direction=(0, 0, 0)), "direction is zero"),
        (lambda m: dl.ray_cast(m, (0, 0), direction=(0, 0, 1)), "origin is"),
        (lambda m: dl.ray_cast([1], (0, 0, 0), direction=(0, 0, 1)), "1 is no shape"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, told):
    with pytest.raises(OptionError, match=told):
        ask(table()[0])


def test_distance_does_not_depend_on_where_or_how_it_is_asked():
    rng = np.random.default_rng(3)
    a, b = random_shape(rng, "hull"), random_shape(rng, "cylinder")
    R, S, Q = (random_turn(rng) for _ in range(3))
    p, move = rng.normal(size=3), rng.normal(size=3)
    one = dl.distance(a, b, pose_a=((0, 0, 0), R), pose_b=(p, S))
    two = dl.distance(a, b, pose_a=(move, Q @ R), pose_b=(move + Q @ p, Q @ S))
    assert one.distance == pytest.approx(two.distance, abs=1e-13)
    assert np.allclose(Q @ one.normal, two.normal, atol=1e-9)
