"""The step of a run with impulses that was given none: a rule, from what the model holds.

The step is the least of these times, to one digit, rounded down, which the page on contact tells:

    5 ms                      what stands, slides and rolls
    sqrt(2 d / g) / 30        falling by the smallest thing that touches, of size d
    d / (5 v)                 moving by it; v: of the start, and of a fall through the scene
    0.1 / w                   turning at the start
    0.2 / omega               springs and servos, omega^2 = k (1/m_1 + 1/m_2) or with moments
    0.5 / r                   dampers that are not implicit, r = c (1/m_1 + 1/m_2)
    0.2 / (2 pi f)            materials with a frequency f, or a stiffness

Servos, springs and dampers of joints ask for no less than 0.5 ms: servos are implicit in the step,
and so are dampers that a given one does not resolve (`simulation.prepare.implicit_dampers`). A
model that suggests a step (`simulate:` of a file, `timestep` of MJCF, the catalog) has that one.
Forces written as formulas are not looked into. A model of coordinates has no sizes: its step is
1 ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import Expression
from dalembert.model.basics.contents import remembered
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import value_of
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.forces.formula_frames import EXTENSION, RATE
from dalembert.model.joints.joint import Joint
from dalembert.model.one_sided.rows import one_sided_rows
from dalembert.simulation.assembly.body_start import read_body_state

LARGEST, OF_COORDINATES, IMPLICIT, PASSES = 5e-3, 1e-3, 5e-4, 2e-4
"""Step of what stands; of models of coordinates; least that implicit drives ask for, and that small
things ask for which move: nothing passes through another with any step  [s]."""

FALLS, CROSSES, TURNS, SWINGS, DAMPS = 1 / 30, 1 / 5, 0.1, 0.2, 0.5
"""Parts of the times above."""

SHORTEST = 20
"""Steps that a short run has at least."""

BENT = (-0.1, -0.01, 0.0, 0.01, 0.1)
"""Extensions at which the stiffness of a law is looked at  [m], [rad]."""


@dataclass(frozen=True)
class Choice:
    """A step [s], and the words for why."""

    step: float
    reason: str


def chosen_step(
    model: Any, initial: Any = None, span: float = math.inf, rates: Sequence[float] = ()
) -> Choice:
    """The step of a run over a span of time [s], with controllers called at some rates [1/s]."""
    suggested = (model.suggested or {}).get("step")
    if suggested is not None:
        found = Choice(float(suggested), "the model suggests it")
    elif not model.is_maximal:
        found = Choice(OF_COORDINATES, "a model of coordinates has no sizes")
    else:
        found = _of_own_start(model) if initial is None else _of_start(model, initial)
    if span / found.step < SHORTEST:
        found = Choice(span / SHORTEST, "the run is short")
    return _divided(found, rates)


@remembered
def _of_own_start(model: Any) -> Choice:
    """The step of a model from where it starts by itself."""
    return _of_start(model, None)


def _of_start(model: Any, initial: Any) -> Choice:
    """The least step that anything asks for, to one digit."""
    found = min(_reasons(model, initial), key=lambda choice: choice.step)
    return Choice(one_digit(found.step), found.reason)


def with_step(
    step: float | None, method: Any, model: Any, initial: Any, span: Any, controllers: Any = ()
) -> tuple[float | None, str]:
    """The step of a run and why it was chosen; as it was given where it need not be chosen."""
    if step is not None or not method.impulses or method.locates:
        return step, ""
    if not isinstance(span, int | float | np.number) or not span > 0.0:
        return None, ""  # told by the checks of options
    rates = [one.rate for one in controllers if hasattr(one, "rate")]
    found = chosen_step(model, initial, float(span), rates)
    return found.step, found.reason


def span_of(start: Any, until: Any) -> Any:
    """Length of a run  [s]; None where one of its ends is no number."""
    try:
        return float(until) - float(start)
    except (TypeError, ValueError):
        return None


def one_digit(value: float) -> float:
    """The value with one digit, rounded down.

    Examples
    --------
    >>> one_digit(0.0047), one_digit(0.001)
    (0.004, 0.001)
    """
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    return float(f"{math.floor(value / power + 1e-9) * power:.1g}")


def _divided(found: Choice, rates: Sequence[float]) -> Choice:
    """A step that divides the periods of controllers, if one does."""
    if not rates:
        return found
    fastest = max(rates)
    count = math.ceil(1.0 / (fastest * found.step) - 1e-9)
    step = 1.0 / (fastest * count)
    why = found.reason if math.isclose(step, found.step) else f"a controller at {fastest:g} Hz"
    return Choice(step, why)


def _reasons(model: Any, initial: Any) -> Iterator[Choice]:
    yield Choice(LARGEST, "the largest that is taken")
    yield from _of_motion(model, initial)
    yield from _of_forces(model)
    yield from _of_materials(model)


# -- motion ----------------------------------------------------------------------------------------


def _of_motion(model: Any, initial: Any) -> Iterator[Choice]:
    parameters = model.parameters
    q, v = (x.reshape(len(model.bodies), -1) for x in read_body_state(model, initial))
    g = np.array([value_of(entry, parameters) or 0.0 for entry in model.gravity])
    pull = float(np.linalg.norm(g))
    d, what = _smallest(model)
    spin = float(np.linalg.norm(v[:, 3:], axis=1).max(initial=0.0))
    if spin > 0.0:
        yield Choice(TURNS / spin, f"the start turns at {spin:.3g} rad/s")
    if not math.isfinite(d):
        return
    speed = float(np.linalg.norm(v[:, :3], axis=1).max(initial=0.0))
    if pull > 0.0:
        yield Choice(FALLS * math.sqrt(2.0 * d / pull), f"{what} is {d:.2g} m small")
        heights = [*(q[:, :3] @ -g / pull), *_ground(model, -g / pull)]
        if model.contact_shapes:
            speed = math.hypot(speed, math.sqrt(2.0 * pull * (max(heights) - min(heights))))
    if speed > 0.0:
        why = f"{what}, {d:.2g} m small, may move at {speed:.2g} m/s"
        yield Choice(max(CROSSES * d / speed, PASSES), why)


def _ground(model: Any, up: np.ndarray) -> list[float]:
    """Heights of shapes that do not move."""
    fixed = [shape for shape in model.contact_shapes if shape.body == WORLD]
    places = [[value_of(x, model.parameters) or 0.0 for x in shape.position] for shape in fixed]
    return [float(up @ np.array(place)) for place in places]


def _smallest(model: Any) -> tuple[float, str]:
    """Size and name of the smallest thing that touches, or of the smallest body."""
    parameters = model.parameters
    moving = [shape for shape in model.contact_shapes if shape.body != WORLD]
    found = [(_size(shape, parameters), f"shape '{shape.name}'") for shape in moving]
    if not moving:
        for name, body in model.bodies.items():
            mass, moment = _inertia(body, parameters)
            if mass > 0.0 and moment > 0.0:
                found.append((2.0 * math.sqrt(moment / mass), f"body '{name}'"))
    return min((x for x in found if x[0] > 0.0), default=(math.inf, ""))


def _size(shape: ContactShape, parameters: Any) -> float:
    """Smallest extent of a shape  [m]."""
    vertices = getattr(shape.solid, "vertices", None)
    if vertices is not None:
        extents = np.ptp(np.asarray(vertices, dtype=float), axis=0)
        return float(min((x for x in extents if x > 0.0), default=0.0))
    sizes = [value_of(x, parameters) or 0.0 for x in shape.sizes]
    if not sizes:
        return 0.0
    if shape.kind == "box":
        return min(sizes)
    if shape.kind == "cylinder":
        return min(2.0 * sizes[0], sizes[1])
    return 2.0 * (min(sizes) if shape.kind == "ellipsoid" else sizes[0])


# -- forces ----------------------------------------------------------------------------------------


def _of_forces(model: Any) -> Iterator[Choice]:
    parameters = model.parameters
    implicit = set()
    for row in one_sided_rows(model):
        if row.replaces:
            implicit.add(row.element)
            force = model.forces.get(row.element)
            gain = value_of(row.kp, parameters) if row.kp is not None else 0.0
            if force is None or not gain:
                continue
            omega = math.sqrt(gain * mobility(force, row.angular, parameters))
            if omega > 0.0:
                why = f"servo '{row.element}' has {omega:.2g} rad/s"
                yield Choice(max(SWINGS / omega, IMPLICIT), why)
    for name, force in model.forces.items():
        if name in implicit:
            continue
        for angular, stiffness, damping in _gains(force, parameters):
            light = mobility(force, angular, parameters)
            omega, rate = math.sqrt(max(stiffness, 0.0) * light), damping * light
            least = IMPLICIT if _is_in_joint(force) else 0.0
            if omega > 0.0:
                yield Choice(max(SWINGS / omega, least), f"force '{name}' has {omega:.2g} rad/s")
            if rate > 0.0 and not least:
                yield Choice(DAMPS / rate, f"force '{name}' damps with {rate:.2g} 1/s")


def _is_in_joint(force: Any) -> bool:
    """Whether a force acts along the coordinate of a joint."""
    joints = (getattr(force, "joint", None), getattr(force, "first", None))
    return any(isinstance(joint, Joint) for joint in joints)


def _gains(force: Any, parameters: Any) -> list[tuple[bool, float, float]]:
    """Whether it turns, stiffness and damping, of each direction of a spring or damper."""
    law = getattr(force, "law", None)
    turning = force.kind == "torsion_spring" or getattr(force, "coordinate", "") == "angle"
    if isinstance(law, Expression):
        slopes = jacobian([law], [EXTENSION, RATE])[0]
        values = [evaluate(slopes, {EXTENSION: x, RATE: 0.0}) for x in BENT]
        k, c = np.nan_to_num(np.abs(np.array(values, dtype=float))).max(axis=0)
        return [(turning, float(k), float(c))]
    pairs = []
    given = [getattr(force, field, 0.0) for field in ("stiffness", "damping")]
    k, c = (x if isinstance(x, tuple) else (x,) for x in given)
    for i in range(max(len(k), len(c))):
        both = [value_of(x[i] if i < len(x) else 0.0, parameters) or 0.0 for x in (k, c)]
        turns = i >= 3 if len(k) > 1 else turning or _turns(force)
        pairs.append((turns, both[0], both[1]))
    return pairs


def _turns(force: Any) -> bool:
    """Whether a spring in a compound joint is about a hinge."""
    joint, which = getattr(force, "joint", None), getattr(force, "coordinate", None)
    return isinstance(which, int) and which >= len(getattr(joint, "slides", ()))


def mobility(force: Any, angular: bool, parameters: Any) -> float:
    """1/m_1 + 1/m_2 of the bodies that a force connects, or that of their moments."""
    total = 0.0
    for frame in force.acted_frames():
        body = frame.body
        if body.name == WORLD:
            continue
        mass, moment = _inertia(body, parameters)
        if angular:
            pairs = zip(frame.offset, body.inertia.center, strict=True)
            arm = [
                (value_of(a, parameters) or 0.0) - (value_of(b, parameters) or 0.0)
                for a, b in pairs
            ]
            mass = moment + mass * sum(x * x for x in arm)
        total += 1.0 / mass if mass > 0.0 else 0.0
    return total


def _inertia(body: Any, parameters: Any) -> tuple[float, float]:
    """Mass, and the mean of the moments."""
    mass = value_of(body.inertia.mass, parameters) or 0.0
    moments = [value_of(body.inertia.matrix[i][i], parameters) or 0.0 for i in range(3)]
    return mass, sum(moments) / 3.0


def _of_materials(model: Any) -> Iterator[Choice]:
    parameters = model.parameters
    for shape in model.contact_shapes:
        material = shape.material
        if material.frequency is not None:
            f = value_of(material.frequency, parameters) or 0.0
            if f > 0.0:
                why = f"contacts of '{shape.name}' have {f:.2g} Hz"
                yield Choice(SWINGS / (2.0 * math.pi * f), why)
        if material.stiffness is not None and shape.body != WORLD:
            k = value_of(material.stiffness, parameters) or 0.0
            mass, _ = _inertia(model.bodies[shape.body], parameters)
            if k > 0.0 and mass > 0.0:
                omega = math.sqrt(k / mass)
                why = f"contacts of '{shape.name}' have {omega:.2g} rad/s"
                yield Choice(max(SWINGS / omega, IMPLICIT), why)
