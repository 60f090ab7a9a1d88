"""Rotations as numbers: axis and angle, quaternion, roll-pitch-yaw and matrix, one into another.

Quaternions are (w, x, y, z), body to world. Roll, pitch and yaw mean R = Rz(yaw) Ry(pitch)
Rx(roll). Formulas of a moving body's orientation are in `formulas.orientation`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.basics.quantity import as_quantity, value_of

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]

AXES = {
    sign + name: tuple(value * (i == k) + 0.0 for i in range(3))
    for k, name in enumerate("xyz")
    for sign, value in (("", 1.0), ("-", -1.0))
}
"""Directions by name: "x", "-x", ..."""

NOT_A_ROTATION = 1e-9
"""Largest |R^T R - I| of a matrix taken for a rotation that was rounded when written down."""

NOT_UNIT = 1e-6
"""Largest deviation of a quaternion's length from 1, as above (it is often written in single)."""


class Rotation:
    """A fixed rotation; takes components in the turned axes to components in the reference axes.

    Make one with `about`, `from_quaternion`, `from_matrix` or `from_roll_pitch_yaw`; `a @ b` turns
    by b in the axes that a has turned.

    Examples
    --------
    >>> quarter = Rotation.about("z", np.pi / 2)
    >>> quarter.apply((1.0, 0.0, 0.0)).round(12)
    array([0., 1., 0.])
    >>> (quarter @ quarter).roll_pitch_yaw.round(12)
    array([ 0.        , -0.        ,  3.14159265])
    """

    __slots__ = ("_rows",)
    _rows: tuple[tuple[float, ...], ...]

    def __init__(self, matrix: Any) -> None:
        rows = tuple(tuple(map(float, row)) for row in _checked(matrix))
        object.__setattr__(self, "_rows", rows)

    # -- ways to make one ----------------------------------------------------------------------

    @classmethod
    def identity(cls) -> Rotation:
        """No rotation."""
        return IDENTITY

    @classmethod
    def about(cls, axis: str | Sequence[float], angle: float) -> Rotation:
        """Rotation about an axis, right-handed.

        Parameters
        ----------
        axis : "x", "y", "z", "-x", "-y", "-z" or 3 numbers
        angle : float  [rad]
        """
        return cls(about(unit_vector(axis, "Rotation.about"), _number(angle, "angle")))

    @classmethod
    def from_quaternion(cls, quaternion: Sequence[float]) -> Rotation:
        """Rotation of a unit quaternion (w, x, y, z)."""
        entries = _numbers(quaternion, 4, "quaternion")
        length = math.sqrt(float(entries @ entries))
        if abs(length - 1.0) > NOT_UNIT:
            raise ModelError(
                f"Rotation: the quaternion {_shown(entries)} has length {length:g}. Give a unit "
                "quaternion (w, x, y, z)."
            )
        return cls(matrix_of_quaternion(entries / length))

    @classmethod
    def from_matrix(cls, matrix: Any) -> Rotation:
        """Rotation of a 3 x 3 matrix whose columns are the turned axes."""
        return cls(matrix)

    @classmethod
    def from_roll_pitch_yaw(cls, roll: float, pitch: float, yaw: float) -> Rotation:
        """Rotation Rz(yaw) Ry(pitch) Rx(roll)  [rad]."""
        return cls(
            matrix_of_roll_pitch_yaw(
                _number(roll, "roll"), _number(pitch, "pitch"), _number(yaw, "yaw")
            )
        )

    # -- what it is ----------------------------------------------------------------------------

    @property
    def matrix(self) -> Matrix:
        """3 x 3; its columns are the turned axes."""
        return np.array(self._rows)

    @property
    def quaternion(self) -> Vector:
        """Unit quaternion (w, x, y, z), w >= 0."""
        return quaternion_of_matrix(self.matrix)

    @property
    def roll_pitch_yaw(self) -> Vector:
        """Angles of Rz(yaw) Ry(pitch) Rx(roll)  [rad]."""
        return roll_pitch_yaw_of_matrix(self.matrix)

    @property
    def is_identity(self) -> bool:
        """True when nothing is turned."""
        return self == IDENTITY

    @property
    def inverse(self) -> Rotation:
        """The rotation back."""
        return Rotation(self.matrix.T)

    def apply(self, vector: Sequence[float]) -> Vector:
        """The vector turned."""
        turned: Vector = self.matrix @ np.asarray(vector, dtype=float)
        return turned

    def __matmul__(self, other: Rotation) -> Rotation:
        if not isinstance(other, Rotation):
            return NotImplemented
        return Rotation(self.matrix @ other.matrix)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("A Rotation does not change. Make another one.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rotation) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._rows,)

    def __repr__(self) -> str:
        if self.is_identity:
            return "Rotation.identity()"
        return f"Rotation.from_quaternion({_shown(self.quaternion)})"


def _restored(rows: tuple[tuple[float, ...], ...]) -> Rotation:
    """A rotation of exactly these bits, without the polish of a second check."""
    made = object.__new__(Rotation)
    object.__setattr__(made, "_rows", rows)
    return made


# -- reading what a user gave ----------------------------------------------------------------------


def as_rotation(given: Any) -> Rotation:
    """Rotation of what a user may give for one: see `Model.add_body`."""
    if given is None:
        return IDENTITY
    if isinstance(given, Rotation):
        return given
    if isinstance(given, tuple | list) and len(given) == 2:
        return Rotation.about(given[0], given[1])
    shape = np.shape(given)
    if shape == (4,):
        return Rotation.from_quaternion(given)
    if shape == (3, 3):
        return Rotation(given)
    raise ModelError(
        f"Rotation: {given!r:.60} is none. Give a dl.Rotation, a 3 x 3 matrix, a quaternion "
        "(w, x, y, z) or an axis with an angle, ('x', 0.5)."
    )


def unit_vector(given: Any, what: str) -> Vector:
    """Direction named "x", "-z", ... or given by 3 numbers, normalised."""
    if isinstance(given, str):
        if given not in AXES:
            raise ModelError(
                f"{what}: axis {given!r} is unknown. Give 'x', 'y', 'z', '-x', '-y', '-z' or 3 "
                "numbers."
            )
        return np.array(AXES[given])
    entries = _numbers(given, 3, f"{what}: axis")
    length = math.sqrt(float(entries @ entries))
    if length == 0.0:
        raise ModelError(f"{what}: axis {_shown(entries)} has no direction. Give a nonzero vector.")
    if abs(length - 1.0) <= 4 * np.finfo(float).eps:  # normalised already: keep the bits
        return entries
    scaled: Vector = entries / length
    return scaled


def axis_frame(axis: Vector) -> Rotation:
    """Rotation whose z axis is `axis`; exact, a change of names, for the axes themselves.

    x', y', z' = z, x, y for axis y and y, z, x for axis x: the order of the axes is kept.
    """
    return _axis_frame(np.asarray(axis, dtype=float).tobytes())


@functools.lru_cache(maxsize=256)
def _axis_frame(digits: bytes) -> Rotation:
    """`axis_frame` of an axis bit by bit; most joints of a model share a few."""
    axis = np.frombuffer(digits)
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) == 1.0:
        side = np.zeros(3)
        side[(k + 1) % 3] = axis[k]
    else:
        least = np.zeros(3)
        least[int(np.argmin(np.abs(axis)))] = 1.0
        side = least - (least @ axis) * axis
        side /= math.sqrt(float(side @ side))
    return Rotation(np.column_stack([side, np.cross(axis, side), axis]))


