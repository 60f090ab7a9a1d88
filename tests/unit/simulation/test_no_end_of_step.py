"""A step whose equations were not solved is not taken."""

import numpy as np
import pytest

import dalembert as dl


@pytest.mark.parametrize("method", [dl.AugmentedLagrangian(), dl.IndexTwo()], ids=repr)
def test_a_force_that_jumps_within_a_step_stops_the_iteration(method):
    # 10 kN that change sign at x = 0: at steps of 10 ms no end of the step balances them. The
    # augmented Lagrangian once took the last of its iterations, with an energy of 13 kJ.
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints=[x**2 + y**2 - 1],
        forces={x: -1e4 * dl.where(x > 0, 1.0, -1.0)},
        initial={x: 0.1, y: -np.sqrt(0.99)},
    )
    with pytest.raises(dl.errors.SimulationError, match="did not converge") as failed:
        dl.simulate(model, until=0.2, step=1e-2, method=method)
    assert failed.value.solution.energy.max() <= 1e-9
