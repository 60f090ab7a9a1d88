"""Bounds of what actuators pull with: their own, and those of the joints they act on."""

from __future__ import annotations

import numpy as np

from dalembert.importers.mjcf.reading import Reading


def force_range(reading: Reading, k: int, factor: float) -> tuple[float, float] | None:
    """Bounds of the force of an actuator, before the gear `factor`; None without any.

    `actuatorfrcrange` of its joint is among them where that is its sum (`limited_joint`).
    """
    m, found = reading.m, []
    if m.actuator_forcelimited[k]:
        found.append([float(x) for x in m.actuator_forcerange[k]])
    j = limited_joint(reading, k)
    if j is not None:
        found.append(sorted(float(x) / factor for x in m.jnt_actfrcrange[j]))
    if not found:
        return None
    low, high = max(low for low, _ in found), min(high for _, high in found)
    return (low, high) if low <= high else None


def limited_joint(reading: Reading, k: int) -> int | None:
    """The joint with an `actuatorfrcrange` that this actuator alone acts on, and on no other."""
    m, pulled = reading.m, [_targets(reading, i) for i in range(reading.m.nu)]
    mine = pulled[k]
    if mine is None or len(mine) != 1 or None in pulled:
        return None
    j = mine[0]
    alone = sum(j in (found or []) for found in pulled) == 1
    low, high = m.jnt_actfrcrange[j]
    return j if alone and m.jnt_actfrclimited[j] and low <= high else None


def unkept_joints(reading: Reading) -> list[int]:
    """Joints with an `actuatorfrcrange` that several actuators share, so that it limits none."""
    m = reading.m
    kept = {limited_joint(reading, k) for k in range(m.nu)}
    pulled = [_targets(reading, k) for k in range(m.nu)]
    return [
        j
        for j in np.flatnonzero(m.jnt_actfrclimited).tolist()
        if j not in kept and any(found is None or j in found for found in pulled)
    ]


def _targets(reading: Reading, k: int) -> list[int] | None:
    """Joints an actuator acts on, by itself or through a tendon; None if that is not said."""
    m, trn = reading.m, reading.c.mj.mjtTrn
    kind, target = int(m.actuator_trntype[k]), int(m.actuator_trnid[k, 0])
    if kind in (int(trn.mjTRN_JOINT), int(trn.mjTRN_JOINTINPARENT)):
        return [target]
    if kind != int(trn.mjTRN_TENDON):
        return None
    first, count = int(m.tendon_adr[target]), int(m.tendon_num[target])
    wraps = range(first, first + count)
    if any(m.wrap_type[w] != reading.c.mj.mjtWrap.mjWRAP_JOINT for w in wraps):
        return None
    return [int(m.wrap_objid[w]) for w in wraps]
