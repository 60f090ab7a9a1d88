"""Model and options of a run with actions, and where it stands: `model.npz` and `parts.npz`."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.errors import DalembertError
from dalembert.integration.protocol import Integrator
from dalembert.model.core.model import Model
from dalembert.model.core.without_constraints import removable
from dalembert.simulation.actions.chain import Chain, Key
from dalembert.simulation.actions.perform import Situation
from dalembert.simulation.actions.plan import Plan
from dalembert.simulation.described import decode, encode
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.results import storage
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import MODEL, PARTS

WHAT = "the model of the run"
STANDING = "the state of the run"

ELSEWHERE = ("until", "controllers", "progress", "on_failure")
"""Options that are in run.json, or given again."""

KINDS: dict[str, Any] = {
    "start": float | int,
    "step": float | int | None,
    "mode": str,
    "rtol": float | int | None,
    "atol": float | int | None,
    "method": Method | str | None,
    "integrator": Integrator | str | None,
    "formulation": str,
    "initial": object,
    "every": int | None,
    "times": np.ndarray | None,
    "events": tuple,
    "released": tuple,
    "initial_limit": float | int,
    "consistent": bool,
}
"""Options in model.npz, each with what it may be."""


def pack(model: Model, plan: Plan) -> bytes:
    """The content of model.npz."""
    asked = {name: getattr(plan, name) for name in KINDS}
    asked["released"] = tuple(sorted(plan.released))
    asked["times"] = None if plan.times is None else np.array(plan.times, dtype=float)
    for name in ("method", "integrator"):
        asked[name] = storage.portable(asked[name])
    return archive.pack(*encode((model, asked)))


def read_plan(folder: Path, sha256: str, until: float) -> tuple[Model, Plan]:
    """Model and options of the whole run; `until`: its end, as run.json has it."""
    path = folder / MODEL
    described, arrays = archive.read(path, WHAT, sha256)
    try:
        model, asked = decode(described, arrays)
        if not isinstance(model, Model) or set(asked) != set(KINDS):
            raise ValueError("parts are missing")
        for name, kind in KINDS.items():
            if not isinstance(asked[name], kind):
                raise ValueError(f"{name!r} is {asked[name]!r:.40}")
        if not all(isinstance(event, Event) for event in asked["events"]):
            raise ValueError("an event is none")
        if not set(asked["released"]) <= set(removable(model)):
            raise ValueError("something is released that is not there")
        if asked["times"] is not None:
            asked["times"] = asked["times"].tolist()
        asked["released"] = frozenset(asked["released"])
        return model, Plan(until=until, **asked)
    except Exception as problem:  # whatever it is, the user needs the file's name
        raise archive.damaged(path, WHAT, f"or made by other code: {problem}") from problem


@dataclass(frozen=True)
class Standing:
    """Where a run stands between its parts.

    Attributes
    ----------
    part : number of the part that goes on, from 1
    hashes : of the pieces before it
    released, values : constraints that do not act in it, parameters with other values
    fired : numbers of events that were met where it begins
    moments : at which something was done
    on_tree : kinds of parts that were decided, as `Chain` has them
    """

    part: int
    hashes: list[str]
    released: frozenset[str]
    values: dict[str, float]
    fired: tuple[int, ...]
    moments: list[float]
    on_tree: dict[Key, bool]

    @classmethod
    def of(cls, chain: Chain, part: int, hashes: list[str], now: Situation, fired: Any) -> Standing:
        """Where a chain stands whose part has just been opened."""
        before, values = chain.model.parameters, now.model.parameters
        changed = {name: float(x) for name, x in values.items() if x != before[name]}
        events = tuple(k for k, event in enumerate(chain.asked.events) if event in fired)
        moments, on_tree = list(chain.moments), dict(chain.on_tree)
        return cls(part, list(hashes), now.released, changed, events, moments, on_tree)

    def write(self, folder: Path) -> None:
        """Write parts.npz."""
        header = {
            **{name: getattr(self, name) for name in ("part", "hashes", "values", "fired")},
            "released": sorted(self.released),
            "on_tree": [[sorted(gone), armed, on] for (gone, armed), on in self.on_tree.items()],
        }
        archive.write(folder / PARTS, STANDING, header, {"moments": np.array(self.moments)})


def read_standing(folder: Path, model: Model, events: int) -> Standing:
    """Where a run of a model with so many events stands."""
    header, arrays = archive.read(folder / PARTS, STANDING)
    try:
        return _standing(header, arrays, model, events)
    except (KeyError, TypeError, ValueError, DalembertError) as problem:
        raise archive.damaged(folder / PARTS, STANDING, str(problem)) from problem


def _standing(h: dict[str, Any], arrays: dict[str, Any], model: Model, events: int) -> Standing:
    known, moments = set(removable(model)), arrays["moments"]
    if type(h["part"]) is not int or not 0 < h["part"] < 2**31:
        raise ValueError("there is no part")
    if not all(isinstance(one, str) and len(one) == 64 for one in h["hashes"]):
        raise ValueError("pieces have no hashes")
    for name, x in h["values"].items():
        if name not in model.parameters or type(x) not in (int, float) or not math.isfinite(x):
            raise ValueError(f"parameter {name!r:.40} has no value")
    if moments.ndim != 1 or moments.dtype != np.float64 or not np.all(np.isfinite(moments)):
        raise ValueError("moments are no finite numbers")
    on_tree = {}
    for gone, armed, on in h["on_tree"]:
        if not set(gone) <= known or not _are_events(armed, events) or type(on) is not bool:
            raise ValueError("a kind of part is none")
        on_tree[frozenset(gone), tuple(armed)] = on
    if not set(h["released"]) <= known or not _are_events(h["fired"], events):
        raise ValueError("what does not act is not there")
    return Standing(
        *(h["part"], list(h["hashes"]), frozenset(h["released"]), dict(h["values"])),
        *(tuple(h["fired"]), moments.tolist(), on_tree),
    )


def _are_events(numbers: Any, count: int) -> bool:
    return isinstance(numbers, list) and all(type(k) is int and 0 <= k < count for k in numbers)


assert {*KINDS, *ELSEWHERE} == {field.name for field in dataclasses.fields(Plan)}
