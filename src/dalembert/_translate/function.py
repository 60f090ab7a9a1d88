"""One kernel for given kinds of arguments, as an LLVM function.

The tree is walked once and each statement written down as it is met. The kind of a variable is the
widest of what is assigned to it; when that is found out too late (an integer that a later line
makes a float), the walk is repeated with what was learned. A variable bound once is its value;
others live in memory, and the optimiser turns them into registers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dalembert._translate import operations, records
from dalembert._translate.expressions import Expressions, rooms
from dalembert._translate.kinds import (
    INTEGER,
    NOTHING,
    Kind,
    Record,
    UnsupportedError,
    Value,
    joined,
    members,
    refuse,
    returned_type,
    word_types,
)
from dalembert._translate.names import bound_names
from dalembert._translate.source import definition

if TYPE_CHECKING:
    from dalembert._translate.program import Program

WALKS = 5
"""Most repetitions: kinds are widened once or twice."""


class Function(Expressions):
    """The translation of one kernel for arguments of given kinds."""

    def __init__(
        self, program: Program, function: Callable[..., Any], kinds: Sequence[Kind], name: str
    ) -> None:
        super().__init__(program, function)
        self.name = name
        self.tree = definition(function)
        self.arguments = [a.arg for a in self.tree.args.args]
        self.kinds = list(kinds)
        if len(self.arguments) != len(kinds):
            self.refuse(self.tree, f"{len(kinds)} arguments for {len(self.arguments)}")
        self.locals, self.once = bound_names(self.tree)
        self.returned: Kind = None
        for _ in range(WALKS):
            if self._walk():
                return
        self.refuse(self.tree, "the kinds of its variables do not settle")

    @property
    def result(self) -> Kind:
        """Kind of what the function returns."""
        return NOTHING if self.returned is None else self.returned

    def text(self) -> str:
        """The LLVM function."""
        parameters = [
            f"{word} {name}"
            for k, kind in enumerate(self.kinds)
            for name, word in zip(_parameters(k, kind), word_types(kind), strict=True)
        ]
        space = [
            f"  {room} = alloca {word}"
            for name, kind in self.variables.items()
            if name not in self.once
            for room, word in zip(rooms(name, kind), word_types(kind), strict=True)
        ]
        is_called = getattr(self.function, "is_subroutine", False)
        kind = "#1" if is_called else "#0"
        head = f"define internal {returned_type(self.result)} @{self.name}"
        return "\n".join(
            [f"{head}({', '.join(parameters)}) {kind} {{", "entry:", *space, *self.lines, "}"]
        )

    def _walk(self) -> bool:
        """Write the whole body; False when a kind changed that had been relied on."""
        self.start()
        self.settled = True
        self.loops.clear()
        self.is_heavy = False
        for k, (name, kind) in enumerate(zip(self.arguments, self.kinds, strict=True)):
            self._assign(name, Value(kind, tuple(_parameters(k, kind))))
        self._suite(self.tree.body)
        if self.reachable:
            if self.result != NOTHING:
                self.refuse(self.tree, "it returns a value in some cases and nothing in others")
            self.end("ret void")
        return self.settled

    def _suite(self, nodes: Sequence[ast.stmt]) -> None:
        """Statements in a row; what follows a return or a break is never reached."""
        for node in nodes:
            if not self.reachable:
                return
            method = getattr(self, f"_do_{type(node).__name__.lower()}", None)
            if method is None:
                self.refuse(node, f"the statement {type(node).__name__}")
            try:
                method(node)
            except UnsupportedError as problem:
                if problem.place is None:
                    self.refuse(node, problem.reason)
                raise

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    # -- assignments -------------------------------------------------------------------------

    def _do_assign(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self._store(target, value)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript):
            kind, address = self.element(node.target)
            before = self.load(kind, address)
            after = operations.binary(self.emit, node.op, before, self.expression(node.value))
            self.store(operations.convert(self.emit, after, kind), address)
        elif isinstance(node.target, ast.Name):
            self._assign(node.target.id, self.expression(_operation(node)))
        elif isinstance(node.target, ast.Attribute):
            records.put_attribute(self, node.target, self.expression(_operation(node)))
        else:
            self.refuse(node, "assignment to something that is no variable or element")

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, value)
        elif isinstance(target, ast.Subscript):
            kind, address = self.element(target)
            self.store(operations.convert(self.emit, value, kind), address)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value.kind, tuple) or len(value.kind) != len(target.elts):
                self.refuse(target, "the sides of the assignment have different lengths")
            for part, member in zip(target.elts, members(value), strict=True):
                self._store(part, member)
        elif isinstance(target, ast.Attribute):
            records.put_attribute(self, target, value)
        else:
            self.refuse(target, "assignment to something that is no variable or element")

    def _assign(self, name: str, value: Value) -> None:
        """Give a variable a value; its kind becomes wide enough."""
        if value.kind == NOTHING:
            refuse(f"{name} is given the result of a kernel that has none")
        if name in self.once:
            self.variables[name], self.values[name] = value.kind, value
            return
        known = self.variables.get(name, value.kind)
        kind = joined(known, value.kind)
        self.settled = self.settled and kind == known
        self.variables[name] = kind
        value = operations.convert(self.emit, value, kind)
        for room, type_, word in zip(rooms(name, kind), word_types(kind), value.words, strict=True):
            self.do(f"store {type_} {word}, ptr {room}", size=0)

    # -- branches and loops ------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        then, other, after = self.label("then"), self.label("else"), self.label("endif")
        self.branch(node.test, then, other if node.orelse else after)
        needed = not node.orelse
        for label, suite in ((then, node.body), (other, node.orelse)):
            if suite:
                self.begin(label)
                self._suite(suite)
                if self.reachable:
                    self.jump(after)
                    needed = True
        if needed:
            self.begin(after)

    def _do_while(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "while ... else")
        head, body, after = self.label("while"), self.label("do"), self.label("endwhile")
        endless = isinstance(node.test, ast.Constant) and node.test.value is True
        self.jump(head)
        self.begin(head)
        if endless:
            self.jump(body)
        else:
            self.branch(node.test, body, after)
        self.begin(body)
        self._repeat(node.body, head, after)
        if self.reachable:
            self.jump(head)
        if not endless or _has_break(node.body):
            self.begin(after)

    def _do_for(self, node: ast.For) -> None:
        """A loop over range(...), or over a record that has a length and items."""
        if node.orelse or not isinstance(node.target, ast.Name):
            self.refuse(node, "a for loop with an else or several variables")
        rows = None
        if isinstance(node.iter, ast.Call) and self.meant(node.iter.func) is range:
            bounds = self._range(node, node.iter)
        else:
            rows = self.expression(node.iter)
            if not isinstance(rows.kind, Record):
                self.refuse(node, "a loop over anything but range(...) or a record")
            bounds = ("0", records.method(self, node, rows, "__len__", []).word, 1)
        head, body = self.label("for"), self.label("do")
        again, after = self.label("next"), self.label("endfor")
        counter, following, start = f"%{head}.i", f"%{head}.next", self.block
        self.jump(head)
        self.begin(head)
        self.do(f"{counter} = phi i64 [ {bounds[0]}, %{start} ], [ {following}, %{again} ]")
        before = "slt" if bounds[2] > 0 else "sgt"
        inside = self.emit(f"icmp {before} i64 {counter}, {bounds[1]}")
        self.end(f"br i1 {inside}, label %{body}, label %{after}")
        self.begin(body)
        item = Value(INTEGER, (counter,))
        if rows is not None:
            item = records.method(self, node, rows, "__getitem__", [item])
        self._assign(node.target.id, item)
        self._repeat(node.body, again, after)
        if self.reachable:
            self.jump(again)
        self.begin(again)
        self.do(f"{following} = add nsw i64 {counter}, {bounds[2]}")
        self.jump(head)
        self.begin(after)

    def _range(self, node: ast.For, call: ast.Call) -> tuple[str, str, int]:
        """First, last and step of a loop over range(...)."""
        step = _constant_step(call.args[2]) if len(call.args) == 3 else 1
        if not step:
            self.refuse(node, "a step of range that is not a constant")
        words = [self.integer(a) for a in call.args[:2]]
        return ("0", words[0], step) if len(words) == 1 else (words[0], words[1], step)

    def _repeat(self, body: Sequence[ast.stmt], again: str, after: str) -> None:
        self.loops.append((again, after))
        self.is_heavy = True
        self._suite(body)
        self.loops.pop()

    def _do_break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])

    def _do_continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])

    def _do_return(self, node: ast.Return) -> None:
        value = Value(NOTHING, ()) if node.value is None else self.expression(node.value)
        known = value.kind if self.returned is None else self.returned
        kind = joined(known, value.kind)
        self.settled = self.settled and kind == known
        self.returned = kind
        value = operations.convert(self.emit, value, kind)
        types, whole = word_types(kind), returned_type(kind)
        if len(types) < 2:
            self.end(" ".join(["ret", whole, *value.words]))
            return
        result = "poison"
        for i, (type_, word) in enumerate(zip(types, value.words, strict=True)):
            result = self.emit(f"insertvalue {whole} {result}, {type_} {word}, {i}")
        self.end(f"ret {whole} {result}")


def _parameters(k: int, kind: Kind) -> list[str]:
    """Names of the words of the k-th argument; no variable can have such a name."""
    return [f"%.{k}.{i}" for i in range(len(word_types(kind)))]


def _has_break(body: Sequence[ast.stmt]) -> bool:
    """Whether a break of this loop, not of one within it, stands in its body."""
    return any(
        isinstance(node, ast.Break)
        or (isinstance(node, ast.If) and (_has_break(node.body) or _has_break(node.orelse)))
        for node in body
    )


def _operation(node: ast.AugAssign) -> ast.BinOp:
    """The operation whose result an augmented assignment assigns."""
    made = ast.BinOp(node.target, node.op, node.value)
    return ast.copy_location(made, node)


def _constant_step(node: ast.expr) -> int:
    """The step of a range, or 0 when it is not a constant."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    return sign * node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0
