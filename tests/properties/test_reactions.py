"""Laws of reactions on every catalog model of bodies: Newton, Euler, opposite, no work."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.formulas.expression import lift
from dalembert.model.basics.element import cross
from dalembert.model.basics.quantity import value_of
from dalembert.simulation.motion.trajectory import of_element
from dalembert.simulation.results.reaction import wrenches
from dalembert.simulation.results.work import working

MODELS = {name: catalog.load(name) for name in catalog.names()}
# Where impulses act, forces are means over a step: tests/golden/test_contact_*.py
NAMES = [name for name, model in MODELS.items() if model.is_maximal and not model.needs_impulses]
JOINED = [name for name in NAMES if MODELS[name].row_count]


@functools.cache
def run(name):
    model = catalog.load(name)
    step = model.suggested.get("step", 1e-3)
    return dl.simulate(model, until=50 * step, step=step)


def applied(solution):
    """Gravity and force elements on each body: force, torque about the centre of mass."""
    model, along = solution.model, solution.trajectory
    total = {name: np.zeros((len(solution.t), 6)) for name in model.bodies}
    gravity = [value_of(g, model.parameters) for g in model.gravity]
    for name, body in model.bodies.items():
        total[name][:, :3] += value_of(body.inertia.mass, model.parameters) * np.array(gravity)
    for force in model.forces.values():
        views, data, angles = of_element(force)
        loads = force.loads(views, data, list(angles))
        for frame, view, (pull, torque) in zip(force.frames, views, loads, strict=True):
            if frame.body.name in total:
                arm = view.origin - np.array(frame.body.center_symbols, dtype=object)
                moment = np.asarray(torque) + cross(arm, pull)
                series = along.series([lift(x) for x in pull], angles)
                series += along.series([lift(x) for x in moment], angles)
                total[frame.body.name] += np.stack(series, axis=1)
    return total


def rate_of_momentum(solution, b, body):
    """m a; I w' + w x I w about the centre of mass."""
    parameters = solution.model.parameters
    mass = value_of(body.inertia.mass, parameters)
    theta = np.array([[value_of(x, parameters) for x in row] for row in body.inertia.matrix])
    R = solution.trajectory.body(body.name).R[0]
    world = R @ theta @ R.transpose(0, 2, 1)
    w, alpha = solution.v[:, 6 * b + 3 : 6 * b + 6], solution.a[:, 6 * b + 3 : 6 * b + 6]
    spin = np.einsum("kij,kj->ki", world, alpha)
    spin += np.cross(w, np.einsum("kij,kj->ki", world, w))
    return np.concatenate([mass * solution.a[:, 6 * b : 6 * b + 3], spin], axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_newton_and_euler(name):
    """Reactions, forces and gravity together move every body as it moves."""
    solution = run(name)
    total = applied(solution)
    for element in solution.constraint_slices:
        for body, pull in wrenches(solution, element).items():
            total[body] = total[body] + pull
    for b, body in enumerate(solution.model.bodies.values()):
        moved = rate_of_momentum(solution, b, body)
        size = max(1.0, *(np.abs(x).max() for x in (moved, total[body.name])))
        np.testing.assert_allclose(total[body.name], moved, atol=1e-9 * size, err_msg=body.name)


@pytest.mark.parametrize("name", JOINED)
def test_action_and_reaction(name):
    """Two bodies of a joint feel opposite forces, and opposite torques about any one point."""
    solution = run(name)
    for joint in solution.model.joints.values():
        ends = [frame.body.name for frame in joint.frames]
        if len(ends) != 2:
            continue
        point = joint.frames[0]
        first, second = (solution.reaction(joint.name, on=end, about=point) for end in ends)
        size = max(1.0, np.abs(first.force).max(), np.abs(first.torque).max())
        np.testing.assert_allclose(first.force, -second.force, atol=1e-12 * size)
        np.testing.assert_allclose(first.torque, -second.torque, atol=1e-9 * size)


@pytest.mark.parametrize("name", JOINED)
def test_joints_without_time_do_no_work(name):
    solution = run(name)
    busy = working(solution.model)
    for element in solution.constraint_slices:
        if element not in busy:
            size = max(1.0, np.abs(solution.lam).max() * np.abs(solution.v).max())
            np.testing.assert_allclose(solution.power(element), 0.0, atol=1e-9 * size)


@pytest.mark.parametrize("name", NAMES)
def test_energy_and_work_balance(name):
    report = run(name).report()
    if report["energy_balance"] is not None:
        assert report["energy_balance"] <= 1e-6 * max(1.0, abs(report["work"]))
