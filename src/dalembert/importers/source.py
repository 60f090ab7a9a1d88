"""A YAML, JSON or TOML file as plain data that remembers its line numbers."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml
from yaml.reader import ReaderError

from dalembert._files import read_bytes
from dalembert.errors import ImportFileError
from dalembert.importers.yaml_nodes import DEEPEST, LARGEST, TooManyError, broken, compose
from dalembert.in_words import as_file

Key = str | int
Place = tuple[Key, ...]
"""Where a value stands in the data: keys and indices from the outermost in."""


def shown(place: Sequence[Key]) -> str:
    """``constraints.bar[1]``: a place as the user would write it."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


# YAML 1.2 numbers. PyYAML follows 1.1, which reads 1e-3 as text and 1:30 as ninety.
_INTEGER = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_PLAIN = {"": None, "~": None, "null": None, "true": True, "false": False}

ENDLESS = "contains too many or endlessly nested values. Write them out."

MOST_BYTES = 16 * 2**20
"""Most bytes of a file."""

MOST_DIGITS = 18
"""Most digits of a whole number; one of more is read as a real one."""


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
        raise ImportFileError(f"{self.where(place)}: {as_file(what)}")


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
        data = read_bytes(path, MOST_BYTES)
        if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ImportFileError(f"{path}: is not text but binary. Give a model file.")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
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
    if max(map(text.count, "[{,")) > LARGEST or _nested(text):
        raise _too_deep(path)
    try:
        data = json.loads(text, object_pairs_hook=dict, parse_int=_whole)
    except json.JSONDecodeError as problem:
        raise ImportFileError(
            f"{path}, line {problem.lineno}: not well-formed JSON: {problem.msg}."
        ) from None
    except RecursionError:
        raise _too_deep(path) from None
    # JSON is YAML but for tabs, which stand only between its tokens: read again for the lines.
    lines = _from_yaml(path, text.replace("\t", " ")).lines
    return Source(path, data, lines)


def _from_toml(path: Path, text: str) -> Source:
    if max(map(text.count, "[{,\n")) > LARGEST or _nested(text):
        raise _too_deep(path)
    try:
        return Source(path, _in_bounds(tomllib.loads(text)), _lines_of_toml(text))
    except tomllib.TOMLDecodeError as problem:
        what, _, place = str(problem).partition(" (at line ")
        line, _, column = place.removesuffix(")").partition(", column ")
        where = f"{path}, line {line}" if line else str(path)
        at = f" at character {column}" if column else ""
        raise ImportFileError(f"{where}: not well-formed TOML{at}: {what}.") from None
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError:  # thousands of digits
        raise ImportFileError(f"{path}: holds a number that is none. Correct it.") from None


def _nested(text: str) -> bool:
    """Whether brackets stand within brackets without end; those in quotes count as well."""
    depth = deepest = 0
    for found in re.finditer(r"[][{}]", text):
        depth = max(0, depth + (1 if found[0] in "[{" else -1))
        deepest = max(deepest, depth)
    return deepest > DEEPEST


def _too_deep(path: Path) -> ImportFileError:
    return ImportFileError(f"{path}: {ENDLESS}")


def _lines_of_toml(text: str) -> dict[Place, int]:
    """Line of every key that begins one; keys inside braces belong to the line they are on."""
    lines: dict[Place, int] = {}
    table: Place = ()
    counts: dict[Place, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        head = re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]", line)
        key = re.match(r"\s*([\w.\"'-]+)\s*=", line)
        if head:
            name = tuple(part.strip("\"' ") for part in head[2].split("."))
            table = tuple(p for k in range(len(name)) for p in _inside(name[: k + 1], counts))
            if head[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
                table = (*table[: -1 if isinstance(table[-1], int) else None], counts[name])
            lines.setdefault(table, number)
        elif key:
            place = (*table, *(part.strip("\"'") for part in key[1].split(".")))
            lines.setdefault(place, number)
    return lines


def _inside(name: Place, counts: dict[Place, int]) -> Place:
    """The last part of a table's name, and which of an array of tables it is in."""
    return (name[-1], counts[name]) if name in counts else (name[-1],)


def _from_yaml(path: Path, text: str) -> Source:
    try:
        root = compose(text)
    except TooManyError as problem:
        raise ImportFileError(f"{path}, line {problem.line}: {ENDLESS}") from None
    except yaml.MarkedYAMLError as problem:
        line, what = broken(problem)
        raise ImportFileError(f"{path}{f', line {line}' if line else ''}: {what}") from None
    except ReaderError as problem:
        number = text.count("\n", 0, problem.position) + 1
        raise ImportFileError(
            f"{path}, line {number}: holds a character that text does not have "
            f"({text[problem.position : problem.position + 1]!r}). Remove it."
        ) from None
    except (yaml.YAMLError, RecursionError) as problem:
        raise ImportFileError(f"{path}: not well-formed YAML: {problem!s:.200}") from None
    if root is None:
        raise ImportFileError(f"{path}: is empty. Begin with 'version: 1'.")
    return _Builder(path, text).build(root)


class _Builder:
    """Turns YAML nodes into data and notes the line of each."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.lines: dict[Place, int] = {}
        self.count = 0

    def build(self, root: yaml.Node) -> Source:
        return Source(self.path, self.value(root, (), ()), self.lines)

    def value(self, node: yaml.Node, place: Place, parents: tuple[int, ...]) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        self.count += 1
        if self.count > LARGEST or id(node) in parents or len(parents) > DEEPEST:
            self.refuse(line, ENDLESS)
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
        self.refuse_cut(node)
        return _scalar(node)

    def refuse_cut(self, node: yaml.ScalarNode) -> None:
        """Refuse a formula that YAML has cut at a comma, as it does inside braces and brackets."""
        if node.style is not None or node.value.count("(") <= node.value.count(")"):
            return
        start, depth = node.start_mark.index, 0
        for i, letter in enumerate(self.text[start : start + 500]):
            depth += (letter == "(") - (letter == ")")
            if letter == ")" and depth == 0:
                whole = " ".join(self.text[start : start + i + 1].split())
                if "," in whole:
                    self.refuse(
                        node.start_mark.line + 1,
                        f"YAML cuts the formula {whole} at its comma, as it stands in braces or "
                        f'brackets. Put it in quotes: "{whole}".',
                    )
                return

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
        return _whole(text)
    if _REAL.fullmatch(text):
        return float(text)
    return text


def _whole(digits: str) -> int | float:
    """A whole number; one of very many digits as a real number, which may be infinite."""
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def _in_bounds(data: Any) -> Any:
    """Data with whole numbers of very many digits as real ones."""
    if isinstance(data, dict):
        return {key: _in_bounds(part) for key, part in data.items()}
    if isinstance(data, list):
        return [_in_bounds(part) for part in data]
    if isinstance(data, int) and abs(data) >= 10**MOST_DIGITS:
        if abs(data) >= 10**308:
            return math.inf if data > 0 else -math.inf
        return float(data)
    return data
