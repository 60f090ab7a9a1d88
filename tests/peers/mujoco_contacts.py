"""Contacts of pairs of shapes by MuJoCo, in an environment of its own; reads and prints JSON."""

import json
import sys

import mujoco
import numpy as np


def geom(body, told):
    """A geom of the given kind."""
    sizes = told["sizes"]
    size = {
        "sphere": [sizes[0], 0, 0],
        "capsule": [sizes[0], 0.5 * sizes[-1], 0],
        "box": [0.5 * s for s in sizes],
        "plane": [0, 0, 1],
    }[told["kind"]]
    body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{told['kind'].upper()}"), size=size)


def asked(pair):
    """Gaps of the contacts of one pair."""
    spec = mujoco.MjSpec()
    for told in pair:
        if told["kind"] == "plane":
            geom(spec.worldbody, told)
            continue
        body = spec.worldbody.add_body(pos=told["place"], quat=told["turn"])
        body.add_freejoint()
        geom(body, told)
    model = spec.compile()
    model.geom_margin[0] = 0.1
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return np.array(data.contact.dist).tolist()


print(json.dumps([asked(pair) for pair in json.load(sys.stdin)]))
