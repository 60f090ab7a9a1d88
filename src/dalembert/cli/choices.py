"""Methods, integrators and values written as text: ``baumgarte:alpha=5,beta=5``, ``l=2.0``."""

from __future__ import annotations

import math
import re
from typing import Any

from dalembert.analysis.choices import made
from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean


def method_of(text: str | None) -> Any:
    """The method object, or None for the default."""
    if text is None:
        return None
    from dalembert.enforcement import METHODS

    return made(text, METHODS, "method")


def integrator_of(text: str | None) -> Any:
    """The integrator object, or None for the default."""
    if text is None:
        return None
    from dalembert.integration import INTEGRATORS

    return made(text, INTEGRATORS, "integrator")


def methods_of(texts: list[str]) -> list[Any] | str:
    """Several methods; ``all`` for every one. Names without parameters may share a comma list."""
    parts: list[str] = []
    for text in texts:
        parts += [text] if ":" in text else [part for part in text.split(",") if part]
    chosen = [method_of(part) for part in parts if part != "all"]
    return "all" if "all" in parts else chosen


def key_values(texts: list[str], option: str, known: list[str]) -> dict[str, float]:
    """``["l=2.0,m=1", "g=9.8"]`` as numbers by name; an unknown name gets the nearest one."""
    found: dict[str, float] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise OptionError(
                f"{option}: {part!r} is not name=value, for example l=2.0. Values are separated by"
                " commas, decimals begin with a point."
            )
        if key not in known:
            names = ", ".join(known) or "none"
            raise OptionError(f"{option}: no {key!r}{did_you_mean(key, known)} Known: {names}.")
        try:
            found[key] = float(value)
        except ValueError as problem:
            raise OptionError(
                f"{option}: {key} = {value!r} is not a number. {_number_meant(key, value)}"
            ) from problem
    return found


def _number_meant(key: str, value: str) -> str:
    """Advice on a value with a unit, or on none: what to write instead."""
    found = re.fullmatch(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z°/^]+\d?)", value)
    try:
        given = float(found[1]) if found else None
    except ValueError:
        given = None
    if found is None or given is None:
        return f"Write for example {key}=0.5."
    if found[2].lower() in ("deg", "degree", "degrees", "°"):
        return f"Angles are in radians: write {key}={math.radians(given):.6g}."
    return f"Units are SI and not written: {key}={given:g}, if that is the number in SI units."
