"""How the shapes of a scene follow parameters: numbers of the drawing, at some values of each.

The motion in a page is worked out exactly for every value; what is drawn on the bodies is taken
between values that were tried when the page was made, and where several parameters change shapes,
their changes are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.model.core.model import Model
from dalembert.scene import describe
from dalembert.viewer.contents import plain_scene
from dalembert.viewer.encode import Payload

TRIED = 9
"""Values of a parameter at which the scene is described."""

DRAWN = ("bodies", "joints", "points", "links")
"""Parts of a scene that parameters may change."""

Path = tuple[Any, ...]


def looks_of(model: Model, knobs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Name of a parameter -> values tried, and changes of numbers of the drawing there.

    A parameter that changes what there is to draw, and not only numbers of it, has None.
    """
    if not model.bodies:
        return {}
    own = _numbers(model)
    found: dict[str, Any] = {}
    for knob in knobs:
        name, value, low, high = (knob[key] for key in ("name", "value", "low", "high"))
        near = _tried(model, name, value + 0.1 * (high - value or low - value or 1.0))
        if near is not None and _same(own, near):
            continue
        values = sorted({value, *(float(x) for x in np.linspace(low, high, TRIED))})
        found[name] = _changes(model, own, name, values)
    return found


def _changes(
    model: Model, own: dict[Path, float], name: str, values: Sequence[float]
) -> dict[str, Any] | None:
    """Changes of numbers at values; those at which the model does not close are left out."""
    tried = [(value, _tried(model, name, value)) for value in values]
    good = [(value, numbers) for value, numbers in tried if numbers is not None]
    if not good or any(numbers.keys() != own.keys() for _, numbers in good):
        return None
    numbers = []
    for path, base in own.items():
        changes = [float(f"{found[path] - base:.9g}") for _, found in good]
        if any(changes):
            numbers.append([list(path), changes])
    return {"values": [value for value, _ in good], "numbers": numbers}


def _tried(model: Model, name: str, value: float) -> dict[Path, float] | None:
    try:
        return _numbers(model.with_parameters(**{name: value}))
    except (DalembertError, ArithmeticError, np.linalg.LinAlgError):
        return None


def _numbers(model: Model) -> dict[Path, float]:
    """Numbers of everything drawn, by where they stand; kinds of shapes are part of that."""
    scene = plain_scene(describe(model), Payload())
    return {path: x for part in DRAWN for path, x in _leaves(scene[part], (part,))}


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, float]]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float | np.floating):
        yield path, float(value)
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield from _leaves(part, (*path, key))


def _same(a: dict[Path, float], b: dict[Path, float]) -> bool:
    if a.keys() != b.keys():
        return False
    return all(abs(x - b[path]) <= 1e-9 * max(1.0, abs(x)) for path, x in a.items())
