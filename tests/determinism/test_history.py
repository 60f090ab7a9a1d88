"""Formulas written before do not change a run: seen by two processes of different pasts."""

from __future__ import annotations

import numpy as np
from tests.support.fingerprint import digest_of, in_a_process

import dalembert as dl


def terms():
    """Coordinates, and two products whose sum is rounded by which of them is fused."""
    x, y = dl.coordinates("x y")
    return x, y, np.sin(x) * np.cos(y), x.dot * y


def run():
    """Fingerprint of a motion by a force that is a sum of products."""
    x, y, first, second = terms()
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=(x**2 + y**2) / 2,
        forces={x: first + second},
    )
    solution = dl.simulate(model, until=2.0, step=1e-2, initial={x: 1.0, y: 0.3})
    return digest_of(solution).hexdigest()


SCRIPT = """
import json, sys
from tests.determinism.test_history import run, terms
if sys.argv[1] == "reversed":
    x, y, first, second = terms()
    kept = second + first
json.dump(run(), sys.stdout)
"""


def test_the_same_sum_written_the_other_way_round_before():
    assert in_a_process(SCRIPT, "reversed") == in_a_process(SCRIPT)
