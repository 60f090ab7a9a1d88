"""Plausibility of what touches and stops: sizes, materials, overlaps and limits at the start.

Overlap is judged by what is certain and cheap: how deep a shape is in a plane, and whether the
balls inside two shapes overlap. What overlaps less than that is found when a run starts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.evaluate import evaluate
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.limits import Limit, beyond
from dalembert.model.basics.quantity import value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.material import limit_of, static_limits
from dalembert.model.contact.pairs import neighbours, reason
from dalembert.model.joints.joint import positive_limits
from dalembert.model.one_sided.rows import UNILATERAL, one_sided_rows
from dalembert.model.shapes.solid import measured
from dalembert.model.start.states import States

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]

DEEP = 1e-3
"""Overlap at the start, over the size of the shape, that is worth a word."""

BEYOND = 1e-6
"""How far beyond a limit a joint may start without a word  [m], [rad]."""

TURNS = 20.0
"""Angle of an end that few hinges reach  [rad]."""

FEW = 5
"""Overlaps that are named."""


def parameter_findings(model: Model) -> list[str]:
    """Sizes, materials and rules that the current parameter values make impossible."""
    parameters = model.parameters
    found: list[str] = []
    for shape in model.contact_shapes:
        sizes = [value_of(x, parameters) for x in shape.sizes]
        if any(x is None or x <= 0.0 for x in sizes):
            found.append(f"shape '{shape.name}': has a size that is no positive number. Give one.")
        if any(value_of(x, parameters) is None for x in shape.position):
            found.append(f"shape '{shape.name}': its place is no finite number. Give one.")
    for material in {id(s.material): s.material for s in model.contact_shapes}.values():
        found += [f"{material!r}: {what}" for what in material.findings(parameters)]
    return found + beyond(pair_limits(model), parameters)


def pair_limits(model: Model) -> list[Limit]:
    """Bounds of what is said of pairs, and of friction on one-sided constraints."""
    found: list[Limit] = []
    for rule in model.contact_rules:
        said = [limit_of(key, x) for key, x in rule.values.items()]
        moving, resting = (rule.values.get(key) for key in ("friction", "static_friction"))
        if moving is not None:
            said += static_limits(moving, resting)
        found += [limit.of("set_contact") for limit in said]
    for one in model.unilaterals:
        said = static_limits(one.friction, one.static_friction)
        found += [limit.of(f"one-sided constraint '{one.name}'") for limit in said]
    return found


def limits_of(model: Model) -> list[Limit]:
    """Bounds of all numbers of a model of bodies, as `Model.with_parameters` asks for them."""
    found = [b.inertia.limit.of(f"body '{b.name}'") for b in model.bodies.values()]
    for element in (*model.joints.values(), *model.forces.values()):
        found += positive_limits(element)
    for material in {id(s.material): s.material for s in model.contact_shapes}.values():
        own = [*material.limits, *static_limits(material.friction, material.static_friction)]
        found += [limit.of(repr(material)) for limit in own]
    return found + pair_limits(model)


def check_contact(
    model: Model,
    values: Callable[[], Mapping[Any, Any]],
    errors: Findings,
    doubts: Any,
    initial: Any = None,
) -> None:
    """Note what cannot touch or stop, and what is doubtful; `values` gives those at the start.

    `initial`: another start (q, v) of bodies than the model's own.
    """
    for what in parameter_findings(model):
        errors.append(what)
    _check_rows(model, values, errors, doubts)
    _check_turns(model, doubts)
    _check_bodies(model, errors)
    if not errors and model.contact_shapes:
        _check_overlaps(model, doubts, initial)


def require(model: Model) -> None:
    """Raise what makes contact impossible with the current parameters; nothing is evaluated."""
    errors = Findings(parameter_findings(model))
    _check_bodies(model, errors)
    errors.raise_if_any(f"model '{model.name}'")


def _check_rows(
    model: Model, values: Callable[[], Mapping[Any, Any]], errors: Findings, doubts: Any
) -> None:
    """One-sided constraints at the start."""
    rows = [row for row in one_sided_rows(model) if row.law == UNILATERAL]
    if not rows:
        return
    formulas = [row.phi for row in rows if row.phi is not None]
    with np.errstate(all="ignore"):
        numbers = [float(x) for x in evaluate(formulas, dict(values()))]
    for row, phi in zip(rows, numbers, strict=True):
        what = f"{'limit' if row.source == 'limit' else row.source} '{row.name}'"
        if not math.isfinite(phi):
            errors.add(what, "is undefined at the initial state. Start where it is defined.")
        elif phi < -BEYOND:
            unit = "rad" if row.angular else "m" if row.source != "formula" else ""
            doubts.add(
                what,
                f"is exceeded by {-phi:.3g} {unit}".rstrip() + " at the start. Start within it.",
            )


def _check_turns(model: Model, doubts: Any) -> None:
    """Ends of hinges that are many turns away: degrees, in all likelihood."""
    for name, limits in model.limits.items():
        joint = model.joints.get(name)
        if joint is None or "angle" not in joint.coordinates:
            continue
        far = max((abs(x) for x in (limits.lower, limits.upper) if math.isfinite(x)), default=0.0)
        if TURNS < far <= 360.0:
            doubts.add(
                f"limit '{name}'",
                f"is {far:g} rad away, {far / math.tau:.0f} turns. Angles are in radians: {far:g}"
                f" degrees are {math.radians(far):.4g}.",
            )


def _check_bodies(model: Model, errors: Findings) -> None:
    """Bodies that cannot touch: by angles, or free without moments of inertia."""
    if not model.is_maximal:
        if model.has_contact:
            errors.add(
                f"shape '{model.contact_shapes[0].name}'",
                "shapes touch on bodies with quaternions. Leave out orientation='roll-pitch-yaw', "
                "or draw them only: contact=False.",
            )
        return
    held = {frame.body.name for joint in model.joints.values() for frame in joint.frames}
    parameters = model.parameters
    for name in dict.fromkeys(shape.body for shape in model.contact_shapes):
        if name == WORLD or name in held:
            continue
        matrix = model.bodies[name].inertia.matrix
        if all(value_of(x, parameters) == 0.0 for row in matrix for x in row):
            errors.add(
                f"body '{name}'",
                "touches others and has no moments of inertia: a push beside its centre would spin "
                "it without end. Give it some, such as those of dl.Inertia.sphere(mass, radius=r).",
            )


# -- overlaps --------------------------------------------------------------------------------------


def _check_overlaps(model: Model, doubts: Any, initial: Any) -> None:
    found = overlaps(model, initial)
    for depth, one, two in found[:FEW]:
        same = "" if depth < _inner(model, one) else ", so much that no way out is the shortest"
        doubts.add(
            f"shapes '{one.name}' and '{two.name}'",
            f"overlap by {depth:.3g} m or more at the start{same}. Place them apart, or let them "
            "pass: model.ignore_contact.",
        )
    if len(found) > FEW:
        doubts.add("shapes", f"{len(found) - FEW} more pairs overlap at the start.")


def overlaps(
    model: Model, initial: Any, least: float = DEEP
) -> list[tuple[float, ContactShape, ContactShape]]:
    """Pairs of shapes that overlap for certain, and by how much at least; the deepest first.

    `least`: what is told, over the size of the shape.
    """
    shapes = model.contact_shapes
    poses = _poses(model, initial)
    joined = neighbours(model)
    solid = [shape for shape in shapes if shape.kind != "plane"]
    found: list[tuple[float, ContactShape, ContactShape]] = []
    for plane in (shape for shape in shapes if shape.kind == "plane"):
        at, R = poses[plane.name]
        for shape in solid:
            depth = -_height(model, shape, *poses[shape.name], at, R[:, 2])
            size = _inner(model, shape)
            if depth > least * size and not reason(model, plane, shape, joined):
                found.append((depth, shape, plane))
    places = np.array([poses[shape.name][0] for shape in solid]).reshape(-1, 3)
    radii = np.array([_inner(model, shape) for shape in solid])
    for i, shape in enumerate(solid):
        apart = np.linalg.norm(places[i + 1 :] - places[i], axis=1)
        for j in np.flatnonzero(radii[i] + radii[i + 1 :] - apart > least * radii[i]) + i + 1:
            if not reason(model, shape, solid[j], joined):
                deep = float(radii[i] + radii[j] - apart[j - i - 1])
                found.append((deep, shape, solid[j]))
    return sorted(found, key=lambda entry: -entry[0])


def _frames(model: Model, initial: Any) -> dict[str, tuple[Array, Array]]:
    """Origin and axes of each body, at the model's own start or another one (q, v)."""
    if initial is None:
        return {name: placed[:2] for name, placed in model.placement().items()}
    states, found = States.of(0.0, *initial), {}
    for k, (name, body) in enumerate(model.bodies.items()):
        R = states.R[k, 0]
        found[name] = states.center[k, 0] - R @ measured(body.inertia.center, model.parameters), R
    return found


