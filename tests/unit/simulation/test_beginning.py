"""Which contacts begin to slide, and where to."""

import numpy as np

from dalembert.contact.events.layout import SLIP
from dalembert.simulation.hybrid.candidates import Candidate
from dalembert.simulation.hybrid.decide import Laws, decide

MU = 0.9


def test_sliding_that_begins_goes_where_its_acceleration_points():
    """A corner of a box after a plastic impact: going from d to the direction of u_t' circles."""
    W = np.array(
        [
            [7.745983818434, -5.557875050148, -2.604621576635],
            [-5.557875050148, 11.982832475737, -2.415375782144],
            [-2.604621576635, -2.415375782144, 14.998677685129],
        ]
    )
    free = np.array([-4.113519869778, 4.069707934627, 3.801992335205])
    laws = Laws(W, free, np.zeros(3), {}, np.zeros(3), 1e-9, 1e-4)
    corner = Candidate((0, 2, 0), 3, MU, 0.0)
    answer = decide(laws, [corner], {})
    assert answer is not None
    assert answer.modes == [SLIP]
    a = free + W @ answer.force
    assert abs(a[0]) < 1e-12
    assert answer.force[0] > 0.0
    d = a[1:] / np.linalg.norm(a[1:])
    assert np.allclose(answer.force[1:], -MU * answer.force[0] * d, rtol=0, atol=1e-12)
