"""SymPy expressions in, SymPy expressions and LaTeX out; SymPy is imported on first use only."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from dalembert.errors import FormulaError
from dalembert.formulas import expression as graph
from dalembert.formulas import simplify
from dalembert.formulas.expression import TIME, Condition, Expression, constant
from dalembert.formulas.graph import reachable
from dalembert.formulas.node import Node
from dalembert.formulas.text import leaf_text

_FROM: dict[str, str] = {
    # class name in SymPy -> operation
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "exp": "exp",
    "log": "log",
    "Abs": "abs",
    "sign": "sign",
}


def from_sympy(expression: Any, symbols: Mapping[str, Expression]) -> Expression:
    """A SymPy expression as a formula.

    Parameters
    ----------
    symbols : mapping      name -> coordinate, velocity, parameter or any formula. The symbol ``t``
                           is the time; ``x(t)`` is the coordinate named x and its derivative the
                           velocity.

    Examples
    --------
    >>> import sympy
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> a, b = sympy.symbols("x y")
    >>> from_sympy(a**2 + sympy.sin(b), {"x": x, "y": y})
    x**2 + sin(y)
    """
    sympy = _sympy()

    names = {str(name): value for name, value in symbols.items()}
    done: dict[Any, Any] = {}
    try:
        root = sympy.sympify(expression, strict=True)  # strict: a text is not evaluated
    except sympy.SympifyError:
        _refuse(repr(expression), "is no SymPy expression but other Python")
    stack = [root]
    while stack:
        item = stack[-1]
        if item in done:
            stack.pop()
            continue
        if not isinstance(item, sympy.Basic):
            _refuse(item, "is not a scalar expression")
        parts = () if _is_symbol(item, sympy) else _children(item, sympy)
        missing = [p for p in parts if p not in done]
        if missing:
            stack.extend(missing)
            continue
        done[stack.pop()] = _convert(item, [done[p] for p in parts], names, sympy)
    result = done[root]
    if isinstance(result, Condition) or not isinstance(result, Node):
        _refuse(expression, "is a condition, not a formula")
    return result  # type: ignore[return-value]


def _sympy() -> Any:
    try:
        import sympy
    except ImportError:
        raise FormulaError(
            "SymPy is not installed, and this formula needs it. Install 'dalembert[sympy]'."
        ) from None
    return sympy


def _is_symbol(item: Any, sympy: Any) -> bool:
    if isinstance(item, (sympy.Symbol, sympy.Derivative)) or item.is_number:
        return True
    return isinstance(item, sympy.core.function.AppliedUndef)


def _children(item: Any, sympy: Any) -> tuple[Any, ...]:
    if isinstance(item, sympy.Piecewise):
        return tuple(part for pair in item.args for part in pair.args)
    return tuple(item.args)


def _convert(item: Any, parts: list[Any], names: Mapping[str, Expression], sympy: Any) -> Any:
    if isinstance(item, sympy.Symbol):
        return _named(item.name, names)
    if isinstance(item, sympy.core.function.AppliedUndef):
        return _named(str(item.func), names)
    if isinstance(item, sympy.Derivative):
        return _velocity(item, names, sympy)
    if item in (sympy.true, sympy.false):
        return bool(item)
    if item.is_number:
        return _number(item)
    if isinstance(item, sympy.Add):
        return _chain(simplify.add, parts)
    if isinstance(item, sympy.Mul):
        return _product(item, parts, sympy)
    if isinstance(item, sympy.Pow):
        if item.exp.is_Integer and item.exp < 0:
            return 1.0 / parts[0] ** -float(item.exp)
        return simplify.power(parts[0], parts[1])
    name = type(item).__name__
    if name in _FROM:
        return simplify.function(_FROM[name], parts[0])
    rule = _RULES.get(name)
    if rule is None:
        _refuse(item, f"contains {name}, which has no counterpart")
    return rule(parts)


def _product(item: Any, parts: list[Any], sympy: Any) -> Any:
    """A product with negative powers is written as one quotient."""
    above, below = [], []
    for factor, part in zip(item.args, parts, strict=True):
        if isinstance(factor, sympy.Pow) and factor.exp.is_number and factor.exp.is_negative:
            below.append(part)
        else:
            above.append(part)
    top = _chain(simplify.multiply, above) if above else graph.ONE
    for part in below:
        inverse = part.op == "/" and part.args[0] is graph.ONE
        top = simplify.divide(top, part.args[1]) if inverse else simplify.multiply(top, part)
    return top


def _chain(rule: Callable[[Any, Any], Any], parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = rule(total, part)
    return total


def _piecewise(parts: list[Any]) -> Any:
    """Pairs (value, condition), the first condition that holds wins."""
    values, conditions = parts[0::2], parts[1::2]
    if conditions[-1] is not True:
        raise FormulaError(
            "A SymPy Piecewise has no value where none of its conditions holds. "
            "Give it a last piece with the condition True."
        )
    result = values[-1]
    for value, condition in zip(values[-2::-1], conditions[-2::-1], strict=True):
        result = simplify.choose(condition, value, result)
    return result


_RULES: dict[str, Callable[[list[Any]], Any]] = {
    "atan2": lambda p: simplify.arctan2(*p),
    "Min": lambda p: _chain(simplify.minimum, p),
    "Max": lambda p: _chain(simplify.maximum, p),
    "Piecewise": _piecewise,
    "StrictLessThan": lambda p: p[0] < p[1],
    "LessThan": lambda p: p[0] <= p[1],
    "StrictGreaterThan": lambda p: p[0] > p[1],
    "GreaterThan": lambda p: p[0] >= p[1],
    "And": lambda p: _chain(lambda a, b: a & b, p),
    "Or": lambda p: _chain(lambda a, b: a | b, p),
    "Not": lambda p: ~p[0],
}


def _number(item: Any) -> Expression:
    value = complex(item)
    if value.imag != 0.0:
        _refuse(item, "is complex")
    return constant(value.real)


def _named(name: str, names: Mapping[str, Expression]) -> Expression:
    if name in names:
        return names[name]
    if name in ("t", "time"):
        return TIME
    near = difflib.get_close_matches(name, list(names), n=1)
    hint = f"Did you mean '{near[0]}'?" if near else f"Known names: {', '.join(names) or 'none'}."
    raise FormulaError(f"The SymPy symbol '{name}' is unknown. {hint}")


def _velocity(item: Any, names: Mapping[str, Expression], sympy: Any) -> Expression:
    inner = item.expr
    if len(item.variables) != 1 or str(item.variables[0]) not in ("t", "time"):
        _refuse(item, "is not a first derivative with respect to t")
    if not isinstance(inner, sympy.core.function.AppliedUndef):
        _refuse(item, "is not the derivative of a coordinate; call .doit() first")
    return _named(str(inner.func), names).dot


def _refuse(item: Any, what: str) -> NoReturn:
    raise FormulaError(f"The SymPy expression {item!s:.120} {what}. Rewrite it.")


# --- the other way ------------------------------------------------------------------------------


def to_sympy(expression: Node) -> Any:
    """The formula as a SymPy expression: coordinates are symbols x, their velocities ``x.dot``."""
    return _to_sympy(expression, lambda node, sympy: sympy.Symbol(leaf_text(node), real=True))


def latex(expression: Node) -> str:
    r"""The formula in LaTeX: velocities with a dot, names with indices (``q_0``, ``\theta_1``).

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> (theta,) = coordinates("theta")
    >>> latex(theta.dot**2)
    '\\dot{\\theta}^{2}'
    """
    sympy = _sympy()

    shown: dict[Any, str] = {}

    def symbol(node: Any, sympy: Any) -> Any:
        made = sympy.Symbol(leaf_text(node), real=True)
        name = sympy.latex(sympy.Symbol(node.name.replace(".", "_")))
        shown[made] = rf"\dot{{{name}}}" if node.op == "velocity" else name
        return made

    made = _to_sympy(expression, symbol)
    return str(sympy.latex(made, symbol_names=shown))


def _to_sympy(expression: Node, symbol: Callable[[Any, Any], Any]) -> Any:
    sympy = _sympy()

    rules: dict[str, Callable[..., Any]] = {
        ours: getattr(sympy, theirs) for theirs, ours in _FROM.items()
    }
    rules |= {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "neg": lambda a: -a,
        "power": lambda a, b: a**b,
        "sqrt": sympy.sqrt,
        "arctan2": sympy.atan2,
        "minimum": sympy.Min,
        "maximum": sympy.Max,
        "where": lambda c, a, b: sympy.Piecewise((a, c), (b, True)),
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        "and": sympy.And,
        "or": sympy.Or,
        "not": sympy.Not,
    }
    made: dict[Node, Any] = {}
    for node in reachable([expression]):
        if node.op == "constant":
            # halves stay exact, so that energies read as fractions
            twice = 2.0 * node.data
            exact = twice.is_integer() and abs(twice) < 2**53
            made[node] = sympy.Rational(int(twice), 2) if exact else sympy.Float(node.data, 17)
        elif not node.args:
            made[node] = symbol(node, sympy)
        else:
            made[node] = rules[node.op](*(made[a] for a in node.args))
    return made[expression]
