"""The graph: identity, simplification, NumPy, and the refusals."""

import copy
import gc
import math
import pickle

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import FormulaError
from dalembert.formulas import (
    Expression,
    constant,
    coordinates,
    evaluate,
    jacobian,
    maximum,
    minimum,
    parameters,
    time,
    where,
)
from dalembert.formulas.expression import ZERO
from dalembert.formulas.node import _table, same
from dalembert.formulas.packing import pack, unpack

x, y, z = coordinates("x y z")
m, l = parameters(m=1.5, l=2.0)
negative = -x


def value(formula, **values):
    names = {"x": x, "y": y, "z": z}
    return evaluate([formula], {names[k]: v for k, v in values.items()})[0]


def test_formulas_written_alike_are_one_object():
    assert x + y is x + y
    assert np.sin(x * m) is np.sin(x * m)
    assert x - y is not y - x
    assert x**2 is x * x
    assert len({x + y, x + y, x}) == 2


def test_numbers_make_numbers():
    """Choices, too: an array without axes cannot stand in a formula."""
    for formula in (dl.where(x < y, x, y), minimum(x, y), np.sin(x)):
        assert isinstance(value(formula, x=1.0, y=2.0), np.float64)
    assert value(dl.where(x < y, x, y), x=np.array([1.0, 3.0]), y=2.0).tolist() == [1.0, 2.0]


def test_formulas_in_another_order_are_the_same():
    assert same(x + y, y + x)
    assert same(np.sin((x + y) * m) / z, np.sin(m * (y + x)) / z)
    assert same(np.minimum(x, y), np.minimum(y, x))
    assert not same(x - y, y - x)
    assert not same((x + y) + z, x + (y + z))
    assert not same(np.sin(x + y), np.cos(x + y))
    assert (x + y) * z - z * (y + x) is ZERO
    assert (x * y) + (y * x) is 2 * (x * y)
    assert np.sqrt(x * y) * np.sqrt(y * x) is x * y
    assert np.maximum(x + y, y + x) is x + y
    assert dl.where(x < y, x * y, y * x) is x * y


def test_equal_shapes_alone_do_not_make_formulas_the_same():
    a, b = x * y, x * z
    kept, b.shape = b.shape, a.shape
    try:
        assert not same(a, b)
        assert a - b is not ZERO
    finally:
        b.shape = kept


def test_parameters_of_different_value_are_different():
    (other,) = parameters(m=2.0)
    (same,) = parameters(m=1.5)
    assert other is not m
    assert same is m


def test_ids_are_a_topological_order():
    formula = np.sin(x * y) / (z + m)
    assert all(a.id < formula.id for a in formula.args)


def test_unused_nodes_are_forgotten():
    gc.collect()
    before = len(_table)
    formula = sum(np.cos(x * k + 0.123) for k in range(50))
    assert len(_table) > before
    del formula
    gc.collect()
    assert len(_table) <= before


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (x - x, ZERO),
        (x + 0, x),
        (0 * x, ZERO),
        (1 * x, x),
        (x / 1, x),
        (-negative, x),
        (x + x, 2 * x),
        (2 * (0.5 * x), x),
        ((2 * x) * y / 2, x * y),
        (x + (-y), x - y),
        (-x * -y, x * y),
        (x - (-y), x + y),
        (x * -1, -x),
        (np.sin(-x), -np.sin(x)),
        (np.cos(-x), np.cos(x)),
        (x**0, constant(1.0)),
        (x**1, x),
        (x**0.5, np.sqrt(x)),
        (x**-1, 1 / x),
        (constant(2.0) * 3 + 1, constant(7.0)),
        (np.sqrt(constant(4.0)), constant(2.0)),
        (x / 2, 0.5 * x),
    ],
)
def test_simplification(formula, expected):
    assert formula is expected


def test_sums_are_not_reassociated():
    assert value((x + 1e16) - 1e16, x=1.0) == 0.0


def test_numpy_scalars_give_formulas():
    for number in (np.float64(2.0), np.int64(2), np.float32(2.0), 2, 2.0):
        assert number * x is 2 * x
        assert x * number is 2 * x
        assert number + x is x + 2
        assert number - x is 2 - x
        assert number / x is 2 / x
        assert x**number is x * x
    assert np.array(2.0) * x is 2 * x
    assert type(np.sin(x)) is Expression


def test_arrays_of_formulas():
    a = np.array([x, y, z])
    R = np.arange(9.0).reshape(3, 3)
    assert (R @ a)[1] is 3 * x + 4 * y + 5 * z
    assert np.dot(a, a) is x * x + y * y + z * z
    assert np.cross(a, [0.0, 0.0, 1.0])[0] is y
    assert sum(a) is x + y + z
    assert (2.0 * a)[1] is 2 * y
    assert (np.arange(3) * x)[2] is 2 * x
    assert (x * np.arange(3))[2] is 2 * x
    assert (x - np.ones(2))[0] is x - 1
    assert (a[:2] / m)[0] is x / m
    assert np.sin(a)[1] is np.sin(y)
    assert np.sqrt(a @ a) is np.linalg.norm(a)
    accumulated = np.zeros(2, dtype=object)
    accumulated += x
    assert accumulated[0] is x


