"""Solids given by formulas, against the same solids as shapes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.collision.convex_shapes import random_shape, random_turn

import dalembert as dl
from dalembert.collision.scene import CollisionScene, SceneShape, motions
from dalembert.scene.surfaces import surface_triangles

BALL = {
    "distance": "sqrt(x**2 + y**2 + z**2) - 1",
    "square": "x**2 + y**2 + z**2 - 1",  # no distance: its slope is 2 at the surface
}
FLOOR = dl.SignedDistance("z", size=(4, 4, 1))


def ball(name):
    return dl.SignedDistance(BALL[name], size=(2.5, 2.5, 2.5))


@pytest.mark.parametrize("name", BALL)
@pytest.mark.parametrize("kind", ["sphere", "capsule", "box", "cylinder", "ellipsoid"])
def test_a_ball_by_formula_is_as_far_away_as_a_ball(name, kind):
    rng = np.random.default_rng(len(kind))
    solid = random_shape(rng, kind, 0.5)
    for _ in range(12):
        R, p = random_turn(rng), rng.normal(size=3)
        p *= rng.uniform(2.0, 3.0) / np.linalg.norm(p)
        exact = dl.distance(dl.Sphere(1.0), solid, pose_b=(p, R))
        if exact.distance < -0.2:
            continue  # the deepest point of a curved solid is not the way out
        found = dl.distance(ball(name), solid, pose_b=(p, R))
        assert found.distance == pytest.approx(exact.distance, abs=1e-10)
        assert np.allclose(found.normal, exact.normal, atol=1e-5)


@pytest.mark.parametrize("away", [0.0, 1e-8, 1e-3, 0.1])
def test_where_the_slope_vanishes_nothing_is_deeper_than_the_solid(away):
    """Newton's method leaves the middle of this one with steps of 0.04 / (4 away^3)."""
    solid = dl.SignedDistance("x**4 + y**4 + z**4 - 0.04", size=(1, 1, 1))
    small = dl.Ellipsoid((0.02, 0.01, 0.01))
    found = dl.distance(solid, small, pose_b=((away, 0, 0.3 * away), np.eye(3)))
    # out along an axis it is 0.447, along a diagonal 0.588
    assert -0.7 < found.distance < -0.1
    assert np.linalg.norm(found.normal) == pytest.approx(1.0)


def test_a_floor_by_formula_is_a_floor():
    for solid, height, count in (
        (dl.Box(0.3, 0.3, 0.3), 0.15, 4),
        (dl.Sphere(0.1), 0.1, 1),
        (dl.Cylinder(radius=0.2, length=0.2), 0.1, 4),
        (dl.Ellipsoid((0.2, 0.2, 0.1)), 0.1, 1),
    ):
        scene = CollisionScene([SceneShape.of(FLOOR), SceneShape.of(solid, 0)], 1)
        for gap in (1e-3, 0.0, -1e-3):
            found = scene.collide(motions([(0.1, 0.2, height + gap)]))
            assert len(found) == count
            assert np.allclose(found.gaps, gap, atol=1e-14)
            assert np.allclose(found.normals, [0, 0, -1], atol=1e-14)
            assert np.allclose(found.points[:, 2], 0.5 * gap, atol=1e-14)


def test_a_box_in_a_bowl_stands_on_its_corners_each_with_its_normal():
    bowl = dl.SignedDistance("1 - sqrt(x**2 + y**2 + z**2)", size=(2, 2, 2))
    half = 0.3
    height = np.sqrt(1.0 - 2 * half**2)
    scene = CollisionScene([SceneShape.of(bowl), SceneShape.of(dl.Box(0.6, 0.6, 0.2), 0)], 1)
    found = scene.collide(motions([(0, 0, -height + 0.1)]))
    assert len(found) == 4
    assert np.allclose(found.gaps, 0.0, atol=1e-12)
    # from the box to the bowl, outwards from its middle
    assert np.allclose(found.normals, found.points, atol=1e-9)


@pytest.mark.parametrize("name", BALL)
def test_rays(name):
    for o, d in (((0, 0, 3), (0.1, 0, -1)), ((2, 1, 0), (-1, -0.4, 0.1)), ((0.2, 0, 0), (0, 1, 0))):
        exact = dl.ray_cast(dl.Sphere(1.0), o, direction=d)
        found = dl.ray_cast(ball(name), o, direction=d)
        assert found.distance == pytest.approx(exact.distance, abs=1e-12)
        assert np.allclose(found.normal, exact.normal, atol=1e-12)
    assert dl.ray_cast(ball(name), (0, 0, 3), direction=(0, 1, 0)) is None


