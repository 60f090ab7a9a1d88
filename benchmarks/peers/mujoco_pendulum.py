"""MuJoCo: the pendulum as a hinge (minimal coordinate, no constraint to keep), RK4.

The favourable form for the peer: no loop, no collision geometry, stepping inside one C call
without recording.
"""

from __future__ import annotations

import math

import mujoco
from record import GRAVITY, PENDULUM_AT_10, STEP, STEPS, best_cpu, emit

XML = f"""
<mujoco>
  <compiler angle="radian" inertiafromgeom="false"/>
  <option gravity="0 0 -{GRAVITY}" timestep="{STEP}" integrator="RK4"/>
  <worldbody>
    <body>
      <joint type="hinge" axis="0 1 0"/>
      <inertial pos="1 0 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/>
    </body>
  </worldbody>
</mujoco>
"""


def main() -> None:
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)

    mujoco.mj_step(model, data, nstep=round(10.0 / STEP))
    angle = data.qpos[0]  # about +y from the x axis: x = cos, z = -sin
    error = math.dist((math.cos(angle), -math.sin(angle)), PENDULUM_AT_10)

    seconds = best_cpu(
        lambda: mujoco.mj_step(model, data, nstep=STEPS),
        reset=lambda: mujoco.mj_resetData(model, data),
    )
    emit(
        engine="MuJoCo",
        version=mujoco.__version__,
        variant="hinge, RK4",
        us_per_step=seconds / STEPS * 1e6,
        error=error,
        worst_phi=0.0,
        note="minimal coordinate; nothing recorded",
    )


main()
