"""Drives in joints of a tree, which are part of A: the step of the laws themselves."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

STEP = 0.01
GAINS = {
    "a": (300.0, 2.0, 0.7),
    "b": (80.0, 0.0, -0.4),
    "c": (0.0, 3.0, 0.0),
    "d": (900.0, 9.0, 0.1),
}
"""kp, kd and command of every joint."""


def arm(limits=None, restitution=0.0, floor=-50.0):
    """Three hinges, one of them from child to parent, and a slide, far above a floor."""
    model = dl.Model("arm", gravity=(0.0, 0.0, -9.81))
    surface = dl.Material(friction=0.4, restitution=restitution)
    model.add_shape(dl.Plane(position=(0, 0, floor)), on=model.world, material=surface)
    parts = [
        model.add_body(n, dl.Inertia.box(m, (0.5, 0.1, 0.2)))
        for n, m in zip("ABCD", (4, 3, 2, 1), strict=True)
    ]
    ends = [part.at(x=-0.25) for part in parts], [part.at(x=0.25) for part in parts]
    model.add_joint(
        dl.Revolute(model.world, ends[0][0], axis="y", name="a", initial=0.3, initial_speed=1.0)
    )
    model.add_joint(
        dl.Revolute(ends[1][0], ends[0][1], axis="z", name="b", initial=-0.2, initial_speed=-2.0)
    )
    model.add_joint(
        dl.Revolute(ends[0][2], ends[1][1], axis="y", name="c", initial=0.5, initial_speed=3.0)
    )
    model.add_joint(
        dl.Prismatic(ends[1][2], ends[0][3], axis="x", name="d", initial=0.1, initial_speed=0.5)
    )
    for name, (kp, kd, command) in GAINS.items():
        servo = {"kd": kd, "command": command, "limits": limits, "name": f"servo_{name}"}
        servo = dl.PositionServo(name, kp=kp, **servo) if kp else dl.VelocityServo(name, **servo)
        model.add_force(servo)
    model.add_shape(dl.Sphere(0.05), on=parts[3].at(x=0.25), material=surface)
    return model


def run_of(model, steps=1, **options):
    options = {"method": dl.ContactImpulse(**options), "step": STEP, "until": steps * STEP}
    return dl.simulate(model, formulation="generalized", progress=False, **options)


def steps_of(run):
    """Of every step: tree coordinates and velocities before it, velocities and drives after it."""
    tree = dl.Tree(run.model)
    states = [tree.from_bodies(q, v) for q, v in zip(run.q, run.v, strict=True)]
    drives = run.touch.side_forces
    assert drives.shape == (len(states), len(GAINS))
    assert [j.name for j in tree.joints] == list(GAINS)
    return tree, [(*a, b[1], f) for a, b, f in zip(states, states[1:], drives[1:], strict=False)]


def joints_of(run):
    tree = dl.Tree(run.model)
    return [tree.from_bodies(q)[0] for q in run.q]


def law(q, v):
    """What the servos say, at the end of a step."""
    kp, kd, command = np.array(list(GAINS.values())).T
    return kp * (command - q - STEP * v) - kd * v


@pytest.mark.parametrize("limits", [None, 20.0, 2.0])
def test_a_step_is_that_of_the_laws(limits):
    """M (v+ - v) = h (tau - b), tau the law at v+ within its limits, whichever drives are in A."""
    run = run_of(arm(limits), steps=60)
    tree, steps = steps_of(run)
    held = 0
    for q, v, after, force in steps:
        wanted = law(q, after)
        if limits is not None:
            held += np.count_nonzero(np.abs(wanted) > limits)
            wanted = np.clip(wanted, -limits, limits)
        assert force == pytest.approx(wanted, rel=1e-11, abs=1e-11)
        change = tree.mass_matrix(q) @ (after - v) - STEP * (wanted - tree.bias(q, v))
        # what is in A, or a force, has no tolerance
        assert np.abs(change).max() < 1e-12
    assert (held > 5) == (limits is not None)


def wheel(inertia, *forces):
    """A wheel on an axle; the forces are made for its joint."""
    model = dl.Model("wheel", gravity=(0, 0, 0))
    body = model.add_body("wheel", dl.Inertia(1.0, (inertia, inertia, inertia)))
    model.add_joint(dl.Revolute(body, model.world, axis="z", name="axle", initial_speed=0.0))
    for force in forces:
        model.add_force(force)
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("kd", [0.0, 5e3])
def test_a_weak_drive_moves_a_heavy_wheel(formulation, kd):
    """What it does in a step is below any tolerance of velocities, and adds up."""
    drive = dl.VelocityServo("axle", command=1.0, limits=4e-3, **({"kd": kd} if kd else {}))
    model, until = wheel(1e5, drive), 1.0
    options = {"step": 1e-3, "until": until, "formulation": formulation, "progress": False}
    run = dl.simulate(model, method=dl.ContactImpulse(), **options)
    assert run.touch.side_forces[1:, 0] == pytest.approx(np.full(1000, 4e-3), rel=1e-12)
    wanted = 0.5 * 4e-3 / 1e5 * until * (until + 1e-3)
    assert run[model.joints["axle"].angle][-1] == pytest.approx(wanted, rel=1e-6)


def test_dry_friction_slides_at_its_bound_and_then_holds():
    model = dl.Model("wheel", gravity=(0, 0, 0))
    body = model.add_body("wheel", dl.Inertia(1.0, (2.0, 2.0, 2.0)))
    hinge = dl.Revolute(model.world, body, axis="z", name="axle", initial_speed=3.0)
    hinge = model.add_joint(hinge)
    model.add_force(dl.JointFriction(hinge, dry=1.5))
    run = run_of(model, steps=600)
    speed = np.diff(run[hinge.angle]) / STEP
    force = run.touch.side_forces[1:, 0]
    # 3 - 1.5 / 2 t until t = 4
    assert force[:399] == pytest.approx(np.full(399, -1.5), rel=1e-13)
    assert speed[:399] == pytest.approx(3.0 - 0.75 * STEP * np.arange(1, 400), abs=1e-12)
    assert np.abs(speed[401:]).max() < 1e-10
    assert np.abs(force[401:]).max() < 1e-9


def test_the_energy_reported_is_that_of_the_bodies():
    run = run_of(arm(), steps=20)
    tree, steps = steps_of(run)
    told = run.solve_info["energy_change"][1:]
    for (q, v, after, _), change in zip(steps, told, strict=True):
        M = tree.mass_matrix(q)
        assert change == pytest.approx(0.5 * (after @ M @ after - v @ M @ v), abs=1e-12)


@pytest.mark.parametrize("order", [1, 2])
def test_on_the_ground_it_moves_as_bodies_do(order):
    model = arm(limits=60.0, floor=-0.6)
    method = dl.ContactImpulse(order=order)
    options = {"method": method, "step": 1e-3, "until": 0.5, "progress": False}
    one, two = (dl.simulate(model, formulation=f, **options) for f in ("maximal", "generalized"))
    assert two.statistics["contact"]["contacts"] > 0
    assert np.nanmax(two.contact_force("D", "world")) > 1.0
    assert np.abs(one.q - two.q).max() < 2e-3
    assert np.nanmax(two.solve_info["residual"]) < 2e-8


@pytest.mark.parametrize("order", [1, 2])
def test_with_impacts_drives_have_blocks(order):
    """The two phases of an impact have the inertia of bodies: no energy comes of it."""
    model = arm(restitution=0.8, floor=-0.6)
    run = dl.simulate(
        model,
        method=dl.ContactImpulse(order=order, restitution="poisson"),
        step=1e-3,
        until=0.6,
        formulation="generalized",
        progress=False,
    )
    assert run.statistics["contact"]["poisson"] > 0
    assert run.statistics["contact"]["penetration"] < 1e-5
    # what servos store besides
    kp, _, command = np.array(list(GAINS.values())).T
    stored = [0.5 * kp @ (q - command) ** 2 for q in joints_of(run)]
    energy = run.kinetic + run.potential + stored
    assert np.diff(energy).max() < 2e-3 * np.abs(energy[0])


def test_angles_of_many_turns_are_counted():
    """On a tree an angle is its coordinate, however far it has turned and wherever it starts."""
    model = dl.Model("wheel")
    wheel = model.add_body("wheel", dl.Inertia.cylinder(1.0, radius=0.3, length=0.1))
    hinge = model.add_joint(
        dl.Revolute(wheel, model.world, axis="z", name="axle", initial_speed=-9.0)
    )
    model.add_force(dl.PositionServo(hinge, kp=5.0, kd=0.4, command=-20.0, name="servo"))
    method = dl.ContactImpulse()
    run = dl.simulate(
        model, until=60.0, step=1e-2, method=method, formulation="generalized", progress=False
    )
    assert run[hinge.angle][-1] == pytest.approx(-20.0, abs=1e-3)
