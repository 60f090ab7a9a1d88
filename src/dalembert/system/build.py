"""Model -> System: the one step from description to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dalembert.formulas import Expression, symbols
from dalembert.formulas.recent import Recent
from dalembert.formulas.variables import reaction_of
from dalembert.system.body_system import BodySystem
from dalembert.system.equations import equations
from dalembert.system.reactions import refuse_in_rows
from dalembert.system.read_mechanism import mechanism
from dalembert.system.system import System

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

_recent: Recent[System] = Recent(32)
"""Systems by their formulas. Formulas are unique objects, so equal keys mean equal equations;
parameter values are not part of it: another value needs no new system."""


def build(
    model: Model,
    watched: Sequence[Any] = (),
    held: frozenset[str] = frozenset(),
    without: frozenset[str] = frozenset(),
) -> System | BodySystem:
    """The system of a model; the same object for the same formulas.

    `watched`: further formulas (of events, of one-sided rows) in which turns of joints are to be
    counted, and whose parameters of the model have places, too; `held`: parameters that controllers
    change during a run; `without`: forces that one-sided rows are.
    """
    if model.is_maximal:
        return _build_bodies(model, watched, without)
    holonomic = [c for c in model.constraints if c.kind == "holonomic"]
    velocity = [c for c in model.constraints if c.kind == "velocity"]
    ordered = [*holonomic, *velocity]
    leaves = symbols([x for x in watched if isinstance(x, Expression)], "parameter")
    more = frozenset(x.name for x in leaves if x.name in model.parameters)
    key = (
        tuple(model.coordinates),
        tuple(tuple(row) for row in model.mass),
        tuple(model.force),
        tuple((c.name, c.kind, tuple(c.rows)) for c in ordered),
        held,
        more,
    )
    return _recent.get(key, lambda: _build_formulas(model, holonomic, velocity, held, more))


def _build_formulas(
    model: Model,
    holonomic: Sequence[Any],
    velocity: Sequence[Any],
    held: frozenset[str],
    more: frozenset[str],
) -> System:
    """Formulas in coordinates of their own, compiled for this model."""
    ordered = [*holonomic, *velocity]
    e = equations(
        model.coordinates,
        model.mass,
        model.force,
        [row for c in holonomic for row in c.rows],
        [row for c in velocity for row in c.rows],
    )
    slices, start = {}, 0
    for c in ordered:
        slices[c.name] = slice(start, start + len(c.rows))
        start += len(c.rows)
    parameters = tuple(sorted(_parameters(e) | more))
    rows = [*e.phi, *e.phi_dot, *(x for row in e.mass for x in row)]
    refuse_in_rows((leaf.name for leaf in symbols(rows, "parameter")), "A constraint or a mass")
    reactions = frozenset(name for name in parameters if reaction_of(name))
    return System(
        equations=e,
        coordinate_names=tuple(x.name for x in model.coordinates),
        row_names=tuple(name for c in ordered for name in c.row_names),
        constraint_slices=slices,
        parameter_names=parameters,
        held=held | reactions,
    )


def _build_bodies(model: Model, watched: Sequence[Any], without: frozenset[str]) -> BodySystem:
    """Bodies in maximal coordinates; their kinds of joints are compiled once in a process."""
    rows: list[Any] = [*model.gravity, *(row for c in model.constraints for row in c.rows)]
    rows += [x for joint in model.joints.values() for x in joint.data()]
    given = [x for x in rows if isinstance(x, Expression)]
    refuse_in_rows((x.name for x in symbols(given, "parameter")), "A constraint, joint or gravity")
    return BodySystem(
        parts=mechanism(model, watched, without),
        gravity=tuple(model.gravity),
        parameter_names=tuple(sorted(model.parameters)),
    )


def _parameters(e: Any) -> set[str]:
    """Names of all parameters in the equations."""
    formulas = [*e.phi_dot, *e.phi, *e.force, *(x for row in e.mass for x in row)]
    return {leaf.name for leaf in symbols(formulas, "parameter")}
