"""States go from many worlds to a single run and back."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError


@pytest.fixture(scope="module")
def leg():
    return dl.catalog.load("cassie-leg")


def test_a_world_goes_on_as_a_single_run(leg):
    found = dl.rollout(leg, worlds=2, step=1e-3, steps=40)
    tree = dl.Tree(leg)
    state = tree.to_bodies(found.q[1, 20], found.v[1, 20])
    run = dl.simulate(leg, start=0.02, until=0.04, step=1e-3, initial=state)
    q, v = tree.from_bodies(run.q[-1], run.v[-1], near=found.q[1, -1])
    np.testing.assert_allclose(q, found.q[1, -1], atol=1e-10)
    np.testing.assert_allclose(v, found.v[1, -1], atol=1e-8)


def test_what_to_do_is_said(leg):
    found = dl.rollout(leg, worlds=1, step=1e-3, steps=1)
    with pytest.raises(OptionError, match="to_bodies"):
        dl.simulate(leg, until=0.01, initial=(found.q[0, -1], found.v[0, -1]))
    q, v = dl.Tree(leg).to_bodies(found.q[0, -1], found.v[0, -1])
    with pytest.raises(OptionError, match="from_bodies"):
        dl.rollout(leg, (q[None], v[None]), step=1e-3, steps=1)
