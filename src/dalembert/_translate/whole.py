"""Borders with all their parts, and the parts of these: how they are loaded, and their texts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from dalembert._translate import separate


def programs_of(borders: Iterable[Any]) -> dict[str, tuple[Callable[[], Any], str]]:
    """Loader and text of every program, by the name it is known by."""
    found: dict[str, tuple[Callable[[], Any], str]] = {}
    for each in borders:
        name = f"{each.function.__module__}.{each.function.__qualname__} border"
        found[name] = (each.load, each.text())
    texts = [text for _, text in found.values()]
    while texts:
        for key in separate.keys_in(texts.pop()):
            if key not in found:
                called, kinds = separate.named(key)
                found[key] = (functools.partial(called.part, kinds), called.part_text(kinds))
                texts.append(found[key][1])
    return found
