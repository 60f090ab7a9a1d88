"""Sobol's indices: those of Ishigami's function are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError
from dalembert.study.design import make_design
from dalembert.study.sensitivity import indices

A, B = 7.0, 0.1
AXES = {name: dl.uniform(-math.pi, math.pi) for name in ("a", "b", "c")}


def ishigami(a, b, c):
    return np.sin(a) + A * np.sin(b) ** 2 + B * c**4 * np.sin(a)


def known():
    """First and total indices (Ishigami & Homma 1990; Saltelli et al. 2008, 4.6)."""
    alone = (1 + B * math.pi**4 / 5) ** 2 / 2, A**2 / 8, 0.0
    both = B**2 * math.pi**8 * (1 / 18 - 1 / 50)
    whole = sum(alone) + both
    first = np.array(alone) / whole
    total = np.array([alone[0] + both, alone[1], both]) / whole
    return first, total


def test_indices_of_ishigamis_function():
    design = make_design(AXES, "saltelli", 4096, 1)
    found = indices(("a", "b", "c"), ishigami(*design.drawn.T))
    first, total = known()
    assert first.round(4).tolist() == [0.3139, 0.4424, 0.0]
    # three standard deviations of the means that independent draws would have
    f_A, f_B, *mixed = ishigami(*design.drawn.T).reshape(5, -1)
    terms = np.array([f_B * (f_i - f_A) for f_i in mixed]) / np.var(f_A)
    rest = np.array([(f_i - f_A) ** 2 / 2 for f_i in mixed]) / np.var(f_A)
    assert np.all(np.abs(found.first - first) < 3 * terms.std(axis=1) / 64)
    assert np.all(np.abs(found.total - total) < 3 * rest.std(axis=1) / 64)
    assert np.ptp(found.first_range, axis=1).max() < 0.1
    for ends, exact in ((found.first_range, first), (found.total_range, total)):
        assert np.all((ends[:, 0] <= exact) & (exact <= ends[:, 1]))


def test_a_constant_mean_does_not_spoil_them():
    design = make_design(AXES, "saltelli", 1024, 1)
    values = ishigami(*design.drawn.T)
    plain, moved = indices(("a", "b", "c"), values), indices(("a", "b", "c"), values + 1e6)
    assert moved.first == pytest.approx(plain.first, abs=1e-6)
    assert moved.total == pytest.approx(plain.total, abs=1e-6)


def test_what_does_not_vary_has_no_indices():
    found = indices(("a", "b", "c"), np.ones(5 * 16))
    assert found.first.tolist() == [0, 0, 0]
    assert found.total.tolist() == [0, 0, 0]


def test_a_study_of_the_design_gives_them():
    """The function as a signal of a model that has its arguments as parameters."""
    a, b, c = dl.parameters(a=0.0, b=0.0, c=0.0)
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, potential=(a + b + c) * x * 0.0 + x**2 / 2 + (a + b + c) * 1e-3 * x
    )
    study = dl.sweep(
        model,
        AXES,
        design="saltelli",
        count=64,
        until=1e-2,
        step=1e-2,
        record={"f": "final(sin(a) + 7*sin(b)**2 + 0.1*c**4*sin(a))"},
        verdict=False,
    )
    assert study.count == 320
    assert study["f"] == pytest.approx(ishigami(study["a"], study["b"], study["c"]), rel=1e-13)
    found = study.sensitivity("f")
    assert np.array_equal(found.first, indices(("a", "b", "c"), study["f"]).first)
    assert [line.split()[0] for line in str(found).splitlines()[2:]] == ["a", "b", "c"]
    with pytest.raises(OptionError, match="'g' is no recorded number"):
        study.sensitivity("g")
    with pytest.raises(OptionError, match="confidence"):
        study.sensitivity("f", confidence=2)


def test_rows_that_failed_are_told():
    study = dl.sweep(
        "pendulum",
        {"m": dl.uniform(-1, 1)},
        design="saltelli",
        count=4,
        until=1e-2,
        step=1e-2,
        record={"x": "final(x)"},
    )
    with pytest.raises(OptionError, match=r"no number in .*MassMatrixError"):
        study.sensitivity("x")
