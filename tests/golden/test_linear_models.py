"""Linear models near equilibria and steady motions: S2.1, S2.2, S2.6, S2.8 of the references."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.support.analysed import chain, disc, rotor, top

import dalembert as dl

pytestmark = pytest.mark.reference


@pytest.mark.parametrize(
    ("n", "first", "last"),
    [
        (1, [3.836013555763], 3.836013555763),
        (2, [3.790253584835, 10.1663158402], 10.1663158402),
        (5, [3.770504534515, 8.948640997891, 15.18728792225, 23.36625215466], 35.44348738844),
        (10, [3.767208518302, 8.728321546416, 14.04538195278], 84.23580845075),
        (20, [3.766355213264, 8.66650546358, 13.69152351719], 186.1268706935),
    ],
)
def test_hanging_chain(n, first, last):
    near = dl.linearize(chain(n))
    found = near.frequencies()
    assert near.is_equilibrium
    assert near.is_stable
    assert len(found) == n
    assert found[: len(first)] == pytest.approx(first, rel=1e-11)
    assert found[-1] == pytest.approx(last, rel=1e-11)


def test_sleeping_top():
    near = dl.linearize(top())
    assert near.is_steady
    assert not near.is_equilibrium
    assert near.is_stable
    assert near.frequencies() == pytest.approx([2.7728661004622, 21.227133899538], abs=1e-11)
    slow = dl.linearize(top(), parameters={"spin": 30.0})
    assert not slow.is_stable
    fastest = max(slow.modes(), key=lambda mode: mode.growth)
    assert fastest.growth == pytest.approx(4.7812132351528, abs=1e-11)
    assert fastest.frequency == pytest.approx(6.0, abs=1e-11)


def test_rolling_disc():
    near = dl.linearize(disc())
    assert near.is_steady
    assert near.is_stable
    assert len(near.states) == 5 + 3  # three velocities, two of five places without any of theirs
    values = near.eigenvalues
    swinging = values[np.abs(values.imag) > 1e-6]
    assert np.sort(swinging.imag) == pytest.approx([-8.97255073358, 8.97255073358], abs=1e-10)
    assert np.abs(swinging.real).max() <= 1e-12
    assert np.abs(values[np.abs(values.imag) <= 1e-6]).max() <= 1e-12
    slow = dl.linearize(disc(), parameters={"v": 0.5}).eigenvalues
    assert slow.real.max() == pytest.approx(4.4151255172796, abs=1e-10)
    assert np.sort(np.abs(slow))[:-2].max() <= 1e-12


WHIRLS = {
    0.0: [-532.7772968805, -419.7003120426, 419.7003120426, 532.7772968806],
    100.0: [-486.50001263, -392.2699439446, 431.2926476114, 607.4773089631],
    500.0: [-454.3706315414, -237.2467870931, 441.83500205, 1049.782416585],
    1000.0: [-450.5689721208, -142.7962215496, 444.313298021, 1749.051895649],
}


@pytest.mark.parametrize("speed", WHIRLS)
def test_rigid_rotor(speed):
    near = dl.linearize(rotor(), parameters={"Omega": speed})
    assert near.is_steady
    assert near.is_stable
    found = near.frequencies()
    along = np.sqrt(2e6 / 10.0)  # the bearings hold it along its axis, too
    rest = np.delete(found, np.argmin(np.abs(found - along)))
    assert np.sort(rest) == pytest.approx(np.sort(np.abs(WHIRLS[speed])), rel=1e-11)


def test_critical_speeds_in_bearings_that_differ_across_the_axis():
    """All modes have forward parts there: det(K - w^2 M + i w G(w)) = 0 four times."""
    (omega,) = dl.parameters(Omega=0.0)
    model = dl.Model("rotor", gravity=(0, 0, 0))
    body = model.add_body(
        "rotor", dl.Inertia(10.0, (0.5, 0.5, 0.2)), angular_velocity=(0, 0, omega)
    )
    for name, z in (("left", -0.2), ("right", 0.3)):
        stiffness = [1e6, 2e6, 0.0, 0.0, 0.0, 0.0]
        model.add_force(
            dl.Bushing(model.world.at(z=z), body.at(z=z), stiffness=stiffness, name=name)
        )
    found = dl.campbell(model, "Omega", np.linspace(0.0, 1500.0, 16), body="rotor")

    def lost(w: float) -> float:
        """Unknown x, turn about y; y, turn about x."""
        K = np.zeros((4, 4))
        for k, first, sign in ((1e6, 0, 1.0), (2e6, 2, -1.0)):
            K[first : first + 2, first : first + 2] = k * np.array(
                [[2.0, sign * 0.1], [sign * 0.1, 0.13]]
            )
        G = np.zeros((4, 4))
        G[1, 3], G[3, 1] = -0.2 * w, 0.2 * w
        M = np.diag([10.0, 0.5, 10.0, 0.5])
        return float(np.linalg.det((K - w * w * M + 1j * w * G) / 1e6).real)

    ends = [(400.0, 450.0), (470.0, 550.0), (580.0, 650.0), (800.0, 900.0)]
    expected = [brentq(lost, *pair, xtol=1e-12) for pair in ends]
    assert found.critical_speeds() == pytest.approx(expected, rel=1e-11)


def test_an_eigenvalue_that_is_there_three_times_has_one_forward_whirl():
    """Springs that pull alike in all directions, also along the shaft: sqrt(2k/m) each."""
    (omega,) = dl.parameters(Omega=0.0)
    model = dl.Model("rotor", gravity=(0, 0, 0))
    turning = (0, 0, omega)
    body = model.add_body("rotor", dl.Inertia(8.0, (0.4, 0.4, 0.7)), angular_velocity=turning)
    for z in (-0.25, 0.25):
        at, on = model.world.at(z=z), body.at(z=z)
        model.add_force(dl.Spring(at, on, free_length=0.0, stiffness=2e5))
    found = dl.campbell(model, "Omega", np.linspace(0.0, 400.0, 5), body="rotor")
    speed = np.sqrt(4e5 / 8.0)
    assert found.critical_speeds() == pytest.approx([speed], abs=1e-9)
    # (I + I_p) Omega^2 = 2 k a^2 of the backward mode that leans
    backward = [np.sqrt(2.5e4 / 1.1), speed]
    assert found.critical_speeds(-1.0) == pytest.approx(backward, abs=1e-9)
    same = np.abs(np.abs(found.frequencies[2]) - speed) < 1e-6
    assert sorted(found.whirl_of_frequencies[2][same]) == [-1, 0, 1]