def test_numpy_functions():
    assert value(np.maximum(x, 0.0), x=-1.0) == 0.0
    assert value(np.minimum(x, y), x=-1.0, y=2.0) == -1.0
    assert value(np.clip(x, -1, 1), x=3.0) == 1.0
    assert value(np.clip(x, min=-1, max=None), x=-3.0) == -1.0
    assert value(np.abs(x), x=-3.0) == 3.0
    assert value(np.sign(x), x=-3.0) == -1.0
    assert value(np.hypot(x, y), x=3.0, y=4.0) == 5.0
    assert value(np.square(x), x=3.0) == 9.0
    assert value(np.power(x, 3), x=2.0) == 8.0
    assert value(np.arctan2(x, y), x=1.0, y=-1.0) == np.arctan2(1.0, -1.0)
    assert value(np.radians(x), x=180.0) == pytest.approx(np.pi)
    assert value(np.where(x > 0, y, z), x=1.0, y=5.0, z=6.0) == 5.0
    assert value(2.0**x, x=3.0) == 8.0
    assert (np.array([1.0, 2.0]) > x)[0] is (x < 1.0)
    assert minimum([x, 1.0], 0.5)[0] is minimum(x, 0.5)
    assert np.multiply.outer([1.0, 2.0], x)[1] is 2 * x


def test_conditions_combine():
    inside = (x > 0) & ~(y >= 1) | (z <= 2)
    formula = where(inside, 1.0, 0.0)
    assert value(formula, x=1.0, y=0.0, z=3.0) == 1.0
    assert value(formula, x=1.0, y=2.0, z=3.0) == 0.0
    assert where(x > 0, y, y) is y


def test_dot():
    assert x.dot.name == "x"
    assert (x * y).dot is x.dot * y + x * y.dot
    assert (m * time).dot is m
    with pytest.raises(FormulaError, match="accelerations"):
        _ = (x * x.dot).dot


def refused(action):
    with pytest.raises(FormulaError) as caught:
        action()
    text = str(caught.value)
    assert "test_expression.py:" in text
    return text


def test_refusals_show_the_line_and_the_remedy():
    text = refused(lambda: 1.0 if x > 0 else 2.0)
    assert "1.0 if x > 0 else 2.0" in text
    assert "dl.where" in text
    text = refused(lambda: math.sin(x))
    assert "math.sin(x)" in text
    assert "np.sin" in text
    assert "dl.maximum" in refused(lambda: max(x, 0.0))
    assert "dl.maximum" in refused(lambda: np.maximum(np.array([x, y]), 0.0))
    assert "& |" in refused(lambda: x > 0 and y > 0)
    assert "dtype=object" in refused(lambda: np.zeros(2).__setitem__(0, x))
    assert "whole number" in refused(lambda: int(x))
    assert "whole number" in refused(lambda: [1, 2][x])
    assert "cannot become one" in refused(lambda: float(x))
    assert "cannot become one" in refused(lambda: complex(x))
    assert "divides" in refused(lambda: x / 0)
    assert "nan" in refused(lambda: x + float("nan"))
    assert "inf" in refused(lambda: x * np.inf)
    assert "identity" in refused(lambda: x * (x == 0))
    assert "complex" in refused(lambda: x + 1j)
    assert "condition" in refused(lambda: x + (y > 0))
    assert "np.expm1" in refused(lambda: np.expm1(x))
    assert "comparison" in refused(lambda: where(x == 0, 1, 2))
    assert "finite" in refused(lambda: np.log(constant(-1.0)))
    assert "str" in refused(lambda: maximum(x, "a"))


def test_pickle_and_copy_keep_identity():
    formula = where(x > m, np.sin(x.dot) ** 2 / y, maximum(time, -l) ** 2.5)
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert copy.deepcopy(formula) is formula
    assert copy.copy(formula) is formula
    array = np.array([x, formula])
    assert pickle.loads(pickle.dumps(array))[1] is formula


def test_deep_sums_need_no_recursion():
    total = sum(x * k + y for k in range(20000))
    assert value(total, x=1.0, y=0.0) == pytest.approx(20000 * 19999 / 2)
    row = jacobian([total], [x, y])[0]
    assert value(row[0], x=0.0, y=0.0) == pytest.approx(20000 * 19999 / 2)
    assert repr(total).endswith("...")
    assert pickle.loads(pickle.dumps(total)) is total


@pytest.mark.parametrize("names", ["", "1x", "x.dot", "t", "time", "a-b", "x x", "for"])
def test_bad_names(names):
    with pytest.raises(FormulaError):
        coordinates(names)


def test_numbered_coordinates():
    q = coordinates("q", 3)
    assert [e.name for e in q] == ["q0", "q1", "q2"]
    assert q.dtype == object
    with pytest.raises(FormulaError):
        coordinates("a b", 3)


@pytest.mark.parametrize("bad", ["1", True, float("nan"), None])
def test_bad_parameters(bad):
    with pytest.raises(FormulaError, match="mass"):
        parameters(mass=bad)


def test_pickle_of_a_forgotten_formula():
    formula = where(x > m, np.sin(x.dot) ** 2 / y, maximum(time, -l) ** 2.5) * (x - 3.0) ** 11
    text, data, number = repr(formula), pickle.dumps(formula), value(formula.args[1], x=2.0)
    del formula
    gc.collect()
    again = pickle.loads(data)
    assert repr(again) == text
    assert value(again.args[1], x=2.0) == number


def test_many_formulas_are_packed_together():
    outputs = [x * y, np.sin(x * y), x > y]
    assert unpack(pickle.loads(pickle.dumps(pack(outputs)))) == outputs
    with pytest.raises(FormulaError, match="unknown operation"):
        unpack(([("gamma", 0)], [0]))


def test_a_notebook_shows_formulas():
    x, y = dl.coordinates("x y")
    assert (x**2 + np.sin(y))._repr_latex_() == r"$\displaystyle x^{2} + \sin{\left(y \right)}$"
    shown = dl.catalog.load("pendulum").equations()
    assert shown._repr_latex_().startswith(r"$$\begin{aligned}")
    assert isinstance(shown, str)
