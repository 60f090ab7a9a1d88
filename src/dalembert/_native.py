"""Functions with a translation of their own: views, and min and max that can be traced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dalembert._translate import primitives
from dalembert._translate.source import Callee


class Native(Callee):
    """A Python function with a hand-written translation, compiled into its callers.

    Parameters
    ----------
    primitive : its translation, one of `_translate.primitives`
    """

    def __init__(self, function: Callable[..., Any], primitive: primitives.Primitive) -> None:
        self.function = function
        self._primitive = primitive
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def translated(self, f: Any, node: Any, values: list[Any]) -> Any:
        """The value of a call, by the primitive."""
        return self._primitive(f, node, values)


def _vector_view(work: Any, start: int, count: int) -> Any:
    return work[start : start + count]


def _matrix_view(work: Any, start: int, rows: int, columns: int) -> Any:
    return work[start : start + rows * columns].reshape(rows, columns)


def _smaller(a: Any, b: Any) -> Any:
    import numpy as np

    return np.minimum(a, b)


def _larger(a: Any, b: Any) -> Any:
    import numpy as np

    return np.maximum(a, b)


# min and max that can be traced: the builtins would ask a formula which is smaller.
smaller = Native(_smaller, primitives.smaller)
larger = Native(_larger, primitives.larger)

# Views into the packed arrays, which outlive every kernel that opens them.
vector_view = Native(_vector_view, primitives.view)
matrix_view = Native(_matrix_view, primitives.view)
