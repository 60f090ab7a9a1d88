"""Kernels and borders: the only place that touches numba.

A *kernel* is a plain Python function over arrays and numbers. Its text has three lives:

* interpreted, when ``DALEMBERT_JIT=0`` or while tracing: called as the Python it is;
* compiled by Numba on first use, cached on disk;
* traced: run interpreted over object arrays of formulas (see `system.specialise`).

A *border* is a kernel reached through its address, so that a method and an integrator are each
compiled once, and not once for every pair. Its C signature is

    int32 name(double* work, int64* sizes, <scalars: double, arrays: double*> ...)

Compiled user formulas have the same form and enter by the same door.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

COMPILED = os.environ.get("DALEMBERT_JIT", "1") != "0"
"""False: every kernel runs as interpreted Python (debugger, coverage, oracle)."""


KERNEL_FOLDERS = ("numerics", "system", "mechanics", "enforcement", "integration")
"""Where kernels live."""


@functools.cache
def source_hash() -> str:
    """Hash of every file with kernels; numba does not notice a change in a callee's file."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    files = [p for folder in KERNEL_FOLDERS for p in (root / folder).rglob("*.py")]
    for path in sorted([root / "_jit.py", *files]):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path:
    """Folder of compiled code for exactly these sources; created on first use."""
    given = os.environ.get("DALEMBERT_CACHE")
    base = Path(given) if given else _user_cache() / "dalembert"
    folder = base / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as problem:
        folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
        sys.stderr.write(
            f"dalembert: no compiled code can be kept in {base} ({problem.strerror}); "
            "set DALEMBERT_CACHE to a folder that can be written.\n"
        )
    return folder


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


# --- kernels ---------------------------------------------------------------------------------

_interpreting = contextvars.ContextVar("interpreting", default=not COMPILED)


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Run every kernel as plain Python inside the block, in this thread."""
    import numpy as np

    token = _interpreting.set(True)
    try:
        # As in compiled code: a division by zero is an infinity the caller looks for.
        with np.errstate(all="ignore"):
            yield
    finally:
        _interpreting.reset(token)


@functools.cache
def _numba() -> Any:
    import numba

    folder = cache_folder() / ("checked" if numba.config.BOUNDSCHECK else "plain")
    numba.config.CACHE_DIR = str(folder)
    return numba


FLAGS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    # 'contract' lets the compiler fuse a*b+c. Full fastmath would delete the NaN tests.
    "fastmath": {"contract"},
}


class Kernel:
    """A Python function that numba compiles on first use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The numba dispatcher of this text, for other kernels to call.

        It is inlined into them: an array argument is seven words, and passing a few of them costs
        more than most kernels do. It has no door for Python, which would take a third of the time
        to build.
        """
        inner = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
        return _numba().njit(**FLAGS, **inner)(self.function)

    @functools.cached_property
    def _entry(self) -> Any:
        """The door for Python: a wrapper that calls the kernel.

        It lends its arrays without their reference counts: counting in every inner call would
        cost more than a small system's step.
        """
        code = self.function.__code__
        names = code.co_varnames[: code.co_argcount]
        lent = ", ".join(f"borrow({a})" for a in names)
        wrapper = _function_in_file(
            f"{self.function.__name__}_entry", ", ".join(names), [f"return text({lent})"], self
        )
        return _numba().njit(**FLAGS)(wrapper)

    @property
    def _numba_type_(self) -> Any:
        # What numba asks for when one kernel names another.
        return self.dispatcher._numba_type_

    def __call__(self, *args: Any) -> Any:
        if _interpreting.get():
            return self.function(*args)
        return self._entry(*args)


@functools.cache
def _borrow() -> Any:
    """Intrinsic: an array without its owner; anything else as it is."""
    numba = _numba()
    from numba.core import cgutils

    @numba.extending.intrinsic
    def borrow(typingctx, value):  # type: ignore[no-untyped-def]
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if not isinstance(value, numba.types.Array):
                return args[0]
            array = context.make_array(value)(context, builder, args[0])
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            return array._getvalue()

        return value(value), codegen

    return borrow


def _function_in_file(name: str, arguments: str, lines: list[str], kernel: Kernel) -> Any:
    """A generated function that calls `kernel` as ``text``.

    It claims the kernel's own file, which is where numba looks for its cache.
    """
    source = "\n    ".join([f"def {name}({arguments}):", *lines])
    scope: dict[str, Any] = {"text": kernel, "__name__": kernel.function.__module__}
    scope |= {"carray": _numba().carray, "LENGTH": SIZES_LENGTH, "borrow": _borrow()}
    exec(compile(source, kernel.function.__code__.co_filename, "exec"), scope)
    function = scope[name]
    function.__qualname__ = name
    return function


def kernel(function: Callable[..., Any]) -> Kernel:
    """Declare a kernel; see the module's first lines."""
    return Kernel(function)


