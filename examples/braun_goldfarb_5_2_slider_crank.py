"""Braun & Goldfarb (2009), section 5.2: the slider-crank through its singular positions.

Four coordinates, three constraints. With equal links the constraints lose a rank at the vertical
positions, twice per turn. The trusted solution is the one-coordinate equation, as in the paper.
Unequal links (ours) check that nothing depends on sin(theta1) + sin(theta2) cancelling exactly.
"""

import numpy as np

import dalembert as dl

UNTIL, STEP = 100.0, 1e-3
WRONG = (1e-3, 1e-2, 1e-3, 1e-2)  # every entry of q and of v
NAMES = ("x1", "y1", "theta1", "theta2")


def trusted(l2):
    """Slider position from the one angle that is left: theta2 = -arcsin(l1/l2 sin theta1)."""
    (theta,) = dl.coordinates("theta")
    if l2 == 1.0:  # theta2 = -theta
        kinetic = (2 / 3 + 6 * np.sin(theta) ** 2) * theta.dot**2 / 2
        slider = 2 * np.cos(theta)
        potential = 9.81 * np.sin(theta)
        return _solve(
            dl.Model.from_lagrangian(
                kinetic=kinetic, potential=potential, forces={theta: 20 - 5 * theta.dot}
            ),
            slider,
        )
    # theta2 = -beta; the slider moves on the axis
    beta = np.arcsin(np.sin(theta) / l2)
    crank = np.array([np.cos(theta), np.sin(theta)])
    rod = np.array([np.cos(beta), -np.sin(beta)])
    end = crank + l2 * rod
    return _solve(
        dl.Model.from_map(
            particles=[dl.Particle(1.0, end)],
            bodies=[
                dl.PlanarBody(1.0, 1 / 12, position=crank / 2, angle=theta),
                dl.PlanarBody(1.0, l2**2 / 12, position=crank + l2 / 2 * rod, angle=-beta),
            ],
            forces={theta: 20 - 5 * theta.dot},
        ),
        end[0],
    )


def _solve(model, slider):
    precise = dl.DormandPrince(order=8, rtol=1e-13, atol=1e-13)
    times = np.linspace(0.0, UNTIL, 10_001)
    return dl.simulate(model, until=UNTIL, integrator=precise, times=times)[slider]


def run(method, *, l2=1.0, **options):
    model = dl.catalog.load("slider-crank", l2=l2)
    solution = dl.simulate(
        model, until=UNTIL, step=STEP, every=10, method=method, integrator=dl.RK4(), **options
    )
    return solution, solution[model.points["slider"][0]]


def report(what, published, here, low, high):
    print(f"{what:45s} published {published:>10s}   here {here:.1e}")
    assert low <= here <= high, f"{what}: {here} is not between {low} and {high}"


if __name__ == "__main__":
    exact = trusted(1.0)
    assert abs(exact[1000] - 1.7657635110488) < 1e-10
    assert abs(exact[-1] - -0.71743148638315) < 1e-9

    solution, slider = run(dl.BraunGoldfarb())
    report("eq. 16, error of x_s", "4.4e-8", np.abs(slider - exact).max(), 2e-8, 8.7e-8)
    report("eq. 16, worst |phi|", "1e-15", solution.worst["phi"], 0, 1e-15)
    report("eq. 16, worst |phi'|", "1e-15", solution.worst["phi_dot"], 0, 9.2e-12)

    solution, slider = run(dl.Projection())
    error = np.abs(slider - exact)
    # physics.md, section 11, item 2; the error after 100 s is the bar of reference problem A3
    report("projection, error of x_s in 10 s", "-", error[:1001].max(), 0, 3 * 3.0e-9)
    report("projection, error of x_s", "-", error.max(), 0, 1e-6)
    report("projection, worst |phi|", "-", solution.worst["phi"], 0, 1e-14)
    report("projection, worst |phi'|", "-", solution.worst["phi_dot"], 0, 1e-13)

    start = dict(zip(NAMES, WRONG, strict=True))
    start |= {f"{name}.dot": value for name, value in start.items()}
    solution, slider = run(dl.BraunGoldfarb(), initial=start, consistent=False)
    settled = np.abs(solution.phi[solution.t >= 0.05]).max()
    report("wrong start, eq. 16, |phi| once settled", "1e-15", settled, 0, 2e-15)
    report("wrong start, distance", "small", np.abs(slider - exact).max(), 2.7e-2, 1.1e-1)

    solution, slider = run(dl.UdwadiaKalaba(), on_failure="return")
    wrong = np.abs(slider - exact[: len(slider)]).max()
    report("eq. 17, error of x_s", "fails", wrong, 0.1, np.inf)

    exact = trusted(1.5)
    assert abs(exact[1000] - 0.852633796029) < 1e-10
    assert abs(exact[-1] - 2.499436011219) < 1e-9
    for name, method, error, phi, phi_dot in (
        ("eq. 16", dl.BraunGoldfarb(), 1.5e-9, 1.1e-13, 1.8e-12),
        ("projection", dl.Projection(), 1.4e-9, 5e-15, 5e-14),
        ("eq. 17", dl.UdwadiaKalaba(), 4.5e-8, 3.9e-8, np.inf),
    ):
        solution, slider = run(method, l2=1.5)
        found = np.abs(slider - exact).max()
        report(f"unequal links, {name}, error of x_s", "-", found, error / 2, 2 * error)
        report(f"unequal links, {name}, worst |phi|", "-", solution.worst["phi"], 0, 2 * phi)
        here = solution.worst["phi_dot"]
        report(f"unequal links, {name}, worst |phi'|", "-", here, 0, 2 * phi_dot)
