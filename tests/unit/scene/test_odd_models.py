"""Models and runs at the edge: nothing, one sample, no gravity, gravity elsewhere."""

import dataclasses

import numpy as np
import pytest
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.scene import describe, follow, solids


def test_an_empty_model_is_an_empty_scene():
    scene = describe(dl.Model("nothing"))
    assert (scene.bodies, scene.points, scene.size) == ((), (), 1.0)
    assert scene.notes


def test_one_sample_is_one_moment():
    s = turning()
    parts = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    one = dataclasses.replace(s, **{name: getattr(s, name)[:1] for name in parts})
    scene, motion = follow(one)
    assert motion.t.tolist() == [0.0]
    assert motion.values.shape == (1, len(scene.signals))
    assert np.isfinite(motion.values).all()


@pytest.mark.parametrize(
    ("gravity", "up"),
    [((0, -9.81, 0), (0, 1, 0)), ((0, 0, 0), (0, 0, 1)), ((3.0, 0, -4.0), (-0.6, 0, 0.8))],
)
def test_up_is_against_gravity_and_feet_stand_that_way(gravity, up):
    model = dl.Model("pendulum", gravity=gravity)
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    model.add_joint(dl.Spherical(model.world, rod.at(x=-0.5)))
    scene = describe(model)
    assert scene.up == pytest.approx(up)
    (foot,) = scene.ground
    assert solids.matrix(foot.rotation)[:, 2] == pytest.approx(up)


def test_named_frames_of_bodies_and_of_the_world():
    model = dl.Model("frames")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    rod.at(x=0.5, rotation=("z", np.pi / 2), name="tip")
    model.world.at(z=1.0, name="ceiling")
    scene = describe(model)
    (tip,) = scene.bodies[0].frames
    assert (tip.name, tip.position) == ("tip", (0.5, 0.0, 0.0))
    assert solids.matrix(tip.rotation)[:, 0] == pytest.approx([0, 1, 0])
    assert [(frame.name, frame.position[2]) for frame in scene.frames] == [("ceiling", 1.0)]


def test_a_start_that_cannot_be_told_does_not_stop_the_drawing():
    (l,) = dl.parameters(l=1.0)
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, initial={x: 1 / (l - 2)}, points={"mass": (x, 0.0)}
    )
    assert len(describe(model.with_parameters(l=2.0)).points) == 1
