"""Servo constraints of bodies, trees and loops, and of Braun and Goldfarb's biped with motors."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError, SimulationError

MOMENTS = np.linspace(0.0, 1.0, 11)


def smooth(r):
    return 126 * r**5 - 420 * r**6 + 540 * r**7 - 315 * r**8 + 70 * r**9


def elastic_joint():
    """A motor turns a rod through a spring; the rod's angle is prescribed."""
    (T,) = dl.parameters(T=0.0)
    model = dl.Model("elastic joint", gravity=(0, 0, -9.81))
    rotor = model.add_body("rotor", dl.Inertia(1.0, (0.5, 0.5, 0.5)))
    rod = model.add_body("rod", dl.Inertia.rod(2.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rotor, axis="-y", name="hinge"))
    bend = model.add_joint(dl.Revolute(rotor, rod.at(x=-0.5), axis="-y", name="bend"))
    model.add_force(dl.DirectDrive(hinge, command=T, name="motor"))
    model.add_force(dl.TorsionSpring(bend, free_angle=0.0, stiffness=80.0, name="spring"))
    return model, hinge.angle + bend.angle


@pytest.mark.parametrize("by", ["T", "motor"])
def test_an_elastic_joint_in_closed_form(by):
    """T = J1 b'' + k (b - a),  b = a + (J2 a'' + m g l/2 cos a) / k,  with a(t) prescribed."""
    model, angle = elastic_joint()
    found = dl.servo(model, {angle: 0.8 * smooth(dl.time)}, [by], at=MOMENTS)
    assert (found.realisation, found.index, found.flat) == ("tangent", 5, True)
    t = dl.time
    a = 0.8 * smooth(t)

    def rate(f, n=1):
        for _ in range(n):
            (f,) = dl.formulas.time_derivative([f])
        return f

    b = a + (2.0 / 3.0 * rate(a, 2) + 9.81 * np.cos(a)) / 80.0
    wanted = 0.5 * rate(b, 2) + 80.0 * (b - a)
    exact = [float(dl.formulas.evaluate([wanted], {t: x})[0]) for x in MOMENTS]
    np.testing.assert_allclose(found[by], exact, rtol=1e-9, atol=1e-9)


def test_a_loop_is_moved_by_its_crank():
    """The rocker's angle is prescribed, the torque played to the four-bar alone."""
    model = dl.Model("four-bar", gravity=(0, -9.81, 0))
    bars = {"crank": 0.4, "coupler": 1.0, "rocker": 0.7}
    crank, coupler, rocker = (
        model.add_body(n, dl.Inertia.rod(x, length=x)) for n, x in bars.items()
    )
    A = model.add_joint(dl.Revolute(model.world, crank.at(x=-0.2), name="A", initial=np.pi / 3))
    model.add_joint(dl.Revolute(crank.at(x=0.2), coupler.at(x=-0.5), name="B", initial=-0.6))
    at = model.world.at(x=1.0)
    model.add_joint(dl.Revolute(at, rocker.at(x=-0.35), name="D", initial=1.3))
    model.add_joint(dl.Revolute(coupler.at(x=0.5), rocker.at(x=0.35), name="C"))
    start = dl.assemble(model, {"A": np.pi / 3})
    path = start["D.angle"] + 0.2 * smooth(2 * dl.time)
    (T,) = dl.parameters(T=0.0)
    model.add_force(dl.DirectDrive(A, command=T, name="motor"))
    found = dl.servo(model, {"D.angle": path}, [T], until=0.5, initial=start)
    assert (found.realisation, found.index, found.flat) == ("orthogonal", 3, True)
    assert np.abs(found.replay()).max() < 1e-9
    assert found["D.angle"][-1] == pytest.approx(start["D.angle"] + 0.2, abs=1e-12)


