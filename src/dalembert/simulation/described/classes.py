"""The declared classes: what models, methods and integrators in a file may consist of.

A class that is not here is neither written nor read. Its fields are those of its dataclass, each
with its annotation; of the few classes that are none the fields are given here.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, get_type_hints

from dalembert import enforcement, integration
from dalembert.contact.solvers import table as solvers
from dalembert.contact.solvers.comparison import friction
from dalembert.formulas.expression import Expression
from dalembert.importers.readers import Loss
from dalembert.integration.dormand_prince import ErrorControl
from dalembert.model import joints, sensors
from dalembert.model.basics import constraint, frame, inertia, masses, rigid_body
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.rotation import Rotation
from dalembert.model.contact import combine, contact_shape, material, rules
from dalembert.model.core import equations
from dalembert.model.core.model import Model
from dalembert.model.forces import (
    FORCES,
    ForceElement,
    bushing,
    compound_spring,
    formula_frames,
    joint_friction,
    spring,
)
from dalembert.model.one_sided import cable, law, limits, stop, unilateral
from dalembert.model.shapes import surfaces
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.table import SHAPES
from dalembert.model.start import placement
from dalembert.simulation.prepare.actions import Engage, Release, Set
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.located import ContactEvents

OF_MODEL: dict[str, Any] = {
    "name": str,
    "points": dict[str, tuple[Expression, ...]],
    "lines": list[tuple[str, ...]],
    "suggested": dict[str, Any],
    "losses": tuple[Loss, ...],
    "_world": frame.World,
    "_bodies": dict[str, rigid_body.Body],
    "_starts": dict[str, placement.Start],
    "_shapes": dict[str, tuple[Solid, ...]],
    "_colors": dict[str, str],
    "_joints": dict[str, joints.Joint],
    "_elements": dict[str, ForceElement],
    "_sensors": dict[str, sensors.Sensor],
    "_joint_rows": list[constraint.Constraint],
    "_closing": list[str],
    "_limits": dict[str, limits.Limits],
    "_armature": dict[str, tuple[float, ...]],
    "_numbered": dict[str, int],
    "_unilaterals": dict[str, unilateral.Unilateral],
    "_touching": dict[str, contact_shape.ContactShape],
    "_groups": dict[str, int],
    "_rules": rules.ContactRules,
    "_gravity": tuple[Expression, ...],
    "_constraints": list[constraint.Constraint],
    "_forces": dict[Expression, Expression],
    "_potential": Expression,
    "_description": equations.Description | None,
    "_coordinates": tuple[Expression, ...],
    "_initial": dict[str, Quantity],
    "_parameters": dict[str, Expression],
    "_values": dict[str, float],
}
"""Fields of a model."""

DERIVED = ("_equations", "_energies")
"""Fields of a model that are computed again when asked for."""

PLAIN: dict[type, dict[str, Any]] = {
    Model: OF_MODEL,
    Rotation: {"_rows": tuple[tuple[float, ...], ...]},
    rules.ContactRules: {"_rules": tuple[rules.ContactRule, ...], "combine": combine.Combine},
}
"""Classes that are no dataclasses, with their fields."""

CLASSES: dict[str, type] = {
    made.__name__: made
    for made in (
        *PLAIN,
        # masses, and equations stated by formulas
        masses.Particle,
        masses.PlanarBody,
        masses.SpatialBody,
        equations.Lagrangian,
        equations.Matrices,
        equations.Placed,
        constraint.Constraint,
        # bodies
        frame.Frame,
        frame.World,
        rigid_body.QuaternionBody,
        rigid_body.AngleBody,
        inertia.Inertia,
        inertia.Measure,
        placement.Start,
        limits.Limits,
        Loss,
        # between bodies
        *joints.JOINTS.values(),
        *FORCES.values(),
        bushing.ImplicitBushing,
        compound_spring.ImplicitDamper,
        spring.ImplicitSpring,
        joint_friction.ImplicitRotationDamper,
        formula_frames.Watched,
        *sensors.SENSORS.values(),
        cable.Cable,
        stop.Stop,
        unilateral.Unilateral,
        law.StopLaw,
        # shapes and contact
        *SHAPES.values(),
        *surfaces.SURFACES.values(),
        combine.Combine,
        material.Material,
        contact_shape.ContactShape,
        rules.ContactRule,
        rules.Selector,
        # methods and integrators
        *enforcement.METHODS.values(),
        ContactEvents,
        *integration.INTEGRATORS.values(),
        ErrorControl,
        *solvers.SOLVERS.values(),
        friction.Pyramid,
        friction.BoxFriction,
        # events, and what is done there
        Event,
        Release,
        Engage,
        Set,
        constraint.ConstraintForce,
    )
}
"""Every declared class by its name in files."""

NAMES: dict[type, str] = {made: name for name, made in CLASSES.items()}


@functools.cache
def fields_of(made: Any) -> dict[str, Any]:
    """Declared fields of a class and their annotations."""
    if made in PLAIN:
        return PLAIN[made]
    known = {"Body": rigid_body.Body, "Joint": joints.Joint}  # imported for annotations only
    hints = get_type_hints(made, localns=known)
    return {field.name: hints[field.name] for field in dataclasses.fields(made)}


@functools.cache
def defaults_of(made: Any) -> dict[str, Any]:
    """Fields that need not be in a file, for those written before the field was."""
    found: dict[str, Any] = dict.fromkeys(DERIVED) if made is Model else {}
    if made not in PLAIN:
        for field in dataclasses.fields(made):
            if field.default is not dataclasses.MISSING:
                found[field.name] = field.default
    return found
