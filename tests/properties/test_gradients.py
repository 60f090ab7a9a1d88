"""Exact derivatives of 50 random models against differences of `simulate`, to their limit."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.of_the_day import of_the_day

import dalembert as dl

REACH = 2e-3
WEIGHTS = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
"""Differences of sixth order: their error is some 1e-12 over the step."""

STEP, UNTIL = 2e-3, 0.6


def formulas(rng):
    """Masses on springs with a quartic potential, coupled inertia, damping, a push of time."""
    n = int(rng.integers(2, 4))
    q = dl.coordinates("q", n)
    k, c, m, w = dl.parameters(k=rng.uniform(5, 20), c=0.3, m=rng.uniform(0.5, 2), w=3.0)
    v = np.array([x.dot for x in q])
    kinetic = m * (v @ v) / 2 + 0.2 * m * np.cos(q[0]) * v[0] * v[1]
    potential = k * (q[0] ** 2 + sum((q[i + 1] - q[i]) ** 2 for i in range(n - 1))) / 2
    potential = potential + 0.3 * q[-1] ** 4
    model = dl.Model.from_lagrangian(
        coordinates=list(q),
        kinetic=kinetic,
        potential=potential,
        dissipation=c * (v @ v) / 2,
        forces={q[-1]: 2.0 * np.sin(w * dl.time)},
        initial={x: rng.uniform(-0.5, 0.5) for x in q},
    )
    return model, [q[0], q[-1].dot], ["k", "c", "m", "w"], {}


def tree(rng, *, ball=False):
    """A chain of bodies with hinges about random axes, perhaps on a ball joint."""
    length, mass, g = dl.parameters(length=rng.uniform(0.3, 0.8), mass=rng.uniform(0.5, 2), g=9.81)
    model = dl.Model("chain", gravity=(0, 0, -g))
    before, joints = model.world, []
    for i in range(int(rng.integers(2, 4))):
        size = (0.1, 0.05 + 0.1 * length, length)
        body = model.add_body(f"b{i}", dl.Inertia.box(mass, size=size))
        top = body.at(z=length / 2)
        if ball and i == 0:
            joint = dl.Spherical(before, top, name="j0")
        else:
            axis = tuple(rng.standard_normal(3))
            joint = dl.Revolute(before, top, axis=axis, initial=rng.uniform(-1, 1), name=f"j{i}")
        joints.append(model.add_joint(joint))
        before = body.at(x=0.3 * length, z=-length / 2)
    last = body.at(z=-length / 2)
    k = dl.parameters(k=rng.uniform(0.5, 2))[0]
    model.add_force(dl.JointFriction(joints[-1], damping=0.05, name="grease"))
    model.add_force(dl.TorsionSpring(joints[-1], stiffness=k, name="spring"))
    return model, [last.position[0], last.velocity[2]], ["length", "mass", "g", "k"], {}


def ball_tree(rng):
    return tree(rng, ball=True)


def loop(rng):
    """A four-bar of formulas; the start is closed again with its crank where it was."""
    a, b, c = dl.coordinates("a b c")
    sizes = {
        "A": rng.uniform(0.3, 0.5),
        "B": rng.uniform(0.9, 1.1),
        "C": rng.uniform(0.7, 0.9),
        "G": rng.uniform(0.9, 1.1),
        "m": rng.uniform(0.5, 2),
    }
    A, B, C, G, m = dl.parameters(**sizes)
    at = rng.uniform(0.5, 2.0)

    def along(x):
        return np.array([np.cos(x), np.sin(x)])

    places = [A / 2 * along(a), A * along(a) + B / 2 * along(b), C / 2 * along(c)]
    places[2] = places[2] + np.array([G, 0])
    bodies = [
        dl.PlanarBody(m, m * size**2 / 12, position=place, angle=x)
        for size, place, x in zip((A, B, C), places, (a, b, c), strict=True)
    ]
    rows = A * along(a) + B * along(b) - np.array([G, 0]) - C * along(c)

    def closed(values):
        def gap(x):
            p = values["A"] * along(at) + values["B"] * along(x[0])
            return p - np.array([values["G"], 0]) - values["C"] * along(x[1])

        x = np.array([0.4, 1.5])
        for _ in range(20):  # Newton's steps
            slope = np.array([[-np.sin(x[0]), np.sin(x[1])], [np.cos(x[0]), -np.cos(x[1])]])
            x = x - np.linalg.solve(slope * [values["B"], values["C"]], gap(x))
        return {"a": at, "b": float(x[0]), "c": float(x[1])}

    model = dl.Model.from_map(
        bodies=bodies,
        coordinates=[a, b, c],
        gravity=(0, -9.81),
        constraints={"loop": list(rows)},
        initial=closed(sizes),
    )
    return model, [a, c.dot], list(sizes), {"hold": ["a"], "closed": closed}


def bounces(rng):
    """A ball on a slope that is thrown back, with drag."""
    x, y = dl.coordinates("x y")
    e, k, m, s = dl.parameters(e=rng.uniform(0.5, 0.9), k=0.1, m=rng.uniform(1, 2), s=0.2)
    model = dl.Model.from_lagrangian(
        coordinates=[x, y],
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * 9.81 * y,
        dissipation=k * (x.dot**2 + y.dot**2) / 2,
        initial={y: rng.uniform(0.2, 0.6), x.dot: rng.uniform(-0.5, 1.0)},
    )
    model.keep(y >= s * x - 0.1, name="floor", restitution=e)
    return model, [x, y, y.dot], ["e", "k", "m", "s"], {"located": True}


KINDS = (formulas, tree, ball_tree, loop, bounces)


def ran(model, outputs, values, more):
    """Outputs at the end of an ordinary run."""
    rest = {}
    if "closed" in more:
        rest["initial"] = more["closed"]({**model.parameters, **values})
    if "located" in more:
        rest |= {"mode": "events", "rtol": 1e-12, "atol": 1e-12}
    else:
        rest |= {"step": STEP, "method": dl.Projection(), "integrator": dl.RK4()}
    if model.is_maximal:
        rest["formulation"] = "generalized"
    found = dl.simulate(model, until=UNTIL, parameters=values, **rest)
    return np.array([found[x][-1] for x in outputs])


LATER = [pytest.param(k, marks=pytest.mark.slow) for k in range(10, 50)]
SEEDS = [*range(10), *of_the_day(LATER, 5)]


@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives_are_what_differences_tend_to(seed):
    model, outputs, names, more = KINDS[seed % len(KINDS)](np.random.default_rng(seed))
    step = None if "located" in more else STEP
    hold = more.get("hold", ())
    forth, back = (
        dl.sensitivity(model, outputs, names, until=UNTIL, step=step, hold=hold, mode=mode)
        for mode in ("forward", "adjoint")
    )
    size = np.max(np.abs(forth.derivatives))
    assert np.max(np.abs(forth.derivatives - back.derivatives)) <= 1e-11 * max(1.0, size)
    assert forth.values[0] == pytest.approx(ran(model, outputs, {}, more), abs=1e-9)
    if "located" in more:
        assert forth.events
    for k, name in enumerate(names):
        own = model.parameters[name]
        total = 0.0
        for n, weight in WEIGHTS.items():
            for side in (1, -1):
                value = own * (1 + side * n * REACH)
                total = total + side * weight * ran(model, outputs, {name: value}, more)
        slope = total / (own * REACH)
        assert forth.derivatives[0, :, k] == pytest.approx(slope, rel=2e-8, abs=2e-8)


def test_a_start_with_a_driven_joint_is_that_of_the_run():
    """The speed of a driven joint was asked for; what else its rows hold is rounding alone."""
    model = dl.Model("driven arm on a free base", gravity=(1.0, -2.0, -9.0))
    inertia = dl.Inertia(1.0, (0.1, 0.15, 0.2), center=(0.1, 0.05, -0.1))
    base = model.add_body("base", inertia, velocity=(1, 2, 3), angular_velocity=(0.5, 3.0, 1.0))
    arm, hand = (model.add_body(name, inertia) for name in ("arm", "hand"))
    oblique = dl.Rotation.from_roll_pitch_yaw(0.4, -1.1, 2.3)
    turn = dl.Rotation.from_roll_pitch_yaw(-2.4, 0.6, 0.3)
    first = base.at(0.1, 0.8, -0.2, rotation=oblique), arm.at(0.6, 0.1, -0.1, rotation=turn)
    second = arm.at(0.1, 0.4, 0.6, rotation=turn), hand.at(-0.4, 0.4, -0.1, rotation=oblique)
    model.add_joint(dl.Revolute(*first, axis="z", initial=1.4, initial_speed=0.8, name="elbow"))
    model.add_joint(dl.Revolute(*second, axis="z", initial=0.3, initial_speed=1.6, name="wrist"))
    model.add_joint(dl.Motion("wrist", value=0.3 + 1.6 * dl.time, name="drive"))
    names = [f"{body}.{x}" for body in ("base", "hand") for x in "xyz"]
    until, change = 0.1, 1e-3

    def end(by):
        run = dl.simulate(model, until=until, initial={"elbow.angle": 1.4 + by})
        return np.array([run[name][-1] for name in names])

    found = dl.sensitivity(model, names, ["elbow.angle"], until=until)
    assert found.values[0] == pytest.approx(end(0.0), abs=1e-8)
    slope = (8 * (end(change) - end(-change)) - end(2 * change) + end(-2 * change)) / (12 * change)
    assert found.derivatives[0, :, 0] == pytest.approx(slope, abs=1e-7)
