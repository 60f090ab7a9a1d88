"""Instructions of one function of a program of formulas (`llvm_text`): one node, one line or a few.

In lanes each is done for all worlds of a register; functions of the mathematical library, which
know one number only, lane by lane.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from dalembert.formulas.node import CONDITIONS, Node

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
    "rint": "llvm.rint.f64",
}
LIBRARY = {
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
}
CALLS = frozenset(LIBRARY) | {"sin", "cos", "exp", "log", "power"}
"""Operations that the mathematical library does: in lanes one after the other."""
_PAIR = "{double, double}"


class Piece:
    """One function body."""

    def __init__(self, program: Any, number: int) -> None:
        self.program = program
        self.number = number
        self.is_last = number == len(program.pieces) - 1
        self.nodes = program.pieces[number]
        self.lines: list[str] = []
        self.values: dict[Node, str] = {}
        sines = {n.args[0]: n for n in self.nodes if n.op == "sin"}
        # both functions of one angle are computed together at the price of one
        self.partners: dict[Node, Node] = {}
        for node in self.nodes:
            if node.op == "cos" and node.args[0] in sines:
                sine = sines[node.args[0]]
                self.partners |= {node: sine, sine: node}
        if program.lanes > 1:
            self.partners = {}

    def literal(self, x: float) -> str:
        """A number, in every lane."""
        word = _number(x)
        return word if self.program.lanes == 1 else f"splat (double {word})"

    def write(self) -> list[str]:
        """All its lines."""
        program, lines = self.program, self.lines
        for node in self.nodes:
            if node not in self.values:
                self.operation(node)
            for array, index in program.at_once.get(node, ()):
                self.store(array, index, self.values[node])
            if node in program.slots:
                self.hand_on(node)
        if not self.is_last:
            lines.append("ret i32 0")
            return lines
        ready = [(array, index, self.value(f)) for array, index, f in program.at_end]
        for array, index, value in ready:
            self.store(array, index, value)
        if program.status is None:
            lines.append("ret i32 0")
        else:
            self.return_broken(self.value(program.status))
        return lines

    def return_broken(self, holds: str) -> None:
        """Return where the condition does not hold."""
        lanes, truth, lines = self.program.lanes, self.program.truth, self.lines
        yes = "true" if lanes == 1 else "splat (i1 true)"
        lines.append(f"%broken = xor {truth} {holds}, {yes}")
        bits = "%broken"
        if lanes > 1:
            lines.append(f"%bits = bitcast {truth} %broken to i{lanes}")
            bits = "%bits"
        lines.append(f"%code = zext i{lanes} {bits} to i32")
        lines.append("ret i32 %code")

    def value(self, node: Any) -> str:
        """Text of a value: known here, a number, a symbol, or from an earlier piece."""
        known = self.values.get(node)
        if known is None:
            if node.op == "constant":
                known = self.literal(node.data)
            elif node.args:
                known = self.take_over(node)
            else:
                array, index = self.program.places[node]
                known = self.scalar(array) if index is None else self.load(f"%in.{array}", index)
            self.values[node] = known
        return known

    def scalar(self, name: str) -> str:
        """An argument passed by value, in every lane."""
        if self.program.lanes == 1:
            return f"%in.{name}"
        v, kind = f"%v{len(self.lines)}", self.program.number
        self.lines.append(f"{v}.i = insertelement {kind} poison, double %in.{name}, i32 0")
        mask = f"<{self.program.lanes} x i32> zeroinitializer"
        self.lines.append(f"{v} = shufflevector {kind} {v}.i, {kind} poison, {mask}")
        return v

    def load(self, array: str, index: int) -> str:
        """The name of an entry that is read."""
        v = f"%v{len(self.lines)}"
        kind = self.program.number
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr {array}, i64 {index}")
        # no store of this function touches the array: the load is free to move
        free = array.removeprefix("%in.") not in self.program.written
        mark = ", !invariant.load !0" if free else ""
        self.lines.append(f"{v} = load {kind}, ptr {v}.a, align 8{mark}")
        return v

    def store(self, array: str, index: int, value: str) -> None:
        """Write an entry."""
        v = f"%v{len(self.lines)}"
        kind = self.program.number
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr %in.{array}, i64 {index}")
        self.lines.append(f"store {kind} {value}, ptr {v}.a, align 8")

    def hand_on(self, node: Node) -> None:
        """Keep a value for later pieces."""
        v, value, kind = f"%v{len(self.lines)}", self.values[node], self.program.number
        if node.op in CONDITIONS:
            self.lines.append(f"{v}.d = uitofp {self.program.truth} {value} to {kind}")
            value = f"{v}.d"
        slot = self.program.slots[node]
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr %later, i64 {slot}")
        self.lines.append(f"store {kind} {value}, ptr {v}.a, align 8")

    def take_over(self, node: Node) -> str:
        """The name of a value that an earlier piece has kept."""
        v = self.load("%earlier", self.program.slots[node])
        if node.op not in CONDITIONS:
            return v
        self.lines.append(f"{v}.c = fcmp one {self.program.number} {v}, {self.literal(0.0)}")
        return f"{v}.c"

    def operation(self, node: Any) -> None:
        """Compute one node."""
        op, lines, kind, truth = node.op, self.lines, self.program.number, self.program.truth
        a = [self.value(x) for x in node.args]
        v = f"%v{len(lines)}"
        self.values[node] = v
        if op in _ARITHMETIC:
            lines.append(f"{v} = {_ARITHMETIC[op]} contract {kind} {a[0]}, {a[1]}")
        elif op == "neg":
            lines.append(f"{v} = fneg contract {kind} {a[0]}")
        elif op in CALLS and self.program.lanes > 1:
            self.call_in_lanes(op, a, v)
        elif node in self.partners:
            self.sine_and_cosine(node, a[0], v)
        elif op in _INTRINSIC:
            self.call(_INTRINSIC[op], a, v, "")
        elif op in LIBRARY:
            self.call(LIBRARY[op], a, v, " nounwind willreturn memory(none)")
        elif op in _COMPARE:
            lines.append(f"{v} = fcmp {_COMPARE[op]} {kind} {a[0]}, {a[1]}")
        elif op in _LOGIC:
            lines.append(f"{v} = {_LOGIC[op]} {truth} {a[0]}, {a[1]}")
        elif op == "not":
            yes = "true" if self.program.lanes == 1 else "splat (i1 true)"
            lines.append(f"{v} = xor {truth} {a[0]}, {yes}")
        elif op == "where":
            lines.append(f"{v} = select {truth} {a[0]}, {kind} {a[1]}, {kind} {a[2]}")
        elif op == "two_to":
            self.power_of_two(a[0], v)
        else:  # sign: the argument itself when it is zero or NaN
            zero, one, minus = (self.literal(x) for x in (0.0, 1.0, -1.0))
            lines.append(f"{v}.n = fcmp olt {kind} {a[0]}, {zero}")
            lines.append(f"{v}.s = select {truth} {v}.n, {kind} {minus}, {kind} {a[0]}")
            lines.append(f"{v}.p = fcmp ogt {kind} {a[0]}, {zero}")
            lines.append(f"{v} = select {truth} {v}.p, {kind} {one}, {kind} {v}.s")

    def power_of_two(self, n: str, v: str) -> None:
        """2^n by the bits of its exponent."""
        lanes, kind = self.program.lanes, self.program.number
        whole = "i64" if lanes == 1 else f"<{lanes} x i64>"
        bias, shift = ("1023", "52") if lanes == 1 else ("splat (i64 1023)", "splat (i64 52)")
        self.lines.append(f"{v}.n = fptosi {kind} {n} to {whole}")
        self.lines.append(f"{v}.e = add {whole} {v}.n, {bias}")
        self.lines.append(f"{v}.b = shl {whole} {v}.e, {shift}")
        self.lines.append(f"{v} = bitcast {whole} {v}.b to {kind}")

    def call(self, callee: str, values: Sequence[str], v: str, attributes: str) -> None:
        """Call a function, of all lanes where it is an intrinsic."""
        kind = self.program.number
        if self.program.lanes > 1:
            callee = callee.replace(".f64", f".v{self.program.lanes}f64")
        kinds = ", ".join([kind] * len(values))
        given = ", ".join(f"{kind} {x}" for x in values)
        self.program.declarations.add(f"declare {kind} @{callee}({kinds}){attributes}")
        self.lines.append(f"{v} = call contract {kind} @{callee}({given})")

    def call_in_lanes(self, op: str, values: Sequence[str], v: str) -> None:
        """A function of the mathematical library, lane by lane."""
        callee, kind = _INTRINSIC.get(op) or LIBRARY[op], self.program.number
        attributes = "" if op in _INTRINSIC else " nounwind willreturn memory(none)"
        kinds = ", ".join(["double"] * len(values))
        self.program.declarations.add(f"declare double @{callee}({kinds}){attributes}")
        so_far = "poison"
        for lane in range(self.program.lanes):
            given = []
            for k, x in enumerate(values):
                self.lines.append(f"{v}.{lane}.{k} = extractelement {kind} {x}, i32 {lane}")
                given.append(f"double {v}.{lane}.{k}")
            self.lines.append(f"{v}.{lane}.r = call double @{callee}({', '.join(given)})")
            here = v if lane == self.program.lanes - 1 else f"{v}.{lane}.s"
            self.lines.append(
                f"{here} = insertelement {kind} {so_far}, double {v}.{lane}.r, i32 {lane}"
            )
            so_far = here

    def sine_and_cosine(self, node: Node, angle: str, v: str) -> None:
        """Compute both functions of one angle, at the price of one."""
        self.program.declarations.add(f"declare {_PAIR} @llvm.sincos.f64(double)")
        self.lines.append(f"{v} = call {_PAIR} @llvm.sincos.f64(double {angle})")
        for which in (node, self.partners[node]):
            part = 0 if which.op == "sin" else 1
            self.lines.append(f"{v}.{part} = extractvalue {_PAIR} {v}, {part}")
            self.values[which] = f"{v}.{part}"


def _number(x: float) -> str:
    return "0x" + struct.pack(">d", x).hex().upper()
