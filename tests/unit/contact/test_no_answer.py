"""Lemke's method where rounding ends its pivots elsewhere than at a solution: heavy on light."""

from __future__ import annotations

import pytest
from tests.support.contact_problems import given, stack

import dalembert as dl
from dalembert.contact.given.problem import solve


@pytest.mark.parametrize("top", [1e7, 1e9])
@pytest.mark.parametrize("count", [2, 3])
def test_what_leaves_the_velocities_there_are_is_no_answer(count, top):
    _, lam, info = solve(given(stack(count, top)), "lemke")
    own = max(island.own_residual for island in info.islands)
    assert info.status == "failed" or own <= 1e-3 * info.free_speed
    if info.status == "failed":
        assert not lam.any()  # those of the start


def test_a_run_without_an_answer_ends_and_says_so():
    model = dl.Model("heavy on light")
    model.add_shape(dl.Plane())
    for k, mass in enumerate((1.0, 1e9)):
        inertia = dl.Inertia.box(mass, size=(1.0,) * 3)
        box = model.add_body(f"box_{k}", inertia, position=(0, 0, 0.5 + k))
        model.add_shape(dl.Box((1.0, 1.0, 1.0)), on=box)
    method = dl.ContactImpulse(solver="lemke")
    with pytest.raises(dl.errors.ComplementarityError, match="the solver found no impulses"):
        dl.simulate(model, until=0.1, method=method, step=5e-3)


@pytest.mark.parametrize("solver", ["lemke", "pgs:sweeps=1"])
def test_penetration_is_told_as_it_is(solver):
    """The deepest that balls are in the floor and in one another at the end of a step."""
    model = dl.Model("pressed together")
    model.add_shape(dl.Plane())
    for k, mass in enumerate((1.0, 1e3)):
        inertia = dl.Inertia.sphere(mass, radius=0.5)
        ball = model.add_body(f"ball_{k}", inertia, position=(0, 0, 0.4 + 0.7 * k))
        model.add_shape(dl.Sphere(0.5), on=ball)
    method = dl.ContactImpulse(solver=solver)
    run = dl.simulate(model, until=0.05, method=method, step=5e-3)
    low, high = run["ball_0.z"][1:], run["ball_1.z"][1:]
    deepest = max((0.5 - low).max(), (1.0 - (high - low)).max())
    assert deepest > 0.1
    assert run.statistics["contact"]["penetration"] == pytest.approx(deepest, rel=1e-9)
    assert any(reason["rule"] == "penetration" for reason in run.report()["reasons"])
