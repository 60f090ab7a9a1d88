"""Forward and backward whirl of a rotor, from its mode shapes (analysis 5.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.modes import eigen
from dalembert.model.basics.rotation import axis_frame, unit_vector

EQUAL = 1e-9
"""Difference of eigenvalues, over the largest, up to which they are one that is there twice."""

CIRCLE = 1e-6
"""Part of an orbit that turns the other way, up to which it is a circle."""


def whirls(near: Linearization, whirling: Any) -> tuple[Any, Any, Any, Any]:
    """Eigenvalues, shapes, and for each 1 where its mode turns forward, -1 backward, 0 neither.

    And whether its orbits have a part that turns forward, and one that turns backward (n, 2).
    The shape z of an eigenvalue i w > 0 is  real(z exp(i w t)):  in the plane across the axis it
    turns from x to y where  imag(conj(z_y) z_x) > 0, and is the sum of two circles, forward and
    backward, with the sizes  |z_x + i z_y| / 2  and  |z_x - i z_y| / 2.
    """
    values, vectors = eigen(near.A, near.near)
    marks, parts = np.zeros(len(values)), np.ones((len(values), 2), dtype=bool)
    if whirling is None:
        return values, vectors, marks, parts
    body, axis = whirling
    equations = equations_of(near.model, "campbell")
    first = 6 * list(near.model.bodies).index(body)
    R = axis_frame(unit_vector(axis, "")).matrix
    n = len(near.near.Fx)
    length = float(equations.lengths[first + 3])
    Ux = near.near.Ux[first : first + 6]
    across = np.concatenate([R.T[:2] @ Ux[:3], length * (R.T[:2] @ Ux[3:])])
    vectors = _separated(values, vectors, across)
    u = Ux @ vectors[:n]
    for k, value in enumerate(values):
        place, turned = R.T @ u[:3, k], length * (R.T @ u[3:, k])
        sense = sum(float((np.conj(z[1]) * z[0]).imag) for z in (place, turned))
        size = float(np.linalg.norm(place) ** 2 + np.linalg.norm(turned) ** 2)
        if abs(sense) > 1e-6 * size:
            marks[k] = np.sign(sense) * np.sign(value.imag)
        sign = 1.0 if value.imag >= 0.0 else -1.0
        for side, turn in enumerate((1j * sign, -1j * sign)):
            circles = [abs(z[0] + turn * z[1]) ** 2 / 4.0 for z in (place, turned)]
            parts[k, side] = sum(circles) > CIRCLE**2 * size
    return values, vectors, marks, parts


def _separated(values: Any, vectors: Any, across: Any) -> Any:
    """Shapes of which those of one eigenvalue turn forward, backward or not at all.

    An eigenvalue that is there several times leaves its shapes open. They are taken as axes of
    |forward|^2 - |backward|^2,  the circles being those of `whirls`.
    """
    made, n, size = vectors.copy(), across.shape[1], float(np.abs(values).max(initial=0.0))
    left = [k for k in range(len(values)) if abs(values[k].imag) > EQUAL * size]
    while left:
        same = [k for k in left if abs(values[k] - values[left[0]]) <= EQUAL * size]
        left = [k for k in left if k not in same]
        if len(same) == 1:
            continue
        basis, R = np.linalg.qr(made[:, same])
        if np.abs(np.diag(R)).min() <= EQUAL * np.abs(R).max():
            continue  # fewer shapes than eigenvalues
        z = across @ basis[:n]
        turn = 1j if values[same[0]].imag > 0.0 else -1j
        forward, backward = z[::2] + turn * z[1::2], z[::2] - turn * z[1::2]
        H = forward.conj().T @ forward - backward.conj().T @ backward
        made[:, same] = basis @ np.linalg.eigh(H)[1]
    return made
