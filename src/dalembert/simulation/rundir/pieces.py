"""piece-000001.npz: the solution of a part of a run with actions that is over, and what was done.

A piece is a solution as `Solution.save` writes it, with the samples of it that count.
"""

from __future__ import annotations

from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.simulation.actions.joined import Piece
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.results import storage
from dalembert.simulation.results.recorded import EventRecord
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import piece as file_of

WHAT = "a part of the run"


def write(folder: Path, number: int, piece: Piece) -> str:
    """Write a piece and return its hash."""
    header, arrays = storage.packed(piece.solution)
    told = {
        "first": piece.first,
        "stop": piece.stop,
        "until": piece.until,
        "log": [list(astuple(one)) for one in piece.log],
        "met": [[record.name, record.t] for record in piece.met],
    }
    states = {
        f"met_{name}_{k}": getattr(record, name)
        for k, record in enumerate(piece.met)
        for name in ("q", "v")
    }
    content = {"solution": header, "piece": told}
    return archive.write(file_of(folder, number), WHAT, content, arrays | states)


def read(folder: Path, number: int, sha256: str) -> Piece:
    """The piece that was written under a number."""
    path = file_of(folder, number)
    header, arrays = archive.read(path, WHAT, sha256)
    try:
        solution = storage.unpacked(header["solution"], arrays)
        return _piece(solution, header["piece"], arrays)
    except Exception as problem:  # whatever the damage is, the user needs the file's name
        raise archive.damaged(path, WHAT, str(problem) or type(problem).__name__) from problem


def _piece(solution: Any, told: dict[str, Any], arrays: dict[str, Any]) -> Piece:
    count = len(solution.t)
    first, stop, until = told["first"], told["stop"], told["until"]
    if type(first) is not int or not 0 <= first <= count:
        raise ValueError("'first' is no sample")
    if stop is not None and (type(stop) is not int or not first <= stop <= count):
        raise ValueError("'stop' is no sample")
    if until is not None and not isinstance(until, float | int):
        raise ValueError("'until' is no moment")
    met = []
    for k, (name, t) in enumerate(told["met"]):
        q, v = arrays[f"met_q_{k}"], arrays[f"met_v_{k}"]
        if q.shape != solution.q.shape[1:] or v.shape != solution.v.shape[1:]:
            raise ValueError("an event has another state")
        if not isinstance(name, str) or q.dtype != np.float64 or v.dtype != np.float64:
            raise ValueError("an event is none")
        met.append(EventRecord(name, float(t), q, v))
    log = tuple(_happening(row) for row in told["log"])
    return Piece(solution, first, stop, until, log, tuple(met))


def _happening(row: Any) -> Happening:
    kinds = {"float": (float, int), "str": (str,), "int": (int,)}
    wanted = [kinds[str(field.type)] for field in fields(Happening)]
    if len(row) != len(wanted) or not all(map(isinstance, row, wanted)):
        raise ValueError("the log holds other than what happened")
    return Happening(*row)
