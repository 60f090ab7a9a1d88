"""Closed contacts at a state: shapes that touch, one-sided rows, brakes and dry friction."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.point import At, Equations
from dalembert.collision import layout
from dalembert.collision.collide import collide
from dalembert.collision.layout import Contacts
from dalembert.collision.scene import build_scene, enlarged_scene, read_contacts
from dalembert.formulas import evaluate
from dalembert.formulas.expression import lift
from dalembert.formulas.graph import symbols
from dalembert.model.contact.surface_classes import surface_classes
from dalembert.model.one_sided.rows import BOX, TANGENT, UNILATERAL
from dalembert.model.start.states import States

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Touching:
    """One contact: force = normal^T n + tangents^T t,  n >= 0,  |t| <= friction n.

    A box has no normal: bounds low <= t <= high instead.
    """

    name: str
    normal: Array
    tangents: Array
    friction: float
    low: float = 0.0
    high: float = 0.0

    @property
    def is_box(self) -> bool:
        """Whether it is bounded by numbers, as a brake is."""
        return not self.normal.any()


def touching(equations: Equations, at: At, close: float) -> tuple[list[Touching], list[str]]:
    """Closed contacts, and names of those that are open; `close` is the largest gap."""
    found, opened = _rows(equations, at, close)
    if equations.model.is_maximal and equations.model.has_contact:
        found += _shapes(equations, at, close)
    return found, opened


# -- rows ------------------------------------------------------------------------------------------


def _rows(equations: Equations, at: At, close: float) -> tuple[list[Touching], list[str]]:
    model, still = equations.model, np.zeros(equations.nv)
    found: list[Touching] = []
    opened: list[str] = []
    rows = model.one_sided()
    for k, row in enumerate(rows):
        if row.law == UNILATERAL:
            here = equations.signals([row.phi], at, still)
            if here.y[0] > close:
                opened.append(row.name)
                continue
            behind = itertools.takewhile(lambda x: x.law == TANGENT, rows[k + 1 :])
            slides = [_gradient(equations, at, x) for x in behind]
            mu = _number(equations, row.static if _given(row.static) else row.friction)
            T = np.array(slides).reshape(len(slides), equations.nv)
            found.append(Touching(row.name, here.Yq[0], T, mu))
        elif row.law == BOX and row.source in ("brake", "friction"):
            low, high = (_bound(equations, at, x) for x in (row.low, row.high))
            T = _gradient(equations, at, row)[None]
            found.append(Touching(row.name, np.zeros(equations.nv), T, 0.0, low, high))
    return found, opened


def _given(x: Any) -> bool:
    return not (isinstance(x, float) and x == 0.0) and x is not None


def _gradient(equations: Equations, at: At, row: Any) -> Array:
    """Derivative of the rate of a row by velocities."""
    still = np.zeros(equations.nv)
    if row.rate is not None:
        return np.asarray(equations.signals([row.rate], at, still).Yv[0])
    return np.asarray(equations.signals([row.phi], at, still).Yq[0])


def _bound(equations: Equations, at: At, given: Any) -> float:
    if given is None:
        return np.inf
    return float(equations.signals([lift(given)], at, np.zeros(equations.nv)).y[0])


def _number(equations: Equations, given: Any) -> float:
    formula = lift(given)
    known = equations.parameters()
    values = {x: known.get(x.name, x.value) for x in symbols([formula], "parameter")}
    return float(evaluate([formula], values)[0])


# -- shapes ----------------------------------------------------------------------------------------


def _shapes(equations: Equations, at: At, close: float) -> list[Touching]:
    model = equations.model
    names = list(model.bodies)
    classes = surface_classes(model)
    states = States.of(at.t, at.q, at.v)
    records = np.array(
        [
            np.concatenate([states.center[k, 0], states.R[k, 0].ravel(), np.zeros(6)])
            for k in range(len(names))
        ]
    ).ravel()
    contacts = _contacts(model, names, classes, records, close)
    shapes = model.contact_shapes
    made = []
    for k in np.flatnonzero(contacts.gaps <= close):
        a, b = (int(x) for x in contacts.shapes[k])
        law = classes.laws[classes.of_shape[a]][classes.of_shape[b]]
        if law is None:
            continue
        n = contacts.normals[k]
        rows = np.zeros((3, equations.nv))
        for shape, sign in ((shapes[a], -1.0), (shapes[b], 1.0)):
            if shape.is_fixed:
                continue
            body = names.index(shape.body)
            arm = contacts.points[k] - states.center[body, 0]
            for i, axis in enumerate((n, *_across(n))):
                rows[i, 6 * body : 6 * body + 6] += sign * np.concatenate(
                    [axis, np.cross(arm, axis)]
                )
        mu = float(law.static_friction if law.static_friction is not None else law.friction)
        name = f"{shapes[b].name} on {shapes[a].name}"
        made.append(Touching(name, rows[0], rows[1:] if mu > 0.0 else rows[:0], mu))
    return made


def _contacts(model: Any, names: list[str], classes: Any, records: Array, close: float) -> Any:
    """Where shapes are nearer than that."""
    scene = build_scene(model, names, classes.of_shape)
    scene.margin_least = close
    room = 64
    while True:
        kept = Contacts(
            np.zeros(layout.CONTACT_INTEGERS * room, dtype=np.int64),
            np.zeros(layout.CONTACT_NUMBERS * room),
        )
        count = collide(scene, records, 0.0, kept)
        if count != layout.OVERFLOW:
            return read_contacts(kept, int(count))
        room = max(2 * room, int(scene.needed_contacts))
        scene = enlarged_scene(scene)
        scene.margin_least = close


def _across(n: Array) -> tuple[Array, Array]:
    """Two directions across a normal."""
    least = np.eye(3)[int(np.argmin(np.abs(n)))]
    x = np.cross(n, least)
    x /= np.linalg.norm(x)
    return x, np.cross(n, x)
