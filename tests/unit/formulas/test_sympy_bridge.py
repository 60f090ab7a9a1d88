"""SymPy in and out."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.errors import FormulaError
from dalembert.formulas import coordinates, evaluate, maximum, minimum, parameters, time, where
from dalembert.formulas.node import same
from dalembert.formulas.rows import as_expression, as_rows
from dalembert.formulas.sympy_bridge import from_sympy, latex, to_sympy

from .graphs import SYMBOLS, formulas, states

sympy = pytest.importorskip("sympy")

x, y = coordinates("x y")
(m,) = parameters(m=2.0)
NAMES = {"x": x, "y": y, "m": m, "xd": x.dot}
a, b, mass, t, xd = sympy.symbols("x y m t xd", real=True)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (a + b, x + y),
        (mass * xd**2 / 2, m * x.dot**2 / 2),
        (sympy.sin(a) * sympy.exp(-t), np.sin(x) * np.exp(-time)),
        (sympy.Rational(1, 3) * a, x / 3),
        (sympy.pi * a, np.pi * x),
        (a / b, x / y),
        (sympy.sqrt(a), np.sqrt(x)),
        (1 / sympy.sqrt(a), 1 / np.sqrt(x)),
        (sympy.atan2(a, b), np.arctan2(x, y)),
        (sympy.Max(a, b), maximum(x, y)),
        (sympy.Min(a, 2), minimum(x, 2)),
        (sympy.Abs(a) + sympy.sign(b), abs(x) + np.sign(y)),
        (sympy.Piecewise((a, a > b), (b, True)), where(x > y, x, y)),
        (a**b, x**y),
        (sympy.Float(0.1) * a, 0.1 * x),
        (sympy.asin(a) - sympy.acos(b) + sympy.tanh(a), np.arcsin(x) - np.arccos(y) + np.tanh(x)),
    ],
)
def test_from_sympy(theirs, ours):
    found = from_sympy(theirs, NAMES)
    values = {x: 0.4, y: 0.7, x.dot: -1.3, time: 0.3}
    np.testing.assert_allclose(
        np.array(evaluate([found], values)), evaluate([ours], values), rtol=1e-14
    )


def test_functions_of_time():
    f = sympy.Function("x")(t)
    assert from_sympy(f**2, NAMES) is x**2
    assert from_sympy(f.diff(t), NAMES) is x.dot
    assert same(from_sympy((f**2).diff(t), NAMES), 2 * x * x.dot)
    with pytest.raises(FormulaError, match="first derivative"):
        from_sympy(f.diff(t, 2), NAMES)


def test_accepted_wherever_formulas_are():
    assert as_expression(a + 1, NAMES) is x + 1
    assert as_rows([sympy.Matrix([a, b]), x], "c", NAMES) == [x, y, x]
    assert as_expression(np.float32(2.0)).value == 2.0


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        (sympy.Symbol("xx"), "Did you mean 'x'"),
        (sympy.Symbol("nothing"), "Known names"),
        (sympy.I * a, "complex"),
        (sympy.gamma(a), "gamma"),
        (a > b, "condition"),
        (sympy.Piecewise((a, a > b)), "Piecewise"),
        (sympy.oo, "inf"),
    ],
)
def test_refusals(theirs, message):
    with pytest.raises(FormulaError, match=message):
        from_sympy(theirs, NAMES)


@settings(deadline=None, max_examples=25)
@given(outputs=formulas(size=6), seed=st.integers(0, 10**6))
def test_round_trip(outputs, seed):
    names = {s.name: s for s in SYMBOLS if s.op in ("coordinate", "parameter", "time")}
    names |= {f"{s.name}.dot": s for s in SYMBOLS if s.op == "velocity"}
    values = states(seed, 5)
    again = [from_sympy(to_sympy(f), names) for f in outputs]
    for p, q in zip(evaluate(outputs, values), evaluate(again, values), strict=True):
        ok = np.isfinite(p) & np.isfinite(q)
        np.testing.assert_allclose(np.where(ok, p, 0.0), np.where(ok, q, 0.0), rtol=1e-9, atol=1e-9)


def test_latex():
    theta, q0 = coordinates("theta1 q0")
    assert latex(theta.dot**2) == r"\dot{\theta_{1}}^{2}"
    assert latex(m * x.dot**2 / 2 + q0) == r"\frac{m \dot{x}^{2}}{2} + q_{0}"


def test_sympy_is_imported_late():
    code = (
        "import sys; import dalembert.formulas, dalembert.formulas.llvm, "
        "dalembert.formulas.lagrangian, dalembert.formulas.parser, "
        "dalembert.formulas.sympy_bridge; "
        "print([m for m in ('sympy', 'llvmlite', 'scipy') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
