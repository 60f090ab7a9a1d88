"""`smooth_contact`: a copy of a model whose shapes touch by forces without jumps.

Shapes that touch become `SoftContact`s: points of one shape, each with a radius, against the
surface of the other. Runs of the copy are smooth, so that they have derivatives.
"""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.basics.quantity import AS_FORMULAS, Quantity
from dalembert.model.contact.combine import PairLaw
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.pairs import pairs
from dalembert.model.core.model import Model
from dalembert.model.forces.soft_contact import SURFACES, SoftContact

MOST = 200
"""Contacts of one model: more are too many formulas."""


def smooth_contact(
    model: Model,
    *,
    slip: Quantity = 1e-3,
    stiffness: Quantity | None = None,
    dissipation: Quantity | None = None,
) -> Model:
    """A copy of a model whose shapes touch by forces without jumps: springs, regularised friction.

    Parameters
    ----------
    slip : float or formula of parameters  [m/s]
        Sliding below which friction is viscous (`SoftContact`)
    stiffness : float or formula of parameters  [N/m]
        Of pairs whose materials have none
    dissipation : float or formula of parameters  [s/m]
        Hunt and Crossley's damping, of the same pairs; it takes the place of a restitution

    Returns
    -------
    Model       for `simulate`, `sensitivity`, `objective`, `identify`, `linearize`, `rollout`, ...

    Notes
    -----
    Spheres touch planes, spheres, capsules and boxes; ends of capsules, corners of boxes and of
    convex hulls touch planes. Other pairs are refused by name, as are laws with a jump: damping
    beside a stiffness, restitution, static friction, resistance to rolling.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("ball")
    >>> floor = model.add_shape(dl.Plane(), name="floor")
    >>> body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    >>> ball = model.add_shape(dl.Sphere(0.1), on=body, name="skin")
    >>> dl.smooth_contact(model, stiffness=1e4).forces["floor, skin"].stiffness
    10000.0
    """
    if not isinstance(model, Model):
        raise ModelError(f"smooth_contact: {model!r:.60} is no model. Give a dl.Model.")
    made = copy.copy(model)
    made._touching = {}
    made._changed()
    found = list(pairs(model))
    elements = [
        one for a, b in found for one in _contacts(model, a, b, slip, (stiffness, dissipation))
    ]
    if not elements:
        raise ModelError(
            f"smooth_contact: model {model.name!r} has no shapes that touch. Its runs have"
            " derivatives as it is."
        )
    if len(elements) > MOST:
        raise ModelError(
            f"smooth_contact: model {model.name!r} has {len(elements)} points that may touch;"
            f" {MOST} are the most. Leave pairs out by ignore_contact, or take simpler shapes."
        )
    for one in elements:
        made.add_force(one)
    return made


def _contacts(
    model: Model, a: ContactShape, b: ContactShape, slip: Any, given: tuple[Any, Any]
) -> list[SoftContact]:
    """Contacts of two shapes, points of the rounder one on the surface of the other."""
    name = f"{a.name}, {b.name}"
    first, second = _sides(model, a, b)
    law = _law(model, name, model.contact_rules.law(a, b, AS_FORMULAS), given)
    solid, turn = second.solid, second.rotation
    size = () if second.kind == "plane" else tuple(solid.sizes)
    under = _body(model, second.body).at(*second.position, rotation=turn)
    radius, points = _points(first)
    labels = [name] if len(points) == 1 else [f"{name} {k + 1}" for k in range(len(points))]
    return [
        SoftContact(
            _body(model, first.body).at(*point),
            under,
            radius=radius,
            surface=second.kind,
            size=(*size, 0.0, 0.0, 0.0)[:3],
            slip=slip,
            name=label,
            **law,
        )
        for label, point in zip(labels, points, strict=True)
    ]


def _body(model: Model, name: str) -> Any:
    return model.bodies.get(name, model.world)


def _sides(model: Model, a: ContactShape, b: ContactShape) -> tuple[ContactShape, ContactShape]:
    """The shape whose points touch, and the one whose surface they touch."""
    for first, second in ((a, b), (b, a)):
        if first.kind == "sphere" and second.kind in SURFACES:
            return first, second
        if first.kind in ("capsule", "box", "hull") and second.kind == "plane":
            return first, second
    raise ModelError(
        f"smooth_contact: {a.name!r} ({a.kind}) and {b.name!r} ({b.kind}) of model {model.name!r}"
        " have no smooth contact. Spheres touch planes, spheres, capsules and boxes; capsules,"
        " boxes and hulls touch planes. Put spheres in their place, or say"
        f" model.ignore_contact({a.name!r}, {b.name!r})."
    )


def _points(shape: ContactShape) -> tuple[Any, list[Any]]:
    """The radius of a shape's rounding, and the points within it, in axes of the body."""
    middle, axes, sizes = shape.position, shape.rotation.matrix, shape.sizes
    if shape.kind == "sphere":
        return sizes[0], [middle]
    radius: Any = 0.0
    if shape.kind == "capsule":
        radius, length = sizes[0], sizes[1]
        local: list[Any] = [(0.0, 0.0, side * length) for side in (-0.5, 0.5)]
    elif shape.kind == "box":
        halves = itertools.product((-0.5, 0.5), repeat=3)
        local = [tuple(s * x for s, x in zip(half, sizes, strict=True)) for half in halves]
    else:
        solid: Any = shape.solid
        local = [tuple(map(float, point)) for point in np.asarray(solid.vertices)]
    return radius, [
        tuple(
            middle[i] + sum(float(axes[i, k]) * point[k] for k in range(3) if axes[i, k])
            for i in range(3)
        )
        for point in local
    ]


def _law(model: Model, name: str, law: PairLaw, given: tuple[Any, Any]) -> dict[str, Any]:
    """Coefficients of a pair; refuses laws with a jump."""
    begin = f"smooth_contact: {name} of model {model.name!r}"
    if law.frequency is not None or (law.damping is not None and not _is_zero(law.damping)):
        what = "a frequency" if law.frequency is not None else "damping beside its stiffness"
        raise ModelError(
            f"{begin}: {what} makes a force that jumps where surfaces meet. Give its materials"
            " stiffness=... and dissipation=..., Hunt and Crossley's damping, which begins at zero."
        )
    for field, remedy in (
        ("restitution", "Give smooth_contact(..., dissipation=...) in its place"),
        ("rolling", "Leave it out"),
        ("torsional", "Leave it out"),
        ("viscous", "Leave it out"),
    ):
        replaced = field == "restitution" and law.stiffness is None and given[1] is not None
        if not _is_zero(getattr(law, field)) and not replaced:
            raise ModelError(f"{begin}: {field} has no smooth contact. {remedy}.")
    if law.static_friction is not law.friction and law.static_friction != law.friction:
        raise ModelError(
            f"{begin}: static friction above that of sliding has no smooth contact. Give one"
            " coefficient."
        )
    if law.tangential_stiffness is not None:
        raise ModelError(f"{begin}: tangential stiffness has no smooth contact. Leave it out.")
    stiffness, dissipation = law.stiffness, law.dissipation
    if stiffness is None:
        stiffness, dissipation = given
    if stiffness is None:
        raise ModelError(
            f"{begin}: is rigid, and impacts of rigid surfaces have jumps. Give"
            " smooth_contact(model, stiffness=1e5), or its materials a stiffness."
        )
    extra = {} if dissipation is None else {"dissipation": dissipation}
    return {"stiffness": stiffness, "friction": law.friction, **extra}


def _is_zero(number: Any) -> bool:
    return isinstance(number, int | float) and number == 0.0
