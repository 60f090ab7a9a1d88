"""Methods, integrators and values written as text: ``baumgarte:alpha=5,beta=5``, ``l=2.0``."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Mapping
from typing import Any

from dalembert.errors import OptionError


def method_of(text: str | None) -> Any:
    """The method object, or None for the default."""
    if text is None:
        return None
    from dalembert.enforcement import METHODS

    return _made(text, METHODS, "method")


def integrator_of(text: str | None) -> Any:
    """The integrator object, or None for the default."""
    if text is None:
        return None
    from dalembert.integration import INTEGRATORS

    return _made(text, INTEGRATORS, "integrator")


def methods_of(texts: list[str]) -> list[Any] | str:
    """Several methods; ``all`` for every one. Names without parameters may share a comma list."""
    parts: list[str] = []
    for text in texts:
        parts += [text] if ":" in text else [part for part in text.split(",") if part]
    if "all" in parts:
        return "all"
    return [method_of(part) for part in parts]


def split_options(text: str) -> tuple[str, dict[str, Any]]:
    """``name:key=value,...`` as name and options; values are Python literals, else text."""
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise OptionError(f"{text!r}: {part!r} is not key=value. Write {name}:key=value,...")
        options[key.strip()] = _literal(value.strip())
    return name.strip(), options


def key_values(texts: list[str], option: str, known: list[str]) -> dict[str, float]:
    """``["l=2.0,m=1", "g=9.8"]`` as numbers by name; an unknown name gets the nearest one."""
    found: dict[str, float] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise OptionError(f"{option}: {part!r} is not name=value, for example l=2.0.")
        if key not in known:
            names = ", ".join(known) or "none"
            raise OptionError(f"{option}: no {key!r}{nearest(key, known)}. Known: {names}.")
        try:
            found[key] = float(value)
        except ValueError as problem:
            raise OptionError(f"{option}: {key} = {value!r} is not a number.") from problem
    return found


def nearest(name: str, known: list[str]) -> str:
    """``; did you mean 'x'?`` or nothing."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def _made(text: str, table: Mapping[str, Any], kind: str) -> Any:
    name, options = split_options(text)
    by_class = {factory.__name__: key for key, factory in table.items()}
    key = by_class.get(name, name.lower().replace("_", "-"))
    if key not in table:
        raise OptionError(
            f"No {kind} {name!r}{nearest(key, list(table))}. Known: {', '.join(table)}."
        )
    factory = table[key]
    known = list(inspect.signature(factory).parameters)
    for option in options:
        if option not in known:
            raise OptionError(
                f"{kind} {key}: no parameter {option!r}{nearest(option, known)}."
                f" Known: {', '.join(known) or 'none'}."
            )
    try:
        return factory(**options)
    except TypeError as problem:
        raise OptionError(f"{kind} {key}: {problem}. Write {key}:key=value,...") from problem


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
