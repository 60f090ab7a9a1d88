"""Shapes a body is drawn with and touches others by; they have no mass.

Each is placed in the frame of its body. A body that is given none is drawn by what is known of it:
the measures of its inertia and the places of its joints. Those of `shapes=` are drawn only, those
of `Model.add_shape` also touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import AXES, Rotation, axis_frame, unit_vector
from dalembert.model.shapes.solid import Solid, read_lengths


@dataclass(frozen=True, eq=False, repr=False)
class Box(Solid):
    """Box with edge lengths `size` along x, y, z; three numbers in a row are taken as well.

    Parameters
    ----------
    size : 3 numbers or formulas of parameters  [m]
    position, rotation, color, opacity : of every shape
        Of its middle in the frame of the body [m], of the shape in the body, to draw it.

    Examples
    --------
    >>> Box(size=(0.4, 0.2, 0.1), color="red")
    Box(size=(0.4, 0.2, 0.1), color='#C0504D')
    >>> Box(1, 1, 2)
    Box(size=(1, 1, 2))
    """

    size: Any
    y: Any = None
    z: Any = None
    kind: ClassVar[str] = "box"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("size", 3),)

    def __post_init__(self) -> None:
        if self.y is not None or self.z is not None:
            if np.ndim(self.size):
                raise ModelError("Box: has a size and more numbers. Give Box(x, y, z) or size=.")
            edges = tuple(x for x in (self.size, self.y, self.z) if x is not None)
            for name, value in (("size", edges), ("y", None), ("z", None)):
                object.__setattr__(self, name, value)
        super().__post_init__()


@dataclass(frozen=True, eq=False, repr=False)
class Sphere(Solid):
    """Ball.

    Parameters
    ----------
    radius : float or formula of parameters  [m]
    position, rotation, color, opacity : as of `Box`

    Examples
    --------
    >>> Sphere(radius=0.1, position=(0, 0, 0.5))
    Sphere(radius=0.1, position=(0, 0, 0.5))
    """

    radius: Any
    kind: ClassVar[str] = "sphere"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("radius", 0),)


@dataclass(frozen=True, eq=False, repr=False)
class _Round(Solid):
    """A shape about an axis through its middle."""

    radius: Any
    length: Any
    axis: str = "z"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("radius", 0), ("length", 0))

    def read(self, findings: Findings) -> None:
        """The axis is one of the six directions."""
        if not isinstance(self.axis, str) or self.axis not in AXES:
            findings.append(f"axis {self.axis!r:.60} is unknown. Give 'x', 'y', 'z' or '-x', ...")
            object.__setattr__(self, "axis", "z")


@dataclass(frozen=True, eq=False, repr=False)
class Cylinder(_Round):
    """Cylinder about its middle.

    Parameters
    ----------
    radius, length : float or formula of parameters  [m]
    axis : "x", "y", "z", "-x", ...
    position, rotation, color, opacity : as of `Box`

    Examples
    --------
    >>> Cylinder(radius=0.3, length=0.1, axis="y")
    Cylinder(radius=0.3, length=0.1, axis='y')
    """

    kind: ClassVar[str] = "cylinder"


@dataclass(frozen=True, eq=False, repr=False)
class Capsule(_Round):
    """Cylinder with round ends; `length` is between the middles of the ends.

    Parameters
    ----------
    radius, length : float or formula of parameters  [m]
        The whole is `length` + 2 `radius` long.
    axis : "x", "y", "z", "-x", ...
    position, rotation, color, opacity : as of `Box`

    Examples
    --------
    >>> Capsule(radius=0.05, length=0.4, axis="x")
    Capsule(radius=0.05, length=0.4, axis='x')
    """

    kind: ClassVar[str] = "capsule"


@dataclass(frozen=True, eq=False, repr=False)
class Cone(_Round):
    """Cone about the middle of its height, its tip along the axis; it is drawn and touches nothing.

    Parameters
    ----------
    radius, length : float or formula of parameters  [m]
        Of its base, and its height.
    axis : "x", "y", "z", "-x", ...
    position, rotation, color, opacity : as of `Box`

    Examples
    --------
    >>> Cone(radius=0.1, length=0.3, axis="-z")
    Cone(radius=0.1, length=0.3, axis='-z')
    """

    kind: ClassVar[str] = "cone"


@dataclass(frozen=True, eq=False, repr=False)
class Ellipsoid(Solid):
    """Ellipsoid with half axes `semi_axes` along x, y, z.

    Parameters
    ----------
    semi_axes : 3 numbers or formulas of parameters  [m]
    position, rotation, color, opacity : as of `Box`

    Examples
    --------
    >>> Ellipsoid(semi_axes=(0.3, 0.2, 0.1))
    Ellipsoid(semi_axes=(0.3, 0.2, 0.1))
    """

    semi_axes: Any
    kind: ClassVar[str] = "ellipsoid"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("semi_axes", 3),)


@dataclass(frozen=True, eq=False, repr=False)
class Plane(Solid):
    """Plane without end: the ground, a wall. What lies on the side of its normal is outside.

    Parameters
    ----------
    normal : "x", "y", "z", "-x", ... or 3 numbers
    offset : float or formula of parameters  [m]
        Of the plane from `position`, along the normal.
    size : 2 numbers  [m]
        Edges of the rectangle that is drawn; by default as large as the scene needs.

    Examples
    --------
    >>> Plane()
    Plane()
    >>> Plane("y", 0.5).middle
    (0.0, 0.5, 0.0)
    """

    normal: Any = "z"
    offset: Any = 0.0
    size: Any = None
    kind: ClassVar[str] = "plane"

    def read(self, findings: Findings) -> None:
        """Normal, offset, and the edges of what is drawn."""
        try:
            unit_vector(self.normal, "")
        except ModelError:
            findings.append(
                f"normal is {self.normal!r:.60}. Give 'x', 'y', 'z', '-x', ... or 3 numbers that "
                "are not all 0."
            )
            object.__setattr__(self, "normal", "z")
        object.__setattr__(self, "offset", as_quantity(self.offset, "offset", findings))
        if self.size is None:
            return
        edges = read_lengths(self.size, "size", 2, findings)
        for edge in edges:
            number = value_of(edge)
            if number is not None and number <= 0.0:
                findings.append(f"size is {number:g} m. Give a positive length.")
        object.__setattr__(self, "size", edges)

    @property
    def sizes(self) -> tuple[Quantity, ...]:
        """Edges of what is drawn; none where that depends on the scene."""
        return () if self.size is None else self.size

    @property
    def middle(self) -> tuple[Quantity, ...]:
        """Middle of what is drawn."""
        n = self.rotation.matrix @ unit_vector(self.normal, "")
        if isinstance(self.offset, float) and self.offset == 0.0:
            return super().middle
        return tuple(
            x + self.offset * float(a) if a else x for x, a in zip(self.position, n, strict=True)
        )

    @property
    def turn(self) -> Rotation:
        """z is the normal."""
        own: Rotation = self.rotation
        return own if self.normal == "z" else own @ axis_frame(unit_vector(self.normal, ""))

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        own = [self.offset] if isinstance(self.offset, Expression) else []
        return super().formulas + own


@dataclass(frozen=True, eq=False, repr=False)
class Polyline(Solid):
    """Line through points, drawn with a width.

    Parameters
    ----------
    points : (n, 3)  [m]
    width : float  [m]

    Examples
    --------
    >>> Polyline(points=[(0, 0, 0), (1, 0, 0)], width=0.01).kind
    'polyline'
    """

    points: Any
    width: Any
    kind: ClassVar[str] = "polyline"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("width", 0),)

    def read(self, findings: Findings) -> None:
        """At least two points of three numbers."""
        try:
            points = np.array(self.points, dtype=float)
        except (TypeError, ValueError):
            points = np.zeros(0)
        if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
            findings.append("points are not two or more lists of 3 numbers. Give those.")
        elif not np.all(np.isfinite(points)):
            findings.append("a point is not finite. Give finite numbers.")
        object.__setattr__(self, "points", points)
