"""Meshes and height fields: what touches them, and what does not catch on them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.collision.scenes import about

import dalembert as dl
from dalembert.collision.mesh import CONCAVE, CONVEX, FLAT, build_mesh, grid_triangles
from dalembert.collision.scene import CollisionScene, SceneShape, motions

LINE = np.linspace(-1.0, 1.0, 11)


def grid(heights):
    points, faces = grid_triangles(LINE, LINE, heights)
    return dl.Mesh(vertices=points, faces=faces)


def grounds(heights):
    """The same ground as a mesh and as a height field."""
    return {"mesh": grid(heights), "field": dl.HeightField(heights, size=(2, 2))}


FLOORS = grounds(np.zeros((11, 11)))
SHAPES = {
    "box": (dl.Box(0.3, 0.3, 0.3), 0.15, 4),
    "ball": (dl.Sphere(0.1), 0.1, 1),
    "capsule": (dl.Capsule(radius=0.1, length=0.3, axis="x"), 0.1, 2),
    "can": (dl.Cylinder(radius=0.2, length=0.2), 0.1, 4),
    "egg": (dl.Ellipsoid((0.1, 0.2, 0.1)), 0.1, 1),
    "hull": (dl.ConvexHull(np.array(np.meshgrid(*[[-0.15, 0.15]] * 3)).reshape(3, -1).T), 0.15, 4),
}


def on(ground, solid, place, R=None, margin=0.005):
    scene = CollisionScene([SceneShape.of(ground), SceneShape.of(solid, 0)], 1)
    scene.margin(margin)
    scene.memory.margin_relative = 0.0  # no margin of its own
    return scene.collide(motions([place], None if R is None else [R]))


@pytest.mark.parametrize("gap", [2e-3, 0.0, -2e-3])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("floor", FLOORS)
def test_a_flat_floor_of_triangles_is_a_floor(floor, name, gap):
    """Same number of points as on a plane, the same gaps, all normals up."""
    solid, height, count = SHAPES[name]
    for x, y, turn in ((0.0, 0.0, 0.0), (0.03, 0.07, 0.1), (0.1, 0.1, 0.7), (-0.33, 0.21, 2.0)):
        found = on(FLOORS[floor], solid, (x, y, height + gap), about("z", turn))
        assert len(found) == count
        assert np.allclose(found.gaps, gap, atol=1e-14)
        assert np.allclose(found.normals, [0, 0, -1], atol=1e-14)
        plane = on(dl.Plane(), solid, (x, y, height + gap), about("z", turn))
        reach = np.linalg.norm(found.points[:, :2] - [x, y], axis=1)
        assert np.allclose(
            sorted(reach), sorted(np.linalg.norm(plane.points[:, :2] - [x, y], axis=1))
        )


@pytest.mark.parametrize("floor", FLOORS)
def test_nothing_catches_on_an_edge_within_the_floor(floor):
    """A box that slides, a little sunk, over edges of triangles: never a normal but up."""
    for x in np.linspace(-0.5, 0.5, 41):
        found = on(FLOORS[floor], dl.Box(0.3, 0.2, 0.1), (x, 0.5 * x, 0.048))
        assert len(found) == 4
        assert np.allclose(found.normals, [0, 0, -1], atol=1e-13)
        assert np.allclose(found.gaps, -0.002, atol=1e-13)


def test_edges_are_told_apart():
    roof = build_mesh(
        [(-1, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (-2, 0, 1), (-1, 1, 0)],
        [(0, 1, 2), (1, 3, 2), (0, 2, 5), (4, 0, 5)],
    )
    sorts = [e & 3 for e in roof.edges.ravel() if e >= 0]
    assert sorted(sorts) == [CONVEX, CONVEX, FLAT, FLAT, CONCAVE, CONCAVE]
    assert np.sum(roof.edges < 0) == 12 - 6


def test_a_ball_rests_in_a_valley_and_on_a_ridge():
    profile = np.abs(LINE)[:, None] * np.ones(11)
    for ground in grounds(profile).values():
        found = on(ground, dl.Sphere(0.3), (0.0, 0.05, 0.3 * np.sqrt(2.0)))
        assert len(found) == 2
        assert np.allclose(found.gaps, 0.0, atol=1e-12)
        assert sorted(found.normals[:, 0].round(9)) == pytest.approx([-np.sqrt(0.5), np.sqrt(0.5)])
    for ground in grounds(-profile).values():
        found = on(ground, dl.Sphere(0.3), (0.0, 0.05, 0.3))
        assert len(found) == 1
        assert np.allclose(found.normals, [0, 0, -1], atol=1e-9)
        assert abs(found.gaps[0]) < 1e-12
        # a box on a ridge touches along it
        found = on(ground, dl.Box(0.4, 0.4, 0.2), (0.0, 0.05, 0.1))
        assert len(found) == 2
        assert np.ptp(found.points[:, 1]) == pytest.approx(0.4)


def test_behind_the_surface_nothing_touches():
    for ground in FLOORS.values():
        assert len(on(ground, dl.Sphere(0.1), (0.0, 0.0, -0.11))) == 0


def test_meshes_and_height_fields_agree_on_hills():
    rng = np.random.default_rng(0)
    both = grounds(0.1 * rng.normal(size=(11, 11)))
    for solid, height, _ in SHAPES.values():
        for _ in range(5):
            place = (*rng.uniform(-0.6, 0.6, 2), height + 0.05)
            one, two = (on(ground, solid, place, about("z", 0.4)) for ground in both.values())
            assert np.allclose(sorted(one.gaps), sorted(two.gaps), atol=1e-12)
            ends = [dl.distance(g, solid, pose_b=(place, about("z", 0.4))) for g in both.values()]
            assert ends[0].distance == pytest.approx(ends[1].distance, abs=1e-12)


def test_the_tree_finds_the_nearest_triangle():
    rng = np.random.default_rng(1)
    ground = grid(0.2 * rng.normal(size=(11, 11)))
    corners = ground.vertices[ground.faces]
    singles = [dl.ConvexHull(triangle) for triangle in corners]
    ball = dl.Sphere(0.05)
    for _ in range(3):
        x = np.array([*rng.uniform(-0.8, 0.8, 2), 0.8])
        found = dl.distance(ground, ball, pose_b=(x, None))
        near = np.argsort(np.linalg.norm(corners.mean(axis=1) - x, axis=1))[:60]
        least = min(dl.distance(singles[k], ball, pose_b=(x, None)).distance for k in near)
        assert found.distance == pytest.approx(least, abs=1e-13)


def test_a_mesh_without_area_is_refused():
    with pytest.raises(dl.errors.ModelError, match="no triangle with an area"):
        build_mesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])


@pytest.mark.parametrize("cells", [2, 20, 80])
def test_a_box_on_triangles_much_smaller_than_it_stands_on_its_corners(cells):
    floor = dl.HeightField(np.zeros((cells + 1, cells + 1)), size=(2, 2))
    found = on(floor, dl.Box(0.6, 0.6, 0.2), (0.01, 0.02, 0.1))
    assert len(found) == 4
    assert np.allclose(np.ptp(found.points[:, :2], axis=0), 0.6)
