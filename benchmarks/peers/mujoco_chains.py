"""MuJoCo: chain and ring of rods with ball joints, RK4; the argument is `chain` or `ring`.

Two forms: the tree of ball joints (exact joints, the ring closed by one `connect`; its cost grows
with the square and the cube of the length, so that 1000 rods take seconds per step and are left
out), and free rods that are joined by `connect` (sparse, its cost grows with the length). Stiffness
K = (1/h)^2, B = 2/h: harder, the ring of ten opens more. What the scene does not need is off.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import chains as scene
import mujoco
import numpy as np
from record import best_cpu, emit

SAMPLES = 20  # of the accuracy run
STEPS = round(scene.CHECK / scene.STEP)
RATE = 1.0 / scene.STEP  # [1/s]
MOMENTS = [scene.ACROSS, scene.ACROSS, scene.ALONG]
HALF = 0.5 * scene.LENGTH
LARGEST_TREE = 100  # rods
SMALLEST_FREE = 100

UNUSED = ("CONTACT", "LIMIT", "FRICTIONLOSS", "SPRING", "DAMPER", "ACTUATION", "SENSOR", "ISLAND")


def empty() -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = scene.STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.gravity = [0, 0, -scene.GRAVITY]
    spec.option.tolerance = 1e-10
    spec.option.iterations = 100
    for part in UNUSED:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{part}"))
    return spec


def add_rod(parent: Any, i: int, position: Any, tilt: float, centre: float) -> Any:
    return parent.add_body(
        name=f"rod{i}",
        pos=position,
        quat=[math.cos(tilt / 2), 0, math.sin(tilt / 2), 0],
        mass=scene.MASS,
        ipos=[0, 0, centre],
        inertia=MOMENTS,
        explicitinertial=True,
    )


def connect(spec: Any, first: str, second: str, height: float) -> None:
    """Join the point (0, 0, height) of `first` to where it lies in `second` at the start."""
    joint = spec.add_equality()
    joint.type = mujoco.mjtEq.mjEQ_CONNECT
    joint.objtype = mujoco.mjtObj.mjOBJ_BODY
    joint.name1, joint.name2 = first, second
    joint.data[:3] = [0, 0, height]
    joint.solref = [-(RATE**2), -2 * RATE]
    joint.solimp = [0.9999, 0.9999, 0.001, 0.5, 2]


def local(tilt: float, vector: Any) -> Any:
    """World components into those of axes turned by `tilt` about y."""
    c, s = math.cos(tilt), math.sin(tilt)
    return np.array([c * vector[0] - s * vector[2], vector[1], s * vector[0] + c * vector[2]])


def tree(begin: scene.Start) -> tuple[Any, Any]:
    """Model and initial velocities of the tree of ball joints."""
    spec = empty()
    body, before = spec.worldbody, 0.0
    speeds = []
    for i, tilt in enumerate(begin.tilts):
        body = add_rod(body, i, [0, 0, -scene.LENGTH if i else 0.0], tilt - before, -HALF)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
        relative = begin.rates[i] - (begin.rates[i - 1] if i else 0.0)
        speeds.append(local(tilt, relative))
        before = tilt
    if begin.closed:
        connect(spec, f"rod{begin.count - 1}", "world", -scene.LENGTH)
    return spec.compile(), np.concatenate(speeds)


def free(begin: scene.Start) -> tuple[Any, Any]:
    """Model and initial velocities of free rods, joined by `connect`."""
    spec = empty()
    speeds = []
    for i, tilt in enumerate(begin.tilts):
        add_rod(spec.worldbody, i, begin.centres[i], tilt, 0.0).add_freejoint()
        speeds += [begin.velocities[i], local(tilt, begin.rates[i])]
        connect(spec, f"rod{i}", f"rod{i - 1}" if i else "world", HALF)
    if begin.closed:
        connect(spec, "rod0", f"rod{begin.count - 1}", HALF)
    return spec.compile(), np.concatenate(speeds)


def state(model: Any, data: Any) -> tuple[Any, Any, Any, Any]:
    """Centres, directions, velocities and rates of the rods."""
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    both = np.zeros((model.nbody, 6))
    for i in range(model.nbody):
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, i, both[i], 0)
    up = data.ximat.reshape(-1, 3, 3)[1:, :, 2]
    return data.xipos[1:].copy(), up.copy(), both[1:, 3:], both[1:, :3]


def measure(kind: str, count: int, form: Callable[[scene.Start], tuple[Any, Any]]) -> None:
    begin = scene.start(kind, count)
    model, speeds = form(begin)
    data = mujoco.MjData(model)

    def reset() -> None:
        mujoco.mj_resetData(model, data)
        data.qvel[:] = speeds

    reset()
    first = scene.energy(*state(model, data))
    reset()
    opening = change = 0.0
    for _ in range(SAMPLES):
        mujoco.mj_step(model, data, nstep=STEPS // SAMPLES)
        now = state(model, data)
        opening = max(opening, scene.opening(kind, *now[:2]))
        change = max(change, abs(scene.energy(*now) - first))
    seconds = best_cpu(lambda: mujoco.mj_step(model, data, nstep=STEPS), reset=reset)
    emit(
        engine="MuJoCo",
        version=mujoco.__version__,
        variant=f"{'tree' if form is tree else 'free rods and connect'}, RK4",
        size=count,
        us_per_step=seconds / STEPS * 1e6,
        us_per_body_rhs=seconds / STEPS / count / 4 * 1e6,
        error=scene.error(kind, count, *now[:2]),
        worst_phi=opening,
        energy=change / scene.energy_scale(kind, count),
        note="nothing recorded",
    )


for count in scene.SIZES:
    if count <= LARGEST_TREE:
        measure(sys.argv[1], count, tree)
    if count >= SMALLEST_FREE:
        measure(sys.argv[1], count, free)
