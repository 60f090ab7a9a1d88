"""Braun & Goldfarb (2009), section 5.1: the pendulum, a million steps.

Error and constraint of the corrected equations (eq. 16) against the uncorrected ones (eq. 17), from
the exact start and from a slightly wrong one, compared with the closed form; the paper's own
reference is off by 7.7e-7 after 1000 s. Figures 1 and 2: braun_goldfarb_figures_1_2.py.
"""

import numpy as np
from scipy.special import ellipj, ellipk

import dalembert as dl

UNTIL, STEP, EVERY = 1000.0, 1e-3, 10
EXACT_START = {"x": 1.0, "y": 0.0}
WRONG_START = {"x": 1 + 1e-5, "y": 1e-5, "x.dot": 1e-4, "y.dot": -1e-4}


def closed_form(t):
    """Position for m = l = 1, released at (1, 0): sin(phi/2) = k sn(K + sqrt(g) t), k^2 = 1/2."""
    sn, _, dn, _ = ellipj(ellipk(0.5) + np.sqrt(9.81) * t, 0.5)
    return np.stack([np.sqrt(2.0) * sn * dn, sn**2 - 1.0], axis=1)


def run(method, start):
    return dl.simulate(
        dl.catalog.load("pendulum"),
        until=UNTIL,
        step=STEP,
        every=EVERY,
        initial=start,
        consistent=False,
        method=method,
        integrator=dl.RK4(),
    )


def error(solution):
    return np.linalg.norm(solution.q - closed_form(solution.t), axis=1).max()


def report(what, published, here, low, high):
    print(f"{what:45s} published {published:>12s}   here {here:.1e}")
    assert low <= here <= high, f"{what}: {here} is not between {low} and {high}"


if __name__ == "__main__":
    corrected = run(dl.BraunGoldfarb(), EXACT_START)
    report("eq. 16, error", "3e-7", error(corrected), 0, 5e-8)
    report("eq. 16, worst |phi|", "1e-12", corrected.worst["phi"], 0, 1.6e-14)
    report("eq. 16, worst |phi'|", "1e-12", corrected.worst["phi_dot"], 0, 3.2e-13)
    final = corrected.q[-1, 0]
    assert abs(final - -0.68323018855231) < 5e-8

    uncorrected = run(dl.UdwadiaKalaba(), EXACT_START)
    report("eq. 17, error", "1e-1", error(uncorrected), 4.7e-3, 1.9e-2)
    report("eq. 17, worst |phi|", "grows", uncorrected.worst["phi"], 3.6e-5, 1.5e-4)

    corrected = run(dl.BraunGoldfarb(), WRONG_START)
    settled = np.abs(corrected.phi[corrected.t >= 40 * STEP]).max()
    report("wrong start, eq. 16, |phi| after 40 steps", "no drift", settled, 0, 1.6e-14)
    # another energy, hence another motion: the difference is not an error of the method
    report("wrong start, eq. 16, distance", "small", error(corrected), 5e-3, 2e-2)

    uncorrected = run(dl.UdwadiaKalaba(), WRONG_START)
    report("wrong start, eq. 17, worst |phi|", "shifted", uncorrected.worst["phi"], 0.1, 0.4)
    report("wrong start, eq. 17, distance", "shifted", error(uncorrected), 1.0, 4.2)
