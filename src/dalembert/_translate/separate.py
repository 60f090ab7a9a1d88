"""Parts: kernels compiled apart from their callers, when one of them is first called.

Much of what a program can do is not done in most runs. A call of a part goes through a place in
the caller's program that holds the address of the part, or nothing: then the part is asked for by
its name, which is compiled or taken from disk, and the place filled. What is calculated does not
depend on it: nothing is rounded otherwise in a program of its own.

A part is a kernel at the head of a module that says what it returns, so that its name and the kinds
of its arguments are all a caller has to know.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from dalembert._translate.kinds import (
    FLOAT,
    INTEGER,
    NOTHING,
    TRUTH,
    Array,
    Kind,
    Record,
    kind_named,
    kind_text,
    word_types,
)

ASK, INTERRUPT = "dalembert_part", "dalembert_interrupt"
"""Symbols of this process that programs with parts know."""

PART = "; part "
"""How the line of a program begins that names a part."""

RESULTS = {int: INTEGER, float: FLOAT, bool: TRUTH, None: NOTHING}
"""Kinds that a part may return."""


def is_part(function: Callable[..., Any], kinds: Sequence[Kind]) -> bool:
    """Whether calls of the function with arguments of these kinds go through a place."""
    if not hasattr(function, "result_apart"):
        return False
    module = sys.modules.get(function.__module__)
    named = getattr(module, function.__qualname__, None)
    # a kernel made within a function has no name to be asked for by: callers have a copy
    return getattr(named, "function", None) is function and all(map(_has_a_name, kinds))


def _has_a_name(kind: Kind) -> bool:
    """Whether a kind can be told by its text."""
    if isinstance(kind, Record):
        module = sys.modules.get(kind.owner.__module__)
        return getattr(module, kind.owner.__qualname__, None) is kind.owner
    return isinstance(kind, (str, Array))


def part_key(function: Callable[..., Any], kinds: Sequence[Kind]) -> str:
    """Key by which a part is asked for."""
    return " ".join([function.__module__, function.__qualname__, *map(kind_text, kinds)])


def result_of(function: Callable[..., Any]) -> Kind:
    """Kind of what a part returns."""
    return RESULTS[function.result_apart]  # type: ignore[attr-defined]


def parameters(kinds: Sequence[Kind]) -> list[tuple[str, str]]:
    """Types and names of the words of the arguments."""
    words = [word for kind in kinds for word in word_types(kind)]
    return [(word, f"%x{i}") for i, word in enumerate(words)]


def passing(callee: str, kinds: Sequence[Kind], result: Kind) -> str:
    """Instructions that pass the arguments on and return the result."""
    words = ", ".join(f"{word} {x}" for word, x in parameters(kinds))
    if result == NOTHING:
        return f"  call void {callee}({words})\n  ret void"
    return f"  %result = call {result} {callee}({words})\n  ret {result} %result"


def call_text(name: str, key: str, at: str, place: str, kinds: Sequence[Kind], result: Kind) -> str:
    """The function that stands for the part in its caller's program; the key is there `at`."""
    words = ", ".join(f"{word} {x}" for word, x in parameters(kinds))
    return f"""
{PART}{key}
{place} = internal global ptr null
define internal {result} @{name}({words}) #2 {{
entry:
  %known = load atomic ptr, ptr {place} acquire, align 8
  %missing = icmp eq ptr %known, null
  br i1 %missing, label %ask, label %go
ask:
  call void @ask_for_part(ptr {at}, ptr {place})
  %made = load atomic ptr, ptr {place} acquire, align 8
  br label %go
go:
  %code = phi ptr [ %known, %entry ], [ %made, %ask ]
{passing("%code", kinds, result)}
}}"""


ASKING = f"""
declare i32 @{ASK}(ptr, ptr)
declare void @{INTERRUPT}()
define internal void @ask_for_part(ptr %key, ptr %place) #3 {{
entry:
  br label %ask
ask:
  %interrupted = call i32 @{ASK}(ptr %key, ptr %place)
  %code = load atomic ptr, ptr %place acquire, align 8
  %missing = icmp eq ptr %code, null
  br i1 %missing, label %ask, label %made
made:
  %calm = icmp eq i32 %interrupted, 0
  br i1 %calm, label %go, label %interrupt
interrupt:
  call void @{INTERRUPT}()
  br label %go
go:
  ret void
}}
"""
"""Ask until there is an answer: an exception may end Python's part of it before there is one. An
interruption from the keyboard meanwhile is told to Python once more, for nobody has heard of it."""


# --- the answer ----------------------------------------------------------------------------------


def named(key: str) -> tuple[Any, tuple[Kind, ...]]:
    """The kernel, and the kinds of its arguments."""
    module, name, *kinds = key.split()
    return getattr(importlib.import_module(module), name), tuple(map(kind_named, kinds))


def code_of(key: str) -> int:
    """Address of a part."""
    kernel, kinds = named(key)
    return int(kernel.part(kinds).address)


def keys_in(program: str) -> list[str]:
    """Keys of the parts that a program calls."""
    lines = program.splitlines()
    return [line.removeprefix(PART) for line in lines if line.startswith(PART)]


waited = [0.0, 0.0]
"""Time that kernels have been waiting for parts of theirs, and processor time  [s]."""


def _answer(key: bytes, place: int) -> int:
    """Fill the place; 1 when interrupted meanwhile.

    In a thread of its own: an interruption must not end what the caller is waiting for.
    """
    problem: list[BaseException] = []
    done = threading.Event()
    began = time.perf_counter(), time.process_time()

    def fill() -> None:
        try:
            ctypes.c_int64.from_address(place).value = code_of(key.decode())
        except BaseException as reason:  # there is nobody to raise it to
            problem.append(reason)
        done.set()

    interrupted = 0
    threading.Thread(target=fill).start()
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt:
            interrupted = 1
    if problem:
        sys.stderr.write(f"dalembert: {key.decode()} cannot be compiled: {problem[0]!r}\n")
        sys.stderr.flush()
        os.abort()
    waited[0] += time.perf_counter() - began[0]
    waited[1] += time.process_time() - began[1]
    return interrupted


_asked = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_int64)(_answer)
"""Function that programs call: one for all threads, which lives as long as any program may."""


@functools.cache
def provide_symbols() -> None:
    """Let programs find what they ask by."""
    from llvmlite import binding

    binding.add_symbol(ASK, ctypes.cast(_asked, ctypes.c_void_p).value)
    interrupt = ctypes.pythonapi.PyErr_SetInterrupt
    binding.add_symbol(INTERRUPT, ctypes.cast(interrupt, ctypes.c_void_p).value)
    with contextlib.suppress(OSError, AttributeError):
        # the compiler counts loops whose indices are checked with integers of 128 bits; where the
        # system's own library has no division of those, that of gcc has
        division = ctypes.CDLL("libgcc_s.so.1")["__udivti3"]
        binding.add_symbol("__udivti3", ctypes.cast(division, ctypes.c_void_p).value)
