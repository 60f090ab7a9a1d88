"""Arrays out of an .npz file, within bounds: what it unpacks to is known before it is unpacked.

Only arrays of numbers are taken, as NumPy writes them without compression or with it. Their heads
are compared with a pattern, nothing in them is evaluated.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

import numpy as np

MOST_UNPACKED = 256 * 2**20
"""Bytes that a file may unpack to, if it has not as many itself."""

MOST_MEMBERS, MOST_DIRECTORY = 200_000, 2**24
"""Arrays in a file, and bytes of the list of them."""

MOST_AXES, MOST_DIGITS = 4, 15
"""Axes of an array, and digits of the length of one."""

KINDS = {"<f8", "<i8", "<i4", "|b1", "|u1", "<U2", "<U3", "<U4"}
"""Types that the entries of an array may have."""

MOST_VALUES = 2_000_000
"""Values in a text of JSON."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_HEAD = re.compile(
    rb"\{'descr': '([<|]\w\d)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \} *\n"
)


def read(file: BinaryIO) -> dict[str, np.ndarray]:
    """The arrays of a file by name.

    Raises
    ------
    ValueError, or what `zipfile` and `zlib` raise: the file is none, is damaged, or too large
    """
    found: dict[str, np.ndarray] = _each(file, _array)
    return found


def heads(file: BinaryIO) -> tuple[Any, dict[str, tuple[int, ...]]]:
    """The JSON in its array `header`, and the shapes of all arrays; no other is unpacked."""

    def take(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
        whole = member.filename == "header.npy"
        return _array(archive, member) if whole else _head(archive, member).shape

    found = _each(file, take)
    return loads(found.pop("header").tobytes()), found


def _each(file: BinaryIO, take: Callable[[zipfile.ZipFile, zipfile.ZipInfo], Any]) -> Any:
    """Something of every array, by name."""
    size = _checked_size(file)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        found = {m.filename.removesuffix(".npy"): m for m in members}
        if len(members) > MOST_MEMBERS or len(found) != len(members):
            raise ValueError("it has too many arrays, or two of one name")
        unpacked = sum(m.file_size for m in members)
        if unpacked > max(MOST_UNPACKED, size):
            raise ValueError(
                f"its {size} bytes unpack to {unpacked}, and {MOST_UNPACKED} at most are read"
            )
        return {name: take(archive, member) for name, member in found.items()}


def _checked_size(file: BinaryIO) -> int:
    """Length of the file, if its list of members has a sane length."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 42))
    tail = file.read(42)
    if len(tail) < 42 or tail[20:24] != _END:
        raise ValueError("it does not end as an archive does")
    directory = int.from_bytes(tail[32:36], "little")
    if directory > MOST_DIRECTORY or (tail[:4] == _END_64 and size < 2**31):
        raise ValueError("its list of arrays is too long")
    file.seek(0)
    return size


@dataclass(frozen=True)
class _Head:
    """The head of an array, which is `length` bytes long."""

    kind: np.dtype[Any]
    shape: tuple[int, ...]
    order: Literal["C", "F"]
    length: int


def _head(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Head:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("it is packed in a way that NumPy does not use")
    with archive.open(member) as file:
        start = file.read(10)
        text = file.read(int.from_bytes(start[8:10], "little"))
    said = _HEAD.fullmatch(text)
    if start[:8] != b"\x93NUMPY\x01\x00" or said is None or said[1].decode() not in KINDS:
        raise ValueError(f"{member.filename!r:.60} is no array of numbers")
    kind = np.dtype(said[1].decode())
    lengths = [n for n in said[3].replace(b" ", b"").split(b",") if n]
    if len(lengths) > MOST_AXES or any(len(n) > MOST_DIGITS for n in lengths):
        raise ValueError(f"{member.filename!r:.60} has a shape that is none")
    shape = tuple(map(int, lengths))
    expected = 10 + len(text) + math.prod(shape) * kind.itemsize
    if expected != member.file_size:
        raise ValueError(
            f"{member.filename!r:.60} has {member.file_size} bytes, {expected} expected"
        )
    return _Head(kind, shape, "F" if said[2] == b"True" else "C", 10 + len(text))


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    head = _head(archive, member)
    made = np.empty(math.prod(head.shape), dtype=head.kind)
    data: Any = made
    room, place = memoryview(data).cast("B") if made.size else memoryview(b""), 0
    with archive.open(member) as file:
        file.read(head.length)
        while place < len(room):
            part = file.read(min(2**20, len(room) - place))
            if not part:
                raise ValueError(f"{member.filename!r:.60} is cut off")
            room[place : place + len(part)] = part
            place += len(part)
        if file.read(1):  # and the checksum is looked at
            raise ValueError(f"{member.filename!r:.60} is longer than it says")
    return made.reshape(head.shape, order=head.order)


def loads(data: bytes | str, *, most: int = MOST_VALUES) -> Any:
    """JSON of at most so many values, not nested deeply, with whole numbers of 64 bits.

    Raises
    ------
    ValueError      it is none, or larger
    """
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    if sum(map(text.count, ",[{")) > most:
        raise ValueError(f"it holds more than {most} values")
    try:
        return json.loads(text, parse_int=_whole, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def _whole(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError(f"it holds a whole number of {len(digits)} digits")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("it has a key twice")
    return made
