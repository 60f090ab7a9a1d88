"""Compiled code against interpreted evaluation, the disk cache, the refusals."""

import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.errors import FormulaError
from dalembert.formulas import (
    coordinates,
    evaluate,
    llvm,
    llvm_text,
    load,
    maximum,
    minimum,
    parameters,
    split_constant,
    substitute,
    time,
)
from dalembert.formulas.simplify import UNARY

from .graphs import P, V, X, formulas, states

BINDINGS = (
    {s: ("q", i) for i, s in enumerate(X)}
    | {s: ("v", i) for i, s in enumerate(V)}
    | {s: ("work", i) for i, s in enumerate(P)}
)
x, y, z = X


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.getbasetemp() / "llvm_cache"
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(llvm, "cache_folder", lambda: folder)
    return folder


@settings(deadline=None, max_examples=25)
@given(outputs=formulas(), seed=st.integers(0, 10**6))
def test_compiled_equals_interpreted(outputs, seed):
    stores = [("out", i, f) for i, f in enumerate(outputs)]
    compiled = llvm.compile_function("formulas", ["t", "q", "v", "out"], stores, BINDINGS)
    samples = states(seed, 5)
    expected = [np.broadcast_to(e, 5) for e in evaluate(outputs, samples)]
    for k in range(5):
        q = np.array([samples[s][k] for s in X])
        v = np.array([samples[s][k] for s in V])
        work = np.array([samples[s][k] for s in P])
        out = np.zeros(len(outputs))
        assert compiled(t=float(samples[time][k]), q=q, v=v, out=out, work=work) == 0
        # fused multiply-adds and libm's last digits, amplified by whatever the graph amplifies
        np.testing.assert_allclose(out, [e[k] for e in expected], rtol=1e-9, atol=1e-9)


FUNCTIONS = {
    **{name: getattr(np, name) for name in sorted(UNARY)},
    "power": lambda a: a**2.5,
    "arctan2": lambda a: np.arctan2(a, 2.0),
    "minimum": lambda a: minimum(a, 0.3),
    "maximum": lambda a: maximum(a, 0.3),
    "neg": lambda a: -a,
    "inverse": lambda a: 1.0 / a,
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_every_function_to_the_last_digits(function):
    compiled = llvm.compile_function("one", ["q", "out"], [("out", 0, function(x))], BINDINGS)
    for value in (0.7, 0.1, -0.4, 0.0, np.nan, np.inf, -2.0):
        out = np.zeros(1)
        compiled(q=np.array([value, 0.0, 0.0]), out=out)
        expected = evaluate([function(x)], {x: value})
        np.testing.assert_allclose(out, expected, rtol=4 * np.finfo(float).eps)


def test_sine_and_cosine_of_one_angle():
    stores = [("out", 0, np.sin(x * y)), ("out", 1, np.cos(x * y)), ("out", 2, np.cos(y))]
    compiled = llvm.compile_function("both", ["q", "out"], stores, BINDINGS)
    for value in (0.3, 40.0, 1e6):
        out = np.zeros(3)
        compiled(q=np.array([value, 1.5, 0.0]), out=out)
        expected = [np.sin(1.5 * value), np.cos(1.5 * value), np.cos(1.5)]
        np.testing.assert_allclose(out, expected, rtol=4 * np.finfo(float).eps)


def test_status_is_one_when_the_condition_fails():
    compiled = llvm.compile_function(
        "guarded", ["t", "h", "q", "out"], [("out", 0, x * time)], BINDINGS, x > 1e-3
    )
    out = np.zeros(1)
    assert compiled(t=2.0, h=0.1, q=np.array([1.0, 0, 0]), out=out) == 0
    assert out[0] == 2.0
    assert compiled(t=2.0, h=0.1, q=np.array([0.0, 0, 0]), out=out) == 1
    assert compiled(t=2.0, h=0.1, q=np.array([np.nan, 0, 0]), out=out) == 1


def test_loads_read_before_stores_write():
    stores = [("work", 0, load("work", 1)), ("work", 1, load("work", 0) * load("h", 0))]
    compiled = llvm.compile_function("swap", ["t", "h"], stores, {})
    work = np.array([3.0, 5.0])
    compiled(t=0.0, h=2.0, work=work)
    np.testing.assert_array_equal(work, [5.0, 6.0])


def test_same_program_is_compiled_once_and_kept_on_disk(own_cache, monkeypatch):
    stores = [("out", 0, np.sin(x) * 1.2345)]
    first = llvm.compile_function("kept", ["q", "out"], stores, BINDINGS)
    assert llvm.compile_function("kept", ["q", "out"], stores, BINDINGS) is first
    del first
    monkeypatch.setattr(llvm, "_alive", weakref.WeakValueDictionary())  # as in another process
    monkeypatch.setattr(llvm, "_translate", None)
    again = llvm.compile_function("kept", ["q", "out"], stores, BINDINGS)
    out = np.zeros(1)
    again(q=np.array([0.5, 0, 0]), out=out)
    assert out[0] == pytest.approx(np.sin(0.5) * 1.2345)


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"\0" * 4000])
def test_damaged_cache_is_rewritten(own_cache, damage, monkeypatch):
    stores = [("out", 0, np.cos(x) * 9.875)]
    llvm.compile_function("damaged", ["q", "out"], stores, BINDINGS)
    monkeypatch.setattr(llvm, "_alive", weakref.WeakValueDictionary())
    files = list((own_cache / "formulas").glob("*.o"))
    good = {f: f.read_bytes() for f in files}
    for file in files:
        file.write_bytes(damage)
    compiled = llvm.compile_function("damaged", ["q", "out"], stores, BINDINGS)
    out = np.zeros(1)
    compiled(q=np.array([0.5, 0, 0]), out=out)
    assert out[0] == pytest.approx(np.cos(0.5) * 9.875)
    assert any(f.read_bytes() == good[f] for f in files)
    assert not list(own_cache.rglob("*.part"))


