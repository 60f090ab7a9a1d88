"""`Study`: the rows of a study, done or not, and the ways to read them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean
from dalembert.study.manifest import Plan
from dalembert.study.rows import table_of
from dalembert.study.store import Store

if TYPE_CHECKING:
    import pandas as pd

    from dalembert.simulation.results.solution import Solution
    from dalembert.study.sensitivity import Sensitivity

MANY = 3
"""Errors that a summary shows."""


class Study:
    """Runs of one model in many variants, as one table.

    Made by `sweep`, `resume_study` and `load_study`.

    Attributes
    ----------
    folder : Path or None       where it is kept
    names : tuple of str        of the axes
    columns : tuple of str      what was recorded
    count : int                 rows that it has when it is complete
    design : str                "grid", "list", "random", ...
    table : structured array    rows that are done, sorted by id
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self._plan, self._store = plan, store
        self.folder: Path | None = store.folder

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the axes."""
        return self._plan.design.names

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of what was recorded."""
        return tuple(name for name, _ in self._plan.columns)

    @property
    def count(self) -> int:
        """Rows of the complete study."""
        return self._plan.design.count

    @property
    def design(self) -> str:
        """Kind of the design."""
        return self._plan.design.kind

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes of a grid, to give to ``reshape``; else the number of rows."""
        return self._plan.design.shape

    @cached_property
    def table(self) -> np.ndarray:
        """Rows that are done, sorted by id.

        Columns: ``id``, the axes, ``status`` ("OK", "EVENT", "NON_FINITE", ..., "REFUSED" where no
        run could begin), ``verdict`` ("good", "doubtful", "failed"), ``seconds``, ``error`` (empty
        where nothing went wrong), and what was recorded, NaN where there is none.
        """
        return table_of(self.names, self._plan.columns, self._store.parts())

    def __len__(self) -> int:
        """Rows that are done."""
        return len(self.table)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column of the table."""
        known = list(self.table.dtype.names or ())
        if name not in known:
            raise OptionError(
                f"The study has no column {name!r}{did_you_mean(str(name), known)} Columns:"
                f" {', '.join(known)}."
            )
        column: np.ndarray = self.table[name]
        return column

    @property
    def failed(self) -> np.ndarray:
        """Rows of the table that have an error."""
        bad: np.ndarray = self.table[self.table["error"] != ""]
        return bad

    @property
    def is_complete(self) -> bool:
        """Whether every row is done."""
        return len(self.table) == self.count

    def run(self, row: int, **options: Any) -> Solution:
        """The run of one row, computed again: for figures, the player, a closer look.

        Parameters
        ----------
        row : int       id of the row
        **options       of `simulate` that are to be others, such as ``every=1``
        """
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise OptionError(f"study.run: {row!r:.60} is no id of a row. Give a whole number.")
        if not 0 <= row < self.count:
            raise OptionError(f"study.run: there is no row {row}. Ids are 0 to {self.count - 1}.")
        task = self._plan.task
        if task is None:
            raise OptionError(
                f"{self.folder}: the study was made with functions of a program, which are not in"
                " its folder. Call dl.sweep again with the same arguments, and use what it returns."
            )
        return task.solve(self._plan.design.values([row])[0], **options)

    def sensitivity(self, column: str, *, confidence: float = 0.95) -> Sensitivity:
        """Sobol's indices of a column: which part of its variance is due to which axis.

        The study needs ``design="saltelli"``.
        """
        from dalembert.study.sensitivity import sensitivity

        return sensitivity(self, column, confidence)

    def to_pandas(self) -> pd.DataFrame:
        """The table as a DataFrame indexed by id (extra `pandas`); series are columns x[0], ..."""
        from dalembert.study.frame import frame

        return frame(self.table)

    def summary(self) -> str:
        """A text: what was run, how many rows are done, and what went wrong."""
        from dalembert.analysis.table import text_table

        table, bad = self.table, self.failed
        head = f"{len(table)} of {self.count} rows"
        lines = [f"{head}, {len(bad)} with errors" if len(bad) else head]
        lines += [f"design    {self.design} over {', '.join(self.names)}"]
        if len(table):
            lines.append(f"time      {float(table['seconds'].sum()):.3g} s of runs")
            words, counts = np.unique(table["verdict"], return_counts=True)
            said = ", ".join(f"{n} {w}" for w, n in zip(words, counts, strict=True) if w)
            lines += [f"verdicts  {said}"] if said else []
        for one in bad[:MANY]:
            lines.append(f"row {one['id']}: {one['error']}")
        if len(bad) > MANY:
            lines.append(f"... and {len(bad) - MANY} more: study.failed")
        flat = [name for name, length in self._plan.columns if not length and len(table)]
        if flat:
            rows = [
                [name, *(f"{f(table[name]):.6g}" for f in (_least, _middle, _most))]
                for name in flat
            ]
            lines += ["", text_table(["", "least", "mean", "greatest"], rows)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        """One line: axes, rows done."""
        place = "" if self.folder is None else f", {str(self.folder)!r}"
        over = ", ".join(self.names)
        return f"Study({self.design} over {over}: {len(self.table)} of {self.count} rows{place})"


def _least(x: np.ndarray) -> float:
    return float(np.min(x[np.isfinite(x)], initial=np.inf)) if np.isfinite(x).any() else np.nan


def _most(x: np.ndarray) -> float:
    return float(np.max(x[np.isfinite(x)], initial=-np.inf)) if np.isfinite(x).any() else np.nan


def _middle(x: np.ndarray) -> float:
    return float(np.mean(x[np.isfinite(x)])) if np.isfinite(x).any() else np.nan
