"""Distances of random pairs: exchanged, moved, and what is always true of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn
from tests.unit.collision.convex_shapes import KINDS, Pairs, random_shape, random_turn, width_along

from dalembert import _jit
from dalembert._jit import kernel
from dalembert.collision.distances import FOUND, distance_of
from dalembert.collision.layout import Scene
from dalembert.numerics.matrix import mat3
from dalembert.numerics.vector import vec3


def pairs_of(rng, count, spread):
    """Random pairs of random shapes, some of them in the same place, some turned alike."""
    shapes = [random_shape(rng, kind, spread) for kind in KINDS for _ in range(6)]
    pairs = Pairs(shapes)
    for _ in range(count):
        i, j = rng.choice(len(shapes), 2, replace=False)
        u = rng.normal(size=3)
        reach = rng.choice([0.0, 0.3, 1.0, 2.0, 4.0]) / np.linalg.norm(u)
        p, R = rng.normal(size=3), random_turn(rng)
        S = random_turn(rng) if rng.random() < 0.8 else R
        yield pairs, (int(i), int(j)), ((p, R), (p + reach * u, S))


def sound(pairs, which, at):
    """The answer for a pair, which must prove itself along its own normal."""
    found = pairs.ask(*which, *at)
    whole = np.concatenate([[found.distance], found.normal, found.point_a, found.point_b])
    assert np.all(np.isfinite(whole))
    assert abs(found.normal @ found.normal - 1.0) < 1e-12
    shapes = [pairs.shapes[k] for k in which]
    size = 1.0 + max(abs(np.ravel(s.points if s.kind == "hull" else s.sizes)).max() for s in shapes)
    width = width_along(*shapes, *at, found.normal)[0]
    assert abs(width - found.distance) < 1e-12 * size
    return found, size


@pytest.mark.parametrize("spread", [1.0, 14.0], ids=["ordinary", "1e6 : 1"])
def test_nothing_depends_on_order_or_place(spread):
    rng = np.random.default_rng(11)
    for pairs, which, at in pairs_of(rng, 1500, spread):
        found, size = sound(pairs, which, at)
        back, _ = sound(pairs, which[::-1], at[::-1])
        # of overlapping curved shapes EPA knows the way out to its own tolerance
        close = 1e-12 if found.distance > 0.0 else 2e-5
        assert abs(found.distance - back.distance) < close * size
        Q, move = random_turn(rng), rng.normal(size=3)
        moved, _ = sound(pairs, which, [(Q @ p + move, Q @ R) for p, R in at])
        assert abs(found.distance - moved.distance) < close * size
        if found.distance > 1e-3 * size:
            assert np.linalg.norm(Q @ found.normal - moved.normal) < 1e-6


@kernel
def count_unsound(scene: Scene, pairs, poses, out):
    """How many pairs have an answer that is not finite, or a normal that is not of length 1."""
    unsound = 0
    for k in range(len(pairs) // 2):
        a, b = pairs[2 * k], pairs[2 * k + 1]
        A, B = scene.shape(a), scene.shape(b)
        A.x, A.R = vec3(poses, 24 * k), mat3(poses, 24 * k + 3)
        B.x, B.R = vec3(poses, 24 * k + 12), mat3(poses, 24 * k + 15)
        status = distance_of(scene, a, b, out)
        length = out[1] * out[1] + out[2] * out[2] + out[3] * out[3]
        good = status == FOUND and abs(length - 1.0) < 1e-12
        for i in range(10):
            good = good and abs(out[i]) < 1e9
        if not good:
            unsound += 1
    return unsound


@pytest.mark.parametrize("spread", [0.1, 1.0, 5.0, 14.0])
def test_a_hundred_thousand_pairs(spread):
    rng = np.random.default_rng(12)
    shapes = [random_shape(rng, kind, spread) for kind in KINDS for _ in range(6)]
    scene = Pairs(shapes).placed
    count = 25_000 if _jit.COMPILED else 50
    # kinds in their order, as a pair is asked
    pairs = np.sort([rng.choice(len(shapes), 2, replace=False) for _ in range(count)], axis=1)
    poses = np.zeros((count, 2, 12))
    reach = rng.choice([0.0, 0.3, 1.0, 2.0, 4.0], size=(count, 1))
    poses[:, 1, :3] = reach * rng.normal(size=(count, 3))
    poses[:, :, 3:] = Turn.from_quat(rng.normal(size=(2 * count, 4))).as_matrix().reshape(-1, 2, 9)
    same = rng.random(count) < 0.2
    poses[same, 1, 3:] = poses[same, 0, 3:]
    given = (scene.scene, pairs.ravel().astype(np.int64), poses.ravel())
    assert count_unsound(*given, np.zeros(10)) == 0
