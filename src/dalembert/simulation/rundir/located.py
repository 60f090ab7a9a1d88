"""The phase of a run with located events, besides its arrays.

Contacts of the phase with their modes, moments of impacts, guards where the run is, and from where
on it goes by steps of impulses. Everything is looked at before it is put back: the table of a phase
names rows and shapes by number, and compiled code trusts it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.contact.events.ending import OF_CONTACT
from dalembert.contact.events.layout import MOST, PRESSED
from dalembert.contact.run.record_layout import DRIVE, STOP
from dalembert.contact.run.run_layout import ContactRun
from dalembert.errors import OptionError
from dalembert.simulation.hybrid.candidates import (
    ROLLING,
    SLIDING,
    SPIN,
    Candidate,
    Key,
    entries,
    gives,
    write,
)
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.hybrid.often import Pace, densest_of, slowest_of
from dalembert.simulation.hybrid.rims import POINTS
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.hybrid.stepping import Stepped
from dalembert.simulation.run.run import Run

WHOLE = ("dim", "drive", "mode", "held", "turned")
REAL = ("mu", "restitution", "static")
"""Fields of a contact, in the order of their columns; keys come before, directions behind."""

TABLE = ("gap", "toward_1", "toward_2", "begins", "rim_1", "rim_2")
"""Fields of the table of a phase that steps change."""


def has_general(run: Run) -> bool:
    """Whether the general rates of the model are compiled; a phase has rates of its own."""
    if isinstance(run, HybridRun) and not run.stepping and run.phase.contacts > 0:
        return False
    return bool(run.state.rates_general)


# -- writing ---------------------------------------------------------------------------------------


def kept(run: Run) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Entries of the header, and arrays; nothing for other runs."""
    if not isinstance(run, HybridRun):
        return {}, {}
    contacts, impacts = entries(run.transition.contacts), run.transition.impacts
    header = {
        "begun": run.begun,
        "first_look": run.first_look,
        "densest": run.transition.densest,
        "renewed": run.transition.renewed,
        "calmed": run.transition.calmed,
        "pace": [run.pace.t, run.pace.done, run.pace.least],
        "stepped": None if run.stepped is None else list(run.stepped),
    }
    table = [run.phase.contact(i) for i in range(len(contacts))]
    arrays = {
        "phase_keys": _rows([_long(one.key) for one in contacts], 4, np.int64),
        "phase_whole": _rows(
            [[int(getattr(c, n)) for n in WHOLE] for c in contacts], len(WHOLE), np.int64
        ),
        "phase_real": _rows(
            [
                [
                    *(getattr(c, n) for n in REAL),
                    *_padded(c.toward),
                    *(getattr(p, n) for n in TABLE),
                ]
                for c, p in zip(contacts, table, strict=True)
            ],
            len(REAL) + 2 + len(TABLE),
            np.float64,
        ),
        "impact_keys": _rows([_long(key) for key in impacts], 4, np.int64),
        "impact_counts": np.array([len(times) for times in impacts.values()], dtype=np.int64),
        "impact_times": np.array([t for times in impacts.values() for t in times], dtype=float),
        "recent_events": np.array(run.transition.recent, dtype=float),
        "guards": run.values,
    }
    return {"located": header}, arrays


def _rows(rows: list[list[Any]], width: int, kind: Any) -> np.ndarray:
    return np.array(rows, dtype=kind).reshape(-1, width)


def _long(key: Key) -> list[int]:
    """A key as four numbers: what it is shorter by is -1."""
    return [*key, *[-1] * (4 - len(key))]


def _short(row: np.ndarray) -> Key:
    return tuple(int(x) for x in row if x != -1)


def _padded(toward: np.ndarray) -> list[float]:
    return [*map(float, toward), 0.0, 0.0][:2]


# -- reading ---------------------------------------------------------------------------------------


def restore(header: Mapping[str, Any], arrays: Mapping[str, Any], run: Run) -> None:
    """Put it into a run that was opened; ValueError or KeyError where it cannot be."""
    if not isinstance(run, HybridRun):
        return
    told = header["located"]
    if type(told["begun"]) is not bool or not _is_time(told["first_look"]):
        raise ValueError("the phase is none")
    run.begun, run.first_look = told["begun"], float(told["first_look"])
    transition = run.transition
    contacts = _contacts(arrays, run)
    transition.happened[:] = _happened(header)
    transition.impacts.clear()
    transition.impacts.update(_impacts(arrays, run))
    transition.recent.clear()
    transition.recent.extend(_floats(arrays["recent_events"], 1, "recent_events").tolist())
    transition.densest, transition.renewed = float(told["densest"]), float(told["renewed"])
    transition.calmed = float(told["calmed"])
    t, done, least = told["pace"]
    run.pace = Pace(float(t), int(done), float(least))
    transition.contacts = contacts
    write(run.phase, contacts)
    for i, row in enumerate(arrays["phase_real"][:, -len(TABLE) :]):
        for name, entry in zip(TABLE, row, strict=True):
            setattr(run.phase.contact(i), name, float(entry))
    run.transition.read_back()
    length = run.state.sides + 1 + OF_CONTACT * run.phase.contacts
    if _floats(arrays["guards"], 1, "guards").shape not in ((0,), (length,)):
        raise ValueError("there are other guards than contacts")
    run.values = arrays["guards"].copy()
    run.goes_on()
    if told["stepped"] is not None:
        run.transition.contact_run.located = 0
        run.go_stepping(_stepped(told["stepped"], run))