# --- views into the packed arrays -------------------------------------------------------------


class _Native:
    """A Python function with a hand-written numba lowering, compiled into its callers."""

    def __init__(self, function: Callable[..., Any], build: Callable[[], Any]) -> None:
        self.function = function
        self._build = build
        functools.update_wrapper(self, function)

    @functools.cached_property
    def dispatcher(self) -> Any:
        return self._build()

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def _build_view(dimension: int) -> Any:
    numba = _numba()
    types = numba.types
    from numba.np.arrayobj import populate_array

    def lower(start: Any, shape: tuple[Any, ...], work: Any) -> Any:
        array = types.Array(types.float64, dimension, "C")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(signature.args[0])(context, builder, args[0])
            data = builder.gep(source.data, [args[1]])
            size = context.get_constant(types.intp, 8)
            extent = list(args[2:])
            strides = [size] if dimension == 1 else [builder.mul(extent[1], size), size]
            result = context.make_array(array)(context, builder)
            populate_array(result, data, extent, strides, size, None)
            return result._getvalue()

        return array(work, start, *shape), codegen

    if dimension == 1:

        @numba.extending.intrinsic
        def view_intrinsic(typingctx, work, start, count):  # type: ignore[no-untyped-def]
            return lower(types.intp, (types.intp,), work)

        @numba.njit
        def view(work, start, count):  # type: ignore[no-untyped-def]
            return view_intrinsic(work, start, count)

    else:

        @numba.extending.intrinsic
        def view_intrinsic(typingctx, work, start, rows, columns):  # type: ignore[no-untyped-def]
            return lower(types.intp, (types.intp, types.intp), work)

        @numba.njit
        def view(work, start, rows, columns):  # type: ignore[no-untyped-def]
            return view_intrinsic(work, start, rows, columns)

    return view


def _vector_view(work: Any, start: int, count: int) -> Any:
    return work[start : start + count]


def _matrix_view(work: Any, start: int, rows: int, columns: int) -> Any:
    return work[start : start + rows * columns].reshape(rows, columns)


def _build_smaller() -> Any:
    numba = _numba()

    @numba.njit
    def smaller(a, b):  # type: ignore[no-untyped-def]
        return a if a < b else b

    return smaller


def _build_larger() -> Any:
    numba = _numba()

    @numba.njit
    def larger(a, b):  # type: ignore[no-untyped-def]
        return a if a > b else b

    return larger


def _smaller(a: Any, b: Any) -> Any:
    import numpy as np

    return np.minimum(a, b)


def _larger(a: Any, b: Any) -> Any:
    import numpy as np

    return np.maximum(a, b)


# min and max that can be traced: the builtins would ask a formula which is smaller.
smaller = _Native(_smaller, _build_smaller)
larger = _Native(_larger, _build_larger)

# Views carry no reference count: the packed array outlives every kernel that opens it.
vector_view = _Native(_vector_view, lambda: _build_view(1))
matrix_view = _Native(_matrix_view, lambda: _build_view(2))


# --- borders ----------------------------------------------------------------------------------

_table: dict[int, Callable[..., int]] = {}
"""Interpreted functions by key; keys are negative, machine addresses are positive."""


def register(function: Callable[..., int]) -> int:
    """Key under which an interpreted function can be called through a border."""
    key = -len(_table) - 1
    _table[key] = function
    return key


