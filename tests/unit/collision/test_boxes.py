"""Manifolds of two boxes: points, keys that last, corners, edges, seams, motion."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.collision_oracle import Core, core_distance
from tests.unit.collision.scenes import about, contacts, turned

import dalembert as dl
from dalembert.collision.box_axes import CORNER_OF_A, CORNER_OF_B, EDGES
from dalembert.collision.layout import KEY_SHIFT, SWEPT

CUBE = dl.Box((1.0, 1.0, 1.0))


def sorts(found):
    """What the keys say of the features."""
    return sorted(int(key) >> (2 * KEY_SHIFT) for key in found.keys)


def test_a_box_on_a_larger_one_touches_with_its_four_corners():
    found = contacts([dl.Box((4.0, 4.0, 1.0)), CUBE], [(0, 0, 0), (0.3, -0.2, 0.99)])
    assert sorts(found) == [CORNER_OF_B] * 4
    assert np.allclose(found.gaps, -0.01, atol=1e-15)
    assert np.allclose(found.normals, [0, 0, 1])
    assert sorted(map(tuple, found.points.round(12))) == sorted(
        (x, y, 0.495) for x in (-0.2, 0.8) for y in (-0.7, 0.3)
    )


def test_a_box_that_overhangs_is_clipped():
    """Two corners of the upper box, and two crossings of edges, or corners of the lower box."""
    found = contacts([CUBE, CUBE], [(0, 0, 0), (0.4, 0.0, 1.0)])
    assert sorted(found.points[:, 0].round(12)) == [-0.1, -0.1, 0.5, 0.5]
    found = contacts([CUBE, CUBE], [(0, 0, 0), (0.4, 0.3, 1.0)])
    assert sorts(found) == [CORNER_OF_A, CORNER_OF_B, EDGES, EDGES]


def test_the_key_names_the_same_feature_whichever_box_is_clipped():
    """Exchanged boxes have exchanged keys at the same points."""
    one = contacts([CUBE, dl.Box((2.0, 0.5, 1.0))], [(0, 0, 0), (0.8, 0.3, 1.0)])
    two = contacts([dl.Box((2.0, 0.5, 1.0)), CUBE], [(0.8, 0.3, 1.0), (0, 0, 0)])

    def features(found, exchanged):
        low = (1 << KEY_SHIFT) - 1
        swap = {CORNER_OF_A: CORNER_OF_B, CORNER_OF_B: CORNER_OF_A, EDGES: EDGES}
        named = {}
        for key, point in zip(found.keys.tolist(), found.points, strict=True):
            sort, a, b = key >> (2 * KEY_SHIFT), (key >> KEY_SHIFT) & low, key & low
            feature = (swap[sort], b, a) if exchanged else (sort, a, b)
            named[feature] = tuple(point.round(12))
        return named

    assert features(one, exchanged=False) == features(two, exchanged=True)


@pytest.mark.parametrize("angle", [0.0, 0.2, 0.25 * np.pi])
def test_keys_last_while_a_box_shakes_and_slides(angle):
    """A box that shakes has the same contacts in every step; one that slides, but for a few."""
    rng = np.random.default_rng(1)
    R = about("z", angle)
    for creep, most in ((0.0, 0), (1e-4, 2)):
        keys, changes = None, 0
        for k in range(150):
            shake = about("x", 1e-9 * rng.normal()) @ about("y", 1e-9 * rng.normal())
            place = (0.01 + creep * k, 0.02 + 2 * creep * k, 1.0 + 1e-9 * rng.normal())
            found = contacts([CUBE, CUBE], [(0, 0, 0), place], [np.eye(3), shake @ R])
            assert len(found) == 4
            changes += keys is not None and sorted(found.keys) != keys
            keys = sorted(found.keys)
        assert changes <= most


def test_flush_edges_keep_the_names_of_corners():
    rng = np.random.default_rng(2)
    for _ in range(200):
        shake = about("x", 1e-10 * rng.normal()) @ about("z", 1e-9 * rng.normal())
        place = np.array([0, 0, 1.0]) + 1e-9 * rng.normal(size=3)
        found = contacts([CUBE, CUBE], [(0, 0, 0), place], [np.eye(3), shake])
        assert sorts(found) == [CORNER_OF_B] * 4


def test_eight_corners_of_a_common_area_are_reduced_to_four_that_hold_most():
    found = contacts([CUBE, CUBE], [(0, 0, 0), (0, 0, 1.0)], [np.eye(3), about("z", 0.25 * np.pi)])
    assert len(found) == 4
    x, y = found.points[np.argsort(np.arctan2(*found.points[:, :2].T[::-1])), :2].T
    area = 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))
    octagon = 2 * (np.sqrt(2) - 1)
    assert area > 0.7 * octagon


def test_an_edge_across_an_edge_is_one_point():
    R = about("x", 0.25 * np.pi)
    Q = about("y", 0.25 * np.pi)
    height = np.sqrt(2.0) - 0.01
    found = contacts([CUBE, CUBE], [(0, 0, 0), (0.1, 0.05, height)], [R, Q])
    assert sorts(found) == [EDGES]
    assert found.gaps[0] == pytest.approx(-0.01, abs=1e-15)
    assert np.allclose(found.normals[0], [0, 0, 1], atol=1e-15)
    assert np.allclose(found.points[0], [0.1, 0.0, 0.5 * height], atol=1e-15)


def test_a_corner_on_a_face_is_one_point_within_a_small_margin():
    axis = np.array([1.0, -1.0, 0.0]) / np.sqrt(2)
    R = dl.Rotation.about(axis, np.arccos(1 / np.sqrt(3))).matrix
    height = 0.5 + 0.5 * np.sqrt(3)
    found = contacts([dl.Box((4.0, 4.0, 1.0)), CUBE], [(0, 0, 0), (0, 0, height)], [np.eye(3), R])
    assert sorts(found) == [CORNER_OF_B]
    assert np.allclose(found.points[0], [0, 0, 0.5], atol=1e-15)


def test_a_box_does_not_trip_over_a_seam():
    """Sliding, sunk by rounding, from one box to the next: every normal is vertical."""
    small = dl.Box((0.3, 0.3, 0.3))
    for x in np.linspace(-0.2, 0.9, 111):
        for sink in (0.0, 1e-9, -1e-9, 1e-6):
            found = contacts(
                [CUBE, CUBE, small],
                [(0, 0, 0), (1.0, 0, 0), (x, 0.0, 0.65 - sink)],
                velocities=[(0, 0, 0), (0, 0, 0), (1.0, 0, 0)],
                h=0.01,
            )
            touching = found.shapes[:, 1] == 2
            assert np.allclose(np.abs(found.normals[touching, 2]), 1.0)
            assert touching.sum() >= 4


@pytest.mark.parametrize(
    ("velocity", "axis"),
    [((-1.0, 0.0, 0.0), None), ((-1.0, 0.0, -3.0), 0), ((-3.0, 0.0, -1.0), 2)],
)
def test_boxes_corner_to_corner_are_decided_by_their_motion(velocity, axis):
    """One that passes is let through; one that hits meets the face it reaches last."""
    h = 0.05
    found = contacts(
        [CUBE, CUBE],
        [(0, 0, 0), (1.01, 0.0, 1.01)],
        velocities=[(0, 0, 0), velocity],
        h=h,
    )
    if axis is None:
        assert len(found) == 0
        return
    assert np.allclose(np.abs(found.normals[:, axis]), 1.0)
    assert np.allclose(found.gaps, 0.01, atol=1e-12)
    assert (found.flags == SWEPT).all()
    # and it meets: after the way of the gap along the normal the boxes touch
    t = found.gaps[0] / abs(velocity[axis])
    meeting = [Core.box(np.zeros(3), np.eye(3), (1, 1, 1))]
    meeting += [Core.box(np.array([1.01, 0, 1.01]) + t * np.array(velocity), np.eye(3), (1, 1, 1))]
    assert core_distance(*meeting) <= 1e-12


def test_contacts_are_those_of_the_deepest_penetration():
    """Moving B by the depth along the normal separates the boxes, and by less does not."""
    rng = np.random.default_rng(3)
    tried = 0
    for _ in range(90):
        R, Q, size = turned(rng), turned(rng), rng.uniform(0.3, 1.5, (2, 3))
        x = rng.normal(size=3) * 0.5
        found = contacts([dl.Box(size[0]), dl.Box(size[1])], [(0, 0, 0), x], [R, Q])
        if not len(found) or found.gaps.min() > -0.02:
            continue
        k = int(np.argmin(found.gaps))
        depth, n = -found.gaps[k], found.normals[k]
        a = Core.box(np.zeros(3), R, size[0])
        tried += 1
        assert core_distance(a, Core.box(x + (depth + 2e-4) * n, Q, size[1])) > 0.0
        assert core_distance(a, Core.box(x + (depth - 2e-4) * n, Q, size[1])) <= 1e-12
    assert tried > 20


@pytest.mark.parametrize("order", [1, -1])
def test_a_small_box_on_a_large_one_has_the_normal_of_the_large_one(order):
    """Whichever comes first, and however little the small one is tilted."""
    solids, places = [dl.Box((10.0, 10.0, 1.0)), CUBE][::order], [(0, 0, 0), (0, 0, 1.0)][::order]
    for tilt in (0.0, 1e-12, 1e-9, 1e-7, 1e-5):
        turns = [np.eye(3), about("x", tilt)][::order]
        found = contacts(solids, places, turns)
        assert np.array_equal(found.normals, np.tile([0.0, 0.0, float(order)], (4, 1)))


def test_corners_that_may_swing_down_about_an_edge_are_contacts_too():
    """An edge on an edge at rest is one point; turning, corners above the face are seen as well."""
    rng = np.random.default_rng(4)
    edges = seen = 0
    for _ in range(300):
        R, Q = turned(rng), turned(rng)
        place = rng.normal(size=3)
        place *= rng.uniform(0.9, 1.5) / np.linalg.norm(place)
        still = contacts([CUBE, CUBE], [(0, 0, 0), place], [R, Q])
        if sorts(still) != [EDGES] or still.gaps[0] > 0.0:
            continue
        edges += 1
        spins = [(0, 0, 0), rng.normal(size=3) * 20.0]
        fast = contacts([CUBE, CUBE], [(0, 0, 0), place], [R, Q], spins=spins, h=0.01)
        assert fast.keys[0] == still.keys[0]
        assert fast.gaps[0] == still.gaps[0]
        assert (fast.gaps[1:] > 0.0).all()
        assert len(set(fast.keys.tolist())) == len(fast) <= 4
        seen += len(fast) > 1
    assert edges > 30
    assert seen > edges // 3
