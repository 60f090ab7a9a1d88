"""Numbers of an inertia as the user gave them, read and checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of

AXES = ("x", "y", "z")


# Principal moments computed from decimal input miss the triangle inequality by rounding only.
TRIANGLE_TOLERANCE = 1e-9


# Entries of a rotation by a quarter turn that are zero but for the rounding of pi.
ROUNDED = 4 * np.finfo(float).eps


def as_vector(given: Any, what: str, findings: list[str]) -> tuple[Quantity, ...]:
    """Three quantities."""
    entries = tuple(given) if np.ndim(given) == 1 else ()
    if len(entries) != 3:
        findings.append(f"{what} has shape {np.shape(given)}. Give 3 numbers.")
        return (0.0, 0.0, 0.0)
    return tuple(
        as_quantity(entry, f"{what}[{index}]", findings) for index, entry in enumerate(entries)
    )


def as_matrix(given: Any, findings: list[str]) -> tuple[tuple[Quantity, ...], ...]:
    """A 3 x 3 matrix, also of three principal moments."""
    shape = np.shape(given)
    zero: tuple[tuple[Quantity, ...], ...] = ((0.0,) * 3,) * 3
    if shape == (3,):
        moments = as_vector(given, "matrix", findings)
        return tuple(tuple(moments[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    if shape != (3, 3):
        findings.append(f"matrix has shape {shape}. Give a 3 x 3 matrix or 3 principal moments.")
        return zero
    return tuple(
        tuple(as_quantity(given[i][j], f"matrix[{i}][{j}]", findings) for j in range(3))
        for i in range(3)
    )


def moment_findings(matrix: np.ndarray, doubtful: bool) -> list[str]:
    """Sentences about moments that no body has."""
    size = float(np.max(np.abs(matrix)))
    if not np.isfinite(size):
        return []  # as_quantity has named the entry already
    if np.abs(matrix - matrix.T).max() > TRIANGLE_TOLERANCE * size:
        return ["matrix is not symmetric. Give the same value on both sides of the diagonal."]
    low, middle, high = np.linalg.eigvalsh(matrix / 2 + matrix.T / 2)
    if low < -TRIANGLE_TOLERANCE * size:
        return [f"a principal moment is {low:g} kg m^2. Moments cannot be negative."]
    if not doubtful and low + middle < high * (1.0 - TRIANGLE_TOLERANCE):
        return [
            f"principal moments {low:g}, {middle:g}, {high:g} kg m^2 belong to no body: the "
            "largest exceeds the sum of the others. Check that the matrix is about the centre "
            "of mass and in one unit; if it is meant so, give doubtful=True."
        ]
    return []


MOST_LENGTH = 1e30
"""Lengths beyond this have no square that counts  [m]."""


def positive_sizes(shape: str, mass: Any, **given: Any) -> tuple[Quantity, ...]:
    """The lengths of a shape; all that is wrong with them and its mass is told at once."""
    findings: list[str] = []
    sizes: list[Quantity] = []
    number = value_of(as_quantity(mass, "mass", findings))
    if number is not None and number <= 0.0:
        findings.append(f"mass is {number:g} kg. Give a positive mass.")
    for what, entries in given.items():
        if isinstance(entries, str) or not isinstance(entries, Iterable):
            findings.append(f"{what} is {entries!r:.60}. Give 3 lengths.")
            continue
        entries = tuple(entries)
        if what == "size" and len(entries) != 3:
            findings.append(f"size has {len(entries)} entries. Give 3 lengths.")
        for entry in entries:
            size = as_quantity(entry, what, findings)
            number = value_of(size)
            if number is not None and number <= 0.0:
                findings.append(f"{what} is {number:g} m. Give a positive length.")
            elif number is not None and number > MOST_LENGTH:
                findings.append(f"{what} is {number:g} m. Give at most {MOST_LENGTH:g} m.")
            sizes.append(size)
    if findings:
        raise ModelError(f"Inertia.{shape}: " + " ".join(findings))
    return tuple(sizes)


def axis_index(shape: str, axis: str) -> int:
    """0, 1 or 2 for x, y or z."""
    if axis not in AXES:
        raise ModelError(f"Inertia.{shape}: axis {axis!r} is unknown. Give 'x', 'y' or 'z'.")
    return AXES.index(axis)
