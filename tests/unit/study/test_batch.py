"""Rows of a study as worlds of a batch: the same numbers, the same bits in every chunk."""

import tracemalloc

import numpy as np
import pytest

import dalembert as dl
from dalembert.study import store

RECORD = {"low": "min(y)", "end": "final(x)", "mean": "mean(x)", "way": "series(x)"}
OPTIONS = {
    "until": 1.0,
    "step": 1e-2,
    "initial": {"x": 0.6, "y": -0.8},
    "record": RECORD,
    "progress": False,
}


def test_rows_are_those_of_single_runs():
    axes = {"g": dl.span(5, 10, 7), "m": [1.0, 2.0]}
    batch = dl.sweep("pendulum", axes, batch=True, **OPTIONS).table
    single = dl.sweep("pendulum", axes, integrator=dl.RK4(), **OPTIONS).table
    for name in RECORD:
        assert np.nanmax(np.abs(batch[name] - single[name])) < 1e-12
    assert set(batch["status"]) == {"OK"}


def test_chunks_and_workers_change_no_bit():
    axes = {"g": dl.span(5, 10, 23)}
    whole = dl.sweep("pendulum", axes, batch=True, workers=1, **OPTIONS).table
    for chunk, workers in ((1, 2), (5, 2), (8, 1)):
        other = dl.sweep("pendulum", axes, batch=True, chunk=chunk, workers=workers, **OPTIONS)
        for name in RECORD:
            assert np.array_equal(whole[name], other.table[name])


def test_one_bad_row_is_named_and_the_others_complete():
    lengths = [1.0, 1.01, 3.0, 0.99]
    found = dl.sweep("pendulum", {"l": lengths}, batch=True, **OPTIONS).table
    assert list(found["status"]) == ["OK", "OK", "REFUSED", "OK"]
    assert "l = 3" in found["error"][2]
    assert np.isnan(found["low"][2])
    assert np.isfinite(found["low"][[0, 1, 3]]).all()


BAD = [
    ({"step": None}, "needs step"),
    ({"until": 0.995}, "whole number of steps"),
    ({"record": {"d": "max(drift)"}}, "'d'"),
    ({"record": {"f": len}}, "'f'"),
    ({"record": {"z": "max(z)"}}, "'z'"),
    ({"rtol": 1e-6}, "rtol"),
]


@pytest.mark.parametrize(("changes", "said"), BAD, ids=[said for _, said in BAD])
def test_what_a_batch_has_not_is_refused_by_name(changes, said):
    with pytest.raises(dl.errors.OptionError) as problem:
        dl.sweep("pendulum", {"g": [5.0]}, batch=True, **{**OPTIONS, **changes})
    assert said in str(problem.value)


def test_an_axis_of_another_kind_is_refused():
    with pytest.raises(dl.errors.OptionError, match="'step'"):
        dl.sweep("pendulum", {"step": [0.01, 0.02]}, batch=True, **{**OPTIONS, "step": None})


def peak_of(folder, count):
    """Most memory that a study kept in a folder takes, beyond what there was  [bytes]."""
    axes = {"theta1": dl.uniform(-1.0, 1.0), "theta2": dl.uniform(-1.0, 1.0)}
    options = {"until": 0.5, "step": 1e-2, "batch": True, "progress": False, "workers": 1}
    tracemalloc.start()
    try:
        dl.sweep(
            "double-pendulum",
            axes,
            design="random",
            count=count,
            chunk=500,
            record={"way": "series(theta2)", "end": "final(theta1)"},
            folder=folder,
            **options,
        )
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "MOST_BYTES", 2**19)  # rows that wait to be written
    peak_of(tmp_path / "first", 500)  # whatever is made once
    few, many = peak_of(tmp_path / "few", 2_000), peak_of(tmp_path / "many", 20_000)
    results = 20_000 * 101 * 8  # numbers that were recorded, in bytes
    assert many < results / 2
    assert many - few < 0.15 * results
