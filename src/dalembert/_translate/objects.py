"""Object code: a program optimised, kept on disk, loaded."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalembert._translate import separate, shipped, store, workers
from dalembert._translate.portable import MARK, PORTABLE, parsed
from dalembert._translate.processor import processor, target_machine
from dalembert._translate.program import BRIEF, PACKED, SYMBOL

told: list[Callable[[str], None]] = []
"""Who wants to know what is about to be compiled; the last one is told."""


@dataclass(frozen=True)
class Loaded:
    """Machine code in memory, as long as this object lives. `note` is what was kept with it."""

    address: int
    note: str
    engine: Any


def load(folder: Path, name: str | None, write: Callable[[], tuple[str, str]]) -> Loaded:
    """The code of a program: as it came with the package, from the folder, or compiled now.

    `write` gives the program and a note. `name` is what the program is known by in this folder; a
    program without a name is known by its text, which must then be written every time.
    """
    return workers.elsewhere(functools.partial(_load, folder, name, write))


def _load(folder: Path, name: str | None, write: Callable[[], tuple[str, str]]) -> Loaded:
    written = None if name is not None else write()
    key = _key(written[0] if written is not None else str(name))
    kept = None if name is None or MARK else shipped.recall(name)
    kept = store.recall(folder, key) if kept is None else kept
    loaded = None if kept is None else _link(kept)
    if loaded is None:
        if told:
            told[-1](_called(name))
        make = functools.partial(_noted, *(written if written is not None else write()))
        code = make(target_machine())
        if name is not None:
            shipped.tell(name, make)
        store.remember(folder, key, code)
        loaded = _link(code)
        if loaded is None:
            raise RuntimeError(f"{name}: the compiled code could not be loaded")
    return loaded


def _noted(program: str, note: str, machine: Any) -> bytes:
    """Code of a program for a machine, behind its note."""
    return note.encode() + b"\n" + compiled(program, machine, own=PORTABLE)


def _called(name: str | None) -> str:
    """Name of a program for people: "contact.step.impulses.close_gaps"."""
    return "formulas" if name is None else name.split()[0].removeprefix("dalembert.")


def compiled(program: str, machine: Any, *, own: bool) -> bytes:
    """Optimised object code for a machine; `own` as for `portable.parsed`.

    Loops in kernels are short and their sums have an order: neither vectors nor unrolling makes
    them faster, and both double the time to compile (measured on the scenes of benchmarks/).
    Statements written out in a row are packed into vector instructions where a kernel asks for it.
    """
    from llvmlite import binding

    module = parsed(program, machine, own=own)
    marks = program[: len(PACKED + BRIEF)]
    options = binding.create_pipeline_tuning_options(speed_level=1 if BRIEF in marks else 2)
    options.loop_vectorization = False
    options.loop_unrolling = False
    options.slp_vectorization = marks.startswith(PACKED)
    builder = binding.create_pass_builder(machine, options)
    workers.optimise(module, builder)
    return workers.encode(machine, module)


def _link(noted: bytes) -> Loaded | None:
    """Load object code with its note; None when it is damaged."""
    from llvmlite import binding

    separate.provide_symbols()
    note, _, code = noted.partition(b"\n")
    try:
        image = binding.ObjectFileRef.from_data(code)
    except RuntimeError:
        return None
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
    engine.add_object_file(image)
    engine.finalize_object()
    address = engine.get_function_address(SYMBOL)
    return Loaded(address, note.decode(), engine) if address else None


def _key(text: str) -> str:
    return hashlib.sha256("\n".join((*processor(), text + MARK)).encode()).hexdigest()
