"""Pinocchio: the trees of `trees.py`, ABA and a semi-implicit step, called from Python.

Where a compiler and Eigen's headers are found (`building`) the same loop also runs in C++.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pinocchio as pin
import trees as scene
from building import output_of
from record import best_cpu, emit

JOINTS = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
LARGEST = 100  # links; the work space grows with their cube


def build(what: scene.Scene) -> Any:
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -scene.GRAVITY])
    base = 0
    if what.limb:
        base = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
        inertia = pin.Inertia(scene.BASE_MASS, np.zeros(3), np.diag(scene.BASE_MOMENTS))
        model.appendBodyToJoint(base, inertia, pin.SE3.Identity())
    links: list[int] = []
    inertia = pin.Inertia(scene.MASS, np.array(scene.CENTER), np.diag(scene.MOMENTS))
    for i in range(what.links):
        parent = base if what.parent(i) < 0 else links[what.parent(i)]
        place = pin.SE3(np.eye(3), np.array(what.place(i)))
        links.append(model.addJoint(parent, JOINTS[what.axis(i)](), place, f"hinge{i}"))
        model.appendBodyToJoint(links[-1], inertia, pin.SE3.Identity())
    return model


def from_python() -> None:
    for what in scene.SCENES:
        if what.links > LARGEST:
            continue
        model = build(what)
        data, tau = model.createData(), np.zeros(model.nv)
        start = pin.neutral(model)
        start[model.nq - what.links :] = [what.angle(i) for i in range(what.links)]

        few = what.steps // 10

        def run(
            steps: int = few,
            m: Any = model,
            d: Any = data,
            q: Any = start,
            u: Any = tau,
        ) -> Any:
            v = np.zeros(m.nv)
            for _ in range(steps):
                v += scene.STEP * pin.aba(m, d, q, v, u)
                q = pin.integrate(m, q, scene.STEP * v)
            return q

        best = best_cpu(run)
        emit(
            scene=what.name,
            size=what.links,
            engine="Pinocchio",
            version=pin.__version__,
            variant="aba + integrate from Python",
            us_per_step=1e6 * best / few,
            angles=run(scene.COMPARED)[model.nq - what.links :].tolist(),
            note="the binding costs a few us a call",
        )


def from_cpp() -> None:
    for line in output_of("pinocchio_trees.cpp", pin.__file__, "pinocchio_default") or ():
        emit(engine="Pinocchio", version=pin.__version__, **json.loads(line))


from_python()
from_cpp()
