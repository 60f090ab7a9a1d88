"""Every kind of shape on every kind: one rests on the other."""

import numpy as np
import pytest

import dalembert as dl

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.2
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))]
"""Corners counter-clockwise seen from outside."""

FLAT = np.array([[-2.0, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]])

ON_BODIES = {
    "sphere": lambda: dl.Sphere(0.2),
    "capsule": lambda: dl.Capsule(0.2, 0.3, axis="x"),
    "box": lambda: dl.Box(0.4, 0.4, 0.4),
    "cylinder": lambda: dl.Cylinder(radius=0.2, length=0.4),
    "ellipsoid": lambda: dl.Ellipsoid((0.25, 0.25, 0.2)),
    "hull": lambda: dl.ConvexHull(CUBE),
    "mesh": lambda: dl.Mesh(vertices=CUBE, faces=TRIANGLES),
    "signed_distance": lambda: dl.SignedDistance(
        "sqrt(x**2 + y**2 + z**2) - 0.2", size=(0.5, 0.5, 0.5)
    ),
}
"""Solids whose lowest point is 0.2 m below their middle, and the highest above."""

BELOW = {
    **ON_BODIES,
    "plane": lambda: dl.Plane(),
    "height_field": lambda: dl.HeightField(np.zeros((5, 5)), size=(4.0, 4.0)),
    "flat mesh": lambda: dl.Mesh(vertices=FLAT, faces=[(0, 1, 2), (0, 2, 3)]),
}


def scene(above, below, *, below_moves):
    """One a millimetre above the other; the lower one stands, or hangs on a stiff spring."""
    model = dl.Model("pair", gravity=(0.0, 0.0, -9.81))
    top = 0.2 if below in ON_BODIES else 0.0
    if below_moves:
        base = model.add_body("base", dl.Inertia.box(mass=50.0, size=(0.4, 0.4, 0.4)))
        model.add_joint(dl.Prismatic(model.world, base, axis="x", name="rail"))
        model.add_shape(BELOW[below](), on=base, name="lower")
    else:
        model.add_shape(BELOW[below](), name="lower")
    body = model.add_body(
        "body", dl.Inertia.box(mass=1.0, size=(0.4, 0.4, 0.4)), position=(0, 0, top + 0.201)
    )
    model.add_joint(dl.Prismatic(model.world, body, axis="z", initial=top + 0.201, name="guide"))
    model.add_shape(ON_BODIES[above](), on=body, name="upper")
    return model, top + 0.2


@pytest.mark.parametrize("below_moves", [False, True], ids=["world", "body"])
@pytest.mark.parametrize("below", BELOW)
def test_it_rests(below, below_moves):
    if below_moves and below not in ON_BODIES:
        pytest.skip("stands on the world only")
    for above in ON_BODIES:
        model, height = scene(above, below, below_moves=below_moves)
        run = dl.simulate(model, until=0.3, step=5e-3)
        z = run.q[:, -5]
        assert abs(z[-1] - height) < 1e-5, (above, z[-1] - height)
        assert z.min() > height - 1e-4, above