@pytest.mark.parametrize(
    "formula",
    [BALL["distance"], lambda x, y, z: np.sqrt(x**2 + y**2 + z**2) - 1],
    ids=["text", "function"],
)
def test_the_picture_of_a_formula_is_its_surface(formula):
    shape = dl.SignedDistance(formula, size=(2.2, 2.2, 2.2))
    vertices, faces = surface_triangles(shape)
    assert np.allclose(np.linalg.norm(vertices, axis=1), 1.0, atol=2e-3)
    a, b, c = vertices[faces].transpose(1, 0, 2)
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    assert volume == pytest.approx(4.0 / 3.0 * np.pi, rel=5e-3)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: dl.SignedDistance("x + w", size=(1, 1, 1)), "unknown name 'w'"),
        (lambda: dl.SignedDistance(lambda x: x, size=(1, 1, 1)), "no formula of x, y and z"),
        (lambda: dl.SignedDistance(dl.parameters(r=1.0)[0], size=(1, 1, 1)), "holds r"),
        (lambda: dl.SignedDistance("x", size=(1, 1)), "size is"),
        (lambda: dl.SignedDistance("x", size=(1, 1, -1)), "positive length"),
        (lambda: dl.ConvexHull([1, 2, 3]), "points are not"),
        (lambda: dl.ConvexHull([(0, 0, np.nan)]), "finite"),
        (lambda: dl.HeightField([[1.0]], size=(1, 1)), "heights are"),
        (lambda: dl.HeightField(np.zeros((2, 2)), size=(1, 0)), "positive length"),
    ],
)
def test_what_is_no_shape_is_refused(make, told):
    with pytest.raises(dl.errors.ModelError, match=told):
        make()


@pytest.mark.parametrize("name", BALL)
def test_a_ball_by_formula_stands_on_a_plane_at_its_lowest_point(name):
    """However it is turned: the points of its surface are refined."""
    rng = np.random.default_rng(3)
    scene = CollisionScene([SceneShape.of(dl.Plane()), SceneShape.of(ball(name), 0)], 1)
    for gap in (0.01, 0.0, -0.01):
        turn = random_turn(rng)
        found = scene.collide(motions([(0.1, 0.2, 1.0 + gap)], [turn]))
        first = np.argmin(found.gaps)
        assert found.gaps[first] == pytest.approx(gap, abs=1e-14)
        assert np.allclose(found.points[first], (0.1, 0.2, 0.5 * gap), atol=1e-7)
        assert np.allclose(found.normals, [0, 0, 1], atol=1e-15)


def test_an_ellipsoid_by_formula_is_as_high_over_a_plane_as_an_ellipsoid():
    rng = np.random.default_rng(4)
    axes = (0.5, 0.35, 0.2)
    text = " + ".join(f"({x} / {a})**2" for x, a in zip("xyz", axes, strict=True))
    solids = dl.Ellipsoid(axes), dl.SignedDistance(f"sqrt({text}) - 1", size=(1.1, 0.8, 0.5))
    scenes = [
        CollisionScene([SceneShape.of(dl.Plane()), SceneShape.of(solid, 0)], 1) for solid in solids
    ]
    for scene in scenes:
        scene.margin(0.2)
    for _ in range(20):
        state = motions([(0, 0, rng.uniform(0.3, 0.6))], [random_turn(rng)])
        exact, found = (scene.collide(state) for scene in scenes)
        if len(exact):
            assert found.gaps.min() == pytest.approx(exact.gaps[0], abs=1e-12)


def test_a_flat_face_by_formula_stands_on_four_points():
    """A superellipsoid of a high degree is nearly a cube."""
    cube = dl.SignedDistance("(x**16 + y**16 + z**16)**(1/16) - 0.5", size=(1.2, 1.2, 1.2))
    scene = CollisionScene([SceneShape.of(dl.Plane()), SceneShape.of(cube, 0)], 1)
    scene.margin(1e-3)
    found = scene.collide(motions([(0, 0, 0.5)]))
    assert len(found) == 4
    assert found.gaps.min() == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(found.points[:, :2], axis=0).min() > 0.5


def test_an_ellipsoid_by_formula_moves_as_an_ellipsoid():
    """It falls, bounces in its turn and rolls on a plane."""

    def run(solid):
        model = dl.Model("egg", gravity=(0, 0, -9.81))
        model.add_shape(dl.Plane())
        egg = model.add_body(
            "egg",
            dl.Inertia.box(mass=1.0, size=(0.4, 0.3, 0.2)),
            position=(0, 0, 0.35),
            velocity=(1, 0, 0),
            angular_velocity=(0, 3, 1),
        )
        model.add_shape(solid, on=egg)
        return dl.simulate(model, until=0.5, step=1e-3).q

    by_formula = dl.SignedDistance(
        "sqrt((x/0.25)**2 + (y/0.2)**2 + (z/0.15)**2) - 1", size=(0.52, 0.42, 0.32)
    )
    assert np.abs(run(dl.Ellipsoid((0.25, 0.2, 0.15))) - run(by_formula)).max() < 1e-4


@pytest.mark.parametrize("name", BALL)
@pytest.mark.parametrize("other", BALL)
def test_two_balls_by_formulas_are_as_far_apart_as_two_balls(name, other):
    rng = np.random.default_rng(5)
    scene = CollisionScene([SceneShape.of(ball(name), 0), SceneShape.of(ball(other), 1)], 2)
    for gap in (0.02, 0.0, -0.02):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        turns = [random_turn(rng), random_turn(rng)]
        found = scene.collide(motions([(0, 0, 0), (2.0 + gap) * n], turns))
        first = np.argmin(found.gaps)
        assert found.gaps[first] == pytest.approx(gap, abs=1e-12)
        assert np.allclose(found.normals[first], n, atol=1e-6)
        assert np.allclose(found.points[first], (1.0 + 0.5 * gap) * n, atol=1e-6)
