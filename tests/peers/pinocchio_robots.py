"""Run by the peers' interpreter: Pinocchio's masses, centres of mass and placements of URDF files.

    python pinocchio_robots.py list          the files of example-robot-data, one a line
    python pinocchio_robots.py < tasks.json  > answers.json

A task is {"file", "base", "values": [{joint: value}, ...]}; joints that are not named stay at zero.
"""

from __future__ import annotations

import json
import math
import sys
import sysconfig
from pathlib import Path


def files() -> list[str]:
    root = Path(sysconfig.get_paths()["purelib"])
    return sorted(str(path) for path in root.glob("**/example-robot-data/**/*.urdf"))


def answer(task: dict) -> dict:
    import numpy as np
    import pinocchio as pin

    try:
        if task["base"] == "floating":
            model = pin.buildModelFromUrdf(task["file"], pin.JointModelFreeFlyer())
        else:
            model = pin.buildModelFromUrdf(task["file"])
    except Exception as problem:  # whatever it says, the file is not read there
        return {"error": str(problem)[:200]}
    data = model.createData()
    bodies = {}
    for k in range(1, model.njoints):
        I = model.inertias[k]
        bodies[model.names[k]] = [I.mass, *I.lever, *np.array(I.inertia).ravel()]
    found = []
    for values in task["values"]:
        q = pin.neutral(model)
        for name, value in values.items():
            if not model.existJointName(name):
                continue
            joint = model.joints[model.getJointId(name)]
            if joint.nq == 1:
                q[joint.idx_q] = value
            elif joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = math.cos(value), math.sin(value)
        pin.framesForwardKinematics(model, data, q)
        center = pin.centerOfMass(model, data, q)
        frames = {
            frame.name: [*data.oMf[k].translation, *data.oMf[k].rotation.ravel()]
            for k, frame in enumerate(model.frames)
            if frame.type == pin.FrameType.BODY
        }
        found.append({"center": list(center), "frames": frames})
    mass = pin.computeTotalMass(model)
    found = {"mass": mass, "bodies": bodies, "states": found}
    if "speeds" in task:
        found["dynamics"] = dynamics(model, data, q, task)
    return found


def dynamics(model, data, q, task: dict) -> dict:
    """M, bias and accelerations at the last state, the base at rest; by the names of joints."""
    import numpy as np
    import pinocchio as pin

    names, places = [], []
    for k in range(1, model.njoints):
        joint = model.joints[k]
        if joint.nv == 1:
            names.append(model.names[k])
            places.append(joint.idx_v)
        elif k == 1 and joint.nv == 6:  # the free base
            names += [f"base{i}" for i in range(6)]
            places += range(6)
    v, tau = np.zeros(model.nv), np.zeros(model.nv)
    for name, place in zip(names, places, strict=True):
        v[place] = task["speeds"].get(name, 0.0)
        tau[place] = task["efforts"].get(name, 0.0)
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    at = np.ix_(places, places)
    return {
        "names": names,
        "mass_matrix": M[at].tolist(),
        "bias": pin.nonLinearEffects(model, data, q, v)[places].tolist(),
        "acceleration": pin.aba(model, data, q, v, tau)[places].tolist(),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        print("\n".join(files()))
    else:
        json.dump([answer(task) for task in json.load(sys.stdin)], sys.stdout)
