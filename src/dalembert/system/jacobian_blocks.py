"""Blocks of J of constraints on bodies, as NumPy sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dalembert.system.state_layout import State


def blocks_of_all(state: State, parts: Any) -> Iterator[tuple[slice, int, Any]]:
    """Rows, number of the body, and block (a view, six columns) of every side of a constraint.

    The world counts as the body after the last one.
    """
    entries = state.jacobian_blocks
    for element in parts.constraints:
        rows, length = slice(element.row, element.row + element.count), 6 * element.count
        for body, start in zip(element.bodies, element.blocks, strict=True):
            yield rows, body, entries[start : start + length].reshape(-1, 6)


def blocks_of_bodies(state: State, parts: Any) -> Iterator[tuple[slice, int, Any]]:
    """`blocks_of_all` without those of the world."""
    return (block for block in blocks_of_all(state, parts) if block[1] < len(parts.names))
