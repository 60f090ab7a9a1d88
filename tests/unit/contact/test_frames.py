"""The tangent frame of a contact."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.contact.rows.body_rows import tangents
from dalembert.numerics.vector import Vec3


def frame(n):
    t1, t2 = tangents.function(Vec3(*n))
    return np.array([n, [*t1], [*t2]])


def test_right_handed_and_orthonormal():
    rng = np.random.default_rng(1)
    normals = rng.normal(size=(500, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    axes = np.vstack([np.eye(3), -np.eye(3)])
    for n in [*normals, *axes, np.array([0.0, 0.0, -1.0])]:
        R = frame(n)
        assert R @ R.T == pytest.approx(np.eye(3), abs=5e-15)
        assert np.linalg.det(R) == pytest.approx(1.0, abs=5e-15)


def test_continuous_through_the_vertical():
    """No jump where a rule that looks for the smallest component would have one."""
    for z in (1.0, -1.0):
        for angle in np.linspace(0, 2 * np.pi, 9):
            n = np.array([1e-8 * np.cos(angle), 1e-8 * np.sin(angle), z])
            assert np.abs(frame(n) - frame(np.array([0.0, 0.0, z]))).max() < 5e-8
