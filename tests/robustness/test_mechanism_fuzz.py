"""Random mechanisms: every way to run them gives the motion that the laws ask for.

Each is judged by `tests.mechanism_fuzz`. Here are a few dozen; with DALEMBERT_FUZZ=10000 so many,
in processes of their own that may not hang.
"""

import os

import numpy as np
import pytest
from tests import mechanism_fuzz
from tests.mechanism_fuzz import Verdict, judge, method_error
from tests.support import fuzz_driver
from tests.support import mechanism_oracle as oracle
from tests.support.of_the_day import of_the_day
from tests.support.random_mechanisms import FAMILIES, random_mechanism

import dalembert as dl

COUNT, EACH = 60, 10


@pytest.mark.parametrize("first", of_the_day(range(0, COUNT, EACH), 4))
def test_mechanisms(first):
    found = [judge(seed) for seed in range(first, first + EACH)]
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
    assert sum(v.runs for v in found) > 4 * EACH


FOUND = {
    125: "no freedom at all, with adaptive steps",
    30344: "a choice of rows that hold badly, of many that imply one another",
    30760: "three equal screws, second order with impulses",
    31180: "a direction nearly lost at the start",
    31249: "a plane and a ball that share a row, with far stops",
    31413: "three equal hinges, in formulas",
    31420: "a rod past its dead point, which steps of 1/64 do not follow",
    31784: "three equal hinges, by Braun and Goldfarb's method",
    100920: "loops that nothing moves: M was factored over gravity and data of joints",
    205120: "by Rattle: rounding that went round in a circle was no convergence",
    205124: "bodies fixed twice, by Rattle, in the same way",
    208164: "a plane and a ball that turn: rows chosen at the start hold badly for a moment",
    208541: "impulses to 1e-8 m/s where nothing else errs by more than 1e-14",
    204150: "kilometres in milliseconds: rounding of what is fast contradicted what is fixed",
    40624: "a hinge and a ball that tumble, by Rattle with rows that hold at the start",
    300313: "in formulas, a pitch of 90.25 deg: refused without the reason",
    491569: "rows that hold badly for a while, in units of 1 cm: errors of 1e-6",
    506175: "a loop that nothing moves, nearly singular for good: it was told to accelerate",
    7003704: "bodies of 200 m by Partitioning: all dependents were rotations, which ran away",
    7009589: "a plane given twice, with a stop that nothing touches: all rows were not looked at",
    99210195: "a point that goes round 32 times on a circle of a hundredth of the size",
    492311: "a triangle of 4 mm, in formulas: arms were small beside angles, and a row was lost",
}
"""Mechanisms that were once wrong by 1e-4 to 1, or refused."""


@pytest.mark.parametrize("seed", FOUND)
def test_mechanisms_that_were_wrong(seed):
    assert judge(seed).complaints == []


def test_there_is_some_of_everything():
    plans = [random_mechanism(seed) for seed in range(COUNT)]
    assert {plan.family for plan in plans} == set(FAMILIES)
    assert sum(plan.repeated > 0 for plan in plans) > COUNT // 5
    assert sum(np.abs(plan.v).max() > 0 for plan in plans) > COUNT // 2
    loops = sum(len(plan.joints) - plan.repeated > len(plan.links) for plan in plans)
    assert loops > COUNT // 10
    sizes = [plan.size for plan in plans]
    assert max(sizes) > 1e3 * min(sizes)


def test_the_judge_sees_what_is_wrong():
    """A body that is a little heavier than planned, or turned by a little more, is noticed."""
    plan = random_mechanism(5)
    centers, rotations = oracle.poses(plan)
    v = plan.v.reshape(-1, 6)
    a = np.zeros_like(v)
    off, held, size = oracle.acceleration_error(plan, centers, rotations, v, a)
    assert max(off, held) > 1e-2 * size


def test_the_judge_bounds_what_a_tolerance_explains(monkeypatch):
    """Less than nothing is explained: then the rest of a mechanism that needs it is noticed."""
    monkeypatch.setattr(mechanism_fuzz, "GROWTH", -1e12)
    case = mechanism_fuzz.Judge(random_mechanism(208541))
    fine, _ = case.pair(64)
    monkeypatch.setattr(mechanism_fuzz.Judge, "pair", lambda *_, **_options: (fine, 0.0))
    monkeypatch.setattr(mechanism_fuzz.Motion, "off", lambda *_: 1.0)
    method_error(case, fine, 64, 0.0, dl.ContactImpulse(order=1), "maximal", "it")
    assert any("its tolerance explains" in text for text in case.verdict.complaints)


@pytest.mark.slow
@pytest.mark.skipif("DALEMBERT_FUZZ" not in os.environ, reason="DALEMBERT_FUZZ says how many")
def test_many_mechanisms():
    count = int(os.environ["DALEMBERT_FUZZ"])
    found = fuzz_driver.many("tests.mechanism_fuzz", Verdict, 0, count)
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
