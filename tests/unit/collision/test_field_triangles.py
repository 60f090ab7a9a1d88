"""Solids given by formulas on meshes and height fields, against the same solids as shapes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.collision.convex_shapes import random_turn
from tests.unit.collision.test_triangles import FLOORS, grid, grounds, on

import dalembert as dl
from dalembert.collision.manifold import BETTER

R = 0.25
BALL = {
    "distance": f"sqrt(x**2 + y**2 + z**2) - {R}",
    "square": f"x**2 + y**2 + z**2 - {R**2}",  # no distance: its slope is 0.5 at the surface
}
AXES = (0.3, 0.22, 0.15)
EGG = "sqrt(" + " + ".join(f"({x} / {a})**2" for x, a in zip("xyz", AXES, strict=True)) + ") - 1"
CUBE = "(x**16 + y**16 + z**16)**(1/16) - 0.25"
ROUGH = grounds(0.1 * np.random.default_rng(1).uniform(size=(11, 11)))
BLOCK = dl.Mesh(
    vertices=np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.2,
    faces=[
        t
        for a, b, c, d in (
            *((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1)),
            *((2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)),
        )
        for t in ((a, b, c), (a, c, d))
    ],
)


def solid(formula):
    return dl.SignedDistance(formula, size=(0.7, 0.7, 0.7))


def assert_alike(exact, found, gap, slope):
    """Every contact of the shape is one of the formula's, and none of these is deeper."""
    assert (len(exact) == 0) == (len(found) == 0)
    if not len(exact):
        return
    assert found.gaps.min() == pytest.approx(exact.gaps.min(), abs=gap)
    for depth, n in zip(exact.gaps, exact.normals, strict=True):
        near = found.gaps[found.normals @ -n > 1.0 - slope]
        assert near.min(initial=np.inf) <= depth + gap


@pytest.mark.parametrize("name", BALL)
@pytest.mark.parametrize("ground", ROUGH)
def test_a_ball_on_rough_ground_is_a_ball(ground, name):
    """On faces, ridges and peaks."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        place = (*rng.uniform(-0.6, 0.6, size=2), rng.uniform(0.28, 0.36))
        exact = on(ROUGH[ground], dl.Sphere(R), place)
        found = on(ROUGH[ground], solid(BALL[name]), place, random_turn(rng))
        assert_alike(exact, found, 1e-10, 1e-9)


@pytest.mark.parametrize("ground", ROUGH)
def test_an_ellipsoid_on_rough_ground_is_an_ellipsoid(ground):
    rng = np.random.default_rng(3)
    for _ in range(60):
        turn = random_turn(rng)
        place = (*rng.uniform(-0.6, 0.6, size=2), rng.uniform(0.2, 0.35))
        exact = on(ROUGH[ground], dl.Ellipsoid(AXES), place, turn)
        if len(exact) and exact.gaps.min() < -5e-3:
            continue  # so deep, a way out is chosen, and others are possible
        found = on(ROUGH[ground], solid(EGG), place, turn)
        assert_alike(exact, found, 1e-8, 1e-9)


@pytest.mark.parametrize("gap", [2e-3, 0.0, -2e-3])
@pytest.mark.parametrize("name", BALL)
@pytest.mark.parametrize("floor", FLOORS)
def test_a_flat_floor_of_triangles_is_a_floor(floor, name, gap):
    rng = np.random.default_rng(4)
    for x, y in ((0.0, 0.0), (0.03, 0.07), (0.1, 0.1), (-0.33, 0.21)):
        found = on(FLOORS[floor], solid(BALL[name]), (x, y, R + gap), random_turn(rng))
        first = np.argmin(found.gaps)
        assert found.gaps[first] == pytest.approx(gap, abs=1e-14)
        assert np.allclose(found.points[first], (x, y, 0.5 * gap), atol=1e-7)
        assert np.allclose(found.normals, [0, 0, 1], atol=1e-14)


@pytest.mark.parametrize("cells", [1, 10, 60])
def test_a_flat_face_stands_on_four_points_wide_apart(cells):
    """However small the triangles are."""
    floor = dl.HeightField(np.zeros((cells + 1, cells + 1)), size=(2, 2))
    found = on(floor, solid(CUBE), (0.0, 0.0, 0.25), margin=1e-3)
    assert len(found) == 4
    extent = np.ptp(found.points[:, :2], axis=0)
    assert extent.min() > 0.25
    assert -1e-12 < found.gaps.min() < BETTER * np.linalg.norm(extent)  # equally deep


def test_a_ball_on_a_block_does_not_feel_its_sides():
    """Points of the ball lie below the top, beside a side that looks elsewhere."""
    for x in (0.0, 0.15, 0.19, 0.199):
        found = on(BLOCK, solid(BALL["distance"]), (x, 0.03, 0.2 + R - 2e-3))
        assert np.allclose(found.normals, [0, 0, 1], atol=1e-12)
        assert found.gaps.min() == pytest.approx(-2e-3, abs=1e-12)


def test_a_ball_at_the_edge_and_at_the_corner_of_a_block():
    for way in ((1, 0, 1), (1, 1, 1)):
        n = np.array(way) / np.linalg.norm(way)
        corner = 0.2 * np.array(way)
        found = on(BLOCK, solid(BALL["square"]), corner + (R + 1e-3) * n)
        first = np.argmin(found.gaps)
        assert found.gaps[first] == pytest.approx(1e-3, abs=1e-12)
        assert np.allclose(found.normals[first], n, atol=1e-6)


def test_behind_a_sheet_there_is_nothing():
    """A mesh is touched from the front."""
    sheet = grid(np.zeros((11, 11)))
    assert len(on(sheet, solid(BALL["distance"]), (0.0, 0.0, -R - 1e-3))) == 0


def moved(shape, step):
    """Coordinates of a body that falls on rough ground and rolls."""
    model = dl.Model("egg", gravity=(0, 0, -9.81))
    model.add_shape(ROUGH["field"])
    inertia = dl.Inertia.box(mass=1.0, size=(0.4, 0.3, 0.2))
    egg = model.add_body("egg", inertia, position=(0, 0, 0.33))
    model.add_shape(shape, on=egg)
    return dl.simulate(model, until=0.25, step=step).q


def test_a_ball_on_rough_ground_moves_as_a_ball():
    exact = moved(dl.Sphere(R), 1e-3)
    assert np.ptp(exact[:, :3], axis=0).min() > 1e-3
    assert np.abs(moved(solid(BALL["distance"]), 1e-3) - exact).max() < 1e-5


def test_an_egg_on_rough_ground_moves_as_an_ellipsoid():
    exact = moved(dl.Ellipsoid(AXES), 1e-3)
    assert np.abs(moved(solid(EGG), 1e-3) - exact).max() < 1e-6
