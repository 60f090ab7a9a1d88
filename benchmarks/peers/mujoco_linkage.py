"""MuJoCo: N four-bar linkages, a tree of hinges with its loops closed by `equality/connect`.

    mujoco_linkage.py RK4
    mujoco_linkage.py Euler        semi-implicit

Two settings of the loops. By time constant: two steps, the least the format accepts, and impedance
0.9999, its largest. By stiffness, which the format does not limit, and everything the scene does
not need switched off: with RK4 K = (2/h)^2, B = 4/h, with which the loops open least (above 2.5/h
it shakes them open); with Euler K = 1/h^2, B = 1/h, which would close them within two steps. Newton
needs one iteration in all, the constraints being equations.
"""

from __future__ import annotations

import sys
from typing import Any

import linkage as scene
import mujoco
import numpy as np
from record import best_cpu, emit

SAMPLE = 10  # steps between samples of the accuracy run
INTEGRATOR = sys.argv[1]
STIFFNESS, DAMPING = {"RK4": (4.0, 4.0), "Euler": (1.0, 1.0)}[INTEGRATOR]  # [1/h^2], [1/h]
UNUSED = ("contact", "limit", "frictionloss", "spring", "damper", "actuation", "sensor", "island")
SETTINGS = {
    "by time constant": (f'solref="{2 * scene.STEP} 1"', ""),
    "by stiffness": (
        f'solref="{-STIFFNESS / scene.STEP**2} {-DAMPING / scene.STEP}"',
        "<flag " + " ".join(f'{part}="disable"' for part in UNUSED) + "/>",
    ),
}


def rod(name: str, position: str, centre: str, children: str = "") -> str:
    """Uniform rod of 1 kg and 1 m, hinged about z at its lower or left end."""
    moments = " ".join([str(scene.MOMENT)] * 3)
    return (
        f'<body name="{name}" pos="{position}"><joint name="{name}" axis="0 0 1"/>'
        f'<inertial pos="{centre}" mass="1" diaginertia="{moments}"/>{children}</body>'
    )


def text(loops: int, stiffness: str, flags: str) -> str:
    bodies = ""
    for i in range(loops + 1):
        coupler = rod(f"coupler{i}", "0 1 0", "0.5 0 0") if i < loops else ""
        bodies += rod(f"crank{i}", f"{i} 0 0", "0 0.5 0", coupler)
    closed = "".join(
        f'<connect body1="coupler{i}" body2="crank{i + 1}" anchor="1 0 0" {stiffness} '
        f'solimp="0.9999 0.9999 0.001"/>'
        for i in range(loops)
    )
    return f"""
    <mujoco>
      <compiler angle="radian" inertiafromgeom="false"/>
      <option gravity="0 -{scene.GRAVITY} 0" timestep="{scene.STEP}" integrator="{INTEGRATOR}"
              solver="Newton" tolerance="1e-10" iterations="100">{flags}</option>
      <worldbody>{bodies}</worldbody>
      <equality>{closed}</equality>
    </mujoco>"""


def measure(loops: int, setting: str) -> None:
    model = mujoco.MjModel.from_xml_string(text(loops, *SETTINGS[setting]))
    data: Any = mujoco.MjData(model)

    def reset() -> None:
        mujoco.mj_resetData(model, data)
        data.qvel[0::2] = -1.0  # tops move with +1 m/s along x
        data.qvel[1::2] = 1.0  # couplers stay horizontal

    reset()
    samples = []
    for _ in range(scene.STEPS // SAMPLE):
        mujoco.mj_step(model, data, nstep=SAMPLE)
        samples.append(scene.absolute(data.qpos, data.qvel))
    seconds = best_cpu(lambda: mujoco.mj_step(model, data, nstep=scene.STEPS), reset=reset)
    emit(
        engine="MuJoCo",
        version=mujoco.__version__,
        variant=f"hinges and connect, stiffest {setting}, {INTEGRATOR}",
        size=loops,
        us_per_step=seconds / scene.STEPS * 1e6,
        **scene.measures(loops, *(np.array(series) for series in zip(*samples, strict=True))),
        note="nothing recorded",
    )


for loops in scene.SIZES:
    for setting in SETTINGS:
        measure(loops, setting)
