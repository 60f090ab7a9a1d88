"""MuJoCo: a scene of contact from an MJCF file, as it comes and with sliding removed afterwards.

mujoco_contact.py FILE UNTIL REPEATS
"""

from __future__ import annotations

import json
import sys
import time

import mujoco
import numpy as np


def run(model: mujoco.MjModel, steps: int, repeats: int) -> tuple[float, mujoco.MjData]:
    """Least CPU time of a step, and the end."""
    best = np.inf
    for _ in range(repeats):
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        began = time.process_time()
        mujoco.mj_step(model, data, steps)
        best = min(best, (time.process_time() - began) / steps)
    return best, data


def main() -> None:
    file, until, repeats = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    rows = []
    for label, noslip in (("MuJoCo", 0), ("MuJoCo noslip 20", 20)):
        model = mujoco.MjModel.from_xml_path(file)
        model.opt.noslip_iterations = noslip
        steps = round(until / model.opt.timestep)
        first = mujoco.MjData(model)
        mujoco.mj_forward(model, first)
        seconds, data = run(model, steps, repeats)
        # the farthest and the most on the way, in a run that is not timed
        look = mujoco.MjData(model)
        moved, most, deep = 0.0, 0, 0.0
        for k in range(steps):
            mujoco.mj_step(model, look)
            if k % 20 == 19:
                moved = max(moved, float(np.abs(look.xipos[1:] - first.xipos[1:]).max()))
            most = max(most, int(look.ncon))
            if look.ncon:
                deep = max(deep, float(-look.contact.dist.min()))
        rows.append(
            {
                "who": label,
                "us/step": 1e6 * seconds,
                "contacts": most,
                "creep": moved,
                "penetration": deep,
            }
        )
        del data
    print(json.dumps(rows))


main()
