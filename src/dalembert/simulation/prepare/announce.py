"""A line while code is compiled for the first time on this machine: what, how much, how long."""

from __future__ import annotations

import contextlib
import sys
import threading
import time as clocks
from collections.abc import Iterator
from typing import Any

from dalembert import _jit
from dalembert._translate import objects
from dalembert.contact.events.forces import phase_forces
from dalembert.contact.impact.strike import strike
from dalembert.integration import loop
from dalembert.integration.loop import phase_steps

WIDTH = 78
"""Columns that a line on a terminal may take."""

_STATE = "dalembert.system.state_layout:State double double double[1] double[1]"
_CONTACTS = "dalembert.contact.impact.impact:Contacts"

OF_PHASES = (
    (phase_steps.run_phase, phase_steps.PHASE_KINDS),
    (phase_forces, f"{_STATE} double[1] double[1]"),
    (strike, f"i64 i64 {_CONTACTS} double[1] double[1] double[1]"),
)
"""The longest programs of runs with located events, needed at the first contact at last."""


class _Line:
    """The line that is shown when something is compiled.

    It is written once where it goes to a file; on a terminal it goes on to say what is being
    compiled, how many programs and for how long, until the wait is over.
    """

    def __init__(self, what: str, *, silent: bool) -> None:
        self.text = f"dalembert: compiling {what}, once ..."
        self.silent = silent
        self._count, self._began = 0, 0.0
        self._lock = threading.Lock()

    def __call__(self, what: str) -> None:
        with self._lock:
            self._count += 1
            if self.silent:
                return
            if not sys.stderr.isatty():
                if self._count == 1:
                    sys.stderr.write(f"{self.text}\n")
                    sys.stderr.flush()
                return
            self._began = self._began or clocks.perf_counter()
            spent = clocks.perf_counter() - self._began
            self._show(f"{self.text} {self._count}, {spent:.0f} s: {what.rpartition('.')[2]}")

    def close(self) -> None:
        """The wait is over: what is compiled later begins a line of its own."""
        with self._lock:
            if self._began:
                spent = clocks.perf_counter() - self._began
                self._show(f"{self.text} {self._count} programs, {spent:.1f} s")
                sys.stderr.write("\n")
                sys.stderr.flush()
                self._began = 0.0

    def _show(self, text: str) -> None:
        sys.stderr.write(f"\r{text[:WIDTH]:{WIDTH}}")
        sys.stderr.flush()


@contextlib.contextmanager
def compiling(method: Any, *, silent: bool = False) -> Iterator[None]:
    """Say so when kernels are compiled, here or later in the run, unless nobody wants to know."""
    name = method.describe().partition("(")[0]  # as a user has it
    with _told(_Line(f"{name} for this machine", silent=silent)):
        yield


@contextlib.contextmanager
def compiling_page(name: str) -> Iterator[None]:
    """Say so when what a page carries is compiled."""
    with _told(_Line(f"the page of {name}", silent=False)):
        yield


@contextlib.contextmanager
def _told(line: _Line) -> Iterator[None]:
    objects.told[:] = [line]
    try:
        with _jit.waited_for():
            yield
    finally:
        line.close()


def begin(method: Any, integrator: Any, contacts: Any) -> None:
    """Compile what a step needs for certain beside everything that happens before the first one."""
    shapes = contacts is not None and len(contacts.model.contact_shapes) > 0
    borders = [b for b in method.step_borders(integrator, shapes) if b is not None]
    _jit.ahead(borders, OF_PHASES if method.locates else [(loop.run_chunk, loop.CHUNK_KINDS)])
