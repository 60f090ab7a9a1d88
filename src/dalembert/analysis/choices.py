"""Methods and integrators written as text: ``projection``, ``baumgarte:alpha=5,beta=5``."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Mapping
from typing import Any

from dalembert.errors import OptionError


def made(text: str, table: Mapping[str, Any], kind: str) -> Any:
    """The object `text` describes, from a table name -> class; `kind` is for the message."""
    name, options = split_options(text)
    by_class = {factory.__name__: key for key, factory in table.items()}
    key = by_class.get(name, name.lower().replace("_", "-"))
    before, comma, rest = name.partition(",")
    if comma and "=" in rest:
        raise OptionError(f"No {kind} {name!r}. Parameters stand behind a colon: {before}:{rest}")
    if key not in table:
        raise OptionError(
            f"No {kind} {name!r}{nearest(key, list(table))} Known: {', '.join(table)}."
        )
    factory = table[key]
    signature = inspect.signature(factory).parameters
    known = list(signature)
    for option, value in options.items():
        if option not in known:
            raise OptionError(
                f"{kind} {key}: no parameter {option!r}{nearest(option, known)}"
                f" Known: {', '.join(known) or 'none'}."
            )
        if isinstance(value, str) and not _takes_text(signature[option].annotation):
            raise OptionError(
                f"{kind} {key}: {option} is {value!r}. Give a number, {key}:{option}=0.1"
            )
    try:
        return factory(**options)
    except TypeError as problem:
        raise OptionError(f"{kind} {key}: {problem}. Write {key}:key=value,...") from problem


def split_options(text: str) -> tuple[str, dict[str, Any]]:
    """``name:key=value,...`` as name and options; values are literals, true or false, or text."""
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise OptionError(f"{text!r}: {part!r} is not key=value. Write {name}:key=value,...")
        options[key.strip()] = _literal(value.strip())
    return name.strip(), options


def nearest(name: str, known: list[str]) -> str:
    """End of a sentence: ``; did you mean 'x'?``, or its full stop."""
    same = [other for other in known if other.lower() == name.lower()]
    close = same or difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else "."


def _takes_text(annotation: Any) -> bool:
    return annotation not in (float, int, bool, "float", "int", "bool") and (
        str(annotation) != "float | None"
    )


def _literal(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
