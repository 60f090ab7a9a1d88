"""Parts of a compiled file of which no elements are made: told, never dropped silently."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.importers.mjcf.actuator_limits import unkept_joints
from dalembert.importers.mjcf.contacts import softness
from dalembert.importers.mjcf.reading import Reading
from dalembert.model.forces.compound_spring import CompoundSpring
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.spherical import Spherical
from dalembert.model.one_sided.limits import Limits


def tell_losses(reading: Reading) -> None:
    """Note everything that no other part of the importer has looked at."""
    _reversed(reading)
    _joints(reading)
    _tendons(reading)
    _surroundings(reading)
    _others(reading)


RANGES = (
    ("range", "joint", "jnt_range"),
    ("actuatorfrcrange", "joint", "jnt_actfrcrange"),
    ("range", "tendon", "tendon_range"),
    ("ctrlrange", "actuator", "actuator_ctrlrange"),
    ("forcerange", "actuator", "actuator_forcerange"),
    ("actrange", "actuator", "actuator_actrange"),
)
"""Attribute, kind of element, and where MuJoCo keeps its two ends."""


def _reversed(reading: Reading) -> None:
    """Ranges that end before they begin: MuJoCo limits nothing by them, and says nothing."""
    for attribute, kind, field in RANGES:
        ends = getattr(reading.m, field).reshape(-1, 2)
        wrong = [reading.c.name(kind, int(k)) for k in np.flatnonzero(ends[:, 0] > ends[:, 1])]
        why = "it ends before it begins, and limits nothing. Give the smaller end first."
        reading.lose(f"{attribute} of {kind}", wrong, why)


def _joints(reading: Reading) -> None:
    m, c = reading.m, reading.c
    names = [c.name("joint", j) for j in range(m.njnt)]
    endless = [names[j] for j in range(m.njnt) if m.jnt_limited[j] and not _limit(reading, j)]
    reading.lose("range of joint", endless, "its joint has no coordinate here that could stop.")
    dofs = [int(d) for d in m.dof_jntid]
    _armature(reading)
    rough = dict.fromkeys(dofs[d] for d in np.flatnonzero(m.dof_frictionloss))
    left = [names[j] for j in rough if not _friction(reading, j)]
    reading.lose("dry friction of joint", left, "frictionloss acts along single coordinates only.")
    weak = [names[j] for j in unkept_joints(reading)]
    reading.lose("actuatorfrcrange of joint", weak, "the sum of its actuators is not limited.")
    self_carried = [names[j] for j in range(m.njnt) if m.jnt_actgravcomp[j]]
    reading.lose("actuatorgravcomp of joint", self_carried, "the compensation acts on the bodies.")


def _limit(reading: Reading, j: int) -> bool:
    """Whether the ends of a joint's range are in the model."""
    m, at = reading.m, reading.coordinates.get(j)
    if m.opt.disableflags & int(reading.c.mj.mjtDisableBit.mjDSBL_LIMIT):
        return True
    if at is None:
        return False
    low, high = sorted(at.sign * (float(x) - at.zero) for x in m.jnt_range[j])
    soft = softness(m.jnt_solref[j])
    if at.is_named and len(at.joint.coordinates) == 1:
        return reading.attempt(
            "range of joint",
            reading.c.name("joint", j),
            lambda: reading.model.set_limits(at.joint, Limits(low, high, **soft)),
        )
    if isinstance(at.joint, Compound):
        is_hinge = int(at.which) >= len(at.joint.slides)
        if is_hinge and not at.joint.has_angles:
            return False
    name = reading.element_names.take(f"{reading.c.name('joint', j)}_range")
    value = at.sign * at.value()
    return reading.attempt(
        "range of joint",
        reading.c.name("joint", j),
        lambda: reading.model.keep(value >= low, value <= high, name=name, **soft),
    )


