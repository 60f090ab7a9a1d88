"""An engine: a module of WebAssembly, the memory it begins with, and where things stand there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert._jit import Kernel
from dalembert._translate.kinds import kind_of
from dalembert._translate.wasm_object import Module
from dalembert.engine.image import ALIGNED, PAGE, STACK, Image, Row, stretches
from dalembert.engine.program import WholeProgram


@dataclass(frozen=True)
class Engine:
    """Code and memory that travel, and their description for `player/src/engine.js`.

    Attributes
    ----------
    modules : of kernels, which models of a kind share, and of the model's formulas, if any
    memory : what it begins with, without long zeros: parts that stand where `spec["filled"]` says
    """

    modules: tuple[Module, ...]
    memory: bytes
    spec: dict[str, Any]


class Making:
    """An engine that is being made."""

    def __init__(self, *, checked: bool = False) -> None:
        self.program, self.image = WholeProgram(checked=checked), Image()
        self._rows: dict[str, Row] = {}
        self._named: dict[str, Any] = {}
        self._changed: dict[int, Any] = {}

    def array(self, name: str, array: Any) -> int:
        """An array that is read and written by name from outside."""
        self._named[name] = array
        return self.image.put(array)

    def instead(self, array: Any, made: Any) -> None:
        """Other contents for an array that has its place."""
        self._changed[self.image.put(array)] = made

    def entry(self, name: str, kernel: Kernel, *arguments: Any) -> None:
        """A kernel called from outside with these arrays; numbers are those it begins with."""
        kinds = tuple(kind_of(x) for x in arguments)
        self.program.entry(name, kernel, kinds)
        self._rows[name] = Row(self.image, kinds, arguments)

    def engine(self, more: dict[str, Any] | None = None) -> Engine:
        """The engine of what has been put together."""
        modules, results = self.program.modules()
        begin = -(-(modules[-1].data_end + STACK) // ALIGNED) * ALIGNED
        for name, row in self._rows.items():
            row.lay(self.image, results[name])
            words = row.words.copy()
            words[row.pointers] += begin
            self._changed[row.at] = words
        memory = self.image.bytes(self._changed)
        filled = stretches(memory)
        spec = {
            "begin": begin,
            "pages": -(-(begin + len(memory)) // PAGE) + 1,
            "filled": filled,
            "functions": self.program.functions,
            "entries": {
                name: {"at": begin + row.at, "numbers": row.numbers, "results": row.results}
                for name, row in self._rows.items()
            },
            "arrays": {
                name: {
                    "at": begin + self.image.put(array),
                    "count": int(array.size),
                    "kind": "f" if array.dtype == np.float64 else "i",
                }
                for name, array in self._named.items()
            },
            **(more or {}),
        }
        carried = b"".join(memory[at : at + count] for at, count in filled)
        return Engine(tuple(modules), carried, spec)
