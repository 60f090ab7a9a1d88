"""What must not matter to contacts: where the world stands, which shape is named first, units."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.collision.scenes import contacts

import dalembert as dl

UNIT = st.floats(-1.0, 1.0, allow_nan=False).map(lambda x: round(x, 6))
SIZE = st.floats(0.1, 2.0, allow_nan=False).map(lambda x: round(x, 6))
VECTOR = st.tuples(UNIT, UNIT, UNIT)


@st.composite
def rotations(draw):
    """Any rotation, the simple ones among them."""
    q = np.array(draw(st.tuples(UNIT, UNIT, UNIT, UNIT)))
    if np.linalg.norm(q) < 1e-3:
        q = np.array([1.0, 0.0, 0.0, 0.0])
    return dl.Rotation.from_quaternion(q / np.linalg.norm(q)).matrix


@st.composite
def solids(draw):
    """A sphere, a capsule or a box; `scaled` by a factor."""
    kind = draw(st.sampled_from(("sphere", "capsule", "box")))
    a, b, c = draw(st.tuples(SIZE, SIZE, SIZE))
    made = {
        "sphere": lambda s: dl.Sphere(s * a),
        "capsule": lambda s: dl.Capsule(s * a, s * b),
        "box": lambda s: dl.Box((s * a, s * b, s * c)),
    }
    return made[kind]


PAIR = st.tuples(solids(), solids(), VECTOR, rotations(), rotations(), VECTOR)
H = 0.1


def found(pair, *, turn=None, shift=(0, 0, 0), scale=1.0, swap=False):
    """Contacts of a pair as it is, or moved as a whole."""
    first, second, place, R, Q, velocity = pair
    T = np.eye(3) if turn is None else turn
    places = [np.asarray(shift), np.asarray(shift) + scale * (T @ np.array(place))]
    turns, speeds = [T @ R, T @ Q], [np.zeros(3), scale * (T @ np.array(velocity))]
    shapes = [first(scale), second(scale)]
    if swap:
        places, turns, speeds, shapes = places[::-1], turns[::-1], speeds[::-1], shapes[::-1]
    return contacts(shapes, places, turns, velocities=speeds, h=H)


def sorted_by_key(contacts):
    order = np.lexsort((contacts.keys, contacts.shapes[:, 0]))
    return (
        contacts.keys[order],
        contacts.gaps[order],
        contacts.points[order],
        contacts.normals[order],
    )


def decided(pair):
    """Whether the same contacts are found after the least change: no tie of axes or of points.

    Ties exist (a cube on its edge, a capsule along one); rounding decides them. A change is a
    shift of the second shape or a turn of the first.
    """
    first, second, place, R, Q, velocity = pair
    one = found(pair)
    for change in itertools.chain(1e-7 * np.eye(6), -1e-7 * np.eye(6)):
        tilt = dl.Rotation.from_roll_pitch_yaw(*change[3:]).matrix
        two = found((first, second, np.array(place) + change[:3], tilt @ R, Q, velocity))
        if len(one) != len(two) or not np.array_equal(sorted_by_key(one)[0], sorted_by_key(two)[0]):
            return False
        if len(one) and not np.allclose(one.normals, two.normals, atol=1e-4):
            return False
        if len(one) and not np.allclose(one.points, two.points, atol=1e-4):
            return False
    return True


@example(
    (
        lambda s: dl.Capsule(s * 1.0, s * 0.5),
        lambda s: dl.Box((s, s, s)),
        (1.0, 1.0, 0.0),
        np.diag([-1.0, 1.0, -1.0]),
        np.eye(3),
        (0.0, 0.0, 0.0),
    ),
    np.array([[-1.0, 0.0, 0.0], [0.0, -2.2e-16, 1.0], [0.0, 1.0, -2.2e-16]]),
    (0.0, 0.0, 0.0),
)
@settings(max_examples=150, deadline=None)
@given(PAIR, rotations(), VECTOR)
def test_turning_and_moving_the_world_turns_and_moves_the_contacts(pair, turn, shift):
    if not decided(pair):
        return
    here, there = found(pair), found(pair, turn=turn, shift=shift)
    keys, gaps, points, normals = sorted_by_key(here)
    other_keys, other_gaps, other_points, other_normals = sorted_by_key(there)
    assert np.array_equal(keys, other_keys)
    assert np.allclose(gaps, other_gaps, atol=1e-12)
    assert np.allclose(points @ turn.T + shift, other_points, atol=1e-9)
    assert np.allclose(normals @ turn.T, other_normals, atol=1e-9)


@settings(max_examples=100, deadline=None)
@given(PAIR, st.sampled_from((1e-6, 1e-3, 1e3, 1e6)))
def test_units_do_not_matter(pair, scale):
    if not decided(pair):
        return
    here, there = found(pair), found(pair, scale=scale)
    keys, gaps, points, normals = sorted_by_key(here)
    other_keys, other_gaps, other_points, other_normals = sorted_by_key(there)
    assert np.array_equal(keys, other_keys)
    assert np.allclose(scale * gaps, other_gaps, atol=1e-12 * scale)
    assert np.allclose(scale * points, other_points, atol=1e-9 * scale)
    assert np.allclose(normals, other_normals, atol=1e-9)


@settings(max_examples=150, deadline=None)
@given(PAIR)
def test_contacts_are_numbers_with_unit_normals_within_the_margin(pair):
    contacts = found(pair)
    for array in (contacts.gaps, contacts.normals, contacts.points, contacts.margins):
        assert np.isfinite(array).all()
    assert np.allclose(np.linalg.norm(contacts.normals, axis=1), 1.0, atol=1e-15, rtol=0)
    assert (contacts.gaps <= contacts.margins + 1e-15).all()
    assert len(contacts) <= 4
    assert len(set(contacts.keys.tolist())) == len(contacts)


@settings(max_examples=100, deadline=None)
@given(PAIR)
def test_the_least_gap_is_the_same_when_the_shapes_are_exchanged(pair):
    if not decided(pair):
        return
    one, two = found(pair), found(pair, swap=True)
    assert (len(one) == 0) == (len(two) == 0)
    if len(one):
        # a preferred face may be deeper than another by 1e-4 of the least half edge
        assert abs(one.gaps.min() - two.gaps.min()) <= 1e-4


@settings(max_examples=100, deadline=None)
@given(PAIR, VECTOR)
def test_gaps_change_no_faster_than_the_shapes_move(pair, direction):
    """The least gap is a distance: it is Lipschitz in the motion, also where features change."""
    first, second, place, R, Q, _ = pair
    still = (0.0, 0.0, 0.0)
    step = 1e-6
    near = np.array(place) + step * np.array(direction)
    one, two = (found((first, second, x, R, Q, still)) for x in (np.array(place), near))
    if len(one) and len(two) and one.gaps.min() < 0.0:
        preference = 1e-4
        assert abs(one.gaps.min() - two.gaps.min()) <= np.sqrt(3.0) * step + preference
