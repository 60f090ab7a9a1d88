"""A link that hangs on three bars at once (rectorsquid/Linkage#12).

No two circles meet in its pins: three lengths have to be solved together. It is a planar platform;
the answer is judged by the lengths, and by coming back after every turn of the crank.
"""

import numpy as np

import dalembert as dl

START, CRANK = (0.8, 0.8, 0.1), 0.15
BARS = {
    "a": ((0.0, 0.0), (-0.3, 0.0)),
    "b": ((1.6, -0.1), (0.35, 0.1)),
    "c": ((2.2, 0.5), (0, -0.3)),
}


def ends(name, x, y, turn, crank):
    """Vector between the pin of a bar on the link and the other one, which may be on a crank."""
    (p, q), (a, b) = BARS[name]
    if name == "a":
        p, q = p + CRANK * np.cos(crank), q + CRANK * np.sin(crank)
    cos, sin = np.cos(turn), np.sin(turn)
    return x + cos * a - sin * b - p, y + sin * a + cos * b - q


x, y, turn, crank = dl.coordinates("x y turn crank")
lengths = {name: np.hypot(*ends(name, *START, 0.0)) for name in BARS}
rows = {"motor": crank - 2 * np.pi * dl.time}
for name, length in lengths.items():
    u, w = ends(name, x, y, turn, crank)
    rows[name] = u**2 + w**2 - length**2
model = dl.Model.from_lagrangian(
    kinetic=(x.dot**2 + y.dot**2 + 0.1 * turn.dot**2 + 0.01 * crank.dot**2) / 2,
    potential=9.81 * y,
    constraints=rows,
    initial=dict(zip((x, y, turn), START, strict=True)),
    name="steering",
)
solution = dl.simulate(model, until=3.0, step=1e-3)
path = [solution[name] for name in ("x", "y", "turn", "crank")]
worst = max(abs(np.hypot(*ends(name, *path)) - length).max() for name, length in lengths.items())
back = max(np.ptp(values[::1000]) for values in path[:3])
print(f"bars keep their lengths to {worst:.1e} m; after each turn it is back to {back:.1e}")
assert worst < 1e-12
assert back < 1e-9
assert np.ptp(solution["turn"]) > 0.05
