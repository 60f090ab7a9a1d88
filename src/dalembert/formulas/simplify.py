"""Operations on formulas, simplified as they are made.

Only rewritings that are exact in floating point (overflow and the sign of zero aside) are made:
0 and 1, constants among themselves, x - x, signs and powers of two moved outwards. Sums and
products are never reassociated. One exception gains accuracy: the square of a root is what stood
under it, so that the square of a norm can be differentiated where the norm vanishes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dalembert.errors import FormulaError
from dalembert.formulas.expression import (
    ONE,
    TWO,
    ZERO,
    Condition,
    Expression,
    condition_of,
    constant,
)
from dalembert.formulas.node import intern, same
from dalembert.formulas.source_line import located


def _unary(op: str, a: Expression) -> Expression:
    return intern(Expression, (op, a.id), op, (a,), None)  # type: ignore[no-any-return]


def _binary(op: str, a: Expression, b: Expression) -> Expression:
    return intern(Expression, (op, a.id, b.id), op, (a, b), None)  # type: ignore[no-any-return]


def _is_power_of_two(value: float) -> bool:
    return math.frexp(value)[0] in (0.5, -0.5)


def add(a: Expression, b: Expression) -> Expression:
    """A + b."""
    if a.op == "constant":
        if b.op == "constant":
            return constant(a.data + b.data)
        a, b = b, a
    if b.op == "constant":
        value = b.data
        if value == 0.0:
            return a
        if value < 0.0:
            return _binary("-", a, constant(-value))
        return _binary("+", a, b)
    if a.shape == b.shape and same(a, b):
        return multiply(TWO, a)
    if b.op == "neg":
        return subtract(a, b.args[0])
    if a.op == "neg":
        return subtract(b, a.args[0])
    return _binary("+", a, b)


def subtract(a: Expression, b: Expression) -> Expression:
    """A - b."""
    if a.shape == b.shape and same(a, b):
        return ZERO
    if b.op == "constant":
        value = b.data
        if a.op == "constant":
            return constant(a.data - value)
        if value == 0.0:
            return a
        return _binary("-", a, b) if value > 0.0 else _binary("+", a, constant(-value))
    if a is ZERO:
        return negate(b)
    if b.op == "neg":
        return add(a, b.args[0])
    if a.op == "neg":
        return negate(add(a.args[0], b))
    return _binary("-", a, b)


def negate(a: Expression) -> Expression:
    """-a."""
    op = a.op
    if op == "constant":
        return constant(-a.data)
    if op == "neg":
        return a.args[0]  # type: ignore[no-any-return]
    if op == "-":
        return subtract(a.args[1], a.args[0])
    if op == "*" and a.args[0].op == "constant":
        return multiply(constant(-a.args[0].data), a.args[1])
    return _unary("neg", a)


def multiply(a: Expression, b: Expression) -> Expression:
    """A * b."""
    if b.op == "constant":
        a, b = b, a
    if a.op == "constant":
        value = a.data
        if b.op == "constant":
            return constant(value * b.data)
        if value == 0.0:
            return ZERO
        if value == 1.0:
            return b
        if value == -1.0:
            return negate(b)
        if b.op == "neg":
            return multiply(constant(-value), b.args[0])
        if b.op == "*" and b.args[0].op == "constant":
            inner = b.args[0].data
            if _is_power_of_two(value) or _is_power_of_two(inner):
                return multiply(constant(value * inner), b.args[1])
        if b.op == "/" and b.args[0].op == "constant" and _is_power_of_two(value):
            return divide(constant(value * b.args[0].data), b.args[1])
        return _binary("*", a, b)
    if a.op == "neg":
        return negate(multiply(a.args[0], b))
    if b.op == "neg":
        return negate(multiply(a, b.args[0]))
    if a.op == "*" and (c := a.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(c, multiply(a.args[1], b))
    if b.op == "*" and (c := b.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(c, multiply(a, b.args[1]))
    if a.op == "sqrt" and same(a, b):
        return a.args[0]  # type: ignore[no-any-return]
    return _binary("*", a, b)


def divide(a: Expression, b: Expression) -> Expression:
    """A / b."""
    if b.op == "constant":
        value = b.data
        if value == 0.0:
            raise FormulaError(
                located(f"The formula divides {a} by zero.", "Divide by something that is not 0.")
            )
        if a.op == "constant":
            return constant(a.data / value)
        if _is_power_of_two(value):
            return multiply(constant(1.0 / value), a)
    if a is ZERO:
        return ZERO
    if a.op == "neg":
        return negate(divide(a.args[0], b))
    if b.op == "neg":
        return negate(divide(a, b.args[0]))
    if a.op == "*" and (c := a.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(c, divide(a.args[1], b))
    if b.op == "*" and (c := b.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(constant(1.0 / c.data), divide(a, b.args[1]))
    return _binary("/", a, b)


LARGEST_UNROLLED_POWER = 8
"""Whole powers up to this one become products: three multiplications against a call of pow."""


def power(a: Expression, b: Expression) -> Expression:
    """A ** b."""
    if b.op != "constant":
        return ONE if a is ONE else _binary("power", a, b)
    exponent = b.data
    if a.op == "constant":
        return constant(_fold("power", math.pow, a.data, exponent))
    if exponent == 0.5:
        return function("sqrt", a)
    if exponent == -0.5:
        return divide(ONE, function("sqrt", a))
    if exponent != math.floor(exponent) or abs(exponent) > LARGEST_UNROLLED_POWER:
        return _binary("power", a, b)
    result, square, remaining = ONE, a, int(abs(exponent))
    while remaining:
        if remaining & 1:
            result = multiply(result, square)
        remaining >>= 1
        if remaining:
            square = multiply(square, square)
    return result if exponent >= 0.0 else divide(ONE, result)


def _sign(x: float) -> float:
    return math.copysign(1.0, x) if x != 0.0 else 0.0


_NUMBER: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "sign": _sign,
}


UNARY = frozenset(_NUMBER)
"""Names of the functions of one argument."""

_INSIDE: dict[str, Callable[[float], float]] = {
    "rint": lambda x: float(round(x)),
    "two_to": lambda n: math.ldexp(1.0, int(n)),
}
"""Functions of traced kernels that nobody writes in a formula: the nearest whole number, 2^n."""


def _fold(op: str, rule: Callable[..., float], *values: float) -> float:
    try:
        return rule(*values)
    except (ValueError, OverflowError):
        shown = ", ".join(map(repr, values))
        raise FormulaError(
            located(f"{op}({shown}) is not a finite real number.", "Correct the constant.")
        ) from None


def function(op: str, a: Expression) -> Expression:
    """The function named `op` (one of `UNARY`) of `a`."""
    if a.op == "constant":
        return constant(_fold(op, _NUMBER.get(op) or _INSIDE[op], a.data))
    if op == "abs" and a.op in ("abs", "sqrt", "exp", "cosh"):
        return a
    if a.op == "neg":
        if op in ("cos", "cosh", "abs"):
            return function(op, a.args[0])
        if op in ("sin", "tan", "arcsin", "arctan", "sinh", "tanh", "sign"):
            return negate(function(op, a.args[0]))
    return _unary(op, a)


def arctan2(y: Expression, x: Expression) -> Expression:
    """Angle of the point (x, y)  [rad]."""
    if y.op == "constant" and x.op == "constant":
        return constant(math.atan2(y.data, x.data))
    return _binary("arctan2", y, x)


def minimum(a: Expression, b: Expression) -> Expression:
    """The smaller of two formulas."""
    if a.shape == b.shape and same(a, b):
        return a
    if a.op == "constant" and b.op == "constant":
        return constant(min(a.data, b.data))
    return _binary("minimum", a, b)


def maximum(a: Expression, b: Expression) -> Expression:
    """The larger of two formulas."""
    if a.shape == b.shape and same(a, b):
        return a
    if a.op == "constant" and b.op == "constant":
        return constant(max(a.data, b.data))
    return _binary("maximum", a, b)


def compare(op: str, a: Expression, b: Expression) -> Condition:
    """The condition a < b or a <= b."""
    return condition_of(op, a, b)


def choose(condition: Condition, a: Expression, b: Expression) -> Expression:
    """`a` where the condition holds, else `b`; both are computed."""
    if a.shape == b.shape and same(a, b):
        return a
    key = ("where", condition.id, a.id, b.id)
    return intern(Expression, key, "where", (condition, a, b), None)  # type: ignore[no-any-return]


def rebuild(op: str, args: tuple[Any, ...]) -> Any:
    """The node of operation `op` over new arguments, simplified again."""
    rule = _REBUILD.get(op)
    if rule is not None:
        return rule(*args)
    return function(op, args[0])


_REBUILD: dict[str, Callable[..., Any]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "neg": negate,
    "power": power,
    "arctan2": arctan2,
    "minimum": minimum,
    "maximum": maximum,
    "where": choose,
    "<": lambda a, b: compare("<", a, b),
    "<=": lambda a, b: compare("<=", a, b),
    "and": lambda a, b: condition_of("and", a, b),
    "or": lambda a, b: condition_of("or", a, b),
    "not": lambda a: ~a,
}


OPERATIONS = frozenset(_REBUILD) | UNARY
"""Every operation with arguments."""
