"""What fails says what, where and when (dartsim/dart#236, jrouwe/JoltPhysics#1564).

A rotation that is none is refused where it is given. A run that leaves the numbers stops, and
names the coordinate and the moment; what was computed before is kept.
"""

import numpy as np

import dalembert as dl


def message(call, kind):
    """What a call says when it is refused or stops."""
    try:
        call()
    except kind as problem:
        print(problem)
        return problem
    raise AssertionError("nothing was said")


model = dl.Model("box")
turned = {"rotation": (0.0, 0.0, 0.0, 0.0)}
refused = message(
    lambda: model.add_body("box", dl.Inertia.point(1.0), **turned), dl.errors.ModelError
)
assert "body 'box'" in str(refused)
assert "quaternion" in str(refused)

x, y = dl.coordinates("x y")
runaway = dl.Model.from_lagrangian(
    kinetic=(x.dot**2 + y.dot**2) / 2, coordinates=[x, y], initial={x: 1.0, y: 1.0}, name="runaway"
)
runaway.add_force({y: y**3})  # reaches infinity after a finite time
stopped = message(lambda: dl.simulate(runaway, until=10.0, step=1e-3), dl.errors.SimulationError)
kept = stopped.solution
assert "'y'" in str(stopped)
assert kept.t[-1] > 1.0
assert np.isfinite(kept.q[:-1]).all()
