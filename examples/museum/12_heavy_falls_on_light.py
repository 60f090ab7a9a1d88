"""A cube of 100 kg falls on one of 1 kg (jrouwe/JoltPhysics#1390): they stack, nothing sinks."""

import dalembert as dl

model = dl.Model("cubes")
model.add_shape(dl.Plane(), name="floor")
for name, mass, z in (("light", 1.0, 0.5), ("heavy", 100.0, 2.0)):
    body = model.add_body(name, dl.Inertia.box(mass, size=(1, 1, 1)), position=(0, 0, z))
    model.add_shape(dl.Box((1, 1, 1)), on=body)
solution = dl.simulate(model, until=5.0)
light, heavy = solution["light.z"], solution["heavy.z"]
sunk = max((0.5 - light).max(), (light + 1.0 - heavy).max())
force = solution.contact_force("light", "floor")[-1][2]
print(f"deepest overlap {sunk:.1e} m, at rest at {light[-1]:.9f} and {heavy[-1]:.9f} m")
print(f"the floor carries {force:.6f} N of {101 * 9.81:.6f} N")
assert sunk < 1e-5
assert abs(heavy[-1] - 1.5) < 1e-5
assert abs(solution["heavy.pitch"][-1]) < 1e-6
assert abs(force - 101 * 9.81) < 1e-3
