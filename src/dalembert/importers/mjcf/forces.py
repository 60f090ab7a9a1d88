"""Springs and dampers of joints and tendons, gravity compensation, actuators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dalembert.formulas.functions import maximum, minimum
from dalembert.importers.mjcf.actuator_limits import force_range
from dalembert.importers.mjcf.joints import BALL, FREE
from dalembert.importers.mjcf.reading import Coordinate, Reading
from dalembert.importers.mjcf.relations import Term, fixed_tendon, total
from dalembert.model.forces.actuator import Actuator
from dalembert.model.forces.bushing import Bushing
from dalembert.model.forces.compound_spring import CompoundSpring
from dalembert.model.forces.force import Force
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.forces.spring import Spring
from dalembert.model.forces.torque import Torque
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.compound import Compound

NO_COORDINATE = "its joint has no coordinate here that a force could act along."


def add_forces(reading: Reading, control: Any) -> None:
    """All forces; `control` are the values of the actuators' controls."""
    m, bits = reading.m, reading.c.mj.mjtDisableBit
    flags = m.opt.disableflags
    springs = not flags & int(bits.mjDSBL_SPRING)
    dampers = not flags & int(bits.mjDSBL_DAMPER)
    for j in range(m.njnt):
        _joint(reading, j, springs, dampers)
    for k in range(m.ntendon):
        _tendon(reading, k, springs, dampers)
    _gravity_compensation(reading)
    if flags & int(bits.mjDSBL_ACTUATION):
        names = [reading.c.name("actuator", k) for k in range(m.nactuator)]
        reading.lose("actuator", names, "actuation is switched off in the file.")
        return
    for k in range(m.nactuator):
        _actuator(reading, k, control)


# -- passive forces of joints ----------------------------------------------------------------------


def _joint(reading: Reading, j: int, springs: bool, dampers: bool) -> None:
    m, name = reading.m, reading.c.name("joint", j)
    dof, kind = int(m.jnt_dofadr[j]), int(m.jnt_type[j])
    k = float(m.jnt_stiffness[j]) * springs
    d = float(m.dof_damping[dof]) * dampers
    if np.any(m.jnt_stiffnesspoly[j]) or np.any(m.dof_dampingpoly[dof]) or m.jnt_springyield[j]:
        reading.lose("joint", [name], "the nonlinear part of its spring or damper is not taken.")
    if not k and not d:
        return
    if kind in (FREE, BALL):
        joint = reading.joints[j]
        if kind == BALL and joint is not None and d:
            _add(reading, "damping of", name, partial(JointFriction, joint, damping=d))
            d = 0.0
        if kind == FREE and d:
            body = reading.places[int(m.jnt_bodyid[j])].body
            ends = reading.model.world, body
            drag = partial(Bushing, *ends, stiffness=(0.0,) * 6, damping=(d,) * 6)
            _add(reading, "damping of", name, drag)
            d = 0.0
        if k or d:
            what = "stiffness" if k else "damping"
            reading.lose("joint", [name], f"the {what} of a free or ball joint is not taken over.")
        return
    coordinate = reading.coordinates.get(j)
    if coordinate is None:
        reading.lose("stiffness or damping of joint", [name], NO_COORDINATE)
        return
    free = float(m.qpos_spring[m.jnt_qposadr[j]]) - coordinate.zero
    _add(reading, "spring of", name, partial(_spring, coordinate, k, d, free))


def _spring(at: Coordinate, k: float, d: float, free: float) -> Any:
    """-k (q - free) - d q'  along a coordinate."""
    free *= at.sign
    if isinstance(at.joint, Compound):
        return CompoundSpring(at.joint, coordinate=at.which, free=free, stiffness=k, damping=d)  # type: ignore[arg-type]
    if not k:
        return JointFriction(at.joint, damping=d, coordinate=str(at.which))
    if at.which == "angle":
        return TorsionSpring(at.joint, free_angle=free, stiffness=k, damping=d)
    first, second = at.joint.frames  # z is the axis
    x, y, z = np.array(first.offset) + free * first.orientation.matrix[:, 2]
    moved = first.body.at(x, y, z, rotation=first.orientation)
    return Bushing(moved, second, stiffness=(0, 0, k, 0, 0, 0), damping=(0, 0, d, 0, 0, 0))


