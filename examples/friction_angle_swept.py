"""A sweep with contact: at which slope a block begins to slide, for three coefficients.

`dl.sweep` runs all pairs and makes one table. Coulomb: it slides where tan(angle) > friction, and
then by g (sin - friction cos) t^2 / 2.
"""

import numpy as np

import dalembert as dl

UNTIL = 1.0
angles, frictions = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0], [0.2, 0.3, 0.4]  # [degrees]
study = dl.sweep(
    "incline",
    {"angle": angles, "friction": frictions},
    until=UNTIL,
    step=2e-3,
    record={"slid": "max(block.x)"},
)
slope, mu, slid = (np.array(study.table[name]) for name in ("angle", "friction", "slid"))
slope = np.radians(slope)
exact = 9.81 * np.maximum(np.sin(slope) - mu * np.cos(slope), 0.0) * UNTIL**2 / 2
for friction in frictions:
    told = "  ".join(f"{x:.3f}" for x in slid[mu == friction])
    print(f"friction {friction}: {told} m")
run = dl.simulate(dl.catalog.load("incline", angle=20.0, friction=0.3), until=UNTIL, step=2e-3)

assert np.abs(slid - exact).max() < 5e-3 * exact.max()  # the step is of first order
assert np.all((slid > 1e-6) == (np.tan(slope) > mu))
