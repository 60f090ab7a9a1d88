"""Runs in folders: written while they run, read, extended, replaced, refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint, stopped_after

import dalembert as dl
from dalembert import _files
from dalembert.cli import main
from dalembert.errors import FileError, OptionError, RunFileError
from dalembert.simulation import run as runs
from dalembert.simulation.rundir import manifest, recorder
from dalembert.simulation.rundir.place import Lock
from dalembert.simulation.status import Status

MODEL = dl.catalog.load("pendulum")
X, Y = MODEL.coordinates


def simulate(until=1.0, model=MODEL, **options):
    return dl.simulate(model, until=until, **{"step": 1e-3, "progress": False, **options})


def half(folder, monkeypatch, steps=400, until=1.0, **options):
    """A run that was stopped, and is kept in `folder`."""
    with monkeypatch.context() as patch:
        stopped_after(steps, patch)
        return simulate(until, save=folder, **options)


def content(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "lock"}


def same(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)
        for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    )


@pytest.fixture
def kept(tmp_path):
    """A complete run."""
    folder = tmp_path / "run"
    simulate(save=folder, events=[dl.Event(X, name="below")])
    return folder


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
    assert (found["format"], found["version"]) == ("dalembert-run", 1)
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
    monkeypatch.setattr(runs, "MOST_SAMPLES", 300)
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
    monkeypatch.setattr(runs, "MOST_SAMPLES", 1500)
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
        part = dl.resume(folder, 2.0, progress=False)
    assert part.status is Status.INTERRUPTED
    # the old last step does not count among the samples
    assert same_beginning(dl.load(folder), simulate(2.0))
    assert fingerprint(dl.resume(folder, progress=False)) == fingerprint(simulate(2.0))


def same_beginning(part, whole):
    k = len(part.t)
    return k > 1 and all(
        np.array_equal(getattr(part, n), getattr(whole, n)[:k]) for n in ("t", "q", "v")
    )


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
        assert len(found["values"]) > 3
        assert np.abs(found["values"]).max() < 2**31
        assert np.abs(found["count"]).max() < 2**31


def test_memory_arranged_otherwise_is_refused(tmp_path, monkeypatch):
    from dalembert.simulation.rundir import checkpoint

    half(tmp_path / "run", monkeypatch)
    monkeypatch.setattr(checkpoint, "arrangement", lambda: "other")
    with pytest.raises(RunFileError, match="another version"):
        dl.resume(tmp_path / "run", progress=False)
    assert len(dl.load(tmp_path / "run").t) == 401


# --- nothing is lost -----------------------------------------------------------------------------


def test_a_run_is_not_written_over(kept, capsys):
    before = content(kept)
    with pytest.raises(RunFileError, match=r"holds a run already.*dalembert resume"):
        simulate(save=kept)
    assert main(["run", "pendulum", "--until", "1", "-o", str(kept)]) == 2
    assert "holds a run already" in " ".join(capsys.readouterr().err.split())
    assert content(kept) == before


def test_a_file_is_not_written_over(tmp_path, capsys):
    path = tmp_path / "run.npz"
    simulate(save=path)
    before = path.read_bytes()
    with pytest.raises(RunFileError, match="is there already"):
        simulate(0.5, save=path)
    words = ["run", "pendulum", "--until", "0.5", "--step", "1e-3", "-o", str(path)]
    assert main(words) == 2
    assert path.read_bytes() == before
    assert main([*words, "--overwrite"]) == 0
    assert dl.load(path).t[-1] == 0.5


def test_replaced_once_the_new_one_is_complete(kept, monkeypatch):
    before = content(kept)
    part = half(kept, monkeypatch, 500, 2.0, overwrite=True)
    assert content(kept) == before
    beside = kept.with_name("run.new")
    assert f"dalembert resume {beside}" in part.message
    with pytest.raises(RunFileError, match="left from an earlier attempt"):
        simulate(2.0, save=kept, overwrite=True)
    assert fingerprint(dl.resume(beside, progress=False)) == fingerprint(simulate(2.0))
    assert [p.name for p in kept.parent.iterdir()] == ["run"]
    assert fingerprint(dl.load(kept)) == fingerprint(simulate(2.0))
    simulate(0.5, save=kept, overwrite=True)
    assert [p.name for p in kept.parent.iterdir()] == ["run"]
    assert dl.load(kept).t[-1] == 0.5


def test_a_failed_run_does_not_replace_a_good_one(kept):
    before = content(kept)
    bars = dl.catalog.load("four-bars")
    with pytest.raises(dl.errors.NonFiniteError):
        simulate(10.0, bars, step=1e-2, method=dl.UdwadiaKalaba(), save=kept, overwrite=True)
    assert content(kept) == before
    assert dl.load(kept.with_name("run.new")).status is Status.NON_FINITE


@pytest.mark.parametrize("name", ["file", "folder", "run.csv", "no/where", "link"])
def test_places_that_cannot_be_taken(name, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.tex").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileError, match="cannot write the run"):
        simulate(save=tmp_path / name, overwrite=True)
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "folder" / "thesis.tex").read_text() == "mine"


def test_an_empty_folder_is_taken(tmp_path):
    (tmp_path / "run").mkdir()
    simulate(save=tmp_path / "run")
    assert dl.load(tmp_path / "run").status is Status.OK


def test_two_processes_do_not_write_one_run(kept):
    lock = Lock(kept)
    try:
        with pytest.raises(RunFileError, match="another process"):
            dl.resume(kept, until=2.0)
    finally:
        lock.release()


def test_a_model_that_cannot_start_leaves_nothing(tmp_path):
    with pytest.raises(dl.errors.DalembertError):
        simulate(save=tmp_path / "run", initial={"x": 5.0})
    assert list(tmp_path.iterdir()) == []


# --- damage --------------------------------------------------------------------------------------


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scratch(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def edited(key, value):
    def change(path):
        found = json.loads(path.read_text())
        found[key] = value
        path.write_text(json.dumps(found))

    return change


DAMAGE = {
    # file, how, words of reading, words of resuming; None: nothing is noticed
    "description cut": ("run.json", cut, "damaged", "damaged"),
    "description foreign": ("run.json", edited("format", "other"), "'other', not", "'other', not"),
    "description newer": ("run.json", edited("version", 99), "newer dalembert", "newer dalembert"),
    "description empty": ("run.json", lambda p: p.write_text("[]"), "damaged", "damaged"),
    "description binary": ("run.json", lambda p: p.write_bytes(b"\x80\x04"), "damaged", "damaged"),
    "description gone": ("run.json", os.unlink, "not a run", "not a run"),
    "model cut": ("model.pickle", cut, "model of the run is damaged", "model of the run"),
    "model scratched": ("model.pickle", scratch, "model of the run is damaged", "model of"),
    "model gone": ("model.pickle", os.unlink, "cannot be read", "cannot be read"),
    "start cut": ("start.npz", cut, "start of the run is damaged", "start of the run"),
    "segment cut": ("segment-000002.npz", cut, "segment-000002.npz.*damaged", "damaged"),
    "segment scratched": ("segment-000002.npz", scratch, "damaged", "damaged"),
    "segment gone": ("segment-000002.npz", os.unlink, "cannot be read", "cannot be read"),
    "checkpoint cut": ("checkpoint.npz", cut, None, "checkpoint is damaged"),
    "checkpoint scratched": ("checkpoint.npz", scratch, None, "checkpoint is damaged"),
    "checkpoint gone": ("checkpoint.npz", os.unlink, None, "checkpoint cannot be read"),
}


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """An unfinished run of many segments."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    with pytest.MonkeyPatch.context() as patch:
        half(folder, patch)
    return folder


