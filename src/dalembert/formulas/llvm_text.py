"""The text of an LLVM program that computes formulas: straight line, each node once.

Operations may be contracted to fused multiply-adds and nothing else: no fast-math, NaN survives.

Order matters to the registers, none of which survives a call: first all calls of the mathematical
library with what they need, then the rest depth first, every result stored as soon as it is known
(measured on four models: 5 to 15 % faster than creation order with the stores at the end).
With `lanes` every value is a vector with an entry for each of so many worlds, arrays hold so many
numbers where they held one, and what is returned has a bit for each lane whose condition fails.
Beyond `LONGEST` operations the program is cut into functions that hand values on in memory, because
register allocation takes time quadratic in the length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalembert.errors import FormulaError
from dalembert.formulas.expression import Condition
from dalembert.formulas.graph import Store, in_depth, reachable
from dalembert.formulas.node import CONDITIONS, Node
from dalembert.formulas.text import leaf_text

SCALARS = frozenset(("t", "h"))
"""Arguments passed by value; every other argument is a pointer to doubles."""

LONGEST = 6000
"""Most operations in one function; more are cut into pieces."""

PIECE = 500
"""Operations in a piece: small enough that the time to compile grows with the length only."""

Bindings = Mapping[Any, tuple[str, int | None]]
"""Symbol -> (array name, index), or (scalar name, None)."""

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
_CALLS = frozenset(_LIBRARY) | {"sin", "cos", "exp", "log", "power"}
"""Operations that the mathematical library does: in lanes one after the other."""
_PAIR = "{double, double}"


def write_program(
    name: str,
    arguments: Sequence[str],
    stores: Sequence[Store],
    bindings: Bindings,
    status: Condition | None = None,
    lanes: int = 1,
) -> str:
    """LLVM text of a function that computes the stores; see `llvm.compile_function`."""
    return _Program(name, arguments, stores, bindings, status, lanes).text()


def execution_order(outputs: Iterable[Node]) -> list[Node]:
    """Operations the outputs need, library calls and their arguments first, then depth first."""
    outputs = list(outputs)
    calls = [node for node in in_depth(*outputs) if node.op in _CALLS]
    done: set[Node] = set()
    order: list[Node] = []
    for output in (*calls, *outputs):
        stack = [(output, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif node not in done and node.args:
                done.add(node)
                stack.append((node, True))
                stack.extend((a, False) for a in reversed(node.args) if a not in done)
    return order


class _Program:
    """A function, or several when the program is long."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        stores: Sequence[Store],
        bindings: Bindings,
        status: Condition | None,
        lanes: int,
    ) -> None:
        self.name, self.lanes = name, lanes
        self.number = "double" if lanes == 1 else f"<{lanes} x double>"
        self.truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        self.arguments = list(arguments)
        self.pointers = {"work", *arguments} - SCALARS - {"sizes"}
        self.bindings = bindings
        self.status = status
        self.declarations: set[str] = set()
        outputs: list[Node] = [formula for _, _, formula in stores]
        if status is not None:
            outputs.append(status)
        self.places = {n: self._place(n) for n in reachable(outputs) if _is_symbol(n)}
        self._sort_stores(stores)

        order = execution_order(outputs)
        size = PIECE if len(order) > LONGEST else LONGEST
        pieces = [order[i : i + size] for i in range(0, len(order), size)] or [[]]
        self.pieces = pieces
        self.piece_of = {node: k for k, piece in enumerate(pieces) for node in piece}
        self.slots, self.slot_count = self._hand_over()

    def _place(self, node: Any) -> tuple[str, int | None]:
        """Where the value of a symbol is read."""
        if node in self.bindings:
            array, index = self.bindings[node]
        elif node.op == "load":
            array, index = node.data
        elif node.op == "time":
            array, index = "t", None
        else:
            raise FormulaError(
                f"{self.name}: {node.op} '{leaf_text(node)}' is not bound to any argument."
            )
        if array in SCALARS and array in self.arguments:
            return array, None
        if array not in self.pointers or index is None or index < 0:
            raise FormulaError(
                f"{self.name}: '{leaf_text(node)}' is to be read from {array}[{index}], "
                f"but the arguments are work, {', '.join(self.arguments)}."
            )
        return array, index

    def _sort_stores(self, stores: Sequence[Store]) -> None:
        """Stores at once, and those at the end: of symbols, and over entries that are read."""
        read = set(self.places.values())
        self.at_once: dict[Node, list[tuple[str, int]]] = {}
        self.at_end: list[Store] = []
        self.written = {array for array, _, _ in stores}
        for array, index, formula in stores:
            if array not in self.pointers or index < 0:
                raise FormulaError(
                    f"{self.name}: cannot store to {array}[{index}], "
                    f"the arguments are work, {', '.join(self.arguments)}."
                )
            if formula.args and (array, index) not in read:
                self.at_once.setdefault(formula, []).append((array, index))
            else:
                self.at_end.append((array, index, formula))

    def _hand_over(self) -> tuple[dict[Node, int], int]:
        """Memory slots of values computed in one piece and used in a later one."""
        final = len(self.pieces) - 1
        last_use: dict[Node, int] = {}
        for k, piece in enumerate(self.pieces):
            for node in piece:
                last_use.update((a, k) for a in node.args)
        last_use.update((formula, final) for _, _, formula in self.at_end)
        if self.status is not None:
            last_use[self.status] = final
        slots: dict[Node, int] = {}
        free: list[int] = []
        count = 0
        ending: list[list[int]] = [[] for _ in self.pieces]
        for k, piece in enumerate(self.pieces):
            for node in piece:
                if last_use.get(node, k) > k:
                    if not free:
                        free.append(count)
                        count += 1
                    slots[node] = free.pop()
                    ending[last_use[node]].append(slots[node])
            free += ending[k]
        return slots, count

    def text(self) -> str:
        parameters = ["ptr noalias %in.work", "ptr noalias readonly %in.sizes"]
        for argument in self.arguments:
            kind = "double" if argument in SCALARS else "ptr noalias"
            parameters.append(f"{kind} %in.{argument}")
        if len(self.pieces) == 1:
            body = _Piece(self, 0).write()
            functions = [_function(f"@{self.name}", parameters, body)]
        else:
            functions = self._several(parameters)
        return "\n".join([*sorted(self.declarations), *functions, "!0 = !{}", ""])

    def _several(self, parameters: list[str]) -> list[str]:
        """The pieces as functions, and one that calls them in turn."""
        # One memory, but a piece reads and writes different slots: two pointers free of aliases.
        # Not inlined and visible from outside, so that no load leaves the piece it stands in.
        inner = [*parameters, "ptr noalias readonly %earlier", "ptr noalias %later"]
        given = ", ".join(p.replace(" noalias", "").replace(" readonly", "") for p in parameters)
        given += ", ptr %memory, ptr %memory"
        functions = []
        calls = [f"%memory = alloca [{max(1, self.slot_count)} x {self.number}], align 64"]
        for k in range(len(self.pieces)):
            body = _Piece(self, k).write()
            functions.append(_function(f"@{self.name}.{k}", inner, body, " noinline"))
            calls.append(f"%code{k} = call i32 @{self.name}.{k}({given})")
        calls.append(f"ret i32 %code{len(self.pieces) - 1}")
        return [*functions, _function(f"@{self.name}", parameters, calls)]


