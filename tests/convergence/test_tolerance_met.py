"""Steps that follow a tolerance beside located events, in all scenes of the catalog that move and
in which events are located to the end.

`slider-crank-clearance` is left out: 1074 impacts a second, after which nothing is known.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dalembert as dl

MOVING = [
    *("bouncing-ball", "cradle", "cup", "geneva-drive", "hopper", "painleve-rod", "ratchet"),
    *("rocking-block", "stick-slip-belt", "string-pendulum", "top-on-floor"),
]

STANDING = ["arch", "cards", "incline", "stack", "wall"]

TIMES = np.linspace(0.0, 1.0, 21)


@functools.cache
def located(name):
    """The motion from event to event, which no step with impulses has a part in."""
    run = dl.simulate(dl.catalog.load(name), mode="events", until=1.0, times=TIMES, progress=False)
    assert "stepping" not in {entry.kind for entry in run.log}
    assert np.abs(run.q - run.q[0]).max() > 0.05
    return run.q


def stepped(name, tolerance):
    return dl.simulate(
        dl.catalog.load(name),
        mode="stepping",
        rtol=tolerance,
        until=1.0,
        times=TIMES,
        progress=False,
    )


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("name", MOVING)
def test_the_tolerance_is_met(name, tolerance):
    """Largest error of a coordinate at 21 moments of a second, over the tolerance and its size."""
    exact = located(name)
    off = np.abs(stepped(name, tolerance).q - exact) / np.maximum(1.0, np.abs(exact))
    assert off.max() < 10.0 * tolerance


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("name", STANDING)
def test_what_stands_stays(name, tolerance):
    """Where it began, by how it was built; in few steps."""
    run = stepped(name, tolerance)
    assert np.abs(run.q - run.q[0]).max() < min(tolerance, 1e-9)
    assert run.statistics["steps"] < 25


def test_a_tighter_tolerance_of_a_tree_costs_its_root():
    """Second order: 100 times the accuracy takes 10 times the steps between events, not 100."""
    counts = [stepped("ratchet", tolerance).statistics["steps"] for tolerance in (1e-5, 1e-7)]
    assert counts[1] < 40 * counts[0]
