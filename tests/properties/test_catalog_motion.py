"""Laws that the motion of every catalog model obeys, at every sample."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery

import dalembert as dl
from dalembert.formulas import evaluate, symbols, time
from dalembert.system.build import build

EPS = np.finfo(float).eps

MODELS = {  # those of bodies: golden/test_catalog_bodies
    **{name: (name, {}) for name in dl.catalog.names() if not dl.catalog.load(name).is_maximal},
    "slider-crank unequal": ("slider-crank", {"l2": 1.5}),
    "biped 2": ("biped", {"exercise": 2}),
    "biped 3": ("biped", {"exercise": 3}),
    "five four-bars": ("n-four-bar", {"N": 5}),
}

each_model = pytest.mark.parametrize("label", MODELS)


def motion(label):
    name, options = MODELS[label]
    model = dl.catalog.load(name, **options)
    step = min(1e-2, model.suggested.get("step", 1e-2))
    return dl.simulate(model, until=40 * step, step=step, every=4)


def terms(solution):
    """M, Q and rhs_a at every sample, evaluated without compiled code."""
    e, model = build(solution.model).equations, solution.model
    n, k = len(e.coordinates), len(solution.t)
    groups = {"M": [e.mass[max(i, j)][min(i, j)] for i in range(n) for j in range(n)]}
    groups |= {"Q": e.force, "rhs_a": e.rhs_a, "phi_t": e.phi_t}
    values = {time: solution.t}
    for i, x in enumerate(e.coordinates):
        values[x], values[x.dot] = solution.q[:, i], solution.v[:, i]
    found = {}
    for name, formulas in groups.items():
        for leaf in symbols(formulas, "parameter"):
            values[leaf] = model.parameters[leaf.name]
        series = [np.broadcast_to(s, (k,)) for s in evaluate(formulas, values)]
        found[name] = np.array(series, dtype=float).reshape(len(formulas), k).T
    found["M"] = found["M"].reshape(k, n, n)
    return found


@each_model
def test_equations_of_motion(label):
    solution = motion(label)
    here, J = terms(solution), battery.jacobian(solution)
    for k in range(len(solution.t)):
        M, a, lam = here["M"][k], solution.a[k], solution.lam[k]
        force = np.abs(M) @ np.abs(a) + np.abs(here["Q"][k]) + np.abs(J[k].T) @ np.abs(lam)
        # Rounding of each term, carried on by the factors of M (cond) and of the rows (30 of C).
        allowed = 100 * EPS * 30**2 * np.linalg.cond(M) * force.max()
        assert np.abs(M @ a - here["Q"][k] - J[k].T @ lam).max() <= allowed
        if J[k].size:
            demand = np.abs(J[k]) @ np.abs(a) + np.abs(here["rhs_a"][k])
            allowed = 100 * EPS * 30**2 * np.linalg.cond(M) * max(demand.max(), 1.0)
            assert np.abs(J[k] @ a - here["rhs_a"][k]).max() <= allowed


@each_model
def test_the_power_of_the_constraint_forces_is_that_of_prescribed_motion(label):
    # (J^T lam) . v = lam . (J v) = -lam . Phi_t for holonomic rows, and nothing for rows that are
    # homogeneous in velocity: without prescribed motion constraint forces do no work.
    solution = motion(label)
    here, J = terms(solution), battery.jacobian(solution)
    mh = solution.phi.shape[1]
    for k in range(len(solution.t)):
        pull = here["M"][k] @ solution.a[k] - here["Q"][k]
        power = pull @ solution.v[k]
        given = -solution.lam[k, :mh] @ here["phi_t"][k, :mh]
        size = np.abs(J[k].T) @ np.abs(solution.lam[k]) + np.abs(here["Q"][k])
        allowed = 100 * EPS * 30**2 * np.linalg.cond(here["M"][k]) * size.max(initial=0.0)
        assert abs(power - given) <= allowed * max(1.0, np.abs(solution.v[k]).sum())


@each_model
def test_energy_is_constant_where_the_model_says_so(label):
    # To the order of the step, less one for short runs.
    solution = motion(label)
    if not solution.model.conservative:
        pytest.skip("not conservative")
    energy = solution.kinetic if solution.energy is None else solution.energy
    scale = max(np.abs(solution.kinetic).max(), 1.0)
    coarse = np.abs(energy - energy[0]).max()
    name, options = MODELS[label]
    step = solution.step / 2
    fine = dl.simulate(dl.catalog.load(name, **options), until=solution.t[-1], step=step)
    energy = fine.kinetic if fine.energy is None else fine.energy
    assert np.abs(energy - energy[0]).max() <= max(coarse / 2**3, 1e4 * EPS * scale)
    assert coarse <= 1e-4 * scale
