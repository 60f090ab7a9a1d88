"""Drives with limits and dry friction along slides and hinges of a compound joint: closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl

MASS, KD, MOST, DRY = 6.0, 1000.0, 600.0, 250.0
FORMULATIONS = ["maximal", "generalized"]


def base(**options):
    """A base that slides along x and y and turns about z, with a drive along x."""
    m = dl.Model("base", gravity=(0, 0, 0))
    body = m.add_body("base", dl.Inertia.box(MASS, size=(0.4, 0.3, 0.1)))
    joint = dl.Compound(m.world, body, slides=["x", "y"], hinges=["z"], name="feet")
    m.add_joint(joint)
    m.add_force(dl.CompoundSpring("feet", coordinate=0, name="drive", **options))
    return m


def speed_with_dry_friction(t):
    """m v' = min(kd (1 - v), MOST) - DRY, from rest with a speed of 1 commanded."""
    full = (1.0 - MOST / KD) / ((MOST - DRY) / MASS)  # until the drive leaves its limit
    if t < full:
        return (MOST - DRY) / MASS * t
    end = 1.0 - DRY / KD
    return end - (end - (1.0 - MOST / KD)) * math.exp(-KD / MASS * (t - full))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_limited_drive_against_dry_friction(formulation):
    m = base(effort=KD, damping=KD, limits=MOST, dry=DRY)
    times = [0.004, 0.01, 0.02, 0.2]
    s = dl.simulate(m, until=0.2, times=times, formulation=formulation, rtol=1e-9)
    assert s.verdict.is_good
    x_dot = np.array([s.v[k][0] for k in range(len(s.t))])
    assert x_dot == pytest.approx([speed_with_dry_friction(t) for t in s.t], abs=1e-7)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_steps_have_it_implicitly(formulation):
    """A drive that a step does not resolve (kd h / m = 8) comes to the same end."""
    m = base(effort=KD, damping=KD, limits=MOST, dry=DRY)
    exact = dl.ContactImpulse(tolerance=1e-12)
    s = dl.simulate(m, until=1.5, step=0.05, method=exact, formulation=formulation)
    assert s.verdict.is_good
    assert s.v[-1][0] == pytest.approx(1.0 - DRY / KD, abs=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_without_friction_it_needs_no_impulses(formulation):
    m = base(effort=KD, damping=KD, limits=MOST)
    until, full = 0.03, (1.0 - MOST / KD) / (MOST / MASS)
    s = dl.simulate(m, until=until, formulation=formulation)
    assert isinstance(s.method, dl.Projection)
    left = (MOST / KD) * math.exp(-KD / MASS * (until - full))
    assert s.v[-1][0] == pytest.approx(1.0 - left, abs=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_limited_spring_of_a_hinge_counts_turns(formulation):
    """Far from where it carries nothing the torque is the limit, whatever the turn."""
    m = dl.Model("hip", gravity=(0, 0, 0))
    body = m.add_body("leg", dl.Inertia.box(2.0, size=(0.1, 0.2, 0.3)))
    I = 2.0 * (0.1**2 + 0.2**2) / 12
    m.add_joint(dl.Compound(m.world, body, slides=["x"], hinges=["z"], name="hip"))
    m.add_force(dl.CompoundSpring("hip", coordinate=1, stiffness=5.0, free=40.0, limits=0.5))
    s = dl.simulate(m, until=0.6, formulation=formulation)
    assert s.verdict.is_good
    turned = 0.5 * (0.5 / I) * 0.6**2
    assert turned > 2 * math.pi  # beyond a turn
    assert s.v[-1][-1] == pytest.approx(0.5 / I * 0.6, rel=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_dry_friction_alone_stops_and_holds(formulation):
    m = dl.Model("slide", gravity=(9.81 * 0.2, 0, 0))
    body = m.add_body("block", dl.Inertia.box(MASS, size=(0.4, 0.3, 0.1)))
    joint = dl.Compound(m.world, body, slides=["x", "y"], initial_speed=(1.5, 0.0), name="feet")
    m.add_joint(joint)
    m.add_force(dl.CompoundSpring("feet", coordinate=0, dry=0.5 * MASS * 9.81, name="rub"))
    a = 0.3 * 9.81
    s = dl.simulate(m, until=2.0, formulation=formulation)
    assert s.verdict.is_good
    assert s.q[-1][0] == pytest.approx(1.5**2 / (2 * a), abs=1e-9)
    assert abs(s.v[-1][0]) < 1e-12


def test_rate_and_energy_of_a_limited_spring_are_told():
    """With limits there is no potential; the report takes it for a drive."""
    m = base(stiffness=10.0, free=1.0, limits=2.0)
    assert not m.forces["drive"].conservative
    s = dl.simulate(m, until=0.5)
    assert s.v[-1][0] == pytest.approx(2.0 / MASS * 0.5, rel=1e-9)


def test_bad_limits_and_friction_are_named():
    with pytest.raises(dl.errors.ModelError, match="limits are 2 and 1"):
        base(effort=1.0, limits=(2.0, 1.0))
    with pytest.raises(dl.errors.ModelError, match="dry is -1"):
        base(dry=-1.0)
