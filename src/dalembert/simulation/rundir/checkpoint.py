"""Everything a run needs to go on as if it had never stopped, to the bit.

`work` and `sizes` hold what methods and integrators remember: warm starts, the branch through a
singular position, past accelerations, counters. Addresses of compiled code in `sizes` belong to
the process that is gone. Only what has changed since the arrays were opened is therefore kept of
`sizes`, and never an address; the rest is made again. In `work` the constants of formulas are
made again, too: how much room they take depends on what a process has compiled before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import RunFileError
from dalembert.integration import loop
from dalembert.simulation.contact_log import ContactLog
from dalembert.simulation.run import Run
from dalembert.simulation.rundir import archive
from dalembert.simulation.wrap import Samples
from dalembert.system import layout
from dalembert.system.layout import (
    ADDRESSES,
    CONSTANTS,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    EVENT_VALUES,
    RATES_GENERAL,
)

WHAT = "the checkpoint"

_COUNT_ADDRESSES = (loop.PREPARE_OUTPUT, loop.INTERPOLATE)


@dataclass(frozen=True)
class Checkpoint:
    """What the file holds."""

    header: Mapping[str, Any]
    arrays: Mapping[str, Any]

    @property
    def hashes(self) -> list[str]:
        """Of the segments that precede it."""
        return [bytes(row).hex() for row in self.arrays["hashes"]]

    @property
    def facts(self) -> dict[str, Any]:
        """What `wrap.facts` said then."""
        return dict(self.header["facts"])

    @property
    def t(self) -> float:
        """Moment of the state."""
        return float(self.arrays["clock"][loop.T])

    @property
    def feels_the_end(self) -> bool:
        """Whether steps have been adapted to the end of the interval."""
        return bool(self.arrays["count"][loop.ENDING])

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


def arrangement() -> str:
    """Hash of where everything stands in the packed arrays; it differs between versions."""
    slots = [
        sorted((k, v) for k, v in vars(module).items() if k.isupper() and isinstance(v, int))
        for module in (layout, loop)
    ]
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
    samples = int(run.count[loop.SAMPLES])
    run.take_log()
    # what contact remembers stands behind the rest and may have grown since
    first, start = len(fresh), len(run.work)
    if run.contact_log is not None:
        first, start = int(run.sizes[CONTACT_INTEGERS]), int(run.sizes[CONTACT_NUMBERS])
    changed = np.flatnonzero(run.sizes[:first] != fresh[:first])
    changed = changed[~np.isin(changed, ADDRESSES)]
    count = run.count.copy()
    count[list(_COUNT_ADDRESSES)] = 0
    header = {
        "arrangement": arrangement(),
        "general": bool(run.sizes[RATES_GENERAL]),
        "events": events,
        "epoch": epoch,
        "flushed": run.flushed,
        "every": run.every,
        "mark": list(run.mark),
        "seconds": run.seconds,
        "cpu_seconds": run.cpu_seconds,
        "facts": facts,
    }
    rows = [np.frombuffer(bytes.fromhex(h), dtype=np.uint8) for h in hashes]
    arrays = {
        "hashes": np.array(rows, dtype=np.uint8).reshape(-1, 32),
        "work": run.work[: run.sizes[CONSTANTS]],
        "rest": run.work[run.sizes[EVENT_VALUES] : start],
        "changed": changed,
        "values": run.sizes[changed],
        "length": np.array([first]),
        "clock": run.clock,
        "count": count,
        "q": run.q,
        "v": run.v,
        "before": run.before,
        "calls": run.calling.calls[:, loop.CALLS],
        "held": run.calling.held,
        "pending_t": run.t_out[:samples],
        "pending_q": run.q_out[:samples],
        "pending_v": run.v_out[:samples],
        "pending_lam": run.lam_out[:samples],
        "pending_angle": run.angle_out[:samples],
        "angles": run.angles_now,
    }
    if run.contact_log is not None:
        arrays |= {
            "contact_integers": run.sizes[first:],
            "contact_numbers": run.work[start:],
            "pending_steps": run.contact_log.steps,
            "pending_contacts": run.contact_log.contacts,
        }
    archive.write(path, WHAT, header, arrays)


def read(path: Path) -> Checkpoint:
    """Read a checkpoint."""
    header, arrays = archive.read(path, WHAT)
    if "facts" not in header or "clock" not in arrays or "hashes" not in arrays:
        raise archive.damaged(path, WHAT, "parts are missing")
    return Checkpoint(header, arrays)


def restore(found: Checkpoint, run: Run, path: Path) -> None:
    """Put the state into a run that was opened and compiled, but has not begun."""
    h, a = found.header, found.arrays
    try:
        touching = "contact_integers" in a
        first, start = len(run.sizes), len(run.work)
        if touching:
            first, start = int(run.sizes[CONTACT_INTEGERS]), int(run.sizes[CONTACT_NUMBERS])
        if h["arrangement"] != arrangement() or first != a["length"][0]:
            raise RunFileError(
                f"{path}: was written by another version of dalembert, which arranges its memory"
                " in another way. Resume with that version; dl.load reads what is there."
            )
        for part, target in (
            ("work", run.work[: run.sizes[CONSTANTS]]),
            ("rest", run.work[run.sizes[EVENT_VALUES] : start]),
            ("clock", run.clock),
            ("q", run.q),
            ("v", run.v),
            ("before", run.before),
            ("calls", run.calling.calls[:, loop.CALLS]),
            ("held", run.calling.held),
        ):
            if target.shape != a[part].shape:
                raise ValueError(f"{part} has {a[part].size} entries, not {target.size}")
            target[:] = a[part]
        kept = run.count[list(_COUNT_ADDRESSES)]
        run.count[:] = a["count"]
        run.count[list(_COUNT_ADDRESSES)] = kept
        run.sizes[a["changed"]] = a["values"]
        if touching:
            run.put_contacts(a["contact_integers"], a["contact_numbers"])
            run.contact_log = found.pending.contacts
        run.flushed, run.every = int(h["flushed"]), int(h["every"])
        run.mark = (int(h["mark"][0]), float(h["mark"][1]))
        run.seconds, run.cpu_seconds = float(h["seconds"]), float(h["cpu_seconds"])
        run.take_back(*(a[f"pending_{name}"] for name in ("t", "q", "v", "lam", "angle")))
    except RunFileError:
        raise
    except Exception as problem:  # whatever the damage is, the user needs the file's name
        raise archive.damaged(path, WHAT, str(problem)) from problem
