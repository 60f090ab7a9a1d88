"""Shapes a body is drawn with and touches others by; they have no mass.

Each is placed in the frame of its body. A body that is given none is drawn by what is known of it:
the measures of its inertia and the places of its joints. Those of `shapes=` are drawn only, those
of `Model.add_shape` also touch.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dalembert.errors import DalembertError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import AXES, Rotation, as_rotation, axis_frame, unit_vector
from dalembert.model.shapes.mesh_file import check_mesh, read_mesh

COLORS = {
    "black": "#222222",
    "white": "#F5F5F5",
    "grey": "#8A929C",
    "red": "#C0504D",
    "orange": "#D98A4B",
    "yellow": "#D9B84B",
    "green": "#4FA58A",
    "blue": "#4C86B8",
    "purple": "#8C72B0",
    "brown": "#8A6B4F",
}
"""Colours by name; others are given as "#rrggbb"."""


@dataclass(frozen=True, eq=False, repr=False)
class Solid:
    """Base of all shapes.

    Parameters
    ----------
    position : 3 numbers or formulas of parameters  [m]
        Of the shape's middle in the frame of the body.
    rotation : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
        Of the shape in the body.
    color : "#rrggbb", or "red", "blue", ...
        By default that of the body.
    opacity : float
        0 is not seen, 1 hides what is behind.
    """

    _: KW_ONLY
    position: Any = (0.0, 0.0, 0.0)
    rotation: Any = None
    color: str | None = None
    opacity: float = 1.0

    kind: ClassVar[str] = ""
    lengths: ClassVar[tuple[tuple[str, int], ...]] = ()
    """Fields that are positive lengths, and how many each holds; 0 for a single number."""

    def __post_init__(self) -> None:
        findings = Findings()
        for name, count in self.lengths:
            entries = _entries(getattr(self, name), name, count or 1, findings)
            for entry in entries:
                number = value_of(entry)
                if number is not None and number <= 0.0:
                    findings.append(f"{name} is {number:g} m. Give a positive length.")
            object.__setattr__(self, name, entries if count else entries[0])
        object.__setattr__(self, "position", _entries(self.position, "position", 3, findings))
        try:
            object.__setattr__(self, "rotation", as_rotation(self.rotation))
        except ModelError as problem:
            findings.append(str(problem))
        object.__setattr__(self, "color", read_color(self.color, findings))
        if not (isinstance(self.opacity, int | float) and 0.0 <= self.opacity <= 1.0):
            findings.append(f"opacity is {self.opacity!r:.60}. Give a number from 0 to 1.")
        try:
            self.read(findings)
        except DalembertError as problem:
            findings.append(str(problem))
        findings.raise_if_any(type(self).__name__)

    def read(self, findings: Findings) -> None:
        """Check what only this kind has."""

    @property
    def sizes(self) -> tuple[Quantity, ...]:
        """The lengths, in the order of `dalembert.scene.Shape`."""
        found: list[Quantity] = []
        for name, count in self.lengths:
            entry = getattr(self, name)
            found += entry if count else [entry]
        return tuple(found)

    @property
    def middle(self) -> tuple[Quantity, ...]:
        """Place of the shape as `dalembert.scene.Shape` has it, in the body."""
        place: tuple[Quantity, ...] = self.position
        return place

    def on(self, frame: Any) -> Self:
        """A shape that was given in a frame of a body, in the frame of the body itself."""
        still = all(isinstance(x, float) and x == 0.0 for x in frame.offset)
        if still and frame.orientation.is_identity:
            return self
        made = copy.copy(self)
        R = frame.orientation.matrix
        place = [a + sum(R[i] * self.position) for i, a in enumerate(frame.offset)]
        exact = tuple(x if isinstance(x, Expression) else float(x) for x in place)
        object.__setattr__(made, "position", exact)
        object.__setattr__(made, "rotation", frame.orientation @ self.rotation)
        return made

    @property
    def turn(self) -> Rotation:
        """Rotation in the body of the shape as `dalembert.scene.Shape` has it."""
        own: Rotation = self.rotation
        axis = getattr(self, "axis", "z")
        return own if axis == "z" else own @ axis_frame(np.array(AXES[axis]))

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        return [x for x in (*self.sizes, *self.position) if isinstance(x, Expression)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._shown())})"

    def _shown(self) -> Iterator[str]:
        for field in sorted(fields(self), key=lambda field: bool(field.kw_only)):
            value, default = getattr(self, field.name), field.default
            if field.name == "rotation":
                if not value.is_identity:
                    yield f"rotation={value!r}"
            elif value is not None and not (
                isinstance(default, tuple | str | float) and value == default
            ):
                yield f"{field.name}={_text(value)}"


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
        edges = _entries(self.size, "size", 2, findings)
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


@dataclass(frozen=True, eq=False, repr=False)
class Mesh(Solid):
    """Triangles, from a file (.stl binary or text, .obj, .dae) or given.

    Parameters
    ----------
    file : str or Path
        Read at once, so that a saved run can be drawn without it.
    scale : float, or 3 numbers along x, y, z
        Multiplies the coordinates: 0.001 for a file in millimetres; negative ones mirror.
    vertices, faces : (n, 3) [m], (m, 3)
        Instead of a file; corners counter-clockwise seen from outside.

    Examples
    --------
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> Mesh(vertices=corners, faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    Mesh(4 vertices, 4 faces)
    """

    file: Any = None
    _: KW_ONLY
    scale: Any = 1.0
    vertices: Any = None
    faces: Any = None
    kind: ClassVar[str] = "mesh"

    def read(self, findings: Findings) -> None:
        """Read the file or check the arrays."""
        if (self.file is None) == (self.vertices is None and self.faces is None):
            findings.append("give either a file, or vertices and faces.")
            return
        scale = _mesh_scale(self.scale)
        if scale is None:
            findings.append(
                f"scale is {self.scale!r:.60}. Give a positive number, or 3 numbers that are not 0."
            )
            return
        if self.file is not None:
            vertices, faces = read_mesh(Path(self.file))
            object.__setattr__(self, "file", str(self.file))
        else:
            vertices, faces = check_mesh(self.vertices, self.faces)
        object.__setattr__(self, "vertices", vertices * scale)
        # a mirrored triangle is seen from behind: its corners are taken the other way round
        order = -1 if np.prod(scale) < 0.0 else 1
        object.__setattr__(self, "faces", np.array(faces[:, ::order]))
        for array in (self.vertices, self.faces):
            array.setflags(write=False)  # a shape is replaced, never changed

    def placed(self, **options: Any) -> Mesh:
        """A copy of the mesh elsewhere or in another colour; the file is not read again."""
        made = copy.copy(self)
        looks = Sphere(radius=1.0, **options)  # checks what all shapes have
        for name in ("position", "rotation", "color", "opacity"):
            object.__setattr__(made, name, getattr(looks, name))
        return made

    def _shown(self) -> Iterator[str]:
        if self.file is not None:
            yield f"'{self.file}'"
        yield f"{len(self.vertices)} vertices"
        yield f"{len(self.faces)} faces"


def _mesh_scale(given: Any) -> npt.NDArray[np.float64] | None:
    """Factors along x, y, z; None for what is none."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return np.full(3, float(given)) if 0.0 < given < np.inf else None
    try:
        factors = np.array(given, dtype=float)
    except (TypeError, ValueError):
        return None
    fits = factors.shape == (3,) and np.isfinite(factors).all() and factors.all()
    return factors if fits else None


SHAPES: dict[str, type[Solid]] = {
    kind.__name__: kind
    for kind in (Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Plane, Polyline, Sphere)
}
"""Every shape by the name of its class."""


def read_shapes(given: Any, element: str, findings: Findings) -> tuple[Solid, ...]:
    """The shapes given to a body; one may stand for a list of one."""
    if isinstance(given, Solid):
        return (given,)
    if not isinstance(given, list | tuple):
        findings.add(element, f"shapes is {given!r:.60}. Give a list, such as [dl.Box(...)].")
        return ()
    strangers = [shape for shape in given if not isinstance(shape, Solid)]
    for stranger in strangers[:1]:
        findings.add(element, f"{stranger!r:.60} is no shape. Give dl.Box(...), dl.Mesh(...), ...")
    return tuple(shape for shape in given if isinstance(shape, Solid))


def ends_somewhere(shape: Solid, element: str, findings: Findings) -> None:
    """Note a plane that nothing says how much to draw of, on a body."""
    if isinstance(shape, Plane) and shape.size is None:
        findings.add(element, "a plane on a body is drawn with a size. Give size=(x, y).")


def read_color(given: Any, findings: list[str]) -> str | None:
    """A colour as "#rrggbb"."""
    if given is None:
        return None
    if isinstance(given, str):
        if given.lower() in COLORS:
            return COLORS[given.lower()]
        digits = given[1:]
        if given.startswith("#") and all(c in "0123456789abcdefABCDEF" for c in digits):
            if len(digits) == 3:
                digits = "".join(2 * c for c in digits)
            if len(digits) == 6:
                return f"#{digits.upper()}"
    names = ", ".join(COLORS)
    findings.append(f"color {given!r:.60} is unknown. Give '#rrggbb' or one of {names}.")
    return None


def measured(
    entries: Sequence[Quantity], parameters: Mapping[str, float]
) -> npt.NDArray[np.float64]:
    """Numbers of a shape with the current parameters; NaN where there is none."""
    values = [value_of(entry, parameters) for entry in entries]
    return np.array([np.nan if value is None else value for value in values])


def _entries(given: Any, what: str, count: int, findings: Findings) -> tuple[Quantity, ...]:
    single = count == 1 and not isinstance(given, list | tuple | np.ndarray)
    listed = isinstance(given, list | tuple) or (isinstance(given, np.ndarray) and given.ndim == 1)
    entries = [given] if single else list(given) if listed else []
    if len(entries) != count:
        wanted = "a number" if count == 1 else f"{count} numbers"
        findings.append(f"{what} is {given!r:.60}. Give {wanted}.")
        return (1.0,) * count
    return tuple(as_quantity(entry, what, findings) for entry in entries)


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, np.ndarray):
        return f"{len(value)} points"
    return f"{value:g}" if isinstance(value, int | float) else repr(value)