def _poses(model: Model, initial: Any) -> dict[str, tuple[Array, Array]]:
    """Middle and axes of each shape in the world, at the start."""
    placed = _frames(model, initial)
    parameters = model.parameters
    found = {}
    for shape in model.contact_shapes:
        at, turn = measured(shape.position, parameters), shape.rotation.matrix
        if shape.body != WORLD:
            p, R = placed[shape.body]
            at, turn = p + R @ at, R @ turn
        found[shape.name] = (at, turn)
    return found


def _inner(model: Model, shape: ContactShape) -> float:
    """Radius of a ball inside a shape about its middle; of triangles none is known."""
    size = measured(shape.sizes, model.parameters)
    if shape.kind in ("sphere", "capsule"):
        return float(size[0])
    if shape.kind == "box":
        return float(size.min()) / 2
    if shape.kind == "cylinder":
        return float(min(size[0], size[1] / 2))
    return float(size.min()) if shape.kind == "ellipsoid" else 0.0


def _height(
    model: Model, shape: ContactShape, at: Array, R: Array, place: Array, normal: Array
) -> float:
    """Distance of the lowest point of a shape from a plane."""
    size = measured(shape.sizes, model.parameters)
    n = R.T @ normal
    middle = float(normal @ (at - place))
    if shape.kind == "sphere":
        return middle - float(size[0])
    if shape.kind == "box":
        return middle - float(np.abs(n) @ size) / 2
    if shape.kind in ("capsule", "cylinder"):
        round_ = 1.0 if shape.kind == "capsule" else math.hypot(n[0], n[1])
        return middle - float(size[0]) * round_ - float(size[1]) / 2 * abs(float(n[2]))
    if shape.kind == "ellipsoid":
        return middle - float(np.linalg.norm(size * n))
    vertices = getattr(shape.solid, "vertices", None)
    return middle if vertices is None else middle + float(np.min(vertices @ n))
