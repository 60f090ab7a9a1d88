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


def floating():
    """A trunk with its frame off the centre of mass, and a limb."""
    model = dl.Model("floating")
    box = dl.Inertia.box(2.0, size=(0.4, 0.3, 0.2)).moved((0.1, 0.0, -0.07))
    trunk = model.add_body("trunk", box)
    limb = model.add_body("limb", dl.Inertia.rod(mass=0.5, length=0.6))
    model.add_joint(dl.Revolute(trunk.at(x=0.2), limb.at(x=-0.3), axis="y", name="knee"))
    return model


def test_names_of_a_free_body_mean_the_same_in_many_worlds():
    model, start = floating(), {"trunk.z": 0.7, "trunk.roll": 0.4, "knee.angle": -0.3}
    run = dl.simulate(model, until=0.1, step=1e-3, initial=start, formulation="generalized")
    options = {"worlds": 2, "step": 1e-3, "steps": 100}
    found = dl.rollout(model, start, **options)
    for name in found.coordinate_names:
        if ".q" not in name:
            np.testing.assert_allclose(found[name][1], run[name], atol=1e-12, err_msg=name)
    names = ["trunk.z", "trunk.center_z", "limb.x", "knee.angle"]
    seen = dl.rollout(model, start, record=names, **options)
    for name in names:
        np.testing.assert_allclose(seen[name][1], run[name], atol=1e-12, err_msg=name)
    assert abs(run["trunk.z"] - run["trunk.center_z"]).min() > 0.01


def test_each_world_has_its_own_place():
    heights = np.array([0.3, 0.5, 0.9])
    found = dl.rollout(floating(), {"trunk.z": heights}, record=["trunk.z"], step=1e-3, steps=1)
    np.testing.assert_allclose(found["trunk.z"][:, 0], heights, atol=1e-14)
