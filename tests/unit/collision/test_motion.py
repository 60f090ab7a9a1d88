"""Contacts ahead: fast bodies meet what is in their way, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.collision.scenes import about, contacts, turned

import dalembert as dl
from dalembert import _jit
from dalembert.collision.layout import SWEPT
from dalembert.collision.scene import CollisionScene, SceneShape, motions

WALL = dl.Box((0.02, 4.0, 4.0))
H = 0.01


def shot(solid, place, velocity, target=WALL, h=H):
    """A body on its way, and a target that stands still."""
    return contacts([solid, target], [place, (0, 0, 0)], velocities=[velocity, (0, 0, 0)], h=h)


@pytest.mark.parametrize(
    "solid",
    [dl.Sphere(0.05), dl.Capsule(0.05, 0.2), dl.Box((0.1, 0.1, 0.1)), dl.Capsule(0.05, 0.2, "x")],
)
def test_a_bullet_does_not_pass_a_thin_wall(solid):
    """The gap is the way to the wall, wherever in the step it is met."""
    speed = 200.0
    reach = 0.15 if isinstance(solid, dl.Capsule) and solid.axis == "x" else 0.05
    for start in np.linspace(-1.9, -reach - 0.02, 7):
        found = shot(solid, (start, 0.1, 0.2), (speed, 30.0, 0.0))
        way = -start - 0.01 - reach
        assert found.gaps.min() == pytest.approx(way, abs=1e-12)
        k = int(np.argmin(found.gaps))
        n = found.normals[k]
        towards = n if found.shapes[k, 0] == 0 else -n
        assert np.allclose(towards, [1, 0, 0], atol=1e-12)


def test_one_that_passes_beside_a_post_is_let_through():
    """Nearest points would stop it: the post is near at the start, and its nearest point ahead."""
    post = dl.Sphere(0.5)
    miss = shot(dl.Sphere(0.05), (-0.8, 0.7, 0.0), (100.0, 0.0, 0.0), post)
    assert len(miss) == 0
    hit = shot(dl.Sphere(0.05), (-0.8, 0.3, 0.0), (100.0, 0.0, 0.0), post)
    # met where the centres are 0.55 apart
    met = -np.sqrt(0.55**2 - 0.3**2)
    n = -np.array([met, 0.3, 0.0]) / 0.55
    assert (hit.flags == SWEPT).all()
    assert np.allclose(hit.normals[0], n, atol=2e-3)
    assert hit.gaps[0] == pytest.approx(n[0] * (met + 0.8), rel=1e-2)


def test_slow_bodies_have_the_contacts_of_where_they_are():
    """With a gap within the margin, not flagged."""
    found = shot(dl.Sphere(0.05), (-0.061, 0.0, 0.0), (0.5, 0.0, 0.0))
    assert found.gaps[0] == pytest.approx(0.001, abs=1e-15)
    assert (found.flags == 0).all()


@pytest.mark.parametrize("solid", [dl.Sphere(0.05), dl.Box((0.1, 0.1, 0.1))])
def test_a_step_along_the_contacts_ends_at_the_surface(solid):
    """u_n = -gap / h brings the body to the wall exactly."""
    speed, start = 123.0, -1.0
    found = shot(solid, (start, 0.0, 0.0), (speed, 0.0, 0.0))
    allowed = found.gaps.min() / H
    assert allowed < speed
    after = shot(solid, (start + H * allowed, 0.0, 0.0), (0.0, 0.0, 0.0), h=0.0)
    assert after.gaps.min() == pytest.approx(0.0, abs=1e-12)


def test_a_box_thrown_past_a_box_is_let_through():
    cube = dl.Box((1.0, 1.0, 1.0))
    for offset, expected in ((1.05, 0), (0.9, 4)):
        found = contacts(
            [cube, cube],
            [(0, 0, 0), (-1.6, 0.0, offset)],
            velocities=[(0, 0, 0), (100.0, 0.0, 0.0)],
            h=H,
        )
        assert len(found) == expected


def test_interpreted_and_compiled_find_the_same():
    """All pairs of simple shapes, at rest, fast, and with a plane."""
    rng = np.random.default_rng(1)
    kinds = [
        dl.Sphere(0.4),
        dl.Capsule(0.3, 0.6),
        dl.Box((0.5, 0.8, 0.6)),
        dl.Cylinder(0.4, 0.5),
        dl.Ellipsoid((0.3, 0.4, 0.5)),
    ]
    solids = [kinds[k] for k in (0, 1, 2, 0, 1, 2)]
    shapes = [SceneShape.of(dl.Plane()), *(SceneShape.of(s, k) for k, s in enumerate(solids))]
    shapes += [SceneShape.of(s, 6 + k, group=2, mask=2) for k, s in enumerate(kinds[3:])]
    shapes[0] = SceneShape.of(dl.Plane(), group=3)
    for speed in (0.0, 100.0):
        places = rng.normal(size=(8, 3)) * 0.5
        turns = [turned(rng) for _ in range(8)]
        records = motions(places, turns, speed * rng.normal(size=(8, 3)))
        compiled = CollisionScene(shapes, 8).collide(records, 0.01)
        with _jit.interpreted():
            interpreted = CollisionScene(shapes, 8).collide(records, 0.01)
        assert len(compiled) > 10
        assert np.array_equal(compiled.keys, interpreted.keys)
        assert np.array_equal(compiled.shapes, interpreted.shapes)
        assert np.allclose(compiled.gaps, interpreted.gaps, atol=1e-12)
        assert np.allclose(compiled.points, interpreted.points, atol=1e-11)


@pytest.mark.parametrize(
    "solid", [dl.Sphere(0.1), dl.Capsule(0.1, 0.2, "y"), dl.Capsule(0.1, 0.3, "x")]
)
def test_what_rolls_over_a_seam_is_not_stopped_by_the_edge_ahead(solid):
    """Contacts that the motion would violate are with the ground it is on, and vertical."""
    tile = dl.Box((1.0, 1.0, 0.2))
    speed = np.array([2.0, 0.0, 0.0])
    met = 0
    for x in np.linspace(-0.3, 1.3, 81):
        for sink in (0.0, 1e-9, -1e-9, 5e-7):
            found = contacts(
                [solid, tile, tile],
                [(x, 0.1, 0.2 - sink), (0, 0, 0), (1.0, 0, 0)],
                velocities=[speed, (0, 0, 0), (0, 0, 0)],
                h=H,
            )
            # A is the ball: it moves against the normal's direction from A to B
            mine = found.shapes[:, 0] == 0
            closing = found.normals[mine] @ speed
            assert (found.gaps[mine] - H * closing).min() > -2e-6
            met += (found.gaps[mine] < 1e-6).any()
    assert met == 81 * 4


def test_balls_that_pass_each_other_are_let_through_and_those_that_meet_are_not():
    ball, speed = dl.Sphere(0.1), np.array([8.0, 0, 0])
    for offset, passes in ((0.2001, True), (0.199, False)):
        found = contacts(
            [ball, ball],
            [(0, 0, 0), (-0.05, offset, 0.0)],
            velocities=[(0, 0, 0), tuple(speed)],
            h=H,
        )
        assert len(found) == 1
        left = found.gaps[0] + H * found.normals[0] @ speed
        assert (left >= 0.0) == passes
        if passes:
            # turned aside by something else, it is still kept out
            assert found.normals[0] == pytest.approx([0, 1, 0])
            assert found.gaps[0] == pytest.approx(offset - 0.2)


@pytest.mark.parametrize("solid", [dl.Sphere(0.1), dl.Capsule(0.1, 0.3, "y")], ids=["ball", "pin"])
def test_what_passes_over_the_edge_of_a_box_is_kept_out_of_it(solid):
    """It sees the edge ahead under a slant, and has the contact of the top, where it will be."""
    speed = np.array([30.0, 0.0, 0.0])
    found = contacts(
        [solid, dl.Box((1.0, 1.0, 0.2))],
        [(-0.55, 0.0, 0.2 + 1e-3), (0, 0, 0)],
        velocities=[speed, (0, 0, 0)],
        h=H,
    )
    assert len(found)
    assert np.allclose(found.normals, [0, 0, -1], atol=1e-9)
    assert found.gaps == pytest.approx(1e-3, abs=1e-9)


def test_a_ball_that_is_hit_while_it_passes_a_box_does_not_come_into_it():
    """A heavy one falls on it in the step in which it comes over the edge."""
    model = dl.Model("anvil", gravity=(0, 0, 0))
    rubber = dl.Material(friction=0.0)
    model.add_shape(dl.Box((1.0, 1.0, 0.2)), material=rubber)
    ball = dl.Inertia.sphere(0.1, radius=0.1)
    low = model.add_body("low", ball, position=(-0.52, 0, 0.2001), velocity=(8.0, 0, 0))
    heavy = dl.Inertia.sphere(10.0, radius=0.1)
    place = (-0.5, 0, 0.2001 + 0.2 + 0.01)
    high = model.add_body("high", heavy, position=place, velocity=(8.0, 0, -10.0))
    for body in (low, high):
        model.add_shape(dl.Sphere(0.1), on=body, material=rubber)
    solution = dl.simulate(model, until=0.005, step=0.005)
    assert solution[low.z][-1] > 0.2 - 1e-4


def turning(solid, place, spin, rotation=None, target=WALL, velocity=(0, 0, 0), h=H):
    """A body that spins beside a target that stands still."""
    turns = [np.eye(3) if rotation is None else rotation, np.eye(3)]
    motion = {"velocities": [velocity, (0, 0, 0)], "spins": [spin, (0, 0, 0)]}
    return contacts([solid, target], [place, (0, 0, 0)], turns, **motion, h=h)


RODS = {
    "capsule": dl.Capsule(0.01, 1.0, "y"),
    "cylinder": dl.Cylinder(0.01, 1.0, "y"),
    "box": dl.Box((0.02, 1.0, 0.02)),
    "ellipsoid": dl.Ellipsoid((0.01, 0.5, 0.01)),
    "hull": dl.ConvexHull([(x, y, 0.0) for x in (-0.01, 0.01) for y in (-0.5, 0.5)]),
}


@pytest.mark.parametrize("solid", RODS.values(), ids=RODS)
@pytest.mark.parametrize("start", [0.35, -0.35])
def test_a_spinning_rod_is_stopped_by_the_wall_its_far_end_comes_to(solid, start):
    """Its near end goes away: only the motion tells where it meets.

    Its end reaches the wall at the angle asin(0.29 / 0.5) on the other side of the middle. Turned
    as far as the contact allows, it stands at the wall.
    """
    place, met = (-0.3, 0.0, 0.0), np.arcsin(0.29 / 0.5)
    spin = -np.sign(start) * 1.5 / H
    found = turning(solid, place, (0, 0, spin), about("z", start))
    assert len(found)
    assert (found.flags & SWEPT).all()
    arms = found.points - place
    rod_is_a = found.shapes[0, 0] == 0
    closing = (found.normals * np.cross((0, 0, spin), arms)).sum(1) * (1 if rod_is_a else -1)
    share = (found.gaps / (H * closing)).min()
    assert 0.0 < share < 1.0
    angle = start + share * spin * H
    assert angle == pytest.approx(-np.sign(start) * met, abs=0.06)
    after = turning(solid, place, (0, 0, 0), about("z", angle))
    assert after.gaps.min() > -0.03


def test_a_spinning_rod_that_misses_is_let_through():
    """Far enough away, and beside a wall that ends before the arc."""
    for place, target in (((-0.6, 0.0, 0.0), WALL), ((0.0, 0.0, 0.1), dl.Box((0.02, 4.0, 0.1)))):
        for solid in RODS.values():
            found = turning(solid, place, (0, 0, 250.0), about("z", 0.35), target)
            assert len(found) == 0


def test_turning_by_a_small_angle_changes_nothing():
    """Contacts are those of where it is, with all their points."""
    still = turning(RODS["box"], (-0.03, 0, 0), (0, 0, 0))
    slow = turning(RODS["box"], (-0.03, 0, 0), (0, 0, 1.0))
    assert np.allclose(still.gaps, slow.gaps, atol=1e-15)
    assert (slow.flags == 0).all()
