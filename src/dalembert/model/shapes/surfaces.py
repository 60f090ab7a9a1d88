"""Shapes to touch that are given by points, heights or a formula."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.errors import DalembertError
from dalembert.formulas import Expression, symbols
from dalembert.formulas.expression import coordinate, lift
from dalembert.formulas.parser import parse
from dalembert.model.basics.reading import Findings
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solid import Solid

PLACE = {name: coordinate(name) for name in ("x", "y", "z")}
"""Symbols in which formulas of a place are written."""


@dataclass(frozen=True, eq=False, repr=False)
class ConvexHull(Solid):
    """The convex hull of points, or of the vertices of a mesh.

    Parameters
    ----------
    points : (n, 3) [m], or a Mesh
        Points in a plane give a flat hull, which touches from both sides.

    Examples
    --------
    >>> ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    ConvexHull(4 points)
    """

    points: Any
    kind: ClassVar[str] = "hull"

    def read(self, findings: Findings) -> None:
        """At least one point of three numbers."""
        given = self.points.vertices if isinstance(self.points, Mesh) else self.points
        object.__setattr__(self, "points", _table(given, "points", 3, 1, findings))

    @property
    def vertices(self) -> npt.NDArray[np.float64]:
        """The points."""
        found: npt.NDArray[np.float64] = self.points
        return found

    def _shown(self) -> Iterator[str]:
        yield f"{len(self.points)} points"


@dataclass(frozen=True, eq=False, repr=False)
class HeightField(Solid):
    """Ground of uneven height over a rectangle, touched from above.

    Parameters
    ----------
    heights : (nx, ny)  [m]
        Along z, at points evenly spaced over `size`; the first index goes along x.
    size : 2 numbers  [m]
        Edges of the rectangle along x and y; its middle is at `position`.

    Examples
    --------
    >>> HeightField([[0, 0, 0], [0, 0.1, 0], [0, 0, 0]], size=(2, 2))
    HeightField(3 x 3, size=(2, 2))
    """

    heights: Any
    _: KW_ONLY
    size: Any
    kind: ClassVar[str] = "height_field"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("size", 2),)

    def read(self, findings: Findings) -> None:
        """At least two by two heights, edges that are numbers."""
        found = _table(self.heights, "heights", None, 2, findings)
        if found.ndim != 2 or min(found.shape) < 2:
            findings.append("heights are fewer than 2 x 2. Give at least these.")
            found = np.zeros((2, 2))
        object.__setattr__(self, "heights", found)
        if any(isinstance(edge, Expression) for edge in self.size):
            findings.append("size holds a formula. Give 2 numbers.")
            object.__setattr__(self, "size", (1.0, 1.0))

    @property
    def grid(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Coordinates of the points along x and along y."""
        half = [0.5 * float(edge) for edge in self.size]
        nx, ny = self.heights.shape
        return np.linspace(-half[0], half[0], nx), np.linspace(-half[1], half[1], ny)

    def _shown(self) -> Iterator[str]:
        nx, ny = self.heights.shape
        yield f"{nx} x {ny}"
        yield f"size=({self.size[0]:g}, {self.size[1]:g})"


@dataclass(frozen=True, eq=False, repr=False)
class SignedDistance(Solid):
    """A solid given by a formula of x, y, z that is negative inside and grows outwards.

    Parameters
    ----------
    formula : text, formula of coordinates named x, y, z, or a function of x, y, z
        The nearer it is to the distance from the surface, the better the gaps of contacts; near
        the surface it is divided by its slope.
    size : 3 numbers  [m]
        Edges of a box about the middle that holds the surface.

    Examples
    --------
    >>> SignedDistance("sqrt(x**2 + y**2) - 0.3", size=(0.7, 0.7, 2))
    SignedDistance(size=(0.7, 0.7, 2))
    """

    formula: Any
    _: KW_ONLY
    size: Any
    kind: ClassVar[str] = "signed_distance"
    lengths: ClassVar[tuple[tuple[str, int], ...]] = (("size", 3),)

    def read(self, findings: Findings) -> None:
        """The formula, of x, y and z only."""
        given, found = self.formula, None
        try:
            if isinstance(given, str):
                found = parse(given, PLACE, "formula")
            elif callable(given) and not isinstance(given, Expression):
                if len(inspect.signature(given).parameters) == 3:
                    found = lift(given(*PLACE.values()))
            else:
                found = lift(given)
        except (DalembertError, TypeError) as problem:
            findings.append(f"the formula cannot be read: {problem}")
            found = lift(1.0)
        if found is None:
            findings.append("formula is no formula of x, y and z. Give for example 'x**2 - 1'.")
            found = lift(1.0)
        leaves = symbols([found], "coordinate", "velocity", "parameter", "time")
        others = [leaf for leaf in leaves if leaf not in PLACE.values()]
        if others:
            names = ", ".join(sorted(str(leaf) for leaf in others))
            findings.append(f"the formula holds {names}. Write it in x, y and z and numbers.")
        object.__setattr__(self, "formula", found)
        if any(isinstance(edge, Expression) for edge in self.size):
            findings.append("size holds a formula. Give 3 numbers.")
            object.__setattr__(self, "size", (1.0, 1.0, 1.0))

    def _shown(self) -> Iterator[str]:
        yield f"size=({', '.join(f'{edge:g}' for edge in self.size)})"


SURFACES: dict[str, type[Solid]] = {
    kind.kind: kind for kind in (ConvexHull, HeightField, SignedDistance)
}
"""By kind."""


def _table(
    given: Any, what: str, columns: int | None, least: int, findings: Findings
) -> npt.NDArray[np.float64]:
    """Rows of finite numbers."""
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2 or len(found) < least or (columns and found.shape[1] != columns):
        wanted = f"{columns} numbers" if columns else "numbers, all of one length"
        findings.append(f"{what} are not {least} or more lists of {wanted}. Give those.")
        return np.zeros((max(least, 1), columns or least))
    if not np.all(np.isfinite(found)):
        findings.append(f"{what} are not all finite. Give finite numbers.")
        return np.zeros_like(found)
    return found
