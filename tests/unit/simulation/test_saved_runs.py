"""Runs in folders: written while they run, read, extended, resumed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint, stopped_after
from tests.unit.simulation.folders import X, content, half, same, same_beginning, simulate

import dalembert as dl
from dalembert.errors import OptionError, RunFileError
from dalembert.simulation.run import memory
from dalembert.simulation.run import run as runs
from dalembert.simulation.rundir import recorder
from dalembert.simulation.status import Status

# --- what is kept ------------------------------------------------------------------------------


def test_a_kept_run_is_the_run(kept):
    plain = simulate(events=[dl.Event(X, name="below")])
    again = dl.load(kept)
    assert fingerprint(again) == fingerprint(plain)
    assert again.events[0].name == "below"
    assert again.model.name == "pendulum"
    assert repr(again.method) == repr(plain.method)
    assert again.initial_move == plain.initial_move


def test_the_description_can_be_read_by_people(kept):
    found = json.loads((kept / "run.json").read_text())
    assert (found["format"], found["version"]) == ("dalembert-run", 2)
    assert found["model"]["text"]["constraints"] == {"bar": "x**2 + y**2 - l**2"}
    assert found["options"]["until"] == 1.0
    assert found["options"]["method"] == "Projection(norm='mass')"
    assert {"dalembert", "python", "numpy", "platform", "cpu"} <= set(found["versions"])
    assert found["seed"] == 0
    assert found["result"]["status"] == Status.OK
    assert len(found["result"]["segments"]) == len(list(kept.glob("segment-*.npz")))


def test_segments_are_plain_numpy_files(kept):
    whole = dl.load(kept)
    parts = [np.load(path) for path in sorted(kept.glob("segment-*.npz"))]
    assert np.array_equal(np.concatenate([part["t"] for part in parts]), whole.t)
    assert np.array_equal(np.concatenate([part["q"] for part in parts]), whole.q)


def test_memory_holds_one_segment_only(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder, "MOST_BYTES", 40_000)
    seen = []
    between = recorder.FolderRecorder.between

    def watched(self, run):
        between(self, run)
        seen.append(len(run.t_out))

    monkeypatch.setattr(recorder.FolderRecorder, "between", watched)
    solution = simulate(until=20.0, every=1, save=tmp_path / "run")
    assert len(solution.t) == 20_001
    assert max(seen) <= 2 * 40_000 / 8 / 6
    assert len(list((tmp_path / "run").glob("segment-*"))) > 10
    assert same(solution, simulate(until=20.0, every=1))


@pytest.mark.parametrize("steps", [0, 1, 399, 999])
def test_an_unfinished_run_can_be_read(steps, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    half(folder, monkeypatch, steps)
    found, whole = dl.load(folder), simulate()
    assert found.status is Status.INTERRUPTED
    assert f"dalembert resume {folder}" in found.message
    assert len(found.t) == steps + 1
    for name in ("t", "q", "v", "lam"):
        assert np.array_equal(getattr(found, name), getattr(whole, name)[: steps + 1])
    assert found.statistics["steps"] == steps
    assert "interrupted" in found.summary().lower()


def test_samples_are_thinned_on_disk_as_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MOST_SAMPLES", 300)
    options = {"step": None, "integrator": dl.DormandPrince(max_step=2e-3)}
    plain = simulate(until=3.0, **options)
    assert 150 <= len(plain.t) <= 301
    monkeypatch.setattr(recorder, "SECONDS", 0.0)
    monkeypatch.setattr(recorder, "SHARE", 0)
    monkeypatch.setattr(runs, "_next_chunk", lambda *_: 41)
    assert same(simulate(until=3.0, save=tmp_path / "whole", **options), plain)
    assert same(dl.load(tmp_path / "whole"), plain)
    half(tmp_path / "part", monkeypatch, 1003, 3.0, **options)
    assert same(dl.resume(tmp_path / "part", progress=False), plain)


# --- resuming ------------------------------------------------------------------------------------


def test_a_finished_run_is_returned(kept):
    before = content(kept)
    assert same(dl.resume(kept), dl.load(kept))
    assert content(kept) == before


@pytest.mark.parametrize("until", [1.0, 1.5, 2.5])
@pytest.mark.parametrize("steps", [100, 400, None])
def test_another_end(until, steps, tmp_path, monkeypatch):
    """Extended from within or from its end, a fixed-step run is that of the longer interval."""
    folder = tmp_path / "run"
    half(folder, monkeypatch, 10**6 if steps is None else steps, 0.9)
    assert fingerprint(dl.resume(folder, until, progress=False)) == fingerprint(simulate(until))
    assert fingerprint(dl.load(folder)) == fingerprint(simulate(until))


def test_another_end_under_error_control(tmp_path):
    options = {"step": None, "integrator": dl.DormandPrince(first_step=1e-3)}
    simulate(3.0, save=tmp_path / "run", **options)
    longer = dl.resume(tmp_path / "run", 7.0, progress=False)
    assert fingerprint(longer) == fingerprint(simulate(7.0, **options))


def test_a_longer_run_records_less(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MOST_SAMPLES", 1500)
    simulate(1.0, save=tmp_path / "run")
    longer = dl.resume(tmp_path / "run", 4.0, progress=False)
    assert fingerprint(longer) == fingerprint(simulate(4.0))
    assert longer.statistics["every"] == 3


def test_further_moments(tmp_path):
    first, further = [0.0, 0.5, 1.0], [1.25, 2.0]
    simulate(1.0, save=tmp_path / "run", times=first)
    with pytest.raises(OptionError, match="times="):
        dl.resume(tmp_path / "run", 2.0)
    longer = dl.resume(tmp_path / "run", 2.0, times=further, progress=False)
    assert fingerprint(longer) == fingerprint(simulate(2.0, times=[*first, *further]))
    assert list(dl.load(tmp_path / "run").t) == [*first, *further]


def test_an_extension_that_is_killed_can_be_resumed(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    simulate(1.0, save=folder)
    with monkeypatch.context() as patch:
        stopped_after(1700, patch)
        part = dl.resume(folder, 2.0, progress=False, on_failure="return")
    assert part.status is Status.INTERRUPTED
    # the old last step does not count among the samples
    assert same_beginning(dl.load(folder), simulate(2.0))
    assert fingerprint(dl.resume(folder, progress=False)) == fingerprint(simulate(2.0))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"until": 0.5}, "reached 1 s already"),
        ({"until": float("nan")}, "until is nan"),
        ({"until": "later"}, "until is 'later'"),
        ({"until": 2.0, "times": [1.5]}, "records by steps"),
        ({"until": 2.0, "method": dl.Baumgarte()}, "goes on as it began"),
        ({"on_failure": "hide"}, "on_failure"),
    ],
)
def test_wishes_that_cannot_be_met(arguments, words, kept):
    before = content(kept)
    with pytest.raises(OptionError, match=words):
        dl.resume(kept, **arguments)
    assert content(kept) == before


def test_a_terminal_event_is_an_end(tmp_path):
    folder = tmp_path / "run"
    solution = simulate(save=folder, events=[dl.Event(X, terminal=True)])
    assert solution.status is Status.EVENT
    assert fingerprint(dl.resume(folder)) == fingerprint(solution)
    with pytest.raises(OptionError, match="terminal event"):
        dl.resume(folder, until=2.0)


def test_a_failed_run_is_kept_and_fails_again(tmp_path):
    folder = tmp_path / "run"
    bars = dl.catalog.load("four-bars")
    options = {"step": 1e-2, "method": dl.UdwadiaKalaba(), "model": bars}
    with pytest.raises(dl.errors.NonFiniteError) as first:
        simulate(10.0, save=folder, **options)
    kept = dl.load(folder)
    assert fingerprint(kept) == fingerprint(first.value.solution)
    with pytest.raises(dl.errors.NonFiniteError) as second:
        dl.resume(folder, progress=False)
    assert fingerprint(second.value.solution) == fingerprint(kept)


class Own(dl.Projection):
    """A method of the user's own class."""


