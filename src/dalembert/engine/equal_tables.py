"""Whether two tables hold the same numbers, whatever they are made of."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from dalembert._memory import Memory


def alike(a: Any, b: Any) -> bool:
    """Whether two tables hold the same numbers."""
    if isinstance(a, np.ndarray):
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
    if isinstance(a, Memory):
        return alike((a.work, a.sizes), (b.work, b.sizes))
    if dataclasses.is_dataclass(a):
        names = [field.name for field in dataclasses.fields(a)]
        return all(alike(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return bool(a == b)
