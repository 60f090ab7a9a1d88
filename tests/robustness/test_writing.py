"""Every writer: through symlinks, never over a pipe or a device, and no success without a file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import FileError
from dalembert.importers.writing import save_model
from dalembert.simulation.rundir.loading import load_solution


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return turning().save(tmp_path_factory.mktemp("saved") / "run.npz")


def exported(saved, path, kind):
    if main(["export", str(saved), "--to", kind, "--out", str(path)]) != 0:
        raise FileError("exit code")


WRITERS = {
    # what writes to a path, given a saved run; the ending of the path
    "solution": (lambda _, path: turning().save(path), ".npz"),
    "figure": (lambda _, path: dl.plot(turning(), "drift", path=path), ".png"),
    "vector figure": (lambda _, path: dl.plot(turning(), "drift", path=path), ".pdf"),
    "model": (lambda _, path: save_model(dl.catalog.load("pendulum"), path), ".yaml"),
    "csv": (lambda saved, path: exported(saved, path, "csv"), ".csv"),
    "json": (lambda saved, path: exported(saved, path, "json"), ".json"),
    "columns": (lambda saved, path: exported(saved, path, "npz"), ".npz"),
}
every_writer = pytest.mark.parametrize(("write", "ending"), WRITERS.values(), ids=WRITERS)


@every_writer
def test_writes_through_a_symlink(tmp_path, saved, write, ending):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / f"real{ending}", tmp_path / f"link{ending}"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write(saved, link)
    assert link.is_symlink()
    assert real.stat().st_size > 3
    assert os.listdir(tmp_path / "far") == [real.name]


@every_writer
def test_makes_the_file_a_dangling_symlink_names(tmp_path, saved, write, ending):
    real, link = tmp_path / f"real{ending}", tmp_path / f"link{ending}"
    link.symlink_to(real)
    write(saved, link)
    assert link.is_symlink()
    assert real.stat().st_size > 3


@every_writer
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_refused_and_stays(tmp_path, saved, write, ending, linked):
    pipe = path = tmp_path / f"pipe{ending}"
    os.mkfifo(pipe)
    if linked:
        path = tmp_path / f"link{ending}"
        path.symlink_to(pipe)
    with pytest.raises(FileError):
        write(saved, path)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert not list(tmp_path.glob(".*"))


@every_writer
def test_a_loop_of_symlinks_is_refused(tmp_path, saved, write, ending):
    path = tmp_path / f"loop{ending}"
    path.symlink_to(path)
    with pytest.raises(FileError):
        write(saved, path)


@every_writer
def test_a_file_keeps_its_permissions(tmp_path, saved, write, ending):
    path = tmp_path / f"file{ending}"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write(saved, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@every_writer
def test_a_full_disk_is_an_error_and_the_old_file_survives(
    tmp_path, saved, write, ending, monkeypatch
):
    path = tmp_path / f"file{ending}"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError):
        write(saved, path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_the_message_says_what_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(FileError, match=r"pipe\.npz: cannot write the solution: .*not a regular"):
        turning().save(tmp_path / "pipe.npz")


def test_out_is_refused_before_the_run(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.npz")
    assert main(["run", "pendulum", "--until", "1", "--out", str(tmp_path / "pipe.npz")]) == 2
    assert "not a regular file" in capsys.readouterr().err
    assert stat.S_ISFIFO((tmp_path / "pipe.npz").stat().st_mode)


def test_the_report_is_printed_when_saving_fails(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["run", "pendulum", "--until", "1", "--out", str(tmp_path / "run.npz")]) == 2
    printed = capsys.readouterr()
    assert "Fidelity report" in printed.out
    assert "No space left" in " ".join(printed.err.split())
    assert "Saved" not in printed.err


def test_the_program_s_own_output_is_refused(tmp_path, saved):
    """Replacing the file that stdout writes to would lose what is printed."""
    path = tmp_path / "out.txt"
    code = "import sys; from dalembert.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "export", str(saved), "--to", "csv", "--out"]
    for name in ("/dev/stdout", str(path)):
        with path.open("wb") as file:
            done = subprocess.run([*command, name], stdout=file, stderr=subprocess.PIPE)
        assert done.returncode == 2
        assert b"output" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_text_that_does_not_fit_is_not_a_success(saved):
    code = "import sys; from dalembert.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "export", str(saved), "--to", "csv", "--out", "-"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode != 0
    assert b"The output cannot be written" in done.stderr
    assert b"inside dalembert" not in done.stderr


def test_a_saved_run_replaces_a_saved_run(tmp_path):
    path = turning().save(tmp_path / "run.npz")
    turning(samples=5).save(path)
    assert len(load_solution(path).t) == 5
