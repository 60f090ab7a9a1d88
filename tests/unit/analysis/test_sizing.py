"""Loads of a run: closed forms, counting of cycles, the command."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dalembert as dl
from dalembert.analysis.sizing.rainflow import histogram
from dalembert.cli import main
from dalembert.errors import OptionError
from dalembert.simulation.results.peaks import peaks


def test_rainflow_of_the_standard():
    """ASTM E1049-85, figure 6: -2 1 -3 5 -1 3 -4 4 -2."""
    found: dict[float, float] = {}
    for cycle in dl.rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2]):
        found[cycle.range] = found.get(cycle.range, 0.0) + cycle.count
    assert found == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}


def test_rainflow_of_many_equal_cycles():
    t = np.linspace(0.0, 20.0 * np.pi, 4001)
    counts, edges = histogram(3.0 * np.sin(t), 3)
    assert edges[-1] == pytest.approx(6.0, rel=1e-4)
    assert counts[-1] == pytest.approx(10.0, abs=0.6)
    assert dl.rainflow([1.0, 1.0, 1.0]) == []
    with pytest.raises(OptionError, match="finite"):
        dl.rainflow([0.0, float("nan")])


def arm():
    """A point mass on a hinge, turned with 4 rad/s in a vertical plane."""
    model = dl.Model("arm")
    mass = model.add_body("mass", dl.Inertia.point(2.0))
    hinge = model.add_joint(dl.Revolute(model.world, mass.at(x=-0.5), axis="y", name="hinge"))
    model.add_joint(dl.Motion(hinge, value=4.0 * dl.time, name="drive"))
    return model


def test_loads_of_a_turning_mass():
    turn = np.pi / 2.0
    run = dl.simulate(arm(), until=2 * turn, times=np.linspace(0.0, 2 * turn, 801))
    found = dl.sizing(run, cycle=turn)
    (bearing,), (drive,) = found.bearings, found.drives
    # m r w^2 = 16 N outwards, m g = 19.62 N down
    assert bearing.peak_force == pytest.approx(16.0 + 19.62, rel=1e-9)
    assert bearing.rms_force == pytest.approx(np.sqrt(16.0**2 + 19.62**2), rel=1e-6)
    assert bearing.peak_radial == pytest.approx(bearing.peak_force)
    assert bearing.peak_axial == pytest.approx(0.0, abs=1e-9)
    assert drive.unit == "N m"
    assert drive.peak_effort == pytest.approx(9.81, rel=1e-9)
    assert drive.rms_effort == pytest.approx(9.81 / np.sqrt(2.0), rel=1e-6)
    assert drive.peak_power == pytest.approx(4.0 * 9.81, rel=1e-9)
    assert drive.cycle_work == pytest.approx(0.0, abs=1e-6)
    assert drive.driving == pytest.approx(2 * 2 * 9.81, rel=1e-4)
    assert drive.braking == pytest.approx(-drive.driving, rel=1e-4)
    counts, _ = found.histogram("drive", bins=4)
    assert counts.sum() == pytest.approx(2.0, abs=0.51)
    assert "hinge" in found.summary()
    assert "drive" in found.summary()


@pytest.mark.parametrize(
    ("names", "options", "text"),
    [
        (("hing",), {}, "'hing'"),
        ((), {"cycle": -1.0}, "cycle"),
        ((), {"cycle": 50.0}, "longer than the run"),
    ],
)
def test_refusals(names, options, text):
    run = dl.simulate(arm(), until=0.1, step=0.01)
    with pytest.raises(OptionError, match=text):
        dl.sizing(run, names, **options)


def test_not_a_run_of_bodies():
    with pytest.raises(OptionError, match="coordinates"):
        dl.sizing(dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=0.01))
    with pytest.raises(OptionError, match="no solution"):
        dl.sizing("run")
    with pytest.raises(OptionError, match="no 'bending'"):
        dl.sizing(dl.simulate(arm(), until=0.1, step=0.01)).series("hinge", "bending")


def test_command(capsys):
    command = ["size", "slider-crank-bodies", "--until", "0.2", "--step", "0.01"]
    assert main([*command, "--histogram", "pin"]) == 0
    shown = capsys.readouterr().out
    assert "bearing" in shown
    assert "cycles" in shown
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {x["name"] for x in found["bearings"]} == {"bearing", "pin", "wrist", "guide"}


@pytest.mark.parametrize("turned", ["roll", "pitch", "yaw"])
def test_drives_of_roll_pitch_and_yaw_are_told_as_torques(turned):
    """A ball turned about each of the three, the others held: the generalised force is I f''."""
    still = {"roll": 0.3, "pitch": 0.4, "yaw": -0.2}
    model = dl.Model("ball", gravity=(0, 0, 0))
    ball = model.add_body("ball", dl.Inertia(2.0, (0.1, 0.1, 0.1)))
    model.add_joint(dl.Spherical(model.world, ball))
    for name, angle in still.items():
        value = angle + (0.5 * np.sin(3 * dl.time) if name == turned else 0.0 * dl.time)
        model.add_joint(dl.Motion(ball, value, coordinate=name, name=name))
    run = dl.simulate(model, until=1.0, step=1e-3)
    found = {x.name: x for x in dl.sizing(run).drives}
    t = run.t
    effort = -0.1 * 0.5 * 9 * np.sin(3 * t)
    power = effort * 1.5 * np.cos(3 * t)
    assert dl.sizing(run).series(turned) == pytest.approx(effort, abs=1e-9)
    assert run.power(turned) == pytest.approx(power, abs=1e-9)
    assert {x.unit for x in found.values()} == {"N m"}
    assert found[turned].peak_speed == pytest.approx(1.5, rel=1e-12)
    told = [x for x in peaks(run, [turned]) if x.what == "effort"]
    assert max(abs(x.value) for x in told) == pytest.approx(np.abs(effort).max(), rel=1e-9)
    assert {x.unit for x in told} == {"N m"}


def test_a_drive_without_effort_has_its_speed():
    """A balanced rotor turns at 30 rad/s, and nothing has to drive it."""
    model = dl.Model("rotor", gravity=(0, 0, 0))
    rotor = model.add_body("rotor", dl.Inertia(2.0, (0.1, 0.1, 0.1)))
    hinge = model.add_joint(dl.Revolute(model.world, rotor, axis="z", name="hinge"))
    model.add_joint(dl.Motion(hinge, value=30 * dl.time, name="drive"))
    (drive,) = dl.sizing(dl.simulate(model, until=0.5, step=1e-3)).drives
    assert drive.peak_speed == pytest.approx(30.0, rel=1e-12)
    free = dl.Model("wheel", gravity=(0, 0, 0))
    wheel = free.add_body("wheel", dl.Inertia(2.0, (0.1, 0.1, 0.1)))
    hinge = free.add_joint(dl.Revolute(free.world, wheel, axis="z", name="hinge", initial_speed=-7))
    free.add_force(dl.DirectDrive(hinge, command=0.0, name="motor"))
    (motor,) = dl.sizing(dl.simulate(free, until=0.5, step=1e-3)).drives
    assert motor.peak_speed == pytest.approx(7.0, rel=1e-12)
