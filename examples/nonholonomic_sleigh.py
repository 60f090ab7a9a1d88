"""Chaplygin's sleigh: a velocity constraint, no friction, and yet the motion settles.

The knife edge cannot move sideways. Energy is conserved exactly; rotation turns into translation.
The closed form is in the catalog file: u = C tanh(s), w = C/k sech(s).
"""

import numpy as np

import dalembert as dl


def closed_form(t, *, mass=1.0, inertia=0.5, offset=0.3, turn=2.0):
    """Forward speed and turning rate of a sleigh started with pure rotation."""
    k = np.sqrt(inertia / mass + offset**2)
    C = k * turn
    s = offset * C / k**2 * t
    return C * np.tanh(s), C / k / np.cosh(s)


if __name__ == "__main__":
    model = dl.catalog.load("sleigh")
    x, y, theta = model.coordinates
    forward = x.dot * np.cos(theta) + y.dot * np.sin(theta)

    solution = dl.simulate(model, until=10.0, step=1e-2, method=dl.Projection())
    print(solution.summary())
    speed, turn = closed_form(solution.t)
    speed_error = np.abs(solution[forward] - speed).max()
    turn_error = np.abs(solution[theta.dot] - turn).max()
    energy_error = np.ptp(solution.energy)
    print(f"\nforward speed off by {speed_error:.1e}, turning rate by {turn_error:.1e}")

    # fourth order: one tenth of the step, one ten-thousandth of the error
    assert speed_error < 1e-7
    assert turn_error < 1e-7
    assert energy_error < 1e-7
    assert solution.worst["phi_dot"] < 1e-13

    finer = dl.simulate(model, until=10.0, step=1e-3, method=dl.Projection())
    assert np.abs(finer[forward] - closed_form(finer.t)[0]).max() < 1e-11

    # Every step a push sideways would be work; the constraint force does none.
    sideways = solution["edge.force"]
    print(f"largest sideways force {np.abs(sideways).max():.3f} N")
