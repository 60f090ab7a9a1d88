"""Angles of one to three hinges in series, as formulas of the frames they connect."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.functions import arctan2, sqrt
from dalembert.model.basics.element import FrameView, cross, dot


def along(view: FrameView, entries: Any) -> npt.NDArray[Any]:
    """The direction whose components in the frame are the next three entries, in the world."""
    x, y, z = next(entries), next(entries), next(entries)
    return view.x * x + view.y * y + view.z * z  # type: ignore[no-any-return]


def angle_of_one(hinge: int, a: FrameView, b: FrameView, entries: Any) -> Any:
    """Angle of p_B about u from p_A, with p, q, u right-handed."""
    u = along(a, entries)
    p, q = [next(entries) for _ in range(3)], [next(entries) for _ in range(3)]
    moved = along(b, iter(p))
    return arctan2(dot(along(a, iter(q)), moved), dot(along(a, iter(p)), moved)), u


def angle_of_two(hinge: int, a: FrameView, b: FrameView, entries: Any) -> Any:
    """u_2 turns about u_1 with the first angle, u_1 seen from B about u_2 against the second."""
    first, second = along(a, entries), along(b, entries)
    e, e_across = along(a, entries), along(a, entries)
    f, f_across = along(b, entries), along(b, entries)
    c = next(entries)
    scale = 1.0 / (1.0 - c * c)
    if hinge == 0:
        angle = arctan2(dot(e_across, second), dot(e, second))
        return angle, (first - second * c) * scale
    angle = -arctan2(dot(f_across, first), dot(f, first))
    return angle, (second - first * c) * scale


def angle_of_three(hinge: int, a: FrameView, b: FrameView, entries: Any) -> Any:
    """Davenport's angles; u_1 . R u_3 = sin(beta + q_2), cos(beta + q_2) of the sign at zero."""
    first, third = along(a, entries), along(b, entries)
    w, second = along(a, entries), along(a, entries)
    g, g_across = along(b, entries), along(b, entries)
    s, c, sign = next(entries), next(entries), next(entries)
    sine = dot(first, third)
    if hinge == 1:
        cosine = sign * sqrt(dot(w, third) ** 2 + dot(second, third) ** 2)
        angle = arctan2(sine * c - cosine * s, cosine * c + sine * s)
        return angle, cross(third, first) / cosine
    square = 1.0 - sine * sine
    if hinge == 0:
        angle = arctan2(-sign * dot(second, third), sign * dot(w, third))
        return angle, (first - third * sine) / square
    angle = -arctan2(sign * dot(g_across, first), sign * dot(g, first))
    return angle, (third - first * sine) / square


ANGLES = (angle_of_one, angle_of_two, angle_of_three)
"""Angle and torque of a hinge by the number of hinges."""


def rows_apart(
    a: FrameView, b: FrameView, d: npt.NDArray[Any], entries: Any, parallel: bool
) -> list[Expression]:
    """The way between the hinges keeps its length and its right angles to both."""
    first = along(a, entries)
    if parallel:
        turned = [dot(first, along(b, entries)), dot(first, along(b, entries))]
        return [dot(first, d), dot(d, d) - next(entries), *turned]
    second = along(b, entries)
    cosine, square = next(entries), next(entries)
    found = [dot(first, d), dot(d, d) - square]
    return [*found, dot(second, d), dot(first, second) - cosine]


def angle_apart(hinge: int, a: FrameView, b: FrameView, entries: Any) -> Any:
    """d turns about u_1 with the first angle; seen from B, about u_2 against the second."""
    first, second = along(a, entries), along(b, entries)
    e, e_across = along(a, entries), along(a, entries)
    f, f_across = along(b, entries), along(b, entries)
    cosine, square = next(entries), next(entries)
    d = b.origin - a.origin
    push = cross(first, d) / square
    if hinge == 0:
        return arctan2(dot(e_across, d), dot(e, d)), push, np.full(3, ZERO, dtype=object)
    return -arctan2(dot(f_across, d), dot(f, d)), -push * cosine, second
