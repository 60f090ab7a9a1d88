"""The text of an LLVM program that computes formulas: straight line, each node once.

Operations may be contracted to fused multiply-adds and nothing else: no fast-math, NaN survives.

Order matters to the registers, none of which survives a call: first all calls of the mathematical
library with what they need, then the rest depth first, every result stored as soon as it is known
(measured on four models: 5 to 15 % faster than creation order with the stores at the end).
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
_PAIR = "{double, double}"


def write_program(
    name: str,
    arguments: Sequence[str],
    stores: Sequence[Store],
    bindings: Bindings,
    status: Condition | None = None,
) -> str:
    """LLVM text of a function that computes the stores; see `llvm.compile_function`."""
    return _Program(name, arguments, stores, bindings, status).text()


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
    ) -> None:
        self.name = name
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
        calls = [f"%memory = alloca [{max(1, self.slot_count)} x double], align 16"]
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
            lines.append(f"%broken = xor i1 {self.value(program.status)}, true")
            lines.append("%code = zext i1 %broken to i32")
            lines.append("ret i32 %code")
        return lines

    def value(self, node: Any) -> str:
        """Text of a value: known here, a number, a symbol, or from an earlier piece."""
        known = self.values.get(node)
        if known is None:
            if node.op == "constant":
                known = _number(node.data)
            elif node.args:
                known = self.take_over(node)
            else:
                array, index = self.program.places[node]
                known = f"%in.{array}" if index is None else self.load(f"%in.{array}", index)
            self.values[node] = known
        return known

    def load(self, array: str, index: int) -> str:
        v = f"%v{len(self.lines)}"
        self.lines.append(f"{v}.a = getelementptr inbounds double, ptr {array}, i64 {index}")
        # no store of this function touches the array: the load is free to move
        free = array.removeprefix("%in.") not in self.program.written
        mark = ", !invariant.load !0" if free else ""
        self.lines.append(f"{v} = load double, ptr {v}.a{mark}")
        return v

    def store(self, array: str, index: int, value: str) -> None:
        v = f"%v{len(self.lines)}"
        self.lines.append(f"{v}.a = getelementptr inbounds double, ptr %in.{array}, i64 {index}")
        self.lines.append(f"store double {value}, ptr {v}.a")

    def hand_on(self, node: Node) -> None:
        v, value = f"%v{len(self.lines)}", self.values[node]
        if node.op in CONDITIONS:
            self.lines.append(f"{v}.d = uitofp i1 {value} to double")
            value = f"{v}.d"
        slot = self.program.slots[node]
        self.lines.append(f"{v}.a = getelementptr inbounds double, ptr %later, i64 {slot}")
        self.lines.append(f"store double {value}, ptr {v}.a")

    def take_over(self, node: Node) -> str:
        v = self.load("%earlier", self.program.slots[node])
        if node.op not in CONDITIONS:
            return v
        self.lines.append(f"{v}.c = fcmp one double {v}, {_number(0.0)}")
        return f"{v}.c"

    def operation(self, node: Any) -> None:
        op, lines = node.op, self.lines
        a = [self.value(x) for x in node.args]
        v = f"%v{len(lines)}"
        self.values[node] = v
        if op in _ARITHMETIC:
            lines.append(f"{v} = {_ARITHMETIC[op]} contract double {a[0]}, {a[1]}")
        elif op == "neg":
            lines.append(f"{v} = fneg contract double {a[0]}")
        elif node in self.partners:
            self.sine_and_cosine(node, a[0], v)
        elif op in _INTRINSIC:
            self.call(_INTRINSIC[op], a, v, "")
        elif op in _LIBRARY:
            self.call(_LIBRARY[op], a, v, " nounwind willreturn memory(none)")
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

    def call(self, callee: str, values: Sequence[str], v: str, attributes: str) -> None:
        kinds = ", ".join(["double"] * len(values))
        given = ", ".join(f"double {x}" for x in values)
        self.program.declarations.add(f"declare double @{callee}({kinds}){attributes}")
        self.lines.append(f"{v} = call contract double @{callee}({given})")

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
