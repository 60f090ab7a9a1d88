"""Hash-consed expression graph: ordinary NumPy-looking code, run once, leaves its formula here.

Two equal formulas are the same object, so equality is identity, shared parts are shared, and every
table about formulas is a plain dictionary. A node's `id` is larger than the ids of its arguments:
sorting nodes by id is a topological order, and no algorithm of this package recurses.

Only rewritings that are exact in floating point (overflow and the sign of zero aside) are made:
0 and 1, constants among themselves, x - x, signs and powers of two moved outwards. Sums and
products are never reassociated. One exception gains accuracy: the square of a root is what stood
under it, so that the square of a norm can be differentiated where the norm vanishes.
"""

from __future__ import annotations

import itertools
import math
import numbers
import re
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.source_line import located, user_line

LEAVES = frozenset(("constant", "coordinate", "velocity", "parameter", "time", "load"))
"""Operations without arguments; what they stand for is in `Node.data`."""

CONDITIONS = frozenset(("<", "<=", "and", "or", "not"))
"""Operations whose result is true or false."""


class Node:
    """One operation of the graph.

    Attributes
    ----------
    op : str            operation, e.g. ``"+"``, ``"sin"``, ``"coordinate"``
    args : tuple        argument nodes; empty for leaves
    data : object       what a leaf stands for: value, name, (name, value) or (array, index)
    id : int            larger than the id of every argument
    """

    __slots__ = ("__weakref__", "args", "data", "id", "op")

    op: str
    args: tuple[Any, ...]
    data: Any
    id: int

    def __repr__(self) -> str:
        from dalembert.formulas.text import to_text

        return to_text(self, limit=200)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from dalembert.formulas.packing import pack, unpack_one

        return unpack_one, (pack([self]),)

    def __bool__(self) -> NoReturn:
        _, text = user_line()
        if re.search(r"\b(max|min|maximum|minimum|clip)\(", text):
            remedy = "Use dl.maximum(a, b) or dl.minimum(a, b)."
        elif " and " in text or " or " in text or "not " in text:
            remedy = "Combine conditions with & | ~ and choose with dl.where(condition, a, b)."
        else:
            remedy = "Use dl.where(condition, value_if_true, value_if_false)."
        raise FormulaError(
            located("A formula has no truth value: it holds for all states at once.", remedy)
        )

    def __float__(self) -> NoReturn:
        _, text = user_line()
        if "math." in text:
            remedy = "Use the NumPy function of that name (np.sin instead of math.sin)."
        elif "norm(" in text:
            remedy = "Use np.sqrt(a @ a) instead of np.linalg.norm(a)."
        elif "zeros" in text or "empty" in text or "ones" in text or "] =" in text:
            remedy = "Make the array with dtype=object, or build it with np.array([...])."
        else:
            remedy = (
                "Use np.sin for math.sin, np.sqrt(a @ a) for np.linalg.norm(a), "
                "and dtype=object for arrays that receive formulas."
            )
        raise FormulaError(located("A formula is not a number and cannot become one.", remedy))

    def __int__(self) -> NoReturn:
        raise FormulaError(
            located(
                "A formula is not a whole number and cannot count or index.",
                "Use a Python int here; to choose by state use dl.where(condition, a, b).",
            )
        )

    __index__ = __int__
    __complex__ = __float__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from dalembert.formulas.numpy_protocol import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from dalembert.formulas.numpy_protocol import apply_function

        return apply_function(function, args, options)


