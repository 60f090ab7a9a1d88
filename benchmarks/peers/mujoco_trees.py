"""MuJoCo: the trees of `trees.py`, `mj_step` with semi-implicit Euler; what it can leave is off."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import trees as scene
from record import best_cpu, emit

UNUSED = (
    *("CONTACT", "LIMIT", "FRICTIONLOSS", "SPRING", "DAMPER", "ACTUATION", "SENSOR", "ISLAND"),
    *("CONSTRAINT", "EULERDAMP"),
)
LARGEST = 100  # links; a thousand take 50 ms a step


def build(what: scene.Scene) -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = scene.STEP
    spec.option.gravity = [0, 0, -scene.GRAVITY]
    for part in UNUSED:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{part}"))
    base = spec.worldbody
    if what.limb:
        base = base.add_body(
            name="base", mass=scene.BASE_MASS, inertia=scene.BASE_MOMENTS, explicitinertial=True
        )
        base.add_freejoint()
    bodies: list[Any] = []
    for i in range(what.links):
        parent = base if what.parent(i) < 0 else bodies[what.parent(i)]
        body = parent.add_body(
            name=f"link{i}",
            pos=what.place(i),
            mass=scene.MASS,
            ipos=scene.CENTER,
            inertia=scene.MOMENTS,
            explicitinertial=True,
        )
        axis = [float(what.axis(i) == name) for name in "xyz"]
        body.add_joint(name=f"hinge{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        bodies.append(body)
    return spec.compile()


def main() -> None:
    for what in scene.SCENES:
        if what.links > LARGEST:
            continue
        model = build(what)
        data = mujoco.MjData(model)
        first = 7 if what.limb else 0

        def reset(model: Any = model, data: Any = data, first: int = first, w: Any = what) -> None:
            mujoco.mj_resetData(model, data)
            data.qpos[first:] = [w.angle(i) for i in range(w.links)]

        def run(model: Any = model, data: Any = data, steps: int = what.steps) -> None:
            mujoco.mj_step(model, data, nstep=steps)

        best = best_cpu(run, reset)
        reset()
        mujoco.mj_step(model, data, nstep=scene.COMPARED)
        emit(
            scene=what.name,
            size=what.links,
            engine="MuJoCo",
            version=mujoco.__version__,
            variant="mj_step, Euler",
            us_per_step=1e6 * best / what.steps,
            angles=np.array(data.qpos[first:]).tolist(),
            note="steps inside one call",
        )


main()
