"""Triangles as a shape, given or read from a file."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.reading import Findings
from dalembert.model.shapes.mesh_file import check_mesh, read_mesh
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Sphere


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
