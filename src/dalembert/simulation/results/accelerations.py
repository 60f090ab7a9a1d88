"""Accelerations, multipliers and violations at samples, by the constrained equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.mechanics.measure import HeldCommands, Measures, measure, room_for, violations
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.prepare.arrays import Opened, open_measuring
from dalembert.simulation.prepare.controllers import places
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem
from dalembert.simulation.results.contact_results import Touch
from dalembert.simulation.results.loads import Loads, act_besides, system_with_loads
from dalembert.simulation.results.samples import Samples
from dalembert.system.body_system import BodySystem

NO_COMMANDS = np.zeros((0, 2), dtype=np.int64), np.zeros((0, 0))
"""Commands of a run without controllers."""


def measured(
    setup: Setup,
    samples: Samples,
    touch: Touch | None,
    besides: Loads | None,
    turned: Turns | None,
    opened: Opened | None = None,
) -> Measures:
    """Accelerations and multipliers by the constrained equations, whatever method made the motion.

    But where impulses act, what they have made of it. `besides`: loads that act besides the force
    elements; `turned`: turns that the run has counted; `opened`: arrays to measure with, of
    `open_for`, where the caller has some.
    """
    opened = opened or open_for(setup)
    given = _commanded(setup, samples, opened)
    if besides is not None:
        given = _with_loads(given, besides, opened)
    given = _with_turns(given, turned, setup.system, opened, len(samples.t))
    if touch is None or setup.on_tree is not None:
        found = _at_all(setup, samples, opened, given)
    else:
        found = _at_smooth(setup, samples, opened, given, touch)
    a, lam, rank = found.a, found.lam, found.rank
    if touch is not None:
        by_impulses = touch.accelerations
        if setup.on_tree is not None:
            by_impulses = setup.on_tree.accelerations(samples, by_impulses)
        a = np.where(touch.smooth[:, None], a, by_impulses)
    if samples.lam is not None and not (touch is not None and setup.on_tree is not None):
        # on a tree with contact joints and loops share what is measured
        lam = np.where(np.isnan(samples.lam), lam, samples.lam)
        if touch is not None and len(lam) > 1 and not touch.smooth[0]:
            # accelerations of the first sample are those of the second: multipliers, too
            lam[0] = np.where(np.isnan(samples.lam[0]), lam[1], lam[0])
    if isinstance(setup.system, BodySystem):
        # The solve of bodies needs no rank; what is known is that of the start.
        rank = np.full(len(samples.t), setup.start.rank)
    return Measures(a, lam, found.phi, found.phi_dot, rank)


def open_for(setup: Setup) -> Opened:
    """Arrays to measure with: those of the plain equations, with what acts besides."""
    if not act_besides(setup):
        return open_measuring(setup)
    return open_measuring(setup, *system_with_loads(setup))


def _at_all(setup: Setup, samples: Samples, opened: Opened, given: Any) -> Measures:
    """Numbers at all samples."""
    found = room_for(len(samples.t), setup.system.extents)
    _measure_all(opened, samples.t, samples.q, samples.v, given, found)
    return found


def _at_smooth(
    setup: Setup, samples: Samples, opened: Opened, given: Any, touch: Touch
) -> Measures:
    """Violations at all samples, accelerations and multipliers where no impulses act."""
    t, q, v, e = samples.t, samples.q, samples.v, setup.system.extents
    found = room_for(len(t), e)
    if e.rows:
        violations(*opened.state, t, q, v, HeldCommands(*given), found)
    found.rank[:] = setup.start.rank
    chosen = np.flatnonzero(touch.smooth)
    where, held = given
    some = where, np.ascontiguousarray(held[chosen] if len(held) else held)
    smooth = room_for(len(chosen), e)
    _measure_all(opened, t[chosen], q[chosen], v[chosen], some, smooth)
    found.a[chosen], found.lam[chosen] = smooth.a, smooth.lam
    return found


def _measure_all(opened: Opened, t: Any, q: Any, v: Any, given: Any, out: Measures) -> None:
    """Accelerations, multipliers, violations and rank at the samples."""
    measured, commands = 0, HeldCommands(*given)
    while measured < len(t):
        measured = measure(*opened.state, measured, t, q, v, commands, out)
        if measured < len(t):
            opened.provide_general()


def _commanded(setup: Setup, samples: Samples, opened: Opened) -> tuple[np.ndarray, np.ndarray]:
    """Places of commands in `work`, and their values at the samples."""
    commands = samples.commands
    if commands is None:
        return NO_COMMANDS
    found = places(setup.system, opened.state, setup.model, commands.names)
    return found, np.ascontiguousarray(commands.at(samples.t))


def _with_loads(
    given: tuple[np.ndarray, np.ndarray], besides: Loads, opened: Opened
) -> tuple[np.ndarray, np.ndarray]:
    """Places in `work` and values, with what acts besides the force elements."""
    where, held = given
    more = besides.places(opened.state)
    more[:, 1] += held.shape[1]
    held = held if len(held) else np.zeros((len(besides.forces), 0))
    return np.concatenate([where, more]), np.ascontiguousarray(np.hstack([held, besides.forces]))


def _with_turns(
    given: tuple[np.ndarray, np.ndarray],
    turned: Turns | None,
    system: AnySystem,
    opened: Opened,
    count: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Places in `work` and values, with the angles near which the equations look for theirs."""
    wound = system.parts.wound if isinstance(system, BodySystem) else []
    chosen = [] if turned is None else [k for k, w in enumerate(wound) if w.angle in turned.column]
    if turned is None or not chosen:
        return given
    where, held = given
    more = np.array([[k, held.shape[1] + i] for i, k in enumerate(chosen)], dtype=np.int64)
    more[:, 0] += opened.state.start_of("last_angles")
    angles = turned.angles[:, [turned.column[wound[k].angle] for k in chosen]]
    held = held if len(held) else np.zeros((count, 0))
    return np.concatenate([where, more]), np.ascontiguousarray(np.hstack([held, angles]))
