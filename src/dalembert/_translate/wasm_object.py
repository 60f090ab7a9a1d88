"""Objects of LLVM's for WebAssembly, made into modules: sections, symbols, relocations.

An object is all but a module: indices of functions are right as they stand, addresses of data are
counted from zero. What is added are exports by name, and the functions that are called through the
table; addresses are moved to where the data of the module is to stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_CUSTOM, _IMPORT, _EXPORT, _ELEMENT, _CODE, _DATA = 0, 2, 7, 9, 10, 11
_FUNCTION, _OF_DATA, _OF_SECTION = 0, 1, 3
_UNDEFINED, _NAMED = 0x10, 0x40
_SYMBOLS = 8
_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD = 3, 4, 5
_WITH_ADDEND = (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD, 8, 9)
_INDICES = (0, 6, 7, 20)
"""Relocations of indices of functions, types, globals and tables, which stay as they are."""

TABLE = "__indirect_function_table"
"""Name under which a module asks for the table."""


@dataclass(frozen=True)
class Module:
    """A module of WebAssembly.

    Attributes
    ----------
    code : bytes
    data_end : int          where what it keeps in the memory ends
    imports : tuple of str  what it asks for
    """

    code: bytes
    data_end: int
    imports: tuple[str, ...]


def module_of(
    code: bytes, exports: Sequence[str], table: Mapping[int, str], data_at: int = 0
) -> Module:
    """The module of an object.

    exports : functions that are called from outside, by name
    table : functions that are called through the table, by their places there
    data_at : where in the memory its data begins
    """
    sections = sections_of(code)
    functions = _functions(_custom(sections, "linking"))
    added = _section(_EXPORT, [_text(name) + b"\0" + number(functions[name]) for name in exports])
    segments = [
        b"\0\x41" + signed(place) + b"\x0b\1" + number(functions[table[place]])
        for place in sorted(table)
    ]
    added += _section(_ELEMENT, segments)
    made, done, data_end = code[:8], False, data_at
    imports: tuple[str, ...] = ()
    for place, (kind, given) in enumerate(sections):
        if kind == _CUSTOM:
            continue
        if kind == _ELEMENT:
            raise RuntimeError("a program keeps the address of a function")
        if kind > _EXPORT and not done:
            made, done = made + added, True
        body = _moved(given, sections, place, data_at) if kind in (_CODE, _DATA) else given
        if kind == _DATA:
            body, data_end = _data(body, data_at)
        if kind == _IMPORT:
            imports = tuple(_imports(body))
            if table and TABLE not in imports:
                body, imports = _with_table(body), (*imports, TABLE)
        made += bytes([kind]) + number(len(body)) + body
    return Module(made, data_end, imports)


def sections_of(code: bytes) -> list[tuple[int, bytes]]:
    """Sections of an object or a module: kind and contents."""
    found, at = [], 8
    while at < len(code):
        length, start = read(code, at + 1)
        found.append((code[at], code[start : start + length]))
        at = start + length
    return found


def _custom(sections: Sequence[tuple[int, bytes]], name: str) -> bytes:
    """The custom section of this name; empty where there is none."""
    bodies = (body for kind, body in sections if kind == _CUSTOM)
    return next((body for body in bodies if _name(body)[0] == name), b"")


# -- addresses -------------------------------------------------------------------------------------


def _moved(body: bytes, sections: Sequence[tuple[int, bytes]], place: int, by: int) -> bytes:
    """Contents of a section with the addresses in it moved."""
    if not by:
        return body
    name = "reloc.CODE" if sections[place][0] == _CODE else "reloc.DATA"
    made = bytearray(body)
    for kind, at in _relocations(_custom(sections, name)):
        if kind == _ADDRESS_WORD:
            word = int.from_bytes(made[at : at + 4], "little") + by
            made[at : at + 4] = word.to_bytes(4, "little")
        else:
            made[at : at + 5] = _padded(read(made, at)[0] + by)
    return bytes(made)


def _relocations(body: bytes) -> Iterator[tuple[int, int]]:
    """Kind and place of every address of data."""
    if not body:
        return
    _, at = _name(body)
    _, at = read(body, at)  # section
    count, at = read(body, at)
    for _ in range(count):
        kind = body[at]
        place, at = read(body, at + 1)
        _, at = read(body, at)
        if kind in _WITH_ADDEND:
            _, at = read(body, at)
        if kind in (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD):
            yield kind, place
        elif kind not in _INDICES:
            raise RuntimeError(f"a relocation of kind {kind} is not known")


def _padded(n: int) -> bytes:
    """LEB128 of a number below 2^31 in five bytes."""
    return bytes([*((n >> 7 * k) & 127 | 128 for k in range(4)), n >> 28])


def _data(body: bytes, by: int) -> tuple[bytes, int]:
    """Segments of data moved, and where the last of them ends."""
    count, at = read(body, 0)
    made, end = number(count), by
    for _ in range(count):
        if body[at : at + 2] != b"\0\x41":
            raise RuntimeError("a segment of data does not stand at a constant")
        offset, at = read(body, at + 2)
        length, start = read(body, at + 1)
        made += b"\0\x41" + signed(offset + by) + b"\x0b" + body[at + 1 : start + length]
        at = start + length
        end = max(end, by + offset + length)
    return made, end


# -- symbols ---------------------------------------------------------------------------------------


def _functions(linking: bytes) -> Mapping[str, int]:
    """Indices of functions by name, from the table of symbols."""
    _, at = _name(linking)
    _, at = read(linking, at)  # version
    found: dict[str, int] = {}
    while at < len(linking):
        kind = linking[at]
        length, start = read(linking, at + 1)
        at = start + length
        if kind == _SYMBOLS:
            count, place = read(linking, start)
            for _ in range(count):
                place = _symbol(linking, place, found)
    return found


def _symbol(linking: bytes, at: int, found: dict[str, int]) -> int:
    """Read one symbol; where the next one begins."""
    kind = linking[at]
    flags, at = read(linking, at + 1)
    if kind == _OF_DATA:
        _, at = _name(linking, at)
        for _ in range(0 if flags & _UNDEFINED else 3):
            _, at = read(linking, at)
        return at
    index, at = read(linking, at)
    if kind != _OF_SECTION and (not flags & _UNDEFINED or flags & _NAMED):
        name, at = _name(linking, at)
        if kind == _FUNCTION:
            found[name] = index
    return at


def _imports(body: bytes) -> list[str]:
    """Names of what is imported."""
    count, at = read(body, 0)
    found = []
    for _ in range(count):
        _, at = _name(body, at)
        name, at = _name(body, at)
        found.append(name)
        kind = body[at]
        at += 1
        if kind == 0:
            _, at = read(body, at)
        elif kind == 3:
            at += 2
        else:
            at += kind == 1
            limits, at = read(body, at)
            for _ in range(1 + (limits & 1)):
                _, at = read(body, at)
    return found


def _with_table(body: bytes) -> bytes:
    """Imports with the table among them: an object that calls nothing through it has none."""
    count, at = read(body, 0)
    return number(count + 1) + body[at:] + _text("env") + _text(TABLE) + b"\1\x70\0\0"


def _section(kind: int, entries: Sequence[bytes]) -> bytes:
    if not entries:
        return b""
    body = number(len(entries)) + b"".join(entries)
    return bytes([kind]) + number(len(body)) + body


def _text(name: str) -> bytes:
    data = name.encode()
    return number(len(data)) + data


def _name(body: bytes, at: int = 0) -> tuple[str, int]:
    length, start = read(body, at)
    return body[start : start + length].decode(), start + length


def number(n: int) -> bytes:
    """LEB128 of a number that is not negative."""
    made = bytearray()
    while True:
        low, n = n & 127, n >> 7
        made.append(low | (128 if n else 0))
        if not n:
            return bytes(made)


def signed(n: int) -> bytes:
    """Signed LEB128 of a number that is not negative: the last byte has a free sign bit."""
    made = number(n)
    return made if made[-1] < 64 else bytes([*made[:-1], made[-1] | 128, 0])


def read(body: bytes | bytearray, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    found = shift = 0
    while True:
        byte = body[at]
        at += 1
        found |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            return found, at