def test_non_minimum_phase_arms_are_recognised():
    """The point between the elbow and the end of an arm with a passive elbow."""
    (T,) = dl.parameters(T=0.0)
    model = dl.Model("arm", gravity=(0, 0, 0))
    upper, lower = (model.add_body(n, dl.Inertia.rod(1.0, length=1.0)) for n in ("upper", "lower"))
    a = model.add_joint(dl.Revolute(model.world, upper.at(x=-0.5), name="a"))
    b = model.add_joint(dl.Revolute(upper.at(x=0.5), lower.at(x=-0.5), name="b"))
    model.add_force(dl.DirectDrive(a, command=T, name="motor"))
    model.add_force(dl.TorsionSpring(b, free_angle=0.0, stiffness=50.0, damping=0.25, name="s"))
    path = np.pi / 2 * smooth(dl.time / 1.5)
    with pytest.raises(SimulationError, match=r"non-minimum phase.*-23\.04"):
        dl.servo(model, {a.angle + 0.5 * b.angle: path}, [T], until=1.5)


def test_what_bodies_cannot_do_is_refused_by_name():
    model, angle = elastic_joint()
    with pytest.raises(OptionError, match="'nothing' is neither an actuator nor a parameter"):
        dl.servo(model, {angle: dl.time}, ["nothing"], until=1.0)
    free = dl.Model("free")
    box = free.add_body("box", dl.Inertia(1.0, (1.0, 1.0, 1.0)))
    (F,) = dl.parameters(F=0.0)
    free.add_force(dl.Force(box, (F, 0, 0), name="push"))
    with pytest.raises(OptionError, match="turn freely"):
        dl.servo(free, {"box.x": dl.time}, [F], until=1.0)


MOTORS = {
    "forward hip": (2, 3),
    "backward hip": (2, 6),
    "forward knee": (3, 4),
    "backward knee": (6, 7),
    "forward ankle": (4, 5),
    "backward ankle": (7, 8),
}
"""Between which of the absolute angles a motor acts."""

EXERCISES = {
    1: (
        ["upper body", "forward knee", "backward knee"],
        ["forward hip", "forward knee", "backward knee"],
    ),
    2: (
        ["upper body", "forward foot", "backward foot", "backward knee", "forward knee"],
        ["forward hip", "forward knee", "backward knee", "forward ankle", "backward ankle"],
    ),
}
"""Rows of an exercise that motors have to keep, and the motors; the ground keeps the others."""


@pytest.mark.parametrize("exercise", [1, 2])
def test_motors_move_the_biped_through_its_exercises(exercise):
    """Realisable: motors alone do work, as much as the energy changes by."""
    asked, motors = EXERCISES[exercise]
    given = dl.catalog.load("biped", exercise=exercise)
    q = list(given.coordinates)
    torques = dl.parameters(**{name.replace(" ", "_"): 0.0 for name in motors})
    force = list(given.force)
    for torque, name in zip(torques, motors, strict=True):
        first, second = MOTORS[name]
        force[first], force[second] = force[first] + torque, force[second] - torque
    rows = {c.name: list(c.rows) for c in given.constraints}
    model = dl.Model.from_matrices(
        name="biped with motors",
        coordinates=q,
        mass=[list(row) for row in given.mass],
        force=force,
        constraints=[(name, r) for name, r in rows.items() if name not in asked],
        initial=given.initial,
    )
    outputs = {rows[name][0]: 0.0 for name in asked}
    moments = np.array([0.25, 0.5, 0.9])
    found = dl.servo(model, outputs, torques, at=moments)
    assert found.realisation == "orthogonal"
    assert found.flat
    power = sum(
        found[x.name] * (found.v[:, MOTORS[n][0]] - found.v[:, MOTORS[n][1]])
        for x, n in zip(torques, motors, strict=True)
    )
    gained = [_power(given, *state) for state in zip(found.q, found.v, found.a, strict=True)]
    np.testing.assert_allclose(power, gained, rtol=1e-9, atol=1e-9)


def _power(model, q, v, a):
    """d(T + V)/dt of a state."""
    energy = model.kinetic + model.potential
    (rate,) = dl.formulas.time_derivative(
        [energy], list(model.coordinates), dict(zip(model.coordinates, a, strict=True))
    )
    known = dict(zip(model.coordinates, q, strict=True))
    known |= {x.dot: y for x, y in zip(model.coordinates, v, strict=True)}
    for leaf in dl.formulas.symbols([rate], "parameter"):
        known[leaf] = model.parameters[leaf.name]
    return float(dl.formulas.evaluate([rate], known)[0])
