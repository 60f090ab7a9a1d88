"""Formulas from SymPy in, LaTeX out (needs the extra 'sympy').

A bead on a rotating hoop: the hoop turns about its vertical diameter at a prescribed rate, the
bead slides on it. Written once in SymPy with two spherical angles and the turning as a
constraint, and once by hand.
"""

import numpy as np
import sympy

import dalembert as dl

RATE = 5.0  # of the hoop [rad/s]; above sqrt(g/r) the lowest point is unstable


def in_sympy():
    t, m, r, g = sympy.symbols("t m r g", positive=True)
    theta, phi = (sympy.Function(name)(t) for name in ("theta", "phi"))
    kinetic = m * r**2 * (theta.diff(t) ** 2 + sympy.sin(theta) ** 2 * phi.diff(t) ** 2) / 2
    return dl.Model.from_lagrangian(
        name="bead on a hoop",
        kinetic=kinetic,
        potential=-m * g * r * sympy.cos(theta),
        constraints={"hoop": phi - RATE * t},
        coordinates=[theta, phi],
        parameters={m: 0.1, r: 1.0, g: 9.81},
        initial={theta: 0.1, phi.diff(t): RATE},
    )


def by_hand():
    """The one coordinate that is left: a pendulum with a centrifugal term."""
    (theta,) = dl.coordinates("theta")
    m, r, g = dl.parameters(m=0.1, r=1.0, g=9.81)
    centrifugal = m * r**2 * RATE**2 * np.sin(theta) ** 2 / 2
    return dl.Model.from_lagrangian(
        name="bead, reduced",
        kinetic=m * r**2 * theta.dot**2 / 2,
        potential=-m * g * r * np.cos(theta) - centrifugal,
        initial={theta: 0.1},
    )


if __name__ == "__main__":
    model = in_sympy()
    print(model.equations(), "\n")
    print(model.latex(), "\n")

    full = dl.simulate(model, until=10.0, step=1e-3)
    reduced = dl.simulate(by_hand(), until=10.0, step=1e-3)
    difference = np.abs(full["theta"] - reduced["theta"]).max()
    print(f"two formulations differ by {difference:.1e} rad in 10 s")
    assert difference < 1e-9
    assert full.worst["phi"] < 50 * 1e-14  # the angle of the hoop grows to 50 rad

    # the torque that keeps the hoop turning: d/dt (m r^2 sin^2(theta)) RATE
    theta, rate = full["theta"], full["theta.dot"]
    torque = 0.1 * np.sin(2 * theta) * rate * RATE
    assert np.abs(full["hoop.force"].ravel() - torque).max() < 1e-9
