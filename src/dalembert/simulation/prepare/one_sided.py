"""One-sided rows of a model as formulas that a run evaluates, and as the tables of their laws.

The fields `side_phi` to `side_data` of the state stand one behind another: one function writes
the values, rates, derivatives by time, J and numbers of all rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.contact.rows.one_sided_rows import METRES, OWN_UNIT, RADIANS
from dalembert.contact.run.record_layout import DRIVE, STOP, TANGENT
from dalembert.formulas import Expression, constant, jacobian, substitute, symbols, time_derivative
from dalembert.formulas.derivative import directional
from dalembert.formulas.expression import ONE, TIME, ZERO, lift
from dalembert.model.core.model import Model
from dalembert.model.one_sided import rows
from dalembert.model.one_sided.rows import UNILATERAL, OneSided, one_sided_rows
from dalembert.system.tables import SIDE_NUMBERS, Drive

LAWS = {rows.UNILATERAL: STOP, rows.BOX: DRIVE, rows.TANGENT: TANGENT}

LOAD_ROW = list(Drive.place_fields).index("load_row")
"""Among the numbers of a drive; how many rows there are is behind it."""

UNBOUNDED = 1e300
"""Force that stands for an infinite one."""


@dataclass(frozen=True)
class Sides:
    """Rows, their formulas and tables.

    Attributes
    ----------
    rows : of the model
    formulas : of all fields, in their order
    jacobian : number of floats of J
    laws : (rows, 3)            law, first incidence, number of incidences
    incidences : (k, 2)         body, where its J begins
    biases : of all rows        J' v, for accelerations (`contact.events`)
    """

    rows: tuple[OneSided, ...]
    formulas: list[Expression]
    jacobian: int
    laws: np.ndarray
    incidences: np.ndarray
    biases: list[Expression]

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def extents(self) -> tuple[int, int]:
        """Rows, and floats of J."""
        return self.count, self.jacobian

    @property
    def flat(self) -> int:
        """How many rows have friction in one direction: their cones have a row of zeros."""
        laws = [*self.laws[:, 0], STOP]
        ends = zip(laws, laws[1:], laws[2:], strict=False)
        return sum(three[:2] == (STOP, TANGENT) and three[2] != TANGENT for three in ends)

    @property
    def drives(self) -> bool:
        """Whether a row acts in every step, however far from its bounds."""
        return bool(np.any(self.laws[:, 0] == DRIVE))

    @property
    def table(self) -> np.ndarray:
        """As `contact.rows.one_sided_rows` reads it."""
        return np.concatenate([self.laws.ravel(), self.incidences.ravel()])

    def loads(self, system: Any) -> dict[int, float]:
        """Place of a number among the formulas -> where in the rows of a system a load stands."""
        first = 3 * self.count + self.jacobian
        found: dict[int, float] = {}
        for k, row in enumerate(self.rows):
            if row.joint:
                rows = range(system.extents.rows)[system.constraint_slices[row.joint]]
                names = [system.row_names[i].partition(": ")[2] for i in rows]
                pushes = itertools.takewhile(lambda name: name.startswith("translation"), names)
                at = first + SIDE_NUMBERS * k + LOAD_ROW
                found |= {at: float(rows[0]), at + 1: float(len(list(pushes)))}
        return found

    @property
    def groups(self) -> list[list[int]]:
        """Bodies that rows of more than two connect: they must be in one clique."""
        found = []
        for k, (law, first, count) in enumerate(self.laws):
            bodies = set(self.incidences[first : first + count, 0].tolist())
            for after, start, more in self.laws[k + 1 :]:
                if law != STOP or after != TANGENT:
                    break
                bodies |= set(self.incidences[start : start + more, 0].tolist())
            if len(bodies) > 2:
                found.append(sorted(bodies))
        return found

    @property
    def replaced(self) -> frozenset[str]:
        """Forces that act as rows and not by themselves."""
        return frozenset(row.element for row in self.rows if row.replaces)


def sides_of(model: Model) -> Sides:
    """The one-sided rows of a model."""
    found = tuple(one_sided_rows(model))
    bodies: list[Any] = list(model.bodies.values()) if model.is_maximal else []
    number = {body.name: k for k, body in enumerate(bodies)}
    values: list[Expression] = []
    rates: list[Expression] = []
    of_time: list[Expression] = []
    entries: list[Expression] = []
    data: list[Expression] = []
    laws: list[tuple[int, int, int]] = []
    incidences: list[tuple[int, int]] = []
    for row in found:
        phi = ZERO if row.phi is None else row.phi
        rate = time_derivative([phi])[0] if row.rate is None else row.rate
        values.append(phi)
        rates.append(rate)
        if row.rate is None:
            of_time += directional([phi], {TIME: ONE})
        else:
            of_time += substitute([rate], dict.fromkeys(symbols([rate], "velocity"), ZERO))
        first = len(incidences)
        if model.is_maximal:
            names = {_owner(leaf.name) for leaf in symbols([rate], "velocity")}
            for k in sorted(number[name] for name in names if name in number):
                incidences.append((k, len(entries)))
                entries += jacobian([rate], list(bodies[k].velocity_symbols))[0]
        else:
            entries += jacobian([rate], [x.dot for x in model.coordinates])[0]
        laws.append((LAWS[row.law], first, len(incidences) - first))
        data += _numbers(row)
    return Sides(
        found,
        [lift(x) for x in (*values, *rates, *of_time, *entries, *data)],
        len(entries),
        np.array(laws, dtype=np.int64).reshape(-1, 3),
        np.array(incidences, dtype=np.int64).reshape(-1, 2),
        [lift(x) for x in time_derivative(_against_targets(found, rates))] if rates else [],
    )


def _against_targets(found: Sequence[OneSided], rates: Sequence[Expression]) -> list[Expression]:
    """Rates of rows; of drives that keep a speed, against that speed."""
    return [
        rate - row.target_rate if row.law == rows.BOX and row.kd is None else rate
        for row, rate in zip(found, rates, strict=True)
    ]


def _numbers(row: OneSided) -> list[Expression]:
    """The record of a law (`contact.rows.one_sided_rows`)."""
    found: list[Any]
    if row.law == UNILATERAL:
        law = row.stop
        stiffness, damping, frequency = (
            0.0 if x is None else x for x in (law.stiffness, law.damping, law.frequency)
        )
        ratio = 1.0 if law.damping_ratio is None else law.damping_ratio
        unit = OWN_UNIT if row.source == "formula" else RADIANS if row.angular else METRES
        found = [stiffness, damping, law.restitution, lift(frequency) * (2.0 * math.pi), ratio]
        found += [unit, row.friction, row.static, row.arm]
    elif row.law == rows.TANGENT:
        found = []
    else:
        low = -UNBOUNDED if row.low is None else row.low
        high = UNBOUNDED if row.high is None else row.high
        found = [low, high, row.target_rate, row.kp, 0.0 if row.kd is None else row.kd, row.target]
        found.append(row.friction)
    found += [0.0] * (SIDE_NUMBERS - len(found))
    return [x if isinstance(x, Expression) else constant(float(x)) for x in found]


def _owner(name: str) -> str:
    """Name of the body a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]
