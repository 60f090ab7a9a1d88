"""Points of rims of cylinders on planes, as the contacts of a phase (contact 20).

Collision numbers four points of a rim, a quarter of a turn from each other; the first is the one
that is followed. With one contact that is its own point, with several the points stay where they
are in the cylinder.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.collision.layout import CYLINDER, PLANE, UPRIGHT
from dalembert.contact.events.rims import seen_across
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.vector import Vec3
from dalembert.simulation.hybrid.candidates import CLOSED_MODES, Candidate, Key, closed
from dalembert.system.state_layout import State
from dalembert.system.tolerance import Tolerance

POINTS = 4

QUARTERS = (0, 2, 1, 3)
"""Point of a rim -> quarters of a turn from the first one, and the other way round."""


FINEST, COARSEST = 1e-12, 1e-10
"""Tolerances from and up to which gaps of points of a rim count as closed in proportion: a cylinder
that comes down upright lands on all of them, as closely as the run can tell."""


def closed_together(
    state: State, run: ContactRun, gap: float, known: dict[Key, Candidate]
) -> list[Candidate]:
    """Stops and contacts that are closed at an event: those with a gap of at most `gap`.

    Beside a point of a rim that is closed its others are closed as closely as the tolerance of the
    run can tell.
    """
    near = closed(state, run, gap, known)
    rtol = float(Tolerance(state, state.integrator_options).rtol)
    if rtol <= FINEST or not any(is_on_rim(run, one) for one in near):
        return near
    there = {one.key for one in near}
    wider = closed(state, run, gap * min(rtol, COARSEST) / FINEST, known)
    return near + [one for one in wider if one.key not in there and is_on_rim(run, one)]


def follow(run: ContactRun, contacts: list[Candidate], before: list[Candidate]) -> None:
    """Choose the points of rims that are followed; contacts may be numbered anew.

    `before`: contacts of the last phase, by whose numbers people know them.
    """
    turned = {_rim(one): one.turned for one in before if is_on_rim(run, one)}
    for one in contacts:
        one.rim, one.held = (0.0, 0.0), False
    leave(run, float(run.scene.upright) if run.shapes else UPRIGHT)
    for rim, mine in _rims(run, contacts).items():
        first = mine[0]
        for one in mine:
            one.turned = turned.get(rim, one.turned)
        if not any(one.mode in CLOSED_MODES for one in mine):
            continue  # it may go round as it likes, and come down anywhere
        aim(run, mine)
        if len(mine) == 1:
            quarters = QUARTERS[first.key[2] % POINTS]
            first.rim = _toward(run, first, 0)
            first.renamed((*first.key[:2], first.key[2] - first.key[2] % POINTS))
            first.turned = (first.turned + quarters) % POINTS


def aim(run: ContactRun, contacts: list[Candidate]) -> None:
    """Follow a point of every rim that none is followed of yet; several stay where they are."""
    for mine in _rims(run, contacts).values():
        if not any(any(one.rim) for one in mine):
            quarters = QUARTERS[mine[0].key[2] % POINTS]
            mine[0].rim, mine[0].held = _toward(run, mine[0], -quarters), len(mine) > 1


def _rims(run: ContactRun, contacts: list[Candidate]) -> dict[tuple[int, int, int], Any]:
    """Contacts of each rim."""
    found: dict[tuple[int, int, int], Any] = {}
    for one in contacts:
        if is_on_rim(run, one):
            found.setdefault(_rim(one), []).append(one)
    return found


def _rim(one: Candidate) -> tuple[int, int, int]:
    """Both shapes, and the end of the cylinder."""
    return one.key[0], one.key[1], one.key[2] // POINTS


def leave(run: ContactRun, upright: float = UPRIGHT) -> None:
    """Follow no points any more; cylinders stand upright up to that sine of their tilt."""
    if not run.shapes:
        return
    scene = run.scene
    scene.upright = upright
    for k in range(run.shapes):
        shape = scene.shape(k)
        shape.rim, shape.rim_held = Vec3.zero(), 0.0


def is_on_rim(run: ContactRun, one: Candidate) -> bool:
    """Whether a contact is one of a cylinder on a plane."""
    if one.on_rim is None:
        one.on_rim = False
        if len(one.key) == 3:
            scene = run.scene
            kinds = scene.shape(one.key[0]).kind, scene.shape(one.key[1]).kind
            one.on_rim = kinds == (PLANE, CYLINDER)
    return one.on_rim


def point_of(run: ContactRun, one: Candidate, contacts: list[Candidate]) -> int:
    """The number of a point for people: it stays with its place as points are numbered anew."""
    if not is_on_rim(run, one):
        return one.point  # a resistance has that of its contact
    end, k = divmod(one.key[2], POINTS)
    for other in contacts:
        if is_on_rim(run, other) and _rim(other) == _rim(one):
            return POINTS * end + QUARTERS[(QUARTERS[k] + other.turned) % POINTS]
    return one.point


def _toward(run: ContactRun, one: Candidate, quarters: int) -> tuple[float, float]:
    """Direction from the axis to a contact, turned by quarters; (0, 0): it is not seen."""
    for k in range(run.contacts):
        found = run.found(k)
        if (found.shape_a, found.shape_b, found.key) == one.key:
            x, y = np.array(seen_across(run, k)) / np.hypot(*seen_across(run, k))
            for _ in range(quarters % POINTS):
                x, y = -y, x
            return float(x), float(y)
    return 0.0, 0.0