def test_a_method_of_ones_own_is_given_again(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    half(folder, monkeypatch, method=Own())
    assert "Own" in dl.load(folder).summary()
    with pytest.raises(OptionError, match=r"method=Own"):
        dl.resume(folder)
    with pytest.raises(OptionError, match="as it began"):
        dl.resume(folder, method=dl.Projection())
    assert same(dl.resume(folder, method=Own(), progress=False), simulate(method=Own()))


def test_other_versions_are_told(tmp_path, monkeypatch):
    half(tmp_path / "run", monkeypatch)
    path = tmp_path / "run" / "run.json"
    found = json.loads(path.read_text())
    found["versions"]["numpy"] = "1.0"
    path.write_text(json.dumps(found))
    with pytest.warns(dl.errors.DoubtfulWarning, match=r"numpy 1\.0 -> "):
        dl.resume(tmp_path / "run", progress=False)


@pytest.mark.parametrize("name", ["pendulum", "four-bars", "four-bar-3d", "rolling-coin", "chain"])
def test_no_address_is_kept(name, tmp_path, monkeypatch):
    """Compiled code lies elsewhere in the next process; small integers are no addresses."""
    model = dl.catalog.load(name)
    events = [dl.Event(model.coordinates[0] - 1e-3)]
    options = {"events": events, "times": [0.001, 0.0105, 0.02]}
    half(tmp_path / "run", monkeypatch, 15, 0.02, model=model, **options)
    with np.load(tmp_path / "run" / "checkpoint.npz") as found:
        assert len(found["state"]) > 3
        assert np.abs(found["state"]).max() < 2**31
        assert np.abs(found["count"]).max() < 2**31


def test_memory_arranged_otherwise_is_refused(tmp_path, monkeypatch):
    from dalembert.simulation.rundir import checkpoint

    half(tmp_path / "run", monkeypatch)
    monkeypatch.setattr(checkpoint, "arrangement", lambda: "other")
    with pytest.raises(RunFileError, match="another version"):
        dl.resume(tmp_path / "run", progress=False)
    assert len(dl.load(tmp_path / "run").t) == 401
