"""Time left and drift while a run lasts: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time as clocks
from typing import Any

PATIENCE = 1.0
"""Seconds after which a run shows its progress."""

PAUSE = 5.0
"""Seconds between two lines where there is no terminal; a log should stay short."""


class Progress:
    """Progress on standard error, for a person who waits for a run.

    Parameters
    ----------
    wanted : bool or None       None: on a terminal only
    start, until : float        of the run  [s]
    at : float                  where it goes on when it is resumed  [s]
    """

    def __init__(
        self, wanted: bool | None, start: float, until: float, at: float | None = None
    ) -> None:
        self.terminal = sys.stderr is not None and sys.stderr.isatty()
        self.wanted = self.terminal if wanted is None else wanted
        self.start, self.until = start, until
        self.at = start if at is None else at
        self.began = clocks.perf_counter()
        self.next_line = self.began + PATIENCE
        self.bar: Any = None

    def show(self, t: float, drift: float, worst: float) -> None:
        """Bring it up to date: time reached, violation of the constraints there, and at worst."""
        now = clocks.perf_counter()
        if not self.wanted or (self.bar is None and now < self.next_line):
            return
        if not self.terminal:
            print(self.line(t, drift, worst, now - self.began), file=sys.stderr, flush=True)
            self.next_line = now + PAUSE
            return
        if self.bar is None:
            self._open()
        self.bar.update(self.task, completed=t - self.start, t=t, drift=drift, worst=worst)

    def line(self, t: float, drift: float, worst: float, spent: float) -> str:
        """``t = 3.2 of 10 s, 32 %, 12 s left, drift 1.1e-16, worst 4.4e-16``."""
        part = (t - self.start) / (self.until - self.start)
        made = t - self.at
        left = f"{spent * (self.until - t) / made:.0f} s left, " if made > 0 else ""
        return (
            f"t = {t:.4g} of {self.until:g} s, {100 * part:.0f} %, {left}"
            f"drift {drift:.1e}, worst {worst:.1e}"
        )

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self.bar = Bar(
            TextColumn("t = {task.fields[t]:.4g} s"),
            BarColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("drift {task.fields[drift]:.1e}, worst {task.fields[worst]:.1e}"),
            console=Console(stderr=True),
            transient=True,
        )
        self.bar.start()
        self.task = self.bar.add_task(
            "run",
            total=self.until - self.start,
            completed=self.at - self.start,
            t=self.at,
            drift=0.0,
            worst=0.0,
        )

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
