"""Kernels and borders.

A *kernel* is a plain Python function over arrays and numbers. Its text has three lives:

* interpreted, when ``DALEMBERT_JIT=0`` or while tracing: called as the Python it is;
* compiled on first use (`_translate`), the machine code kept on disk;
* traced: run interpreted over object arrays of formulas (`simulation.prepare.specialise`; `batch`,
  where functions of `math`, min and max may be of formulas, too).

A *border* is a kernel reached through its address, so that a method and an integrator are each
compiled once, and not once for every pair. Its C signature is

    int32 name(double* work, int64* sizes, <scalars: double, arrays: double*> ...)

Compiled user formulas have the same form and enter by the same door.

A kernel that uses more of Python than `_translate` knows is refused with the line and the reason.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from types import FunctionType
from typing import Any

from dalembert._memory import opened_by
from dalembert._once import once_property
from dalembert._signature import SIZES_LENGTH, Registered, Signature
from dalembert._translate import memories, objects, separate, whole, workers
from dalembert._translate.cache import cache_folder, sources_changed
from dalembert._translate.entry import Entry
from dalembert._translate.kinds import Kind, kind_named
from dalembert._translate.program import border_program, entry_program, part_program
from dalembert._translate.source import Callee, keep_text
from dalembert.errors import OptionError

_CHOICE = os.environ.get("DALEMBERT_JIT", "1")
if _CHOICE not in ("0", "1"):
    raise OptionError(
        f"DALEMBERT_JIT={_CHOICE}: is unknown. Set it to 0 (plain Python) or 1 (compiled)."
    )

COMPILED = _CHOICE == "1"
"""False: every kernel runs as interpreted Python (debugger, coverage, oracle)."""

CHECKED = os.environ.get("DALEMBERT_BOUNDS", "0") == "1"
"""True: compiled kernels look at every index and end the process at one that is out of range."""


# --- kernels ---------------------------------------------------------------------------------

PLAIN, TRACED = 1, 2
"""Ways to run a kernel as Python: with the module `math`, or with functions that take formulas."""

_interpreting = contextvars.ContextVar("interpreting", default=0 if COMPILED else PLAIN)


@contextlib.contextmanager
def interpreted(way: int = PLAIN) -> Iterator[None]:
    """Run every kernel as plain Python inside the block, in this thread."""
    import numpy as np

    token = _interpreting.set(way)
    try:
        # As in compiled code: a division by zero is an infinity the caller looks for.
        with np.errstate(all="ignore"):
            yield
    finally:
        _interpreting.reset(token)


def runs_texts() -> bool:
    """Whether no machine code can be called: nothing is compiled, or formulas are handed over."""
    return not COMPILED or _interpreting.get() == TRACED


_asking = threading.Lock()


class Kernel(Callee):
    """A Python function that is compiled on first use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._found: dict[str, Future[objects.Loaded]] = {}
        functools.update_wrapper(self, function)
        if COMPILED:
            keep_text(function)

    def __call__(self, *args: Any) -> Any:
        if self._opened is not None:
            args = self._packed(args, self._opened)
        if _interpreting.get():
            return self.text_run(*args)
        return self._entry(*args)

    @property
    def text_run(self) -> Callable[..., Any]:
        """The text as it runs as plain Python here."""
        return self.function if _interpreting.get() != TRACED else self._over_formulas

    @once_property
    def _over_formulas(self) -> Callable[..., Any]:
        """The text with functions that take formulas in the place of Python's own."""
        from dalembert import _traceable

        given = getattr(self.function, "over_formulas", self.function)
        names = {**given.__globals__, "math": _traceable, "max": _traceable.max}
        names |= {"min": _traceable.min, "round": _traceable.rint}
        return FunctionType(
            given.__code__, names, given.__name__, given.__defaults__, given.__closure__
        )

    @once_property
    def _opened(self) -> Any:
        """The memory that the first parameter is, or None."""
        return opened_by(self.function)

    def _packed(self, args: tuple[Any, ...], memory: Any) -> tuple[Any, ...]:
        """Arguments with a memory first, which may have been given as its two arrays."""
        if len(args) != self.function.__code__.co_argcount + 1:
            return args
        return (memory(*args[:2]), *args[2:])

    def translated(self, f: Any, node: Any, values: list[Any]) -> Any:
        """The value of a call, by a call of the translated function."""
        if self._opened is not None and len(values) == self.function.__code__.co_argcount + 1:
            values = memories.packed(self._opened, values)
        return f.call(self.function, values)

    def holding(self, *args: Any) -> Any:
        """Call with Python's lock kept, for kernels that call Python back very often."""
        if _interpreting.get():
            return self(*args)
        return self._holding_entry(*args)

    @once_property
    def _holding_entry(self) -> Entry:
        return Entry(self.function, self._load, holding=True)

    @once_property
    def _entry(self) -> Entry:
        """The door for Python."""
        return Entry(self.function, self._load)

    def _load(self, kinds: tuple[Kind, ...]) -> objects.Loaded:
        """Machine code for arguments of these kinds."""

        def write() -> tuple[str, str]:
            program, results = entry_program(self.function, kinds, checked=CHECKED)
            return program, " ".join(results)

        return self._translated(_door(kinds), write)

    def part_text(self, kinds: tuple[Kind, ...]) -> str:
        """Program of the part."""
        return part_program(self.function, kinds, checked=CHECKED)

    def begin(self, door: str, load: Callable[[], Any]) -> None:
        """Make the code of a door in another thread, unless it has been asked for."""
        if door not in self._found:
            workers.begin(load)

    def part(self, kinds: tuple[Kind, ...]) -> objects.Loaded:
        """Machine code for callers in other programs (`apart`)."""

        def write() -> tuple[str, str]:
            return self.part_text(kinds), ""

        return self._translated(_part_door(kinds), write)

    def _translated(self, door: str, write: Callable[[], tuple[str, str]]) -> objects.Loaded:
        """Load the program of one door, once.

        Whoever comes while another thread is at it waits.
        """
        with _asking:
            mine = door not in self._found
            found = self._found.setdefault(door, Future())
        if mine:
            try:
                found.set_result(self._make(door, write))
            except BaseException as problem:
                del self._found[door]
                found.set_exception(problem)
        return found.result()

    @property
    def has_name(self) -> bool:
        """Whether there is one kernel of its name, and that in this package."""
        name = self.function.__qualname__
        return self.function.__module__.startswith("dalembert.") and "<locals>" not in name

    def _make(self, door: str, write: Callable[[], tuple[str, str]]) -> objects.Loaded:
        """Load the program of one door."""
        # A kernel of this package is the same as long as the folder of the cache is; its name
        # will do. Any other is known by the text of its program.
        module, name = self.function.__module__, self.function.__qualname__
        checked = " checked" if CHECKED else ""
        known = self.has_name and not sources_changed()
        key = f"{module}.{name} {door}{checked}" if known else None
        return objects.load(cache_folder(), key, write)