@pytest.mark.parametrize("case", DAMAGE)
def test_damage_is_named(case, stopped, tmp_path, capsys):
    name, damage, read, resumed = DAMAGE[case]
    folder = shutil.copytree(stopped, tmp_path / "run")
    damage(folder / name)
    before = content(folder)
    if read is None:
        solution = dl.load(folder)
        assert same_beginning(solution, simulate())
        assert "cannot be resumed" in solution.message
    else:
        with pytest.raises(RunFileError, match=read) as caught:
            dl.load(folder)
        assert str(folder) in str(caught.value)
        if "segment" in case:
            assert same_beginning(caught.value.solution, simulate())
    with pytest.raises(RunFileError, match=resumed):
        dl.resume(folder, progress=False)
    assert content(folder) == before
    # on the command line: a sentence, no traceback
    for words in (["resume", str(folder)], ["export", str(folder), "--to", "csv"]):
        code = main(words)
        told = capsys.readouterr().err
        assert "Traceback" not in told
        assert "Something went wrong" not in told
        assert code == (0 if read is None and words[0] == "export" else 2), told


def test_what_is_no_run(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunFileError, match="not a run"):
        dl.load(tmp_path / "empty")
    with pytest.raises(RunFileError, match="no such run"):
        dl.resume(tmp_path / "nowhere")
    with pytest.raises(FileError, match="cannot be read"):
        dl.load(tmp_path / "nowhere")
    (tmp_path / "run.new").mkdir()
    (tmp_path / "run.new" / "run.json").write_text("{}")
    with pytest.raises(RunFileError, match=r"Did you mean .*run\.new"):
        dl.resume(tmp_path / "run")


