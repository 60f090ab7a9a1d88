"""Newton's cradle (liabru/matter-js#361): one ball in, one ball out; two in, two out."""

import numpy as np

import dalembert as dl


def struck(moving):
    """Speeds of five balls in a row, the first `moving` of which arrive with 1 m/s."""
    model = dl.Model("balls", gravity=(0, 0, 0))
    for k in range(5):
        x = 0.1 * k + (0.05 if k >= moving else 0.0)
        speed = (1.0, 0, 0) if k < moving else (0, 0, 0)
        ball = model.add_body(
            f"ball{k}", dl.Inertia.sphere(1.0, radius=0.05), position=(x, 0, 0), velocity=speed
        )
        steel = dl.Material(restitution=1.0, friction=0.0)
        model.add_shape(dl.Sphere(0.05), on=ball, material=steel)
    method = dl.ContactImpulse(impacts="sequential")
    solution = dl.simulate(model, until=0.2, method=method)
    return np.array([solution[f"ball{k}.x.dot"][-1] for k in range(5)])


for moving in (1, 2, 3):
    speeds = struck(moving)
    print(f"{moving} in: speeds {speeds.round(9) + 0.0}")
    assert abs(speeds - (np.arange(5) >= 5 - moving)).max() < 1e-9