def _contacts(arrays: Mapping[str, Any], run: HybridRun) -> list[Candidate]:
    """Contacts of the phase."""
    keys, whole = _whole(arrays["phase_keys"], 4), _whole(arrays["phase_whole"], len(WHOLE))
    real = _floats(arrays["phase_real"], 2, "phase_real")
    width = len(REAL) + 2 + len(TABLE)
    if not len(keys) == len(whole) == len(real) <= MOST or real.shape[1] != width:
        raise ValueError("contacts of the phase are incomplete")
    found = []
    for key, row, numbers in zip(map(_short, keys), whole.tolist(), real, strict=True):
        one = Candidate(key, row[0], float(numbers[0]), float(numbers[1]))
        one.static, one.drive, one.mode = float(numbers[2]), bool(row[1]), row[2]
        one.held, one.turned = bool(row[3]), row[4]
        one.toward = numbers[len(REAL) : len(REAL) + max(one.dim - 1, 2)].copy()
        _check(one, run)
        if not one.resists:
            found.append(one)
        elif found and found[-1].key == one.owner:
            found[-1].against = (*found[-1].against, one)
        else:
            raise ValueError("a resistance is of no contact")
    return found


def _check(one: Candidate, run: HybridRun) -> None:
    """Raise a ValueError for a contact that the run does not have."""
    _check_key(one.key, run)
    if not 1 <= one.dim <= 3 or not 0 <= one.mode <= PRESSED or not 0 <= one.turned < POINTS:
        raise ValueError("a contact of the phase is none")
    soft, row, contact_run = one.mode == PRESSED, one.key[0], run.transition.contact_run
    if one.resists and (one.drive or one.key[-1] not in (SPIN, ROLLING, SLIDING)):
        raise ValueError("a resistance of the phase is none")
    if len(one.key) >= 3:
        _check_shapes(one, soft, contact_run)
        return
    law = contact_run.side_law(row).law
    wanted, last = DRIVE if one.drive and not soft else STOP, row + one.resists + one.dim
    if law != wanted or last > run.state.sides:
        raise ValueError("a one-sided row of the phase is another one")
    if soft and not (one.drive and gives(run.state.stop(row))):
        raise ValueError("a soft stop of the phase is rigid")


def _check_shapes(one: Candidate, soft: bool, contact_run: ContactRun) -> None:
    """Raise a ValueError for a contact, or a resistance, that two shapes do not have."""
    law = contact_run.law(*one.key[:2])
    if one.resists:
        if one.dim != {SPIN: 1, ROLLING: 2, SLIDING: 2}[one.key[3]]:
            raise ValueError("a resistance of the phase has other rows")
    elif one.dim == 2 or one.drive != soft:
        raise ValueError("two shapes are no drive")
    elif soft != gives(law):
        raise ValueError("a contact of the phase is as soft as its shapes")


def _check_key(key: Key, run: HybridRun) -> None:
    contact_run = run.transition.contact_run
    if len(key) <= 2:
        if not 0 <= key[0] < run.state.sides:
            raise ValueError("a one-sided row is none of the model's")
    elif not all(0 <= k < contact_run.shapes for k in key[:2]):
        raise ValueError("a contact is of shapes that there are not")


def _impacts(arrays: Mapping[str, Any], run: HybridRun) -> dict[Key, list[float]]:
    """Moments of impacts by contact."""
    keys, counts = _whole(arrays["impact_keys"], 4), arrays["impact_counts"]
    times = _floats(arrays["impact_times"], 1, "impact_times")
    if counts.shape != (len(keys),) or counts.dtype != np.int64 or np.any(counts < 0):
        raise ValueError("impacts are incomplete")
    if counts.sum() != len(times):
        raise ValueError("there are other impacts than were counted")
    parts = np.split(times, np.cumsum(counts)[:-1]) if len(counts) else []
    found = {_short(key): part.tolist() for key, part in zip(keys, parts, strict=True)}
    for key in found:
        _check_key(key, run)
    return found


def _happened(header: Mapping[str, Any]) -> list[Happening]:
    """The log so far."""
    return [Happening(*row) for row in header["facts"]["statistics"]["log"]]


def _stepped(given: Any, run: HybridRun) -> Stepped:
    done, t, step, by_end = given
    if type(done) is not int or not 0 <= done <= run.clock.done or type(by_end) is not bool:
        raise ValueError("steps with impulses began at no step")
    if not _is_time(t) or not _is_time(step) or not step > 0.0:
        raise ValueError(f"steps with impulses are {step!r:.40} s long")
    return Stepped(done, float(t), float(step), by_end)


def _is_time(given: Any) -> bool:
    return isinstance(given, int | float) and math.isfinite(given)


def _whole(given: Any, width: int) -> np.ndarray:
    if given.ndim != 2 or given.shape[1] != width or given.dtype != np.int64:
        raise ValueError(f"contacts are of {given.dtype}")
    found: np.ndarray = given
    return found


def _floats(given: Any, axes: int, name: str) -> np.ndarray:
    if given.ndim != axes or given.dtype != np.float64 or np.any(np.isnan(given)):
        raise ValueError(f"{name!r} is of {given.dtype}")
    found: np.ndarray = given
    return found


# -- another end -----------------------------------------------------------------------------------


def steps_to(run: Run, end: float, steps: int) -> int:
    """Steps of a run to another end: `steps` of one of fixed ones, 0 of one that finds them."""
    if not isinstance(run, HybridRun):
        return steps
    if run.stepped is not None and run.stepped.by_end:
        raise OptionError(
            "resume: the run goes by steps of impulses from"
            f" {run.stepped.t:g} s on, whose length its end has given: to another end it would be"
            " another run. Simulate anew."
        )
    span = end - run.began
    often = run.transition.densest < densest_of(span) or run.pace.least < slowest_of(span)
    if run.stepped is None and often:
        raise OptionError(
            "resume: events or steps of the run come so often that to a later end it would go by"
            " steps of impulses from its beginning on. Simulate anew."
        )
    return 0
