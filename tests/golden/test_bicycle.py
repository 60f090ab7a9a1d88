"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina & Schwab (2007): rolling, self-stable."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

pytestmark = pytest.mark.reference

GRAVITY = 9.81


def bicycle():
    """Table 1 of the paper, z down; rides along x with the speed V."""
    base, trail, tilt, rear, front = 1.02, 0.08, np.pi / 10, 0.3, 0.35
    (V,) = dl.parameters(V=5.0)
    model = dl.Model("bicycle", gravity=(0, 0, GRAVITY))
    parts = {
        "rear_wheel": ((0, 0, -rear), 2.0, np.diag([0.0603, 0.12, 0.0603]), rear),
        "frame": ((0.3, 0, -0.9), 85.0, [[9.2, 0, 2.4], [0, 11, 0], [2.4, 0, 2.8]], None),
        "fork": (
            (0.9, 0, -0.7),
            4.0,
            [[0.05892, 0, -0.00756], [0, 0.06, 0], [-0.00756, 0, 0.00708]],
            None,
        ),
        "front_wheel": ((base, 0, -front), 3.0, np.diag([0.1405, 0.28, 0.1405]), front),
    }
    bodies = {}
    for name, (place, mass, moments, radius) in parts.items():
        turning = (0, 0 if radius is None else -V / radius, 0)
        bodies[name] = model.add_body(
            name,
            dl.Inertia(mass, moments),
            position=place,
            velocity=(V, 0, 0),
            angular_velocity=turning,
        )
        if radius is not None:
            wheel = bodies[name]
            joint = dl.Rolling(model.world, wheel, radius=radius, normal="-z", axis="y")
            model.add_joint(joint)
    axis = np.array([np.sin(tilt), 0, np.cos(tilt)])
    head = np.array([base + trail, 0, 0]) - axis

    def at(name, point):
        return bodies[name].at(*(np.array(point) - parts[name][0]))

    for name, a, b, place, along in (
        ("rear", "frame", "rear_wheel", (0, 0, -rear), "y"),
        ("steer", "frame", "fork", head, tuple(axis)),
        ("front", "fork", "front_wheel", (base, 0, -front), "y"),
    ):
        model.add_joint(dl.Revolute(at(a, place), at(b, place), axis=along, name=name))
    return model


def published(speed):
    """Eigenvalues of  M q'' + v C q' + (g K0 + v^2 K2) q = 0  with the matrices of the paper."""
    M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
    C = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
    below = -np.linalg.solve(M, np.c_[GRAVITY * K0 + speed**2 * K2, speed * C])
    return np.linalg.eigvals(np.r_[np.c_[np.zeros((2, 2)), np.eye(2)], below])


@pytest.mark.parametrize("speed", [0.0, 1.0, 3.5, 5.0, 8.0, 10.0])
def test_eigenvalues_are_those_published(speed):
    near = dl.linearize(bicycle(), parameters={"V": speed})
    found = list(near.eigenvalues)
    assert near.is_steady
    for value in published(speed):
        best = min(found, key=lambda x, value=value: abs(x - value))
        assert abs(best - value) <= 1e-11 * max(1.0, abs(value))
        found.remove(best)
    # places, headings and turned wheels that nothing holds, and the speed itself
    assert len(found) == 6
    assert np.abs(found).max() == 0.0


@pytest.mark.parametrize(
    ("between", "value", "kind"),
    [((4.0, 5.0), 4.29238253634111, "flutter"), ((5.5, 6.5), 6.02426201538837, "divergence")],
)
def test_weave_and_capsize_speeds(between, value, kind):
    found = dl.critical_value(bicycle(), "V", between)
    assert found.value == pytest.approx(value, rel=1e-11)
    assert found.kind == kind