def _door(kinds: Iterable[Kind]) -> str:
    """Name of the door for Python with arguments of these kinds."""
    return " ".join(["entry", *map(str, kinds)])


def _part_door(kinds: Iterable[Kind]) -> str:
    """Name of the door for callers in other programs."""
    return " ".join(["part", *map(str, kinds)])


def kernel(function: Callable[..., Any]) -> Kernel:
    """Declare a kernel; see the module's first lines."""
    return Kernel(function)


def in_traces(replaced: Kernel) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the text that stands in the place of a kernel's own while it is traced.

    For what decides by rounding: the worlds of a trace would not decide alike.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        replaced.function.over_formulas = function  # type: ignore[attr-defined]
        return function

    return declare


def name_around(kernels: Iterable[Kernel], name: str, function: Callable[..., Any]) -> None:
    """Name a function that is made anew around kernels, as they are in this package.

    Its machine code is then known by its name; around kernels of users it is known by its text.
    """
    if all(each.has_name for each in kernels):
        function.__qualname__ = name


def packed_kernel(function: Callable[..., Any]) -> Kernel:
    """Declare a kernel of statements written out in a row, which become vector instructions.

    A product of 6 x 6 matrices takes 12 ns so, and 41 ns without. It holds for the whole program
    the kernel is compiled into; the order of no sum is changed by it.
    """
    function.packed = True  # type: ignore[attr-defined]
    return Kernel(function)


