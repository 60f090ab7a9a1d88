"""Pinocchio: the trees of `trees.py`, ABA and a semi-implicit step, called from Python.

Where a compiler and Eigen's headers are found (PEER_EIGEN names their folder) the same loop is
also built in C++ against the library of the wheel, with -O3 -march=native; it takes minutes and is
kept.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from record import best_cpu, emit

import trees as scene

JOINTS = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
PROGRAM = Path(__file__).with_name("pinocchio_trees.cpp")
KEPT = Path(__file__).parents[1] / "results"  # the built program, until its source changes
BUILDING = 600.0  # [s]
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
    program = KEPT / PROGRAM.stem
    eigen, compiler = os.environ.get("PEER_EIGEN"), shutil.which("g++")
    if not program.exists() or program.stat().st_mtime < PROGRAM.stat().st_mtime:
        if not eigen or compiler is None:
            return
        prefix = next(
            p for p in Path(pin.__file__).parents if (p / "include" / "pinocchio").is_dir()
        )
        KEPT.mkdir(exist_ok=True)
        subprocess.run(
            [
                *(compiler, "-O3", "-march=native", "-DNDEBUG", "-std=c++17", str(PROGRAM)),
                # Boost's lists of types are too short for the joints of Pinocchio 4
                *("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30"),
                *(f"-I{prefix / 'include'}", f"-I{eigen}", f"-L{prefix / 'lib'}"),
                *("-lpinocchio_default", f"-Wl,-rpath,{prefix / 'lib'}", "-o", str(program)),
            ],
            check=True,
            timeout=BUILDING,
            capture_output=True,
        )
    done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=300)
    for line in done.stdout.splitlines():
        emit(engine="Pinocchio", version=pin.__version__, **json.loads(line))


from_python()
from_cpp()
