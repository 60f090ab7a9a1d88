"""Methods and integrators written as text: ``projection``, ``baumgarte:alpha=5,beta=5``."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from dalembert.enforcement.row_gains import Gain
from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean

NUMBER, WHOLE = ("a number", "0.1"), ("a whole number", "2")
WANTED: dict[Any, tuple[str, str]] = {
    float: NUMBER,
    "float": NUMBER,
    float | None: NUMBER,
    "float | None": NUMBER,
    int | None: WHOLE,
    "int | None": WHOLE,
    int: WHOLE,
    "int": WHOLE,
    Gain: NUMBER,
    bool: ("true or false", "true"),
    "bool": ("true or false", "true"),
}
"""Annotations of parameters that are no text: what to give instead, and an example."""


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
            f"No {kind} {name!r}{did_you_mean(key, list(table))} Known: {', '.join(table)}."
        )
    factory = table[key]
    signature = inspect.signature(factory).parameters
    known = list(signature)
    options = _by_name(options, known)
    for option, value in options.items():
        if option not in known:
            raise OptionError(
                f"{kind} {key}: no parameter {option!r}{did_you_mean(option, known)}"
                f" Known: {', '.join(known) or 'none'}."
            )
        wanted = WANTED.get(signature[option].annotation)
        if isinstance(value, str) and wanted is not None:
            what, example = wanted
            raise OptionError(
                f"{kind} {key}: {option} is {value!r}. Give {what}, {key}:{option}={example}"
            )
    try:
        return factory(**options)
    except TypeError as problem:
        raise OptionError(f"{kind} {key}: {problem}. Write {key}:key=value,...") from problem


def _by_name(options: Mapping[str, Any], known: list[str]) -> dict[str, Any]:
    """``stiffness.bar=1e6,stiffness.rod=2e5`` as one parameter with values by name."""
    found: dict[str, Any] = {}
    for key, value in options.items():
        option, dot, name = key.partition(".")
        if not dot or key in known:
            found[key] = value
            continue
        values = found.setdefault(option, {})
        if not isinstance(values, dict):
            raise OptionError(f"{option} is given as a whole and for {name!r}. Give one of them.")
        values[name] = value
    return found


def split_options(text: str) -> tuple[str, dict[str, Any]]:
    """``name:key=value,...`` as name and options; values are literals, ``1:2:3``, or text."""
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise OptionError(f"{text!r}: {part!r} is not key=value. Write {name}:key=value,...")
        options[key.strip()] = _literal(value.strip())
    return name.strip(), options


def _literal(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    parts = text.split(":")
    try:
        if len(parts) > 1:
            return tuple(float(part) for part in parts)
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
