"""A2 from bodies: N four-bars of rods and hinges through the flat position, 10 s.

Source: IFToMM benchmark A02, shared/reference/problems.md; data read in place. Bars stated there:
on the branch (all cranks parallel) for 10 s, energy error 1e-6 J, B0 error 1e-6 m, both levels
of the constraints below 1e-10. In space the hinges of one loop repeat three of their rows.
"""

import functools

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl

pytestmark = pytest.mark.reference

STEP = 1e-3


def four_bars(N):
    """Rods of 1 m and 1 kg; cranks upright on (i, 0), couplers on top, B0 at 1 m/s along x."""
    model = dl.Model("n-four-bar", gravity=(0.0, -9.81, 0.0))
    rod = dl.Inertia.rod(mass=1.0, length=1.0)
    cranks = [
        model.add_body(
            f"crank{i}",
            rod,
            position=(i, 0.5, 0.0),
            rotation=("z", np.pi / 2),
            velocity=(0.5, 0.0, 0.0),
            angular_velocity=(0.0, 0.0, -1.0),
        )
        for i in range(N + 1)
    ]
    for i, crank in enumerate(cranks):
        model.add_joint(
            dl.Revolute(model.world.at(x=i), crank.at(x=-0.5), axis="z", name=f"ground{i}")
        )
    for i in range(N):
        coupler = model.add_body(
            f"coupler{i}", rod, position=(i + 0.5, 1.0, 0.0), velocity=(1.0, 0.0, 0.0)
        )
        model.add_joint(
            dl.Revolute(cranks[i].at(x=0.5), coupler.at(x=-0.5), axis="z", name=f"left{i}")
        )
        model.add_joint(
            dl.Revolute(cranks[i + 1].at(x=0.5), coupler.at(x=0.5), axis="z", name=f"right{i}")
        )
    return model


@functools.cache
def run(N):
    return dl.simulate(four_bars(N), 10.0, step=STEP)


def tips(solution):
    """Tops of all cranks."""
    bodies = solution.model.bodies
    N = len(bodies) // 2
    return np.stack([solution[bodies[f"crank{i}"].at(x=0.5).position] for i in range(N + 1)])


@pytest.mark.parametrize("N", [1, 2, 5, 10, 40])
def test_b0_and_energy(N):
    rows = np.array(references.read("nfourbar_iftomm_a02.json")[f"A02_N{N}"]["rows"])
    solution = run(N)
    at = np.round(rows[:, 0] / STEP).astype(int)
    tip = solution.model.bodies["crank0"].at(x=0.5)
    assert np.abs(solution[tip.position][at, :2] - rows[:, 1:3]).max() <= 1e-6
    # v^2 = 1 + 2 g' (1 - y), g' <= 12: dv = g' dy / v, v >= 1
    assert np.abs(solution[tip.velocity][at, :2] - rows[:, 3:5]).max() <= 12e-6
    assert np.ptp(solution.energy) <= 1e-6


@pytest.mark.parametrize("N", [1, 2, 5, 10, 40])
def test_stays_on_the_branch_and_on_the_constraints(N):
    solution = run(N)
    top = tips(solution)
    top[..., 0] -= np.arange(N + 1)[:, None]
    assert np.ptp(top, axis=0).max() <= 1e-6  # all cranks parallel, in the plane, at all times
    assert np.abs(top[0, :, 1]).min() <= 4e-3  # it did pass the flat position
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


@pytest.mark.parametrize("tolerance", [None, 1e-12], ids=["default", "1e-12"])
@pytest.mark.parametrize("N", [1, 2, 5, 10, 40])
def test_error_control(N, tolerance):
    """Steps that follow the error, which is noise at the flat position; or only a tolerance."""
    rows = np.array(references.read("nfourbar_iftomm_a02.json")[f"A02_N{N}"]["rows"])
    model = four_bars(N)
    integrator = tolerance and dl.DormandPrince(order=8, rtol=tolerance, atol=tolerance)
    solution = dl.simulate(model, 10.0, integrator=integrator, times=rows[:, 0])
    tip = model.bodies["crank0"].at(x=0.5)
    # A leap past the flat position may err by 1e-5 of the state; energy is 16 J each.
    assert np.abs(solution[tip.position][:, :2] - rows[:, 1:3]).max() <= 1e-5
    assert np.ptp(solution.energy) <= 1e-5 * 16 * N
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


@pytest.mark.parametrize("N", [1, 2, 5])
def test_tolerances_beside_one_another(N):
    """Where stages fall near the flat position is chance: no tolerance has bad luck with it."""
    model, lost = four_bars(N), []
    for k in range(8):
        for tolerance in (1e-12, 1e-11):
            tolerance *= 1 + 0.1 * k
            integrator = dl.DormandPrince(order=8, rtol=tolerance, atol=tolerance)
            lost.append(np.ptp(dl.simulate(model, 10.0, integrator=integrator).energy))
    assert max(lost) <= 1e-5 * 16 * N  # a leap may err by 1e-5 of the state; energy is 16 J each
    assert np.median(lost) <= 1e-8 * N


@pytest.mark.parametrize("N", [5, 40])
def test_landings_beside_the_flat_position(N):
    """Wherever a step ends, both levels hold: by chance some end within 1e-6 of the position."""
    model, worst = four_bars(N), []
    for k in range(12):
        tolerance = 1e-12 * (1 + 0.1 * k)
        integrator = dl.DormandPrince(order=8, rtol=tolerance, atol=tolerance)
        worst.append(dl.simulate(model, 10.0, integrator=integrator).worst["phi_dot"])
    assert max(worst) <= 1e-11


@pytest.mark.parametrize("N", [1, 2, 5])
def test_as_with_formulas(N):
    """The formulas of the catalog give the same motion; both runs have RK4's error."""
    planar = dl.simulate(dl.catalog.load("n-four-bar", N=N), until=10.0, step=STEP)
    top = tips(run(N))
    found = np.moveaxis(top[..., :2], 0, 1).reshape(len(planar.t), -1)
    assert np.abs(found - planar.q).max() <= 1e-8
