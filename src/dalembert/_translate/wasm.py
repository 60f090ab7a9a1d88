"""WebAssembly: programs made into modules, which begin with nothing but a memory and a table.

Kernels of all models of a kind are one module, kept on disk like machine code; formulas of a model
are another one. Both are given the same memory, the same table, and the end of the stack.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from dalembert._translate import objects, store, workers
from dalembert._translate.cache import cache_folder
from dalembert._translate.portable import parsed
from dalembert._translate.processor import processor
from dalembert._translate.program import BRIEF, PACKED

TRIPLE, FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+nontrapping-fptoint"

FIRST = 1
"""Place of the first function in the table: zero is the address of nothing."""


def kernels_object(name: str | None, write: Callable[[], tuple[str, str]]) -> tuple[bytes, str]:
    """Object code of kernels and the note that was kept with it, from disk where it is there.

    `write` gives the program and the note; `name` is what it is known by as long as the sources
    are the same, None: it is known by its text.
    """
    return workers.elsewhere(functools.partial(_kernels_object, name, write))


def _kernels_object(name: str | None, write: Callable[[], tuple[str, str]]) -> tuple[bytes, str]:
    written = None if name is not None else write()
    key = _key("kernels", str(name) if written is None else written[0])
    kept = store.recall(cache_folder(), key)
    if kept is None:
        _tell("kernels to LLVM")
        program, note = written if written is not None else write()
        kept = note.encode() + b"\n" + _object([program], brief=BRIEF in program[:_MARKS])
        store.remember(cache_folder(), key, kept)
    noted, _, code = kept.partition(b"\n")
    return code, noted.decode()


def formulas_object(programs: Sequence[str]) -> bytes:
    """Object code of programs of formulas."""
    return workers.elsewhere(functools.partial(_formulas_object, programs))


def _formulas_object(programs: Sequence[str]) -> bytes:
    folder, key = cache_folder() / "formulas", _key("formulas", json.dumps(programs))
    kept = store.recall(folder, key)
    if kept is None:
        _tell("formulas")
        # as natively: only where formulas are packed do the passes of level 2 find anything to do
        kept = _object(programs, brief=not any(text.startswith(PACKED) for text in programs))
        store.remember_bounded(folder, key, kept)
    return kept


_MARKS = len(PACKED + BRIEF)


def _key(kind: str, text: str) -> str:
    marks = (processor()[0], TRIPLE, FEATURES, kind, text)
    return hashlib.sha256("\n".join(marks).encode()).hexdigest()


def _tell(what: str) -> None:
    if objects.told:
        objects.told[-1](what)


def _object(programs: Sequence[str], *, brief: bool) -> bytes:
    """Object code of several programs."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(opt=2, features=FEATURES)
    first, *others = programs
    module = parsed(first, machine, own=True)
    for other in others:
        module.link_in(_moved(parsed(other, machine, own=True), module))
    options = binding.create_pipeline_tuning_options(speed_level=1 if brief else 2)
    options.loop_vectorization = False
    options.loop_unrolling = False
    options.slp_vectorization = any(program.startswith(PACKED) for program in programs)
    count = len(list(module.functions))
    _tell(f"{count} functions to be optimised")
    workers.optimise(module, binding.create_pass_builder(machine, options))
    _tell(f"{count} functions to WebAssembly")
    return workers.encode(machine, module)


def _moved(module: Any, into: Any) -> Any:
    """The module in the context of another one: modules of one context alone can be linked."""
    from llvmlite import binding

    return binding.parse_bitcode(module.as_bitcode(), into._context)