class _Piece:
    """One function body."""

    def __init__(self, program: _Program, number: int) -> None:
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
        v = f"%v{len(self.lines)}"
        kind = self.program.number
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr {array}, i64 {index}")
        # no store of this function touches the array: the load is free to move
        free = array.removeprefix("%in.") not in self.program.written
        mark = ", !invariant.load !0" if free else ""
        self.lines.append(f"{v} = load {kind}, ptr {v}.a, align 8{mark}")
        return v

    def store(self, array: str, index: int, value: str) -> None:
        v = f"%v{len(self.lines)}"
        kind = self.program.number
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr %in.{array}, i64 {index}")
        self.lines.append(f"store {kind} {value}, ptr {v}.a, align 8")

    def hand_on(self, node: Node) -> None:
        v, value, kind = f"%v{len(self.lines)}", self.values[node], self.program.number
        if node.op in CONDITIONS:
            self.lines.append(f"{v}.d = uitofp {self.program.truth} {value} to {kind}")
            value = f"{v}.d"
        slot = self.program.slots[node]
        self.lines.append(f"{v}.a = getelementptr inbounds {kind}, ptr %later, i64 {slot}")
        self.lines.append(f"store {kind} {value}, ptr {v}.a, align 8")

    def take_over(self, node: Node) -> str:
        v = self.load("%earlier", self.program.slots[node])
        if node.op not in CONDITIONS:
            return v
        self.lines.append(f"{v}.c = fcmp one {self.program.number} {v}, {self.literal(0.0)}")
        return f"{v}.c"

    def operation(self, node: Any) -> None:
        op, lines, kind, truth = node.op, self.lines, self.program.number, self.program.truth
        a = [self.value(x) for x in node.args]
        v = f"%v{len(lines)}"
        self.values[node] = v
        if op in _ARITHMETIC:
            lines.append(f"{v} = {_ARITHMETIC[op]} contract {kind} {a[0]}, {a[1]}")
        elif op == "neg":
            lines.append(f"{v} = fneg contract {kind} {a[0]}")
        elif op in _CALLS and self.program.lanes > 1:
            self.call_in_lanes(op, a, v)
        elif node in self.partners:
            self.sine_and_cosine(node, a[0], v)
        elif op in _INTRINSIC:
            self.call(_INTRINSIC[op], a, v, "")
        elif op in _LIBRARY:
            self.call(_LIBRARY[op], a, v, " nounwind willreturn memory(none)")
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
        kind = self.program.number
        if self.program.lanes > 1:
            callee = callee.replace(".f64", f".v{self.program.lanes}f64")
        kinds = ", ".join([kind] * len(values))
        given = ", ".join(f"{kind} {x}" for x in values)
        self.program.declarations.add(f"declare {kind} @{callee}({kinds}){attributes}")
        self.lines.append(f"{v} = call contract {kind} @{callee}({given})")

    def call_in_lanes(self, op: str, values: Sequence[str], v: str) -> None:
        """A function of the mathematical library, lane by lane."""
        callee, kind = _INTRINSIC.get(op) or _LIBRARY[op], self.program.number
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
        self.program.declarations.add(f"declare {_PAIR} @llvm.sincos.f64(double)")
        self.lines.append(f"{v} = call {_PAIR} @llvm.sincos.f64(double {angle})")
        for which in (node, self.partners[node]):
            part = 0 if which.op == "sin" else 1
            self.lines.append(f"{v}.{part} = extractvalue {_PAIR} {v}, {part}")
            self.values[which] = f"{v}.{part}"


def _is_symbol(node: Node) -> bool:
    return not node.args and node.op != "constant"


def _function(name: str, parameters: list[str], body: list[str], attributes: str = "") -> str:
    head = f"define i32 {name}({', '.join(parameters)}) nounwind{attributes} {{"
    return "\n".join([head, *body, "}"])


def _number(x: float) -> str:
    return "0x" + struct.pack(">d", x).hex().upper()
