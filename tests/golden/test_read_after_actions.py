"""What is read of runs with actions, where something acts no more or a parameter has changed."""

import numpy as np
import pytest

import dalembert as dl

WAYS = ({}, {"step": 1e-3}, {"formulation": "maximal"})


def spring(way):
    """A mass on a spring that is ten times as stiff from 0.5 s on, and let go at 1.5 s."""
    (k,) = dl.parameters(k=2.0)
    model = dl.Model("spring", gravity=(0, 0, 0))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1))
    model.add_joint(dl.Prismatic(model.world, ball, axis="x", initial=1.0, name="rail"))
    wall = model.world.at(x=-1.0)
    model.add_force(dl.Spring(wall, ball, stiffness=k, free_length=1.0, name="coil"))
    events = [
        dl.Event(dl.time - 0.5, action={"k": 20.0}),
        dl.Event(dl.time - 1.5, action=dl.Release("coil")),
    ]
    return dl.simulate(model, until=2.0, events=events, **way)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_power_and_work_are_those_of_the_moment(way, tmp_path):
    """With the stiffness of the start, and of a spring that was let go, they went on as before."""
    run = spring(way)
    stiffness = np.where(run.t < 0.5, 2.0, np.where(run.t < 1.5, 20.0, 0.0))
    power = -stiffness * run["ball.x"] * run["ball.x.dot"]
    inside = np.min(np.abs(run.t[:, None] - [0.5, 1.5]), axis=1) > 1e-9
    assert run.power("coil")[inside] == pytest.approx(power[inside], abs=1e-9)
    assert run.work("coil")[-1] == pytest.approx(run.kinetic[-1], rel=1e-4)
    loaded = dl.load_solution(run.save(tmp_path / "run.npz"))
    assert loaded.power("coil") == pytest.approx(run.power("coil"), abs=1e-12)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_accelerations_between_samples_are_those_of_the_moment(way):
    """The equations of the start were asked."""
    run = spring(way)
    moments = np.array([0.2, 0.9, 1.3, 1.8])
    stiffness = np.array([2.0, 20.0, 20.0, 0.0])
    there = run.sampled("ball.x", moments)
    assert run.sampled("ball.x.ddot", moments) == pytest.approx(-stiffness * there, abs=1e-3)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_sensors_between_samples_after_a_release(way):
    """A rod that was let go falls free: its IMU reads nothing, nor does a cell in the hinge."""
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    start = {"initial_speed": 2.0, "name": "hinge"}
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", **start))
    model.add_sensor(dl.IMU(rod, name="imu"))
    model.add_sensor(dl.ForceSensor("hinge", name="cell"))
    let_go = dl.Event(dl.time - 0.5, action=dl.Release("hinge"))
    run = dl.simulate(model, until=1.0, events=[let_go], **way)
    assert run.sensor("imu", times=[0.9]).values[0, :3] == pytest.approx(np.zeros(3), abs=1e-9)
    assert run.sensor("cell", times=[0.9]).values[0] == pytest.approx(np.zeros(6), abs=1e-9)
    whole = dl.simulate(model, until=0.5, **way)
    held = run.sensor("cell", times=[0.3]).values[0]
    assert held == pytest.approx(whole.sensor("cell", times=[0.3]).values[0], abs=1e-3)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_work_of_commanded_forces_is_that_of_the_moment(way):
    """A spring whose length is commanded, stiff from 0.53 s on, let go at 1.5 s."""
    k, l = dl.parameters(k=2.0, l=1.0)
    model = dl.Model("pulled", gravity=(0, 0, 0))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1))
    model.add_joint(dl.Prismatic(model.world, ball, axis="x", initial=1.0, name="rail"))
    wall = model.world.at(x=-1.0)
    model.add_force(dl.Spring(wall, ball, stiffness=k, free_length=l, name="coil"))
    wave = dl.Controller(lambda t, u: 1.5 + np.sin(3 * t), rate=10.0, inputs=[], outputs=["l"])
    events = [
        dl.Event(dl.time - 0.53, action={"k": 20.0}),
        dl.Event(dl.time - 1.5, action=dl.Release("coil")),
    ]
    run = dl.simulate(model, until=2.0, events=events, controllers=[wave], **way)
    assert run.kinetic[-1] > 0.1
    assert run.work("coil") == pytest.approx(run.kinetic, abs=1e-4 * run.kinetic.max())
