"""A cart on a curved rail that hits the block at its end and rolls back (Terasology/Rails#13).

The rail is a formula and holds the cart; the block is a bound on it. Energy is kept but for what
the block takes: the square of its restitution.
"""

import numpy as np

import dalembert as dl

x, z = dl.coordinates("x z")
rail = 0.3 * x**2 + 0.05 * np.sin(4 * x)
cart = dl.Model.from_lagrangian(
    kinetic=5.0 * (x.dot**2 + z.dot**2) / 2,
    potential=5.0 * 9.81 * z,
    constraints={"rail": z - rail},
    initial={x: -2.0, z: 0.3 * 4.0 + 0.05 * np.sin(-8.0)},
    name="cart",
)
cart.keep(x <= 1.0, name="block", restitution=0.6)
solution = dl.simulate(cart, until=10.0)
struck = [entry for entry in solution.log if entry.kind == "impact"]
after = np.searchsorted(solution.t, struck[0].t, side="right")
flat = solution.energy[0], solution.energy[after]
floor = 5.0 * 9.81 * (0.3 + 0.05 * np.sin(4.0))  # potential at the block
ratio = (flat[1] - floor) / (flat[0] - floor)
print(f"{len(struck)} hits; the first leaves {ratio:.9f} of the energy at the block, 0.6^2 = 0.36")
print(
    f"off the rail by {solution.worst['phi']:.1e} m, "
    f"beyond the block by {solution['x'].max() - 1:.1e} m"
)
assert abs(ratio - 0.36) < 1e-9
assert solution.worst["phi"] < 1e-12
assert solution["x"].max() - 1.0 < 1e-9
