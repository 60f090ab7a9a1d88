"""Compiling in several threads at a time, and what it takes.

llvmlite lets one thread at a time into LLVM, for the sake of the context that all its users share.
A program here has a context of its own; optimising and encoding it need not wait for anybody.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def _cores() -> int:
    """Processors this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_turns = threading.Semaphore(_cores())
_stopped = threading.Event()


def begin(task: Callable[[], Any]) -> None:
    """Do something in a thread of its own, as soon as a processor is free.

    It is done once more, or waited for, by whoever needs its result; what goes wrong, goes wrong
    there.
    """
    _stopped.clear()

    def run() -> None:
        with _turns, contextlib.suppress(Exception):
            if not _stopped.is_set():
                task()

    threading.Thread(target=run, name="dalembert-compile").start()


def do_all(tasks: Iterable[Callable[[], Any]]) -> None:
    """Do all of them, and come back when they are done."""
    with ThreadPoolExecutor(_cores()) as pool:
        for done in [pool.submit(task) for task in tasks]:
            done.result()


def done_side_by_side(tasks: Iterable[Callable[[], T]]) -> list[T]:
    """Results of all of them, in their order, from as many threads as there are processors."""
    with ThreadPoolExecutor(_cores()) as pool:
        return list(pool.map(lambda task: task(), tasks))


def give_up() -> None:
    """Leave what has not begun: nobody waits for it any more."""
    _stopped.set()


def elsewhere(task: Callable[[], T]) -> T:
    """The result of a task that uses llvmlite, done in another thread where this is the main one.

    That one alone is interrupted from the keyboard, and the wrong moment would leave llvmlite's
    lock locked: no thread could ever go on.
    """
    if threading.current_thread() is not threading.main_thread():
        return task()
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(task())
        except BaseException as problem:
            result.set_exception(problem)

    threading.Thread(target=run, name="dalembert-compile").start()
    return result.result()


# --- LLVM without waiting ------------------------------------------------------------------------


def optimise(module: Any, builder: Any) -> None:
    """Run the passes over a module of a context of its own."""
    from llvmlite.binding import ffi, newpassmanagers

    manager = builder.getModulePassManager()
    try:
        _unlocked(ffi.lib.LLVMPY_RunNewModulePassManager)(manager, module, builder)
    finally:
        # the empty `_dispose` of ObjectRef hides that of NewPassManager: 50 kB would stay for ever
        if type(manager)._dispose is ffi.ObjectRef._dispose:
            newpassmanagers.NewPassManager._dispose(manager)
        manager.close()


def encode(machine: Any, module: Any) -> bytes:
    """Object code of a module of a context of its own."""
    from llvmlite.binding import ffi

    with ffi.OutputString() as problem:
        code = _unlocked(ffi.lib.LLVMPY_TargetMachineEmitToMemory)(machine, module, 1, problem)
        if not code:
            raise RuntimeError(str(problem))
    try:
        start, size = ffi.lib.LLVMPY_GetBufferStart(code), ffi.lib.LLVMPY_GetBufferSize(code)
        return ctypes.string_at(start, size)
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(code)


def _unlocked(function: Any) -> Any:
    """A function of llvmlite's library without the lock around it."""
    return getattr(function, "_cfn", function)
