"""A ball with restitution 1 comes back to its height (jrouwe/JoltPhysics#1286, bullet3#1530)."""

import numpy as np

import dalembert as dl

for height in (0.5, 10.0):
    model = dl.Model("ball")
    model.add_shape(dl.Plane(), name="floor")
    start = (0, 0, height + 0.1)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=start)
    model.add_shape(dl.Sphere(0.1), on=ball, material=dl.Material(restitution=1.0, friction=0.0))
    period = 2 * np.sqrt(2 * height / 9.81)
    solution = dl.simulate(model, until=20.25 * period, times=period * np.arange(20.1))
    top = solution["ball.z"] - 0.1
    struck = [entry for entry in solution.log if entry.kind == "impact"]
    print(
        f"{len(struck)} bounces from {height} m, back to it within {abs(top - height).max():.1e} m"
    )
    assert len(struck) == 20
    assert abs(top - height).max() < 1e-9
