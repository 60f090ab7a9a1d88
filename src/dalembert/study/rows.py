"""Rows of a study: some combinations and what became of them, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.results.verdict import WORDS
from dalembert.simulation.status import Status

Array = NDArray[np.float64]

REFUSED = -1
STATUS = {REFUSED: "REFUSED", **{int(status): status.name for status in Status}}
"""Words of the column `status`; a row that could not begin was refused."""

VERDICT = {-1: "", **dict(enumerate(WORDS))}
"""Words of the column `verdict`; none where there was no run, or none was asked for."""


@dataclass(frozen=True)
class Rows:
    """Some rows: ids (n,), values of the axes (n, axes), how it went, and what was recorded.

    `error` says why a row failed, and is empty for the others; `columns` are in the order of the
    records, (n,) or (n, samples).
    """

    ids: NDArray[np.int64]
    values: Array
    status: NDArray[np.int64]
    verdict: NDArray[np.int64]
    seconds: Array
    error: tuple[str, ...]
    columns: dict[str, Array]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def failed(self) -> int:
        """Number of rows with an error."""
        return sum(map(bool, self.error))


def joined(parts: Sequence[Rows]) -> Rows:
    """Several rows as one, in the order of their ids."""
    ids = np.concatenate([part.ids for part in parts])
    order = np.argsort(ids, kind="stable")

    def column(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])[order]

    errors = [text for part in parts for text in part.error]
    names = parts[0].columns
    return Rows(
        ids[order],
        column("values"),
        column("status"),
        column("verdict"),
        column("seconds"),
        tuple(errors[i] for i in order),
        {n: np.concatenate([part.columns[n] for part in parts])[order] for n in names},
    )


def table_of(names: Sequence[str], columns: Sequence[tuple[str, int]], parts: Any) -> np.ndarray:
    """A structured array of rows, sorted by id.

    Parameters
    ----------
    names : of the axes
    columns : name and length of the recorded columns; 0 for one number
    parts : iterable of Rows
    """
    kinds: list[Any] = [("id", "<i8"), *((name, "<f8") for name in names)]
    kinds += [("status", "U21"), ("verdict", "U8"), ("seconds", "<f8"), ("error", object)]
    kinds += [(name, "<f8", (length,)) if length else (name, "<f8") for name, length in columns]
    found = list(parts)
    ids = np.concatenate([rows.ids for rows in found]) if found else np.empty(0, np.int64)
    place = np.empty(len(ids), dtype=np.int64)
    place[np.argsort(ids, kind="stable")] = np.arange(len(ids))
    made = np.empty(len(ids), dtype=np.dtype(kinds))
    first = 0
    for rows in found:
        _fill(made, place[first : first + len(rows)], names, rows)
        first += len(rows)
    return made


def _fill(made: np.ndarray, place: Any, names: Sequence[str], rows: Rows) -> None:
    """Put rows at their places of a table."""
    made["id"][place], made["seconds"][place] = rows.ids, rows.seconds
    for i, name in enumerate(names):
        made[name][place] = rows.values[:, i]
    made["status"][place] = [STATUS.get(int(code), "") for code in rows.status]
    made["verdict"][place] = [VERDICT.get(int(code), "") for code in rows.verdict]
    made["error"][place] = rows.error
    for name, column in rows.columns.items():
        made[name][place] = column
