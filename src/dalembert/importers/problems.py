"""Findings of the schema as sentences with file, line and the nearest known key."""

from __future__ import annotations

import difflib
import types
import typing
from typing import Any

from pydantic import BaseModel, ValidationError

from dalembert.importers.schema import ModelEntry
from dalembert.importers.source import Key, Place, Source


def describe(problem: ValidationError, source: Source) -> str:
    """All findings, one a line; the same value is reported once."""
    sentences: dict[str, None] = {}
    for error in problem.errors():
        place = _in_data(error["loc"], source.data)
        sentences[f"{source.where(_existing(place, source.data))}: {_sentence(error, place)}"] = (
            None
        )
    return "\n".join(sentences)


def _in_data(location: tuple[Key, ...], data: Any) -> Place:
    """The location without the labels pydantic inserts for alternatives of a union."""
    place: list[Key] = []
    for k, part in enumerate(location):
        if isinstance(data, dict) and (part in data or k == len(location) - 1):
            place.append(part)
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            place.append(part)
            data = data[part]
    return tuple(place)


def _existing(place: Place, data: Any) -> Place:
    """The part of the place that the file contains."""
    for k, part in enumerate(place):
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return place[:k]
    return place


def _sentence(error: Any, place: Place) -> str:
    kind, last = error["type"], str(place[-1]) if place else "file"
    shown = ".".join(map(str, place))
    if kind == "extra_forbidden":
        known = _keys(place[:-1])
        close = difflib.get_close_matches(last, known, n=1, cutoff=0.5)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        return f"key {last!r} is unknown{hint} Known keys: {', '.join(known)}."
    if kind == "missing":
        remedy = "Add 'version: 1'." if last == "version" else "Add it."
        return f"key {last!r} is missing. {remedy}"
    if place == ("version",):
        return f"version {error['input']!r} is not understood, expected 1."
    if kind in ("formula", "number"):
        return f"{shown}: {error['msg']}."
    return f"{shown}: found {error['input']!r:.60}, expected: {error['msg']}."


def _keys(place: Place) -> list[str]:
    """Keys allowed at a place: walks the schema along it."""
    found: list[Any] = [ModelEntry]
    for part in place:
        inner: list[Any] = []
        for kind in found:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                if part in kind.model_fields:
                    inner += _alternatives(kind.model_fields[str(part)].annotation)
            else:
                arguments = typing.get_args(kind)
                inner += _alternatives(arguments[-1]) if arguments else []
        found = inner
    keys: list[str] = []
    for kind in found:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys += list(kind.model_fields)
    return keys


def _alternatives(annotation: Any) -> list[Any]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return list(typing.get_args(annotation))
    return [annotation]