class Signature:
    """The C signature of one border.

    Parameters
    ----------
    name : what the border does
    arguments : names after ``work`` and ``sizes``; a name in `SCALARS` is a double, any other a
        double* whose length stands in ``sizes`` at the slot given by `lengths`
    """

    SCALARS = frozenset({"t", "h", "tolerance"})

    def __init__(self, name: str, arguments: str, lengths: dict[str, int]) -> None:
        self.name = name
        self.arguments = tuple(arguments.split())
        self.lengths = lengths
        self.call = _Native(self._call_interpreted, self._build_call)

    def _call_interpreted(self, address: int, work: Any, sizes: Any, *args: Any) -> int:
        if address < 0:
            return _table[int(address)](work, sizes, *args)
        return int(self._ctypes(int(address))(*self._pointers(work, sizes, *args)))

    def _ctypes(self, address: int) -> Any:
        import ctypes

        kinds = [ctypes.c_double if a in self.SCALARS else ctypes.c_void_p for a in self.arguments]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        return prototype(address)

    def _pointers(self, work: Any, sizes: Any, *args: Any) -> list[Any]:
        values = [
            x if a in self.SCALARS else x.ctypes.data
            for a, x in zip(self.arguments, args, strict=True)
        ]
        return [work.ctypes.data, sizes.ctypes.data, *values]

    def _build_call(self) -> Any:
        """Compiled call through an address: arrays are passed as their data pointers."""
        numba = _numba()
        types = numba.types
        from llvmlite import ir

        scalar = [name in self.SCALARS for name in self.arguments]

        def lower(args: tuple[Any, ...]) -> Any:
            wanted = [
                types.float64 if is_scalar else given
                for is_scalar, given in zip([False, False, *scalar], args, strict=True)
            ]

            def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                double, integer = ir.DoubleType(), ir.IntType(64)
                kinds = [double.as_pointer(), integer.as_pointer()]
                kinds += [double if s else double.as_pointer() for s in scalar]
                function = ir.FunctionType(ir.IntType(32), kinds)
                pointer = builder.inttoptr(values[0], function.as_pointer())
                passed = []
                for k, value in enumerate(values[1:]):
                    if k >= 2 and scalar[k - 2]:
                        passed.append(value)
                        continue
                    array = context.make_array(signature.args[k + 1])(context, builder, value)
                    passed.append(builder.bitcast(array.data, kinds[k]))
                return builder.sext(builder.call(pointer, passed), ir.IntType(64))

            return types.int64(types.intp, *wanted), codegen

        names = ", ".join(["work", "sizes", *self.arguments])
        source = (
            f"def call_intrinsic(typingctx, address, {names}):\n    return lower(({names},))\n"
            f"def call(address, {names}):\n    return intrinsic(address, {names})\n"
        )
        scope: dict[str, Any] = {"lower": lower}
        exec(source, scope)  # fixed text above: numba wants explicit argument lists
        scope["intrinsic"] = numba.extending.intrinsic(scope["call_intrinsic"])
        return numba.njit(scope["call"])


class Border(Kernel):
    """A kernel with a fixed C signature and, once asked for, an address."""

    def __init__(self, signature: Signature, function: Callable[..., int]) -> None:
        super().__init__(function)
        self.signature = signature

    @functools.cached_property
    def key(self) -> int:
        """Key of the interpreted text."""
        return register(self.function)

    @functools.cached_property
    def _callback(self) -> Any:
        """The C callback: opens the pointers as arrays and runs the text."""
        numba = _numba()
        types = numba.types
        double = types.CPointer(types.float64)
        kinds = [
            types.float64 if a in Signature.SCALARS else double for a in self.signature.arguments
        ]
        signature = types.int32(double, types.CPointer(types.int64), *kinds)
        pointers = [
            a if a in Signature.SCALARS else f"{a}_pointer" for a in self.signature.arguments
        ]
        lines = [
            "sizes = carray(sizes_pointer, (sizes_pointer[LENGTH],))",
            "work = carray(work_pointer, (sizes[0],))",
        ]
        for a in self.signature.arguments:
            if a not in Signature.SCALARS:
                lines.append(f"{a} = carray({a}_pointer, (sizes[{self.signature.lengths[a]}],))")
        lines.append(f"return text(work, sizes, {', '.join(self.signature.arguments)})")
        wrapper = _function_in_file(
            f"{self.function.__name__}_border",
            ", ".join(["work_pointer", "sizes_pointer", *pointers]),
            lines,
            self,
        )
        return numba.cfunc(signature, cache=True, error_model="numpy", fastmath={"contract"})(
            wrapper
        )

    @property
    def address(self) -> int:
        """What goes into ``sizes``: a machine address, or the key when interpreting."""
        return self.key if _interpreting.get() else int(self._callback.address)


SIZES_COUNT = 256
"""Length of the head of every ``sizes`` array; integer tables follow it."""

SIZES_LENGTH = SIZES_COUNT - 1
"""Slot that holds the whole length of ``sizes``; slot 0 holds the length of ``work``."""


def border(signature: Signature) -> Callable[[Callable[..., int]], Border]:
    """Declare a border of the given signature."""

    def declare(function: Callable[..., int]) -> Border:
        return Border(signature, function)

    return declare
