"""Formulas: ordinary NumPy-looking code, run once, leaves its formula here.

An `Expression` is a node of the graph (`formulas.node`) with the operators of numbers; what they
make is simplified on the way (`formulas.simplify`).
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.node import Node, intern
from dalembert.formulas.source_line import located


class Expression(Node):
    """A real-valued formula of coordinates, velocities, parameters and time."""

    __slots__ = ()

    def _repr_latex_(self) -> str | None:
        """The formula as notebooks show it; None, and so the text, where SymPy is not installed."""
        from dalembert.formulas import sympy_bridge

        try:
            return f"$\\displaystyle {sympy_bridge.latex(self)}$"
        except Exception:  # a display must not stop a notebook
            return None

    # --- leaves -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of a coordinate, of the coordinate of a velocity, or of a parameter."""
        if self.op in ("coordinate", "velocity", "acceleration"):
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
                    "Take .dot of formulas of coordinates and time only; results have .ddot of "
                    "them, solution[x.ddot].",
                )
            )
        return time_derivative([self])[0]

    @property
    def ddot(self) -> Expression:
        """Second time derivative, a signal of a solution: accelerations are results of a run.

        Examples
        --------
        >>> from dalembert.formulas import coordinates
        >>> (x,) = coordinates("x")
        >>> (3 * x).ddot
        3*x.ddot
        """
        from dalembert.formulas.derivative import second_derivative

        return second_derivative(self)

    # --- arithmetic -------------------------------------------------------------------------

    def __add__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return simplify.add(self, other)

    def __radd__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return simplify.add(lifted, self)

    def __sub__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return simplify.subtract(self, other)

    def __rsub__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return simplify.subtract(lifted, self)

    def __mul__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return simplify.multiply(self, other)

    def __rmul__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return simplify.multiply(lifted, self)

    def __truediv__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return simplify.divide(self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return simplify.divide(lifted, self)

    def __pow__(self, other: Any) -> Expression:
        if type(other) is not Expression and (other := operand(other)) is None:
            return NotImplemented
        return simplify.power(self, other)

    def __rpow__(self, other: Any) -> Expression:
        if (lifted := operand(other)) is None:
            return NotImplemented
        return simplify.power(lifted, self)

    def __neg__(self) -> Expression:
        return simplify.negate(self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return simplify.function("abs", self)

    # --- comparisons give conditions; `==` stays identity ------------------------------------

    def __lt__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else simplify.compare("<", self, lifted)

    def __le__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else simplify.compare("<=", self, lifted)

    def __gt__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else simplify.compare("<", lifted, self)

    def __ge__(self, other: Any) -> Condition:
        lifted = operand(other)
        return NotImplemented if lifted is None else simplify.compare("<=", lifted, self)

    # --- methods NumPy calls on the elements of an object array ------------------------------

    def sqrt(self) -> Expression:
        """Square root."""
        return simplify.function("sqrt", self)

    def sin(self) -> Expression:
        """Sine of an angle in radians."""
        return simplify.function("sin", self)

    def cos(self) -> Expression:
        """Cosine of an angle in radians."""
        return simplify.function("cos", self)

    def tan(self) -> Expression:
        """Tangent of an angle in radians."""
        return simplify.function("tan", self)

    def arcsin(self) -> Expression:
        """Angle in radians whose sine this is."""
        return simplify.function("arcsin", self)

    def arccos(self) -> Expression:
        """Angle in radians whose cosine this is."""
        return simplify.function("arccos", self)

    def arctan(self) -> Expression:
        """Angle in radians whose tangent this is."""
        return simplify.function("arctan", self)

    def sinh(self) -> Expression:
        """Hyperbolic sine."""
        return simplify.function("sinh", self)

    def cosh(self) -> Expression:
        """Hyperbolic cosine."""
        return simplify.function("cosh", self)

    def tanh(self) -> Expression:
        """Hyperbolic tangent."""
        return simplify.function("tanh", self)

    def exp(self) -> Expression:
        """Exponential."""
        return simplify.function("exp", self)

    def log(self) -> Expression:
        """Natural logarithm."""
        return simplify.function("log", self)

    def rint(self) -> Expression:
        """The nearest whole number; in traced kernels alone."""
        return simplify.function("rint", self)

    def two_to(self) -> Expression:
        """2 to the power of a whole number; in traced kernels alone."""
        return simplify.function("two_to", self)

    def arctan2(self, x: Any) -> Expression:
        """Angle in radians of the point (x, self)."""
        return simplify.arctan2(self, lift(x))

    def hypot(self, other: Any) -> Expression:
        """Length of the vector (self, other)."""
        other = lift(other)
        return simplify.function(
            "sqrt", simplify.add(simplify.multiply(self, self), simplify.multiply(other, other))
        )

    def radians(self) -> Expression:
        """Degrees turned to radians."""
        return simplify.multiply(self, constant(math.pi / 180.0))

    deg2rad = radians

    def degrees(self) -> Expression:
        """Radians turned to degrees."""
        return simplify.multiply(self, constant(180.0 / math.pi))

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
    _repr_latex_ = Expression._repr_latex_

    def __and__(self, other: Any) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return condition_of("and", self, other)

    def __or__(self, other: Any) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented
        return condition_of("or", self, other)

    def __invert__(self) -> Condition:
        return self.args[0] if self.op == "not" else condition_of("not", self)


def condition_of(op: str, *args: Node) -> Condition:
    """The condition `op` (one of `CONDITIONS`) of formulas or other conditions."""
    key = (op, *(a.id for a in args))
    return intern(Condition, key, op, args, None)  # type: ignore[no-any-return]


# --- leaves ----------------------------------------------------------------------------------


def constant(value: float) -> Expression:
    """The number `value` as a formula."""
    value = float(value) + 0.0  # -0.0 and 0.0 are one constant
    if not math.isfinite(value):
        raise FormulaError(
            located(f"The number {value} cannot stand in a formula.", "Give a finite number.")
        )
    return intern(Expression, ("constant", value), "constant", (), value)  # type: ignore[no-any-return]


def coordinate(name: str) -> Expression:
    """The coordinate `name`."""
    return intern(Expression, ("coordinate", name), "coordinate", (), name)  # type: ignore[no-any-return]


def velocity(name: str) -> Expression:
    """The velocity of the coordinate `name`."""
    return intern(Expression, ("velocity", name), "velocity", (), name)  # type: ignore[no-any-return]


def acceleration(name: str) -> Expression:
    """The time derivative of the velocity `name`; a result, in no equation of a model."""
    return intern(Expression, ("acceleration", name), "acceleration", (), name)  # type: ignore[no-any-return]


def parameter(name: str, value: float) -> Expression:
    """The parameter `name`, whose value until further notice is `value`."""
    value = float(value) + 0.0
    if not math.isfinite(value):
        raise FormulaError(
            located(f"Parameter '{name}': {value} is not finite.", "Give a finite number.")
        )
    data = (name, value)
    return intern(Expression, ("parameter", name, value), "parameter", (), data)  # type: ignore[no-any-return]


def load(array: str, index: int) -> Expression:
    """The entry ``array[index]`` of an argument of a compiled function."""
    data = (array, int(index))
    return intern(Expression, ("load", *data), "load", (), data)  # type: ignore[no-any-return]


TIME: Expression = intern(Expression, ("time",), "time", (), None)
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


# behind everything: operations are made of expressions, and expressions calculate by operations
from dalembert.formulas import simplify  # noqa: E402