# -- conversions of numbers ------------------------------------------------------------------------


def about(axis: Any, angle: float) -> Matrix:
    """Rotation matrix of a unit axis and an angle (Rodrigues)."""
    x, y, z = (float(entry) for entry in axis)
    c, s = math.cos(angle), math.sin(angle)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Matrix = np.eye(3) + s * K + (1.0 - c) * (K @ K)
    return turned


def matrix_of_quaternion(q: Any) -> Matrix:
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = (float(entry) for entry in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of_matrix(R: Any) -> Vector:
    """Unit quaternion (w, x, y, z), w >= 0; the largest entry is found first (Shepperd)."""
    R = np.asarray(R, dtype=float)
    trace = float(np.trace(R))
    squares = np.array([trace, R[0, 0], R[1, 1], R[2, 2]])
    k = int(np.argmax(squares))
    q = np.empty(4)
    if k == 0:
        q[:] = (1 + trace, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        q[0] = R[m, j] - R[j, m]
        q[1 + i] = 1 + R[i, i] - R[j, j] - R[m, m]
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + m] = R[m, i] + R[i, m]
    q /= math.sqrt(float(q @ q))
    return -q if q[0] < 0 else q


def matrix_of_roll_pitch_yaw(roll: float, pitch: float, yaw: float) -> Matrix:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    turned: Matrix = about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)
    return turned


def roll_pitch_yaw_of_matrix(R: Any) -> Vector:
    """Angles of R = Rz(yaw) Ry(pitch) Rx(roll); at pitch = +-pi/2 all turning is called yaw."""
    level = math.hypot(R[0][0], R[1][0])
    pitch = math.atan2(-R[2][0], level)
    if level < 1e-12:
        return np.array([0.0, pitch, math.atan2(-R[0][1], R[1][1])])
    return np.array([math.atan2(R[2][1], R[2][2]), pitch, math.atan2(R[1][0], R[0][0])])


def _checked(given: Any) -> Matrix:
    """The matrix as a rotation: refused when it is none, rounding of written digits removed."""
    try:
        R = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"Rotation: {given!r:.60} is not a matrix of numbers.") from None
    if R.shape != (3, 3) or not np.isfinite(R).all():
        raise ModelError(f"Rotation: {given!r:.60} is not a 3 x 3 matrix of finite numbers.")
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if error > NOT_A_ROTATION or np.linalg.det(R) < 0.0:
        what = (
            f"its columns miss length 1 or right angles by {error:.2g}"
            if error > NOT_A_ROTATION
            else "it is a reflection, its determinant is -1"
        )
        raise ModelError(
            f"Rotation: the matrix {R.round(6).tolist()} is no rotation: {what}. Give three "
            "perpendicular unit vectors, right-handed, as columns."
        )
    if error > 8 * np.finfo(float).eps:
        left, _, right = np.linalg.svd(R)
        R = left @ right
    return R


def _number(given: Any, what: str) -> float:
    findings: list[str] = []
    number = value_of(as_quantity(given, what, findings))
    if findings or number is None:
        raise ModelError(f"Rotation: {findings[0] if findings else f'{what} is not a number.'}")
    return number


def _numbers(given: Any, size: int, what: str) -> Vector:
    try:
        entries = np.array(given, dtype=float)
    except (TypeError, ValueError):
        entries = np.empty(0)
    if entries.shape != (size,) or not np.isfinite(entries).all():
        raise ModelError(f"{what} is {given!r:.60}. Give {size} finite numbers.")
    return entries


def _shown(entries: Vector) -> str:
    return f"({', '.join(f'{entry:.6g}' for entry in entries + 0.0)})"


IDENTITY = _restored(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
