"""The system that steps are taken with: what of the equations a method need not solve for.

A system is reduced once, before a run, at its start: rows that others imply are left out where the
method comes back to the constraints anyhow, mechanisms that move in a plane are solved in it, and
small models of formulas get straight-line code. Nothing later changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.enforcement import Projection, VelocitySplitting
from dalembert.enforcement.protocol import Method
from dalembert.formulas import symbols
from dalembert.mechanics.choose_solve import FULL, install, needs_matrices
from dalembert.mechanics.motion import displace
from dalembert.model.sensors.force_sensor import MULTIPLIER
from dalembert.simulation.prepare.body_rows import dependent_rows, independent_rows
from dalembert.simulation.prepare.contacts import Contacts
from dalembert.simulation.prepare.implied_rows import beside, lasting_rows, with_errors
from dalembert.simulation.prepare.on_tree import relative_rows
from dalembert.simulation.prepare.specialise import specialise, worthwhile
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate
from dalembert.system.dual_blocks import PLANES
from dalembert.system.tree_system import TreeSystem

UNSEEN = 1e-12
"""Largest entry of a row for motion in a plane, over all, that is rounding."""


@dataclass(frozen=True)
class Reduced:
    """A system as a method solves it.

    Attributes
    ----------
    system, start : with rows left out, in a plane, in full, as it is needed
    straight : straight-line rates of a small model of formulas, or None
    implied : how many rows others imply wherever the mechanism is
    lasting : rank of all rows wherever it is, where some are left out; 0: not known
    least : whether multipliers are the least ones of all rows
    dense : whether the method works on full matrices
    smooth : whether steps in which nothing is near are taken by an integrator
    """

    system: Any
    start: Start
    straight: Any
    implied: int
    lasting: int
    least: bool
    dense: bool
    smooth: bool


def reduced(
    system: AnySystem,
    values: Sequence[float],
    method: Method,
    start: Start,
    inputs: Sequence[Any] = (),
    contacts: Contacts | None = None,
) -> Reduced:
    """The system that a method takes its steps with from a start; `inputs` of controllers."""
    smooth = contacts is not None and contacts.may_be_smooth(method)
    between = Projection() if smooth else method  # what steps without impulses are made by
    straight = straight_line(system, between, start)
    felt = any(leaf.data[0].startswith(MULTIPLIER) for leaf in symbols(list(inputs), "load"))
    felt = felt or bool(system.extents.reactions)
    implied = lasting_rows(system, values, start) if _drifts(system, between) else []
    erring = False
    if isinstance(system, TreeSystem):
        implied_loops = _implied_loops(system, values, start, between)
        if not smooth or len(implied_loops) < system.extents.rows:  # without any it has matrices
            system = system.without(implied_loops)
    elif felt:
        pass  # rows that others imply carry their share of what a controller reads
    elif isinstance(system, BodySystem) and between.drift == "machine" and between.advance is None:
        if method.form not in FULL:
            system = _in_plane(system, values, start)
        system = system.without(_implied_rows(system, values, start))
        given, start = start, with_errors(system, values, start) if system.left_out else start
        erring = start is not given
    elif isinstance(system, BodySystem) and system.dual is not None:
        system = system.without(implied)
    dense = method.uses_matrices or needs_matrices(method.form, system)
    if isinstance(system, TreeSystem):
        dense = dense or bool(implied) or not keeps_to_borders(system, method)
        if dense or method.needs_tangent:
            system = system.in_full()
    # Multipliers that will be reported must be the least ones, where all rows take part.
    least = felt or (between.own_multipliers and not implied)
    # Rows kept from the start may hold badly later, as bodies turn: a step of its own takes all.
    least = least or between.advance is not None
    least = least and start.rank < system.extents.rows
    # Smooth steps among those with impulses are those of the model without stops and shapes.
    full = dense and not smooth
    lasting = 0 if full or least or erring else _lasting_rank(system, values, start)
    return Reduced(system, start, straight, len(implied), lasting, least, dense, smooth)


def _in_plane(system: BodySystem, values: Sequence[float], start: Start) -> BodySystem:
    """The system restricted to the plane in which its joints keep all bodies, if there is one.

    The rows left out are those that motion in the plane meets at the start and wherever else the
    bodies may be in it.
    """
    plane = system.parts.plane
    if plane < 0 or system.dual is None:
        return system
    state, extents = system.open(values)
    install("automatic", state)
    within = np.zeros(extents.nv).reshape(-1, 6)
    within[:, PLANES[plane]] = 1.0
    wave = np.arange(1.0, extents.nv + 1.0)
    seen = np.zeros(extents.rows)
    for sample in range(3):
        q = start.q.copy()
        displace(state, 1.0, sample * np.cos((2.0 + sample) * wave) * within.ravel(), q)
        evaluate(state, start.t, q, start.v)
        seen = np.maximum(seen, system.row_sizes(state, PLANES[plane]))
    return system.in_plane(np.flatnonzero(seen <= UNSEEN))


def _implied_rows(system: BodySystem, values: Sequence[float], start: Start) -> list[int]:
    """Rows that others imply, at the start and beside it; a projection tells if not always."""
    if system.dual is None or start.rank == system.extents.rows:
        return []

    def implied(q: np.ndarray) -> list[int]:
        state, _ = system.open(values)
        install("automatic", state, least=False)
        evaluate(state, start.t, q, start.v)
        return dependent_rows(state, system)

    return _fewest(implied, system, values, start)


def _implied_loops(
    system: TreeSystem, values: Sequence[float], start: Start, method: Method
) -> list[int]:
    """Rows of loops that those before them imply, at the start and beside it."""
    if method.drift != "machine" or start.rank == system.extents.rows:
        return []

    def implied(q: np.ndarray) -> list[int]:
        state, _ = system.open(values)
        install("automatic", state)
        evaluate(state, start.t, q, start.v)
        kept = independent_rows(relative_rows(system, state))
        return sorted(set(range(system.extents.rows)) - set(kept))

    return _fewest(implied, system, values, start)


def _fewest(
    implied: Callable[[np.ndarray], list[int]],
    system: Any,
    values: Sequence[float],
    start: Start,
) -> list[int]:
    """Rows that others imply at the start; fewer where it is singular, those beside it then."""
    here = implied(start.q)
    q = beside(system, values, start) if here else None
    away = here if q is None else implied(q)
    return away if len(away) < len(here) else here


def _lasting_rank(system: Any, values: Sequence[float], start: Start) -> int:
    """Rank of all rows around the start, where rows are left out that the others imply; or 0.

    Without full matrices, or with bodies that have no inertia about an axis, nobody asks for it.
    """
    if not getattr(system, "left_out", ()) or not system.extents.dense or system.massless:
        return 0
    lasting = len(lasting_rows(system, values, start))
    beside = 3 * len(system.parts.names) if getattr(system, "plane", -1) >= 0 else 0
    if not lasting or lasting + beside != len(system.left_out):
        return 0
    return int(system.extents.rows - lasting)


def _drifts(system: AnySystem, method: Method) -> bool:
    """Whether a method solves with all rows off the constraints, and by their rank.

    In the stages of a step every one does. Bodies leave rows out for methods that come back.
    """
    by_rank = method.keeps_to_borders or isinstance(method, VelocitySplitting)
    comes_back = isinstance(system, BodySystem) and method.drift == "machine"
    return by_rank and method.redundant and not comes_back


def keeps_to_borders(system: TreeSystem, method: Method) -> bool:
    """Whether a method can do with what the tree has in place of full matrices."""
    plain = method.keeps_to_borders and getattr(method, "norm", "mass") == "mass"
    return plain and (system.dual is not None or not system.extents.rows)


def straight_line(system: AnySystem, method: Method, start: Start) -> Any:
    """Straight-line rates for a small model of formulas; None for others."""
    if isinstance(system, BodySystem) or not _jit.COMPILED or start.rank < system.extents.rows:
        return None
    return specialise(system, method) if worthwhile(system, method) else None
