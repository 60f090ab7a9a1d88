"""Braun & Goldfarb (2009), section 5.3: two four-bar linkages through their flat positions.

Six coordinates, five constraints whose rank drops to three at every horizontal passage, where
the linkage could also fold. Compared with the closed form of phi'' = 7/6 g/l sin(phi).
"""

import numpy as np
from scipy.special import ellipj, ellipk

import dalembert as dl

UNTIL = 100.0
WRONG_START = {"x1": 0.0, "y1": 1.01, "x2": 1.0, "y2": 1.01, "x3": 1.99, "y3": 1.0} | {
    "x1.dot": 0.99,
    "y1.dot": 0.0,
    "x2.dot": 1.0,
    "y2.dot": 0.0,
    "x3.dot": 1.01,
    "y3.dot": 0.0,
}


def closed_form(t):
    """x3 = 2 + sin(phi) of the rotating solution, phi from the upward vertical, phi'(0) = 1."""
    a = 7 / 6 * 9.81
    top = np.sqrt(1 + 4 * a)  # speed at the bottom
    m = 4 * a / top**2
    sn, cn, _, _ = ellipj(top * t / 2 - ellipk(m), m)
    return 2 - 2 * sn * cn


def run(method, step, **options):
    return dl.simulate(
        dl.catalog.load("four-bars"),
        until=UNTIL,
        step=step,
        method=method,
        integrator=dl.RK4(),
        **options,
    )


def trusted(step):
    """RK4 on the one angle that is left: the accuracy any method could have."""
    (phi,) = dl.coordinates("phi")
    model = dl.Model.from_lagrangian(
        kinetic=3 * phi.dot**2 / 2, potential=3.5 * 9.81 * np.cos(phi), initial={phi.dot: 1.0}
    )
    solution = dl.simulate(model, until=UNTIL, step=step, integrator=dl.RK4())
    return np.abs(solution[2 + np.sin(phi)] - closed_form(solution.t)).max()


def error(solution, until=UNTIL):
    seen = solution.t <= until
    return np.abs(solution["x3"] - closed_form(solution.t))[seen].max()


def report(what, published, here, low, high):
    print(f"{what:40s} published {published:>14s}   here {here:.1e}")
    assert low <= here <= high, f"{what}: {here} is not between {low} and {high}"


if __name__ == "__main__":
    for t, x3 in ((10.0, 2.3284581115408), (100.0, 2.2662388331727)):
        assert abs(closed_form(t) - x3) < 1e-11

    report("h = 1e-2, one coordinate, error", "2e-4", trusted(1e-2), 8.6e-5, 3.4e-4)
    coarse = run(dl.BraunGoldfarb(), 1e-2)
    report("h = 1e-2, eq. 16, error", "1e-2", error(coarse), 4.5e-3, 1.8e-2)
    report("h = 1e-2, eq. 16, worst |phi|", "not growing", coarse.worst["phi"], 0, 6e-9)
    report("h = 1e-2, eq. 16, worst |phi'|", "not growing", coarse.worst["phi_dot"], 0, 1.6e-7)

    uncorrected = run(dl.UdwadiaKalaba(), 1e-2, on_failure="return")
    report("h = 1e-2, eq. 17, error", "unstable", error(uncorrected), 0.1, np.inf)

    report("h = 1e-3, one coordinate, error", "1e-7", trusted(1e-3), 0, 1.9e-9)
    fine = run(dl.BraunGoldfarb(), 1e-3)
    report("h = 1e-3, eq. 16, error", "1e-7", error(fine), 0, 1.9e-7)
    report("h = 1e-3, eq. 16, worst |phi|", "machine", fine.worst["phi"], 0, 3.8e-14)

    projected = run(dl.Projection(), 1e-3)
    # no more than three times the error of eq. 16 (physics.md, section 11, item 2)
    report("h = 1e-3, projection, error in 10 s", "-", error(projected, 10.0), 0, 3 * 8.8e-10)
    report("h = 1e-3, projection, error", "-", error(projected), 0, 3 * 9.3e-8)
    report("h = 1e-3, projection, worst |phi|", "-", projected.worst["phi"], 0, 1e-14)
    report("h = 1e-3, projection, worst |phi'|", "-", projected.worst["phi_dot"], 0, 1e-13)
    energy = np.abs(projected.energy - (1.5 + 3.5 * 9.81)).max()
    report("h = 1e-3, projection, energy error", "-", energy, 0, 5.4e-9)

    wrong = run(dl.BraunGoldfarb(), 1e-2, initial=WRONG_START, consistent=False)
    settled = np.abs(wrong.phi[wrong.t >= 1.0]).max()
    report("wrong start, eq. 16, |phi| after 1 s", "not growing", settled, 0, 6e-8)
