"""Candidate pairs: every broad phase finds those that comparing all finds; filters; room; order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.unit.collision.scenes import turned

import dalembert as dl
from dalembert.collision import layout
from dalembert.collision.broad_phase import HALF, LOWER
from dalembert.collision.scene import (
    CollisionScene,
    SceneShape,
    enlarged_scene,
    motions,
    with_pairs,
)
from dalembert.errors import ModelError, OptionError

BROAD = {
    "sweep": layout.BROAD_SWEEP,
    "grid": layout.BROAD_GRID,
    "tree": layout.BROAD_TREE,
}


def candidates(scene):
    """The pairs of the last call."""
    codes = scene.memory.pair_list[: scene.memory.pairs]
    return list(zip((codes >> HALF).tolist(), (codes & LOWER).tolist(), strict=True))


def overlapping(scene):
    """The same by comparing all bounds."""
    count = scene.memory.shapes
    bounds = scene.memory.bounds_numbers.reshape(-1, 6)
    low, high = bounds[:, :3], bounds[:, 3:]
    return [
        (i, j)
        for i, j in itertools.combinations(range(count), 2)
        if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
    ]


def cloud(rng, count, spread, sizes):
    """Spheres and boxes at random."""
    places, turns = rng.normal(size=(count, 3)) * spread, [turned(rng) for _ in range(count)]
    radii = sizes(rng, count)
    solids = [
        dl.Sphere(r) if k % 2 else dl.Box(r * rng.uniform(0.5, 2.0, 3)) for k, r in enumerate(radii)
    ]
    return [SceneShape.of(s, k) for k, s in enumerate(solids)], places, turns


SIZES = {
    "equal": lambda rng, n: np.full(n, 0.1),
    "similar": lambda rng, n: rng.uniform(0.05, 0.2, n),
    "very different": lambda rng, n: 10.0 ** rng.uniform(-3.0, 0.5, n),
    "one giant": lambda rng, n: np.r_[50.0, np.full(n - 1, 0.1)],
}


@pytest.mark.parametrize("broad", BROAD)
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("spread", [(1.0, 1.0, 1.0), (30.0, 0.01, 1.0), (1e6, 1e3, 1.0)])
def test_every_broad_phase_finds_all_pairs_that_overlap(broad, sizes, spread):
    rng = np.random.default_rng(1)
    shapes, places, turns = cloud(rng, 150, np.array(spread), SIZES[sizes])
    scene = CollisionScene(shapes, len(shapes), broad=BROAD[broad])
    for _ in range(4):
        # what is kept from call to call must not matter
        places = places + 0.1 * rng.normal(size=places.shape)
        scene.find(motions(places, turns).ravel(), 0.0)
        assert candidates(scene) == overlapping(scene)


def test_contacts_do_not_depend_on_what_was_kept():
    """Neither on the broad phase: the same bits."""
    rng = np.random.default_rng(2)
    shapes, places, turns = cloud(rng, 200, np.full(3, 0.6), SIZES["similar"])
    scenes = [CollisionScene(shapes, len(shapes), broad=broad) for broad in BROAD.values()]
    for scene, seed in zip(scenes, range(3), strict=True):
        for k in range(seed):
            scene.collide(motions(places + k, turns[::-1]))
    records = motions(places, turns)
    one, *others = [scene.collide(records) for scene in scenes]
    assert len(one) > 100
    for other in others:
        for name in ("shapes", "keys", "gaps", "normals", "points"):
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_room_grows_to_what_is_needed():
    """Many shapes in one place: more pairs and contacts than there was room for at first."""
    shapes = [SceneShape.of(dl.Sphere(1.0), k) for k in range(80)]
    scene = CollisionScene(shapes, 80)
    found = scene.collide(motions(0.001 * np.arange(240.0).reshape(80, 3)))
    assert len(found) == 80 * 79 // 2
    assert [tuple(pair) for pair in found.shapes] == [*itertools.combinations(range(80), 2)]


def test_room_for_pairs_is_told_and_made():
    shapes = [SceneShape.of(dl.Sphere(1.0), k) for k in range(60)]
    scene = CollisionScene(shapes, 60)
    memory = scene.memory
    out = layout.Contacts(np.zeros(4, dtype=np.int64), np.zeros(8))
    from dalembert.collision.collide import collide

    records = motions(np.zeros((60, 3))).ravel()
    assert collide(memory, records, 0.0, out) == layout.OVERFLOW
    assert memory.needed_pairs == 60 * 59 // 2
    memory = enlarged_scene(memory)
    assert memory.pair_capacity >= 60 * 59 // 2
    assert collide(memory, records, 0.0, out) == layout.OVERFLOW
    assert memory.needed_contacts == 60 * 59 // 2


@pytest.mark.parametrize(
    "solid", [dl.Cylinder(0.4, 0.9), dl.Box((0.5, 0.7, 0.9)), dl.Capsule(0.3, 0.8)]
)
def test_room_for_pairs_leaves_the_rest_of_the_memory_alone(solid):
    """Shapes whose pairs need scratch find the same contacts, bit for bit, where room was made."""
    rng = np.random.default_rng(5)
    shapes = [SceneShape.of(solid, k) for k in range(60)]
    records = motions(0.3 * rng.normal(size=(60, 3)), [turned(rng) for _ in range(60)])
    grown, roomy = CollisionScene(shapes, 60), CollisionScene(shapes, 60)
    roomy.memory = with_pairs(roomy.memory, 60 * 59)
    before = grown.memory.pair_capacity
    one, other = grown.collide(records), roomy.collide(records)
    assert before < len(candidates(grown)) <= grown.memory.pair_capacity
    assert candidates(grown) == overlapping(grown)
    for name in ("shapes", "keys", "gaps", "normals", "points"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_room_is_made_within_a_memory():
    """Every list and every number is in the larger scene what it was; nothing lies on another."""
    rng = np.random.default_rng(6)
    memory = CollisionScene([SceneShape.of(dl.Box((1.0, 2.0, 3.0)), k) for k in range(5)], 5).memory
    spans = [*layout.Scene.spans(), *layout.Scene.spans(integers=True)]
    for span in spans:
        array, start, counts = memory.place_of(span)
        length = span.length(counts)
        array[start : start + length] = rng.integers(1, 1 << 20, length)
    made = with_pairs(memory, 3 * memory.pair_capacity)
    assert made.pair_capacity == 3 * memory.pair_capacity
    for span in spans:
        old, new = (
            np.atleast_1d(getattr(memory, span.name)),
            np.atleast_1d(getattr(made, span.name)),
        )
        assert np.array_equal(old, new[: len(old)]), span.name
    ends = [made.start_of(span.name) for span in layout.Scene.spans(integers=True)]
    assert ends == sorted(ends)
    assert len(made.sizes) == len(memory.sizes) + 4 * memory.pair_capacity


def test_filters():
    """One body, groups and masks (both must agree), pairs left out, two shapes of the world."""
    ball = dl.Sphere(1.0)
    shapes = [
        SceneShape.of(ball, 0),
        SceneShape.of(ball, 0),  # the same body as 0
        SceneShape.of(ball, 1, group=2),
        SceneShape.of(ball, 2, mask=1),  # not with group 2
        SceneShape.of(ball, -1),
        SceneShape.of(ball, -1),
    ]
    scene = CollisionScene(shapes, 3, without=[(4, 0)])
    found = scene.collide(motions(np.zeros((3, 3))))
    pairs = {tuple(pair) for pair in found.shapes.tolist()}
    assert pairs == {(0, 2), (0, 3), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5)} | {
        (2, 4),
        (2, 5),
        (3, 4),
        (3, 5),
    }


def test_planes_have_no_end_and_may_move():
    """A plane on a body that turns is met where the other shape is."""
    scene = CollisionScene([SceneShape.of(dl.Plane(), 0), SceneShape.of(dl.Sphere(0.5), 1)], 2)
    far = 1e5
    found = scene.collide(motions([(0, 0, 0), (far, 0, 0.4)]))
    assert found.gaps[0] == pytest.approx(-0.1, abs=1e-12)
    assert len(scene.collide(motions([(0, 0, 0), (far, 0, 2.0)]), 0.01)) == 0
    spins = [(0, -1.0 / far, 0), (0, 0, 0)]
    ahead = scene.collide(motions([(0, 0, 0), (far, 0, 0.51)], None, None, spins), 0.1)
    assert ahead.gaps[0] == pytest.approx(0.01, abs=1e-9)
    assert ahead.margins[0] == pytest.approx(1.5 * 0.1 * 1.0, rel=1e-4)


def test_margins_follow_the_rule():
    """max(0.02 r, 1.5 h u), r the smaller radius, u what the surfaces can come closer by."""
    shapes = [SceneShape.of(dl.Sphere(1.0), 0), SceneShape.of(dl.Sphere(0.5), 1)]
    scene = CollisionScene(shapes, 2)
    places = [(0, 0, 0), (1.509, 0, 0)]
    assert scene.collide(motions(places)).margins[0] == pytest.approx(0.02 * 0.5)
    assert len(scene.collide(motions([(0, 0, 0), (1.511, 0, 0)]))) == 0
    velocities, spins = [(1.0, 0, 0), (0, 2.0, 0)], [(0, 0, 3.0), (0, 0, 0)]
    found = scene.collide(motions(places, None, velocities, spins), 0.01)
    assert found.margins[0] == pytest.approx(1.5 * 0.01 * (np.sqrt(5.0) + 3.0 * 1.0))


def test_shapes_are_placed_on_their_bodies():
    """A shape aside of the centre of mass, turned, on a body that is itself turned and moves."""
    rng = np.random.default_rng(3)
    Q, R = turned(rng), turned(rng)
    arm, x, v, w = rng.normal(size=(4, 3))
    box = dl.Box((1, 2, 3), position=arm, rotation=Q)
    scene = CollisionScene([SceneShape.of(box, 0, centre=(0.1, 0.2, 0.3))], 1)
    scene.find(motions([x], [R], [v], [w]).ravel(), 0.01)
    placed = scene.memory.placed_numbers
    r = R @ (arm - (0.1, 0.2, 0.3))
    assert np.allclose(placed[:3], x + r, atol=1e-14)
    assert np.allclose(placed[3:12].reshape(3, 3), R @ Q, atol=1e-14)
    assert np.allclose(placed[12:15], v + np.cross(w, r), atol=1e-14)
    assert np.array_equal(placed[15:], w)


def test_what_is_not_finite_is_refused():
    with pytest.raises(ModelError, match="finite"):
        CollisionScene([SceneShape.of(dl.Sphere(1.0), 0, centre=(np.nan, 0, 0))], 1)
    with pytest.raises(ModelError, match="index of a body"):
        CollisionScene([SceneShape.of(dl.Sphere(1.0), 3)], 1)
    with pytest.raises(ModelError, match="18 for each"):
        CollisionScene([SceneShape.of(dl.Sphere(1.0), 0)], 1).collide(np.zeros(17))


@pytest.mark.parametrize("broad", BROAD.values(), ids=BROAD)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e300, -1e31])
@pytest.mark.parametrize("entry", [0, 5, 13, 17])
def test_a_body_that_is_nowhere_is_refused_by_name(broad, wrong, entry):
    """Place, rotation, velocity, angular velocity; nothing hangs and nothing is found."""
    shapes = [SceneShape.of(dl.Plane()), *(SceneShape.of(dl.Box((1, 1, 1)), k) for k in range(4))]
    scene = CollisionScene(shapes, 4, broad=broad)
    records = motions(np.arange(12.0).reshape(4, 3))
    records[2, entry] = wrong
    with pytest.raises(ModelError, match=r"body 2: its .* is .*Give finite numbers"):
        scene.collide(records, 0.01)
    records[2, entry] = 0.0
    scene.collide(records, 0.01)


@pytest.mark.parametrize("broad", BROAD.values(), ids=BROAD)
def test_bodies_very_far_away_are_placed(broad):
    """All kinds of shapes, and whatever is on the ground of triangles."""
    field = dl.HeightField(np.zeros((4, 5)), size=(3.0, 3.0))
    kinds = [dl.Sphere(1), dl.Box((1, 1, 1)), dl.Capsule(1, 1), dl.Cylinder(1, 1)]
    kinds += [dl.Ellipsoid((1, 2, 3)), dl.ConvexHull(np.eye(4, 3))]
    for ground in (dl.Plane(), field, dl.Mesh(vertices=np.eye(3), faces=[(0, 1, 2)])):
        shapes = [SceneShape.of(ground), *(SceneShape.of(s, k) for k, s in enumerate(kinds))]
        scene = CollisionScene(shapes, 6, broad=broad)
        for far in (1e12, 1e29):
            places = far * np.array(
                [[1, 1, 2], [-1, 1, 2], [1, -1, 2], [-1, -1, 2], [2, 0, 1], [0, 0, 3]]
            )
            assert len(scene.collide(motions(places, velocities=places), 0.01)) == 0
            assert len(scene.collide(motions(places), 0.01)) == 0


def test_a_step_that_is_no_time_is_refused():
    scene = CollisionScene([SceneShape.of(dl.Sphere(1.0), 0)], 1)
    for h in (np.nan, np.inf, -1.0):
        with pytest.raises(OptionError, match="collide: h is"):
            scene.collide(motions([(0, 0, 0)]), h)
