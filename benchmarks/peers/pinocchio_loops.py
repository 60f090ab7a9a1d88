"""Pinocchio in C++: the linkages of `linkage.py`, constrained dynamics and a semi-implicit step.

Loops are closed by points, with Baumgarte's corrections Kp = 400, Kd = 40 and proximal iterations
to 1e-10. There is no row without a compiler and Eigen's headers (`building`).
"""

from __future__ import annotations

import json

import linkage as scene
import numpy as np
import pinocchio as pin
from building import output_of
from record import emit

SIZES = [str(size) for size in scene.SIZES]
GIVEN = [repr(x) for x in (scene.STEP, scene.STEPS, scene.GRAVITY, scene.MOMENT)]

for line in (
    output_of("pinocchio_loops.cpp", pin.__file__, "pinocchio_default", *GIVEN, *SIZES) or ()
):
    row = json.loads(line)
    loops = row["size"]
    states = [np.array(row.pop(name)).reshape(-1, 2 * loops + 1) for name in ("hinges", "speeds")]
    samples = [scene.absolute(q, v) for q, v in zip(*states, strict=True)]
    emit(
        engine="Pinocchio",
        version=pin.__version__,
        variant="C++, constraintDynamics, Euler",
        **row,
        **scene.measures(loops, *(np.array(series) for series in zip(*samples, strict=True))),
        note="nothing recorded",
    )
