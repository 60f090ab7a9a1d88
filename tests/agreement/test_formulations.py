"""Maximal and generalized coordinates on every loop mechanism of the catalog: the same motion.

Asked for: "maximal = generalized on all loop mechanisms to the integrator's error; loop
closure <= 1e-12 over 60 s".
"""

import numpy as np
import pytest

import dalembert as dl
from dalembert.model.one_sided.rows import hard_only

pytestmark = pytest.mark.share(2)

load = dl.catalog.load

FORMULATIONS = ("maximal", "generalized")
SPRINGS = {"driven": False}


def has_loops(model):
    """Whether joints close loops, and nothing is one-sided, which takes impulses."""
    if not model.is_maximal or not model.joints or hard_only(model):
        return False
    return bool(dl.Tree(model).loops)


MECHANISMS = {
    **{name: (name, {}) for name in dl.catalog.names() if has_loops(load(name))},
    "cassie-leg on springs": ("cassie-leg", SPRINGS),
    "delta on springs": ("delta", SPRINGS),
    "jansen-leg free": ("jansen-leg", SPRINGS),
    "5 four-bars": ("n-four-bar-bodies", {"count": 5}),
    "ring": ("chain", {"count": 4, "closed": True, "rate": 2.0}),
    "ring of hinges": ("chain", {"count": 4, "closed": True, "joint": "hinge"}),
    "slider-crank free": ("slider-crank-bodies", {"torque": 0.0, "damping": 0.0}),
    "stewart-platform driven": ("stewart-platform", {"driven": True}),
}

UNTIL = 0.2
ROUNDING = 1e-12


def run(model, formulation, step, until=UNTIL, **options):
    return dl.simulate(
        model, until, step=step, integrator=dl.RK4(), formulation=formulation, **options
    )


def size(solution):
    return max(1.0, np.abs(solution.q).max()), max(1.0, np.abs(solution.v).max())


def assert_holds(solution, bar=1e-12):
    length, speed = size(solution)
    assert solution.worst["phi"] <= bar * length
    assert solution.worst["phi_dot"] <= bar * speed


def test_mechanisms_with_loops_are_found():
    assert {"cassie-leg", "delta", "five-bar", "gripper", "stewart-platform"} <= set(MECHANISMS)


@pytest.mark.parametrize("label", MECHANISMS)
def test_the_same_motion(label):
    """They differ by no more than each does from the same run with half the step."""
    name, options = MECHANISMS[label]
    model = load(name, **options)
    step = model.suggested["step"]
    error, coarse = 0.0, {}
    for formulation in FORMULATIONS:
        coarse[formulation] = run(model, formulation, step)
        fine = run(model, formulation, step / 2)
        error = error + np.abs(coarse[formulation].q - fine.q[::2]).max()
        assert_holds(coarse[formulation], 1e-13)
    one, other = (coarse[formulation] for formulation in FORMULATIONS)
    length, speed = size(one)
    assert np.abs(one.q - other.q).max() <= 2.0 * error + ROUNDING * length
    assert np.abs(one.energy - other.energy).max() <= 1e-6 * np.abs(one.energy).max() + 1e-9
    assert one.initial_move["q"] <= ROUNDING * length
    assert np.ptp(one.q, axis=0).max() > 1e-4  # it moved
    assert speed > 0.0


@pytest.mark.parametrize("label", MECHANISMS)
def test_the_same_motion_by_impulses(label):
    """Joints as rows of the contact problem, drives within bounds, redundant rows and all."""
    name, options = MECHANISMS[label]
    model = load(name, **options)
    step = model.suggested["step"]
    error, coarse = 0.0, {}
    for formulation in FORMULATIONS:
        coarse[formulation], fine = (
            dl.simulate(
                model, UNTIL, step=h, formulation=formulation, method=dl.ContactImpulse(order=2)
            )
            for h in (step, step / 2)
        )
        error = error + np.abs(coarse[formulation].q - fine.q[::2]).max()
        length, _ = size(coarse[formulation])
        assert coarse[formulation].worst["phi"] <= 1e-12 * length
    one, other = (coarse[formulation] for formulation in FORMULATIONS)
    assert np.abs(one.q - other.q).max() <= 2.0 * error + ROUNDING * length


@pytest.mark.slow
@pytest.mark.parametrize("label", [x for x in MECHANISMS if x != "grid"])
def test_a_minute_of_every_loop_on_its_tree(label):
    """As golden/test_catalog_bodies in maximal coordinates.

    Without the net, which snaps into place.
    """
    name, options = MECHANISMS[label]
    solution = run(load(name, **options), "generalized", 1e-3, 60.0, every=20)
    assert_holds(solution)
    if solution.model.conservative:
        change = np.abs(solution.energy - solution.energy[0]).max()
        assert change <= 1e-8 * max(solution.kinetic.max(), np.abs(solution.energy).max())
