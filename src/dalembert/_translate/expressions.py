"""Expressions of a kernel: each becomes a value."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert._translate import operations, records
from dalembert._translate.builtin import BUILTINS
from dalembert._translate.kinds import (
    FLOAT,
    INTEGER,
    NOTHING,
    TRUTH,
    Array,
    Kind,
    Record,
    UnsupportedError,
    Value,
    joined,
    members,
    returned_type,
    tuple_of,
    word_types,
)
from dalembert._translate.source import Callee, meaning, short_expression
from dalembert._translate.writer import Writer

if TYPE_CHECKING:
    from dalembert._translate.program import Program

AT_LENGTH = "#4"
"""Mark of a call that is worth its time: what is called does much more than being called takes."""


class Expressions(Writer):
    """Values of expressions, given the kinds of the variables."""

    def __init__(self, program: Program, function: Callable[..., Any]) -> None:
        super().__init__(program, function)
        self.locals: frozenset[str] = frozenset()
        """Names the function binds; all others come from outside."""
        self.variables: dict[str, Kind] = {}
        """Kinds of the variables met so far."""
        self.values: dict[str, Value] = {}
        """Values of those that are bound once."""
        self.loops: list[tuple[str, str]] = []
        """Blocks that `continue` and `break` go to, of each loop around what is being written."""
        self.is_heavy = False
        """Whether there is a loop in it, or a call of such a kernel."""
        self.within: list[Callable[..., Any]] = []
        """Kernels around one that is being written out."""

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        method = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if method is None:
            self.refuse(node, f"the expression {type(node).__name__}")
        value: Value = method(node)
        return value

    def integer(self, node: ast.expr) -> str:
        """The word of an integer."""
        value = self.expression(node)
        if value.kind not in (INTEGER, TRUTH):
            self.refuse(node, f"{value.kind} where an integer is needed")
        return operations.convert(self.emit, value, INTEGER).word

    # -- names -------------------------------------------------------------------------------

    def _value_constant(self, node: ast.Constant) -> Value:
        return operations.constant(node.value)

    def _value_name(self, node: ast.Name) -> Value:
        if node.id not in self.locals:
            return self._from_outside(meaning(self.function, node.id))
        if node.id not in self.variables:
            self.refuse(node, f"{node.id!r} is used before it is assigned")
        if node.id in self.values:
            return self.values[node.id]
        kind = self.variables[node.id]
        words = [
            self.emit(f"load {word}, ptr {room}", size=0)
            for room, word in zip(rooms(node.id, kind), word_types(kind), strict=True)
        ]
        return Value(kind, tuple(words))

    def _value_attribute(self, node: ast.Attribute) -> Value:
        found = self.meant(node)
        if found is not None:
            return self._from_outside(found)
        value = self.expression(node.value)
        if isinstance(value.kind, Record):
            return records.attribute(self, node, value)
        if node.attr != "shape" or not isinstance(value.kind, Array):
            self.refuse(node, f"the attribute {node.attr!r}")
        return Value((INTEGER,) * value.kind.dimension, value.extents)

    def _from_outside(self, thing: Any) -> Value:
        """A number or table from outside the function; it becomes a constant."""
        if isinstance(thing, np.ndarray):
            return self.program.table(thing)
        return operations.constant(thing)

    def meant(self, node: ast.expr) -> Any:
        """The Python object that a name or an attribute of a module stands for, or None."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            return meaning(self.function, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.meant(node.value)
            return None if owner is None else getattr(owner, node.attr, None)
        return None

    # -- arithmetic --------------------------------------------------------------------------

    def _value_tuple(self, node: ast.Tuple) -> Value:
        return tuple_of([self.expression(x) for x in node.elts])

    def _value_binop(self, node: ast.BinOp) -> Value:
        return self.binary(node, self.expression(node.left), self.expression(node.right))

    def binary(self, node: ast.BinOp, a: Value, b: Value) -> Value:
        """The value of an operator between two values."""
        if isinstance(a.kind, Record) or isinstance(b.kind, Record):
            return records.binary(self, node, a, b)
        if not isinstance(node.op, ast.Pow):
            return operations.binary(self.emit, node.op, a, b)
        if FLOAT not in (a.kind, b.kind):
            self.refuse(node, "a power of integers")
        words = [operations.convert(self.emit, x, FLOAT).word for x in (a, b)]
        return self.call_library("llvm.pow.f64", words)

    def _value_unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.USub) and _is_number(node.operand):
            return operations.constant(-node.operand.value)  # type: ignore[attr-defined]
        value = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            return operations.negation(self.emit, value)
        if isinstance(node.op, ast.USub) and isinstance(value.kind, Record):
            return records.method(self, node, value, "__neg__", [])
        if isinstance(node.op, ast.USub):
            return operations.minus(self.emit, value)
        if isinstance(node.op, ast.UAdd):
            return value
        self.refuse(node, f"the operator {type(node.op).__name__}")

    def _value_compare(self, node: ast.Compare) -> Value:
        a, parts = self.expression(node.left), []
        for operator, right in zip(node.ops, node.comparators, strict=True):
            b = self.expression(right)
            parts.append(operations.compare(self.emit, operator, a, b).word)
            a = b
        word = parts[0]
        for part in parts[1:]:
            word = self.emit(f"and i1 {word}, {part}")
        return Value(TRUTH, (word,))

    # -- choice ------------------------------------------------------------------------------

    def branch(self, test: ast.expr, then: str, other: str) -> None:
        """Go to one block or the other; `and` and `or` look at no more than they need."""
        if isinstance(test, ast.BoolOp):
            both = isinstance(test.op, ast.And)
            for part in test.values[:-1]:
                more = self.label("and" if both else "or")
                self.branch(part, *((more, other) if both else (then, more)))
                self.begin(more)
            self.branch(test.values[-1], then, other)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.branch(test.operand, other, then)
        else:
            condition = operations.truth(self.emit, self.expression(test)).word
            self.end(f"br i1 {condition}, label %{then}, label %{other}")

    def _value_boolop(self, node: ast.BoolOp) -> Value:
        done, values = self.label("done"), []
        for k, part in enumerate(node.values):
            value = self.expression(part)
            if value.kind != TRUTH:
                self.refuse(part, f"{value.kind} as the result of and / or; compare it first")
            values.append((value, self.block))
            if k == len(node.values) - 1:
                self.jump(done)
                break
            more = self.label("more")
            ways = (more, done) if isinstance(node.op, ast.And) else (done, more)
            self.end(f"br i1 {value.word}, label %{ways[0]}, label %{ways[1]}")
            self.begin(more)
        self.begin(done)
        return self._meet(values, TRUTH)

    def _value_ifexp(self, node: ast.IfExp) -> Value:
        then, other, done = self.label("then"), self.label("else"), self.label("done")
        self.branch(node.test, then, other)
        self.begin(then)
        first, first_block = self.expression(node.body), self.block
        # The kind of the whole is known when both parts are: the first is ended after the second.
        open_end = len(self.lines)
        self.begin(other)
        second, second_block = self.expression(node.orelse), self.block
        kind = joined(first.kind, second.kind)
        second = operations.convert(self.emit, second, kind)
        self.jump(done)
        behind, self.lines = self.lines[open_end:], self.lines[:open_end]
        first = operations.convert(self.emit, first, kind)
        self.jump(done)
        self.lines += behind
        self.begin(done)
        return self._meet([(first, first_block), (second, second_block)], kind)

    def _meet(self, values: list[tuple[Value, str]], kind: Kind) -> Value:
        """The value of whichever block was left last."""
        words = []
        for i, word in enumerate(word_types(kind)):
            ways = ", ".join(f"[ {value.words[i]}, %{block} ]" for value, block in values)
            words.append(self.emit(f"phi {word} {ways}"))
        return Value(kind, tuple(words))

    # -- elements and views ------------------------------------------------------------------

    def _value_subscript(self, node: ast.Subscript) -> Value:
        base = self.expression(node.value)
        if isinstance(base.kind, Record):
            return records.method(self, node, base, "__getitem__", [self.expression(node.slice)])
        if isinstance(base.kind, tuple):
            if not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
                self.refuse(node, "an index into a tuple that is not a constant")
            return members(base)[node.slice.value]
        if not isinstance(base.kind, Array):
            self.refuse(node, f"an index into {base.kind}")
        if isinstance(node.slice, ast.Slice):
            return self._part(node, base, node.slice)
        if base.kind.dimension == 2 and not isinstance(node.slice, ast.Tuple):
            row = self._index(node.slice, base.extents[0])
            first = self.emit(f"mul nsw i64 {row}, {base.extents[1]}")
            kind = Array(base.kind.element, 1)
            return Value(kind, (self.offset(base, first), base.extents[1]))
        element, address = self.element(node, base)
        return self.load(element, address)

    def element(self, node: ast.Subscript, base: Value | None = None) -> tuple[str, str]:
        """Kind and address of an element."""
        if base is None:
            base = self.expression(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not isinstance(base.kind, Array) or len(indices) != base.kind.dimension:
            self.refuse(node, f"{len(indices)} indices into {base.kind}")
        pairs = zip(indices, base.extents, strict=True)
        place, *column = [self._index(index, extent) for index, extent in pairs]
        if column:
            first = self.emit(f"mul nsw i64 {place}, {base.extents[1]}")
            place = self.emit(f"add nsw i64 {first}, {column[0]}")
        return base.kind.element, self.offset(base, place)

    def _index(self, node: ast.expr, extent: str) -> str:
        """An index: a negative constant counts from the end; a variable must not be negative."""
        word = self.integer(node)
        if word.startswith("-"):
            word = self.emit(f"add nsw i64 {extent}, {word}")
        if self.program.checked:
            self.check(node, self.emit(f"icmp ult i64 {word}, {extent}"))
        return word

    def _part(self, node: ast.Subscript, base: Value, part: ast.Slice) -> Value:
        """x[a:b], a view."""
        if base.kind.dimension != 1 or part.step is not None:
            self.refuse(node, "a slice of a matrix or with a step")
        first = "0" if part.lower is None else self.integer(part.lower)
        last = base.extents[0] if part.upper is None else self.integer(part.upper)
        if first.startswith("-") or last.startswith("-"):
            self.refuse(node, "a slice that counts from the end")
        return self.view(node, base, first, (self.emit(f"sub nsw i64 {last}, {first}"),))

    def view(self, node: ast.AST, base: Value, first: str, extents: tuple[str, ...]) -> Value:
        """Part of an array, as an array of the given extents."""
        if self.program.checked:
            count = extents[0]
            for extent in extents[1:]:
                count = self.emit(f"mul nsw i64 {count}, {extent}")
            last = self.emit(f"add nsw i64 {first}, {count}")
            for lower, upper in (("0", first), ("0", count), (last, base.extents[0])):
                self.check(node, self.emit(f"icmp sle i64 {lower}, {upper}"))
        kind = Array(base.kind.element, len(extents))
        return Value(kind, (self.offset(base, first), *extents))

    # -- calls -------------------------------------------------------------------------------

    def _value_call(self, node: ast.Call) -> Value:
        callee = self.meant(node.func)
        if node.keywords:
            self.refuse(node, "a call with keywords")
        if callee is float and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            return operations.constant(float(node.args[0].value))  # type: ignore[arg-type]
        values = [value for a in node.args for value in self._given(a)]
        if isinstance(callee, Callee):
            result: Value = callee.translated(self, node, values)
            return result
        if records.is_value(callee) or records.is_place(callee):
            return records.construct(self, node, callee, values)
        if getattr(callee, "is_method", False):
            return self.call(callee, values)
        if callee is None and isinstance(node.func, ast.Attribute):
            owner = self.expression(node.func.value)
            if not isinstance(owner.kind, Record):
                self.refuse(node, f"a method of {owner.kind}")
            return records.method(self, node, owner, node.func.attr, values)
        if callee is len and len(values) == 1 and isinstance(values[0].kind, Record):
            return records.method(self, node, values[0], "__len__", [])
        try:
            builtin = BUILTINS[callee]
        except (KeyError, TypeError):
            self.refuse(node, f"a call of {ast.unparse(node.func)}, which is no kernel")
        return builtin(self, values)

    def _given(self, node: ast.expr) -> list[Value]:
        """Values that an argument passes: of  *x  every member."""
        if not isinstance(node, ast.Starred):
            return [self.expression(node)]
        value = self.expression(node.value)
        if not isinstance(value.kind, tuple):
            self.refuse(node, f"the members of {value.kind}")
        return members(value)

    def call(self, function: Callable[..., Any], values: Sequence[Value]) -> Value:
        """Call another kernel, or write it out where it is no more than a short expression."""
        short = short_expression(function)
        if short is not None and len(values) == len(short[0]) and function not in self.within:
            return self._written_out(function, *short, values)
        name, kind = self.program.instance(function, tuple(v.kind for v in values))
        words = [
            f"{type_} {word}"
            for v in values
            for type_, word in zip(word_types(v.kind), v.words, strict=True)
        ]
        found = returned_type(kind)
        call = f"call {found} @{name}({', '.join(words)})"
        if not self.loops and self.program.is_called(name):
            call, self.is_heavy = f"{call} {AT_LENGTH}", True
        count = len(word_types(kind))
        if not count:
            self.do(call)
            return Value(NOTHING, ())
        whole = self.emit(call)
        if count == 1:
            return Value(kind, (whole,))
        parts = [self.emit(f"extractvalue {found} {whole}, {i}") for i in range(count)]
        return Value(kind, tuple(parts))

    def _written_out(
        self,
        function: Callable[..., Any],
        names: Sequence[str],
        result: ast.expr,
        values: Sequence[Value],
    ) -> Value:
        """The value of what a kernel returns, its parameters being these values."""
        own = self.function, self.locals, self.variables, self.values
        self.within.append(self.function)
        self.function, self.locals = function, frozenset(names)
        self.variables = {name: v.kind for name, v in zip(names, values, strict=True)}
        self.values = dict(zip(names, values, strict=True))
        try:
            return self.expression(result)
        except UnsupportedError as problem:
            if problem.place is None:
                self.refuse(result, problem.reason)
            raise
        finally:
            self.function, self.locals, self.variables, self.values = own
            self.within.pop()


def rooms(name: str, kind: Kind) -> list[str]:
    """Where the words of a variable are kept."""
    return [f'%"{name}.{i}"' for i in range(len(word_types(kind)))]


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
