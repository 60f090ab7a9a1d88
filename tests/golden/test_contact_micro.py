"""The micro-benchmarks of contact with closed forms (../shared/physics.md 7.1, 7.2, 8)."""

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.contact.given.problem import ContactProblem

G = 9.81


@pytest.mark.parametrize(("angle", "speed"), [(26.565, 0.0), (27.0, 0.0832598), (40.0, 2.5482985)])
def test_block_on_slopes_with_friction_one_half(angle, speed):
    model = dl.catalog.load("incline", angle=angle, friction=0.5)
    method = dl.ContactImpulse(tolerance=1e-12)
    solution = dl.simulate(model, until=1.0, step=0.02, method=method)
    slope = math.radians(angle)
    exact = max(0.0, G * (math.sin(slope) - 0.5 * math.cos(slope)))
    assert exact == pytest.approx(speed, abs=5e-8)
    assert solution.v[-1, 0] == pytest.approx(exact, abs=1e-11)


def test_ball_of_restitution_one_half_rebounds_to_quarters():
    model = dl.Model("ball")
    half = dl.Material(friction=0.0, restitution=0.5)
    model.add_shape(dl.Plane(), material=half)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.1), position=(0, 0, 1.1))
    model.add_shape(dl.Sphere(0.1), on=ball, material=half)
    found = []
    for step in (1e-3, 2.5e-4):
        solution = dl.simulate(model, until=1.4, step=step, method=dl.ContactImpulse(order=2))
        z = solution.q[:, 2] - 0.1
        tops = [z[i] for i in range(1, len(z) - 1) if z[i - 1] < z[i] >= z[i + 1]]
        found.append(np.abs(np.array(tops[:3]) - [0.25, 0.0625, 0.015625]).max())
    assert found[0] <= 2e-3
    assert found[1] <= found[0] / 2


def test_rod_on_two_contacts_is_not_pulled():
    """Approaching with (-3, -0.5) m/s: equalities give (3.19, -1.44) N s, the laws (2.36, 0)."""
    J = np.array([[1.0, 0.3], [1.0, -0.3]])
    v = np.linalg.solve(J, [-3.0, -0.5])
    answers = {}
    for kind in ("EQ", "UNI"):
        problem = ContactProblem()
        rod = problem.add_clique(np.diag([1.0, 1.0 / 3.0]), v)
        for row in J:
            problem.add_block(kind, row[None], rod)
        for method in ("auto", "newton", "nsgs", "admm", "lemke", "pgs"):
            after, lam, info = problem.solve(method, tol=1e-9, budget=5000)
            assert info.status == "converged"
            answers[kind] = after, lam
    assert answers["EQ"][1] == pytest.approx([3.1898148, -1.4398148], abs=1e-7)
    after, lam = answers["UNI"]
    assert lam == pytest.approx([3.0 / (1.0 + 3.0 * 0.09), 0.0], abs=1e-8)
    assert J @ after == pytest.approx([0.0, 1.2244094], abs=1e-7)


def test_mass_pressed_into_its_limit_comes_out_without_speed():
    """Event driven, the stabilised law brings it back in 1 s; here the position pass does, and no
    velocity comes from it."""
    model = dl.Model("limit")
    body = model.add_body("body", dl.Inertia.box(1.0, size=(0.1,) * 3), position=(0, 0, -0.01))
    slide = model.add_joint(dl.Prismatic(model.world, body, axis="z", name="slide"))
    model.set_limits(slide, dl.Limits(lower=0.0))
    solution = dl.simulate(model, until=1.0, step=1e-3, initial={body.z: -0.01})
    z, v = solution[slide.displacement], solution[slide.displacement.dot]
    assert z[0] == pytest.approx(-0.01)
    assert abs(z[-1]) <= 1e-5
    assert np.diff(z).min() >= -1e-12
    assert np.abs(v).max() <= 1e-9
    assert solution["slide: lower.force"][-1] == pytest.approx(G, rel=1e-7)
