"""Two swinging bars whose link breaks where its force reaches a limit.

Released velocities stay what they are, and no energy is lost: the outer bar flies on.
"""

import numpy as np

import dalembert as dl

LIMIT = 25.0  # N


def bars():
    model = dl.Model("bars")
    inertia = dl.Inertia.box(mass=1.0, size=(1.0, 0.1, 0.1))
    inner, outer = model.add_body("inner", inertia), model.add_body("outer", inertia)
    model.add_joint(dl.Revolute(model.world, inner.at(x=-0.5), axis="y", name="pivot"))
    model.add_joint(dl.Revolute(inner.at(x=0.5), outer.at(x=-0.5), axis="y", name="link"))
    return model


if __name__ == "__main__":
    model = bars()
    breaks = dl.Event("link.force", limit=LIMIT, action=dl.Release("link"), name="breaks")
    solution = dl.simulate(model, until=1.0, events=[breaks])
    [entry] = solution.log
    after = int(np.searchsorted(solution.t, entry.t))
    force = np.linalg.norm(solution.reaction("link").force, axis=1)
    print(f"{entry.t:.6f} s  {entry.kind} {entry.contact} at {force[after - 1]:.6f} N")
    assert abs(force[after - 1] - LIMIT) < 1e-9 * LIMIT
    assert np.all(force[after:] == 0.0)
    assert np.abs(solution.v[after] - solution.v[after - 1]).max() < 1e-14
    assert np.ptp(solution.energy) < 1e-8
    # the outer bar: its centre falls freely, and it turns evenly
    flight = solution.t[after:] - entry.t
    z = solution["outer.z"][after] + solution["outer.z.dot"][after] * flight - 9.81 * flight**2 / 2
    assert np.abs(solution["outer.z"][after:] - z).max() < 1e-9
    assert np.ptp(solution["outer.wy"][after:]) < 1e-10
