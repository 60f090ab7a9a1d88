"""MuJoCo: two four-bar linkages, hinges for the tree, loops closed by `equality/connect`, RK4.

Two settings of the loop: the default softness, and the stiffest that works: time constant of two
steps (below that the constraint is unstable) and impedance 0.9999 (the limit of the format).
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
from record import FOUR_BARS_X3_AT_10, GRAVITY, STEP, STEPS, best_cpu, emit

SUPPORTS = 3
STIFF = f'solref="{2 * STEP} 1" solimp="0.9999 0.9999 0.001"'


def rod(name: str, position: str, centre: str, children: str = "") -> str:
    """Uniform rod of 1 kg and 1 m, hinged about y at its lower or left end."""
    return (
        f'<body name="{name}" pos="{position}"><joint name="{name}" axis="0 1 0"/>'
        f'<inertial pos="{centre}" mass="1" diaginertia="{1 / 12} {1 / 12} {1 / 12}"/>'
        f"{children}</body>"
    )


def linkage(softness: str) -> str:
    bodies = ""
    for i in range(SUPPORTS):
        coupler = rod(f"coupler{i}", "0 0 1", "0.5 0 0") if i < SUPPORTS - 1 else ""
        bodies += rod(f"support{i}", f"{i} 0 0", "0 0 0.5", coupler)
    loops = "".join(
        f'<connect body1="coupler{i}" body2="support{i + 1}" anchor="1 0 0" {softness}/>'
        for i in range(SUPPORTS - 1)
    )
    return f"""
    <mujoco>
      <compiler angle="radian" inertiafromgeom="false"/>
      <option gravity="0 0 -{GRAVITY}" timestep="{STEP}" integrator="RK4"
              solver="Newton" tolerance="1e-10" iterations="100"/>
      <worldbody>{bodies}</worldbody>
      <equality>{loops}</equality>
    </mujoco>"""


def measure(label: str, softness: str) -> None:
    model = mujoco.MjModel.from_xml_string(linkage(softness))
    data = mujoco.MjData(model)
    supports = [model.joint(f"support{i}").qposadr[0] for i in range(SUPPORTS)]
    couplers = [model.joint(f"coupler{i}").qposadr[0] for i in range(SUPPORTS - 1)]

    def reset() -> None:
        mujoco.mj_resetData(model, data)
        data.qvel[supports] = 1.0  # tops move with +1 m/s along x
        data.qvel[couplers] = -1.0  # couplers stay horizontal

    def opening() -> float:
        """Largest distance between the two sides of a loop  [m]."""
        angles = data.qpos[supports]
        tops = np.stack([np.arange(SUPPORTS) + np.sin(angles), np.cos(angles)], axis=1)
        absolute = angles[:-1] + data.qpos[couplers]
        ends = tops[:-1] + np.stack([np.cos(absolute), -np.sin(absolute)], axis=1)
        return float(np.linalg.norm(ends - tops[1:], axis=1).max())

    reset()
    worst = 0.0
    for _ in range(round(10.0 / STEP) // 10):
        mujoco.mj_step(model, data, nstep=10)
        worst = max(worst, opening())
    x3 = SUPPORTS - 1 + math.sin(data.qpos[supports[-1]])

    steps = STEPS // 5
    seconds = best_cpu(lambda: mujoco.mj_step(model, data, nstep=steps), reset=reset)
    emit(
        engine="MuJoCo",
        version=mujoco.__version__,
        variant=f"hinges and connect, {label}, RK4",
        us_per_step=seconds / steps * 1e6,
        error=abs(x3 - FOUR_BARS_X3_AT_10),
        worst_phi=worst,
        note="opening of the loop over 10 s; nothing recorded",
    )


measure("stiffest", STIFF)
measure("default softness", "")
