"""Shapes of links: the files meshes are in, and colours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dalembert.errors import DalembertError
from dalembert.importers.urdf.reading import XmlFile
from dalembert.importers.urdf.robot import Pose, Visual
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.mesh_file import SUFFIXES
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Box, Capsule, Cylinder, Sphere

DRAWN, TOUCHES = "is not drawn", "does not touch"
"""Words for what a shape without a mesh does not do."""


class Shapes:
    """Makes the shapes of one file; a mesh that several links show is read once."""

    def __init__(self, file: XmlFile, packages: Mapping[str, str | Path], meshes: bool) -> None:
        self.file = file
        self.packages = {name: Path(folder) for name, folder in packages.items()}
        self.meshes = meshes
        self.known: dict[tuple[Path, tuple[float, ...]], Mesh] = {}
        self.folders = _search_path(file.path)

    def shape(self, visual: Visual, pose: Pose, owner: str, does: str = DRAWN) -> Solid | None:
        """A shape in the frame of its body; None and a loss where there is none.

        `does` says what becomes of it: it "is not drawn", or "does not touch".
        """
        at = pose @ visual.pose
        options: dict[str, Any] = {
            "position": tuple(map(float, at.position)),
            "rotation": at.rotation,
            "color": visual.color,
            "opacity": visual.opacity,
        }
        m = visual.measures
        if visual.kind == "mesh":
            return self.mesh(visual, options, owner, does)
        if visual.kind == "box":
            return Box(size=m, **options)
        if visual.kind == "sphere":
            return Sphere(radius=m[0], **options)
        kind = Cylinder if visual.kind == "cylinder" else Capsule
        return kind(radius=m[0], length=m[1], **options)

    def mesh(self, visual: Visual, options: dict[str, Any], owner: str, does: str) -> Solid | None:
        """Triangles of a file; each file is read once."""
        element = visual.element
        if not self.meshes:
            self.file.lose(element, f"{owner}: mesh '{visual.file}' {does} (meshes=False).")
            return None
        found = self.find(visual.file)
        if not isinstance(found, Path):
            self.file.lose(element, f"{owner}: mesh '{visual.file}' {does}: {found}")
            return None
        if found.suffix.lower() not in SUFFIXES:
            ending = found.suffix or "no suffix"
            self.file.lose(
                element,
                f"{owner}: mesh '{visual.file}' {does}: {ending} is not read. Convert it to "
                ".stl, .obj or .dae.",
            )
            return None
        key = (found, visual.measures)
        try:
            if key not in self.known:
                self.known[key] = Mesh(found, scale=_scale(visual.measures))
            return self.known[key].placed(**options)
        except DalembertError as problem:
            self.file.lose(element, f"{owner}: mesh '{visual.file}' {does}: {problem}")
            return None

    def find(self, name: str) -> Path | str:
        """The file a mesh is in, or why there is none."""
        scheme, separator, rest = name.partition("://")
        if not separator:
            path = Path(name.replace("\\", "/"))
            path = path if path.is_absolute() else self.file.path.parent / path
            return _existing(path)
        if scheme == "file":
            return _existing(Path(unquote(rest)))
        if scheme not in ("package", "model"):
            return f"{scheme}:// is not read; nothing is fetched. Give a file beside the robot."
        package, _, inside = rest.partition("/")
        for folder in self.candidates(package):
            found = _existing(folder / inside)
            if isinstance(found, Path):
                return found
        if package in self.packages:
            return f"there is no '{inside}' in {self.packages[package]}."
        return f"package '{package}' was not found. Say where it is: packages={{'{package}': ...}}."

    def candidates(self, package: str) -> list[Path]:
        """Folders that may be a package: given, above the file, or where ROS looks."""
        if package in self.packages:
            return [self.packages[package]]
        found: list[Path] = []
        for folder in self.folders:
            if folder.name == package:
                found.append(folder)
            found += [folder / package, folder / "share" / package]
        return [folder for folder in found if _is_folder(folder)]


def _search_path(path: Path) -> list[Path]:
    above = list(path.absolute().parents)
    for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        above += [Path(x) for x in os.environ.get(variable, "").split(os.pathsep) if x]
    return above


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _existing(path: Path) -> Path | str:
    try:
        return path if path.is_file() else f"there is no file {path}."
    except (OSError, ValueError):
        return "its path cannot be read."


def _scale(measures: tuple[float, ...]) -> Any:
    """One number where the mesh keeps its proportions."""
    x, y, z = measures
    return x if x == y == z and x > 0.0 else measures
