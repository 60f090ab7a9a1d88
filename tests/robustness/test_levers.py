"""Contacts and joints whose rows are rounding, or that a mechanism can hardly follow.

What cannot be moved is not pushed: no position and no velocity comes from rounding over rounding.
"""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import StepSizeError

BALL = dl.Inertia.sphere(1.0, radius=0.1)


def arm_over(offset, **options):
    """An arm on a hinge with a ball sunk into the floor, `offset` beside its axis."""
    model = dl.Model("arm")
    model.add_shape(dl.Plane(), name="floor")
    arm = model.add_body("arm", dl.Inertia.box(1.0, size=(0.4, 0.1, 0.1)), position=(0, 0, 0.3))
    model.add_joint(dl.Revolute(model.world.at(z=0.3), arm, axis="y", name="hinge"))
    model.add_shape(dl.Sphere(0.35, position=(offset, 0, 0)), on=arm)
    method = dl.ContactImpulse(**options)
    return dl.simulate(
        model, until=0.05, step=5e-3, method=method, formulation="generalized", initial_limit=1.0
    )


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("offset", [0.0, 1e-17, 1e-9, 1e-4, 1e-2])
def test_a_contact_beside_the_axis_turns_nothing_about(offset, order):
    """5 cm deep, and out by a turn of 5 cm over the offset: 5e7 rad at 1e-9 m."""
    solution = arm_over(offset, order=order)
    # half the angle of a step
    assert np.abs(np.diff(solution["arm.qy"])).max() < 0.3
    assert solution.energy.max() < 5.0


def twice(order, solver="auto"):
    """Two links, their joint given twice, above a floor; the second one swings."""
    model = dl.Model("twice")
    model.add_shape(dl.Plane())
    places = np.array([[0.1, 0.2, 0.7], [0.63, -0.17, 0.71]])
    links = [
        model.add_body(f"link{k}", BALL, position=p, angular_velocity=(0.3, 2.0, 1.0))
        for k, p in enumerate(places)
    ]
    at = np.array([0.37, 0.11, 0.83])
    ends = [b.at(*(at - p)) for b, p in zip(links, places, strict=True)]
    model.add_joint(dl.Spherical(*ends, name="joint"))
    model.add_joint(dl.Spherical(*ends, name="again"))
    for link in links:
        model.add_shape(dl.Sphere(0.3), on=link)
    method = dl.ContactImpulse(order=order, solver=solver)
    return dl.simulate(model, until=0.5, step=5e-3, method=method, formulation="generalized")


@pytest.mark.parametrize("order", [1, 2])
def test_a_joint_given_twice_is_one_joint(order):
    """All of its rows are rounding in the coordinates of the tree."""
    solution = twice(order)
    assert solution.statistics["contact"]["drift"] < 1e-14
    assert solution.energy.max() <= solution.energy[0] * (1.0 + 1e-2)


def test_what_turns_half_about_in_a_step_is_told_so():
    """A drive without limits on a link that hits the floor: no matrix is to be blamed."""
    model = dl.Model("whirl")
    model.add_shape(dl.Plane())
    first = model.add_body("first", BALL, position=(0, 0, 1))
    second = model.add_body("second", BALL, position=(0.4, 0, 1), angular_velocity=(0, 0, 1e6))
    model.add_joint(dl.Spherical(model.world.at(z=1), first))
    model.add_joint(dl.Spherical(first.at(x=0.2), second.at(x=-0.2)))
    model.add_shape(dl.Box((0.9, 0.2, 1.5)), on=second)
    with pytest.raises(
        StepSizeError, match=r"'(first|second)'.*turns by .* rad in a step.*smaller"
    ):
        dl.simulate(model, until=1.0, step=0.05, formulation="maximal", initial_limit=1e9)
