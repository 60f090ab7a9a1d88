"""Plans of mechanisms by chance, with every kind of joint, drive, relation and force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from tests.support.element_laws import Snapshot
from tests.support.element_plan import WORLD, Closure, Connection, Link, Plan, Push, Relation
from tests.support.mechanism_oracle import states
from tests.support.random_mechanisms import any_rotation

import dalembert as dl

KINDS = (
    "Revolute",
    "Revolute",
    "Revolute",
    "Prismatic",
    "Cylindrical",
    "Screw",
    "Spherical",
    "Universal",
    "Planar",
    "Compound",
    "ConstantVelocity",
    "Fixed",
    "free",
)
"""Kinds of joints; hinges more often."""


def random_elements(seed: int) -> Plan:
    """A plan; each seed another."""
    chance = np.random.default_rng([2026, seed])
    count = int(chance.integers(1, 6))
    links = tuple(_link(chance) for _ in range(count))
    joints = tuple(_joint(chance, i) for i in range(count))
    relations, joints = _relations(chance, joints)
    pushes = tuple(
        p for p in (_push(chance, joints) for _ in range(int(chance.integers(1, 6)))) if p
    )
    gravity = 9.81 * any_rotation(chance)[:, 2] * (chance.random() < 0.7)
    pushes += _touching(seed, count)
    plan = Plan(seed, links, joints, pushes, relations, gravity)
    return plan if seed % 2 else _with_closure(chance, plan)


def _with_closure(chance, plan):
    """At rest, with one more joint or constraint."""
    joints = tuple(replace(x, options=_at_rest(x.options)) for x in plan.joints)
    relations = tuple(
        replace(x, data={**x.data, "speed": 0.0, "swing": 0.0}) if x.kind == "Motion" else x
        for x in plan.relations
    )
    plan = replace(plan, joints=joints, relations=relations)
    at = dl.evaluate(plan.model())
    (c,), (R,), _ = states(plan, at.q[None], at.v[None])
    count = len(joints)
    a, b = (int(k) for k in chance.choice(np.arange(WORLD, count), 2, replace=False))
    a, b = min(a, b), max(a, b)
    kinds = ["Distance", "PointOnPlane", "PointOnLine", "PointOnCurve", "knife", "Rolling"]
    kind = str(chance.choice(kinds))
    now = Snapshot(plan, 0.0, c, R, np.zeros((count, 6)), {})
    p_b, R_b = 0.3 * chance.normal(size=3), any_rotation(chance)
    q, B, _, _ = now.end(b, p_b, R_b)
    axes, place, data = any_rotation(chance), q, {}
    if kind in ("PointOnPlane", "PointOnLine"):
        data = {"axis": "z"}
    elif kind == "Distance":
        place = q + chance.normal(size=3)
        data = {"length": float(np.linalg.norm(q - place))}
    elif kind == "PointOnCurve":
        place = q + 0.5 * chance.normal(size=3)
        x, y, z = axes.T @ (q - place)
        k = chance.normal(size=4) * 0.5
        data = {"k": k, "c": k[0] * x**2 + k[1] * y**2 + k[2] * x * z + k[3] * z + y}
    elif kind == "Rolling":
        n, spin, radius = axes[:, 2], B[:, 2], 0.3
        across = n - (n @ spin) * spin
        place = q - radius * across / np.linalg.norm(across)
        data = {"radius": radius, "normal": "z", "axis": "z"}
    p_a, R_a = now.seen_from(a, place, axes)
    return replace(plan, closures=(Closure(kind, a, b, p_a, R_a, p_b, R_b, data),))


def _at_rest(options):
    """Options of a joint without its speeds."""
    still = {k: x for k, x in options.items() if k != "initial_speed"}
    for k in ("velocity", "angular_velocity"):
        if k in still:
            still[k] = np.zeros(3)
    return still


def _link(chance):
    spread = chance.normal(size=(3, 3))
    mass = 10 ** chance.uniform(-0.5, 0.5)
    covariance = 0.02 * spread @ spread.T + 0.03 * np.eye(3)
    moments = mass * (np.trace(covariance) * np.eye(3) - covariance)
    return Link(mass, moments, 0.15 * chance.normal(size=3))


def _joint(chance, b):
    a = int(chance.integers(WORLD, b)) if b else WORLD
    kind = str(chance.choice(KINDS))
    angle, shift = chance.uniform(-2.0, 2.0), chance.uniform(-0.5, 0.5)
    turn, slide = chance.normal() * 2, chance.normal()
    p_a, p_b = 0.5 * chance.normal(size=3), 0.5 * chance.normal(size=3)
    R_a, R_b = any_rotation(chance), any_rotation(chance)
    options: dict[str, Any] = {}
    if kind == "free":
        options = {
            "position": 0.5 * chance.normal(size=3),
            "rotation": any_rotation(chance),
            "velocity": chance.normal(size=3),
            "angular_velocity": 2 * chance.normal(size=3),
        }
    elif kind in ("Revolute", "Screw"):
        options = {"axis": "z", "initial": angle, "initial_speed": turn}
        if kind == "Screw":
            options["pitch"] = chance.uniform(0.1, 0.5)
    elif kind == "Prismatic":
        options = {"axis": "z", "initial": shift, "initial_speed": slide}
    elif kind == "Cylindrical":
        options = {"axis": "z", "initial": (angle, shift), "initial_speed": (turn, slide)}
    elif kind == "Planar":
        start, speed = 0.5 * chance.normal(size=3), chance.normal(size=3)
        options = {"axis": "z", "initial": tuple(start), "initial_speed": tuple(speed)}
    elif kind == "Universal":
        options = {
            "axis": "x",
            "second_axis": "y",
            "initial": tuple(chance.uniform(-0.8, 0.8, 2)),
            "initial_speed": tuple(chance.normal(size=2)),
        }
    elif kind == "Spherical":
        options = {
            "initial": any_rotation(chance),
            "initial_speed": tuple(2 * chance.normal(size=3)),
        }
    elif kind == "Compound":
        options = _compound_options(chance)
    elif kind == "ConstantVelocity":
        options = {"axis": "z"}
    return Connection(kind, a, b, p_a, R_a, p_b, R_b, options)


def _compound_options(chance):
    n_slides, n_hinges = int(chance.integers(0, 3)), int(chance.integers(1, 4))
    slides = [tuple(x) for x in any_rotation(chance)[:n_slides]]
    hinges = [tuple(x) for x in any_rotation(chance)[:n_hinges]]
    start = np.concatenate(
        [chance.uniform(-0.5, 0.5, n_slides), chance.uniform(-0.7, 0.7, n_hinges)]
    )
    return {
        "slides": slides,
        "hinges": hinges,
        "initial": tuple(start),
        "initial_speed": tuple(chance.normal(size=n_slides + n_hinges)),
    }


def _relations(chance, joints):
    """At most one relation, and the joints started as it asks for."""
    hinges = [i for i, x in enumerate(joints) if x.kind == "Revolute"]
    slides = [i for i, x in enumerate(joints) if x.kind == "Prismatic"]
    joints = list(joints)

    def start(i):
        return joints[i].options["initial"], joints[i].options["initial_speed"]

    def begin(i, x, u):
        options = {**joints[i].options, "initial": x, "initial_speed": u}
        joints[i] = Connection(**{**vars(joints[i]), "options": options})

    ways = []
    if len(hinges) >= 2:
        ways += ["Gear", "Coupler"]
    if hinges and slides:
        ways += ["RackPinion"]
    if hinges or slides:
        ways += ["Motion"]
    if not ways or chance.random() < 0.5:
        return (), tuple(joints)
    way = str(chance.choice(ways))
    ratio = chance.choice([-1.0, 1.0]) * chance.uniform(0.3, 2.0)
    if way == "Motion":
        i = int(chance.choice(hinges + slides))
        x, u = start(i)
        data = {
            "start": x,
            "speed": u,
            "swing": chance.uniform(0.1, 0.5),
            "rate": chance.uniform(2, 6),
        }
        return (Relation(way, (i,), data),), tuple(joints)
    if way == "RackPinion":
        i, j = int(chance.choice(hinges)), int(chance.choice(slides))
        radius = 0.3 * ratio
        (x, u), (y, _) = start(i), start(j)
        begin(j, y, radius * u)
        return (Relation(way, (i, j), {"radius": radius, "offset": y - radius * x}),), tuple(joints)
    i, j = (int(x) for x in chance.choice(hinges, 2, replace=False))
    (x, _), (y, u) = start(i), start(j)
    begin(i, x, ratio * u)
    if way == "Gear":
        return (Relation(way, (i, j), {"ratio": ratio, "offset": x - ratio * y}),), tuple(joints)
    data = {"factors": (1.0, -ratio), "offset": x - ratio * y}
    return (Relation(way, (i, j), data),), tuple(joints)


def _push(chance, joints):
    count = len(joints)
    kind = str(
        chance.choice(
            [
                "Force",
                "Torque",
                "Drag",
                "Potential",
                "Spring",
                "SpringLaw",
                "Bushing",
                "drive",
                "drive",
            ]
        )
    )
    one = int(chance.integers(count))
    rate = float(chance.uniform(0.0, 6.0))
    if kind in ("Force", "Torque"):
        axes = str(chance.choice(["world", "body"]))
        data = {"p": 0.3 * chance.normal(size=3), "R": any_rotation(chance), "axes": axes}
        return Push(kind, (one,), {**data, "value": 4 * chance.normal(size=3), "rate": rate})
    if kind == "Drag":
        data = {"p": 0.3 * chance.normal(size=3), "flow": chance.normal(size=3)}
        return Push(
            kind,
            (one,),
            {**data, "linear": chance.uniform(0, 1), "quadratic": chance.uniform(0, 1)},
        )
    if kind == "Potential":
        n = any_rotation(chance)[:, 0]
        data = {
            "point": chance.normal(size=3),
            "direction": n,
            "k": chance.uniform(1, 10),
            "g": chance.normal(),
        }
        return Push(kind, (one,), data)
    if kind in ("Spring", "SpringLaw", "Bushing"):
        ends = chance.choice(np.arange(WORLD, count), 2, replace=False)
        data = {}
        for s in "ab":
            data |= {f"p_{s}": 0.5 * chance.normal(size=3), f"R_{s}": any_rotation(chance)}
        if kind == "Bushing":
            data |= {
                "stiffness": tuple(chance.uniform(1, 10, 6)),
                "damping": tuple(chance.uniform(0, 1, 6)),
            }
        else:
            data |= {"stiffness": chance.uniform(3, 20), "damping": chance.uniform(0, 1)}
            data["free_length"] = chance.uniform(0.1, 1.0)
        return Push(kind, tuple(int(k) for k in ends), data)
    return _joint_push(chance, joints, rate)


def _spring_place(chance, options):
    """A slide or hinge; of three hinges the middle one, whose torque is finite in gimbal lock."""
    slides, hinges = len(options["slides"]), len(options["hinges"])
    number = int(chance.integers(slides + hinges))
    return slides + 1 if hinges == 3 and number >= slides else number


def _touching(seed, count):
    """A ball of one body on a plane of another, in a part of all plans."""
    chance = np.random.default_rng([2027, seed])
    if chance.random() < 0.7:
        return ()
    one = int(chance.integers(count))
    other = int(chance.choice([WORLD, *(k for k in range(count) if k != one)]))
    data = {"p": 0.3 * chance.normal(size=3), "radius": 0.2, "slip": 0.3}
    data |= {"p_b": 0.5 * chance.normal(size=3), "R_b": any_rotation(chance)}
    data |= {"stiffness": chance.uniform(10, 50), "dissipation": chance.uniform(0, 0.5)}
    return (Push("SoftContact", (one, other), {**data, "friction": chance.uniform(0, 1)}),)


def _joint_push(chance, joints, rate):
    able = [i for i, x in enumerate(joints) if x.kind not in ("free", "Fixed", "Planar", "Screw")]
    if not able:
        return None
    i = int(chance.choice(able))
    kind = joints[i].kind
    if kind in ("Spherical", "Universal", "ConstantVelocity"):
        return Push("JointFriction", (i,), {"damping": chance.uniform(0.1, 1)})
    if kind == "Compound":
        data = {"coordinate": _spring_place(chance, joints[i].options)}
        data["free"] = chance.normal() * 0.3
        data |= {"stiffness": chance.uniform(1, 10), "damping": chance.uniform(0, 1)}
        effort = chance.normal()
        if effort > 0.0:  # half of them
            data["limits"] = (-0.1 - 2.0 * effort, 0.1 + effort)
        return Push("CompoundSpring", (i,), {**data, "effort": effort})
    which = {"Revolute": "angle", "Prismatic": "displacement"}.get(kind)
    data = {}
    if which is None:
        which = str(chance.choice(["angle", "displacement"]))
        data["coordinate"] = which
    ways = [
        "Motor",
        "MotorLaw",
        "JointFriction",
        "DirectDrive",
        "VelocityServo",
        "PositionServo",
        "Actuator",
    ]
    if kind == "Revolute":
        ways.append("TorsionSpring")
    way = str(chance.choice(ways))
    gear = {"gear": chance.uniform(0.5, 2.0), "command": chance.normal(), "rate": rate}
    data |= {
        "TorsionSpring": {
            "stiffness": chance.uniform(1, 10),
            "damping": chance.uniform(0, 1),
            "free_angle": chance.normal(),
        },
        "JointFriction": {"damping": chance.uniform(0.1, 1)},
        "Motor": {
            "stall_torque": chance.uniform(0.5, 3),
            "no_load_speed": chance.uniform(2, 9),
            "command": chance.normal(),
        },
        "MotorLaw": {"k": chance.uniform(0.5, 3)},
        "DirectDrive": gear,
        "VelocityServo": {**gear, "kd": chance.uniform(0.1, 1)},
        "PositionServo": {**gear, "kp": chance.uniform(1, 10), "kd": chance.uniform(0, 1)},
        "Actuator": {
            **gear,
            "gain": chance.normal(),
            "bias": tuple(chance.normal(size=3) * [1, 3, 0.3]),
        },
    }[way]
    return Push(way, (i,), data)
