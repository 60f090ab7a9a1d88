"""A Stewart platform: driven along a path by its six legs, and afloat on springs."""

import numpy as np

import dalembert as dl
from dalembert.catalog.stewart_platform import plate_motion

if __name__ == "__main__":
    # The lengths of the legs are those for a path of the plate: it must follow to rounding.
    driven = dl.catalog.load("stewart-platform", driven=True, rate=2.0)
    print(driven.check())
    solution = dl.simulate(driven, until=np.pi, step=1e-3)
    place, turn = plate_motion(rate=2.0)
    plate = driven.bodies["plate"]
    assert driven.check().degrees_of_freedom == 0
    assert np.abs(solution[plate.position] - solution[place]).max() < 1e-13
    assert np.abs(solution[plate.rotation.ravel()] - solution[turn.ravel()]).max() < 1e-13

    # The force of a drive is the thrust its actuator must give; their work is the change of energy.
    thrust = max(solution.reaction(f"drive{i}").max() for i in range(1, 7))
    print(f"largest thrust of an actuator: {thrust:.1f} N")
    assert abs(solution.report()["energy_balance_relative"]) < 1e-8

    # Without drives springs carry the plate; six degrees of freedom, no loop opens.
    floating = dl.catalog.load("stewart-platform")
    solution = dl.simulate(floating, until=20.0, step=1e-3)
    print(solution.summary())
    assert floating.check().degrees_of_freedom == 6
    assert solution.worst["phi"] < 1e-13
    assert solution.worst["phi_dot"] < 1e-13
    assert np.ptp(solution.energy) < 1e-9 * np.abs(solution.energy).max()
