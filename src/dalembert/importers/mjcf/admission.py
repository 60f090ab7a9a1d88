"""Bounds for an MJCF file: MuJoCo allocates and copies whatever it is told to.

The file and those it includes are looked at before MuJoCo sees them: entities, counts that
multiply, sizes of pictures and height fields, and files that are none.
"""

from __future__ import annotations

import math
import os
import re
import stat
from pathlib import Path
from typing import Any, NoReturn

from dalembert._files import read_bytes
from dalembert.errors import ImportFileError

MOST_BYTES = 64_000_000
"""Most bytes of a file."""

MOST_ELEMENTS = 200_000
"""Elements after everything is copied that is to be copied."""

MOST_POINTS = 2**24
"""Most points of a picture, a height field, or other data that is only counted."""

MOST_MEMORY = 2**29
"""Bytes that a file may ask for its simulation by MuJoCo."""

DEEPEST = 10
"""Files included by files that are included."""

COUNTED = {"hfield": ("nrow", "ncol"), "texture": ("width", "height")}
FACTORS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50, "E": 2**60}


def admit(source: str | Path, *, is_text: bool) -> None:
    """Refuse a file that would take memory or time without bound."""
    if is_text:
        _File(Path("MJCF text"), Path()).look(str(source).encode(), 0)
        return
    path = Path(source)
    _File(path, path.parent).look(_content(path), 0)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path, MOST_BYTES)
    except OSError as problem:
        raise ImportFileError(f"{path}: cannot be read: {problem.strerror}.") from None


class _File:
    """One file and those it includes, which count together."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.elements = 0
        self.folders = {folder}

    def look(self, data: bytes, depth: int) -> None:
        """Look at a file's text; text that is no XML is left to MuJoCo, which says so."""
        from lxml import etree

        if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
            raise ImportFileError(f"{self.path}: defines entities, which are not read.")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError, LookupError) as problem:
            if "depth" in str(problem) or "huge" in str(problem).lower():
                raise ImportFileError(
                    f"{self.path}: its elements are nested too deeply. Write them otherwise."
                ) from None
            return
        for element in root.iter("compiler"):
            for name in ("meshdir", "texturedir", "assetdir"):
                if element.get(name):
                    self.folders.add(self.folder / element.get(name))
        self._count(root)
        for element in root.iter():
            self._sizes(element)
            given = element.get("file") if isinstance(element.tag, str) else None
            if given:
                self._file(given, element.tag == "include", depth)

    def _count(self, root: Any) -> None:
        """Elements, each as often as the replicates and composites around it say."""
        waiting = [(root, 1)]
        while waiting:
            element, times = waiting.pop()
            if isinstance(element.tag, str) and element.tag.split("}")[-1] in (
                "replicate",
                "composite",
                "flexcomp",
            ):
                counts = [abs(_number(x)) for x in (element.get("count") or "1").split()]
                times *= max(1, int(min(math.prod(max(1.0, c) for c in counts), 1e9)))
            self.elements += times
            if self.elements > MOST_ELEMENTS:
                self._refuse(element, f"stands for more than {MOST_ELEMENTS} elements")
            waiting.extend((inner, times) for inner in element)

    def _sizes(self, element: Any) -> None:
        """Sizes that are numbers and nothing more."""
        tag = element.tag
        if tag in COUNTED:
            points = math.prod(max(1.0, abs(_number(element.get(x) or "1"))) for x in COUNTED[tag])
            if points > MOST_POINTS:
                self._refuse(element, f"has {points:.3g} points, more than {MOST_POINTS}")
        if tag == "size":
            for name, value in element.attrib.items():
                limit = MOST_MEMORY if name in ("memory", "nstack") else MOST_ELEMENTS
                if _number(value) > limit:
                    self._refuse(element, f"asks for {name} {value:.20}, more than {limit}")

    def _file(self, given: str, included: bool, depth: int) -> None:
        """A file that the file names: no device, no pipe, not too large."""
        for folder in sorted(self.folders):  # a file that is included may name more of them
            path = folder / given
            try:
                found = os.stat(path)
            except (OSError, ValueError):
                continue
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
                raise ImportFileError(
                    f"{self.path}: names the file {given!r:.100}, which is a folder, a device, or"
                    " too large. Name a file."
                )
            if included:
                if depth >= DEEPEST:
                    raise ImportFileError(f"{self.path}: files include one another without end.")
                self.look(_content(path), depth + 1)

    def _refuse(self, element: Any, what: str) -> NoReturn:
        raise ImportFileError(
            f"{self.path}, line {element.sourceline}: <{element.tag}> {what}. Make it smaller."
        )


def _number(text: str) -> float:
    """A number with MuJoCo's letters for sizes; 0 for what is none, which MuJoCo refuses."""
    found = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([KMGTPE]?)[bB]?\s*", text)
    if found is None:
        return 0.0
    try:
        return float(found[1]) * FACTORS[found[2].upper()]
    except (ValueError, OverflowError):
        return 0.0
