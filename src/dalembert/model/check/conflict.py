"""Which joints and held values cannot be met together.

Where the sum of squared residuals is least, J^T r = 0: the residuals r are forces in balance, and
joints without residual carry none of it. Of those with residual, one after the other is left out as
long as the rest still does not close; what remains is a conflict of which no part can be spared.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dalembert.model.start.closing import Closed, Closing
from dalembert.model.start.rows_numpy import Rows

Array = npt.NDArray[np.float64]

CARRIES = 1e-3
"""Residual, over the largest, from which on a joint belongs to a conflict."""

MOST = 40
"""Joints up to which a conflict is reduced one by one."""

PATIENCE = 5.0
"""Seconds of computing, in all, after which those that are left are told as they are."""


@dataclass(frozen=True)
class Conflict:
    """Joints, constraints and held values that cannot be met together.

    Attributes
    ----------
    names : as the user calls them
    row, residual : where the best configuration found is open most, and by how much
    is_irreducible : whether each of them is needed for the conflict
    """

    names: tuple[str, ...]
    row: str
    residual: float
    is_irreducible: bool

    def __str__(self) -> str:
        best = (
            f"The best configuration that was found leaves {self.row!r} open by {self.residual:.3g}"
        )
        if len(self.names) == 1:
            return f"{self.names[0]!r} cannot be met by any configuration near. {best}."
        named = ", ".join(map(repr, self.names[:8]))
        more = f" and {len(self.names) - 8} more" if len(self.names) > 8 else ""
        verb = "cannot be met together" if self.is_irreducible else "are not met together"
        return f"{named}{more} {verb}. {best}."


def conflict(rows: Rows, holds: Rows | None, t: float, guess: Array, best: Closed) -> Conflict:
    """Explain why closing ended at `best`."""
    whole = Closing(rows, holds)
    owners = np.array(whole.owners)[whole.keep]
    sizes = np.abs(np.nan_to_num(best.residual, nan=np.inf))
    largest = float(sizes.max(initial=0.0))
    carried = set(owners[sizes > CARRIES * largest])
    every = list(dict.fromkeys(whole.owners))
    suspects = [name for name in every if name in carried]
    irreducible = False
    if 1 < len(suspects) <= MOST and np.isfinite(largest) and whole.is_small:
        innocent = [name for name in every if name not in carried]
        tried = _Tried(rows, holds, t, guess, best, time.process_time() + PATIENCE)
        if tried.closes(innocent):
            suspects, innocent = every, []
        suspects, irreducible = _reduced(tried, suspects, innocent)
    worst = int(np.argmax(sizes)) if len(sizes) else 0
    names = [
        owner if part is holds else name
        for part in whole.parts
        for name, owner in zip(
            part.names[: part.holonomic], part.owners[: part.holonomic], strict=True
        )
    ]
    kept = [name for name, keep in zip(names, whole.keep, strict=True) if keep]
    off = abs(float(whole.phi(t, best.q)[worst])) if len(sizes) else 0.0
    return Conflict(tuple(suspects), kept[worst] if kept else "", off, irreducible)


@dataclass(frozen=True)
class _Tried:
    """A closing that is tried without some of its joints, until the time is up."""

    rows: Rows
    holds: Rows | None
    t: float
    guess: Array
    best: Closed
    until: float

    def closes(self, without: list[str]) -> bool | None:
        """Whether the rest closes; None where there was no time to say."""
        part = Closing(self.rows, self.holds, without=without)
        if not part.keep.any() or part.from_guess(self.t, self.best.q).is_closed:
            return True
        if part.close(self.t, self.guess, until=self.until).is_closed:
            return True
        return None if time.process_time() > self.until else False


def _reduced(tried: _Tried, suspects: list[str], innocent: list[str]) -> tuple[list[str], bool]:
    """Leave out whatever the conflict does not need."""
    if len(suspects) > MOST:
        return suspects, False
    needed = list(suspects)
    # from the last on: what stands next to the ground remains, and the chain of names is short
    for name in reversed(suspects):
        closes = tried.closes([*innocent, name, *(x for x in suspects if x not in needed)])
        if closes is None:
            return needed, False
        if not closes:
            needed.remove(name)
    return needed, True
