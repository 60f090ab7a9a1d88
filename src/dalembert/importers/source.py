"""A YAML, JSON or TOML file as plain data that remembers its line numbers."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from dalembert.errors import ImportFileError

Key = str | int
Place = tuple[Key, ...]
"""Where a value stands in the data: keys and indices from the outermost in."""

# YAML 1.2 numbers. PyYAML follows 1.1, which reads 1e-3 as text and 1:30 as ninety.
_INTEGER = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_PLAIN = {"": None, "~": None, "null": None, "true": True, "false": False}

LARGEST = 100_000
"""Values in one file; aliases of aliases can otherwise grow without bound."""


@dataclass(frozen=True)
class Source:
    """Data of a file, and the line of every key and value."""

    path: Path
    data: Any
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Sequence[Key]) -> int | None:
        """Line of a place, or of the nearest enclosing one that is known."""
        for end in range(len(place), -1, -1):
            found = self.lines.get(tuple(place[:end]))
            if found is not None:
                return found
        return None

    def where(self, place: Sequence[Key] = ()) -> str:
        """``file, line 7`` of a place."""
        line = self.line(place) if place else None
        return f"{self.path}, line {line}" if line else str(self.path)

    def refuse(self, place: Sequence[Key], what: str) -> NoReturn:
        """Raise an ImportFileError about a place."""
        raise ImportFileError(f"{self.where(place)}: {what}")


def read_source(path: str | Path) -> Source:
    """Data of a .yaml, .yml, .json or .toml file.

    Raises
    ------
    ImportFileError
        File missing, unreadable, empty or not well-formed; with the line where it broke.
    """
    path = Path(path)
    text = _text(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        return _from_json(path, text)
    if suffix == ".toml":
        return _from_toml(path, text)
    if suffix in (".yaml", ".yml"):
        return _from_yaml(path, text)
    raise ImportFileError(
        f"{path}: files ending in {suffix or 'nothing'!r} are not model files. "
        "Give a .yaml, .json or .toml file."
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ImportFileError(f"{path}: there is no such file. Check the path.") from None
    except IsADirectoryError:
        raise ImportFileError(f"{path}: is a folder. Give a file in it.") from None
    except UnicodeDecodeError as problem:
        raise ImportFileError(
            f"{path}: is not UTF-8 text (byte {problem.start}). Save it as UTF-8."
        ) from None
    except OSError as problem:
        raise ImportFileError(f"{path}: cannot be read: {problem.strerror}.") from None


def _from_json(path: Path, text: str) -> Source:
    try:
        data = json.loads(text, object_pairs_hook=dict)
    except json.JSONDecodeError as problem:
        raise ImportFileError(
            f"{path}, line {problem.lineno}: not well-formed JSON: {problem.msg}."
        ) from None
    # JSON is YAML but for tabs, which stand only between its tokens: read again for the lines.
    lines = _from_yaml(path, text.replace("\t", " ")).lines
    return Source(path, data, lines)


def _from_toml(path: Path, text: str) -> Source:
    try:
        return Source(path, tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        raise ImportFileError(f"{path}: not well-formed TOML: {problem}.") from None


def _from_yaml(path: Path, text: str) -> Source:
    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        what = " ".join(filter(None, (problem.context, problem.problem)))
        raise ImportFileError(
            f"{path}{line}: not well-formed YAML: {what}. Check indentation, quotes and colons."
        ) from None
    except (yaml.YAMLError, RecursionError) as problem:
        raise ImportFileError(f"{path}: not well-formed YAML: {problem!s:.200}") from None
    if root is None:
        raise ImportFileError(f"{path}: is empty. Begin with 'version: 1'.")
    return _Builder(path).build(root)


class _Builder:
    """Turns YAML nodes into data and notes the line of each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Place, int] = {}
        self.count = 0

    def build(self, root: yaml.Node) -> Source:
        return Source(self.path, self.value(root, (), ()), self.lines)

    def value(self, node: yaml.Node, place: Place, parents: tuple[int, ...]) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        self.count += 1
        if self.count > LARGEST or id(node) in parents or len(parents) > 100:
            self.refuse(line, "contains too many or endlessly nested values. Write them out.")
        if not node.tag.startswith("tag:yaml.org,2002:"):
            self.refuse(line, f"the tag {node.tag!r} is not understood. Remove it.")
        inside = (*parents, id(node))
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, place, inside)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(part, (*place, i), inside) for i, part in enumerate(node.value)]
        if not isinstance(node, yaml.ScalarNode) or node.tag not in (
            "tag:yaml.org,2002:str",
            "tag:yaml.org,2002:float",
        ):
            self.refuse(line, f"the tag {node.tag!r} is not understood. Remove it.")
        return _scalar(node)

    def mapping(self, node: yaml.MappingNode, place: Place, parents: tuple[int, ...]) -> Any:
        data: dict[str, Any] = {}
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.refuse(line, "a key must be a name. Put formulas in braces in quotes.")
            key = key_node.value
            if key in data:
                self.refuse(
                    line, f"key {key!r} stands here and on line {first[key]}. Keep one of them."
                )
            first[key] = line
            self.lines[(*place, key)] = line
            data[key] = self.value(value_node, (*place, key), parents)
        return data

    def refuse(self, line: int, what: str) -> NoReturn:
        raise ImportFileError(f"{self.path}, line {line}: {what}")


def _scalar(node: yaml.ScalarNode) -> Any:
    text = node.value
    if node.style is not None:  # quoted: text, whatever it looks like
        return text
    if text in _PLAIN:
        return _PLAIN[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _REAL.fullmatch(text):
        return float(text)
    return text
