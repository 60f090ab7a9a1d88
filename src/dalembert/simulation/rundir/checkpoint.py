"""Everything a run needs to go on as if it had never stopped, to the bit.

`work` and `sizes` hold what methods and integrators remember: warm starts, the branch through a
singular position, past accelerations, counters. Addresses of compiled code, extents and tables in
`sizes` belong to the process that is gone and are made again; only declared integers are kept
(`rundir.state`), and of contact what lasts from step to step (`contact.run.resumed`). Every integer
is looked at before it is put back: compiled code trusts them. In `work` the constants of formulas
are made again, too: how much room they take depends on what a process has compiled before.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.collision.layout import Found, Scene
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.record_layout import Info
from dalembert.contact.run import resumed
from dalembert.contact.run.record_layout import Contact, Kept, Sleep, StepReport
from dalembert.contact.run.run_layout import ContactRun
from dalembert.errors import RunFileError
from dalembert.integration import loop
from dalembert.simulation.results import facts
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import archive, located, state
from dalembert.system.state_layout import State

WHAT = "the checkpoint"

RECORDED = ("t", "q", "v", "lam", "angle")
"""Names of what is recorded of a sample (`run.SAMPLED`)."""


@dataclass(frozen=True)
class Checkpoint:
    """Contents of the file."""

    header: Mapping[str, Any]
    arrays: Mapping[str, Any]

    @property
    def hashes(self) -> list[str]:
        """Hashes of the segments that precede it."""
        return [bytes(row).hex() for row in self.arrays["hashes"]]

    @property
    def facts(self) -> dict[str, Any]:
        """Facts as `wrap.facts` gave them then."""
        return dict(self.header["facts"])

    @property
    def _clock(self) -> loop.Clock:
        return loop.Clock(self.arrays["clock"], 0, self.arrays["count"], 0)

    @property
    def t(self) -> float:
        """Moment of the state."""
        return float(self._clock.t)

    @property
    def feels_the_end(self) -> bool:
        """Whether steps have been adapted to the end of the interval."""
        return bool(self._clock.ending)

    @property
    def pending(self) -> Samples:
        """Samples not yet in a segment."""
        log = None
        if "pending_contacts" in self.arrays:
            log = ContactLog(self.arrays["pending_steps"], self.arrays["pending_contacts"])
        t, q, v, lam = (self.arrays[f"pending_{name}"] for name in ("t", "q", "v", "lam"))
        return Samples(t, q, v, lam, contacts=log, angles=self.arrays.get("pending_angle"))

    @property
    def state(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Moment, coordinates, velocities."""
        return self.t, self.arrays["q"], self.arrays["v"]

    @property
    def of_model(self) -> tuple[Samples, tuple[float, np.ndarray, np.ndarray]]:
        """`pending` and `state` in the coordinates of the model, as segments have them."""
        samples, (t, q, v) = self.pending, self.state
        if "model_q" not in self.arrays:
            return samples, (t, q, v)
        q, v, lam = (self.arrays[f"model_{name}"] for name in ("q", "v", "lam"))
        return replace(samples, q=q[:-1], v=v[:-1], lam=lam), (t, q[-1], v[-1])


MODEL = ("q", "v", "lam")
"""Arrays of a run in the coordinates of joints that are kept in those of the model, too."""


def arrangement() -> str:
    """Hash of where everything stands in the packed arrays; it differs between versions."""
    slots: list[Any] = [
        sorted((k, v) for k, v in vars(module).items() if k.isupper() and isinstance(v, int))
        for module in (loop,)
    ]
    slots += [memory.arrangement() for memory in (State, ContactRun, Problem, Scene)]
    slots += [record.arrangement() for record in (Contact, Kept, Sleep, StepReport, Info, Found)]
    return hashlib.sha256(json.dumps(slots).encode()).hexdigest()[:16]


