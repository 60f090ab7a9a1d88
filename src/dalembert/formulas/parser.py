"""Text to formula, read with Python's own grammar and never evaluated.

A text contains numbers and ``pi``, names of coordinates and parameters, ``t`` for the time,
``x.dot`` or ``x'`` for the velocity of x, the operators + - * / ** and the functions

    sqrt sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh exp log abs sign
    minimum maximum hypot radians where(condition, a, b)

with conditions made of < <= > >= and combined by & | ~.
"""

from __future__ import annotations

import ast
import difflib
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from dalembert.errors import FormulaError
from dalembert.formulas import functions
from dalembert.formulas.expression import TIME, Condition, Expression, constant, lift
from dalembert.formulas.simplify import UNARY

_FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    name: (1, getattr(functions, name)) for name in UNARY if name != "abs"
}
_FUNCTIONS |= {
    "abs": (1, functions.absolute),
    "radians": (1, lambda x: lift(x).radians()),
    "arctan2": (2, functions.arctan2),
    "hypot": (2, functions.hypot),
    "minimum": (2, functions.minimum),
    "maximum": (2, functions.maximum),
    "where": (3, functions.where),
}
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
_LOGIC: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
}
_COMPARISONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
LONGEST = 200_000
"""Characters of one formula."""

_PRIME = re.compile(r"(?<=[A-Za-z0-9_])'")
_WITH_UNIT = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z°]+)")
_NO_SIGN_BETWEEN = re.compile(r"(?<![\w.])(\d+\.?\d*)\s*([A-Za-z_(])")
_TYPED = {"−": "-", "–": "-", "—": "-", "×": "*", "·": "*", "÷": "/", "²": "**2", "³": "**3"}
"""Characters of printed formulas, and how they are typed."""


def parse(text: str, symbols: Mapping[str, Expression], where: str = "formula") -> Expression:
    """The formula written in `text`.

    Parameters
    ----------
    symbols : mapping    name -> coordinate, parameter or any other formula; names may have dots
    where : str          how the user calls the place, for messages: ``constraints[2]``

    Examples
    --------
    >>> from dalembert.formulas import coordinates, parameters
    >>> x, y = coordinates("x y")
    >>> (l,) = parameters(l=1.0)
    >>> parse("x**2 + y**2 - l**2", {"x": x, "y": y, "l": l})
    x**2 + y**2 - l**2
    >>> parse("x.dot - y'", {"x": x, "y": y})
    x.dot - y.dot
    """
    return _Reader(text, symbols, where).read()


def number(value: float, where: str = "formula") -> Expression:
    """A number as a formula."""
    if type(value) is float and math.isfinite(value):
        return constant(value)
    return _Reader(f"{value!r:.60}", {}, where).of_number(value)


def parse_comparison(
    text: str, symbols: Mapping[str, Expression], where: str = "formula"
) -> Condition:
    """The comparison written in `text`, such as ``y >= 0``; several are combined with &.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> (y,) = coordinates("y")
    >>> parse_comparison("y >= 2", {"y": y})
    2 <= y
    """
    return _Reader(text, symbols, where).comparison()


