"""Contacts, one-sided rows and the solves of the steps, at the samples of a solution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.contact.problem.record_layout import INFO_FLOATS, Info
from dalembert.contact.run.record_layout import REPORT_FLOATS, StepReport
from dalembert.contact.run.run_layout import ContactRun
from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest
from dalembert.simulation.prepare.contacts import Contacts
from dalembert.simulation.run.contact_log import ContactLog

Array = NDArray[np.float64]

STATES = ("open", "sticking", "sliding", "held")

_COLUMNS = dict(zip(Info.place_fields, Info.offsets(*Info.place_fields), strict=True)) | {
    f"step.{name}": INFO_FLOATS + StepReport.offsets(name)[0] for name in StepReport.place_fields
}
REPORTED = {
    name: _COLUMNS[field]
    for name, field in {
        "residual": "residual",
        "r_momentum": "momentum",
        "r_penetration_velocity": "penetration",
        "r_complementarity": "complementarity",
        "r_cone": "cone",
        "r_dissipation": "dissipation",
        "r_bilateral": "bilateral",
        "penetration": "step.penetration",
        "penetration_angle": "step.penetration_angle",
        "penetration_own": "step.penetration_own",
        "drift": "step.drift",
        "contact_work": "contact_work",
        "energy_change": "step.energy_change",
        "contacts": "contacts",
        "sticking": "sticking",
        "sliding": "sliding",
        "opening": "open",
        "held": "held",
        "status": "status",
        "iterations": "iterations",
        "factorisations": "factorisations",
        "sweeps": "sweeps",
        "corrections": "step.pushed",
        "smooth": "step.was_smooth",
    }.items()
}
"""Fields of `Solution.solve_info`, and where a report has them."""


@dataclass(frozen=True)
class ContactPoint:
    """One contact at one sample.

    Attributes
    ----------
    a, b : str              names of the shapes
    body_a, body_b : str    and of their bodies
    point, normal : (3,)    world axes; the normal points from A to B  [m]
    gap : float             before the step that led to the sample, of a soft contact after it;
        negative when penetrating  [m]
    force, torque : (3,)    on B, world axes, the torque about the point  [N], [N m]
    state : "open", "sticking" or "sliding"
    slip : float            speed of sliding  [m/s]
    """

    a: str
    b: str
    body_a: str
    body_b: str
    point: Array
    normal: Array
    gap: float
    force: Array
    torque: Array
    state: str
    slip: float


@dataclass(frozen=True, eq=False)
class Touch:
    """Contacts and reports of a run.

    Attributes
    ----------
    shapes, bodies : names of the shapes, and of the body of each
    sides, elements : names of one-sided rows, and of what each belongs to
    log : rows of samples
    samples, velocities : how many there are
    """

    shapes: tuple[str, ...]
    bodies: tuple[str, ...]
    sides: tuple[str, ...]
    elements: tuple[str, ...]
    log: ContactLog
    samples: int
    velocities: int

    @classmethod
    def of(cls, contacts: Contacts, log: ContactLog, samples: int, velocities: int) -> Touch:
        """The touch record of a run of a model."""
        shapes = contacts.model.contact_shapes
        rows = contacts.sides.rows
        return cls(
            tuple(shape.name for shape in shapes),
            tuple(shape.body for shape in shapes),
            tuple(row.name for row in rows),
            tuple(row.element for row in rows),
            log,
            samples,
            velocities,
        )

    @cached_property
    def _steps(self) -> Array:
        """A row a sample; of the first, which no step led to, nothing is known."""
        table = np.full((self.samples, self.log.steps.shape[1] - 1), np.nan)
        rows = self.log.steps[self.log.steps[:, 0] < self.samples]
        table[rows[:, 0].astype(np.int64)] = rows[:, 1:]
        return table

    @property
    def info(self) -> dict[str, Array]:
        """Series of what is reported of a step."""
        return {name: self._steps[:, slot].copy() for name, slot in REPORTED.items()}

    @property
    def side_forces(self) -> Array:
        """Forces of one-sided rows (k, rows)."""
        return self._steps[:, REPORT_FLOATS : REPORT_FLOATS + len(self.sides)]

    @property
    def accelerations(self) -> Array:
        """(v+ - v) / h of the step that led to a sample; of the first that of the second."""
        own = self._steps[:, REPORT_FLOATS + len(self.sides) :].copy()
        if len(own) > 1 and np.isnan(own[0]).all():
            own[0] = own[1]
        return np.nan_to_num(own)

    @cached_property
    def smooth(self) -> NDArray[np.bool_]:
        """Samples that a step without impulses led to; the first is as the second."""
        found: NDArray[np.bool_] = self._steps[:, REPORTED["smooth"]] == 1.0
        if len(found) > 1 and np.isnan(self._steps[0, REPORTED["smooth"]]):
            found[0] = found[1]
        return found

    def force_of(self, name: str) -> Array | None:
        """Force of a one-sided row, or of all those of an element; None where there is none."""
        if name in self.sides:
            return self.side_forces[:, self.sides.index(name)].copy()
        columns = [k for k, element in enumerate(self.elements) if element == name]
        if not columns:
            return None
        found = self.side_forces[:, columns].copy()
        return found[:, 0] if len(columns) == 1 else found

    def choosing(self, samples: NDArray[np.int64]) -> Touch:
        """The touch record of some of the samples."""
        return replace(self, log=self.log.choosing(samples), samples=len(samples))

    # -- contacts ------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> Array:
        rows = self.log.contacts[self.log.contacts[:, 0] < self.samples]
        return rows[np.argsort(rows[:, 0], kind="stable")]

    def at(self, sample: int) -> list[ContactPoint]:
        """The contacts of a sample."""
        first, end = np.searchsorted(self._rows[:, 0], [sample, sample + 1])
        found = []
        for row in self._rows[first:end]:
            a, b = int(row[1]), int(row[2])
            found.append(
                ContactPoint(
                    self.shapes[a],
                    self.shapes[b],
                    self.bodies[a],
                    self.bodies[b],
                    row[4:7].copy(),
                    row[7:10].copy(),
                    float(row[10]),
                    row[11:14].copy(),
                    row[14:17].copy(),
                    STATES[int(row[17])],
                    float(row[18]),
                )
            )
        return found

    @property
    def table(self) -> Array:
        """All contacts: sample, shapes, feature, point, normal, gap, force, torque, state, slip."""
        return self._rows

    def force_between(self, on: Any, other: Any) -> Array:
        """Force on one body or shape by another, or by all (None), at every sample (k, 3)."""
        mine = self._members(on)
        others = np.ones(len(self.shapes), dtype=bool) if other is None else self._members(other)
        total = np.zeros((self.samples, 3))
        rows = self._rows
        a, b = rows[:, 1].astype(np.int64), rows[:, 2].astype(np.int64)
        sample = rows[:, 0].astype(np.int64)
        for first, second, sign in ((a, b, -1.0), (b, a, 1.0)):
            chosen = mine[first] & others[second]
            np.add.at(total, sample[chosen], sign * rows[chosen, 11:14])
        total[np.isnan(self._steps[:, 0])] = np.nan
        return total

    def _members(self, given: Any) -> NDArray[np.bool_]:
        """Which shapes are meant by a shape, a body, the world or the name of one."""
        name = given if isinstance(given, str) else getattr(given, "name", None)
        if name in self.shapes:
            return np.array([shape == name for shape in self.shapes])
        if name in self.bodies:
            return np.array([body == name for body in self.bodies])
        known = [*dict.fromkeys(self.bodies), *self.shapes]
        hint = nearest(name, known) if isinstance(name, str) else ". Give a body or a shape."
        raise OptionError(f"contact_force: no body or shape {given!r:.60} touches{hint}")


def worst_of(integers: Any, numbers: Any) -> dict[str, float]:
    """The worst over all steps of a run, and counts, as plain numbers."""
    run = ContactRun(numbers, integers)
    names = ["residual", "penetration", "penetration_angle", "penetration_own", "drift", "r_cone"]
    names += ["r_bilateral", "contacts", "held", "iterations"]
    found = {name: float(run.worst[REPORTED[name]]) for name in names}
    return found | {
        "smooth_steps": run.smooth_steps,
        "contact_steps": run.steps,
        "plain_steps": run.plain_steps,
        "stalled": run.stalled_steps,
        "flagged": run.flagged_steps,
        "poisson": run.poisson_steps,
        "contact_work": float(run.contact_work_sum),
    }


__all__ = ["REPORTED", "STATES", "ContactPoint", "Touch", "worst_of"]