def _add(reading: Reading, what: str, name: str, make: Callable[[], Any]) -> bool:
    """Make a force, name it after its element and add it."""

    def add() -> None:
        force = make()
        called = reading.element_names.take(f"{name}_{force.kind}")
        reading.model.add_force(replace(force, name=called))

    return reading.attempt(f"{what} joint" if what.endswith("of") else what, name, add)


# -- tendons ---------------------------------------------------------------------------------------


def _tendon(reading: Reading, k: int, springs: bool, dampers: bool) -> None:
    m, c = reading.m, reading.c
    name = c.name("tendon", k)
    stiffness = float(m.tendon_stiffness[k]) * springs
    damping = float(m.tendon_damping[k]) * dampers
    low, high = (float(x) for x in m.tendon_lengthspring[k])
    if np.any(m.tendon_stiffnesspoly[k]) or np.any(m.tendon_dampingpoly[k]):
        reading.lose("tendon", [name], "the nonlinear part of its spring or damper is not taken.")
    if m.tendon_armature[k]:
        reading.lose("armature of tendon", [name], "it has no place in a model of bodies.")
    first, count = int(m.tendon_adr[k]), int(m.tendon_num[k])
    kinds = m.wrap_type[first : first + count]
    if not stiffness and not damping:
        if not np.all(kinds == c.mj.mjtWrap.mjWRAP_JOINT):
            reading.lose("tendon", [name], "it carries nothing by itself, and is not drawn.")
        return
    if stiffness and low != high:
        reading.lose("tendon", [name], "a spring that is slack over a range is not taken over.")
        return
    if count == 2 and np.all(kinds == c.mj.mjtWrap.mjWRAP_SITE):
        ends = [reading.sites[int(i)] for i in m.wrap_objid[first : first + 2]]
        spring = partial(Spring, *ends, free_length=low, stiffness=stiffness, damping=damping)
        _add(reading, "tendon", name, spring)
        return
    terms = fixed_tendon(reading, k)
    if terms is None:
        reading.lose("tendon", [name], "springs along bent tendons are not taken over.")
        return
    if damping:
        reading.lose("damping of tendon", [name], "damping of a sum of joints is not taken over.")
    if stiffness:
        stretch = low - float(m.tendon_length0[k])

        def make() -> None:
            reading.model.add_potential(stiffness * (total(terms) - stretch) ** 2 / 2)

        reading.attempt("tendon", name, make)


def _gravity_compensation(reading: Reading) -> None:
    m = reading.m
    if m.opt.disableflags & int(reading.c.mj.mjtDisableBit.mjDSBL_GRAVITY):
        return
    for b in np.flatnonzero(m.body_gravcomp):
        place = reading.places[int(b)]
        if place.body is reading.model.world:
            continue
        lift = -float(m.body_gravcomp[b]) * float(m.body_mass[b]) * np.array(m.opt.gravity)
        name = reading.c.name("body", int(b))
        made = partial(Force, place.at(m.body_ipos[b]), tuple(lift))
        _add(reading, "gravity compensation", name, made)


# -- actuators -------------------------------------------------------------------------------------


def _actuator(reading: Reading, k: int, control: Any) -> None:
    m, mj = reading.m, reading.c.mj
    name = reading.c.name("actuator", k)
    why = _not_affine(m, mj, k)
    if why:
        reading.lose("actuator", [name], why)
        return
    index = int(m.actuator_ctrladr[k])
    gain = float(m.actuator_gainprm[k, 0])
    bias = np.zeros(3)
    if m.actuator_biastype[k] == mj.mjtBias.mjBIAS_AFFINE:
        bias = np.array(m.actuator_biasprm[k, :3])
    transmission, target = int(m.actuator_trntype[k]), int(m.actuator_trnid[k, 0])
    trn = mj.mjtTrn
    gear = np.array(m.actuator_gear[k])
    u = reading.control(name, float(control[index]) if len(control) else 0.0)
    if transmission in (int(trn.mjTRN_JOINT), int(trn.mjTRN_JOINTINPARENT)):
        coordinate = reading.coordinates.get(target)
        terms: list[Term] | None = None if coordinate is None else [(float(gear[0]), coordinate)]
    elif transmission == int(trn.mjTRN_TENDON):
        found = fixed_tendon(reading, target)
        terms = None if found is None else [(float(gear[0]) * f, at) for f, at in found]
    elif transmission == int(trn.mjTRN_SITE) and m.actuator_trnid[k, 1] < 0 and not any(bias[1:]):
        _at_site(reading, k, name, gain * _limited(m, k, u) + bias[0], gear)
        return
    else:
        terms = None
    if not terms:
        del reading.actuators[name]
        reading.lose("actuator", [name], NO_COORDINATE)
        return
    if len(terms) > 1 and (any(bias[1:]) or m.actuator_forcelimited[k]):
        del reading.actuators[name]
        reading.lose("actuator", [name], "a servo or a limit over several joints is not taken.")
        return
    made = [_along(reading, k, name, u, gain, bias, f, at) for f, at in terms if f]
    if made and not any(made):
        del reading.actuators[name]


