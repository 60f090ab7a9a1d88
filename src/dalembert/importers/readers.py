"""Which files hold a model: one reader for each suffix, and what is said about the others.

A reader takes a path and returns a `Read`: the model, and what the file says that the model does
not. Adding a format is its file in this folder and one line in `READERS`.
"""

from __future__ import annotations

import contextlib
import difflib
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dalembert._files import opened
from dalembert.errors import ImportFileError
from dalembert.model import Model


@dataclass(frozen=True)
class Loss:
    """Something a file says that is not in the model made from it."""

    what: str
    """A sentence: what it is, and what becomes of it."""

    where: str = ""
    """File and line, where it has one."""

    names: tuple[str, ...] = ()
    """All the elements it is about, where the sentence names only some."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


@dataclass(frozen=True)
class Read:
    """A model read from a file, what of the file is not in it, and what was chosen for it."""

    model: Model
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()


def _native(path: Path) -> Read:
    from dalembert.importers.native import read

    return read(path)


def _urdf(path: Path) -> Read:
    from dalembert.importers.urdf.load import read_urdf

    return read_urdf(path)


def _mjcf(path: Path) -> Read:
    from dalembert.importers.mjcf.load import read_mjcf

    return read_mjcf(path)


def _xml(path: Path) -> Read:
    """MJCF and URDF share a suffix; the first element tells them apart."""
    root = _first_element(path)
    if root == "robot":
        return _urdf(path)
    if root in ("mujoco", ""):  # MuJoCo itself says what is wrong with what is no XML
        return _mjcf(path)
    raise ImportFileError(
        f"{path}: is XML that begins with <{root}>, not a model. MJCF begins with <mujoco>, URDF "
        "with <robot>."
    )


def _first_element(path: Path) -> str:
    """Name of the outermost element of an XML file; empty when there is none."""
    from lxml import etree

    try:
        with opened(path) as file:
            for _, element in etree.iterparse(file, events=("start",), resolve_entities=False):
                return str(etree.QName(element).localname)
    except (OSError, etree.XMLSyntaxError, ValueError):
        pass
    return ""


READERS: dict[str, Callable[[Path], Read]] = {
    ".yaml": _native,
    ".yml": _native,
    ".json": _native,
    ".toml": _native,
    ".urdf": _urdf,
    ".mjcf": _mjcf,
    ".xml": _xml,
}
"""Suffix -> reader."""

_LATER = "is not read yet. Describe the mechanism in YAML (docs/how-to/model-files.md)."
FOREIGN = {
    ".xacro": (
        "is xacro, from which URDF is made. Expand it first: `xacro robot.urdf.xacro > robot.urdf` "
        "(in ROS, or from `pip install xacro`), and read the result."
    ),
    ".sdf": f"SDF {_LATER}",
    ".usd": f"USD {_LATER}",
    ".usda": f"USD {_LATER}",
    ".usdc": f"USD {_LATER}",
    ".usdz": f"USD {_LATER}",
    ".stl": "a mesh is a shape, not a mechanism. Name it among the shapes of a body.",
    ".obj": "a mesh is a shape, not a mechanism. Name it among the shapes of a body.",
    ".npz": "is a saved run, not a model. Use it with dalembert plot or dalembert export.",
}
"""Suffix -> why such a file is refused."""


def read(path: str | Path) -> Read:
    """The model of a file, by the suffix of its name.

    Raises
    ------
    ImportFileError
        There is no such file, or it holds no model that is understood.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in READERS:
        must_be_file(path)
        with _uncollected():
            return READERS[suffix](path)
    must_be_file(path)
    known = ", ".join(READERS)
    if suffix in FOREIGN:
        raise ImportFileError(f"{path}: {FOREIGN[suffix]}")
    raise ImportFileError(
        f"{path}: files ending in {suffix or 'nothing'!r} are not understood. Model files end in "
        f"{known}, or .py."
    )


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No search for garbage: a reader makes much that stays, and half its time would go there."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def must_be_file(path: Path) -> None:
    """Refuse what is not there, with the nearest file name, and folders."""
    must_exist(path, (*READERS, ".py"))
    if path.is_dir():
        if (path / "run.json").is_file():
            raise ImportFileError(
                f"{path}: is the folder of a run, not a model. Use it with dalembert plot, view, "
                "export or resume."
            )
        inside = sorted(p.name for p in path.iterdir() if p.suffix.lower() in READERS)
        hint = f" Models in it: {', '.join(inside[:5])}." if inside else " Give a file."
        raise ImportFileError(f"{path}: is a folder, not a file.{hint}")


def must_exist(path: Path, suffixes: tuple[str, ...]) -> None:
    """Refuse what is not there, with the nearest name that is, preferably with such a suffix."""
    try:
        if path.exists():
            return
        folder, missing = path.parent, path  # follow the path as far as it exists
        while not folder.exists():
            folder, missing = folder.parent, folder
        names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ImportFileError(f"{path}: cannot be read: {reason}.") from None
    what = "file" if missing == path else f"folder '{missing}'"
    near = _nearest_file(missing, names, suffixes if missing == path else ())
    hint = f" Did you mean '{folder / near}'?" if near else " Check the path."
    raise ImportFileError(f"{path}: there is no such {what}.{hint}")


def _nearest_file(missing: Path, names: list[str], suffixes: tuple[str, ...]) -> str | None:
    """The name most like the missing one; its ending, which many share, does not count."""
    kept = [name for name in names if suffixes and name.lower().endswith(suffixes)] or names
    stems = {Path(name).stem: name for name in kept}
    same = [name for name in kept if Path(name).stem == missing.stem]
    if same:
        return difflib.get_close_matches(missing.name, same, n=1, cutoff=0.0)[0]
    close = difflib.get_close_matches(missing.stem, stems, n=1, cutoff=0.6)
    return stems[close[0]] if close else None