def write(
    path: Path,
    run: Run,
    fresh: np.ndarray,
    *,
    hashes: list[str],
    events: int,
    epoch: int,
    facts: dict[str, Any],
) -> None:
    """Write the state of a run at rest; `fresh` is `sizes` as it was opened."""
    run.take_log()
    # what contact remembers stands behind the rest and may have grown since
    first, start = len(fresh), len(run.work)
    if run.contact_log is not None:
        first, start = run.state.contact_integers, run.state.contact_numbers
    forgotten = state.undeclared(run.sizes[:first], fresh[:first])
    assert not forgotten, f"rundir.state does not declare the slots {forgotten} of sizes"
    count = run.clock_counts.copy()
    count[loop.Clock.offsets("prepare_output", "interpolate")] = 0
    header = {
        "arrangement": arrangement(),
        "general": located.has_general(run),
        "events": events,
        "epoch": epoch,
        "flushed": run.flushed,
        "every": run.every,
        "mark": list(run.mark),
        "seconds": run.seconds,
        "cpu_seconds": run.cpu_seconds,
        "facts": facts,
    }
    told, table = located.kept(run)
    arrays = _arrays(run, hashes, first, start) | {"count": count}
    archive.write(path, WHAT, header | told, arrays | table)


def _arrays(run: Run, hashes: list[str], first: int, start: int) -> dict[str, np.ndarray]:
    """Arrays of a checkpoint; contact begins at `first` of `sizes` and at `start` of `work`."""
    samples = run.clock.samples
    rows = [np.frombuffer(bytes.fromhex(h), dtype=np.uint8) for h in hashes]
    arrays = {
        "hashes": np.array(rows, dtype=np.uint8).reshape(-1, 32),
        "work": run.work[: run.state.start_of("constants")],
        "rest": run.work[run.state.start_of("event_values") : start],
        "state": state.taken(run.state),
        "length": np.array([first]),
        "clock": run.clock_numbers,
        "q": run.q,
        "v": run.v,
        "before": run.before,
        "calls": run.calling.calls_made,
        "held": run.calling.held,
        "pending_t": run.t_out[:samples],
        "pending_q": run.q_out[:samples],
        "pending_v": run.v_out[:samples],
        "pending_lam": run.lam_out[:samples],
        "pending_angle": run.angle_out[:samples],
        "angles": run.angles_now,
    }
    if run.in_joints:
        here, before = run.states(run.q[None], run.v[None]), run.samples(samples)
        arrays["model_q"] = np.concatenate([before[1], here[0]])
        arrays["model_v"] = np.concatenate([before[2], here[1]])
        arrays["model_lam"] = before[3]
    if run.contact_log is not None:
        room, integers, numbers = resumed.pack(run.contact_part)
        arrays |= {
            "contact_room": room,
            "contact_integers": integers,
            "contact_numbers": numbers,
            "pending_steps": run.contact_log.steps,
            "pending_contacts": run.contact_log.contacts,
        }
    return arrays


def read(path: Path) -> Checkpoint:
    """Read a checkpoint."""
    header, arrays = archive.read(path, WHAT)
    try:
        _check(header, arrays)
    except (KeyError, TypeError, ValueError) as problem:
        raise archive.damaged(path, WHAT, f"parts are missing or wrong: {problem}") from problem
    return Checkpoint(header, arrays)


