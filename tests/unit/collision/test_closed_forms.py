"""Spheres, capsules and boxes: gaps, normals and points against an enumeration; edge cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.support.collision_oracle import Core, core_distance, gap, separation
from tests.unit.collision.scenes import about, contacts, on_ground, solid_and_core, turned

import dalembert as dl

EPS = np.finfo(float).eps
PAIRS = [*itertools.combinations_with_replacement(("sphere", "capsule", "box"), 2)]


def draw(rng, first, second):
    """Two shapes of sizes around one, near each other."""
    x, y = np.zeros(3), rng.normal(size=3) * rng.choice([0.3, 0.8, 1.5])
    R, Q = turned(rng), turned(rng)
    made = [
        solid_and_core(kind, rng.uniform(0.2, 1.5, 3), at, turn)
        for kind, at, turn in ((first, x, R), (second, y, Q))
    ]
    (a, core_a), (b, core_b) = made
    return (a, b), (core_a, core_b), (x, y), (R, Q)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_least_gap_is_the_distance_or_the_depth(first, second):
    """Within some multiples of rounding; boxes that are apart where the faces show it."""
    rng = np.random.default_rng(1)
    met = 0
    for _ in range(120):
        solids, cores, places, turns = draw(rng, first, second)
        found = contacts(solids, places, turns, margin=10.0)
        exact = gap(*cores)
        if first == second == "box" and separation(*cores) < exact - 1e-9:
            continue  # corner to corner: another matter (test_boxes)
        met += 1
        # a preferred face may be deeper than the best edge by its preference
        slack = 1e-4 if first == second == "box" else 0.0
        assert abs(found.gaps.min() - exact) <= 40 * EPS + slack
        assert np.abs(np.linalg.norm(found.normals, axis=1) - 1.0).max() <= 1e-15
    assert met >= 40


@pytest.mark.parametrize(("first", "second"), PAIRS[:-1])
def test_the_points_lie_on_both_surfaces(first, second):
    rng = np.random.default_rng(2)
    for _ in range(60):
        solids, (core_a, core_b), places, turns = draw(rng, first, second)
        if core_distance(core_a, core_b) < 1e-3:
            continue  # cores that overlap have no nearest points
        found = contacts(solids, places, turns, margin=10.0)
        k = int(np.argmin(found.gaps))
        for sign, core in ((-0.5, core_a), (0.5, core_b)):
            p = found.points[k] + sign * found.gaps[k] * found.normals[k]
            assert abs(core_distance(Core.sphere(p, 0.0), core) - core.radius) <= 100 * EPS


@pytest.mark.parametrize("kind", ["sphere", "capsule", "box"])
def test_exchanging_the_shapes_turns_the_normals(kind):
    """The same points and gaps; boxes where one face is clearly the best."""
    rng = np.random.default_rng(3)
    same = 0
    for _ in range(60):
        solids, _, places, turns = draw(rng, kind, kind)
        one = contacts(solids, places, turns, margin=0.3)
        two = contacts(solids[::-1], places[::-1], turns[::-1], margin=0.3)
        if kind == "box" and (len(one) != len(two) or not len(one)):
            continue
        same += 1
        order_one, order_two = (np.lexsort(c.points.T.round(9)) for c in (one, two))
        assert np.allclose(one.gaps[order_one], two.gaps[order_two], atol=1e-13)
        assert np.allclose(one.points[order_one], two.points[order_two], atol=1e-13)
        assert np.allclose(one.normals[order_one], -two.normals[order_two], atol=1e-13)
    assert same >= 20


def test_a_plane_meets_the_lowest_points():
    """Against the lowest points written down."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        R, x = turned(rng), rng.normal(size=3) * 0.5
        up = R[2]
        r, length, size = rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0, 3)
        lowest = {
            dl.Sphere(r): r,
            dl.Capsule(r, length): r + 0.5 * length * abs(up[2]),
            dl.Box(size): 0.5 * np.abs(up) @ size,
            dl.Cylinder(r, length): 0.5 * length * abs(up[2]) + r * np.hypot(up[0], up[1]),
            dl.Ellipsoid(size): np.linalg.norm(up * size),
        }
        for solid, reach in lowest.items():
            found = on_ground(solid, x, R, margin=5.0)
            assert found.gaps.min() == pytest.approx(x[2] - reach, abs=20 * EPS)
            assert np.array_equal(found.normals, np.tile([0.0, 0.0, 1.0], (len(found), 1)))
            assert np.allclose(found.points[:, 2], 0.5 * found.gaps, atol=1e-15)
            assert len(found) <= 4
            assert len(set(found.keys)) == len(found)


