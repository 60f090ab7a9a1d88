"""A box that sticks on a slope does not creep, and slides when it should (liabru/matter-js#613)."""

import numpy as np

import dalembert as dl


def box_on(slope, friction):
    model = dl.Model("slope", gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
    surface = dl.Material(friction=friction)
    model.add_shape(dl.Plane(), material=surface)
    body = model.add_body("box", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=body, material=surface)
    return model


LIMIT = np.tan(0.4)
stays = dl.simulate(box_on(0.4, 1.001 * LIMIT), until=60.0, step=5e-3)
goes = dl.simulate(box_on(0.4, 0.9 * LIMIT), until=1.0, step=5e-3)
crept = abs(stays["box.x"]).max()
law = 9.81 * (np.sin(0.4) - 0.9 * LIMIT * np.cos(0.4)) / 2
print(f"a thousandth above the limit: {crept:.1e} m in a minute")
print(f"a tenth below it: {goes['box.x'][-1]:.6f} m in a second, by Coulomb {law:.6f} m")
assert crept < 1e-9
assert abs(goes["box.x"][-1] - law) < 1e-3 * law
