"""Some models of the catalog through every question (`tests.battery`), others every day."""

import pytest
from tests.battery import battery
from tests.support.of_the_day import of_the_day

from dalembert import catalog

SHARE = 31
"""In so many days every model has its turn."""

LONG = {"arch", "cassie-leg", "chain", "delta", "dominoes", "falling-humanoid", "humanoid"}
"""Models whose questions take more than ten seconds of processor time."""

NAMES = [name for name in catalog.names() if name not in LONG]


@pytest.mark.parametrize("name", ["car-axis", "double-pendulum", "bennett", "bouncing-ball"])
def test_every_question(name):
    asked = battery(name)
    assert asked.complaints == []
    assert {"simulate", "rollout", "linearize", "doctor", "page", "sizing"} <= set(asked.seconds)


def test_models_of_the_day():
    for name in of_the_day(NAMES, SHARE):
        assert battery(name).complaints == [], name
