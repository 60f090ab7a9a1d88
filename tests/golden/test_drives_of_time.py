"""Drives whose speed is a formula of time or of places, between located events.

Such a drive kept the speed of the start of a step to the end of that: the acceleration that its
command asks for was missing, and the run was called good.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as dl

FORMULATIONS = pytest.mark.parametrize("formulation", ["maximal", "generalized"])


def driven(command, *, most, initial=0.0):
    """A mass of 1 kg on a slide, and a drive that keeps a speed."""
    model = dl.Model("driven", gravity=(0, 0, 0))
    body = model.add_body("mass", dl.Inertia.point(mass=1.0))
    slide = dl.Prismatic(model.world, body, axis="x", name="slide", initial=initial)
    slide = model.add_joint(slide)
    force = dl.VelocityServo(slide, command=command(slide), limits=(-most, most), name="drive")
    model.add_force(force)
    return model


@FORMULATIONS
def test_speed_of_time_within_its_bounds(formulation):
    model = driven(lambda slide: np.sin(3 * dl.time), most=3.5)
    solution = dl.simulate(model, until=2.0, formulation=formulation)
    assert solution["mass.x"] == pytest.approx((1 - np.cos(3 * solution.t)) / 3, abs=1e-9)
    assert solution["slide.displacement.dot"] == pytest.approx(np.sin(3 * solution.t), abs=1e-10)
    assert solution.report()["stepping"] is None


@FORMULATIONS
def test_speed_of_time_beyond_its_bounds(formulation):
    model = driven(lambda slide: np.sin(3 * dl.time), most=2.5)
    solution = dl.simulate(model, until=1.2, formulation=formulation)
    # 3 cos(3 t) is more than 2.5 at first, and less than -2.5 from `leaves` on
    holds = brentq(lambda t: 2.5 * t - math.sin(3 * t), 0.1, 1.0, xtol=1e-15)
    leaves = math.acos(-2.5 / 3) / 3
    assert [entry.kind for entry in solution.log] == ["stick", "slip"]
    assert [entry.t for entry in solution.log] == pytest.approx([holds, leaves], abs=1e-10)
    rest = 1.2 - leaves
    place = 1.25 * holds**2 + (math.cos(3 * holds) - math.cos(3 * leaves)) / 3
    place += math.sin(3 * leaves) * rest - 1.25 * rest**2
    assert solution["mass.x"][-1] == pytest.approx(place, abs=1e-10)


@FORMULATIONS
def test_speed_of_the_place(formulation):
    # x' = -2 x from x = 1: a force of 4 x holds it; at rest it begins beyond its bound
    model = driven(lambda slide: -2.0 * slide.displacement, most=3.0, initial=1.0)
    solution = dl.simulate(model, until=2.0, formulation=formulation)
    # until then x = 1 - 1.5 t^2, x' = -3 t = -2 x
    meets = brentq(lambda t: 3 * t - 2 * (1 - 1.5 * t * t), 0.0, 1.0, xtol=1e-15)
    there = 1 - 1.5 * meets**2
    assert solution.log[0].t == pytest.approx(meets, abs=1e-10)
    assert solution["mass.x"][-1] == pytest.approx(there * math.exp(-2 * (2 - meets)), abs=1e-9)


def test_speed_of_a_speed_takes_steps():
    model = driven(lambda slide: 1.0 - 0.5 * slide.displacement.dot, most=5.0)
    report = dl.simulate(model, until=0.1).report()
    assert "velocities" in report["stepping"]
