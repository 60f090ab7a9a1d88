import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalembert.errors import ModelError
from dalembert.model.basics.rotation import Rotation, as_rotation, axis_frame, unit_vector

EPS = np.finfo(float).eps
angles = st.floats(-10.0, 10.0)
units = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda a: np.linalg.norm(a) > 1e-3)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_roll_pitch_yaw_there_and_back(roll, pitch, yaw):
    R = Rotation.from_roll_pitch_yaw(roll, pitch, yaw)
    again = Rotation.from_roll_pitch_yaw(*R.roll_pitch_yaw)
    np.testing.assert_allclose(again.matrix, R.matrix, atol=100 * EPS)
    assert R.roll_pitch_yaw[1] == pytest.approx(pitch, abs=1e-12)


@given(units, angles)
def test_quaternion_there_and_back(axis, angle):
    R = Rotation.about(axis, angle)
    q = R.quaternion
    assert q[0] >= 0.0
    assert q @ q == pytest.approx(1.0, abs=4 * EPS)
    np.testing.assert_allclose(Rotation.from_quaternion(q).matrix, R.matrix, atol=20 * EPS)


@given(units, angles, st.tuples(*[st.floats(-2.0, 2.0)] * 3))
def test_turning_is_right_handed_about_the_axis(axis, angle, vector):
    a = unit_vector(axis, "")
    found = Rotation.about(axis, angle).apply(vector)
    v = np.array(vector)
    expected = (
        v * np.cos(angle) + np.cross(a, v) * np.sin(angle) + a * (a @ v) * (1 - np.cos(angle))
    )
    np.testing.assert_allclose(found, expected, atol=100 * EPS)


@given(units)
def test_axis_frame_has_the_axis_as_z(axis):
    a = unit_vector(axis, "")
    R = axis_frame(a).matrix
    np.testing.assert_allclose(R[:, 2], a, atol=20 * EPS)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=20 * EPS)


@pytest.mark.parametrize("axis", ["x", "y", "z", "-x", "-y", "-z"])
def test_axis_frame_of_an_axis_is_exact(axis):
    R = axis_frame(unit_vector(axis, "")).matrix
    assert set(np.abs(R).ravel()) == {0.0, 1.0}
    assert np.linalg.det(R) == 1.0


def test_composition_inverse_and_equality():
    a, b = Rotation.about("x", 0.3), Rotation.about("y", -0.8)
    np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=4 * EPS)
    np.testing.assert_allclose((a @ a.inverse).matrix, np.eye(3), atol=4 * EPS)
    assert pickle.loads(pickle.dumps(a)) == a
    assert hash(a) == hash(Rotation.about("x", 0.3))
    assert a != b
    assert Rotation.identity().is_identity
    assert repr(Rotation.identity()) == "Rotation.identity()"
    with pytest.raises(AttributeError, match="does not change"):
        a.angle = 3.0
    with pytest.raises(TypeError):
        _ = a @ 3.0


def test_at_the_pole_all_turning_is_yaw():
    R = Rotation.from_roll_pitch_yaw(0.3, np.pi / 2, 0.5)
    again = Rotation.from_roll_pitch_yaw(*R.roll_pitch_yaw)
    np.testing.assert_allclose(again.matrix, R.matrix, atol=20 * EPS)


def test_what_may_stand_for_a_rotation():
    quarter = Rotation.about("z", np.pi / 2)
    for given_as in (
        quarter,
        quarter.matrix,
        quarter.matrix.tolist(),
        quarter.quaternion,
        ("z", np.pi / 2),
        [(0, 0, 2), np.pi / 2],
    ):
        np.testing.assert_allclose(as_rotation(given_as).matrix, quarter.matrix, atol=4 * EPS)
    assert as_rotation(None).is_identity


def test_rounding_of_written_digits_is_removed():
    written = Rotation.about((1, 2, 3), 0.7).matrix.round(11)
    R = Rotation(written).matrix
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=8 * EPS)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Rotation(np.diag([1.0, 1.0, -1.0])), "reflection"),
        (lambda: Rotation(2 * np.eye(3)), "miss length 1 or right angles by 3"),
        (lambda: Rotation([[1, 2], [3, 4]]), "3 x 3"),
        (lambda: Rotation("x"), "not a matrix"),
        (lambda: Rotation(np.full((3, 3), np.nan)), "finite"),
        (lambda: Rotation.from_quaternion((1, 1, 0, 0)), "has length 1.41"),
        (lambda: Rotation.from_quaternion((1, 0, 0)), "Give 4 finite numbers"),
        (lambda: Rotation.about((0, 0, 0), 1.0), "has no direction. Give a nonzero vector"),
        (lambda: Rotation.about("up", 1.0), "axis 'up' is unknown"),
        (lambda: Rotation.about("x", np.nan), "angle is nan"),
        (lambda: Rotation.from_roll_pitch_yaw(0, "a", 0), "pitch is 'a'"),
        (lambda: as_rotation(3.0), "Give a dl.Rotation"),
    ],
)
def test_refused(make, words):
    with pytest.raises(ModelError, match=words):
        make()