def subroutine(function: Callable[..., Any]) -> Kernel:
    """Declare a kernel that is called and never copied into its callers.

    For long texts that many kernels call: each copy costs time when it is compiled.
    """
    function.is_subroutine = True  # type: ignore[attr-defined]
    return Kernel(function)


def copied(function: Callable[..., Any]) -> Kernel:
    """Declare a kernel that may be copied into its callers in large programs, too.

    For short loops at the bottom of long ones, where a call takes its share of the time.
    """
    function.is_copied = True  # type: ignore[attr-defined]
    return Kernel(function)


def apart(result: type | None) -> Callable[[Callable[..., Any]], Kernel]:
    """Declare a kernel that is compiled when one of its callers first calls it.

    For what most runs never do: nobody waits for its compilation who does not need it, and it is
    compiled once for all its callers. They have to know what it returns: int, float, bool or None.
    A call costs about a nanosecond more.
    """

    def declare(function: Callable[..., Any]) -> Kernel:
        function.result_apart = result  # type: ignore[attr-defined]
        return Kernel(function)

    return declare


# --- borders ----------------------------------------------------------------------------------


class Border(Kernel):
    """A kernel with a fixed C signature and, once asked for, an address."""

    def __init__(self, signature: Signature, function: Callable[..., int]) -> None:
        super().__init__(function)
        self.signature = signature

    @once_property
    def _registered(self) -> Registered:
        return Registered(self.interpreted)

    def interpreted(self, *args: Any) -> int:
        """Run the text as plain Python, with `work` and `sizes` before its other arguments."""
        return int(self.text_run(*(self._packed(args, self._opened) if self._opened else args)))

    @property
    def key(self) -> int:
        """Key of the interpreted text."""
        return self._registered.key

    def load(self) -> objects.Loaded:
        """Machine code."""
        return self._translated("border", lambda: (self.text(), ""))

    def text(self) -> str:
        """Program of the border."""
        given = self.signature
        lengths = {"work": 0, "sizes": SIZES_LENGTH, **given.lengths}
        return border_program(
            self.function, given.arguments, given.SCALARS, lengths, checked=CHECKED
        )

    @once_property
    def _code(self) -> objects.Loaded:
        return self.load()

    @property
    def address(self) -> int:
        """The entry for ``sizes``: a machine address, or the key when interpreting."""
        if _interpreting.get():
            return self.key
        found = int(self._code.address)
        _placed[found] = self
        return found


_placed: weakref.WeakValueDictionary[int, Border] = weakref.WeakValueDictionary()


def border_at(address: int) -> Border | None:
    """The border whose machine code begins at an address, where one has been asked for it."""
    return _placed.get(address)


def ahead(borders: Iterable[Border], entries: Iterable[tuple[Kernel, str]] = ()) -> None:
    """Begin to compile what will be asked for, in other threads.

    entries : kernels that Python will call, with the kinds of the arguments; parts with both doors
    """
    if _interpreting.get():
        return
    for each in borders:
        each.begin("border", each.load)
    for called, text in entries:
        kinds = tuple(kind_named(kind) for kind in text.split())
        if separate.is_part(called.function, kinds):
            called.begin(_part_door(kinds), functools.partial(called.part, kinds))
        called.begin(_door(kinds), functools.partial(called._load, kinds))


@contextlib.contextmanager
def waited_for() -> Iterator[None]:
    """Leave what `ahead` has not begun yet if the block fails: nobody waits for it any more."""
    try:
        yield
    except BaseException:
        workers.give_up()
        raise


def mode() -> tuple[bool, bool, bool]:
    """Life of the kernels that are called here: compiled, checked, interpreted."""
    return COMPILED, CHECKED, bool(_interpreting.get())


def compile_whole(borders: Iterable[Border]) -> None:
    """Compile borders with all their parts, and the parts of these."""
    if not _interpreting.get():
        workers.do_all(task for task, _ in whole.programs_of(borders).values())


def border(signature: Signature) -> Callable[[Callable[..., int]], Border]:
    """Declare a border of the given signature."""

    def declare(function: Callable[..., int]) -> Border:
        return Border(signature, function)

    return declare
