"""A whole program: a kernel, everything it calls, and the door by which it is entered.

There are two doors. A border has the C signature of a `Signature`. An entry for Python takes one
address, behind which lie, eight bytes each: room for the results, the numbers, the words of the
arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dalembert._memory import opened_by
from dalembert._translate import operations, separate
from dalembert._translate.expressions import AT_LENGTH
from dalembert._translate.function import Function
from dalembert._translate.kinds import (
    ELEMENTS,
    FLOAT,
    INTEGER,
    TRUTH,
    Array,
    Kind,
    Value,
    leaves,
    refuse,
    returned_type,
    word_types,
)
from dalembert._translate.records import kind_of_record

SYMBOL = "dalembert_kernel"
"""Name of the door in every program."""

PACKED = "; packed\n"
"""First line of a program in which a kernel is marked `packed` (see `_jit`)."""

BRIEF = "; brief\n"
"""Line of a program that is optimised briefly.

A kernel with a single caller is copied into it, whatever its length, and optimised once more in
every caller of a chain: the time grows with the square of the program. In a brief one long kernels
are called, except in loops, and the passes are those of level 1. Steps of scenes with contact take
the same time then, within 3 %, and a large program compiles in a third of the time.
"""

LARGE = 3000
"""Instructions, before anything is copied, from which on a program is optimised briefly."""

LONG = 30
"""Instructions from which on a kernel with loops is called there."""

_INTRINSICS = ("declare double @llvm.fabs.f64(double)", "declare i64 @llvm.abs.i64(i64, i1)")

_EPILOGUE = """
attributes #0 = { nounwind }
attributes #1 = { nounwind noinline }
attributes #2 = { nounwind alwaysinline }
attributes #3 = { nounwind noinline cold }
!0 = !{!"dalembert"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"float", !0, i64 0}
!4 = !{!"integer", !0, i64 0}
"""

_TOLD_OUTSIDE = "declare void @out_of_range(ptr)"
"""In a whole program: whoever opened it is told the text, and does not come back."""

_OUT_OF_RANGE = """
declare i32 @puts(ptr)
declare i32 @fflush(ptr)
declare void @abort()
define internal void @out_of_range(ptr %text) #0 {
  %written = call i32 @puts(ptr %text)
  %flushed = call i32 @fflush(ptr null)
  call void @abort()
  unreachable
}
"""


class Program:
    """Functions, tables and declarations that belong together."""

    def __init__(
        self, *, checked: bool, brief: bool = False, entry: bool = False, whole: bool = False
    ) -> None:
        self.checked = checked
        self._is_whole = whole  # parts are in it, too
        self._is_entry = entry
        self._brief = brief
        self.packed = False
        self._instances: dict[tuple[Any, tuple[Kind, ...]], tuple[str, Kind] | None] = {}
        self._functions: list[str] = []
        self._tables: dict[int, tuple[Any, Value]] = {}
        self._globals: list[str] = []
        self._declarations: set[str] = set(_INTRINSICS)
        self._parts = 0
        self._size = 0
        self._called: set[str] = set()

    def instance(self, function: Callable[..., Any], kinds: tuple[Kind, ...]) -> tuple[str, Kind]:
        """Name and result of a kernel for arguments of these kinds, translated when first asked."""
        key = (function, kinds)
        is_inside = (bool(self._instances) or self._is_entry) and not self._is_whole
        if key not in self._instances and is_inside and separate.is_part(function, kinds):
            self._instances[key] = self._part(function, kinds)
        if key not in self._instances:
            self._instances[key] = None
            self.packed = self.packed or getattr(function, "packed", False)
            name = f"{function.__name__}.{len(self._instances)}"
            translated = Function(self, function, kinds, name)
            self._functions.append(translated.text())
            self._instances[key] = (name, translated.result)
            self._size += translated.size
            is_hot = getattr(function, "is_copied", False) or getattr(function, "packed", False)
            if translated.is_heavy and translated.size > LONG and not is_hot:
                self._called.add(name)
        found = self._instances[key]
        if found is None:
            refuse(f"{function.__name__} calls itself")
        return found

    def _part(self, function: Callable[..., Any], kinds: tuple[Kind, ...]) -> tuple[str, Kind]:
        """Name and result of the call of a part, which is not translated here."""
        key = separate.part_key(function, kinds)
        name, place = f"{function.__name__}.{len(self._instances) + 1}", f"@place{self._parts}"
        self._parts += 1
        result = separate.result_of(function)
        self._functions.append(
            separate.call_text(name, key, self.sentence(key), place, kinds, result)
        )
        return name, result

    def table(self, array: Any) -> Value:
        """A constant array."""
        if id(array) not in self._tables:
            element = ELEMENTS.get(array.dtype)
            if element is None or array.ndim not in (1, 2):
                refuse(f"a table of {array.dtype} in {array.ndim} dimensions")
            entries = [f"{element} {operations.constant(x).word}" for x in array.ravel().tolist()]
            name = f"@table{len(self._globals)}"
            self._globals.append(
                f"{name} = private constant [{len(entries)} x {element}] [{', '.join(entries)}]"
            )
            words = (name, *(str(n) for n in array.shape))
            # The array is kept as well, so that its id stays its own.
            self._tables[id(array)] = (array, Value(Array(element, array.ndim), words))
        return self._tables[id(array)][1]

    def sentence(self, text: str) -> str:
        """Address of a constant text."""
        data = text.encode() + b"\0"
        name = f"@text{len(self._globals)}"
        encoded = "".join(f"\\{byte:02X}" for byte in data)
        self._globals.append(f'{name} = private constant [{len(data)} x i8] c"{encoded}"')
        return name

    def is_called(self, name: str) -> bool:
        """Whether a kernel is long and has loops, so that a copy of it is not worth its while."""
        return name in self._called

    def declare(self, line: str) -> None:
        """Declare a function from outside."""
        self._declarations.add(line)

    def text(self, door: Sequence[str]) -> str:
        """The program with its door."""
        lines = [*self._globals, *self._functions, *door, *sorted(self._declarations)]
        if self._parts:
            lines.append(separate.ASKING)
        brief = self._brief or self._size > LARGE
        lines.append(f"attributes {AT_LENGTH} = {{ {'noinline' if brief else 'nounwind'} }}")
        told = _TOLD_OUTSIDE if self._is_whole else _OUT_OF_RANGE
        text = "\n".join([*lines, told if self.checked else "", _EPILOGUE])
        return (PACKED if self.packed else "") + (BRIEF if brief else "") + text


def border_program(
    function: Callable[..., Any],
    arguments: Sequence[str],
    scalars: frozenset[str],
    lengths: Mapping[str, int],
    *,
    checked: bool,
) -> str:
    """Program of a border: arrays come as addresses, their lengths stand in ``sizes``.

    `lengths` gives the slot in ``sizes`` of the length of each array, ``work`` and ``sizes`` too.
    """
    program = Program(checked=checked)
    return program.text(border_door(program, SYMBOL, function, arguments, scalars, lengths))


def border_door(
    program: Program,
    symbol: str,
    function: Callable[..., Any],
    arguments: Sequence[str],
    scalars: frozenset[str],
    lengths: Mapping[str, int],
) -> list[str]:
    """The door of a border in a program, by the name of `symbol`."""
    vector, integers = Array(FLOAT, 1), Array(INTEGER, 1)
    opened = opened_by(function)
    packed = (vector, integers) if opened is None else (kind_of_record(opened),)
    kinds = (*packed, *(FLOAT if a in scalars else vector for a in arguments))
    name, result = program.instance(function, kinds)
    if result != INTEGER:
        refuse(f"{function.__name__} returns {result}, not a status")
    head, body, passed = [], [], []
    for a in ("work", "sizes", *arguments):
        if a in scalars:
            head.append(f"double %{a}")
            passed.append(f"double %{a}")
            continue
        head.append(f"ptr %{a}")
        body.append(f"  %{a}.at = getelementptr i64, ptr %sizes, i64 {lengths[a]}")
        body.append(f"  %{a}.n = load i64, ptr %{a}.at, !tbaa !2")
        passed.append(f"ptr %{a}, i64 %{a}.n")
    return [
        f"define i32 @{symbol}({', '.join(head)}) #0 {{",
        *body,
        f"  %status = call i64 @{name}({', '.join(passed)})",
        "  %short = trunc i64 %status to i32",
        "  ret i32 %short",
        "}",
    ]


def part_program(function: Callable[..., Any], kinds: tuple[Kind, ...], *, checked: bool) -> str:
    """Program of a part: the door is the kernel itself."""
    program = Program(checked=checked, brief=True)
    name, result = program.instance(function, kinds)
    if result != separate.result_of(function):
        refuse(f"{function.__name__} returns {result}, and says {separate.result_of(function)}")
    words = ", ".join(f"{word} {x}" for word, x in separate.parameters(kinds))
    head = f"define {result} @{SYMBOL}({words}) #0 {{"
    return program.text([head, separate.passing(f"@{name}", kinds, result), "}"])


def entry_program(
    function: Callable[..., Any], kinds: tuple[Kind, ...], *, checked: bool
) -> tuple[str, list[str]]:
    """Program of an entry for Python, and the types of its results; that of a part calls it."""
    program = Program(checked=checked, entry=True)
    door, results = entry_door(program, SYMBOL, function, kinds)
    return program.text(door), results


def entry_door(
    program: Program, symbol: str, function: Callable[..., Any], kinds: tuple[Kind, ...]
) -> tuple[list[str], list[str]]:
    """The door for whoever lays arguments in a row, and the types of its results."""
    name, result = program.instance(function, kinds)
    results = word_types(result)
    if "ptr" in results:
        refuse(f"{function.__name__} returns an array")
    body: list[str] = []

    def address(slot: int) -> str:
        body.append(f"  %p{slot} = getelementptr i64, ptr %slots, i64 {slot}")
        return f"%p{slot}"

    slot = len(results)
    passed: dict[int, list[str]] = {}
    flat = leaves(kinds)
    order = sorted(range(len(flat)), key=lambda k: isinstance(flat[k], Array))
    for k in order:
        for word in word_types(flat[k]):
            at = address(slot)
            if word == TRUTH:
                body.append(f"  %w{slot} = load i64, ptr {at}")
                body.append(f"  %x{slot} = icmp ne i64 %w{slot}, 0")
            else:
                body.append(f"  %x{slot} = load {word}, ptr {at}")
            passed.setdefault(k, []).append(f"{word} %x{slot}")
            slot += 1
    words = ", ".join(word for k in range(len(flat)) for word in passed[k])
    call = f"call {returned_type(result)} @{name}({words})"
    body.append(f"  %whole = {call}" if results else f"  {call}")
    for slot, word in enumerate(results):
        found = "%whole"
        if len(results) > 1:
            found = f"%y{slot}"
            body.append(f"  {found} = extractvalue {returned_type(result)} %whole, {slot}")
        if word == TRUTH:
            body.append(f"  %z{slot} = zext i1 {found} to i64")
        at = address(slot)
        body.append(
            f"  store {'i64 %z' + str(slot) if word == TRUTH else f'{word} {found}'}, ptr {at}"
        )
    return [f"define void @{symbol}(ptr %slots) #0 {{", *body, "  ret void", "}"], results