def _check(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Raise for what is none of a checkpoint's, whatever the run."""
    for name in ("events", "epoch", "flushed", "every"):
        if type(header[name]) is not int or not 0 <= header[name] <= state.MOST:
            raise ValueError(f"{name!r} is {header[name]!r:.40}")
    if not header["every"]:
        raise ValueError("'every' is zero")
    facts.check(header["facts"])
    for name in ("seconds", "cpu_seconds"):
        if not isinstance(header[name], int | float) or not math.isfinite(header[name]):
            raise ValueError(f"{name!r} is {header[name]!r:.40}")
    done, since = header["mark"]
    if type(done) is not int or not isinstance(since, int | float) or abs(done) > state.MOST:
        raise ValueError("'mark' is none")
    hashes = arrays["hashes"]
    if hashes.ndim != 2 or hashes.shape[1] != 32 or hashes.dtype != np.uint8:
        raise ValueError("the segments have no hashes")
    for name, kind, axes in (
        *(("clock", np.float64, 1), ("count", np.int64, 1), ("length", np.int64, 1)),
        *(("q", np.float64, 1), ("v", np.float64, 1), ("pending_t", np.float64, 1)),
        *((f"pending_{name}", np.float64, 2) for name in RECORDED[1:]),
        ("angles", np.float64, 1),
    ):
        if arrays[name].dtype != kind or arrays[name].ndim != axes:
            raise ValueError(f"{name!r} is of {arrays[name].dtype}")
    if "model_q" in arrays:
        there = [(arrays[f"model_{name}"].ndim, len(arrays[f"model_{name}"])) for name in MODEL]
        count = len(arrays["pending_t"])
        if there != [(2, count + 1), (2, count + 1), (2, count)]:
            raise ValueError("samples of the model are incomplete")
    lengths = loop.Clock.entries("numbers"), loop.Clock.entries("counts")
    if (len(arrays["clock"]), len(arrays["count"])) != lengths:
        raise ValueError("the clock has other hands")
    if len({len(arrays[f"pending_{name}"]) for name in RECORDED}) != 1:
        raise ValueError("samples are incomplete")
    if len(arrays["length"]) != 1 or not math.isfinite(
        loop.Clock(arrays["clock"], 0, arrays["count"], 0).t
    ):
        raise ValueError("it has no moment")


def restore(found: Checkpoint, run: Run, path: Path) -> None:
    """Put the state into a run that was opened and compiled, but has not begun."""
    h, a = found.header, found.arrays
    try:
        touching = run.contact_log is not None
        first, start = len(run.sizes), len(run.work)
        if touching:
            first, start = run.state.contact_integers, run.state.contact_numbers
        if h.get("arrangement") != arrangement() or first != a["length"][0]:
            raise RunFileError(
                f"{path}: was written by another version of dalembert, which arranges its memory"
                " in another way. Resume with that version; dl.load reads what is there."
            )
        if touching:
            room = (a["contact_room"], a["contact_integers"], a["contact_numbers"])
            run.put_contacts(resumed.unpack(run.contact_part, run.contact_tables, *room))
            log, begun = found.pending.contacts, run.contact_log
            assert begun is not None
            if log is None or log.steps.shape[1:] != begun.steps.shape[1:]:
                raise ValueError("contacts of samples are missing")
            log.check(len(run.contact_tables.surfaces), 0)
            run.contact_log = log
        _put_numbers(a, run, start)
        state.put(a["state"], run.state)
        state.put_count(a["count"], run, len(a["pending_t"]))
        run.flushed, run.every = h["flushed"], h["every"]
        if run.clock.every != run.every:
            raise ValueError("samples are counted in two ways")
        run.mark = (int(h["mark"][0]), float(h["mark"][1]))
        run.seconds, run.cpu_seconds = float(h["seconds"]), float(h["cpu_seconds"])
        samples = [a[f"pending_{name}"] for name in RECORDED]
        room_of = [getattr(run, f"{name}_out") for name in RECORDED]
        for given, target in zip(samples, room_of, strict=True):
            if given.shape[1:] != target.shape[1:] or given.dtype != target.dtype:
                raise ValueError(f"samples have {given.shape} entries")
        run.take_back(*samples)
        located.restore(h, a, run)
    except RunFileError:
        raise
    except Exception as problem:  # whatever the damage is, the user needs the file's name
        raise archive.damaged(path, WHAT, str(problem)) from problem


def _put_numbers(a: Mapping[str, Any], run: Run, start: int) -> None:
    """The floats of a run, each array of the length it has here."""
    begun = loop.Clock(run.clock_numbers.copy(), 0, run.clock_counts.copy(), 0)
    for part, target in (
        ("work", run.work[: run.state.start_of("constants")]),
        ("rest", run.work[run.state.start_of("event_values") : start]),
        ("clock", run.clock_numbers),
        ("q", run.q),
        ("v", run.v),
        ("before", run.before),
        ("calls", run.calling.calls_made),
        ("held", run.calling.held),
    ):
        if target.shape != a[part].shape or target.dtype != a[part].dtype:
            raise ValueError(f"{part} has {a[part].size} entries, not {target.size}")
        if part == "calls" and np.any((a[part] < 0) | (a[part] > state.MOST)):
            raise ValueError("a controller was called a number of times that is none")
        target[:] = a[part]
    for name in ("start", "until", "max_step", "error_order"):
        setattr(run.clock, name, getattr(begun, name))
    t, step = run.clock.t, run.clock.step
    if not (t >= run.clock.start and step > 0.0 and math.isfinite(step)):
        raise ValueError(f"the clock is at {t} s, with a step of {step} s")
    if not run.adaptive and step != begun.step:
        raise ValueError(f"the step is {step} s, not {begun.step} s")
