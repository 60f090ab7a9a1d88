"""Parameters that stand in no force: of one-sided constraints, of a start, of what is recorded."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

x, z = dl.coordinates("x z")
h, k, c = dl.parameters(h=2.0, k=4.0, c=10.0)
ENGINES = pytest.mark.parametrize("engine", ["lanes", "general"])


def spring():
    return dl.Model.from_lagrangian(
        coordinates=[x], kinetic=x.dot**2 / 2, potential=k * x**2 / 2, initial={x: h}
    )


@ENGINES
def test_a_restitution_and_a_height_of_each_world(engine):
    """Dropped from 1 m above the floor: the greatest height of the first bounce is e^2."""
    e, floor = dl.parameters(e=0.7, floor=0.0)
    ball = dl.Model.from_lagrangian(
        coordinates=[z], kinetic=z.dot**2 / 2, potential=9.81 * z, initial={z: 1.0 + floor}
    )
    ball.keep(z - floor >= 0, name="floor", restitution=e)
    values = {"e": [0.5, 0.7, 0.9], "floor": [0.0, 0.3, -2.0]}
    found = dl.rollout(ball, parameters=values, step=1e-3, steps=900, record=["z"], engine=engine)
    above = found["z"] - np.array(values["floor"])[:, None]
    assert above.min(axis=1) == pytest.approx(0.0, abs=1e-2)
    highest = above[:, 460:].max(axis=1)  # it lands after 0.4515 s
    assert highest == pytest.approx(np.square(values["e"]), abs=5e-3)
    for i in range(3):
        own = ball.with_parameters(**{name: row[i] for name, row in values.items()})
        alone = dl.rollout(own, worlds=1, step=1e-3, steps=900, record=["z"], engine=engine)
        assert np.array_equal(alone["z"][0], found["z"][i])


def test_a_friction_of_each_world():
    """Slides: y = v t - mu g t^2 / 2, exact in steps of impulses but for the first."""
    (mu,) = dl.parameters(mu=0.3)
    block = dl.Model.from_lagrangian(
        coordinates=[x, z],
        kinetic=(x.dot**2 + z.dot**2) / 2,
        potential=9.81 * z,
        initial={x.dot: 3.0},
    )
    block.keep(z >= 0, name="floor", friction=mu, sliding=x)
    values = np.array([0.1, 0.3, 0.5])
    expected = 3.0 * 0.5 - 0.5 * values * 9.81 * 0.25
    found = dl.rollout(block, parameters={"mu": values}, step=1e-3, steps=500, record=["x"])
    assert found["x"][:, -1] == pytest.approx(expected, abs=1e-9)
    many = dl.Worlds(block, 3, step=1e-3, observe=["x"], parameters={"mu": values})
    many.advance(500)
    assert many.observed[:, 0] == pytest.approx(expected, abs=1e-9)


@ENGINES
def test_what_is_recorded_may_hold_any_parameter(engine):
    """`h` is of the start alone, `c` is nothing of the model: its own value counts."""
    found = dl.rollout(
        spring(),
        parameters={"h": [1.0, 4.0]},
        step=1e-2,
        steps=100,
        record=[x / h, c * x],
        stop=[x + h / 2],
        engine=engine,
    )
    t = np.arange(101) * 1e-2
    assert found.data[:, :, 0] == pytest.approx(np.cos(2 * t)[None].repeat(2, 0), abs=1e-7)
    assert found.data[:, :, 1] == pytest.approx(np.outer([10.0, 40.0], np.cos(2 * t)), abs=1e-6)


def test_bodies_are_recorded_with_any_parameter():
    model = dl.Model("ball")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, h))
    found = dl.rollout(model, worlds=2, step=1e-2, steps=3, record=[c * ball.z, ball.z / h])
    assert found.data[:, 0].tolist() == [[20.0, 1.0]] * 2
