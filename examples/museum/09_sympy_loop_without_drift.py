"""A loop written in SymPy, kept on position level (SolveDAE/solve_dae#47; extra 'sympy').

Equations from the time derivative of a configuration constraint leave the configuration to the
integrator. The same formulas, with the constraint kept, run ten minutes.
"""

import numpy as np
import sympy

import dalembert as dl

t = sympy.symbols("t")
q = [sympy.Function(f"q{k}")(t) for k in range(1, 4)]  # angles of the bars of a four-bar
lengths, ground, m, g = (1.0, 2.0, 1.5), 2.0, 1.0, 9.81
x, y, kinetic, potential = 0, 0, 0, 0
for angle, length in zip(q, lengths, strict=True):
    middle = x + length / 2 * sympy.cos(angle), y + length / 2 * sympy.sin(angle)
    kinetic += m * (middle[0].diff(t) ** 2 + middle[1].diff(t) ** 2) / 2
    kinetic += m * length**2 / 12 * angle.diff(t) ** 2 / 2
    potential += m * g * middle[1]
    x, y = x + length * sympy.cos(angle), y + length * sympy.sin(angle)
model = dl.Model.from_lagrangian(
    kinetic=kinetic,
    potential=potential,
    constraints={"x": x - ground, "y": y},
    coordinates=q,
    initial={q[0]: 1.0, q[1]: 0.3, q[2]: -1.9},
    name="four-bar",
)
kept = dl.simulate(model, until=600.0, step=2e-3)
left = dl.simulate(model, until=600.0, step=2e-3, method=dl.UdwadiaKalaba())
print(f"kept: loop open by {kept.worst['phi']:.1e} m, energy {np.ptp(kept.energy):.1e} J")
print(f"left to the integrator: {left.worst['phi']:.1e} m")
assert kept.worst["phi"] < 1e-12
assert np.ptp(kept.energy) < 1e-2
assert left.worst["phi"] > 100 * kept.worst["phi"]
