"""Where rows go as they arrive: a folder that can be read meanwhile, or memory."""

from __future__ import annotations

import os
import time as clocks
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import FileError, RunFileError, StudyFileError
from dalembert.simulation.rundir.place import Lock, Place, appearing, clean
from dalembert.study import manifest, segments
from dalembert.study.manifest import Plan
from dalembert.study.rows import Rows, joined

SECONDS = 2.0
"""Rows are written after so many seconds at the latest, when the next chunk arrives."""

MOST_BYTES = 2**24
"""Rows that wait to be written have no more bytes than these."""


class MemoryStore:
    """Rows of a study without a folder."""

    folder: Path | None = None

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._parts: list[Rows] = []

    def add(self, rows: Rows) -> None:
        """Keep rows."""
        self._parts.append(rows)

    def flush(self) -> None:
        """Nothing: everything is in memory."""

    def close(self) -> None:
        """Nothing: nobody else writes here."""

    def parts(self) -> Iterator[Rows]:
        """All rows that there are."""
        yield from self._parts


class FolderStore:
    """Rows of a study in a folder, of which one process at a time writes."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder: Path = folder
        self.plan = plan
        self._lock: Lock | None = None
        # replaced as a whole, so that Ctrl-C at any moment neither doubles nor loses rows
        self._state: tuple[list[Rows], tuple[Path, bytes, int] | None] = [], None
        self._since = clocks.perf_counter()

    def take(self) -> None:
        """Become the one who writes."""
        try:
            self._lock = Lock(self.folder, "study")
        except RunFileError as problem:
            raise StudyFileError(str(problem)) from None
        clean(self.folder)

    def add(self, rows: Rows) -> None:
        """Take rows, and write when it is time."""
        waiting, _ = self._state
        if not waiting:
            self._since = clocks.perf_counter()
        waiting.append(rows)
        size = sum(r.values.nbytes + sum(c.nbytes for c in r.columns.values()) for r in waiting)
        if clocks.perf_counter() - self._since > SECONDS or size > MOST_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what waits; it goes on waiting if that fails."""
        waiting, ready = self._state
        if ready is None:
            if not waiting:
                return
            rows, design = joined(waiting), self.plan.design
            made = segments.packed(self.folder, rows, design.names, self.plan.form)
            ready = (*made, len(waiting))
            self._state = waiting, ready
        path, data, count = ready
        try:
            segments.put(path, data)
        except FileError as problem:
            raise StudyFileError(str(problem)) from problem
        self._state = waiting[count:], None

    def close(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def parts(self) -> Iterator[Rows]:
        """All rows that there are, each once."""
        seen = np.zeros(self.plan.design.count, dtype=bool)
        for path in segments.listed(self.folder):
            rows = segments.read(path, self.plan.design.names, self.plan.columns)
            if len(rows) and not (0 <= rows.ids.min() and rows.ids.max() < len(seen)):
                raise segments.damaged(path, "it has rows that are none of the study")
            if len(np.unique(rows.ids)) != len(rows) or seen[rows.ids].any():
                raise segments.damaged(path, "it has rows that are there already")
            seen[rows.ids] = True
            yield rows
        waiting, ready = self._state
        yield from waiting[0 if ready is None or not ready[0].exists() else ready[2] :]


Store = MemoryStore | FolderStore


def is_there(folder: Any) -> bool:
    """Whether a folder holds a study."""
    return isinstance(folder, str | Path) and (Path(folder) / manifest.MANIFEST).is_file()


def make_store(folder: Any, plan: Plan) -> Store:
    """The store of a study; the same one that is there already goes on."""
    if folder is None:
        return MemoryStore(plan)
    if not isinstance(folder, str | Path):
        raise StudyFileError(f"sweep: folder is {folder!r:.60}. Give the name of a folder.")
    path = Path(os.path.abspath(folder))
    if is_there(path):
        found = manifest.read(path)
        if found.signature != plan.signature:
            raise StudyFileError(
                f"{folder}: holds another study, which is kept. Give the name of another folder, or"
                " delete it."
            )
        made = FolderStore(path, Plan(**{**vars(found), "task": plan.task}))
        made.take()
        return made
    _refuse_occupied(path, folder)
    try:
        with appearing(Place(path, path), "the study") as place:
            manifest.write(place, plan)
    except RunFileError as problem:
        raise StudyFileError(str(problem)) from problem
    made = FolderStore(path, plan)
    made.take()
    return made


def _refuse_occupied(path: Path, given: Any) -> None:
    head = f"{given}: cannot write the study:"
    if not path.parent.is_dir():
        raise StudyFileError(f"{head} the folder {path.parent} does not exist. Create it first.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StudyFileError(
            f"{head} the folder {path.parent} may not be written. Choose another place."
        )
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise StudyFileError(f"{head} a file is in the way. Give the name of a new folder.")
    if path.is_dir() and any(path.iterdir()):
        raise StudyFileError(
            f"{head} the folder holds other files. Give the name of a new or an empty folder."
        )
