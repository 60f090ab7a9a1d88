"""Two craft in free space that dock: momentum and angular momentum are kept, energy is not.

The port is a spherical joint that does not act at first. It engages where the ports meet.
"""

import numpy as np

import dalembert as dl

MASSES, OFFSET = (500.0, 200.0), 0.5
MOMENTS = (MASSES[0] * 8.0 / 12.0, MASSES[1] * 2.0 / 12.0)  # about z


def craft():
    model = dl.Model("craft", gravity=(0, 0, 0))
    station = model.add_body("station", dl.Inertia.box(mass=MASSES[0], size=(2.0, 2.0, 2.0)))
    shuttle = model.add_body("shuttle", dl.Inertia.box(mass=MASSES[1], size=(1.0, 1.0, 1.0)))
    port, nose = station.at(x=1.0, y=OFFSET), shuttle.at(x=-0.5)
    model.add_joint(dl.Spherical(port, nose, name="port"))
    model.set_initial(
        {"shuttle.position": (3.5, OFFSET, 0.0), "shuttle.velocity": (-0.2, 0.0, 0.0)}
    )
    return model


def angular_momentum(solution):
    """About the origin, along z; both craft turn about their main axes."""
    x, y, vx, vy, w = (
        np.stack([solution[f"{name}.{part}"] for name in ("station", "shuttle")], axis=1)
        for part in ("x", "y", "x.dot", "y.dot", "wz")
    )
    return (np.array(MASSES) * (x * vy - y * vx) + np.array(MOMENTS) * w).sum(axis=1)


if __name__ == "__main__":
    model = craft()
    shuttle = model.bodies["shuttle"]
    docking = dl.Event(shuttle.x - 1.5, direction=-1, action=dl.Engage("port"), name="docking")
    solution = dl.simulate(model, until=20.0, released=["port"], events=[docking])
    [entry] = solution.log
    after = int(np.searchsorted(solution.t, entry.t))
    lost = solution.kinetic[after - 1] - solution.kinetic[after]
    print(f"{entry.t:.6f} s  {entry.kind} {entry.contact}, impulse {entry.impulse:.4f} N s")
    print(f"energy {solution.kinetic[0]:.4f} J, lost {lost:.4f} J")
    momentum = sum(
        mass * solution[f"{name}.x.dot"]
        for mass, name in zip(MASSES, ("station", "shuttle"), strict=True)
    )
    assert abs(entry.t - 10.0) < 1e-9
    assert np.abs(momentum - MASSES[1] * -0.2).max() < 1e-10
    assert np.ptp(angular_momentum(solution)) < 1e-9
    # W p = u of the two ports: port at (a, b) of the station, nose at (-c, 0) of the shuttle
    a, b, c = 1.0, OFFSET, 0.5
    J, j = MOMENTS
    both = 1 / MASSES[0] + 1 / MASSES[1]
    W = np.array([[both + b**2 / J, -a * b / J], [-a * b / J, both + a**2 / J + c**2 / j]])
    impulse = np.linalg.solve(W, [0.2, 0.0])
    assert abs(entry.impulse - np.linalg.norm(impulse)) < 1e-9
    assert abs(lost - 0.2 * impulse[0] / 2) < 1e-9
    assert np.ptp(solution.kinetic[after:]) < 1e-9
