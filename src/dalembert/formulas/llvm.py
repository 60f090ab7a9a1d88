"""Formulas to machine code: the graph as straight-line LLVM, compiled for this processor.

The text of the LLVM program is written directly, each node once, arguments before their users.
Operations may be contracted to fused multiply-adds and nothing else: no fast-math, NaN survives.
Object code is kept on disk under a hash of program, processor and compiler.

A compiled function has the form of a border,

    int32 name(double* work, int64* sizes, <double t, h; double* everything else> ...)

and returns 0, or 1 when the `status` condition does not hold.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import struct
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert._jit import cache_folder
from dalembert.errors import FormulaError
from dalembert.formulas.expression import Condition, Node
from dalembert.formulas.graph import Store, reachable
from dalembert.formulas.text import leaf_text

SCALARS = frozenset(("t", "h"))
"""Arguments passed by value; every other argument is a pointer to doubles."""

_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARE = {"<": "olt", "<=": "ole"}
_LOGIC = {"and": "and", "or": "or"}
_INTRINSIC = {
    "sqrt": "llvm.sqrt.f64",
    "sin": "llvm.sin.f64",
    "cos": "llvm.cos.f64",
    "exp": "llvm.exp.f64",
    "log": "llvm.log.f64",
    "abs": "llvm.fabs.f64",
    "power": "llvm.pow.f64",
    "minimum": "llvm.minimum.f64",  # unlike minnum these let NaN through, as NumPy does
    "maximum": "llvm.maximum.f64",
}
_LIBRARY = {
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
}


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

    def __repr__(self) -> str:
        return f"CompiledFunction {self.name}(work, sizes, {', '.join(self.arguments)})"

    def __call__(self, *, work: Any = None, sizes: Any = None, **values: Any) -> int:
        """Call the code with floats for t and h and float64 arrays for the rest; for tests."""
        kinds = [ctypes.c_double if a in SCALARS else ctypes.c_void_p for a in self.arguments]
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        given = [_pointer(work, np.float64), _pointer(sizes, np.int64)]
        for a in self.arguments:
            given.append(values[a] if a in SCALARS else _pointer(values[a], np.float64))
        return int(kind(self.address)(*given))


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
) -> CompiledFunction:
    """Compile formulas to ``int32 name(double* work, int64* sizes, *arguments)``.

    Parameters
    ----------
    arguments : names after work and sizes; "t" and "h" are doubles, all others double*
    stores : (array name, index, formula); arrays must not overlap one another
    bindings : symbol -> (array name, index) where its value is read, or ("t", None)
    status : condition; the function returns 1 when it does not hold

    Notes
    -----
    All reads of an entry happen before it is written.
    """
    program = write_program(name, arguments, stores, bindings, status)
    return _build(program, name, tuple(arguments))


# --- the program text --------------------------------------------------------------------------


def write_program(
    name: str,
    arguments: Sequence[str],
    stores: Sequence[Store],
    bindings: Mapping[Any, tuple[str, int | None]],
    status: Condition | None = None,
) -> str:
    """LLVM text of the function; see `compile_function`."""
    pointers = {"work", *arguments} - SCALARS - {"sizes"}
    for array, index, _ in stores:
        if array not in pointers or index < 0:
            raise FormulaError(f"{name}: cannot store to {array}[{index}]; arrays are {pointers}.")
    outputs: list[Node] = [formula for _, _, formula in stores]
    if status is not None:
        outputs.append(status)
    order = reachable(outputs)
    pairs = _sine_cosine_pairs(order)

    lines: list[str] = []
    used: set[str] = set()
    value: dict[Node, str] = {}
    for k, node in enumerate(order):
        op = node.op
        if op == "constant":
            value[node] = _number(node.data)
            continue
        v = f"%v{k}"
        if not node.args:
            value[node] = _read(name, node, v, arguments, pointers, bindings, lines)
            continue
        value[node] = v
        a = [value[x] for x in node.args]
        if op in _ARITHMETIC:
            lines.append(f"{v} = {_ARITHMETIC[op]} contract double {a[0]}, {a[1]}")
        elif op == "neg":
            lines.append(f"{v} = fneg contract double {a[0]}")
        elif op in ("sin", "cos") and node.args[0] in pairs:
            angle = node.args[0]
            if pairs[angle] == "":
                used.add("declare {double, double} @llvm.sincos.f64(double)")
                pairs[angle] = f"{v}.p"
                lines.append(f"{v}.p = call {{double, double}} @llvm.sincos.f64(double {a[0]})")
            part = 0 if op == "sin" else 1
            lines.append(f"{v} = extractvalue {{double, double}} {pairs[angle]}, {part}")
        elif op in _INTRINSIC:
            callee = _INTRINSIC[op]
            used.add(f"declare double @{callee}({', '.join(['double'] * len(a))})")
            lines.append(f"{v} = call contract double @{callee}({_doubles(a)})")
        elif op in _LIBRARY:
            callee = _LIBRARY[op]
            kinds = ", ".join(["double"] * len(a))
            used.add(f"declare double @{callee}({kinds}) nounwind willreturn memory(none)")
            lines.append(f"{v} = call contract double @{callee}({_doubles(a)})")
        elif op in _COMPARE:
            lines.append(f"{v} = fcmp {_COMPARE[op]} double {a[0]}, {a[1]}")
        elif op in _LOGIC:
            lines.append(f"{v} = {_LOGIC[op]} i1 {a[0]}, {a[1]}")
        elif op == "not":
            lines.append(f"{v} = xor i1 {a[0]}, true")
        elif op == "where":
            lines.append(f"{v} = select i1 {a[0]}, double {a[1]}, double {a[2]}")
        else:  # sign: the argument itself when it is zero or NaN
            zero, one, minus = _number(0.0), _number(1.0), _number(-1.0)
            lines.append(f"{v}.n = fcmp olt double {a[0]}, {zero}")
            lines.append(f"{v}.s = select i1 {v}.n, double {minus}, double {a[0]}")
            lines.append(f"{v}.p = fcmp ogt double {a[0]}, {zero}")
            lines.append(f"{v} = select i1 {v}.p, double {one}, double {v}.s")
    for k, (array, index, formula) in enumerate(stores):
        lines.append(f"%o{k} = getelementptr inbounds double, ptr %in.{array}, i64 {index}")
        lines.append(f"store double {value[formula]}, ptr %o{k}")
    if status is None:
        lines.append("ret i32 0")
    else:
        lines.append(f"%broken = xor i1 {value[status]}, true")
        lines.append("%code = zext i1 %broken to i32")
        lines.append("ret i32 %code")

    listed = ["ptr noalias %in.work", "ptr noalias readonly %in.sizes"]
    for a_name in arguments:
        kind = "double" if a_name in SCALARS else "ptr noalias"
        listed.append(f"{kind} %in.{a_name}")
    head = f"define i32 @{name}({', '.join(listed)}) nounwind {{"
    return "\n".join([*sorted(used), head, *lines, "}", ""])


def _read(
    name: str,
    node: Node,
    v: str,
    arguments: Sequence[str],
    pointers: set[str],
    bindings: Mapping[Any, tuple[str, int | None]],
    lines: list[str],
) -> str:
    """Text of the value of a symbol; appends the load it needs."""
    if node in bindings:
        array, index = bindings[node]
    elif node.op == "load":
        array, index = node.data
    elif node.op == "time":
        array, index = "t", None
    else:
        raise FormulaError(f"{name}: {node.op} '{leaf_text(node)}' is not bound to any argument.")
    if array in SCALARS and array in arguments:
        return f"%in.{array}"
    if array not in pointers or index is None or index < 0:
        raise FormulaError(
            f"{name}: '{leaf_text(node)}' is to be read from {array}[{index}], "
            f"but the arguments are work, {', '.join(arguments)}."
        )
    lines.append(f"{v}.a = getelementptr inbounds double, ptr %in.{array}, i64 {index}")
    lines.append(f"{v} = load double, ptr {v}.a")
    return v


def _sine_cosine_pairs(order: Sequence[Node]) -> dict[Node, str]:
    """Angles of which both functions are needed: computed together at the price of one."""
    sines = {n.args[0] for n in order if n.op == "sin"}
    return {n.args[0]: "" for n in order if n.op == "cos" and n.args[0] in sines}


def _doubles(values: Sequence[str]) -> str:
    return ", ".join(f"double {v}" for v in values)


def _number(x: float) -> str:
    return "0x" + struct.pack(">d", x).hex().upper()


# --- object code --------------------------------------------------------------------------------


@functools.cache
def _processor() -> tuple[str, str, str, str]:
    """What distinguishes this processor and compiler: version, triple, name, features."""
    import llvmlite
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features().flatten()
    triple = binding.get_process_triple()
    return llvmlite.__version__, triple, binding.get_host_cpu_name(), features


def _machine() -> Any:
    """A new target machine; an engine takes it into its possession."""
    from llvmlite import binding

    _, triple, cpu, features = _processor()
    return binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=2, codemodel="jitdefault", jit=True
    )


_alive: weakref.WeakValueDictionary[tuple[str, tuple[str, ...]], CompiledFunction] = (
    weakref.WeakValueDictionary()
)


def _build(program: str, name: str, arguments: tuple[str, ...]) -> CompiledFunction:
    found = _alive.get((program, arguments))
    if found is not None:
        return found
    key = hashlib.sha256("\n".join((*_processor(), program)).encode()).hexdigest()
    code = _recall(key)
    function = None if code is None else _link(code, name, arguments)
    if function is None:
        code = _translate(program)
        _remember(key, code)
        function = _link(code, name, arguments)
        if function is None:
            raise FormulaError(f"{name}: the compiled code could not be loaded.")
    _alive[(program, arguments)] = function
    return function


def _translate(program: str) -> bytes:
    from llvmlite import binding

    machine = _machine()
    module = binding.parse_assembly(program)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=2)
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _link(code: bytes, name: str, arguments: tuple[str, ...]) -> CompiledFunction | None:
    from llvmlite import binding

    try:
        image = binding.ObjectFileRef.from_data(code)
    except RuntimeError:
        return None
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())
    engine.add_object_file(image)
    engine.finalize_object()
    address = engine.get_function_address(name)
    return CompiledFunction(name, arguments, address, engine) if address else None


def _place(key: str) -> Path:
    return cache_folder() / f"{key[:32]}.o"


def _recall(key: str) -> bytes | None:
    """Object code from the cache; None when missing, unreadable or damaged."""
    try:
        stored = _place(key).read_bytes()
    except OSError:
        return None
    digest, code = stored[:32], stored[32:]
    return code if hashlib.sha256(key.encode() + code).digest() == digest else None


def _remember(key: str, code: bytes) -> None:
    """Write the object code so that no reader ever sees half of it; a full disk is no error."""
    place = _place(key)
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=place.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(key.encode() + code).digest() + code)
            os.replace(temporary, place)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