class Expression(Node):
    """A real-valued formula of coordinates, velocities, parameters and time."""

    __slots__ = ()

    # --- leaves -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of a coordinate, of the coordinate of a velocity, or of a parameter."""
        if self.op in ("coordinate", "velocity"):
            return str(self.data)
        if self.op == "parameter":
            return str(self.data[0])
        if self.op == "time":
            return "t"
        raise AttributeError(f"only coordinates, velocities and parameters have a name, not {self}")

    @property
    def value(self) -> float:
        """Value of a constant or of a parameter."""
        if self.op == "constant":
            return float(self.data)
        if self.op == "parameter":
            return float(self.data[1])
        raise AttributeError(f"only constants and parameters have a value, not {self}")

    @property
    def dot(self) -> Expression:
        """Time derivative: the velocity of a coordinate, d/dt of a formula of coordinates."""
        if self.op == "coordinate":
            if ":" in self.data:
                from dalembert.formulas.orientation import rate

                return rate(self.data)
            return velocity(self.data)
        from dalembert.formulas.derivative import time_derivative
        from dalembert.formulas.graph import symbols

        if symbols([self], "velocity"):
            raise FormulaError(
                located(
                    f"The time derivative of {self} contains accelerations, which are unknown.",
                    "Take .dot of formulas of coordinates and time only.",
                )
            )
        return time_derivative([self])[0]

    # --- arithmetic -------------------------------------------------------------------------

    def __add__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return add(self, other)

    def __radd__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return add(lifted, self)

    def __sub__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return subtract(self, other)

    def __rsub__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return subtract(lifted, self)

    def __mul__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return multiply(self, other)

    def __rmul__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return multiply(lifted, self)

    def __truediv__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return divide(lifted, self)

    def __pow__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return power(self, other)

    def __rpow__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return power(lifted, self)

    def __neg__(self) -> Expression:
        return negate(self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return function("abs", self)

    # --- comparisons give conditions; `==` stays identity ------------------------------------

    def __lt__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else compare("<", self, lifted)

    def __le__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else compare("<=", self, lifted)

    def __gt__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else compare("<", lifted, self)

    def __ge__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else compare("<=", lifted, self)

    # --- methods NumPy calls on the elements of an object array ------------------------------

    def sqrt(self) -> Expression:
        """Square root."""
        return function("sqrt", self)

    def sin(self) -> Expression:
        """Sine of an angle in radians."""
        return function("sin", self)

    def cos(self) -> Expression:
        """Cosine of an angle in radians."""
        return function("cos", self)

    def tan(self) -> Expression:
        """Tangent of an angle in radians."""
        return function("tan", self)

    def arcsin(self) -> Expression:
        """Angle in radians whose sine this is."""
        return function("arcsin", self)

    def arccos(self) -> Expression:
        """Angle in radians whose cosine this is."""
        return function("arccos", self)

    def arctan(self) -> Expression:
        """Angle in radians whose tangent this is."""
        return function("arctan", self)

    def sinh(self) -> Expression:
        """Hyperbolic sine."""
        return function("sinh", self)

    def cosh(self) -> Expression:
        """Hyperbolic cosine."""
        return function("cosh", self)

    def tanh(self) -> Expression:
        """Hyperbolic tangent."""
        return function("tanh", self)

    def exp(self) -> Expression:
        """Exponential."""
        return function("exp", self)

    def log(self) -> Expression:
        """Natural logarithm."""
        return function("log", self)

    def arctan2(self, x: Any) -> Expression:
        """Angle in radians of the point (x, self)."""
        return arctan2(self, lift(x))

    def hypot(self, other: Any) -> Expression:
        """Length of the vector (self, other)."""
        other = lift(other)
        return function("sqrt", add(multiply(self, self), multiply(other, other)))

    def radians(self) -> Expression:
        """Degrees turned to radians."""
        return multiply(self, constant(math.pi / 180.0))

    deg2rad = radians

    def degrees(self) -> Expression:
        """Radians turned to degrees."""
        return multiply(self, constant(180.0 / math.pi))

    rad2deg = degrees

    def conjugate(self) -> Expression:
        """The formula itself: formulas are real."""
        return self

    def _sympy_(self) -> Any:
        from dalembert.formulas.sympy_bridge import to_sympy

        return to_sympy(self)


class Condition(Node):
    """A formula that is true or false; the first argument of `where`."""

    __slots__ = ()

    def __and__(self, other: Any) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return _condition("and", self, other)

    def __or__(self, other: Any) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return _condition("or", self, other)

    def __invert__(self) -> Condition:
        return self.args[0] if self.op == "not" else _condition("not", self)


# --- the table that makes equal formulas identical -------------------------------------------


class _Entry(weakref.ref[Node]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


_table: dict[tuple[Any, ...], _Entry] = {}
_ids = itertools.count()
_new: Callable[[Any], Any] = object.__new__


def _forget(entry: Any, table: dict[tuple[Any, ...], _Entry] = _table) -> None:
    key = entry.key
    if table.get(key) is entry:
        del table[key]


def _intern(
    kind: type[Any], key: tuple[Any, ...], op: str, args: tuple[Any, ...], data: Any
) -> Any:
    """The node of this key, made if there is none alive.

    Keys hold ids and not nodes, so that an unused node can die; ids are never used twice.
    """
    entry = _table.get(key)
    if entry is not None:
        found = entry()
        if found is not None:
            return found
    node = _new(kind)
    node.op = op
    node.args = args
    node.data = data
    node.id = next(_ids)
    entry = _Entry(node, _forget)
    entry.key = key
    if key not in _table:
        # another thread may come between the test and the write: the first one wins
        rival = _table.setdefault(key, entry)
        if rival is not entry and (found := rival()) is not None:
            return found
    _table[key] = entry
    return node


def _unary(op: str, a: Expression) -> Expression:
    return _intern(Expression, (op, a.id), op, (a,), None)  # type: ignore[no-any-return]


def _binary(op: str, a: Expression, b: Expression) -> Expression:
    return _intern(Expression, (op, a.id, b.id), op, (a, b), None)  # type: ignore[no-any-return]


def _commutative(op: str, a: Expression, b: Expression) -> Expression:
    """One node for both orders; it keeps the order in which it was written first."""
    key = (op, a.id, b.id) if a.id < b.id else (op, b.id, a.id)
    return _intern(Expression, key, op, (a, b), None)  # type: ignore[no-any-return]


def _condition(op: str, *args: Node) -> Condition:
    key = (op, *(a.id for a in args))
    return _intern(Condition, key, op, args, None)  # type: ignore[no-any-return]


# --- leaves ----------------------------------------------------------------------------------


def constant(value: float) -> Expression:
    """The number `value` as a formula."""
    value = float(value) + 0.0  # -0.0 and 0.0 are one constant
    if not math.isfinite(value):
        raise FormulaError(
            located(f"The number {value} cannot stand in a formula.", "Give a finite number.")
        )
    return _intern(Expression, ("constant", value), "constant", (), value)  # type: ignore[no-any-return]


def coordinate(name: str) -> Expression:
    """The coordinate `name`."""
    return _intern(Expression, ("coordinate", name), "coordinate", (), name)  # type: ignore[no-any-return]


def velocity(name: str) -> Expression:
    """The velocity of the coordinate `name`."""
    return _intern(Expression, ("velocity", name), "velocity", (), name)  # type: ignore[no-any-return]


def parameter(name: str, value: float) -> Expression:
    """The parameter `name`, whose value until further notice is `value`."""
    value = float(value) + 0.0
    if not math.isfinite(value):
        raise FormulaError(
            located(f"Parameter '{name}': {value} is not finite.", "Give a finite number.")
        )
    data = (name, value)
    return _intern(Expression, ("parameter", name, value), "parameter", (), data)  # type: ignore[no-any-return]


def load(array: str, index: int) -> Expression:
    """The entry ``array[index]`` of an argument of a compiled function."""
    data = (array, int(index))
    return _intern(Expression, ("load", *data), "load", (), data)  # type: ignore[no-any-return]


TIME: Expression = _intern(Expression, ("time",), "time", (), None)
ZERO = constant(0.0)
ONE = constant(1.0)
TWO = constant(2.0)


# --- operands --------------------------------------------------------------------------------


def operand(value: Any) -> Expression | None:
    """`value` as an expression; None when it is nothing a formula can contain."""
    kind = type(value)
    if kind is Expression:
        return value  # type: ignore[no-any-return]
    if kind is float or kind is int:
        return constant(value)
    if isinstance(value, (bool, np.bool_)):
        raise FormulaError(
            located(
                f"{value} is not a number, and `==` between formulas compares identity.",
                "Write 1.0 or 0.0, or choose with dl.where(a < b, x, y).",
            )
        )
    if isinstance(value, Condition):
        raise FormulaError(
            located(
                f"The condition {value} is used as a number.",
                "Choose with dl.where(condition, 1.0, 0.0).",
            )
        )
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.number):
        return None
    if isinstance(value, numbers.Real):
        return constant(float(value))
    if isinstance(value, numbers.Complex):
        raise FormulaError(
            located(f"The complex number {value} stands in a formula.", "Formulas are real.")
        )
    return None


def lift(value: Any) -> Expression:
    """`value` as an expression; FormulaError when it is nothing a formula can contain."""
    lifted = operand(value)
    if lifted is None:
        shown = f"{value!r:.60}"
        raise FormulaError(
            located(
                f"{shown} (a {type(value).__name__}) cannot stand in a formula.",
                "Use numbers, coordinates, velocities, parameters and dl.time.",
            )
        )
    return lifted


# --- constructors that simplify ---------------------------------------------------------------


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
        return _commutative("+", a, b)
    if a is b:
        return multiply(TWO, a)
    if b.op == "neg":
        return subtract(a, b.args[0])
    if a.op == "neg":
        return subtract(b, a.args[0])
    return _commutative("+", a, b)


def subtract(a: Expression, b: Expression) -> Expression:
    """A - b."""
    if a is b:
        return ZERO
    if b.op == "constant":
        value = b.data
        if a.op == "constant":
            return constant(a.data - value)
        if value == 0.0:
            return a
        return _binary("-", a, b) if value > 0.0 else _commutative("+", a, constant(-value))
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
        return _commutative("*", a, b)
    if a.op == "neg":
        return negate(multiply(a.args[0], b))
    if b.op == "neg":
        return negate(multiply(a, b.args[0]))
    if a.op == "*" and (c := a.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(c, multiply(a.args[1], b))
    if b.op == "*" and (c := b.args[0]).op == "constant" and _is_power_of_two(c.data):
        return multiply(c, multiply(a, b.args[1]))
    if a is b and a.op == "sqrt":
        return a.args[0]  # type: ignore[no-any-return]
    return _commutative("*", a, b)


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
        return constant(_fold(op, _NUMBER[op], a.data))
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
    if a is b:
        return a
    if a.op == "constant" and b.op == "constant":
        return constant(min(a.data, b.data))
    return _commutative("minimum", a, b)


def maximum(a: Expression, b: Expression) -> Expression:
    """The larger of two formulas."""
    if a is b:
        return a
    if a.op == "constant" and b.op == "constant":
        return constant(max(a.data, b.data))
    return _commutative("maximum", a, b)


def compare(op: str, a: Expression, b: Expression) -> Condition:
    """The condition a < b or a <= b."""
    return _condition(op, a, b)


def choose(condition: Condition, a: Expression, b: Expression) -> Expression:
    """`a` where the condition holds, else `b`; both are computed."""
    if a is b:
        return a
    key = ("where", condition.id, a.id, b.id)
    return _intern(Expression, key, "where", (condition, a, b), None)  # type: ignore[no-any-return]


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
    "and": lambda a, b: _condition("and", a, b),
    "or": lambda a, b: _condition("or", a, b),
    "not": lambda a: ~a,
}

OPERATIONS = frozenset(_REBUILD) | UNARY
"""Every operation with arguments."""
