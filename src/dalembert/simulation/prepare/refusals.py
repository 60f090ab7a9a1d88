"""Methods and integrators that a model is not for."""

from __future__ import annotations

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.errors import MassMatrixError, OptionError, RedundancyError
from dalembert.integration import RK4
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.choose_solve import needs_matrices
from dalembert.model.basics.quantity import value_of
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.contacts import Contacts
from dalembert.simulation.prepare.start import AnySystem
from dalembert.system.body_system import DENSE_LIMIT, BodySystem
from dalembert.system.equations import massless
from dalembert.system.system import System

MOST_NAMES = 8
"""Rows that a message names."""

WEIGHTLESS = 1e-12
"""Smallest moment of inertia over the largest below which a body has none about that axis."""


def refuse_combination(
    system: AnySystem, method: Method, integrator: Integrator, step: float | None
) -> None:
    """Refuse a method that does not know rows of the model, or does not go with the integrator."""
    e = system.extents
    if e.rows > e.holonomic and not method.velocity_rows:
        rows = system.row_names[e.holonomic :]
        names = ", ".join(repr(n) for n in rows)
        verb = "is a velocity constraint" if len(rows) == 1 else "are velocity constraints"
        raise OptionError(
            f"{type(method).__name__} works on position constraints only; {names} {verb}. "
            "Use Projection, BraunGoldfarb or Baumgarte."
        )
    _refuse_reactions(system, method)
    sentence = _too_large(system, method, integrator)
    if not method.steps_itself(integrator):
        sentence = sentence or integrator.refuse(method)
    sentence = sentence or method.refuse(system, integrator, step)
    if sentence:
        raise OptionError(sentence)


def refuse_without_smooth_steps(
    contacts: Contacts | None, method: Method, integrator: Integrator
) -> None:
    """Refuse an integrator for steps between impulses where a model has impulses in every step."""
    if contacts is None or integrator == RK4() or not method.goes_between(integrator):
        return
    if not contacts.may_be_smooth(method):
        raise OptionError(
            f"{type(integrator).__name__} would take the steps of {type(method).__name__} in which"
            " nothing touches. In this model there is nothing that touches, or drives, brakes and"
            " friction act in every step. Leave the integrator out."
        )


def _refuse_reactions(system: AnySystem, method: Method) -> None:
    """Refuse forces that contain reactions where a method has none, or others."""
    if not system.extents.reactions:
        return
    name = type(method).__name__
    if method.impulses or method.locates:
        raise OptionError(
            f"{name} does not know forces that contain a reaction: contacts and stops change it. "
            "Use Projection, or dl.JointFriction(joint, coefficient=...) and model.keep(..., "
            "friction=...)."
        )
    if hasattr(method, "stiffness"):
        raise OptionError(
            f"{name} replaces constraints by springs, which have no reaction. Use Projection or "
            "BraunGoldfarb."
        )


def _too_large(system: AnySystem, method: Method, integrator: Integrator) -> str | None:
    """A sentence for more bodies than full matrices have room for."""
    e = system.extents
    if e.dense:
        return None
    parts: list[Method | Integrator] = [method] + (
        [] if method.steps_itself(integrator) else [integrator]
    )
    for part in parts:
        form = part.form if isinstance(part, Method) else "automatic"
        if part.uses_matrices or needs_matrices(form, system):
            return (
                f"{type(part).__name__} works on full matrices, which {e.nv} velocities and "
                f"{e.rows} constraint rows are too many for; {DENSE_LIMIT} together are the limit. "
                "Use Projection or BraunGoldfarb with RK4 or DormandPrince."
            )
    return None


def refuse_weightless(system: AnySystem, method: Method, model: Model) -> None:
    """Refuse bodies without inertia about an axis where the method inverts M by itself.

    Coordinates of formulas without mass are refused where springs take the place of rows.
    """
    if isinstance(system, System) and not method.levels:
        for k in massless(model.mass):
            raise MassMatrixError(
                f"{type(method).__name__} replaces constraints by springs, which leaves coordinate "
                f"{system.coordinate_names[k]!r} without inertia. Give it mass, or use Projection."
            )
    if not method.inverts_mass or not isinstance(system, BodySystem):
        return
    for body in system.parts.bodies:
        theta = [[value_of(x, model.parameters) or 0.0 for x in row] for row in body.inertia.matrix]
        moments = np.linalg.eigvalsh(np.array(theta))
        if not moments[0] > WEIGHTLESS * moments[-1]:
            raise MassMatrixError(
                f"{type(method).__name__} inverts the mass matrix, but body {body.name!r} has no "
                "rotational inertia about one of its axes. Give it some (Inertia.cylinder or "
                "Inertia.box instead of a rod or a point), or use Projection."
            )


def refuse_redundancy(system: AnySystem, method: Method, rank: int) -> None:
    """Refuse dependent rows where the method needs independent ones."""
    # The rank of very many rows is not known beforehand (-1): the run will tell.
    if 0 <= rank < system.extents.rows and not method.redundant:
        names = ", ".join(system.row_names[:MOST_NAMES])
        names += ", ..." if len(system.row_names) > MOST_NAMES else ""
        raise RedundancyError(
            f"{type(method).__name__} needs independent constraint rows, but at the start only "
            f"{rank} of the {system.extents.rows} rows ({names}) are independent. Remove the "
            "redundant ones, or use Projection, BraunGoldfarb or UdwadiaKalaba."
        )