def _friction(reading: Reading, j: int) -> bool:
    """Whether the dry friction of a joint is in the model."""
    m, at = reading.m, reading.coordinates.get(j)
    if m.opt.disableflags & int(reading.c.mj.mjtDisableBit.mjDSBL_FRICTIONLOSS):
        return True
    if at is None:
        return False
    dry = float(m.dof_frictionloss[m.jnt_dofadr[j]])
    name = reading.element_names.take(f"{reading.c.name('joint', j)}_frictionloss")
    friction: Any = JointFriction(at.joint, dry=dry, coordinate=str(at.which), name=name)
    if isinstance(at.joint, Compound):
        friction = CompoundSpring(at.joint, coordinate=int(at.which), dry=dry, name=name)
    return reading.attempt(
        "dry friction of joint",
        reading.c.name("joint", j),
        lambda: reading.model.add_force(friction),
    )


def _armature(reading: Reading) -> None:
    """Inertia of drives as data of the model, along the coordinates of its joints."""
    m = reading.m
    for name, joint in reading.model.joints.items():
        own = [j for j, made in reading.joints.items() if made is joint]
        given = {j: float(m.dof_armature[m.jnt_dofadr[j]]) for j in own}
        if not any(given.values()):
            continue
        if isinstance(joint, Spherical):
            values = [given[own[0]]] * 3
        elif isinstance(joint, Compound):
            places = {at.which: given[j] for j in own if (at := reading.coordinates.get(j))}
            values = [places.get(k, 0.0) for k in range(joint.coordinate_count)]
        elif len(own) == 1 or len(joint.coordinates) == len(own):
            by_name = {reading.coordinates[j].which: given[j] for j in own}
            values = [by_name[part] for part in joint.coordinates]
        else:
            continue  # in a plane: along directions that are not those of the joint frame
        reading.model.set_armature(name, *values)


def _tendons(reading: Reading) -> None:
    m, c = reading.m, reading.c
    limited = [c.name("tendon", k) for k in range(m.ntendon) if m.tendon_limited[k]]
    reading.lose("range of tendon", limited, "nothing stops a tendon there yet.")
    rough = [c.name("tendon", k) for k in range(m.ntendon) if m.tendon_frictionloss[k]]
    reading.lose("dry friction of tendon", rough, "frictionloss is not taken over.")


def _surroundings(reading: Reading) -> None:
    m = reading.m
    if m.opt.density or m.opt.viscosity:
        reading.lose(
            "fluid of the option",
            [f"density {m.opt.density:g}", f"viscosity {m.opt.viscosity:g}"],
            "forces of a fluid are not taken over; dl.Drag can stand for them.",
        )
        if np.any(m.opt.wind):
            reading.lose("option", ["wind"], "forces of a fluid are not taken over.")


def _others(reading: Reading) -> None:
    m, c = reading.m, reading.c
    mocap = [c.name("body", b) for b in range(m.nbody) if m.body_mocapid[b] >= 0]
    reading.lose("mocap body", mocap, "it stands still where the file puts it.")
    given = {name: made for name, made in reading.changed.items() if not _is_ours(name)}
    shown = [f"{name} -> {made}" for name, made in given.items()]
    reading.lose("name", shown, "changed, as names here are letters, digits and underscores.")
    for kind, count, why in (
        ("flex", m.nflex, "flexible bodies are not taken over; their points move freely."),
        ("skin", m.nskin, "skins are not drawn."),
        ("camera", m.ncam, "views are chosen in the viewer."),
        ("light", m.nlight, "the viewer has its own light."),
        ("texture", m.ntex, "shapes are drawn in plain colours."),
        ("numeric", m.nnumeric, "custom data is not kept."),
        ("text", m.ntext, "custom data is not kept."),
        ("tuple", m.ntuple, "custom data is not kept."),
        ("plugin", m.nplugin, "plugins of MuJoCo are not run."),
    ):
        reading.lose(kind, [c.name(kind, k) for k in range(count)], why)


def _is_ours(name: str) -> bool:
    """Whether a name was made up here for an element that has none."""
    kind, _, number = name.partition(" ")
    return kind in ("body", "site") and number.isdigit()
