"""A rollout whose worlds are commanded by a Python function, a few steps at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.batch.core import Core, Ended, Wishes
from dalembert.batch.feedback import Feedback
from dalembert.batch.given import Controls, read_table


def roll_with(
    core: Core,
    looking: Core,
    feedback: Feedback,
    states: tuple[Any, Any],
    given: Controls,
    wishes: Wishes,
    out: Any,
    threads: int,
) -> Ended:
    """Steps of all worlds from call to call of the function.

    Parameters
    ----------
    core : its last controls are the outputs of the function
    looking : a core whose signals are the inputs
    given : controls that were given beforehand
    """
    q, v = (x.copy() for x in states)
    worlds, h, own = len(q), float(core.setup.step or 0.0), len(feedback.outputs)
    before = given.table.reshape(worlds, given.rows, -1)
    seen = np.zeros((worlds, 1, looking.signals))
    ended, left = (np.full(worlds, -1, dtype=np.int64) for _ in range(2))
    status = np.zeros(worlds, dtype=np.int64)
    kept = _Kept(core, wishes, out)
    for first in range(0, wishes.steps, feedback.every):
        count = min(feedback.every, wishes.steps - first)
        t = wishes.start + first * h
        rows = np.minimum(np.arange(first, first + count), given.rows - 1)
        known = before[:, rows]
        looking.see(q, v, np.ascontiguousarray(known[:, 0]), t, seen)
        answer = feedback.function(t, seen[:, 0].copy())
        command = read_table("rollout", "the answer of the feedback", answer, (worlds, own))
        table = np.concatenate([known, np.repeat(command[:, None], count, axis=1)], axis=2)
        piece = np.zeros((worlds, count + 1, core.width))
        flat = np.ascontiguousarray(table.reshape(worlds, -1))
        asked = Wishes(count, 1, "all", t, keeps=True)
        held = (ended >= 0) | (status != 0)
        found = core.roll(q, v, flat, count, asked, piece, threads, held)
        _note(ended, np.where(found.ended > 0, found.ended + first, -1), ended < 0)
        _note(left, np.where(found.left >= 0, found.left + first, -1), left < 0)
        status = np.where(status != 0, status, found.status)
        piece[status != 0] = np.nan
        kept.add(first, piece)
    return Ended(status, ended, left)


def _note(known: Any, found: Any, where: Any) -> None:
    new = where & (found >= 0)
    known[new] = found[new]


class _Kept:
    """Samples of all pieces, or what they are reduced to."""

    def __init__(self, core: Core, wishes: Wishes, out: Any) -> None:
        self.wishes, self.out, self.count = wishes, out, 0

    def add(self, first: int, piece: Any) -> None:
        """Samples of the steps behind `first`."""
        every, reduce = self.wishes.every, self.wishes.reduce
        for k in range(piece.shape[1]):
            step = first + k
            if step % every or (k == 0 and first > 0):
                continue
            sample = piece[:, k]
            if reduce == "all":
                self.out[:, step // every] = sample
            else:
                self._reduce(sample, reduce)

    def _reduce(self, sample: Any, reduce: str) -> None:
        so_far = self.out[:, 0]
        self.count += 1
        if self.count == 1 or reduce == "final":
            so_far[...] = sample
        elif reduce == "min":
            np.minimum(so_far, sample, out=so_far)
        elif reduce == "max":
            np.maximum(so_far, sample, out=so_far)
        else:
            so_far += (sample - so_far) / self.count
