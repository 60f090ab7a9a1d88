"""Where a scene puts bodies and points: exactly where the solution has them."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.model.start.states import rotations
from dalembert.scene import describe, follow, place

EPS = np.finfo(float).eps

NAMES = ("stewart-platform", "double-wishbone", "towing-tank", "four-bar-3d")
"""Centres away from the frames, free rotations, bodies with angles, a plane."""


@pytest.fixture(scope="module", params=NAMES)
def solution(request):
    return dl.simulate(dl.catalog.load(request.param), until=0.05, step=1e-3)


def test_bodies_stand_where_the_trajectory_says(solution):
    scene, motion = follow(solution, times=solution.t)
    assert [body.name for body in scene.bodies] == list(solution.model.bodies)
    for k, body in enumerate(solution.model.bodies.values()):
        p, R = solution.trajectory.place(body.at())
        reach = 1.0 + np.abs(p).max()
        np.testing.assert_allclose(motion.positions[:, k], p, rtol=0, atol=40 * EPS * reach)
        np.testing.assert_allclose(rotations(motion.rotations[:, k]), R, rtol=0, atol=40 * EPS)


def test_between_samples_they_stand_where_the_solution_interpolates(solution):
    times = np.linspace(0.0, 0.05, 18)[1:-1] + 3e-4
    _, motion = follow(solution, times=times)
    for k, body in enumerate(solution.model.bodies.values()):
        for axis in range(3):
            seen = solution.sampled(body.position[axis], times)
            np.testing.assert_allclose(motion.positions[:, k, axis], seen, rtol=0, atol=1e-13)


def test_points_are_the_formulas_of_the_model(solution):
    scene, motion = follow(solution, times=solution.t)
    for k, point in enumerate(scene.points):
        if point.body is not None:
            continue
        for axis, formula in enumerate(solution.model.points[point.name]):
            np.testing.assert_allclose(
                motion.points[:, k, axis], solution[formula], rtol=0, atol=1e-13
            )


def test_points_on_bodies_can_be_placed_by_who_draws_them(solution):
    scene, motion = follow(solution, times=solution.t, trails=list(solution.model.bodies)[:1])
    fixed = [(k, p) for k, p in enumerate(scene.points) if p.body is not None]
    assert fixed
    for k, point in fixed:
        if point.body == -1:
            expected = np.broadcast_to(point.offset, motion.points[:, k].shape)
        else:
            R = rotations(motion.rotations[:, point.body])
            expected = motion.positions[:, point.body] + R @ np.array(point.offset)
        np.testing.assert_allclose(motion.points[:, k], expected, rtol=0, atol=1e-13)


def test_one_state_is_a_row_of_many(solution):
    scene = describe(solution.model)
    many = place(scene, solution.model, solution.t, solution.q, solution.v)
    k = len(solution.t) // 2
    one = place(scene, solution.model, solution.t[k], solution.q[k], solution.v[k])
    for rows, row in zip(many, one, strict=True):
        np.testing.assert_array_equal(rows[k], row)


def test_another_model_of_the_same_scene_is_not_mistaken_for_it():
    model = dl.catalog.load("pendulum")
    other = dl.Model.from_lagrangian(
        kinetic=(model.coordinates[0].dot ** 2 + model.coordinates[1].dot ** 2) / 2,
        coordinates=model.coordinates,
        points={"pivot": (0.0, 1.0), "mass": tuple(2 * q for q in model.coordinates)},
    )
    scene = describe(model)
    q, v = np.array([0.6, -0.8]), np.zeros(2)
    assert place(scene, model, 0.0, q, v)[2][1] == pytest.approx([0.6, -0.8, 0.0])
    assert place(scene, other, 0.0, q, v)[2][1] == pytest.approx([1.2, -1.6, 0.0])
    assert place(scene, model, 0.0, q, v)[2][1] == pytest.approx([0.6, -0.8, 0.0])


def test_parameters_of_the_run_place_the_points():
    model = dl.catalog.load("four-bars").with_parameters(l=2.0)
    scene = describe(model)
    support = [p.name for p in scene.points].index("support2")
    q = np.zeros(len(model.coordinates))
    assert place(scene, model, 0.0, q, q)[2][support] == pytest.approx([2.0, 0.0, 0.0])


def test_quaternions_do_not_change_sides():
    model = dl.Model("top", gravity=(0, 0, 0))
    model.add_body(
        "disc", dl.Inertia.cylinder(mass=1.0, radius=0.1, length=0.02), angular_velocity=(0, 0, 9.0)
    )
    solution = dl.simulate(model, until=3.0, step=1e-2)
    _, motion = follow(solution, fps=60)
    turned = motion.rotations[:, 0]
    assert (np.sum(turned[1:] * turned[:-1], axis=1) > 0.9).all()
    assert np.linalg.norm(turned, axis=1) == pytest.approx(1.0, abs=1e-14)
