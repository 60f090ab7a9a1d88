"""Mass, centre of mass and rotational inertia of one rigid body, checked for plausibility."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.basics.limits import Limit, beyond
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.read_inertia import (
    ROUNDED,
    as_matrix,
    as_vector,
    axis_index,
    moment_findings,
    positive_sizes,
)
from dalembert.model.basics.rotation import AXES as DIRECTIONS
from dalembert.model.basics.rotation import Rotation, as_rotation, axis_frame
from dalembert.model.basics.unchanging import BY_PARAMETERS, Settled


@dataclass(frozen=True, slots=True)
class Measure:
    """A part of uniform density that an inertia was made of, for drawing.

    Attributes
    ----------
    kind, size : "box" (x, y, z), "rod" (length,), "sphere" (radius,), "cylinder" (radius, length),
        "point" (); rods and cylinders along z  [m]
    position, rotation : in the body frame
    """

    kind: str
    size: tuple[Quantity, ...] = ()
    position: tuple[Any, ...] = (0.0, 0.0, 0.0)
    rotation: Rotation = field(default_factory=Rotation.identity)

    @staticmethod
    def along(kind: str, size: tuple[Quantity, ...], axis: str) -> Measure:
        """A part along a body axis."""
        turn = axis_frame(np.array(DIRECTIONS[axis]))
        return Measure(kind, size, rotation=Rotation.identity() if axis == "z" else turn)

    def moved(self, shift: Sequence[Quantity], turn: Rotation) -> Measure:
        """The part after `Inertia.moved`."""
        R = turn.matrix
        R[np.abs(R) < ROUNDED] = 0.0
        place = [
            shift[i] + sum(R[i, k] * self.position[k] for k in range(3) if R[i, k] != 0.0)
            for i in range(3)
        ]
        return Measure(self.kind, self.size, tuple(place), turn @ self.rotation)


@dataclass(frozen=True, slots=True)
class Inertia(Settled):
    """Inertia of a rigid body about its centre of mass, in body axes.

    Parameters
    ----------
    mass : float or formula of parameters  [kg]
        Positive.
    matrix : 3 x 3, or the 3 principal moments  [kg m^2]
        About the centre of mass, along the body axes.
    center : sequence of 3  [m]
        Centre of mass in the body frame.
    doubtful : bool
        Take a principal moment larger than the sum of the other two as it is, as files of others
        have them; `Model.check` tells it. The equations of motion only need positive moments.

    Raises
    ------
    ModelError
        Mass not positive, matrix not symmetric, a negative principal moment, or a principal
        moment larger than the sum of the other two; all findings at once.

    Examples
    --------
    >>> Inertia(2.0, [1.0, 2.0, 2.5])
    Inertia(mass=2, matrix=(1, 2, 2.5))
    >>> Inertia.box(mass=12.0, size=(1.0, 2.0, 3.0)).matrix[0][0]
    13.0
    """

    _later: ClassVar[str] = BY_PARAMETERS

    mass: Quantity
    matrix: Any
    center: Any = (0.0, 0.0, 0.0)
    measures: tuple[Measure, ...] = field(default=(), compare=False, repr=False, kw_only=True)
    doubtful: bool = field(default=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        findings: list[str] = []
        object.__setattr__(self, "mass", as_quantity(self.mass, "mass", findings))
        object.__setattr__(self, "matrix", as_matrix(self.matrix, findings))
        object.__setattr__(self, "center", as_vector(self.center, "center", findings))
        findings += self.findings()
        if findings:
            raise ModelError("Inertia: " + " ".join(findings))

    def findings(self, parameters: Mapping[str, float] | None = None) -> list[str]:
        """Implausible numbers, in sentences; empty when there are none."""
        found = beyond([self.limit], parameters)
        values = [[value_of(entry, parameters) for entry in row] for row in self.matrix]
        if any(entry is None for row in values for entry in row):
            return found
        return found + moment_findings(np.array(values, dtype=float), self.doubtful)

    @property
    def limit(self) -> Limit:
        """Bounds of the mass."""
        return Limit(self.mass, "mass is {x} kg. Give a positive mass.", strict=True)

    @property
    def is_implausible(self) -> bool:
        """True when the moments, taken as given, belong to no body."""
        if not self.doubtful:
            return False
        values = [[value_of(entry) for entry in row] for row in self.matrix]
        if any(entry is None for row in values for entry in row):
            return False
        return bool(moment_findings(np.array(values, dtype=float), False))

    @property
    def is_diagonal(self) -> bool:
        """True when the body axes are principal axes."""
        return all(
            i == j or (isinstance(self.matrix[i][j], float) and self.matrix[i][j] == 0.0)
            for i in range(3)
            for j in range(3)
        )

    @classmethod
    def box(cls, mass: Quantity, size: Sequence[Quantity]) -> Inertia:
        """Solid box with edge lengths ``size`` along x, y, z  [m].

        Examples
        --------
        >>> Inertia.box(mass=6.0, size=(1.0, 1.0, 1.0))
        Inertia(mass=6, matrix=(1, 1, 1))
        """
        x, y, z = positive_sizes("box", mass, size=size)
        return cls(
            mass,
            (mass * (y**2 + z**2) / 12, mass * (x**2 + z**2) / 12, mass * (x**2 + y**2) / 12),
            measures=(Measure("box", (x, y, z)),),
        )

    @classmethod
    def rod(cls, mass: Quantity, length: Quantity, *, axis: str = "x") -> Inertia:
        """Slender rod along a body axis; its moment about that axis is zero.

        Examples
        --------
        >>> Inertia.rod(mass=12.0, length=1.0)
        Inertia(mass=12, matrix=(0, 1, 1))
        """
        (length,) = positive_sizes("rod", mass, length=(length,))
        along = axis_index("rod", axis)
        moment = mass * length**2 / 12
        return cls(
            mass,
            tuple(0.0 if i == along else moment for i in range(3)),
            measures=(Measure.along("rod", (length,), axis),),
        )

    @classmethod
    def sphere(cls, mass: Quantity, radius: Quantity) -> Inertia:
        """Solid sphere.

        Examples
        --------
        >>> Inertia.sphere(mass=5.0, radius=1.0)
        Inertia(mass=5, matrix=(2, 2, 2))
        """
        (radius,) = positive_sizes("sphere", mass, radius=(radius,))
        moment = 2 * mass * radius**2 / 5
        return cls(mass, (moment, moment, moment), measures=(Measure("sphere", (radius,)),))

    @classmethod
    def cylinder(
        cls, mass: Quantity, radius: Quantity, *, length: Quantity, axis: str = "z"
    ) -> Inertia:
        """Solid cylinder with its axis along a body axis.

        Examples
        --------
        >>> Inertia.cylinder(mass=12.0, radius=1.0, length=3.0)
        Inertia(mass=12, matrix=(12, 12, 6))
        """
        radius, length = positive_sizes("cylinder", mass, radius=(radius,), length=(length,))
        along = axis_index("cylinder", axis)
        across = mass * (3 * radius**2 + length**2) / 12
        return cls(
            mass,
            tuple(mass * radius**2 / 2 if i == along else across for i in range(3)),
            measures=(Measure.along("cylinder", (radius, length), axis),),
        )

    @classmethod
    def point(cls, mass: Quantity) -> Inertia:
        """Mass without rotational inertia; joints must hold its rotation.

        Examples
        --------
        >>> Inertia.point(mass=1.0)
        Inertia(mass=1, matrix=(0, 0, 0))
        """
        return cls(mass, (0.0, 0.0, 0.0), measures=(Measure("point"),))

    def moved(self, position: Sequence[Quantity], *, rotation: Any = None) -> Inertia:
        """Inertia of the part with its frame elsewhere, seen in another frame.

        Parameters
        ----------
        position : sequence of 3  [m]
            Of the part's frame in the other one.
        rotation : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
            Of the part in the other frame; by default the axes are parallel.

        Examples
        --------
        >>> Inertia.rod(mass=12.0, length=1.0).moved((0.5, 0, 0), rotation=("z", np.pi / 2))
        Inertia(mass=12, matrix=(1, 0, 1), center=(0.5, 0, 0))
        """
        findings: list[str] = []
        shift = as_vector(position, "position", findings)
        if findings:
            raise ModelError("Inertia.moved: " + " ".join(findings))
        turn = as_rotation(rotation)
        R = turn.matrix
        R[np.abs(R) < ROUNDED] = 0.0
        turned = [sum(R[i, k] * self.center[k] for k in range(3)) for i in range(3)]
        matrix = [
            [
                sum(
                    R[i, k] * self.matrix[k][m] * R[j, m]
                    for k in range(3)
                    for m in range(3)
                    if R[i, k] != 0.0 and R[j, m] != 0.0
                )
                for j in range(3)
            ]
            for i in range(3)
        ]
        return Inertia(
            self.mass,
            matrix,
            [a + b for a, b in zip(shift, turned, strict=True)],
            measures=tuple(measure.moved(shift, turn) for measure in self.measures),
        )

    @classmethod
    def combined(cls, parts: Iterable[Inertia], *, without: Iterable[Inertia] = ()) -> Inertia:
        """Inertia of several parts as one body, about their common centre of mass.

        I = sum of  I_k + m_k ((d_k . d_k) 1 - d_k d_k^T),  d_k from the common centre to that of
        part k (parallel-axis theorem).

        Parameters
        ----------
        parts : Inertia, each placed with `moved`
            All in the axes of the new body.
        without : the same
            Holes, taken away.

        Examples
        --------
        A dumb-bell of two balls on a light bar:

        >>> ball = Inertia.sphere(mass=5.0, radius=0.1)
        >>> Inertia.combined([ball.moved((-0.5, 0, 0)), ball.moved((0.5, 0, 0))])
        Inertia(mass=10, matrix=(0.04, 2.54, 2.54))
        """
        signed = [(1.0, part) for part in parts] + [(-1.0, part) for part in without]
        strangers = [part for _, part in signed if not isinstance(part, Inertia)]
        if strangers or not signed:
            given = f"{strangers[0]!r:.60} is no Inertia" if strangers else "there are no parts"
            raise ModelError(f"Inertia.combined: {given}. Give a list of dl.Inertia.")
        mass = sum(sign * part.mass for sign, part in signed)
        total = value_of(mass)
        if total is not None and total <= 0.0:
            raise ModelError(
                f"Inertia.combined: the mass is {total:g} kg. Take away less than there is."
            )
        center = [
            sum(sign * part.mass * part.center[i] for sign, part in signed) / mass for i in range(3)
        ]
        matrix: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
        for sign, part in signed:
            d = [a - b for a, b in zip(part.center, center, strict=True)]
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            for i in range(3):
                for j in range(3):
                    shifted = part.mass * ((square if i == j else 0.0) - d[i] * d[j])
                    matrix[i][j] = matrix[i][j] + sign * (part.matrix[i][j] + shifted)
        # a part without measures leaves a gap that its neighbours would not tell of
        known = all(part.measures for sign, part in signed if sign > 0)
        measures = [m for sign, part in signed if sign > 0 for m in part.measures]
        return cls(mass, matrix, center, measures=tuple(measures) if known else ())

    def principal(
        self, parameters: Mapping[str, float] | None = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Principal moments, ascending, and the axes they belong to (columns, body axes).

        Examples
        --------
        >>> Inertia.rod(mass=12.0, length=1.0).principal()[0]
        array([0., 1., 1.])
        """
        values = [[value_of(entry, parameters) for entry in row] for row in self.matrix]
        matrix = np.array(values, dtype=float)
        moments, axes = np.linalg.eigh((matrix + matrix.T) / 2)
        return moments, axes

    def __repr__(self) -> str:
        if self.is_diagonal:
            matrix = f"matrix=({', '.join(_shown(self.matrix[i][i]) for i in range(3))})"
        else:
            rows = (f"({', '.join(map(_shown, row))})" for row in self.matrix)
            matrix = f"matrix=({', '.join(rows)})"
        offset = self.center != (0.0, 0.0, 0.0)
        center = f", center=({', '.join(map(_shown, self.center))})" if offset else ""
        return f"Inertia(mass={_shown(self.mass)}, {matrix}{center})"


def _shown(quantity: Quantity) -> str:
    return f"{quantity:g}" if isinstance(quantity, float) else repr(quantity)
