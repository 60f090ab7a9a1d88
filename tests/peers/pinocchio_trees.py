"""Run in the peers' environment: M, bias, forward dynamics and placements of trees by Pinocchio.

Reads trees as JSON from standard input, writes the answers to standard output. Coordinates and
velocities are ours (docs/theory/trees.md); what Pinocchio takes and gives is converted here:
quaternions (x, y, z, w), velocities of balls and free bodies in axes of the child.
"""

import json
import sys

import numpy as np
import pinocchio as pin


def placement(given):
    return pin.SE3(np.array(given["rotation"]), np.array(given["position"]))


def series(*parts):
    joint = pin.JointModelComposite()
    for part in parts:
        joint.addJoint(part)
    return joint


def joint_of(edge):
    kind = edge["kind"]
    if kind == "screw":
        return pin.JointModelHelicalUnaligned(
            np.array([0.0, 0.0, 1.0]), edge["pitch"] / (2 * np.pi)
        )
    if kind == "compound":
        slides = [pin.JointModelPrismaticUnaligned(np.array(axis)) for axis in edge["slides"]]
        hinges = [pin.JointModelRevoluteUnaligned(np.array(axis)) for axis in edge["hinges"]]
        joint = series(*slides, *hinges[:1])
        for hinge in hinges[1:]:
            joint.addJoint(hinge, pin.SE3(np.eye(3), np.array(edge["apart"])))
        return joint
    if kind == "universal":
        return pin.JointModelUniversal(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    return {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "cylindrical": lambda: series(pin.JointModelRZ(), pin.JointModelPZ()),
        "planar": lambda: series(pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ()),
        "spherical": pin.JointModelSpherical,
        "free": pin.JointModelFreeFlyer,
    }[kind]()


def build(tree):
    """The model, and of each body its joint (or that of the body it is welded to) and place."""
    model = pin.Model()
    model.gravity.linear = np.array(tree["gravity"])
    known = {"world": (0, pin.SE3.Identity())}
    for edge in tree["edges"]:
        parent, at = known[edge["parent"]]
        # from the frame of the joint that carries the body to the body's own
        body = placement(edge["child_frame"]).inverse()
        if edge["kind"] == "fixed":
            known[edge["body"]] = (parent, at * placement(edge["parent_frame"]) * body)
        else:
            frame = at * placement(edge["parent_frame"])
            known[edge["body"]] = (
                model.addJoint(parent, joint_of(edge), frame, edge["name"]),
                body,
            )
        index, own = known[edge["body"]]
        inertia = pin.Inertia(edge["mass"], np.array(edge["center"]), np.array(edge["inertia"]))
        model.appendBodyToJoint(index, inertia, own)
    return model, known


def answers(tree):
    model, known = build(tree)
    data = model.createData()
    q, v, tau = (np.array(tree[name]) for name in ("q", "v", "tau"))
    n = len(v)
    T, drift = np.zeros((model.nv, n)), np.zeros(model.nv)
    theirs = np.zeros(model.nq)
    for edge in tree["edges"]:
        if edge["kind"] == "fixed":
            continue
        joint = model.joints[model.getJointId(edge["name"])]
        mine_q, mine_v = edge["q"], edge["v"]
        part, rates = q[mine_q : mine_q + joint.nq], v[mine_v : mine_v + joint.nv]
        block = np.eye(joint.nv)
        if edge["kind"] == "spherical":
            p = part / np.linalg.norm(part)
            R = pin.Quaternion(p[0], p[1], p[2], p[3]).matrix()
            part, block = np.array([*p[1:], p[0]]), R.T
        elif edge["kind"] == "free":
            p = part[3:] / np.linalg.norm(part[3:])
            R = pin.Quaternion(p[0], p[1], p[2], p[3]).matrix()
            part = np.array([*part[:3], *p[1:], p[0]])
            block = np.kron(np.eye(2), R.T)
            drift[joint.idx_v : joint.idx_v + 3] = -R.T @ np.cross(rates[3:], rates[:3])
        theirs[joint.idx_q : joint.idx_q + joint.nq] = part
        T[joint.idx_v : joint.idx_v + joint.nv, mine_v : mine_v + joint.nv] = block
    speeds = T @ v
    M = pin.crba(model, data, theirs)
    M = np.triu(M) + np.triu(M, 1).T
    bias = pin.nonLinearEffects(model, data, theirs, speeds)
    # T^T tau' = tau with T square: tau' = T^-T tau
    a = pin.aba(model, data, theirs, speeds, np.linalg.solve(T.T, tau))
    pin.forwardKinematics(model, data, theirs, speeds)
    places = {}
    for name, (index, own) in known.items():
        place = data.oMi[index] * own
        places[name] = [place.translation.tolist(), place.rotation.tolist()]
    return {
        "M": (T.T @ M @ T).tolist(),
        "bias": (T.T @ (bias + M @ drift)).tolist(),
        "a": np.linalg.solve(T, a - drift).tolist(),
        "places": places,
    }


json.dump([answers(tree) for tree in json.load(sys.stdin)], sys.stdout)
