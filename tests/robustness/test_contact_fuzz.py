"""Random scenes with contact: whatever is described runs, and says truly how well.

Every scene is judged step by step (`tests.contact_fuzz`). Here are a few hundred small ones; with
DALEMBERT_FUZZ=10000 so many, in processes of their own that may not hang.
"""

import os

import pytest
from tests.contact_fuzz import judge, many
from tests.support.of_the_day import of_the_day
from tests.support.random_scenes import ROBOTS_FROM, SETUPS_FROM, random_scene

from dalembert.errors import DalembertError

COUNT, EACH = 240, 20


def verdict_of(seed):
    try:
        scene = random_scene(seed)
    except DalembertError:
        return None  # described by name what cannot be
    return judge(scene)


STARTS = [*range(0, COUNT, EACH), *range(SETUPS_FROM, SETUPS_FROM + COUNT // 2, EACH)]
BATCHES = [range(first, first + EACH) for first in STARTS]
ROBOTS = [range(first, first + 4 * EACH, 4) for first in (ROBOTS_FROM, ROBOTS_FROM + 4 * EACH)]


@pytest.mark.parametrize(
    "seeds", of_the_day([*BATCHES, *ROBOTS], 6), ids=lambda seeds: str(seeds.start)
)
def test_scenes(seeds):
    found = [v for v in map(verdict_of, seeds) if v is not None]
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
    # most of them are scenes, and do something
    assert sum(v.steps for v in found) > 5 * EACH
    assert sum(v.contacts for v in found) > EACH


FAILED = {
    986: "Poisson's law on a tree with a loop: compression was not given back through the tree",
    1062: "the same with limits",
    1136: "a tree that whirled until it was nowhere, above a height field",
    1635: "Poisson's law on a tree, with a stop",
    1622: "a tree that whirled",
    1835: "Poisson's law on a tree, by Newton's method",
    2027: "Poisson's law on a needle: momentum was told of the second phase alone",
    3706: "joints given twice, in second order: rows of rounding with a lead",
    5003: "a joint given twice: its drift was rounding over rounding",
    5053: "contacts next to the axes of joints were pushed out by whole turns",
    6524: "the same by rows of 1e-28, and a formula without slope in its middle",
    8493: "judged beyond its room for samples: no step, and the report of the last one",
    10517: "thin plates that would meet by turning alone",
    10259: "contacts of hinged plates counted as doing work that joints took away",
    10647: "a drive whose row has no entries on one side",
    40112: "a smooth step of bodies that turn by radians, past one another",
    61949: "edges of thin plates that meet while they turn: corners went through",
    66931: "the same, fast",
    70533: "the same with edges that are nearly parallel",
}


@pytest.mark.parametrize("seed", FAILED)
def test_scenes_that_once_failed(seed):
    verdict = verdict_of(seed)
    assert verdict is None or verdict.complaints == []


@pytest.mark.skipif("DALEMBERT_FUZZ" not in os.environ, reason="set DALEMBERT_FUZZ to a number")
def test_many_scenes():
    count = int(os.environ.get("DALEMBERT_FUZZ", "0"))
    assert [f"{v.seed}: {v.complaints}" for v in many(0, count) if v.complaints] == []
