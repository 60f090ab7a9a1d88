"""Runs that end where roll and yaw turn about one axis say so."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import MassMatrixError, NonFiniteError
from dalembert.simulation.motion.singular_angles import singular_pitch


@pytest.fixture
def brick():
    model = dl.Model()
    inertia = dl.Inertia.box(mass=1.0, size=(1.0, 2.0, 3.0))
    return model, model.add_body("brick", inertia, orientation="roll-pitch-yaw")


def test_on_the_way(brick):
    model, body = brick
    initial = {body.pitch: 1.5, body.pitch.dot: 1.0, body.roll.dot: 0.2}
    with pytest.raises(NonFiniteError, match=r"'brick\.pitch'.*orientation='quaternion'"):
        dl.simulate(model, until=1.0, step=1e-2, initial=initial)


def test_at_the_start(brick):
    model, body = brick
    with pytest.raises(MassMatrixError, match=r"brick\.pitch = 90 deg.*orientation='quaternion'"):
        dl.simulate(model, until=1.0, initial={body.pitch: np.pi / 2})


def test_other_places_and_other_coordinates_are_not_to_blame():
    names = ["brick.roll", "brick.pitch", "brick.yaw", "sail.pitch"]
    assert singular_pitch(names, [0.0, 1.4, 0.0, np.pi / 2]) is None
    assert singular_pitch(names, [0.0, -1.5, 0.0, 0.0]) == ("brick.pitch", np.degrees(-1.5))
    assert singular_pitch(names, [0.0, 3 * np.pi / 2, 0.0, 0.0]) is not None
