"""Findings of the schema as sentences with file, line and the nearest known key."""

from __future__ import annotations

import difflib
import re
import types
import typing
from typing import Any

from pydantic import BaseModel, ValidationError

from dalembert.importers.checked_entries import kind_of
from dalembert.importers.schema import ModelEntry
from dalembert.importers.source import Key, Place, Source

TAGS = ("union_tag_invalid", "union_tag_not_found")
ABOUT_KEYS = ("missing", "extra_forbidden")
MOST = 8
"""Findings that are listed; what is wrong in many places is seen in a few."""

EXPECTED = {
    "dict_type": "a mapping (name: value)",
    "mapping_type": "a mapping (name: value)",
    "model_type": "a mapping with keys",
    "model_attributes_type": "a mapping with keys",
    "list_type": "a list",
    "string_type": "text",
    "formula": "a formula or a number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "greater_than": "a number above 0",
}
"""Pydantic's name of a mistake -> what should stand there."""

REMEDIES = {
    ("list_type", dict): " Begin each of its entries with '- ', its name within: - {name: ...}.",
    ("list_type", int): " Write it in brackets: [1, 2, 3].",
    ("list_type", float): " Write it in brackets: [1, 2, 3].",
    ("dict_type", list): " Begin each of its entries with its name instead of '- ': name: {...}.",
}
"""Advice on a mistake, by what was found."""


LOOKED_AT = 500
"""Mistakes that are compared with one another; a file may have as many as values."""


def describe(problem: ValidationError, source: Source) -> str:
    """All findings, one a line; the same value is reported once."""
    sentences: dict[str, None] = {}
    listed = problem.errors(include_url=False)[:LOOKED_AT]
    found = [(error, _in_data(error, source.data)) for error in listed]
    kept = [(e, place) for e, place in found if not _is_beside_the_point(e, place, found)]
    for error, place in kept:
        where = source.where(_existing(place, source.data))
        kinds = [other["type"] for other, at in kept if at == place]
        sentences[f"{where}: {_sentence(error, place, source.data, kinds)}"] = None
    shown = list(sentences)[:MOST]
    if len(sentences) > MOST:
        left = len(sentences) - MOST + problem.error_count() - len(listed)
        shown.append(f"{source.path}: and {left} more.")
    return "\n".join(shown)


def _in_data(error: Any, data: Any) -> Place:
    """The location without the labels pydantic inserts for alternatives of a union."""
    location: tuple[Key, ...] = error["loc"]
    place: list[Key] = []
    for k, part in enumerate(location):
        last = k == len(location) - 1 and error["type"] in ABOUT_KEYS
        if isinstance(data, dict) and (part in data or last):
            place.append(part)
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            place.append(part)
            data = data[part]
    return tuple(place)


def _is_beside_the_point(error: Any, place: Place, found: list[tuple[Any, Place]]) -> bool:
    """True for an alternative that was not meant: another one fits but for what is inside it.

    A mapping that is no formula may be a force with a misspelt key.
    """
    if error["type"] in (*ABOUT_KEYS, *TAGS):
        return False
    return any(
        (len(other) > len(place) and other[: len(place)] == place)
        or (other == place and another["type"] in TAGS)
        for another, other in found
    )


def _existing(place: Place, data: Any) -> Place:
    """The part of the place that the file contains."""
    for k, part in enumerate(place):
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return place[:k]
    return place


def _sentence(error: Any, place: Place, data: Any, kinds: list[str]) -> str:
    """A sentence on what was found and what was expected; `kinds` are all mistakes of the place."""
    kind, last = error["type"], str(place[-1]) if place else "file"
    shown = ".".join(map(str, place))
    inside = f"{'.'.join(map(str, place[:-1]))}: " if len(place) > 1 else ""
    if kind == "extra_forbidden":
        known = _keys(place[:-1], data)
        if last == "on" and place[0] == "shapes":
            return (
                f"{inside}key 'on' is unknown: these are shapes of the world. Those of a body stand"
                " in its own entry: bodies: [{name: ..., shapes: [...]}]."
            )
        return (
            f"{inside}key {last!r} is unknown{_near(last, known)} Known keys: {', '.join(known)}."
        )
    if kind == "missing":
        remedy = "Add 'version: 1'." if last == "version" else "Add it."
        return f"{inside}key {last!r} is missing. {remedy}"
    if kind == "union_tag_not_found":
        return f"{shown}: key 'type' is missing. Add it."
    if kind == "union_tag_invalid":
        tag = str(error["ctx"]["tag"])
        known = [word.strip(" '") for word in error["ctx"]["expected_tags"].split(",")]
        return f"{shown}: type {tag!r} is unknown{_near(tag, known)} Known: {', '.join(known)}."
    if place == ("version",):
        return f"version {error['input']!r} is not understood, expected 1."
    if error["input"] is None and ":" in last:
        return f"{inside}'{last}' has no value. Behind a colon YAML wants a space."
    if error["input"] is None and last.isdigit() and len(place) > 1:
        return f"{inside}{last!r} has no value. Decimals begin with a point, not a comma: 1.{last}."
    if kind == "number" or (kind == "formula" and kinds == ["formula"]):
        return f"{shown}: {error['msg']}."
    given = kind_of(error["input"])
    if kind == "literal_error":
        known = [word.strip(" '") for word in re.split(",| or ", error["ctx"]["expected"])]
        expected = ", ".join(known[:-1]) + " or " * (len(known) > 1) + known[-1]
        return f"{shown}: found {given}, expected {expected}{_near(str(error['input']), known)}"
    wanted = dict.fromkeys(EXPECTED[k] for k in kinds if k in EXPECTED)
    if kind in EXPECTED:
        advice = REMEDIES.get((kind, type(error["input"]))) if len(wanted) == 1 else None
        return f"{shown}: found {given}, expected {' or '.join(wanted)}.{advice or ''}"
    return f"{shown}: found {given}, expected: {error['msg']}."


def _near(given: str, known: list[str]) -> str:
    close = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else "."


def _keys(place: Place, data: Any) -> list[str]:
    """Keys allowed at a place: walks the schema along it."""
    found: list[Any] = [ModelEntry]
    for part in place:
        data = data[part]
        inner: list[Any] = []
        for kind in found:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                if part in kind.model_fields:
                    inner += _alternatives(kind.model_fields[str(part)].annotation)
            else:
                arguments = typing.get_args(kind)
                inner += _alternatives(arguments[-1]) if arguments else []
        found = [kind for kind in inner if _has_type(kind, data)]
        if not any(map(_is_entry, found)):
            found = inner  # of no known type: the keys of all
    keys: list[str] = []
    for kind in found:
        if _is_entry(kind):
            keys += [key for key in kind.model_fields if key not in keys]
    return keys


def _is_entry(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _has_type(kind: Any, data: Any) -> bool:
    """False for an element of another `type` than the file states."""
    if not (_is_entry(kind) and isinstance(data, dict)):
        return True
    tag = kind.model_fields.get("type")
    return tag is None or data.get("type") in typing.get_args(tag.annotation)


def _alternatives(annotation: Any) -> list[Any]:
    if typing.get_origin(annotation) is typing.Annotated:
        return _alternatives(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [kind for part in typing.get_args(annotation) for kind in _alternatives(part)]
    return [annotation]
