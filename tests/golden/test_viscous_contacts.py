"""Viscous friction of materials: decay, terminal speed, beside Coulomb's, on belts and trees."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError

G, MASS, C = 9.81, 2.0, 3.0


def sliding(slope=0.0, friction=0.0, viscous=C, speed=2.0, **material):
    """A ball that cannot turn, in a guide, on a plane that falls towards +x."""
    model = dl.Model("film", gravity=(G * np.sin(slope), 0.0, -G * np.cos(slope)))
    film = dl.Material(friction=friction, viscous=viscous, **material)
    model.add_shape(dl.Plane(), material=film, name="plane")
    ball = model.add_body(
        "ball",
        dl.Inertia(MASS, (1e6, 1e6, 1e6)),
        position=(0, 0, 0.1),
        velocity=(speed, 0, 0),
    )
    skin = dl.Material(friction=friction)
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin, name="skin")
    return model


def test_it_decays():
    run = dl.simulate(sliding(), until=1.0, step=1e-3)
    assert run["ball.x.dot"][-1] == pytest.approx(2.0 * np.exp(-C / MASS), rel=1e-3)
    force = run.contact_force("ball", "plane")[-1]
    assert force[0] == pytest.approx(-C * run["ball.x.dot"][-1], rel=2e-3)
    assert force[2] == pytest.approx(MASS * G, rel=1e-6)
    assert run.verdict.word == "good"


def test_the_mean_of_both_ends_has_second_order():
    wanted = 2.0 * MASS / C * (1.0 - np.exp(-C / MASS))
    off = [
        abs(dl.simulate(sliding(), until=1.0, step=h)["ball.x"][-1] - wanted)
        for h in (2e-2, 1e-2, 5e-3)
    ]
    # the first step finds no impulse before it, but a closed gap
    assert np.log2(off[0] / off[1]) > 1.8
    assert off[-1] < 1e-5


def test_beside_coulomb():
    """m v' = m g sin - mu N - c v, to its terminal speed."""
    mu, slope = 0.2, 0.5
    pull = G * (np.sin(slope) - mu * np.cos(slope))
    run = dl.simulate(sliding(slope, mu, speed=0.0), until=4.0, step=2e-3)
    wanted = MASS * pull / C * (1.0 - np.exp(-C / MASS * 4.0))
    assert run["ball.x.dot"][-1] == pytest.approx(wanted, rel=1e-4)
    # below the limit of friction nothing moves: there is no sliding to act against
    rest = dl.simulate(sliding(0.1, mu, speed=0.0), until=1.0, step=2e-3)
    rolls = MASS * G * np.sin(0.1) * 0.1**2 / 1e6 / 2  # F r^2 t^2 / (2 I): it may turn a little
    assert np.abs(rest["ball.x"]).max() <= 1.01 * rolls


def test_any_coefficient_is_stable():
    run = dl.simulate(sliding(viscous=1e7), until=0.1, step=1e-2)
    assert abs(run["ball.x.dot"][-1]) < 1e-4


def test_it_ends_with_the_contact():
    model = sliding()
    model.set_initial({"ball.z": 0.5})
    run = dl.simulate(model, until=0.2, step=1e-3)
    assert np.allclose(run["ball.x.dot"], 2.0, atol=1e-12)


def test_a_belt_carries_along():
    run = dl.simulate(sliding(speed=0.0, surface_velocity=(1.0, 0.0, 0.0)), until=5.0, step=2e-3)
    assert run["ball.x.dot"][-1] == pytest.approx(1.0 - np.exp(-C / MASS * 5.0), rel=1e-3)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_in_both_coordinates(formulation):
    model = sliding()
    model.add_joint(dl.Planar(model.world.at(z=0.1), "ball", axis="y", name="guide"))
    run = dl.simulate(model, until=1.0, step=1e-3, formulation=formulation)
    assert run["ball.x.dot"][-1] == pytest.approx(2.0 * np.exp(-C / MASS), rel=2e-3)


def test_the_larger_of_two_counts_and_a_pair_may_say_its_own():
    model = sliding()
    model.set_contact("ball", "plane", viscous=2.0 * C)
    run = dl.simulate(model, until=1.0, step=1e-3)
    assert run["ball.x.dot"][-1] == pytest.approx(2.0 * np.exp(-2.0 * C / MASS), rel=2e-3)


def test_a_negative_coefficient():
    with pytest.raises(ModelError, match="viscous is -1"):
        dl.Material(viscous=-1.0)
