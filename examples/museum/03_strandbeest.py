"""Six legs of a Strandbeest on one crank, running freely (RigidBodyDynamics.jl#480).

Thirty moving points, sixty bars, one degree of freedom. Nothing spends energy: it has to stay.
"""

import numpy as np

import dalembert as dl

BARS = {  # Jansen's numbers, in decimetres
    ("A", "B"): 5.00,
    ("P", "B"): 4.15,
    ("A", "C"): 6.19,
    ("P", "C"): 3.93,
    ("B", "D"): 5.58,
    ("P", "D"): 4.01,
    ("D", "E"): 3.94,
    ("C", "E"): 3.67,
    ("E", "F"): 6.57,
    ("C", "F"): 4.90,
}


def meet(p, a, q, b, side):
    """Where circles about two points cross, to the left (side 1) of the way from p to q."""
    way = q - p
    long = np.hypot(*way)
    along = (long**2 + a**2 - b**2) / (2 * long)
    across = np.sqrt(a**2 - along**2)
    return p + along * way / long + side * across * np.array([-way[1], way[0]]) / long


(turn,) = dl.coordinates("turn")
kinetic, potential, rods, start = 50.0 * turn.dot**2 / 2, 0.0, {}, {turn: 0.3, turn.dot: 4.0}
for leg in range(6):
    side, phase = (-1) ** leg, 2 * np.pi * (leg // 2) / 3
    pins = {
        "A": (side * 1.5 * np.cos(turn + phase), 1.5 * np.sin(turn + phase)),
        "P": (-side * 3.8, -0.78),
    }
    now = 0.3 + phase
    at = {"A": np.array([side * 1.5 * np.cos(now), 1.5 * np.sin(now)])}
    at["P"] = np.array([-side * 3.8, -0.78])
    for name, (p, q, way) in {"B": ("A", "P", -side), "C": ("A", "P", side)}.items():
        at[name] = meet(at[p], BARS[p, name], at[q], BARS[q, name], way)
    at["D"] = meet(at["B"], BARS["B", "D"], at["P"], BARS["P", "D"], -side)
    at["E"] = meet(at["D"], BARS["D", "E"], at["C"], BARS["C", "E"], -side)
    at["F"] = meet(at["E"], BARS["E", "F"], at["C"], BARS["C", "F"], -side)
    for name in "BCDEF":
        x, y = dl.coordinates(f"x{name}{leg} y{name}{leg}")
        pins[name] = x, y
        start |= {x: at[name][0], y: at[name][1]}
        kinetic += (x.dot**2 + y.dot**2) / 2
        potential += 9.81 * y
    for (p, q), length in BARS.items():
        gap = (pins[p][0] - pins[q][0]) ** 2 + (pins[p][1] - pins[q][1]) ** 2
        rods[f"{p}{q}{leg}"] = gap - length**2

beast = dl.Model.from_lagrangian(
    kinetic=kinetic, potential=potential, constraints=rods, initial=start, name="strandbeest"
)
solution = dl.simulate(beast, until=6.0, step=4e-3)
kept = np.ptp(solution.energy) / np.ptp(solution.potential)
print(f"{len(rods)} bars, {solution['turn'][-1] / 6.2832:.1f} turns in 6 s")
print(f"bars keep their squares to {solution.worst['phi']:.1e} dm^2, energy changes by {kept:.1e}")
assert solution.worst["phi"] < 1e-11
assert kept < 1e-4
