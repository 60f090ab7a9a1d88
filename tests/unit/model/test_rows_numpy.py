"""Interpreted rows agree with the compiled system, and with differences."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert import _jit
from dalembert.mechanics.choose_solve import install
from dalembert.model.basics.rotation import Rotation
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import displaced, rotations
from dalembert.system.borders import evaluate
from dalembert.system.build import build


def mechanism():
    (length,) = dl.parameters(length=0.7)
    model = dl.Model("mixed")
    inertia = dl.Inertia.box(mass=2.0, size=(1.0, 0.3, 0.2))
    a, b, c = (model.add_body(name, inertia) for name in "abc")
    heavy = model.add_body("d", inertia)
    model.add_joint(dl.Revolute(model.world, a.at(x=-0.5), axis="y", name="bearing"))
    model.add_joint(dl.Revolute(a.at(x=0.5), b.at(x=-length), axis=(0, 1, 1), name="elbow"))
    model.add_joint(dl.Prismatic(b.at(z=0.1), c, axis="x", name="slide"))
    model.add_joint(dl.Universal(c, heavy.at(y=0.2), name="cross"))
    model.add_joint(dl.Distance(a.at(z=0.2), heavy, length=length, name="bar"))
    model.constrain(a.x - 2 * b.z + np.sin(dl.time), a.pitch + b.y, name="formula")
    model.constrain(a.velocity[0] + b.angular_velocity[1] * a.z - dl.time, name="speed")
    return model


def random_states(model, count, seed=0):
    generator = np.random.default_rng(seed)
    n = len(model.bodies)
    q = generator.standard_normal((count, n, 7))
    q[:, :, 3:] /= np.linalg.norm(q[:, :, 3:], axis=2, keepdims=True)
    return q.reshape(count, -1), generator.standard_normal((count, 6 * n))


def test_agrees_with_the_compiled_system():
    model = mechanism()
    rows, system = Rows(model), build(model)
    assert tuple(rows.names) == system.row_names
    t = np.array([0.0, 0.3, 1.7])
    q, v = random_states(model, 3)
    found = rows.at(t, q, v)
    J = found.dense()
    with _jit.interpreted():
        state, _ = system.open([model.parameters[x] for x in system.parameter_names])
        install("automatic", state)
        for s in range(3):
            evaluate(state, t[s], q[s], v[s])
            np.testing.assert_allclose(J[s], system.jacobian(state), atol=1e-14)
            for name in ("phi", "phi_dot", "phi_t"):
                series = getattr(found, name)
                expected = getattr(state, name)[: series.shape[1]]
                np.testing.assert_allclose(series[s], expected, atol=2e-14)


def test_J_is_the_derivative_by_displacement():
    model = mechanism()
    rows = Rows(model)
    q, v = random_states(model, 1)
    J = rows.at(0.2, q, v).dense()[0]
    step, direction = 1e-6, np.random.default_rng(1).standard_normal(rows.velocities)
    ahead = rows.residuals(0.2, displaced(q[0], step * direction), v[0])[0][0]
    behind = rows.residuals(0.2, displaced(q[0], -step * direction), v[0])[0][0]
    slope = (ahead - behind) / (2 * step)
    np.testing.assert_allclose(J[: rows.holonomic] @ direction, slope, rtol=1e-7, atol=1e-8)


def test_velocity_level():
    model = mechanism()
    rows = Rows(model)
    q, v = random_states(model, 2)
    found = rows.at(0.2, q, v)
    expected = np.einsum("kij,kj->ki", found.dense(), v) + found.phi_t
    np.testing.assert_allclose(found.phi_dot, expected, atol=1e-13)
    np.testing.assert_array_equal(rows.residuals(0.2, q, v)[1], found.phi_dot)


def test_sparse_and_wrenches():
    model = mechanism()
    rows = Rows(model)
    found = rows.at(0.2, *random_states(model, 1))
    J = found.dense()[0]
    np.testing.assert_array_equal(found.sparse().toarray(), J)
    lam = np.arange(1.0, rows.count + 1)
    pull = found.wrenches(lam[None, :])
    total = np.concatenate([pull[b][0] for b in range(len(model.bodies))])
    np.testing.assert_allclose(total, J.T @ lam, atol=1e-12)


def test_bodies_and_parts():
    model = mechanism()
    rows = Rows(model)
    assert rows.bodies_of("bearing") == [0]
    assert rows.bodies_of("formula") == [0, 1]
    alone = Rows(model, [model.joints["elbow"]], [])
    assert alone.names == list(model.joints["elbow"].row_names)
    q, v = random_states(model, 1)
    every = rows.at(0.0, q, v).dense()[0][rows.slices["elbow"]]
    np.testing.assert_array_equal(alone.at(0.0, q, v).dense()[0], every)


def test_turns_are_counted_along_the_states():
    model = dl.Model("shaft")
    shaft = model.add_body("shaft", dl.Inertia.sphere(mass=1.0, radius=0.1))
    hinge = model.add_joint(dl.Revolute(model.world, shaft, axis="z", name="hinge"))
    model.constrain(hinge.angle - 20 * dl.time, name="drive")
    t = np.linspace(0.0, 2.0, 41)
    q = np.array([[0, 0, 0, *Rotation.from_roll_pitch_yaw(0, 0, 20 * x).quaternion] for x in t])
    v = np.tile([0.0, 0, 0, 0, 0, 20.0], (41, 1))
    phi = Rows(model).at(t, q, v).phi[:, -1]
    np.testing.assert_allclose(phi, 0.0, atol=1e-12)


def test_rotations_ignore_the_length():
    np.testing.assert_allclose(rotations(np.array([2.0, 0, 0, 0])), np.eye(3))


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0])
def test_displaced_turns_about_a_fixed_axis(angle):
    q = np.array([0.0, 0, 0, 1, 0, 0, 0])
    moved = displaced(q, np.array([1.0, 2, 3, 0, angle, 0]))
    np.testing.assert_allclose(moved[:3], [1, 2, 3])
    np.testing.assert_allclose(
        moved[3:], [np.cos(angle / 2), 0, np.sin(angle / 2), 0], rtol=0, atol=3e-16
    )
