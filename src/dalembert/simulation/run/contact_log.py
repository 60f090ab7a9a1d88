"""Contacts and reports of steps, as a run records them with its samples.

The compiled loop writes rows into the memory of contact (`contact.run.log`); they are taken from
there between chunks. The first entry of a row is the number of its sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dalembert.contact.run.record_layout import CONTACT_LOG_FLOATS, REPORT_FLOATS
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.prepare.contacts import part_of
from dalembert.system.state_layout import State

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactLog:
    """Rows of steps and of contacts."""

    steps: Array
    contacts: Array

    @classmethod
    def empty(cls, logged: int) -> ContactLog:
        """Nothing; `logged`: forces of one-sided rows and velocities."""
        return cls(np.zeros((0, 1 + REPORT_FLOATS + logged)), np.zeros((0, CONTACT_LOG_FLOATS)))

    @classmethod
    def written(cls, state: State) -> ContactLog:
        """The rows that the loop has written, which are then gone there."""
        integers, numbers = part_of(state)
        run = ContactRun(numbers, integers)
        rows, width = run.logged_steps, run.step_log_floats
        steps = run.step_log[: rows * width].reshape(rows, width).copy()
        rows, width = run.logged_contacts, CONTACT_LOG_FLOATS
        contacts = run.contact_log[: rows * width].reshape(rows, width).copy()
        run.logged_steps = run.logged_contacts = 0
        return cls(steps, contacts)

    @classmethod
    def joined(cls, logs: Sequence[ContactLog]) -> ContactLog:
        """One after the other; samples keep their numbers."""
        if len(logs) == 1:
            return logs[0]
        return cls(
            np.concatenate([log.steps for log in logs]),
            np.concatenate([log.contacts for log in logs]),
        )

    def check(self, shapes: int, sides: int) -> None:
        """Raise a ValueError for rows that no run of so many shapes and one-sided rows has made."""
        for rows, least in (
            (self.steps, 1 + REPORT_FLOATS + sides),
            (self.contacts, CONTACT_LOG_FLOATS),
        ):
            if rows.ndim != 2 or rows.shape[1] < least or rows.dtype != np.float64:
                raise ValueError(f"contacts have {rows.shape} entries, {least} a row expected")
            if not np.all((rows[:, 0] >= 0.0) & (rows[:, 0] < 2.0**52)):
                raise ValueError("a contact belongs to no sample")
        if self.contacts.shape[1] != CONTACT_LOG_FLOATS:
            raise ValueError(f"contacts have {self.contacts.shape[1]} numbers each")
        pair, state = self.contacts[:, 1:3], self.contacts[:, 17]
        if not np.all((pair >= 0) & (pair < shapes)) or not np.all((state >= 0) & (state < 4)):
            raise ValueError("a contact is of shapes that there are not")

    def shifted(self, by: int) -> ContactLog:
        """A copy whose samples are numbered higher by `by`."""
        made = ContactLog(self.steps.copy(), self.contacts.copy())
        made.steps[:, 0] += by
        made.contacts[:, 0] += by
        return made

    def between(self, first: int, end: int) -> ContactLog:
        """The rows of samples first, ..., end - 1, numbered from 0."""
        parts = []
        for rows in (self.steps, self.contacts):
            kept = rows[(rows[:, 0] >= first) & (rows[:, 0] < end)].copy()
            kept[:, 0] -= first
            parts.append(kept)
        return ContactLog(*parts)

    def choosing(self, samples: NDArray[np.int64]) -> ContactLog:
        """The rows of some samples, numbered anew in their order."""
        number = np.full(int(samples.max(initial=-1)) + 1, -1, dtype=np.int64)
        number[samples] = np.arange(len(samples))
        parts = []
        for rows in (self.steps, self.contacts):
            known = rows[rows[:, 0] < len(number)]
            found = number[known[:, 0].astype(np.int64)]
            kept = known[found >= 0].copy()
            kept[:, 0] = found[found >= 0]
            parts.append(kept)
        return replace(self, steps=parts[0], contacts=parts[1])
