"""LLVM text of one function, instruction by instruction and block by block."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from dalembert._translate.kinds import FLOAT, INTEGER, UnsupportedError, Value

if TYPE_CHECKING:
    from dalembert._translate.program import Program

ALIAS = {FLOAT: "!1", INTEGER: "!2"}
"""A float and an integer are never the same memory: the optimiser may rely on it."""


class Writer:
    """Instructions in the order they are written."""

    def __init__(self, program: Program, function: Callable[..., Any]) -> None:
        self.program = program
        self.function = function
        self.start()

    def start(self) -> None:
        """Forget what was written."""
        self.lines: list[str] = []
        self.count = 0
        self.size = 0
        self.block = "entry"
        self.reachable = True

    def place(self, node: ast.AST) -> str:
        """Where in the source a construct stands."""
        code = self.function.__code__
        line = getattr(node, "lineno", code.co_firstlineno)
        return f"{code.co_name} ({code.co_filename}:{line})"

    def refuse(self, node: ast.AST, reason: str) -> NoReturn:
        """Raise UnsupportedError with the place."""
        raise UnsupportedError(reason, self.place(node))

    def emit(self, instruction: str, *, size: int = 1) -> str:
        """Append an instruction with a result; return the name of the result.

        size : what is added to the size of the function
        """
        self.count += 1
        self.size += size
        self.lines.append(f"  %r{self.count} = {instruction}")
        return f"%r{self.count}"

    def do(self, instruction: str, *, size: int = 1) -> None:
        """Append an instruction without a result."""
        self.size += size
        self.lines.append(f"  {instruction}")

    def label(self, purpose: str) -> str:
        """A new name for a block."""
        self.count += 1
        return f"{purpose}{self.count}"

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.block = label
        self.reachable = True

    def end(self, terminator: str) -> None:
        """End the block."""
        self.do(terminator)
        self.reachable = False

    def jump(self, label: str) -> None:
        """End the block and go on elsewhere."""
        self.end(f"br label %{label}")

    def load(self, element: str, address: str) -> Value:
        """The element of an array at an address."""
        word = self.emit(f"load {element}, ptr {address}, !tbaa {ALIAS[element]}")
        return Value(element, (word,))

    def store(self, value: Value, address: str) -> None:
        """Write an element of an array."""
        self.do(f"store {value.kind} {value.word}, ptr {address}, !tbaa {ALIAS[value.kind]}")

    def offset(self, base: Value, index: str) -> str:
        """Address of the element of an array that many places behind the first."""
        return self.emit(
            f"getelementptr inbounds {base.kind.element}, ptr {base.word}, i64 {index}"
        )

    def call_library(self, name: str, words: list[str]) -> Value:
        """Call a function of floats from the mathematical library."""
        self.program.declare(f"declare double @{name}({', '.join(['double'] * len(words))})")
        given = ", ".join(f"double {w}" for w in words)
        return Value(FLOAT, (self.emit(f"call double @{name}({given})"),))

    def check(self, node: ast.AST, condition: str) -> None:
        """Stop the process with a sentence unless the condition holds."""
        good, bad = self.label("good"), self.label("bad")
        self.end(f"br i1 {condition}, label %{good}, label %{bad}")
        self.begin(bad)
        sentence = self.program.sentence(f"Error: index out of range in {self.place(node)}")
        self.do(f"call void @out_of_range(ptr {sentence})")
        self.end("unreachable")
        self.begin(good)
