"""A value against an annotation: whether a file may say that."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np


def fits(value: Any, hint: Any) -> bool:
    """Whether the value is what the annotation says; a function is never in a file."""
    if hint is Any or hint is Hashable:
        return True
    if hint is None or hint is types.NoneType:
        return value is None
    origin, parts = get_origin(hint), get_args(hint)
    if origin is None:
        return _is_plain(value, hint)
    rule = _RULES.get(origin)
    return rule is not None and rule(value, parts)


def _is_plain(value: Any, hint: Any) -> bool:
    if hint is bool:
        return isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(hint, type) and isinstance(value, hint)


def _tuple(value: Any, parts: tuple[Any, ...]) -> bool:
    if not isinstance(value, tuple):
        return False
    if len(parts) == 2 and parts[1] is Ellipsis:
        return all(fits(part, parts[0]) for part in value)
    return len(value) == len(parts) and all(map(fits, value, parts))


def _list(value: Any, parts: tuple[Any, ...]) -> bool:
    return isinstance(value, list | tuple) and all(fits(part, parts[0]) for part in value)


def _mapping(value: Any, parts: tuple[Any, ...]) -> bool:
    return isinstance(value, dict | types.MappingProxyType) and all(
        fits(key, parts[0]) and fits(part, parts[1]) for key, part in value.items()
    )


def _array(value: Any, parts: tuple[Any, ...]) -> bool:
    kinds = get_args(parts[1])
    wanted = kinds[0] if kinds else Any
    return isinstance(value, np.ndarray) and (wanted is Any or value.dtype == np.dtype(wanted))


_RULES: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    Union: lambda value, parts: any(fits(value, part) for part in parts),
    types.UnionType: lambda value, parts: any(fits(value, part) for part in parts),
    Literal: lambda value, parts: any(value is p or value == p for p in parts),
    tuple: _tuple,
    list: _list,
    Sequence: _list,
    dict: _mapping,
    Mapping: _mapping,
    np.ndarray: _array,
}
