"""Reference problems A1 to A6 and A11: the stated accuracy at the stated time, by simulation.

Source: shared/reference/problems.md and its data, read in place (or from DALEMBERT_REFERENCE).
Tolerances are the thresholds stated there; the default method is used throughout.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import dalembert as dl

pytestmark = pytest.mark.reference

_GIVEN = os.environ.get("DALEMBERT_REFERENCE")
FOLDER = (
    Path(_GIVEN) if _GIVEN else Path(__file__).parents[2].parent / "shared" / "reference" / "data"
)
PRECISE = {"integrator": dl.DormandPrince(order=8, rtol=1e-12, atol=1e-12)}


def read(name):
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"reference data {name} not found; set DALEMBERT_REFERENCE to its folder")
    return json.loads(path.read_text())


def sample(solution, t):
    index = int(np.argmin(np.abs(solution.t - t)))
    assert solution.t[index] == pytest.approx(t, abs=1e-9)
    return index


def assert_holds(solution):
    """General rule: both levels below 1e-10 over the whole run."""
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


def test_a1_pendulum():
    model = dl.catalog.load("pendulum", side=-1)
    solution = dl.simulate(model, until=1000.0, step=1e-3, every=10)
    for t, x, y, *_ in read("pendulum_iftomm_a01.json")["rows"]:
        bar = 1e-8 if t <= 10 else 1e-6
        assert np.abs(solution.q[sample(solution, t)] - [x, y]).max() <= bar
    early = solution.energy[solution.t <= 10.0]
    assert np.abs(early).max() <= 1e-9
    assert_holds(solution)


@pytest.mark.parametrize("N", [1, 2, 5, 10])
def test_a2_n_four_bar(N):
    rows = read("nfourbar_iftomm_a02.json")[f"A02_N{N}"]["rows"]
    solution = dl.simulate(dl.catalog.load("n-four-bar", N=N), until=10.0, step=1e-3)
    for t, *expected in rows:
        i = sample(solution, t)
        found = [*solution.q[i, :2], *solution.v[i, :2]]
        assert np.abs(np.array(found) - expected)[:2].max() <= 1e-6
    assert np.ptp(solution.energy) <= 1e-6
    # the expected branch: all cranks parallel
    x, y = solution.q[-1, ::2], solution.q[-1, 1::2]
    assert np.ptp(x - np.arange(N + 1)) <= 1e-6
    assert np.ptp(y) <= 1e-6
    assert_holds(solution)


@pytest.mark.parametrize("variant", ["seed_torque_no_gravity", "seed_torque_g981", "gravity_only"])
def test_a3_slider_crank(variant):
    data = read("slider_crank_equal_links.json")["variants"][variant]
    model = dl.catalog.load(
        "slider-crank",
        gravity=data["g"],
        torque=float(data["torque"]),
        damping=float(data["damping"]),
    )
    solution = dl.simulate(model, until=100.0, step=1e-3)
    slider = solution[model.points["slider"][0]]
    for t, _, _, expected in data["rows"]:
        assert abs(slider[sample(solution, t)] - expected) <= 1e-6
    assert solution.worst["phi"] <= 1e-14
    assert_holds(solution)


@pytest.mark.parametrize("options", [{"step": 1e-3}, PRECISE], ids=["rk4", "dp8"])
def test_a4_index3_pendulum_and_its_multiplier(options):
    _, x, y, vx, vy, lam = next(
        row for row in read("pendulum_index3_hairer_wanner.json")["rows"] if row[0] == 10
    )
    solution = dl.simulate(dl.catalog.load("index3-pendulum"), until=10.0, **options)
    assert np.abs(solution.q[-1] - [x, y]).max() <= 1e-9
    assert np.abs(solution.v[-1] - [vx, vy]).max() <= 1e-9
    assert abs(solution.lam[-1, 0] - lam) <= 1e-8
    assert_holds(solution)


@pytest.mark.parametrize("options", [{"step": 1e-4}, PRECISE], ids=["rk4", "dp8"])
def test_a5_car_axis(options):
    expected = np.array(read("car_axis.json")["reference"])
    solution = dl.simulate(dl.catalog.load("car-axis"), until=3.0, **options)
    assert np.abs(solution.q[-1] - expected[:4]).max() <= 1e-8
    assert np.abs(solution.v[-1] - expected[4:8]).max() <= 1e-7
    assert np.abs(solution.lam[-1] - expected[8:]).max() <= 1e-8
    assert_holds(solution)


def test_a6_slider_crank_of_sundials():
    solution = dl.simulate(dl.catalog.load("slider-crank-sundials"), until=10.0, step=1e-3)
    for t, *expected in read("slider_crank_sundials.json")["rows"]:
        i = sample(solution, t)
        found = np.array([*solution.q[i], solution.v[i, 0]])
        assert np.abs(found - expected).max() <= 1e-8
    assert_holds(solution)


def test_a11_towing_tank():
    solution = dl.simulate(dl.catalog.load("towing-tank"), until=10.0, step=1e-3)
    mount = solution["mount.force"]
    for t, theta, _, force_x, force_z in read("towing_tank.json")["rows"]:
        i = sample(solution, t)
        assert abs(-solution["ship.pitch"][i] - theta) <= 1e-8
        assert mount[i, 2] == pytest.approx(force_x, rel=1e-6)
        assert mount[i, 4] == pytest.approx(force_z, rel=1e-6)
    assert_holds(solution)


def test_a11_mount_at_the_centre_of_mass():
    solution = dl.simulate(dl.catalog.load("towing-tank", mount=0.0), until=2.0, step=1e-3)
    omega = 2 * np.pi * 0.8
    expected = 40 * (9.81 - 0.05 * omega**2 * np.sin(omega * solution.t))
    assert np.abs(solution["ship.pitch"]).max() == 0.0
    np.testing.assert_allclose(solution["mount.force"][:, 4], expected, rtol=1e-12)


# -- nonholonomic models of the catalog, closed forms in their files ------------------------------


def test_skate_particle():
    solution = dl.simulate(dl.catalog.load("skate-particle"), until=20.0, step=1e-2)
    t = solution.t
    expected = np.stack([np.arcsinh(t), np.sqrt(1 + t**2) - 1, t], axis=1)
    assert np.abs(solution.q - expected).max() <= 1e-8  # fourth order, h = 1e-2
    assert_holds(solution)


def test_rolling_disc_runs_on_a_circle():
    solution = dl.simulate(dl.catalog.load("rolling-disc"), until=10.0, step=1e-2)
    t, radius = solution.t, 0.5 * 4.0 / 1.0
    expected = np.stack([radius * np.sin(t), radius * (1 - np.cos(t)), t, 4.0 * t], axis=1)
    assert np.abs(solution.q - expected).max() <= 1e-8
    assert np.ptp(solution.energy) <= 1e-12
    assert_holds(solution)


def test_double_pendulum_keeps_its_energy():
    solution = dl.simulate(dl.catalog.load("double-pendulum"), until=5.0, step=1e-3)
    assert np.ptp(solution.energy) <= 1e-8
