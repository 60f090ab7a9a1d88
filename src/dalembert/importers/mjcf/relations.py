"""Equality constraints: connect, weld, and polynomials of joints and tendons.

MuJoCo holds them softly; here they hold exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.formulas.expression import ZERO, Expression
from dalembert.importers.mjcf.reading import Coordinate, Reading, matrix
from dalembert.model import Frame
from dalembert.model.joints.coupler import Coupler
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.spherical import Spherical

CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq

Term = tuple[float, Coordinate]


def add_relations(reading: Reading) -> None:
    """Every equality that is active."""
    m, c = reading.m, reading.c
    bits = c.mj.mjtDisableBit
    off = m.opt.disableflags & (int(bits.mjDSBL_EQUALITY) | int(bits.mjDSBL_CONSTRAINT))
    for k in range(m.neq):
        name = c.name("equality", k)
        if off or not m.eq_active0[k]:
            reading.lose("equality", [name], "is switched off in the file, so it is left out.")
            continue
        kind = int(m.eq_type[k])
        if kind in (CONNECT, WELD):
            _pair(reading, k, name, kind)
        elif kind in (JOINT, TENDON):
            _polynomial(reading, k, name, kind)
        else:
            reading.lose("equality", [name], "this kind (of flexible bodies) is not taken over.")
    soft = [
        c.name("equality", k)
        for k in range(m.neq)
        if not np.allclose(m.eq_solref[k], (0.02, 1.0))
        or not np.allclose(m.eq_solimp[k], (0.9, 0.95, 0.001, 0.5, 2.0))
    ]
    reading.lose("softness of equality", soft, "solref and solimp are not used: it holds exactly.")


def _pair(reading: Reading, k: int, name: str, kind: int) -> None:
    m = reading.m
    one, two = int(m.eq_obj1id[k]), int(m.eq_obj2id[k])
    data = np.array(m.eq_data[k])
    first: Frame
    second: Frame
    if m.eq_objtype[k] == reading.c.mj.mjtObj.mjOBJ_SITE:
        first, second = reading.sites[one], reading.sites[two]
    elif kind == CONNECT:
        first, second = reading.places[one].at(data[:3]), reading.places[two].at(data[3:6])
    else:
        first = reading.places[one].at(data[3:6], matrix(data[6:10]))
        second = reading.places[two].at(data[:3])
    if first.body is second.body:
        reading.lose("equality", [name], "both its ends are on one rigid body: it holds nothing.")
        return
    made = Spherical if kind == CONNECT else Fixed
    called = reading.element_names.take(name)
    reading.attempt(
        "equality", name, lambda: reading.model.add_loop(made(first, second, name=called))
    )


def _polynomial(reading: Reading, k: int, name: str, kind: int) -> None:
    """x - x0 = a0 + a1 (y - y0) + ... + a4 (y - y0)^4, of joints or fixed tendons."""
    m = reading.m
    ends = [int(m.eq_obj1id[k]), int(m.eq_obj2id[k])]
    find = _of_joint if kind == JOINT else fixed_tendon
    x, y = find(reading, ends[0]), [] if ends[1] < 0 else find(reading, ends[1])
    if x is None or y is None:
        reading.lose(
            "equality",
            [name],
            "it contains a coordinate that is no formula here (of a ball, a set of joints without "
            "angles, or a tendon through space).",
        )
        return
    a = [float(entry) for entry in m.eq_data[k][:5]]
    called = reading.element_names.take(name)
    linear = not any(a[2:]) or not y
    named = all(term.is_named for _, term in [*x, *y])
    if linear and named:
        parts = [(factor * t.sign, t.joint, t.which) for factor, t in x]
        parts += [(-a[1] * factor * t.sign, t.joint, t.which) for factor, t in y if a[1]]
        coupler = Coupler(parts, offset=a[0], name=called)
        reading.attempt("equality", name, lambda: reading.model.add_joint(coupler))
        return

    def make() -> None:
        place = total(y)
        right: Any = ZERO + a[4]
        for factor in a[3::-1]:
            right = right * place + factor
        reading.model.constrain(total(x) - right, name=called)

    reading.attempt("equality", name, make)


def _of_joint(reading: Reading, j: int) -> list[Term] | None:
    coordinate = reading.coordinates.get(j)
    return None if coordinate is None else [(1.0, coordinate)]


def fixed_tendon(reading: Reading, k: int) -> list[Term] | None:
    """Factors and coordinates of a tendon that is a sum of joints; None for others."""
    m = reading.m
    first = int(m.tendon_adr[k])
    found: list[Term] = []
    for i in range(first, first + int(m.tendon_num[k])):
        coordinate = reading.coordinates.get(int(m.wrap_objid[i]))
        if m.wrap_type[i] != reading.c.mj.mjtWrap.mjWRAP_JOINT or coordinate is None:
            return None
        found.append((float(m.wrap_prm[i]), coordinate))
    return found


def total(terms: list[Term]) -> Expression:
    """The sum as a formula; zero at qpos0."""
    found: Any = ZERO
    for factor, term in terms:
        found = found + factor * term.value()
    return found  # type: ignore[no-any-return]
