"""Hulls as collision has them: faces, planes, neighbours, flat ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dalembert as dl
from dalembert.collision.hull import build_hull
from dalembert.collision.layout import MOST_CORNERS


def test_triangles_in_a_plane_are_one_face():
    hull = build_hull(list(itertools.product([-1, 1], [-2, 2], [-3, 3])))
    assert len(hull.vertices) == 8
    assert sorted(map(len, hull.faces)) == [4] * 6
    for face, (*n, d) in zip(hull.faces, hull.planes, strict=True):
        corners = hull.vertices[list(face)]
        assert np.allclose(corners @ n, d)
        # counter-clockwise seen from outside
        turn = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        assert turn @ n > 0.0


def test_arrays_are_what_kernels_read():
    hull = build_hull(np.random.default_rng(0).normal(size=(30, 3)))
    integers, numbers = hull.integers, hull.numbers
    count, links = int(integers[0]), int(integers[1])
    assert count == len(hull.faces)
    for k, face in enumerate(hull.faces):
        assert tuple(integers[integers[2 + k] : integers[3 + k]]) == face
    for k, near in enumerate(hull.neighbours):
        start, end = integers[links + k], integers[links + k + 1]
        assert tuple(integers[links + start : links + end]) == near
        assert all(k in hull.neighbours[j] for j in near)
    assert np.array_equal(numbers[: 3 * len(hull.vertices)].reshape(-1, 3), hull.vertices)
    assert len(integers) == links + end


@pytest.mark.parametrize(
    ("points", "dimension", "vertices"),
    [
        ([(1, 2, 3)] * 4, 0, 1),
        ([(0, 0, 0), (1, 1, 1), (0.5, 0.5, 0.5)], 1, 2),
        ([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1), (0.5, 0.5, 1)], 2, 4),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1)], 3, 4),
    ],
)
def test_dimension(points, dimension, vertices):
    hull = build_hull(points)
    assert (hull.dimension, len(hull.vertices)) == (dimension, vertices)


def test_a_face_with_very_many_corners_is_thinned_where_it_is_clipped_only():
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(60)])
    points = np.concatenate([ring, ring + np.array([0, 0, 1])])
    hull = build_hull(points)
    assert len(hull.vertices) == 120
    assert max(map(len, hull.faces)) == MOST_CORNERS
    place = (*(2 * ring[7, :2]), 0.5)
    found = dl.distance(dl.ConvexHull(points), dl.Sphere(0.1), pose_b=(place, None))
    assert found.distance == pytest.approx(0.9, abs=1e-13)


def test_the_hull_of_a_mesh():
    corners = list(itertools.product([0.0, 1.0], repeat=3))
    mesh = dl.Mesh(vertices=corners, faces=[(0, 1, 2), (5, 6, 7)])
    found = dl.distance(dl.ConvexHull(mesh), dl.Sphere(0.5), pose_b=((2, 0.5, 0.5), None))
    assert found.distance == 0.5