class _Reader:
    def __init__(self, text: str, symbols: Mapping[str, Expression], where: str) -> None:
        self.text = text
        self.symbols = symbols
        self.where = where
        self.is_comparison = False

    def comparison(self) -> Condition:
        """The text as a comparison."""
        self.is_comparison = True
        result = self.parsed()
        if not isinstance(result, Condition):
            self.refuse("there is no comparison", "Write for example y >= 0.")
        return result

    def read(self) -> Expression:
        """The text as a formula."""
        result = self.parsed()
        if isinstance(result, Condition):
            self.refuse("a comparison is not a formula", "Use it in where(condition, a, b).")
        return result  # type: ignore[no-any-return]

    def parsed(self) -> Any:
        """The text as a formula or comparison."""
        if not isinstance(self.text, str) or not self.text.strip():
            self.refuse("the formula is empty", "Write for example x**2 + y**2 - l**2.")
        if len(self.text) > LONGEST:
            self.refuse(f"the formula has {len(self.text)} characters", "Split it into several.")
        try:
            tree = ast.parse(_PRIME.sub(".dot", self.text.strip()), mode="eval")
            return self.value(tree.body)
        except SyntaxError as problem:
            self.refuse_grammar(problem)
        except (RecursionError, MemoryError):
            self.refuse("the formula is nested too deeply", "Split it into several.")
        except ValueError as problem:
            if isinstance(problem, FormulaError):
                raise
            self.refuse(str(problem), "Correct the text.")

    def refuse_grammar(self, problem: SyntaxError) -> NoReturn:
        """Say of a text that is no formula what is meant, where that can be seen."""
        text = self.text.strip()
        if re.search(r"(?<![<>=!])=(?!=)", text):
            self.refuse_equation("=")
        strange = next((letter for letter in text if letter in _TYPED), None)
        if strange is not None:
            self.refuse(f"'{strange}' is not part of a formula", f"Write {_TYPED[strange]}.")
        if any(letter in text for letter in "“”„‘’"):
            self.refuse("its quotation marks are those of print", "Leave them out.")
        if text.lower().lstrip("+-") in (".nan", ".inf"):
            self.refuse("this is not a finite number", "Give one.")
        if unit := _WITH_UNIT.fullmatch(text):
            if unit[2].lower() in ("deg", "degree", "degrees", "°"):
                self.refuse("angles are in radians", f"Write radians({unit[1]}).")
            remedy = f"Write {unit[1]}, or {unit[1]}*{unit[2]} for a product."
            self.refuse("numbers have no units here: all are SI units", remedy)
        if gap := _NO_SIGN_BETWEEN.search(text):
            self.refuse(f"'*' is missing behind '{gap[1]}'", f"Write {gap[1]}*{gap[2]}...")
        place = f" at character {problem.offset}" if problem.offset else ""
        self.refuse(f"this is not a formula{place} ({problem.msg})", "Correct the text.")

    def refuse_equation(self, sign: str) -> NoReturn:
        """Say what to write instead of an equation."""
        remedy = "Write left - right, which is zero."
        if self.is_comparison:
            remedy = "Write for example y >= 0; what always holds stands among the constraints."
        self.refuse(f"'{sign}' is not part of a formula", remedy)

    def value(self, node: ast.AST) -> Any:
        """Formula or condition of a piece of the text."""
        if isinstance(node, ast.BinOp):
            return self.operation(node)
        if isinstance(node, ast.Constant):
            return self.of_number(node.value)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.symbol(_dotted(node))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            if isinstance(node.op, ast.Invert) and isinstance(inner, Condition):
                return ~inner
            if isinstance(node.op, (ast.USub, ast.UAdd)):
                return -self.number(inner) if isinstance(node.op, ast.USub) else self.number(inner)
        if isinstance(node, ast.Compare):
            if len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
                a, b = self.value(node.left), self.value(node.comparators[0])
                return _COMPARISONS[type(node.ops[0])](self.number(a), self.number(b))
            if any(isinstance(op, ast.Eq) for op in node.ops):
                self.refuse_equation("==")
            self.refuse("only single comparisons < <= > >= are allowed", "Combine with & and |.")
        if isinstance(node, ast.BoolOp):
            self.refuse("'and' and 'or' are not allowed", "Combine conditions with & and |.")
        if isinstance(node, ast.IfExp):
            self.refuse("'if' is not allowed", "Use where(condition, a, b).")
        shown = ast.unparse(node)
        if isinstance(node, ast.Tuple) and re.fullmatch(r"[-+]?\d+,\d+", self.text.strip()):
            decimal = self.text.strip().replace(",", ".")
            self.refuse("a comma does not begin the decimals", f"Write {decimal}.")
        self.refuse(
            f"'{shown:.40}' is not allowed", "Use numbers, names, + - * / ** and functions."
        )

    def of_number(self, value: Any) -> Expression:
        """A constant."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.refuse(f"{value!r:.60} is not a real number", "Use numbers and names.")
        try:
            real = float(value)
        except OverflowError:
            self.refuse("a number has hundreds of digits", "Correct the number.")
        return self.guarded(lambda: constant(real))  # type: ignore[no-any-return]

    def operation(self, node: ast.BinOp) -> Any:
        """A binary operation; long sums lean to the left and are walked without recursion."""
        pending = [node]
        while isinstance(pending[-1].left, ast.BinOp):
            pending.append(pending[-1].left)
        result = self.value(pending[-1].left)
        for step in reversed(pending):
            other = self.value(step.right)
            kind = type(step.op)
            if kind in _OPERATORS:
                a, b = self.number(result), self.number(other)
                result = self.guarded(lambda k=kind, a=a, b=b: _OPERATORS[k](a, b))  # type: ignore[misc]
            elif kind in _LOGIC and isinstance(result, Condition) and isinstance(other, Condition):
                result = _LOGIC[kind](result, other)
            elif kind is ast.BitXor:
                self.refuse("'^' is not a power", "Write x**2.")
            elif kind in _LOGIC:
                self.refuse("& and | combine comparisons", "Put each comparison in parentheses.")
            else:
                self.refuse("this operator is not allowed", "Use + - * / **.")
        return result

    def call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            shown = ast.unparse(node.func)
            self.refuse(f"'*' is missing behind '{shown:.40}'", f"Write {shown:.40}*(...).")
        name = _dotted(node.func)
        if name not in _FUNCTIONS:
            near = _nearest(name, _FUNCTIONS)
            if name in self.symbols:
                self.refuse(f"'{name}' is a symbol, not a function", f"Write {name}*(...).")
            kind = "not a known function"
            self.refuse(f"'{name}' is {kind}", near or f"Known: {', '.join(sorted(_FUNCTIONS))}.")
        count, function = _FUNCTIONS[name]
        if len(node.args) != count or node.keywords:
            self.refuse(
                f"{name} takes {count} arguments, not {len(node.args)}", "Correct the call."
            )
        args = [self.value(a) for a in node.args]
        if name == "where":
            if not isinstance(args[0], Condition):
                self.refuse("where needs a comparison first", "Write where(x > 0, a, b).")
        else:
            args[0] = self.number(args[0])
        args[1:] = [self.number(a) for a in args[1:]]
        return self.guarded(lambda: function(*args))

    def symbol(self, name: str) -> Expression:
        if name in self.symbols:
            return self.symbols[name]
        head, _, tail = name.rpartition(".")
        if tail == "dot" and head:
            return self.velocity(head)
        if name in ("t", "time"):
            return TIME
        if name == "pi":
            return constant(math.pi)
        if name in _FUNCTIONS:
            self.refuse(f"the function '{name}' lacks its argument", f"Write {name}(...).")
        near = _nearest(name, [*self.symbols, "t", "pi"])
        known = ", ".join(self.symbols) or "none"
        self.refuse(f"unknown name '{name}'", near or f"Known names: {known}.")

    def velocity(self, name: str) -> Expression:
        symbol = self.symbol(name)
        if symbol.op != "coordinate":
            self.refuse(f"'{name}' is a {symbol.op} and has no velocity", "Use a coordinate.")
        return symbol.dot

    def number(self, value: Any) -> Expression:
        if isinstance(value, Condition):
            self.refuse("a comparison is used as a number", "Use where(condition, 1, 0).")
        return value  # type: ignore[no-any-return]

    def guarded(self, action: Callable[[], Any]) -> Any:
        """Constants that do not fold (1/0, log(-1)) are refused with the place in the file."""
        try:
            return action()
        except FormulaError as problem:
            # the located message names this file; the user's place is `where`
            self.refuse(str(problem).splitlines()[0].rstrip("."), "Correct the number.")

    def refuse(self, what: str, remedy: str) -> NoReturn:
        raise FormulaError(f"{self.where}: {what}, in '{self.text!s:.200}'. {remedy}") from None


def _dotted(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def _nearest(name: str, known: Any) -> str | None:
    found = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean '{found[0]}'?" if found else None
