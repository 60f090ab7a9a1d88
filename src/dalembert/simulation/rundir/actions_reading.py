"""The folder of a run with actions as a solution, finished or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dalembert.errors import RunFileError
from dalembert.simulation.actions.joined import Piece, joined
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir import actions_state, pieces
from dalembert.simulation.rundir.place import part_folder
from dalembert.simulation.status import Status


def read(
    folder: Path,
    found: dict[str, Any],
    part: Callable[[Path], Solution],
    message: Callable[[float], str],
) -> Solution:
    """The solution of what is there.

    Parameters
    ----------
    found : content of run.json
    part : solution of the folder of a part
    message : what is said of a run that has reached a moment
    """
    until = float(found["options"]["until"])
    model, plan = actions_state.read_plan(folder, str(found["model"].get("sha256")), until)
    result = found.get("result")
    if result is not None:
        over = _pieces(folder, result["segments"])
        said = str(result["message"])
        return joined(model, over, Status(result["status"]), lambda: said)
    standing = actions_state.read_standing(folder, model, len(plan.events))
    over = _pieces(folder, standing.hashes)
    try:
        last = part(part_folder(folder, standing.part))
    except RunFileError as problem:
        if isinstance(problem.solution, Solution):
            over = [*over, Piece(problem.solution)]
        if over:
            text = str(problem)
            problem.solution = joined(model, over, Status.INTERRUPTED, lambda: text)
        raise
    over = [*over, Piece(last)]
    return joined(model, over, Status.INTERRUPTED, lambda: message(float(last.t[-1])))


def _pieces(folder: Path, hashes: list[str]) -> list[Piece]:
    return [pieces.read(folder, number, known) for number, known in enumerate(hashes, 1)]
