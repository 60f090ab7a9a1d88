"""A7: the stiff flyball governor from bodies, 10 s.

Source: IFToMM benchmark A05, shared/reference/problems.md; data read in place. Bar stated there:
1e-6 in the height s of the slider, with steps of 1e-3 s possible. The spring-dampers relax at
c/m of some 1e4 1/s, so that an explicit method needs steps below 2e-4 s.
"""

import functools

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl

pytestmark = pytest.mark.reference

DENSITY = 3000.0
BAR = 1.0 * 0.01 * 0.01 * DENSITY  # mass of shaft and rods
TURNING = np.array([0.0, 0.0, 2 * np.pi])


def governor(*, welded):
    """`welded`: the tip masses are bodies of their own, fixed to the rods."""
    model = dl.Model("governor", gravity=(0.0, 0.0, -9.81))

    def turning(name, inertia, position, rotation=None):
        return model.add_body(
            name,
            inertia,
            position=position,
            rotation=rotation,
            velocity=np.cross(TURNING, position),
            angular_velocity=TURNING,
        )

    shaft = turning("shaft", dl.Inertia.box(BAR, (0.01, 0.01, 1.0)), (0.0, 0.0, 0.5))
    slider = turning("slider", dl.Inertia.box(0.1**3 * DENSITY, (0.1, 0.1, 0.1)), (0, 0, 0.5))
    model.add_joint(dl.Revolute(model.world, shaft.at(z=-0.5), axis="z", name="bearing"))
    model.add_joint(dl.Prismatic(shaft, slider, axis="z", name="guide"))
    rod = dl.Inertia.box(BAR, (1.0, 0.01, 0.01)).moved((0.5, 0.0, 0.0))  # hinge at the origin
    tip = dl.Inertia.point(5.0)
    for side, facing, sign in (("right", 0.0, 1), ("left", np.pi, -1)):
        outward = dl.Rotation.about("z", facing)
        lowered = outward @ dl.Rotation.about("y", np.pi / 6)
        hinge = np.array([0.05 * sign, 0.0, 1.0])
        inertia = rod if welded else dl.Inertia.combined([rod, tip.moved((1.0, 0.0, 0.0))])
        body = turning(side, inertia, hinge, lowered)
        if welded:
            ball = turning(f"{side}_tip", tip, hinge + lowered.apply((1.0, 0.0, 0.0)), lowered)
            model.add_joint(dl.Fixed(body.at(x=1.0), ball, name=f"{side} weld"))
        foot = shaft.at(x=0.05 * sign, z=0.5, rotation=outward)
        model.add_joint(dl.Revolute(foot, body, axis="y", name=f"{side} hinge"))
        model.add_force(
            dl.Spring(
                slider.at(x=0.05 * sign),
                body.at(x=0.5),
                stiffness=8e5,
                damping=4e4,
                free_length=0.5,
                name=f"{side} spring",
            )
        )
    return model


@functools.cache
def expected():
    return np.array(references.read("flyball_iftomm_a05.json")["rows"])


def height(solution):
    return solution[solution.model.bodies["slider"].z]


def assert_holds(solution):
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


def assert_agrees(solution):
    """Positions and rates at the bar, constraints below theirs."""
    rows, model = expected(), solution.model
    assert np.abs(height(solution) - rows[:, 3]).max() <= 1e-6
    rod = solution[model.joints["right hinge"].angle]
    assert np.abs(rod - rows[:, 2]).max() <= 1e-6
    # rates vary by some 10 1/s for each unit of position
    assert np.abs(solution[model.bodies["shaft"].angular_velocity[2]] - rows[:, 4]).max() <= 1e-5
    assert np.abs(solution[model.bodies["slider"].velocity[2]] - rows[:, 6]).max() <= 1e-5
    assert np.abs(solution[model.joints["bearing"].angle] - rows[:, 1]).max() <= 1e-5
    assert_holds(solution)


@pytest.mark.parametrize("welded", [False, True], ids=["one body", "welded tips"])
def test_height_and_rates(welded):
    assert_agrees(dl.simulate(governor(welded=welded), 10.0, times=expected()[:, 0]))


COLLOCATION = [dl.Gauss(), dl.Gauss(order=6), dl.RadauIIA()]


@pytest.mark.parametrize("integrator", COLLOCATION, ids=repr)
@pytest.mark.parametrize("welded", [False, True], ids=["one body", "welded tips"])
def test_one_run_with_steps_of_a_millisecond(welded, integrator):
    """Far below the bar: 6e-11 with Gauss(4), 2e-12 with RadauIIA, near rounding with Gauss(6)."""
    rows = expected()
    model = governor(welded=welded)
    solution = dl.simulate(model, 10.0, step=1e-3, times=rows[:, 0], integrator=integrator)
    assert_agrees(solution)
    # The rows are printed with a dozen digits.
    assert np.abs(height(solution) - rows[:, 3]).max() <= 2e-10


@pytest.mark.parametrize("integrator", COLLOCATION, ids=repr)
def test_steps_far_beyond_the_stiffness(integrator):
    """A step of 1e-2 s is some hundred time constants of the dampers, and meets the bar."""
    rows = expected()
    model = governor(welded=False)
    solution = dl.simulate(model, 10.0, step=1e-2, times=rows[:, 0], integrator=integrator)
    assert np.abs(height(solution) - rows[:, 3]).max() <= 1e-6
    assert_holds(solution)


@pytest.mark.parametrize("integrator", [dl.ImplicitMidpoint(), dl.GeneralizedAlpha()], ids=repr)
def test_implicit_steps_of_a_millisecond(integrator):
    """Steps of 1e-3 and 2e-3 s: second order each, and together at the bar.

    One run at 1e-3 s errs by 2e-5 or 3e-5: 13 periods of 0.8 s, each with a phase error of about
    (w h)^2 / 12. The error is plainly h^2, so that the pair, extrapolated, has the accuracy asked
    for.
    """
    rows = expected()
    found = {}
    for step in (1e-3, 2e-3):
        model = governor(welded=False)
        solution = dl.simulate(model, 10.0, step=step, times=rows[:, 0], integrator=integrator)
        found[step] = height(solution)
        assert_holds(solution)
    coarse, fine = (np.abs(found[step] - rows[:, 3]).max() for step in (2e-3, 1e-3))
    assert fine <= 5e-5
    assert 3.5 <= coarse / fine <= 4.5
    extrapolated = (4 * found[1e-3] - found[2e-3]) / 3
    assert np.abs(extrapolated - rows[:, 3]).max() <= 1e-6
