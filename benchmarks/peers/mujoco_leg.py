"""MuJoCo: the leg of a file written by leg.py, hinges with its loops closed by `equality/connect`.

    mujoco_leg.py FILE STEP UNTIL CHECK EVERY

With RK4 the loops are, as in mujoco_linkage.py, as stiff as the format accepts by time constant
(two steps, impedance 0.9999) or by stiffness (2/h)^2, or as they come. With its faster steps, which
take the damping implicitly, they are as they come: with any of the time constants 2, 4, 8 and 20
steps and impedances from 0.9 to 0.999 that were tried this leg flies apart or opens further.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from record import best_cpu, emit

FILE = Path(sys.argv[1])
STEP, UNTIL, CHECK = (float(x) for x in sys.argv[2:5])
EVERY = int(sys.argv[5])
RATE = 2.0 / STEP  # [1/s]
UNUSED = ("contact", "limit", "frictionloss", "actuation", "sensor", "island")
FLAGS = '<flag energy="enable" ' + " ".join(f'{part}="disable"' for part in UNUSED) + "/>"
LOOPS = {
    "stiffest by time constant": f'solref="{2 * STEP} 1"',
    "stiffest by stiffness": f'solref="{-(RATE**2)} {-2 * RATE}"',
    "as it comes": "",
}


def opening(model: Any, data: Any) -> float:
    """Largest distance of the two points of a loop."""
    mujoco.mj_kinematics(model, data)
    worst = 0.0
    for i in range(model.neq):
        ends = []
        for body, anchor in zip(
            (model.eq_obj1id[i], model.eq_obj2id[i]),
            (model.eq_data[i, :3], model.eq_data[i, 3:6]),
            strict=True,
        ):
            ends.append(data.xpos[body] + data.xmat[body].reshape(3, 3) @ anchor)
        worst = max(worst, float(np.linalg.norm(ends[0] - ends[1])))
    return worst


def measure(integrator: str, loops: str) -> None:
    stiffness = f'{LOOPS[loops]} solimp="0.9999 0.9999 0.001"' if LOOPS[loops] else ""
    text = FILE.read_text().replace("SOLVER", stiffness).replace("FLAGS", FLAGS)
    options = f'integrator="{integrator}" solver="Newton" tolerance="1e-10"'
    model = mujoco.MjModel.from_xml_string(text.replace("INTEGRATOR", options))
    data: Any = mujoco.MjData(model)
    worst, toe, steps = 0.0, np.full(3, np.nan), round(UNTIL / STEP)
    for k in range(1, steps // EVERY + 1):
        mujoco.mj_step(model, data, nstep=EVERY)
        worst = max(worst, opening(model, data))
        if k * EVERY == round(CHECK / STEP):
            toe = data.site("toe").xpos.copy()
    mujoco.mj_forward(model, data)
    energy = float(data.energy.sum())
    model.opt.enableflags = 0
    seconds = best_cpu(
        lambda: mujoco.mj_step(model, data, nstep=steps),
        reset=lambda: mujoco.mj_resetData(model, data),
    )
    emit(
        engine="MuJoCo",
        version=mujoco.__version__,
        variant=f"hinges and connect {loops}, {integrator}",
        us_per_step=1e6 * seconds / steps,
        steps_per_s=steps / seconds,
        toe=list(toe),
        worst_phi=worst,
        energy=energy,
        note="nothing recorded",
    )


for loops in LOOPS:
    measure("RK4", loops)
for integrator in ("implicitfast", "Euler"):
    measure(integrator, "as it comes")
