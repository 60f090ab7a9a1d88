"""Rows done, rows failed and time left while a study lasts."""

from __future__ import annotations

import sys
import time as clocks
from typing import Any

from dalembert.simulation.run.progress import PAUSE, Progress


class StudyProgress(Progress):
    """Progress of a study on standard error; a bar on a terminal, now and then a line elsewhere.

    Parameters
    ----------
    wanted : bool or None       None: on a terminal only
    count, done : int           rows, and those that are there already
    """

    def __init__(self, wanted: bool | None, count: int, done: int) -> None:
        super().__init__(wanted, 0, count, done)

    def tell(self, done: int, failed: int) -> None:
        """Bring it up to date."""
        now = clocks.perf_counter()
        if not self.wanted or (self.bar is None and now < self.next_line):
            return
        if not self.terminal:
            sys.stderr.write(f"{self.words(done, failed, now - self.began)}\n")
            sys.stderr.flush()
            self.next_line = now + PAUSE
            return
        if self.bar is None:
            self._open()
        self.bar.update(self.task, completed=done, failed=failed)

    def words(self, done: int, failed: int, spent: float) -> str:
        """``320 of 1000 rows, 32 %, 12 s left, 1 failed``."""
        made = done - self.at
        left = f", {spent * (self.until - done) / made:.0f} s left" if made > 0 else ""
        bad = f", {failed} failed" if failed else ""
        return f"{done} of {self.until} rows, {100 * done / self.until:.0f} %{left}{bad}"

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns: list[Any] = [
            MofNCompleteColumn(),
            TextColumn("rows"),
            BarColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[failed]} failed"),
        ]
        self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self.bar.start()
        self.task = self.bar.add_task("study", total=self.until, completed=self.at, failed=0)
