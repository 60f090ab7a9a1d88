"""Laws of impact: 20 000 random ones, 1 to 4 contacts, in the plane and in space, W of any rank."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.strikes import change_of_energy, first_rows, hit, random_scene, rounding, rubbing

from dalembert import _jit
from dalembert.contact.impact.laws import (
    ENERGETIC,
    NEWTON,
    OK,
    POISSON,
    POISSON_ROUTH,
    SEQUENTIAL,
    SIMULTANEOUS,
)

COUNT = 2500 if _jit.COMPILED else 20
LAWS = NEWTON, POISSON, ENERGETIC, POISSON_ROUTH
each_seed = pytest.mark.parametrize("seed", [1, 2])
each_law = pytest.mark.parametrize("law", LAWS, ids=["newton", "poisson", "energetic", "routh"])


def struck(rng, law, order):
    """A scene that something comes of, what comes of it, and the velocity below which is none."""
    while True:
        scene = random_scene(rng)
        if scene.u[first_rows(scene.dim)].min() < 0:
            break
    found = hit(law, scene.W, scene.u, scene.dim, scene.mu, scene.e, order)
    assert found.status == OK
    # one by one ends at 1e-12 of the largest velocity
    tiny = 2e-12 * np.abs(scene.u).max() + rounding(scene, found.p)
    return scene, found, tiny


def check_laws(scene, found, tiny):
    """Contacts push, part, rub within the cone; momentum and energy."""
    p, u = found.p, found.u
    n = first_rows(scene.dim)
    assert p[n].min() >= -1e-15 * np.abs(p).max()
    assert u[n].min() >= -tiny
    for rows, mu in zip(scene.contacts, scene.mu, strict=True):
        assert np.linalg.norm(p[rows][1:]) <= mu * p[rows][0] + 1e-14 * np.abs(p).max()
    assert u == pytest.approx(scene.u + scene.W @ p, abs=rounding(scene, p))
    assert change_of_energy(scene.W, scene.u, p) <= tiny * np.abs(p).sum()


def restitution_holds(scene, p, parting, least, tiny):
    """p_n >= least, parting >= 0, one of both an equality."""
    n = first_rows(scene.dim)
    push = np.diag(scene.W)[n] * (p[n] - least)
    assert min(push.min(), parting.min()) >= -tiny
    assert np.minimum(push, parting).max() <= tiny


@each_law
@each_seed
def test_all_at_once(law, seed):
    rng, acted = np.random.default_rng([seed, law]), []
    for _ in range(COUNT):
        scene, found, tiny = struck(rng, law, SIMULTANEOUS)
        check_laws(scene, found, tiny)
        acted.append(found.law)
        n = first_rows(scene.dim)
        if found.law == NEWTON:
            parting = found.u[n] + scene.e * np.minimum(scene.u[n], 0)
            restitution_holds(scene, found.p, parting, 0.0, tiny)
            assert rubbing(scene, found.p, found.u) <= tiny
        elif found.law == POISSON and found.kept == 1:
            pressed = found.compression
            between = scene.u + scene.W @ pressed
            restitution_holds(scene, pressed, between[n], 0.0, tiny)
            assert rubbing(scene, pressed, between) <= tiny
            back = found.p - pressed
            restitution_holds(scene, back, found.u[n], scene.e * pressed[n], tiny)
            assert rubbing(scene, back, found.u) <= tiny
    assert law in acted


@each_law
def test_one_by_one(law):
    rng = np.random.default_rng([3, law])
    for _ in range(COUNT // 4):
        check_laws(*struck(rng, law, SEQUENTIAL))


@pytest.mark.skipif(not _jit.COMPILED, reason="a thousand scenes are drawn before")
def test_a_compression_that_is_not_found():
    """Two contacts with friction of about 1: it was an impact without an answer."""
    rng = np.random.default_rng([12, POISSON_ROUTH])
    for _ in range(1012):
        while True:
            scene = random_scene(rng)
            if scene.u[first_rows(scene.dim)].min() < 0:
                break
    for law in (POISSON, ENERGETIC, POISSON_ROUTH):
        found = hit(law, scene.W, scene.u, scene.dim, scene.mu, scene.e, SIMULTANEOUS)
        assert found.status == OK
        assert found.law in (POISSON, NEWTON)
        check_laws(scene, found, 2e-12 * np.abs(scene.u).max() + rounding(scene, found.p))


@each_law
@pytest.mark.skipif(not _jit.COMPILED, reason="there is one life only")
def test_compiled_and_interpreted_agree(law):
    rng = np.random.default_rng([4, law])
    for order in (SIMULTANEOUS, SEQUENTIAL):
        for _ in range(10):
            scene, found, tiny = struck(rng, law, order)
            with _jit.interpreted():
                other = hit(law, scene.W, scene.u, scene.dim, scene.mu, scene.e, order)
            assert (other.status, other.law) == (found.status, found.law)
            # of dependent contacts the velocities: impulses are not unique
            assert other.u == pytest.approx(found.u, abs=1e3 * tiny)
