"""A door that swings shut and is caught by a latch: an impact that stops it, and its impulse.

The latch is a joint of the model that does not act at first. Where the angle of the hinge becomes
zero it engages; the hinge and the latch together take up the whole angular momentum.
"""

import numpy as np

import dalembert as dl

MASS, WIDTH, THICKNESS, SPEED = 20.0, 0.9, 0.04, 1.0


def door():
    model = dl.Model("door")
    inertia = dl.Inertia.box(mass=MASS, size=(WIDTH, THICKNESS, 2.0))
    leaf = model.add_body("leaf", inertia)
    hinge = model.add_joint(dl.Revolute(model.world, leaf.at(x=-WIDTH / 2), axis="z", name="hinge"))
    model.add_loop(dl.Fixed(model.world.at(x=WIDTH), leaf.at(x=WIDTH / 2), name="latch"))
    model.set_initial({"hinge.angle": -1.0, "hinge.angle.dot": SPEED})
    return model, hinge


if __name__ == "__main__":
    model, hinge = door()
    caught = dl.Event(hinge.angle, action=dl.Engage("latch"), name="shut")
    opened = dl.Event(dl.time - 1.5, action=dl.Release("latch"), name="opened")
    solution = dl.simulate(model, until=2.0, released=["latch"], events=[caught, opened])
    for entry in solution.log:
        print(f"{entry.t:.6f} s  {entry.kind} {entry.contact}")
    moment = MASS * ((WIDTH**2 + THICKNESS**2) / 12 + (WIDTH / 2) ** 2)
    lost = solution.kinetic[0] - solution.kinetic[-1]
    print(f"energy lost {lost:.6f} J, 1/2 J w^2 = {moment * SPEED**2 / 2:.6f} J")
    assert [entry.kind for entry in solution.log] == ["engage", "release"]
    assert abs(solution.log[0].t - 1.0 / SPEED) < 1e-9
    assert abs(lost - moment * SPEED**2 / 2) < 1e-9
    assert np.abs(solution.v[-1]).max() < 1e-12