def test_a_folder_from_elsewhere_cannot_run_code(stopped, tmp_path):
    import hashlib
    import pickle

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "hacked"),)

    folder = shutil.copytree(stopped, tmp_path / "run")
    data = pickle.dumps((Evil(), None, None, None, True, ()))
    (folder / "model.pickle").write_bytes(data)
    found = json.loads((folder / "run.json").read_text())
    found["model"]["sha256"] = hashlib.sha256(data).hexdigest()
    (folder / "run.json").write_text(json.dumps(found))
    with pytest.raises(RunFileError, match="not allowed"):
        dl.load(folder)
    assert not (tmp_path / "hacked").exists()


# --- disks ---------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch, capsys):
    """The segment after the fifth file does not fit any more."""
    folder = tmp_path / "run"
    real, written = os.fsync, []

    def full(descriptor):
        written.append(descriptor)
        if len(written) > 40:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(recorder, "SECONDS", 0.0)
    monkeypatch.setattr(recorder, "SHARE", 0)
    monkeypatch.setattr(runs, "_next_chunk", lambda *_: 50)
    with monkeypatch.context() as patch:
        patch.setattr(_files.os, "fsync", full)
        with pytest.raises(RunFileError, match=r"No space left.*dalembert resume") as caught:
            simulate(save=folder)
    whole = simulate()
    assert same_beginning(caught.value.solution, whole)
    part = dl.load(folder)
    assert same_beginning(part, whole)
    assert len(part.t) <= len(caught.value.solution.t)
    assert fingerprint(dl.resume(folder, progress=False)) == fingerprint(whole)


LIMITED = """
import resource, sys
from dalembert.cli import main
from dalembert.simulation.rundir import recorder

recorder.SECONDS = 0.05
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits")
def test_files_that_may_not_grow(tmp_path):
    """A limit of the system, met in the middle of a run: a sentence, and the run goes on later."""
    words = ["run", "pendulum", "--until", "20", "--step", "1e-4", "-o", "run", "--every", "1"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Fidelity report" in done.stdout
    resumed = dl.resume(tmp_path / "run", progress=False)
    assert same(resumed, simulate(20.0, step=1e-4, every=1))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written(kept, tmp_path):
    kept.chmod(0o500)
    try:
        with pytest.raises(RunFileError, match="may not be written"):
            dl.resume(kept, until=2.0)
        assert dl.load(kept).status is Status.OK
    finally:
        kept.chmod(0o700)


def test_refusal_of_the_system_is_told(kept, monkeypatch, capsys):
    """Permission denied for whatever is read or written (also where the tests run as root)."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    before = content(kept)
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.read_bytes", refuse)
        with pytest.raises(RunFileError, match="Permission denied"):
            dl.load(kept)
    with monkeypatch.context() as patch:
        patch.setattr("dalembert.simulation.rundir.place.LOCK", "no/such/folder/lock")
        with pytest.raises(RunFileError, match="may not be written"):
            dl.resume(kept, until=2.0)
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.mkdir", refuse)
        assert main(["run", "pendulum", "--until", "1", "-o", str(kept.with_name("new"))]) == 2
    assert "Permission denied" in capsys.readouterr().err
    assert content(kept) == before


# --- Ctrl-C and the command line -----------------------------------------------------------------

SIGNALLED = """
import os, signal, sys, threading, time
from dalembert.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupt():
    while not os.path.exists("run"):
        time.sleep(0.05)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(main(["run", "pendulum", "--until", "1e9", "--step", "1e-3", "-o", "run"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_interrupted_on_the_command_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 130, done.stderr
    told = " ".join(done.stderr.split())
    assert "What was computed is kept" in told
    assert "dalembert resume" in told
    found = dl.load(tmp_path / "run")
    assert found.status is Status.INTERRUPTED
    assert 0 < found.t[-1] < 1e9
    assert found.statistics["end"] == found.t[-1]


def test_a_second_signal_does_not_wait(monkeypatch):
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with runs._patient() as asked:
            os.kill(os.getpid(), signal.SIGINT)
            assert asked()
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_commands_take_folders(kept, tmp_path, capsys):
    assert main(["export", str(kept), "-o", str(tmp_path / "series.csv")]) == 0
    header = (tmp_path / "series.csv").read_text().splitlines()[0]
    assert header.startswith("t,x,y,x.dot")
    assert main(["plot", str(kept), "drift", "-o", str(tmp_path / "drift.png")]) == 0
    assert (tmp_path / "drift.png").stat().st_size > 1000
    assert main(["resume", str(kept), "--until", "1.5", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["end"] == 1.5
    assert main(["resume", str(tmp_path / "series.csv")]) == 2
    assert "is a file" in capsys.readouterr().err


def test_a_new_version_of_the_format_is_ours(monkeypatch, tmp_path):
    """Written by the future, read by us: refused by its number."""
    monkeypatch.setattr(manifest, "VERSION", 2)
    simulate(save=tmp_path / "run")
    monkeypatch.setattr(manifest, "VERSION", 1)
    with pytest.raises(RunFileError, match=r"format 2.*reads up to 1"):
        dl.load(tmp_path / "run")
