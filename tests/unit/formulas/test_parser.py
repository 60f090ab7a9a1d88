"""Text to formula and back, and every refusal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.errors import FormulaError
from dalembert.formulas import coordinates, evaluate, maximum, parameters, time, to_text, where
from dalembert.formulas.parser import parse

from .graphs import SYMBOLS, formulas, states

x, y, pitch = coordinates("x y ship.pitch")
m, length = parameters(m=2.0, length=0.5)
NAMES = {"x": x, "y": y, "m": m, "length": length, "ship.pitch": pitch}


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("x**2 + y**2 - length**2", x**2 + y**2 - length**2),
        ("m*x.dot**2/2", m * x.dot**2 / 2),
        ("x'*y'", x.dot * y.dot),
        ("ship.pitch.dot - ship.pitch", pitch.dot - pitch),
        ("sin(2*pi*t)", np.sin(2 * np.pi * time)),
        ("where((x > 0) & ~(y <= 1), x, -y)", where((x > 0) & ~(y <= 1), x, -y)),
        ("maximum(x, 1e-3)", maximum(x, 1e-3)),
        ("-x**2", -(x**2)),
        ("2**-1 + arctan2(x, y)", 0.5 + np.arctan2(x, y)),
        ("  x ", x),
        ("+x", x),
        ("abs(x)*sign(y) + hypot(x, y)", abs(x) * np.sign(y) + np.hypot(x, y)),
    ],
)
def test_parse(text, formula):
    assert parse(text, NAMES) is formula


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x + lenght", "Did you mean 'length'"),
        ("x + unknown_thing", "Known names: x, y"),
        ("sn(x)", "Did you mean 'sin'"),
        ("x(2)", "a symbol, not a function"),
        ("sin", "lacks its argument"),
        ("sin(x, y)", "takes 1 argument"),
        ("x^2", r"x\*\*2"),
        ("x +", "not a formula"),
        ("", "empty"),
        ("x > 0", "comparison is not a formula"),
        ("(x > 0) + 1", "used as a number"),
        ("where(x, 1, 2)", "needs a comparison"),
        ("0 < x < 1", "single comparisons"),
        ("where(x > 0 and y > 0, 1, 2)", "'and' and 'or'"),
        ("1 if x > 0 else 2", "'if' is not allowed"),
        ("where(x & y, 1, 2)", "combine comparisons"),
        ("'text'", "not a formula"),
        ('"text"', "not a real number"),
        ("1j*x", "not a real number"),
        ("True", "not a real number"),
        ("x // 2", "operator is not allowed"),
        ("[x, y]", "not allowed"),
        ("x[0]", "not allowed"),
        ("lambda: x", "not allowed"),
        ('__import__("os")', "not a known function"),
        ("x.__class__", "unknown name 'x.__class__'"),
        ("(x+y).dot", "unknown name"),
        ("m.dot", "has no velocity"),
        ("x.dot.dot", "has no velocity"),
        ("1/0", "divides"),
        ("x/0", "divides"),
        ("log(-1)", "finite"),
        ("1e999*x", "inf"),
        ("x\0", "null"),
        ("(" * 300 + "x" + ")" * 300, "not a formula|deep"),
        ("-" * 100000 + "x", "not a formula|deep"),
        ("+".join(["x"] * 100000), "not a formula|deep"),
    ],
)
def test_refusals_name_the_place(text, message):
    with pytest.raises(FormulaError, match=message) as caught:
        parse(text, NAMES, "constraints[2]")
    assert str(caught.value).startswith("constraints[2]: ")


def test_long_sums_are_read():
    total = parse("+".join(["x*y"] * 800), NAMES)
    assert evaluate([total], {x: 1.0, y: 2.0})[0] == 1600.0


@settings(deadline=None, max_examples=100)
@given(outputs=formulas(), seed=st.integers(0, 10**6))
def test_text_reads_back_to_the_same_values(outputs, seed):
    names = {s.name: s for s in SYMBOLS if s.op in ("coordinate", "parameter")}
    values = states(seed, 5)
    again = [parse(to_text(f), names) for f in outputs]
    for a, b in zip(evaluate(outputs, values), evaluate(again, values), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_text_is_readable_and_limited():
    assert to_text((x + y) ** 2 / (2 * m) - 3.5) == "0.5*(x + y)**2/m - 3.5"
    assert to_text(x - (y - m)) == "x - y + m"
    assert to_text(x - (y - m) * x) == "x - (y - m)*x"
    assert to_text(x / (y * m)) == "x/(y*m)"
    assert to_text(y * (-3) / x - 2 * m) == "-3*y/x - 2*m"
    assert to_text(-(x**2) * y) == "-x**2*y"
    assert to_text((-2 * x) ** 2.5) == "(-2*x)**2.5"
    assert to_text(2 ** (-x)) == "2**(-x)"
    assert to_text(1 / x) == "1/x"
    assert to_text(np.sin(x) ** 3 * m) == "sin(x)**3*m"
    assert to_text((x > 0) & (y < 1)) == "(0 < x) & (y < 1)"
    deep = x
    for _ in range(200):
        deep = deep * deep + y
    assert len(to_text(deep, limit=80)) == 83
    assert len(repr(deep)) < 300
