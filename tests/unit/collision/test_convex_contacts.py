"""Manifolds of cylinders, ellipsoids and hulls: points, gaps, keys."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.unit.collision.scenes import about, contacts, turned

import dalembert as dl
from dalembert.collision.layout import KEY_SHIFT

CUBE = dl.ConvexHull(list(itertools.product([-0.5, 0.5], repeat=3)))
BOX = dl.Box(1, 1, 1)
CAN = dl.Cylinder(radius=0.5, length=1.0)
LYING = about("x", np.pi / 2)


def corners_of(found):
    return sorted(map(tuple, found.points[:, :2].round(9)))


@pytest.mark.parametrize("gap", [0.01, 1e-9, 0.0, -1e-9, -0.01])
@pytest.mark.parametrize("lower", [CUBE, BOX], ids=["hull", "box"])
def test_a_hull_of_a_box_touches_as_the_box_does(gap, lower):
    place = (0.2, 0.1, 1.0 + gap)
    R = about("z", 0.3)
    hulls = contacts([lower, CUBE], [(0, 0, 0), place], [np.eye(3), R], margin=0.02)
    boxes = contacts([BOX, BOX], [(0, 0, 0), place], [np.eye(3), R], margin=0.02)
    assert len(hulls) == 4
    assert np.allclose(hulls.gaps, gap, atol=1e-14)
    assert np.allclose(hulls.normals, [0, 0, 1], atol=1e-14)
    # the overlap has eight corners: both keep four that hold most of it
    area = [np.ptp(found.points[:, :2], axis=0).prod() for found in (hulls, boxes)]
    assert area[0] > 0.9 * area[1]


@pytest.mark.parametrize("gap", [0.005, 0.0, -0.005])
def test_a_can_stands_on_four_points_of_its_rim(gap):
    found = contacts([dl.Box(3, 3, 1), CAN], [(0, 0, 0), (0.1, 0, 1.0 + gap)], margin=0.02)
    assert len(found) == 4
    assert np.allclose(found.gaps, gap, atol=1e-14)
    arms = found.points[:, :2] - [0.1, 0]
    assert np.allclose(np.linalg.norm(arms, axis=1), 0.5, atol=1e-12)
    assert np.linalg.norm(arms.sum(axis=0)) < 1e-12  # on all sides


def test_a_tilted_can_touches_with_its_lowest_point():
    """Also where no corner of the polygon that stands for the rim is."""
    for turn in np.linspace(0.0, 0.8, 9):
        R = about("y", 0.2) @ about("z", turn)
        low = 0.5 * np.sin(0.2) + 0.5 * np.cos(0.2)
        found = contacts(
            [dl.Box(3, 3, 1), CAN], [(0, 0, 0), (0, 0, 0.5 + low)], [np.eye(3), R], margin=0.001
        )
        assert len(found) >= 1
        assert abs(found.gaps.min()) < 1e-12


@pytest.mark.parametrize("gap", [0.005, 0.0, -0.005])
def test_a_log_lies_on_a_line(gap):
    place = (0, 0, 1.0 + gap)
    for lower in (dl.Box(3, 0.6, 1), dl.ConvexHull(np.array(CUBE.points) * [3, 0.6, 1])):
        found = contacts([lower, CAN], [(0, 0, 0), place], [np.eye(3), LYING], margin=0.02)
        assert corners_of(found) == [(0, -0.3), (0, 0.3)]
        assert np.allclose(found.gaps, gap, atol=1e-14)


@pytest.mark.parametrize("gap", [0.005, 0.0, -0.005])
def test_logs_side_by_side_touch_at_the_ends_of_their_overlap(gap):
    places = [(0, 0, 0), (0, 0.25, 1.0 + gap)]
    found = contacts([CAN, CAN], places, [LYING, LYING], margin=0.02)
    assert corners_of(found) == [(0, -0.25), (0, 0.5)]
    assert np.allclose(found.gaps, gap, atol=1e-14)
    across = contacts([CAN, CAN], places, [LYING, about("y", np.pi / 2)], margin=0.02)
    assert len(across) == 1
    assert np.allclose(across.gaps, gap, atol=1e-13)


def test_an_edge_across_an_edge_touches_in_one_point():
    edge = about("x", np.pi / 4)
    other = about("z", np.pi / 2) @ edge
    gap = 0.003
    found = contacts(
        [CUBE, CUBE], [(0, 0, 0), (0, 0, np.sqrt(2) + gap)], [edge, other], margin=0.02
    )
    assert len(found) == 1
    assert abs(found.gaps[0] - gap) < 1e-13
    assert np.allclose(found.normals[0], [0, 0, 1], atol=1e-9)
    assert np.allclose(found.points[0], [0, 0, np.sqrt(0.5) + gap / 2], atol=1e-12)


def test_keys_last_while_a_hull_shakes():
    rng = np.random.default_rng(0)
    shapes = [dl.ConvexHull(np.array(CUBE.points) * [4, 4, 1]), CUBE]
    keys = set()
    for _ in range(20):
        small = 1e-6 * rng.normal(size=3)
        R = about("x", small[0]) @ about("y", small[1])
        place = np.array([0.1, 0.2, 1.0]) + 1e-6 * rng.normal(size=3)
        found = contacts(shapes, [(0, 0, 0), place], [np.eye(3), R], margin=0.01)
        assert len(found) == 4
        keys.add(frozenset(key & ((1 << KEY_SHIFT) - 1) for key in found.keys.tolist()))
    assert len(keys) == 1


def test_keys_are_unique_and_the_order_does_not_matter():
    rng = np.random.default_rng(4)
    cloud = [rng.normal(size=(20, 3)) for _ in range(2)]
    for _ in range(50):
        R, S = turned(rng), turned(rng)
        place = rng.normal(size=3)
        place *= 2.4 / np.linalg.norm(place)
        solids = [dl.ConvexHull(points) for points in cloud]
        one = contacts(solids, [(0, 0, 0), place], [R, S], margin=0.5)
        assert len(set(one.keys.tolist())) == len(one)
        again = contacts(solids, [(0, 0, 0), place], [R, S], margin=0.5)
        assert np.array_equal(one.keys, again.keys)
        assert np.array_equal(one.points, again.points)


def test_contacts_are_within_the_margin_and_on_both_shapes():
    """A gap is never less than the distance, and the deepest point is always there."""
    rng = np.random.default_rng(7)
    solids = [
        dl.ConvexHull(rng.normal(size=(15, 3))),
        dl.Cylinder(radius=0.7, length=1.2),
        dl.Box(1, 2, 0.5),
        dl.Ellipsoid((0.5, 0.7, 0.9)),
        dl.Capsule(radius=0.3, length=1.0),
    ]
    touched = 0
    for a, b in itertools.combinations(solids, 2):
        for _ in range(15):
            R, S = turned(rng), turned(rng)
            place = rng.normal(size=3) * 0.9
            found = contacts([a, b], [(0, 0, 0), place], [R, S], margin=0.1)
            apart = dl.distance(a, b, pose_a=((0, 0, 0), R), pose_b=(place, S)).distance
            if not len(found):
                assert apart > 0.1
                continue
            touched += 1
            assert abs(found.gaps.min() - apart) < 2e-3
            assert found.gaps.max() <= 0.1
    assert touched > 50


def test_a_pair_that_was_apart_is_found_when_it_meets():
    """The direction that separated them is only asked first."""
    from dalembert.collision.scene import CollisionScene, SceneShape, motions

    scene = CollisionScene([SceneShape.of(CUBE, 0), SceneShape.of(CAN, 1)], 2)
    for x in (1.3, 1.2, 1.1, 0.99, 1.1, 0.98):
        found = scene.collide(motions([(0, 0, 0), (x, 0, 0)]))
        assert (len(found) > 0) == (x < 1.0)
