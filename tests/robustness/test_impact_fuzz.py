"""Random impacts, judged by laws (`tests.impact_fuzz`): a few here, as many as DALEMBERT_FUZZ says.

`python -m tests.impact_fuzz --count 3000` runs more of them, in processes that may not hang.
"""

import os

import numpy as np
import pytest
from tests.impact_fuzz import Verdict, judge_seed
from tests.support import impact_answers
from tests.support.fuzz_driver import many
from tests.support.random_impacts import random_impact

import dalembert as dl

EACH = 6


@pytest.mark.parametrize("first", range(0, 24, EACH))
def test_impacts(first):
    found = [judge_seed(seed) for seed in range(first, first + EACH)]
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
    assert sum(v.runs for v in found) >= 8 * EACH


FAILED = {
    13: "a box that comes down flat: which corners hold was chosen by where in the step it did",
    168: "Poisson's law on one hinge: impulses that are not the mechanism's own",
    175: "tiny restitution: it hung before the stop instead of resting at it",
    183: "a hinge at its end was let past it by half of a length",
    246: "tiny restitution of a cable",
    911144: "a tip at rest that may lift off, stay or slide: three forces by Coulomb's law",
    911269: "a tip pushed out of the floor: in some units joints were closed and left it inside",
    3000797: "a flat box with much friction: one side was left in the air, and fell",
    88100059: "two small tips: the normal turns faster than bodies, and the run ends in between",
    772001902: "two tips: tangents of the last step had turned about the normal",
    9420045: "a hinge near its limit: what is slow was said in radians a second, in any units",
    88100077: "a tip that sticks: impulses of 1e40 whose residual was zero by rounding",
    700028: "a box that runs against a stop, turned: rounding chose what a corner rubs on",
}


@pytest.mark.parametrize("seed", FAILED)
def test_impacts_that_once_failed(seed):
    assert judge_seed(seed).complaints == []


def test_forces_of_a_tip_at_rest_are_answers_of_coulombs_law():
    """Each of them, put into Newton's law, holds, slides against friction or lifts off."""
    impact = random_impact(911144)
    speeds = np.array([hinge.speed for hinge in impact.hinges])
    M, C, *_ = impact_answers.matrices(impact, impact.flight * speeds)
    W = C @ np.linalg.solve(M, C.T)
    model = impact.build()
    method = dl.ContactImpulse(order=1, tolerance=1e-10)
    h = impact.flight / 64
    run = dl.simulate(model, until=96 * h, step=h, method=method, progress=False)
    hit = int(np.argmax(np.abs(np.diff(run.v, axis=0)).max(axis=1))) + 1
    forces = impact_answers.forces_at_rest(impact, run, hit + 1)
    assert len(forces) == 3
    held = forces[1]
    b = -W @ held  # of the tip without a force: the force that holds it takes all of it
    unit = np.linalg.norm(b)
    for f in forces:
        a = b + W @ f
        assert f[0] >= 0.0
        assert a[0] > -1e-2 * unit
        assert abs(f[0] * a[0]) < 1e-2 * unit * np.linalg.norm(held)
        rub, slide = f[1:], a[1:]
        assert np.linalg.norm(rub) <= impact.mu * f[0] * (1 + 1e-2)
        if f[0] > 0.0 and np.linalg.norm(slide) > 1e-2 * unit:
            against = rub / (impact.mu * f[0]) + slide / np.linalg.norm(slide)
            assert np.linalg.norm(against) < 1e-2
    assert impact_answers.takes_one_of_several(impact, run)
    table = run._touch("contacts").table
    table[table[:, 0] > hit, 11:14] = 0.5 * held[[1, 2, 0]]
    assert not impact_answers.takes_one_of_several(impact, run)


@pytest.mark.skipif("DALEMBERT_FUZZ" not in os.environ, reason="set DALEMBERT_FUZZ to a number")
def test_many_impacts():
    count = int(os.environ.get("DALEMBERT_FUZZ", "0"))
    found = many("tests.impact_fuzz", Verdict, 0, count)
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
