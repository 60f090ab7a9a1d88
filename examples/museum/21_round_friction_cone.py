"""A box pushed in any direction stops on the same straight line (Genesis-Embodied-AI#907).

With Coulomb's round cone it stops after v^2 / (2 mu g), and does not leave its direction.
"""

import numpy as np

import dalembert as dl

LAW = 2.0**2 / (2 * 0.3 * 9.81)
for degrees in (0, 15, 30, 45, 75):
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
    model = dl.Model("box")
    surface = dl.Material(friction=0.3)
    model.add_shape(dl.Plane(), material=surface)
    inertia = dl.Inertia.box(1.0, size=(0.2, 0.2, 0.02))
    box = model.add_body("box", inertia, position=(0, 0, 0.01), velocity=2.0 * way)
    model.add_shape(dl.Box((0.2, 0.2, 0.02)), on=box, material=surface)
    solution = dl.simulate(model, until=1.0, step=5e-3)
    end = np.array([solution["box.x"][-1], solution["box.y"][-1], 0.0])
    aside = np.linalg.norm(np.cross(way, end))
    print(f"{degrees:3d} degrees: {end @ way:.6f} m of {LAW:.6f}, aside {aside:.1e} m")
    assert abs(end @ way - LAW) < 1e-3 * LAW
    assert aside < 1e-8