def _not_affine(m: Any, mj: Any, k: int) -> str:
    """Why an actuator is more than  force = gain * control + affine bias."""
    if m.actuator_dyntype[k] != mj.mjtDyn.mjDYN_NONE:
        return "actuators with a state of their own (filters, muscles) are not taken over."
    if m.actuator_gaintype[k] != mj.mjtGain.mjGAIN_FIXED:
        return "its gain is not constant, which is not taken over."
    if int(m.actuator_biastype[k]) not in map(
        int, (mj.mjtBias.mjBIAS_NONE, mj.mjtBias.mjBIAS_AFFINE)
    ):
        return "its bias is not affine, which is not taken over."
    if m.actuator_delay[k]:
        return "its delay is not taken over."
    return ""


def _limited(m: Any, k: int, u: Any) -> Any:
    """The control within its range."""
    if not m.actuator_ctrllimited[k]:
        return u
    low, high = (float(x) for x in m.actuator_ctrlrange[k])
    return maximum(low, minimum(high, u))


def _along(
    reading: Reading,
    k: int,
    name: str,
    u: Any,
    gain: float,
    bias: Any,
    factor: float,
    at: Coordinate,
) -> bool:
    """Add a force along one coordinate: factor * clip(gain u + bias(l, l')),  l = factor * q."""
    m = reading.m
    gear = factor * at.sign
    constant = float(bias[0] + bias[1] * factor * at.zero)
    limits = force_range(reading, k, factor)
    if at.is_named:
        made = partial(
            Actuator,
            at.joint,
            gain=gain,
            bias=(constant, float(bias[1]), float(bias[2])),
            command=u,
            gear=gear,
            limits=limits,
            command_limits=(
                tuple(float(x) for x in m.actuator_ctrlrange[k])
                if m.actuator_ctrllimited[k]
                else None
            ),
            coordinate=str(at.which),
        )
        return _add(reading, "actuator", name, made)
    if max(bias[1:]) > 0.0:
        _lose_pushing(reading, k, name, float(max(bias[1:])))
        return False
    force = gain * _limited(m, k, u) + constant
    along = partial(
        CompoundSpring,
        at.joint,
        coordinate=at.which,  # type: ignore[arg-type]
        effort=gear * force,
        stiffness=-float(bias[1]) * factor * factor,
        damping=-float(bias[2]) * factor * factor,
        limits=None if limits is None else tuple(sorted(gear * x for x in limits)),
    )
    return _add(reading, "actuator", name, along)


def _lose_pushing(reading: Reading, k: int, name: str, value: float) -> None:
    """Tell of a servo whose stiffness or damping is below zero."""
    on_tendon = reading.m.actuator_trntype[k] == reading.c.mj.mjtTrn.mjTRN_TENDON
    kind = "tendon" if on_tendon else "joint"
    target = reading.c.name(kind, int(reading.m.actuator_trnid[k, 0]))
    reading.lose(
        "actuator",
        [name],
        f"its biasprm has {value:g} for {kind} '{target}': a stiffness or damping below zero is "
        "not taken over along joints of several coordinates.",
    )


def _at_site(reading: Reading, k: int, name: str, force: Any, gear: Any) -> None:
    """A thruster: force and torque along the axes of a site."""
    m = reading.m
    site = reading.sites[int(m.actuator_trnid[k, 0])]
    if m.actuator_forcelimited[k]:
        low, high = (float(x) for x in m.actuator_forcerange[k])
        force = maximum(low, minimum(high, force))
    if any(gear[:3]):
        value = tuple(float(g) * force for g in gear[:3])
        _add(reading, "actuator", name, partial(Force, site, value, axes="body"))
    for axis, g in zip("xyz", gear[3:], strict=True):
        if g:
            turn = partial(Torque, site, about=axis, value=float(g) * force, axes="body")
            _add(reading, "actuator", name, turn)
