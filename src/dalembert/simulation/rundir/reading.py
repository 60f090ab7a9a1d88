"""A run folder as a solution, finished or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import DalembertError, RunFileError
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.facts import COUNTS, TIMES
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir import (
    actions_reading,
    checkpoint,
    commands,
    manifest,
    objects,
    segments,
)
from dalembert.simulation.rundir.checkpoint import Checkpoint
from dalembert.simulation.rundir.place import CHECKPOINT, is_busy
from dalembert.simulation.rundir.recorder import advice, located
from dalembert.simulation.status import Status, sentence


def load(path: str | Path) -> Solution:
    """The solution in a run folder; of an unfinished run what is there.

    Accelerations, multipliers, violations and energies are computed again from the states.

    Raises
    ------
    RunFileError    not a run, or damaged; ``.solution`` then holds what precedes the damage
    """
    folder = Path(path)
    try:
        return _read(folder)
    except DalembertError:
        raise
    except Exception as problem:  # whatever the damage is, the user needs the folder's name
        raise RunFileError(
            f"{folder}: the run is damaged ({problem!s:.200}). Restore it from a copy, or run again"
            " under another name."
        ) from problem


def _read(folder: Path) -> Solution:
    found = manifest.read(folder)
    if found.get("parts"):
        busy = is_busy(folder)
        return actions_reading.read(folder, found, load, lambda t: _message(t, folder, busy=busy))
    called = commands.read(folder)
    held = frozenset(() if called is None else called.names)
    how = str(found["options"].get("formulation"))
    kept = objects.read(folder, str(found["model"].get("sha256")), held, how)
    if found.get("result") is not None:
        return _finished(folder, found, kept)
    return _unfinished(folder, found, kept)


def sizes_of(kept: objects.Objects) -> segments.Sizes:
    """Numbers of coordinates, velocities, rows, ..."""
    return segments.Sizes.of(kept.setup, len(kept.events))


def has_own(found: dict[str, Any]) -> bool:
    """Whether the method has multipliers of its own."""
    return bool(found["options"].get("own_multipliers"))


def _finished(folder: Path, found: dict[str, Any], kept: objects.Objects) -> Solution:
    result = found["result"]
    every = int(result["statistics"]["every"])
    return _composed(folder, found, kept, list(result["segments"]), every, None, result)


def _unfinished(folder: Path, found: dict[str, Any], kept: objects.Objects) -> Solution:
    busy = is_busy(folder)
    try:
        at = checkpoint.read(folder / CHECKPOINT)
    except RunFileError as problem:
        return _without_checkpoint(folder, found, kept, problem)
    if at.pending.contacts is not None:
        sizes = sizes_of(kept)
        at.pending.contacts.check(sizes.shapes, sizes.sides)
    known = at.facts
    widths = segments.widths_of(sizes_of(kept), own=has_own(found))
    later = segments.orphans(folder, len(at.hashes) + 1, int(found["epoch"]), widths)
    hashes = [*at.hashes, *(None for _ in later)]
    every = max([int(at.header["every"]), *(h["every"] for h in later)])
    pending = None if later else _with_state(at, len(kept.times) > 0, sizes_of(kept))
    known["message"] = _message(at.t, folder, busy=busy)
    return _composed(folder, found, kept, hashes, every, pending, known)


def _with_state(at: Checkpoint, by_moments: bool, sizes: segments.Sizes) -> Samples | None:
    """Samples that follow the segments: those in the checkpoint, and its state.

    None where they are in other coordinates: versions before wrote those of joints alone.
    """
    p, (t, q, v) = at.of_model
    if (p.q.shape[1], p.v.shape[1]) != (sizes.coordinates, sizes.velocities):
        return None
    if by_moments or (len(p.t) and p.t[-1] == t):
        return p
    assert p.lam is not None
    unknown = np.full((1, p.lam.shape[1]), np.nan)
    return Samples(
        np.append(p.t, t),
        np.concatenate([p.q, q[None]]),
        np.concatenate([p.v, v[None]]),
        np.concatenate([p.lam, unknown]),
        angles=None if p.angles is None else np.concatenate([p.angles, at.arrays["angles"][None]]),
    )


def _without_checkpoint(
    folder: Path, found: dict[str, Any], kept: objects.Objects, problem: RunFileError
) -> Solution:
    """Segments alone: counts are not known, the worst violation is that of the samples."""
    widths = segments.widths_of(sizes_of(kept), own=has_own(found))
    later = segments.orphans(folder, 1, int(found["epoch"]), widths)
    every = max([1, *(h["every"] for h in later)])
    start = kept.setup.start.t
    statistics: dict[str, Any] = dict.fromkeys(COUNTS, 0) | dict.fromkeys(TIMES, 0.0)
    statistics |= {"every": every, "specialised": False, "start": start, "end": start}
    statistics["consistent"] = kept.setup.consistent
    nowhere = {"phi": 0.0, "phi_dot": 0.0, "phi_row": "", "phi_dot_row": ""}
    known = {
        "status": int(Status.INTERRUPTED),
        "message": f"The run is unfinished and cannot be resumed. {problem}",
        "statistics": statistics,
        "worst": nowhere,
    }
    hashes: list[str | None] = [None for _ in later]
    solution = _composed(folder, found, kept, hashes, every, None, known)
    if len(solution.t):
        statistics["end"] = float(solution.t[-1])
        statistics["steps"] = (len(solution.t) - 1) * every
    worst = dict(nowhere)
    for level, rows in (("phi", solution.phi), ("phi_dot", solution.phi_dot)):
        if rows.size:
            row = int(np.argmax(np.max(np.abs(rows), axis=0)))
            worst |= {level: float(np.max(np.abs(rows))), f"{level}_row": solution.row_names[row]}
    return replace(solution, statistics={**solution.statistics, **statistics}, worst=worst)


def _composed(
    folder: Path,
    found: dict[str, Any],
    kept: objects.Objects,
    hashes: list[str | None],
    every: int,
    pending: Samples | None,
    known: dict[str, Any],
) -> Solution:
    names = [event.label for event in kept.events]
    own = has_own(found)
    try:
        samples, events = segments.read(
            folder, hashes, sizes_of(kept), own=own, every=every, pending=pending
        )
    except RunFileError as problem:
        samples, events = problem.solution
        end = float(samples.t[-1]) if len(samples.t) else kept.setup.start.t
        partial = {
            **known,
            "status": int(Status.INTERRUPTED),
            "message": f"The run is damaged after t = {end:.10g} s. {problem}",
        }
        samples = replace(samples, commands=commands.read(folder))
        problem.solution = to_solution.compose(kept.setup, samples, located(events, names), partial)
        raise
    samples = replace(samples, commands=commands.read(folder))
    return to_solution.compose(kept.setup, samples, located(events, names), known)


def _message(t: float, folder: Path, *, busy: bool) -> str:
    if busy:
        return f"The run is being computed and has reached t = {t:.10g} s."
    return sentence(Status.INTERRUPTED, t=t).replace(
        Status.INTERRUPTED.meaning, "the run was ended before it was finished"
    ) + advice(folder)
