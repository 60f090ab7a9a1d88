"""Going on with a run with actions that is kept in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalembert.errors import OptionError
from dalembert.simulation.actions.chain import Chain, nowhere
from dalembert.simulation.actions.limits import Watch
from dalembert.simulation.actions.part import Part
from dalembert.simulation.actions.perform import Situation
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir import actions_state, manifest, objects, pieces
from dalembert.simulation.rundir.actions_run import ActionsKeeper, PartRecorder, carried
from dalembert.simulation.rundir.place import Lock, Place, clean, part_folder, target_of
from dalembert.simulation.rundir.reopened import extended, reopened, setup_of, standing_at


def go_on(
    folder: Path,
    found: dict[str, Any],
    lock: Lock,
    end: float | None,
    own: tuple[Any, Any],
    controllers: Sequence[Any],
    progress: bool | None,
    on_failure: str,
) -> Solution:
    """The solution of the whole run, carried to its end; `end`: another one."""
    options = found["options"]
    until = float(options["until"] if end is None else end)
    model, plan = actions_state.read_plan(folder, str(found["model"].get("sha256")), until)
    if end is not None and plan.times is not None:
        raise OptionError(
            "resume: a run with actions that records given moments ends where it was to. Simulate"
            " anew with a later end."
        )
    names = ("method", "integrator")
    again = {n: objects.given_again(n, getattr(plan, n), own[k]) for k, n in enumerate(names)}
    plan = replace(plan, **again, controllers=controllers, progress=progress, on_failure=on_failure)
    plan.check(model)
    standing = actions_state.read_standing(folder, model, len(plan.events))
    inside = part_folder(folder, standing.part)
    _clean(folder, inside)
    place = Place(target_of(folder, found.get("replaces")), folder.absolute())
    keeper = ActionsKeeper(place)
    chain = Chain(model, plan, keeper)
    chain.moments, chain.on_tree = standing.moments, standing.on_tree
    chain.pieces = [pieces.read(folder, k, known) for k, known in enumerate(standing.hashes, 1)]
    now = Situation(
        model.with_parameters(**standing.values) if standing.values else model,
        *(standing.released, plan.start, *nowhere()),
    )
    watched, limited = chain.watched(now.released)
    fired = [plan.events[k] for k in standing.fired]
    watch = Watch(limited, fired) if limited else None

    told = manifest.read(inside)
    kept = objects.read(inside, str(told["model"].get("sha256")))
    wanted = plan.part(now.acting, tuple(watched))[1]
    kept = objects.with_own(kept, *_own(kept.setup, wanted))
    at, name = standing_at(inside, end)
    setup = setup_of(inside, kept, at, str(told["options"].get("formulation")), controllers)
    recorder = PartRecorder(setup, len(kept.events), watch)
    run, fresh = reopened(
        inside, told, kept, (at, name), setup, recorder, until, kept.times, progress
    )
    recorder.rejoin(Place(inside, inside), None, told, at, 0.0)
    part = Part(setup, run, tuple(watched))
    chain.tell(part, watch, recorder)
    keeper.rejoin(lock, found, standing, part)
    if end is not None:
        extended(run, recorder, end, fresh, free=told["options"]["every"] is None)
        keeper.extend(end)
    return carried(chain, keeper, lambda: chain.go_on(part, now))


def _own(setup: Any, wanted: Any) -> list[Any]:
    """Method and integrator of a part where these are known by their text only."""
    names = ("method", "integrator")
    return [getattr(wanted, n) if isinstance(getattr(setup, n), str) else None for n in names]


def _clean(folder: Path, part: Path) -> None:
    """Remove what a killed process left: half written files, parts that do not go on."""
    clean(folder)
    clean(part)
    for left in (*folder.glob("part-*"), *folder.glob(".part-*.part")):
        if left != part:
            shutil.rmtree(left, ignore_errors=True)
