"""Distance and depth of convex shapes against what is known of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull
from tests.unit.collision.convex_shapes import (
    KINDS,
    Pairs,
    outside,
    random_shape,
    random_turn,
    width_along,
)

import dalembert as dl

STILL = (np.zeros(3), np.eye(3))


def corners(shape):
    if shape.kind == "hull":
        return shape.points
    return np.array(list(itertools.product([-0.5, 0.5], repeat=3))) * shape.size


def difference(a, b, pose_a, pose_b):
    """Points of the Minkowski difference a - b."""
    (p, R), (q, S) = pose_a, pose_b
    A, B = corners(a) @ R.T + p, corners(b) @ S.T + q
    return (A[:, None] - B[None]).reshape(-1, 3)


def exact_distance(points):
    """Signed distance of the origin from a hull: its planes inside, least squares outside."""
    hull = ConvexHull(points)
    if np.all(hull.equations[:, 3] <= 0.0):
        return hull.equations[:, 3].max()
    size = np.abs(points).max()
    used = points[hull.vertices]
    weights = nnls(
        np.vstack([used.T, np.full(len(used), 1e3 * size)]), np.array([0, 0, 0, 1e3 * size])
    )[0]
    return np.linalg.norm(weights @ used) / weights.sum()


def poses(rng, reach):
    u = rng.normal(size=3)
    p = rng.normal(size=3)
    return (p, random_turn(rng)), (p + reach * u / np.linalg.norm(u), random_turn(rng))


@pytest.mark.parametrize("reach", [0.0, 0.5, 1.0, 1.8, 4.0])
def test_polytopes_against_the_hull_of_all_differences(reach):
    rng = np.random.default_rng(int(10 * reach))
    shapes = [random_shape(rng, kind) for kind in ("box", "hull", "hull", "hull", "box")]
    pairs = Pairs(shapes)
    for _ in range(30):
        i, j = rng.choice(len(shapes), 2, replace=False)
        at = poses(rng, reach)
        found = pairs.ask(i, j, *at)
        points = difference(shapes[i], shapes[j], *at)
        size = np.abs(points).max()
        assert abs(found.distance - exact_distance(points)) < 1e-12 * size


TWO = list(itertools.combinations_with_replacement(KINDS, 2))


@pytest.mark.parametrize("kinds", TWO, ids="-".join)
def test_the_answer_proves_itself(kinds):
    """The slab along the normal is as wide as the distance, none is wider, the points are there."""
    rng = np.random.default_rng(sum(map(len, kinds)))
    shapes = [random_shape(rng, kind) for kind in kinds]
    pairs = Pairs(shapes)
    around = rng.normal(size=(1000, 3))
    around /= np.linalg.norm(around, axis=1)[:, None]
    curved = "ellipsoid" in kinds or "cylinder" in kinds
    for reach in (0.3, 1.0, 1.5, 2.0, 3.0) * 4:
        at = poses(rng, reach)
        found = pairs.ask(0, 1, *at)
        n = found.normal
        assert abs(n @ n - 1.0) < 1e-14
        assert abs(width_along(*shapes, *at, n)[0] - found.distance) < 1e-13
        assert width_along(*shapes, *at, around).max() < found.distance + 1e-13
        assert np.allclose(found.point_b - found.point_a, found.distance * n, atol=1e-14)
        for shape, (p, R), x in zip(shapes, at, (found.point_a, found.point_b), strict=True):
            # where lines cross on a curved core the points are known to the root of the error
            assert outside(shape, R.T @ (x - p)) < (1e-4 if curved else 1e-12)


def touching_pairs():
    """Shapes that touch exactly at the origin of the gap, along z."""
    tall, flat = (dl.Rotation.about(axis, np.pi / 2).matrix for axis in "xy")
    base = [(x, y, 0.0) for x in (-1, 1) for y in (-1, 1)]
    wedge = dl.ConvexHull([*base, (0, -0.5, 1), (0, 0.5, 1)])
    tip = dl.ConvexHull([(0, 0, -1), (1, 0, 0.5), (-1, 1, 0.5), (-1, -1, 0.5)])
    return {
        "sphere on sphere": (dl.Sphere(1.0), None, dl.Sphere(2.0), None, 3.0),
        "box on box": (dl.Box(2, 2, 2), None, dl.Box(1, 1, 1), None, 1.5),
        "cylinder on box": (dl.Box(2, 2, 2), None, dl.Cylinder(radius=0.5, length=1), None, 1.5),
        "log on box": (dl.Box(2, 2, 2), None, dl.Cylinder(radius=0.5, length=1), tall, 1.5),
        "log on log": (
            *(dl.Cylinder(radius=1, length=3), tall),
            *(dl.Cylinder(radius=0.5, length=3), flat, 1.5),
        ),
        "ellipsoid on box": (dl.Box(2, 2, 2), None, dl.Ellipsoid((3, 2, 1)), None, 2.0),
        "ellipsoids": (dl.Ellipsoid((2, 1, 0.5)), None, dl.Ellipsoid((3, 2, 1)), None, 1.5),
        "tip on face": (dl.Box(4, 4, 2), None, tip, None, 2.0),
        "edge on edge": (wedge, None, dl.ConvexHull([(-2, 0, 0), (2, 0, 0), (0, 0, 1)]), None, 1.0),
        "capsule on hull": (wedge, None, dl.Capsule(radius=0.3, length=1), flat, 1.3),
    }


@pytest.mark.parametrize("name", touching_pairs())
def test_distance_passes_smoothly_through_touching(name):
    a, R, b, S, height = touching_pairs()[name]
    pairs = Pairs([a, b])
    for gap in (1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 0.0, -1e-14, -1e-11, -1e-8, -1e-5, -1e-2):
        for turn in (np.eye(3), random_turn(np.random.default_rng(3))):
            first = (np.zeros(3), turn @ (np.eye(3) if R is None else R))
            second = (turn @ [0, 0, height + gap], turn @ (np.eye(3) if S is None else S))
            found = pairs.ask(0, 1, first, second)
            assert abs(found.distance - gap) < 2e-13 * height, gap
            # the normal is as good when they touch as when they do not
            assert np.linalg.norm(found.normal - turn @ [0, 0, 1]) < 1e-6, gap


DEGENERATE = {
    "point": dl.ConvexHull([(0.1, 0.2, 0.3)]),
    "segment": dl.ConvexHull([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)]),
    "triangle": dl.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
    "polygon": dl.ConvexHull([(np.cos(k), np.sin(k), 0.2) for k in range(40)]),
    "sliver": dl.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1e-9)]),
    "needle": dl.Capsule(radius=1e-6, length=1.0),
    "plate": dl.Box(1.0, 1.0, 1e-6),
    "mountain": dl.Sphere(1e6),
    "disc": dl.Cylinder(radius=1.0, length=1e-6),
    "pancake": dl.Ellipsoid((1.0, 1.0, 1e-6)),
}


@pytest.mark.parametrize("one", DEGENERATE)
@pytest.mark.parametrize("other", DEGENERATE)
def test_degenerate_shapes_have_a_distance(one, other):
    rng = np.random.default_rng(5)
    shapes = [DEGENERATE[one], DEGENERATE[other]]
    pairs = Pairs(shapes)
    for reach, turned in ((0.0, False), (0.0, True), (0.1, True), (1.0, False), (2.0, True)):
        R = random_turn(rng) if turned else np.eye(3)
        at = (np.array([0.1, 0.2, 0.3]), np.eye(3)), (np.array([0.1 + reach, 0.2, 0.3]), R)
        found = pairs.ask(0, 1, *at)
        whole = np.concatenate([[found.distance], found.normal, found.point_a, found.point_b])
        assert np.all(np.isfinite(whole))
        assert abs(np.linalg.norm(found.normal) - 1.0) < 1e-12
        size = 1.0 + 1e6 * ("mountain" in (one, other))
        assert abs(width_along(*shapes, *at, found.normal)[0] - found.distance) < 1e-12 * size


def test_a_ball_far_from_the_origin_loses_no_digits():
    """Everything is computed in the frame of a shape: only the places round."""
    near = Pairs([dl.Ellipsoid((0.3, 0.2, 0.1)), dl.Box(0.1, 0.2, 0.3)])
    R = random_turn(np.random.default_rng(0))
    here = near.ask(0, 1, STILL, (np.array([0.5, 0.25, 0.125]), R))
    away = np.array([2.0**20, -(2.0**20), 2.0**19])
    beside = away + np.array([0.5, 0.25, 0.125])
    there = near.ask(0, 1, (away, np.eye(3)), (beside, R))
    assert here.distance == there.distance
    assert np.array_equal(here.normal, there.normal)


def test_hulls_with_many_vertices_climb_to_the_same_support():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(400, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    pairs = Pairs([dl.ConvexHull(points), dl.Sphere(1e-3)])
    hull = ConvexHull(points)
    for _ in range(100):
        x = rng.normal(size=3)
        x *= 0.5 / np.linalg.norm(x)
        found = pairs.ask(0, 1, STILL, (x, np.eye(3)))
        exact = np.max(hull.equations[:, :3] @ x + hull.equations[:, 3])
        assert abs(found.distance - (exact - 1e-3)) < 1e-13


def test_against_mujoco():
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(2)
    kinds = {
        "sphere": ("sphere", lambda s: f"{s.radius}"),
        "capsule": ("capsule", lambda s: f"{s.radius} {s.length / 2}"),
        "box": ("box", lambda s: " ".join(str(x / 2) for x in s.size)),
        "cylinder": ("cylinder", lambda s: f"{s.radius} {s.length / 2}"),
        "ellipsoid": ("ellipsoid", lambda s: " ".join(map(str, s.semi_axes))),
    }
    shapes = [random_shape(rng, kind) for kind in kinds]
    geoms = [
        f'<body><freejoint/><geom type="{kinds[s.kind][0]}" size="{kinds[s.kind][1](s)}"/></body>'
        for s in shapes
    ]
    text = f"<mujoco><worldbody>{''.join(geoms)}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.ccd_tolerance = 1e-10
    model.opt.ccd_iterations = 200
    data = mujoco.MjData(model)
    pairs, ends = Pairs(shapes), np.zeros(6)
    for _ in range(60):
        i, j = sorted(rng.choice(len(shapes), 2, replace=False))
        at = poses(rng, rng.uniform(2.5, 5.0))
        for k, (p, R) in zip((i, j), at, strict=True):
            data.qpos[7 * k : 7 * k + 3] = p
            mujoco.mju_mat2Quat(data.qpos[7 * k + 3 : 7 * k + 7], R.ravel())
        mujoco.mj_kinematics(model, data)
        theirs = mujoco.mj_geomDistance(model, data, i, j, 20.0, ends)
        ours = pairs.ask(i, j, *at)
        if ours.distance > 1e-3:
            assert abs(ours.distance - theirs) < 1e-6
