"""Positions of plain arrays projected where coordinates are more than velocities."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

OFF = np.array([0.52, 0.03, -0.02, 0.99, 0.08, -0.05, 0.06])


def pendulum():
    """A rod with three different moments on a hinge about y."""
    model = dl.Model("pendulum")
    rod = model.add_body("rod", dl.Inertia.box(2.0, size=(1.0, 0.1, 0.2)))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    return model


def N(q):
    """q' = N v of a body: world axes, quaternion (w, x, y, z)."""
    w, x, y, z = q[3:] / 2
    found = np.zeros((7, 6))
    found[:3, :3] = np.eye(3)
    found[3:, 3:] = [[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]]
    return found


def turned(q, d):
    """q moved by d, the rotation by its vector."""
    angle = np.linalg.norm(d[3:])
    a = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * d[3:] / max(angle, 1e-300)])
    b = q[3:]
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate(
        [q[:3] + d[:3], [w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]
    )


def at(q):
    q = q.copy()
    q[3:] /= np.linalg.norm(q[3:])
    return dl.evaluate(pendulum(), (q, np.zeros(6)))


@pytest.mark.parametrize("way", [{"kinematic_map": N, "quaternions": [3]}, {"add": turned}])
def test_a_body_comes_to_its_hinge(way):
    start = OFF.copy()
    start[3:] /= np.linalg.norm(start[3:])
    M = at(start).M
    q = dl.project_position(lambda q: at(q).phi, lambda q: at(q).J, start, M, **way)
    assert np.abs(at(q).phi).max() < 1e-13
    assert abs(np.linalg.norm(q[3:]) - 1.0) < 1e-14
    # as near as the package's own projection comes, which measures with M of where it is
    own = dl.simulate(pendulum(), until=1e-9, step=1e-9, initial=(start, np.zeros(6))).q[0]
    way_of = [np.linalg.norm(x - start) for x in (q, own)]
    assert way_of[0] == pytest.approx(way_of[1], rel=0.05)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ({}, "J has 6 columns for 7 coordinates. Give kinematic_map=N"),
        (
            {"kinematic_map": lambda q: np.eye(6)},
            r"kinematic_map gives \(6, 6\), expected \(7, 6\)",
        ),
        ({"kinematic_map": N, "add": turned}, "exclude one another"),
        ({"add": lambda q, d: d}, r"add returns \(6,\), expected \(7,\)"),
        ({"kinematic_map": N, "quaternions": [5]}, "no quaternion begins at 5"),
    ],
)
def test_ways_that_are_none(way, told):
    with pytest.raises(OptionError, match=told):
        dl.project_position(lambda q: at(q).phi, lambda q: at(q).J, OFF, **way)
