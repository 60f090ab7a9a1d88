"""Motion as a short string: rounded to integers, differenced, split into byte planes, gzipped.

A column of numbers becomes multiples of its quantum, then differences of order 1 to 4 in time
(whichever leaves least: smooth motion wants 3, forces 2), then a byte plane of the low bytes of
all columns, one of the next bytes, and so on. The browser inflates it with what it has built in and
sums up again in integers, so nothing is lost beyond the first rounding.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = float | Array

LARGEST = 2**28
"""Multiples of a quantum stay below this: differences of order 4 then still fit 32 bits."""
ORDERS = (1, 2, 3, 4)
LOOK = 4096
"""Samples looked at to choose the order of differences."""


class Payload:
    """Arrays collected for one string; each `add` returns what the page needs to find it again."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, columns: Array, quantum: Numbers, origin: Numbers = 0.0) -> dict[str, Any]:
        """Columns over time (k, n) rounded to multiples of `quantum` from `origin`.

        Parameters
        ----------
        columns : (k, n)
            Finite, and within `LARGEST` quanta of the origin (see `quantum_of`).
        quantum, origin : number or (n,)
        """
        x = np.asarray(columns, dtype=float)
        count, width = x.shape
        rounded = np.rint((x - origin) / quantum).astype(np.int64).T
        orders = best_orders(rounded)
        residual = np.zeros_like(rounded)
        for order in set(orders.tolist()):
            residual[orders == order] = differences(rounded[orders == order], order)
        planes = byte_planes(residual)
        spec = {
            "at": self._keep(planes.tobytes()),
            "frames": count,
            "columns": width,
            "planes": len(planes),
            "order": _shortened(orders),
            "quantum": _shortened(np.broadcast_to(quantum, (width,))),
            "origin": _shortened(np.broadcast_to(origin, (width,))),
        }
        return spec

    def add_raw(self, values: NDArray[Any]) -> dict[str, int]:
        """An array as it is in memory, such as the corners of a mesh."""
        # Typed arrays of the browser begin at multiples of their width.
        self._keep(b"\0" * (-self._size % 8))
        return {"at": self._keep(np.ascontiguousarray(values).tobytes()), "count": values.size}

    def text(self) -> str:
        """Everything, gzipped, in base64."""
        # wbits 31 is gzip; its header has no date, so the same run gives the same page. A higher
        # level takes five times as long on differences and gains nothing.
        press = zlib.compressobj(6, zlib.DEFLATED, 31, 9)
        pressed = [press.compress(part) for part in self._parts]
        return base64.b64encode(b"".join([*pressed, press.flush()])).decode("ascii")

    def _keep(self, part: bytes) -> int:
        place = self._size
        self._parts.append(part)
        self._size += len(part)
        return place


def quantum_of(columns: Array, wanted: Numbers, origin: Numbers = 0.0) -> Array:
    """The wanted quantum of each column, coarser where the column is too wide for integers."""
    widest = np.max(np.abs(columns - origin), axis=0, initial=0.0)
    return np.asarray(np.maximum(np.maximum(wanted, widest / LARGEST), np.finfo(float).tiny))


def differences(columns: Integers, order: int) -> Integers:
    """Differences along the last axis, with zeros before the first sample: sums undo them."""
    for _ in range(order):
        columns = np.diff(columns, axis=-1, prepend=0)
    return columns


def best_orders(columns: Integers) -> NDArray[np.int64]:
    """For each column the order of differences that leaves the fewest bits."""
    # The middle, not the beginning: a run often starts at rest.
    begin = max(0, (columns.shape[1] - LOOK) // 2)
    look = columns[:, begin : begin + LOOK]
    costs = []
    for order in ORDERS:
        rest = np.abs(differences(look, order)[:, order:]).astype(float)
        costs.append(np.sum(np.log2(1.0 + rest), axis=1))
    return np.asarray(np.argmin(costs, axis=0) + ORDERS[0], dtype=np.int64)


def byte_planes(residual: Integers) -> NDArray[np.uint8]:
    """(planes, n, k): zigzag (0, -1, 1, -2, ... to 0, 1, 2, 3, ...), then byte by byte."""
    folded = ((residual << 1) ^ (residual >> 63)).astype(np.uint64)
    largest = int(np.max(folded, initial=0))
    count = max(1, -(-largest.bit_length() // 8))
    if count > 4:
        raise OverflowError("differences of more than 32 bits; the quantum is too fine")
    planes = folded.astype("<u4", order="C").view(np.uint8).reshape(*folded.shape, 4)
    return np.ascontiguousarray(np.moveaxis(planes[..., :count], -1, 0))


def _shortened(values: NDArray[Any]) -> Any:
    """One number where all are the same."""
    entries = values.tolist()
    return entries[0] if entries and all(e == entries[0] for e in entries) else entries