def test_unwritable_cache_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(llvm, "cache_folder", lambda: tmp_path / "missing")
    compiled = llvm.compile_function("lost", ["q", "out"], [("out", 0, x * 3.25)], BINDINGS)
    out = np.zeros(1)
    compiled(q=np.array([2.0, 0, 0]), out=out)
    assert out[0] == 6.5


def test_refusals():
    (w,) = coordinates("w")
    with pytest.raises(FormulaError, match="coordinate 'w' is not bound"):
        llvm.compile_function("f", ["q", "out"], [("out", 0, w)], BINDINGS)
    with pytest.raises(FormulaError, match="cannot store to out"):
        llvm.compile_function("f", ["q"], [("out", 0, x)], BINDINGS)
    with pytest.raises(FormulaError, match="arguments are"):
        llvm.compile_function("f", ["out"], [("out", 0, x)], BINDINGS)
    with pytest.raises(FormulaError, match="arguments are"):
        llvm.compile_function("f", ["out"], [("out", 0, time)], {})


def test_constant_parts_move_to_a_prologue():
    m, l = parameters(m=2.0, l=3.0)
    bind = {m: load("work", 0), l: load("work", 1)}
    body = substitute([m * l**2 * np.sin(x) + np.sqrt(l), m * l, m, x * 2.0], bind)
    stores = [("out", i, f) for i, f in enumerate(body)]
    prologue, rest = split_constant(stores, lambda leaf: leaf.op == "load", 5)
    assert [(a, i) for a, i, _ in prologue] == [("work", 5 + k) for k in range(3)]
    assert rest[2][2] is load("work", 0)
    assert rest[3][2] is 2.0 * x
    first = llvm.compile_function("prologue", ["q"], prologue, BINDINGS)
    second = llvm.compile_function("body", ["q", "out"], rest, BINDINGS)
    q, work, out = np.array([0.5, 0, 0]), np.zeros(8), np.zeros(4)
    work[:2] = 2.0, 3.0
    first(q=q, work=work)
    second(q=q, work=work, out=out)
    np.testing.assert_allclose(out, [18 * np.sin(0.5) + np.sqrt(3), 6, 2, 1], rtol=1e-15)


def test_long_straight_line_compiles():
    total = sum(np.float64(k) * x + y for k in range(5000))
    compiled = llvm.compile_function("long", ["q", "out"], [("out", 0, total)], BINDINGS)
    out = np.zeros(1)
    compiled(q=np.array([1.0, 2.0, 0.0]), out=out)
    assert out[0] == pytest.approx(5000 * 4999 / 2 + 10000)


@settings(deadline=None, max_examples=25)
@given(outputs=formulas(size=40), longest=st.integers(1, 9))
def test_programs_cut_into_pieces(outputs, longest):
    status = (outputs[0] > 0) & (X[0] < 0.3)
    stores = [("out", i, f) for i, f in enumerate(outputs)]
    stores += [("q", 0, outputs[0]), ("q", 1, X[0]), ("work", 0, outputs[1] * P[0])]
    samples = states(longest, 1)
    results = []
    for limit in (llvm_text.LONGEST, longest):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(llvm_text, "LONGEST", limit)
            patch.setattr(llvm_text, "PIECE", limit)
            compiled = llvm.compile_function(
                "cut", ["t", "q", "v", "out"], stores, BINDINGS, status
            )
        q, v, work = (np.array([samples[s][0] for s in group]) for group in (X, V, P))
        out = np.zeros(len(outputs))
        code = compiled(t=float(samples[time][0]), q=q, v=v, out=out, work=work)
        results.append([code, *out, *q, *work])
    # only the contraction of a product into a sum can differ between the two
    np.testing.assert_allclose(results[0], results[1], rtol=1e-9, atol=1e-9)
