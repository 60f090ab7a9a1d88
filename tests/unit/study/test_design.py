"""Designs: the values of a row follow from its number, and fill the axes as they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

import dalembert as dl
from dalembert.errors import OptionError
from dalembert.study.design import make_design


def test_a_grid_has_every_combination_once_with_the_last_axis_fastest():
    made = make_design({"a": [1.0, 2.0], "b": [5, 6, 7]}, "grid", None, 0)
    rows = made.values(np.arange(made.count)).tolist()
    assert rows == [[1, 5], [1, 6], [1, 7], [2, 5], [2, 6], [2, 7]]
    assert made.shape == (2, 3)
    assert made.values([4]).tolist() == [[2, 6]]


def test_a_list_goes_along_all_axes_together():
    made = make_design({"a": [1, 2, 3], "b": dl.span(0, 1, 3)}, "list", None, 0)
    assert made.values([0, 1, 2]).tolist() == [[1, 0], [2, 0.5], [3, 1]]


@pytest.mark.parametrize("kind", ["random", "latin-hypercube", "sobol"])
def test_draws_are_the_same_for_a_seed_and_others_for_another(kind):
    axes = {"a": dl.uniform(2, 4), "b": dl.normal(1, 3), "c": [1, 2]}
    first, again, other = (make_design(axes, kind, 64, seed).drawn for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert np.all((first[:, 0] >= 2) & (first[:, 0] < 4))
    assert set(first[:, 2]) == {1.0, 2.0}


def test_a_latin_hypercube_has_one_draw_in_each_of_the_strata_of_every_axis():
    axes = {"a": dl.uniform(0, 1), "b": dl.normal(0, 1), "c": dl.uniform(1, 100, log=True)}
    drawn = make_design(axes, "latin-hypercube", 50, 1).drawn
    levels = (drawn[:, 0], ndtr(drawn[:, 1]), np.log(drawn[:, 2]) / np.log(100))
    for u in levels:
        assert sorted(np.floor(50 * u)) == list(range(50))


def test_a_sobol_sequence_fills_boxes_evenly():
    drawn = make_design({"a": dl.uniform(0, 1), "b": dl.uniform(0, 1)}, "sobol", 64, 3).drawn
    cells = np.floor(8 * drawn).astype(int)
    assert len({tuple(cell) for cell in cells}) == 64  # a (0, 6, 2)-net


def test_saltelli_mixes_one_column_at_a_time():
    axes = {"a": dl.uniform(0, 1), "b": dl.uniform(0, 1)}
    made = make_design(axes, "saltelli", 8, 0)
    A, B, first, second = made.drawn.reshape(4, 8, 2)
    assert made.count == 32
    assert np.array_equal(first[:, 0], B[:, 0])
    assert np.array_equal(first[:, 1], A[:, 1])
    assert np.array_equal(second[:, 0], A[:, 0])
    assert np.array_equal(second[:, 1], B[:, 1])


def test_span():
    assert dl.span(1, 100, 3, log=True).values == pytest.approx((1, 10, 100), rel=1e-15)


@pytest.mark.parametrize(
    ("over", "kind", "count", "said"),
    [
        ({"a": [1]}, "gird", None, "did you mean 'grid'"),
        ({}, "grid", None, "Give a dict of axes"),
        ({"a": []}, "grid", None, "'a' has 0 values"),
        ({"a": 3}, "grid", None, "Give a list of values"),
        ({"a": [1, float("nan")]}, "grid", None, "no finite number"),
        ({"a": ["x"]}, "grid", None, "no finite number"),
        ({"a": dl.uniform(0, 1)}, "grid", None, "'a' is a distribution"),
        ({"a": [1, 2], "b": [1]}, "list", None, "different lengths: 'a' 2, 'b' 1"),
        ({"a": [1, 2]}, "grid", 5, "has 2 rows"),
        ({"a": dl.uniform(0, 1)}, "random", None, "needs count"),
        ({"a": dl.uniform(0, 1)}, "saltelli", 100, "power of two, such as 128"),
    ],
)
def test_what_cannot_be_meant_is_refused(over, kind, count, said):
    with pytest.raises(OptionError, match=said):
        make_design(over, kind, count, 0)


def test_axes_that_are_none_are_refused():
    for wrong in (
        lambda: dl.uniform(2, 1),
        lambda: dl.uniform(0, 1, log=True),
        lambda: dl.normal(0, 0),
        lambda: dl.span(0, 1, 0),
        lambda: dl.span(0, 1, 3, log=True),
        lambda: dl.span("a", 1, 3),
    ):
        with pytest.raises(OptionError):
            wrong()
