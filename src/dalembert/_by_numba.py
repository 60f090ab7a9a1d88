"""Kernels compiled by Numba: for what `_translate` does not know, and to compare with.

The only place that touches Numba. Seconds where the translator takes milliseconds; the machine code
is as fast, and gives the same bits.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from dalembert._jit import CHECKED, SIZES_LENGTH, Signature
from dalembert._translate.cache import cache_folder

if TYPE_CHECKING:
    from dalembert._jit import Border, Kernel

FLAGS: dict[str, Any] = {
    "cache": True,
    "error_model": "numpy",
    # 'contract' lets the compiler fuse a*b+c. Full fastmath would delete the NaN tests.
    "fastmath": {"contract"},
}


@functools.cache
def _numba() -> Any:
    import numba

    numba.config.CACHE_DIR = str(cache_folder() / ("checked" if CHECKED else "plain"))
    numba.config.BOUNDSCHECK = int(CHECKED)
    return numba


def dispatcher(kernel: Kernel) -> Any:
    """A kernel for other kernels to call.

    It is inlined into them: an array argument is seven words, and passing a few of them costs more
    than most kernels do. It has no door for Python, which would take a third of the time to build.
    """
    inner = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    return _numba().njit(**FLAGS, **inner, nogil=True)(kernel.function)


def entry(kernel: Kernel) -> Any:
    """The door for Python: a wrapper that calls the kernel.

    It lends its arrays without their reference counts: counting in every inner call would cost more
    than a small system's step.
    """
    code = kernel.function.__code__
    names = code.co_varnames[: code.co_argcount]
    lent = ", ".join(f"borrow({a})" for a in names)
    wrapper = _function_in_file(
        f"{kernel.function.__name__}_entry", ", ".join(names), [f"return text({lent})"], kernel
    )
    return _numba().njit(**FLAGS, nogil=True)(wrapper)


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


def view(dimension: int) -> Any:
    """A view into a packed array; it carries no reference count."""
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
        def opened(work, start, count):  # type: ignore[no-untyped-def]
            return view_intrinsic(work, start, count)

    else:

        @numba.extending.intrinsic
        def view_intrinsic(typingctx, work, start, rows, columns):  # type: ignore[no-untyped-def]
            return lower(types.intp, (types.intp, types.intp), work)

        @numba.njit
        def opened(work, start, rows, columns):  # type: ignore[no-untyped-def]
            return view_intrinsic(work, start, rows, columns)

    return opened


def smaller() -> Any:
    """The smaller of two."""

    @_numba().njit
    def chosen(a, b):  # type: ignore[no-untyped-def]
        return a if a < b else b

    return chosen


def larger() -> Any:
    """The larger of two."""

    @_numba().njit
    def chosen(a, b):  # type: ignore[no-untyped-def]
        return a if a > b else b

    return chosen


def through_address(border: Signature) -> Any:
    """A call through an address: arrays are passed as their data pointers."""
    numba = _numba()
    types = numba.types
    from llvmlite import ir

    scalar = [name in border.SCALARS for name in border.arguments]

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

    names = ", ".join(["work", "sizes", *border.arguments])
    source = (
        f"def call_intrinsic(typingctx, address, {names}):\n    return lower(({names},))\n"
        f"def call(address, {names}):\n    return intrinsic(address, {names})\n"
    )
    scope: dict[str, Any] = {"lower": lower}
    exec(source, scope)  # fixed text above: numba wants explicit argument lists
    scope["intrinsic"] = numba.extending.intrinsic(scope["call_intrinsic"])
    return numba.njit(scope["call"])


def callback(border: Border) -> Any:
    """The C callback: opens the pointers as arrays and runs the text."""
    numba = _numba()
    types = numba.types
    double = types.CPointer(types.float64)
    kinds = [
        types.float64 if a in Signature.SCALARS else double for a in border.signature.arguments
    ]
    signature = types.int32(double, types.CPointer(types.int64), *kinds)
    pointers = [a if a in Signature.SCALARS else f"{a}_pointer" for a in border.signature.arguments]
    lines = [
        "sizes = carray(sizes_pointer, (sizes_pointer[LENGTH],))",
        "work = carray(work_pointer, (sizes[0],))",
    ]
    for a in border.signature.arguments:
        if a not in Signature.SCALARS:
            lines.append(f"{a} = carray({a}_pointer, (sizes[{border.signature.lengths[a]}],))")
    lines.append(f"return text(work, sizes, {', '.join(border.signature.arguments)})")
    wrapper = _function_in_file(
        f"{border.function.__name__}_border",
        ", ".join(["work_pointer", "sizes_pointer", *pointers]),
        lines,
        border,
    )
    return numba.cfunc(signature, **FLAGS)(wrapper)