@pytest.mark.parametrize(
    ("solid", "height", "number"),
    [
        (dl.Box((0.4, 0.2, 0.6)), 0.3, 4),
        (dl.Cylinder(0.2, 0.5), 0.25, 4),
        (dl.Cylinder(0.2, 0.5, "x"), 0.2, 2),
        (dl.Capsule(0.2, 0.5, "x"), 0.2, 2),
        (dl.Capsule(0.2, 0.5), 0.45, 1),
    ],
)
def test_what_stands_on_a_plane_has_a_base(solid, height, number):
    """As many contacts as it needs to stand, and the same ones when it shakes."""
    found = on_ground(solid, (0.1, 0.2, height))
    assert len(found) == number
    assert np.allclose(found.gaps, 0.0, atol=1e-15)
    keys = sorted(found.keys)
    rng = np.random.default_rng(5)
    for _ in range(20):
        R = about("x", 1e-9 * rng.normal()) @ about("y", 1e-9 * rng.normal())
        again = on_ground(solid, (0.1, 0.2, height + 1e-9 * rng.normal()), R)
        assert sorted(again.keys) == keys
        order, before = np.argsort(again.keys), np.argsort(found.keys)
        assert np.allclose(again.points[order], found.points[before], atol=1e-7)


def test_a_capsule_flat_on_a_box_touches_at_both_ends():
    box, capsule = dl.Box((1.0, 1.0, 0.2)), dl.Capsule(0.1, 0.4, "x")
    found = contacts([capsule, box], [(0, 0, 0.2), (0, 0, 0)])
    assert sorted(found.points[:, 0].round(12)) == [-0.2, 0.2]
    assert np.allclose(found.gaps, 0.0, atol=1e-15)
    assert np.allclose(found.normals, [0, 0, -1])
    # beyond the edge the stretch above the face ends at the edge
    found = contacts([capsule, box], [(0.45, 0, 0.2), (0, 0, 0)])
    assert sorted(found.points[:, 0].round(12)) == [0.25, 0.5]


def test_capsules_side_by_side_touch_along_the_stretch():
    a, b = dl.Capsule(0.1, 1.0, "x"), dl.Capsule(0.1, 0.4, "x")
    found = contacts([a, b], [(0, 0, 0), (0.4, 0, 0.2)])
    assert sorted(found.points[:, 0].round(12)) == [0.2, 0.5]
    # slightly across, the nearest point between the ends is a third
    found = contacts([a, b], [(0, 0, 0), (0.1, 0, 0.2)], [np.eye(3), about("z", 0.01)])
    assert len(found) == 3
    assert found.gaps.min() == pytest.approx(0.0, abs=1e-15)


DEGENERATE = {
    "coincident": ((0.0, 0.0, 0.0), np.eye(3)),
    "on an axis": ((0.5, 0.0, 0.0), np.eye(3)),
    "on an edge": ((0.5, 0.5, 0.0), np.eye(3)),
    "on a corner": ((0.5, 0.5, 0.5), np.eye(3)),
    "nearly parallel": ((0.3, 0.2, 0.9), about("x", 1e-13)),
    "turned by a quarter": ((0.0, 0.0, 1.0), about("z", 0.5 * np.pi)),
    "diagonal": ((0.0, 0.0, 0.9), about("z", 0.25 * np.pi)),
    "as good as coincident": ((1e-300, 0.0, 0.0), np.eye(3)),
}


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_degenerate_cases_have_a_normal_and_a_gap(first, second, case):
    """Finite, unit normals, gaps of the oracle; also with sizes a million times apart."""
    place, R = DEGENERATE[case]
    for ratio in (1.0, 1e6, 1e-6):
        (a, core_a) = solid_and_core(first, (1.0, 1.0, 1.0), np.zeros(3), np.eye(3))
        (b, core_b) = solid_and_core(second, (ratio, ratio, ratio), np.array(place), R)
        found = contacts([a, b], [(0, 0, 0), place], [np.eye(3), R], margin=0.01)
        exact = gap(core_a, core_b)
        size = max(1.0, ratio)
        if exact < 0.01 and not (first == second == "box"):
            assert len(found)
        for array in (found.gaps, found.normals, found.points):
            assert np.isfinite(array).all()
        assert np.abs(np.linalg.norm(found.normals, axis=1) - 1).max(initial=0.0) <= 1e-15
        if len(found) and not (first == second == "box"):
            assert abs(found.gaps.min() - exact) <= 40 * EPS * size + 1e-12 * size
