"""Scenes of simple shapes are compiled without the code for the others, and find the same."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.collision import collide as module
from dalembert.collision.layout import KIND_NAMES, SIMPLE_KINDS
from dalembert.collision.scene import CollisionScene, SceneShape, motions

SHAPES = {"sphere": dl.Sphere(0.3), "capsule": dl.Capsule(0.2, 0.5), "box": dl.Box(0.4, 0.5, 0.6)}


def test_simple_kinds_are_those_with_a_shape_here():
    assert set(SIMPLE_KINDS) == {"plane", *SHAPES}
    assert set(SIMPLE_KINDS) < set(KIND_NAMES)


@pytest.mark.parametrize("spin", [0.0, 200.0], ids=["slow", "spinning"])
def test_both_find_the_same_contacts(spin):
    random = np.random.default_rng(1)
    solids = [SHAPES[name] for name in SHAPES for _ in range(4)]
    shapes = [SceneShape.of(dl.Plane())]
    shapes += [SceneShape.of(solid, k) for k, solid in enumerate(solids)]
    places = random.uniform((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0), (len(solids), 3))
    turns = [dl.Rotation.about("x", a).matrix for a in random.uniform(-3, 3, len(solids))]
    records = motions(places, turns).ravel()
    records.reshape(len(solids), -1)[:, 15:18] = spin
    found = []
    for collide in (module.collide, module.collide_simple):
        scene = CollisionScene(shapes, len(solids))
        out = np.zeros(4 * 500, dtype=np.int64), np.zeros(8 * 500)
        count = collide(scene.integers, scene.numbers, records, 0.01, *out)
        assert count > 20
        found.append((count, *out))
    assert found[0][0] == found[1][0]
    assert np.array_equal(found[0][1], found[1][1])
    assert np.array_equal(found[0][2], found[1][2])


def test_names_of_variants_are_their_own():
    names = {module.collide.function.__qualname__, module.collide_simple.function.__qualname__}
    assert len(names) == 2
