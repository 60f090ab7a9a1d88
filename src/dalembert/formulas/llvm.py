"""Formulas to machine code: the graph as straight-line LLVM, compiled for this processor.

The text of the program comes from `llvm_text`; here it is translated, kept on disk as object code
under a hash of program, processor and compiler, and loaded.

A compiled function has the form of a border,

    int32 name(double* work, int64* sizes, <double t, h; double* everything else> ...)

and returns 0, or 1 when the `status` condition does not hold.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert._translate import shipped
from dalembert._translate.cache import cache_folder
from dalembert._translate.portable import MARK, parsed
from dalembert._translate.processor import processor, target_machine
from dalembert._translate.store import recall, remember_bounded
from dalembert._translate.workers import done_side_by_side, elsewhere, encode, optimise
from dalembert.errors import FormulaError
from dalembert.formulas.expression import Condition
from dalembert.formulas.graph import Store
from dalembert.formulas.llvm_text import SCALARS, write_program


class CompiledFunction:
    """Machine code of some formulas, alive as long as this object.

    Attributes
    ----------
    name : str
    address : int              where the code is
    arguments : tuple of str   names after `work` and `sizes`
    """

    def __init__(self, name: str, arguments: tuple[str, ...], address: int, engine: Any) -> None:
        self.name = name
        self.arguments = arguments
        self.address = address
        self._engine = engine
        kinds = [ctypes.c_double if a in SCALARS else ctypes.c_void_p for a in arguments]
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        self._code = kind(address)

    def __repr__(self) -> str:
        return f"CompiledFunction {self.name}(work, sizes, {', '.join(self.arguments)})"

    def __call__(self, *, work: Any = None, sizes: Any = None, **values: Any) -> int:
        """Call the code with floats for t and h and float64 arrays for the rest; for tests."""
        given = [_pointer(work, np.float64), _pointer(sizes, np.int64)]
        for a in self.arguments:
            given.append(values[a] if a in SCALARS else _pointer(values[a], np.float64))
        return int(self._code(*given))


def program_at(address: int) -> tuple[CompiledFunction, str] | None:
    """The function whose machine code begins at an address, and the text of its program."""
    for (program, _), function in list(_alive.items()):
        if function.address == address:
            return function, program
    return None


def _pointer(array: Any, kind: Any) -> int | None:
    if array is None:
        return None
    if not isinstance(array, np.ndarray) or array.dtype != kind or not array.flags.c_contiguous:
        raise TypeError(f"need a contiguous array of {np.dtype(kind)}")
    return int(array.ctypes.data)


def compile_function(
    name: str,
    arguments: Sequence[str],
    stores: Sequence[Store],
    bindings: Mapping[Any, tuple[str, int | None]],
    status: Condition | None = None,
    *,
    packed: bool = False,
    lanes: int = 1,
) -> CompiledFunction:
    """Compile formulas to ``int32 name(double* work, int64* sizes, *arguments)``.

    Parameters
    ----------
    arguments : names after work and sizes; "t" and "h" are doubles, all others double*
    stores : (array name, index, formula); arrays must not overlap one another
    bindings : symbol -> (array name, index) where its value is read, or ("t", None)
    status : condition; the function returns 1 when it does not hold
    packed : look for operations that vector instructions can do four at a time; for formulas that
        repeat a pattern, such as products of small matrices
    lanes : worlds computed at a time; arrays then hold so many numbers where they held one

    Notes
    -----
    All reads of an entry happen before it is written.
    """
    program = write_program(name, arguments, stores, bindings, status, lanes)
    if packed:
        program = f"{_PACKED}\n{program}"
    return _build(program, name, tuple(arguments))


def compile_all(
    names: Sequence[str],
    arguments: Sequence[str],
    stores: Sequence[Sequence[Store]],
    statuses: Sequence[Condition | None],
    *,
    lanes: int = 1,
) -> list[CompiledFunction]:
    """Functions of formulas without further bindings, compiled side by side."""
    texts = [
        (write_program(name, arguments, own, {}, status, lanes), name)
        for name, own, status in zip(names, stores, statuses, strict=True)
    ]
    tasks = [functools.partial(_build, text, name, tuple(arguments)) for text, name in texts]
    return done_side_by_side(tasks)


_PACKED = "; packed"
"""First line of a program to be packed into vector instructions."""


# --- object code --------------------------------------------------------------------------------


_alive: weakref.WeakValueDictionary[tuple[str, tuple[str, ...]], CompiledFunction] = (
    weakref.WeakValueDictionary()
)


_adding = threading.Lock()


def _build(program: str, name: str, arguments: tuple[str, ...]) -> CompiledFunction:
    found = _alive.get((program, arguments))
    if found is not None:
        return found
    return elsewhere(functools.partial(_make, program, name, arguments))


def _make(program: str, name: str, arguments: tuple[str, ...]) -> CompiledFunction:
    known = f"formulas {_hash(program + MARK)}"
    key = _hash("\n".join((*processor(), program + MARK)))
    folder = cache_folder() / "formulas"
    code = shipped.recall(known)
    code = recall(folder, key) if code is None else code
    function = None if code is None else _link(code, name, arguments)
    if function is None:
        code = _translate(program, target_machine())
        shipped.tell(known, functools.partial(_translate, program))
        remember_bounded(folder, key, code)
        function = _link(code, name, arguments)
        if function is None:
            raise FormulaError(f"{name}: the compiled code could not be loaded.")
    with _adding:  # threads that made the same code at once share one, which then lives on
        return _alive.setdefault((program, arguments), function)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _translate(program: str, machine: Any) -> bytes:
    """Object code for a machine."""
    from llvmlite import binding

    module = parsed(program, machine)
    # a hash-consed graph leaves nothing to higher levels: same speed, twice the time (measured)
    options = binding.create_pipeline_tuning_options(speed_level=1)
    if program.startswith(_PACKED):
        options = binding.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = True
    builder = binding.create_pass_builder(machine, options)
    optimise(module, builder)
    return encode(machine, module)


def _link(code: bytes, name: str, arguments: tuple[str, ...]) -> CompiledFunction | None:
    from llvmlite import binding

    try:
        image = binding.ObjectFileRef.from_data(code)
    except RuntimeError:
        return None
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
    engine.add_object_file(image)
    engine.finalize_object()
    address = engine.get_function_address(name)
    return CompiledFunction(name, arguments, address, engine) if address else None
