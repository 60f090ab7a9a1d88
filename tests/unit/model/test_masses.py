import numpy as np
import pytest

from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.lagrangian import equations_from_lagrangian
from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Body, Inertia, Model, Particle, PlanarBody, SpatialBody

EPS = np.finfo(float).eps


def rotation(roll, pitch, yaw):
    cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (np.cos, np.sin))
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def random_state(symbols, seed=4):
    generator = np.random.default_rng(seed)
    return {s: generator.uniform(-1, 1) for q in symbols for s in (q, q.dot)}


def numbers(array, values):
    array = np.asarray(array, dtype=object)
    return np.array(evaluate(list(array.ravel()), values), dtype=float).reshape(array.shape)


@pytest.fixture
def ship():
    return Body.named(
        "ship", Inertia(3.0, (1.0, 2.0, 2.5), center=(0.1, -0.2, 0.3)), orientation="roll-pitch-yaw"
    )


def test_rotation_is_z_y_x(ship):
    values = random_state(ship.coordinates)
    angles = [values[a] for a in (ship.roll, ship.pitch, ship.yaw)]
    np.testing.assert_allclose(numbers(ship.rotation, values), rotation(*angles), atol=4 * EPS)


def test_point_of_the_body(ship):
    values = random_state(ship.coordinates)
    R, p = numbers(ship.rotation, values), numbers(ship.position, values)
    found = numbers(ship.at(x=1.0, y=2.0, z=-3.0).position, values)
    np.testing.assert_allclose(found, p + R @ [1.0, 2.0, -3.0], atol=20 * EPS)


def test_angular_velocity_is_that_of_the_rotation(ship):
    """W R = R' in world components."""
    values = random_state(ship.coordinates)
    R = numbers(ship.rotation, values)
    rates = np.array(time_derivative(list(ship.rotation.ravel())), dtype=object).reshape(3, 3)
    W = numbers(rates, values) @ R.T
    expected = [W[2, 1], W[0, 2], W[1, 0]]
    np.testing.assert_allclose(numbers(ship.angular_velocity, values), expected, atol=20 * EPS)
    body = numbers(np.array(ship.as_spatial().w_WB_B), values)
    np.testing.assert_allclose(R @ body, expected, atol=20 * EPS)


def test_free_body_equations_are_those_of_its_lagrangian(ship):
    """physics.md 2.2: the gyroscopic term is there, and the offset of the centre of mass."""
    model = Model("one", gravity=(0.0, 0.0, -9.81))
    made = model.add_body("ship", ship.inertia, orientation="roll-pitch-yaw")
    centre = np.array(time_derivative(list(made.at(0.1, -0.2, 0.3).position)), dtype=object)
    w = made.rotation.T @ made.angular_velocity
    T = 3.0 * (centre @ centre) / 2 + (w[0] ** 2 + 2.0 * w[1] ** 2 + 2.5 * w[2] ** 2) / 2
    V = 3.0 * 9.81 * made.at(0.1, -0.2, 0.3).position[2]
    M, Q = equations_from_lagrangian(T, V, None, model.coordinates)
    for seed in range(3):
        values = random_state(made.coordinates, seed)
        np.testing.assert_allclose(numbers(model.mass, values), numbers(M, values), atol=1e3 * EPS)
        np.testing.assert_allclose(numbers(model.force, values), numbers(Q, values), atol=1e4 * EPS)
        assert float(evaluate([model.kinetic], values)[0]) == pytest.approx(
            float(evaluate([T], values)[0]), rel=1e-13
        )
    assert model.conservative


def test_bodies_are_placed_by_formulas():
    x, y, a = coordinates("x y a")
    (m,) = parameters(m=2.0)
    body = PlanarBody(m, 0.5, position=np.array([x, y]), angle=a)
    assert body.position == (x, y)
    assert body.findings({"m": 0.0}) == ["body 'body': mass is 0 kg. Give a positive mass."]
    assert Particle(1.0, [x, y, 0.0]).position[2].value == 0.0
    assert "Particle('particle', mass=1.0" in repr(Particle(1.0, (x, y)))
    assert "angle=a" in repr(body)


def test_spatial_body_derives_its_angular_velocity():
    """With and without w_WB_B the equations are the same."""
    free = Body.named("b", Inertia(1.0, (1.0, 2.0, 2.5)), orientation="roll-pitch-yaw")
    given = free.as_spatial()
    derived = SpatialBody(given.mass, given.inertia, given.position, given.rotation)
    first = Model.from_map(bodies=[given], coordinates=free.coordinates)
    second = Model.from_map(bodies=[derived], coordinates=free.coordinates)
    values = random_state(free.coordinates)
    for a, b in ((first.mass, second.mass), (first.force, second.force)):
        np.testing.assert_allclose(numbers(a, values), numbers(b, values), atol=1e3 * EPS)
