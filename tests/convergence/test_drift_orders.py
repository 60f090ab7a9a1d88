"""Powers of the step that methods of drift "step" leave on each level, as the theory states them.

With an integrator of order p (methods 4.5, 4.6, 5.5). A double pendulum in Cartesian coordinates:
on a single one the corrections of both levels are orthogonal, and higher powers would be seen.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.convergence.test_orders import two_bars

import dalembert as dl

CLAIMS = {
    "one pass": (dl.PostStabilisation(passes=1), lambda p: (2 * p + 2, p + 1)),
    "two passes": (dl.PostStabilisation(passes=2), lambda p: (3 * p + 3, 2 * p + 2)),
    "held corrections": (dl.BraunGoldfarb(), lambda p: (p + 1, p + 1)),
    "velocity only": (dl.BraunGoldfarbVelocity(), lambda p: (p, p + 1)),
}
"""Method, and the powers of Phi and Phi' with an integrator of order p."""

COUNTS = {1: (80, 160, 320, 640), 4: (12, 16, 24, 32)}
"""Steps of a run by the order of the integrator."""

ROUNDING = 1e-13


@pytest.mark.parametrize("integrator", [dl.ExplicitEuler(), dl.RK4()], ids=["euler", "rk4"])
@pytest.mark.parametrize("claim", CLAIMS)
def test_violations_fall_with_the_stated_power_of_the_step(claim, integrator):
    method, powers = CLAIMS[claim]
    steps = 0.8 / np.array(COUNTS[integrator.order])
    found = []
    for step in steps:
        solution = dl.simulate(two_bars(), 0.8, step=step, method=method, integrator=integrator)
        found.append((solution.worst["phi"], solution.worst["phi_dot"]))
    for violation, power in zip(np.array(found).T, powers(integrator.order), strict=True):
        seen = violation > ROUNDING
        if power == 15:
            assert not seen.any()  # nothing is left at the coarsest step already
            continue
        observed = np.polyfit(np.log(steps[seen]), np.log(violation[seen]), 1)[0]
        assert observed == pytest.approx(power, abs=0.35), violation
