"""One mechanism, described as bodies with quaternions, with roll-pitch-yaw, and by formulas.

All must move alike, to the error of the integrator.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import mechanisms

import dalembert as dl

GRAVITY = 9.81

TIGHT = dl.DormandPrince(rtol=1e-12, atol=1e-12)
"""A run of one second at this tolerance takes about a hundred steps."""

ALIKE = 1e-9
"""A hundred steps of 1e-12 each, and what an unsteady motion makes of them."""

MODELS = {
    "tumbling bar": mechanisms.tumbling_bar,
    "hinged bar": mechanisms.hinged_bar,
    "spherical pendulum": mechanisms.spherical_pendulum,
    "four-bar": mechanisms.four_bar,
    "driven arm": mechanisms.driven_arm,
    "rolling disc": mechanisms.rolling_disc,
}


def motion(solution, times):
    """Position, rotation, velocity and angular velocity of every body at the times."""
    series = []
    for body in solution.model.bodies.values():
        parts = (body.position, body.rotation.ravel(), body.velocity, body.angular_velocity)
        series += [solution.sampled(x, times) for part in parts for x in part]
    return np.array(series)


@pytest.mark.parametrize("name", MODELS)
def test_quaternions_and_angles_move_alike(name):
    times = np.linspace(0.0, 1.0, 11)
    options = {"until": 1.0, "integrator": TIGHT, "times": times}
    quaternions = dl.simulate(MODELS[name](), **options)
    angles = dl.simulate(MODELS[name](orientation="roll-pitch-yaw"), **options)
    assert quaternions.q.shape[1] > angles.q.shape[1]
    found = np.abs(motion(quaternions, times) - motion(angles, times)).max()
    assert found <= ALIKE * np.abs(motion(angles, times)).max()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "integrator", [dl.RK4(), dl.ImplicitMidpoint(), dl.GeneralizedAlpha(), dl.Gauss()], ids=repr
)
def test_they_move_alike_to_the_error_of_a_fixed_step(name, integrator):
    # Each errs by what halving the step changes, and a third of it more.
    times = np.linspace(0.0, 1.0, 11)
    options = {"until": 1.0, "integrator": integrator, "times": times}
    kinds = ({}, {"orientation": "roll-pitch-yaw"})
    runs = [
        [motion(dl.simulate(MODELS[name](**kind), step=h, **options), times) for h in (4e-3, 2e-3)]
        for kind in kinds
    ]
    own = sum(np.abs(coarse - fine).max() for coarse, fine in runs)
    assert np.abs(runs[0][0] - runs[1][0]).max() <= 1.5 * own + ALIKE


def test_multipliers_agree():
    # The same rows act on both kinds of bodies: the same forces hold them.
    times = np.linspace(0.0, 1.0, 11)
    options = {"until": 1.0, "integrator": TIGHT, "times": times}
    for name in ("hinged bar", "spherical pendulum", "driven arm", "rolling disc"):
        quaternions = dl.simulate(MODELS[name](), **options)
        angles = dl.simulate(MODELS[name](orientation="roll-pitch-yaw"), **options)
        assert quaternions.row_names == angles.row_names
        size = np.abs(angles.lam).max()
        assert np.abs(quaternions.lam - angles.lam).max() <= 1e-8 * size, name


def test_hinged_bar_is_the_compound_pendulum():
    # I theta'' = -m g r cos(theta), theta from the horizontal up, r = 1/2, I about the hinge.
    (theta,) = dl.coordinates("theta")
    moment = mechanisms.BAR.matrix[2][2] + 0.25
    pendulum = dl.Model.from_lagrangian(
        kinetic=moment * theta.dot**2 / 2, potential=GRAVITY / 2 * np.sin(theta)
    )
    times = np.linspace(0.0, 2.0, 21)
    minimal = dl.simulate(pendulum, until=2.0, integrator=TIGHT, times=times)
    bodies = dl.simulate(mechanisms.hinged_bar(), until=2.0, integrator=TIGHT, times=times)
    angle = bodies[bodies.model.joints["hinge"].angle]
    assert np.abs(angle - minimal[theta]).max() <= ALIKE
    bar = bodies.model.bodies["bar"]
    assert np.abs(bodies[bar.angular_velocity[2]] - minimal[theta.dot]).max() <= 10 * ALIKE


def test_loop_is_the_planar_linkage():
    # The same four-bar in absolute angles of its three bars, closed by two rows.
    q = dl.coordinates("a b c")
    lengths = (1.0, 2.0, 1.5)
    spatial = mechanisms.four_bar()
    end, kinetic, potential = np.array([0.0, 0.0], dtype=object), 0.0, 0.0
    for angle, length in zip(q, lengths, strict=True):
        along = length * np.array([np.cos(angle), np.sin(angle)])
        center = end + along / 2
        theta = length * (length**2 + 0.2**2) / 12
        speed = [x.dot for x in center]
        kinetic = kinetic + length * (speed[0] ** 2 + speed[1] ** 2) / 2 + theta * angle.dot**2 / 2
        potential = potential + length * GRAVITY * center[1]
        end = end + along
    angles = mechanisms.closed(1.0, 2.0, 1.5, 2.2, 1.0)
    linkage = dl.Model.from_lagrangian(
        kinetic=kinetic,
        potential=potential,
        constraints=[end[0] - 2.2, end[1]],
        initial=dict(zip(q, angles, strict=True)),
    )
    times = np.linspace(0.0, 1.5, 16)
    planar = dl.simulate(linkage, until=1.5, integrator=TIGHT, times=times)
    bodies = dl.simulate(spatial, until=1.5, integrator=TIGHT, times=times)
    for angle, name in zip(q, ("crank", "coupler", "rocker"), strict=True):
        axis = bodies.model.bodies[name].rotation[:, 0]
        assert np.abs(bodies[axis[0]] - np.cos(planar[angle])).max() <= ALIKE
        assert np.abs(bodies[axis[1]] - np.sin(planar[angle])).max() <= ALIKE


def test_upright_rolling_disc_rolls_straight():
    # Upright, released with the axis along y: it keeps its speed and height.
    model = mechanisms.rolling_disc(lean=np.pi / 2)
    solution = dl.simulate(model, until=1.0, integrator=TIGHT)
    disc = model.bodies["disc"]
    assert np.abs(solution[disc.x] - solution.t).max() <= ALIKE
    assert np.abs(solution[disc.z] - 0.5).max() <= ALIKE
