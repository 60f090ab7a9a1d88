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

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalembert.errors import FormulaError
from dalembert.formulas.expression import Condition
from dalembert.formulas.graph import Store, in_depth, reachable
from dalembert.formulas.llvm_piece import CALLS, Piece
from dalembert.formulas.node import Node
from dalembert.formulas.text import leaf_text

SCALARS = frozenset(("t", "h"))
"""Arguments passed by value; every other argument is a pointer to doubles."""

LONGEST = 6000
"""Most operations in one function; more are cut into pieces."""

PIECE = 500
"""Operations in a piece: small enough that the time to compile grows with the length only."""

Bindings = Mapping[Any, tuple[str, int | None]]
"""Symbol -> (array name, index), or (scalar name, None)."""


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
    calls = [node for node in in_depth(*outputs) if node.op in CALLS]
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
            body = Piece(self, 0).write()
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
            body = Piece(self, k).write()
            functions.append(_function(f"@{self.name}.{k}", inner, body, " noinline"))
            calls.append(f"%code{k} = call i32 @{self.name}.{k}({given})")
        calls.append(f"ret i32 %code{len(self.pieces) - 1}")
        return [*functions, _function(f"@{self.name}", parameters, calls)]


def _is_symbol(node: Node) -> bool:
    return not node.args and node.op != "constant"


def _function(name: str, parameters: list[str], body: list[str], attributes: str = "") -> str:
    head = f"define i32 {name}({', '.join(parameters)}) nounwind{attributes} {{"
    return "\n".join([head, *body, "}"])
