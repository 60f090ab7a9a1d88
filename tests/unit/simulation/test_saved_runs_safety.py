"""Runs in folders: what is not written over, damage that is named, disks that are full."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from tests.conformance.test_resume import fingerprint
from tests.unit.simulation.folders import content, half, same, same_beginning, simulate

import dalembert as dl
from dalembert import _files
from dalembert.cli import main
from dalembert.errors import FileError, RunFileError
from dalembert.simulation.run import run as runs
from dalembert.simulation.rundir import recorder
from dalembert.simulation.rundir.place import Lock
from dalembert.simulation.status import Status

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
    "model cut": ("model.npz", cut, "model of the run is damaged", "model of the run"),
    "model scratched": ("model.npz", scratch, "model of the run is damaged", "model of"),
    "model gone": ("model.npz", os.unlink, "cannot be read", "cannot be read"),
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
    assert caught.value.solution.status is Status.NOT_WRITTEN
    assert "interrupted" not in caught.value.solution.summary()
    assert caught.value.solution.verdict.word == "failed"
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
    assert "interrupted" not in done.stdout
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
        patch.setattr("pathlib.Path.open", refuse)
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
