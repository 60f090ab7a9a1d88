"""Studies whose workers, scheduler or program are killed end with every row once, bit-equal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from tests.support.deadly_rows import DEADLY, doubled

import dalembert as dl
from dalembert.errors import OptionError, StudyError
from dalembert.study import segments
from dalembert.study.engines.engine import make_engine
from dalembert.study.engines.processes import Processes
from dalembert.study.run_chunk import ChunkRunner

AXES = {"g": dl.span(5.0, 10.0, 20), "x.dot": [0.0, 0.1, 0.2]}
OPTIONS = {
    "until": 0.3,
    "step": 1e-3,
    "record": {"x": "final(x)", "e": "rms(energy)", "path": "series(y)"},
    "samples": 5,
}

CHILD = """
import sys
import dalembert as dl
from dalembert.study import store, sweep
from tests.robustness.test_killed_studies import AXES, OPTIONS, Slow

if __name__ == "__main__":
    store.SECONDS = 0.05  # segments often, so that many a kill comes while one is written
    sweep.ChunkRunner = Slow
    engine, folder = sys.argv[1:]
    print("running", flush=True)
    dl.sweep("pendulum", AXES, folder=folder, engine=engine, workers=2, chunk=2, **OPTIONS)
"""


class Slow(ChunkRunner):
    """Leaves whoever kills it the time to."""

    def __call__(self, ids, values):
        time.sleep(0.1)
        return super().__call__(ids, values)


def bits(study):
    table = study.table
    assert table["id"].tolist() == list(range(study.count))  # every one once
    return {
        name: table[name].tolist() if table[name].dtype == object else table[name].tobytes()
        for name in table.dtype.names
        if name != "seconds"
    }


@pytest.fixture(scope="module")
def undisturbed():
    return bits(dl.sweep("pendulum", AXES, workers=1, chunk=60, **OPTIONS))


def has_dask():
    try:
        import distributed  # noqa: F401
    except ImportError:
        return False
    return True


ENGINES = [
    "threads",
    "processes",
    pytest.param("dask", marks=pytest.mark.skipif(not has_dask(), reason="Dask is not installed")),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.share(3)
def test_rows_are_the_same_bits_whoever_runs_them(engine, undisturbed):
    study = dl.sweep("pendulum", AXES, engine=engine, workers=2, chunk=7, **OPTIONS)
    assert bits(study) == undisturbed


def started(engine, folder):
    """A sweep in a program of its own, in a group that can be killed as a whole."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    script = Path(folder).with_suffix(".py")
    script.write_text(CHILD)
    return subprocess.Popen(
        [sys.executable, str(script), engine, str(folder)],
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # a program that is started in the background may have to ignore it
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.share(3)
def test_a_program_that_is_killed_goes_on(engine, undisturbed, tmp_path):
    folder = tmp_path / "s"
    for rows in (1, 3):  # twice: at the beginning, and further on
        child = started(engine, folder)
        before = len(segments.listed(folder)) if folder.exists() else 0
        until(lambda n=before + rows: folder.exists() and len(segments.listed(folder)) >= n)
        os.kill(child.pid, signal.SIGKILL)  # workers are not killed with it
        child.communicate()
        if dl.load_study(folder).is_complete:
            break
    part = dl.load_study(folder)
    assert len(part) > 0
    assert bits(dl.resume_study(folder, engine=engine, workers=2)) == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.share(3)
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(engine, undisturbed, tmp_path):
    folder = tmp_path / "s"
    child = started(engine, folder)
    until(lambda: folder.exists() and len(segments.listed(folder)) > 0)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: all of the group
    _, said = child.communicate(timeout=60)
    last = said.decode().strip().splitlines()[-1]
    assert "InterruptedStudy: Interrupted: " in last
    assert f"rows are kept in {folder}. Go on with dl.resume_study" in last
    assert 0 < len(dl.load_study(folder)) < 60
    assert bits(dl.resume_study(folder)) == undisturbed


@pytest.mark.parametrize("engine", ["processes"])
def test_workers_end_with_the_program_that_was_killed(engine, tmp_path):
    folder = tmp_path / "s"
    child = started(engine, folder)
    until(lambda: folder.exists() and len(segments.listed(folder)) > 0)
    workers = children(child.pid)
    assert len(workers) >= 2
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    until(lambda: not any(is_alive(pid) for pid in workers), 20)


def children(pid):
    """Processes whose parent is this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Watched(Processes):
    """Kills one worker when the third result has come."""

    killed = 0

    def map_chunks(self, function, chunks):
        for i, found in enumerate(super().map_chunks(function, chunks)):
            if i == 2:
                os.kill(next(iter(self._pool._processes)), signal.SIGKILL)
                type(self).killed += 1
            yield found


def test_only_what_a_killed_worker_had_is_run_again(undisturbed, monkeypatch, tmp_path):
    monkeypatch.setattr("dalembert.study.sweep.make_engine", lambda *a: Watched(2))
    study = dl.sweep("pendulum", AXES, chunk=2, folder=tmp_path / "s", **OPTIONS)
    assert Watched.killed == 1
    assert bits(study) == undisturbed


def deadly(row):
    """Takes its worker with it in one row."""
    if row["a"] == 3.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return dl.catalog.load("pendulum")


@pytest.mark.slow
def test_rows_that_kill_their_worker_are_named_and_all_others_kept(tmp_path):
    with pytest.raises(StudyError, match="that ran row 3 was killed 3 times") as stopped:
        dl.sweep(
            deadly,
            {"a": [5.0, 1.0, 2.0, 3.0, 4.0, 6.0]},
            until=0.01,
            step=1e-2,
            engine="processes",
            workers=2,
            chunk=1,
            folder=tmp_path / "s",
        )
    assert stopped.value.study["id"].tolist() == [0, 1, 2, 4, 5]
    assert "rows are kept in" in str(stopped.value)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("engine", ENGINES[1:])
@pytest.mark.share(3)
def test_only_rows_that_end_their_worker_are_without_a_result(engine, size):
    ids = np.arange(8)
    chunks = [(k, (part, part * 1.0)) for k, part in enumerate(np.split(ids, len(ids) // size))]
    results = []
    with (
        make_engine(engine, 2) as running,
        pytest.raises(StudyError, match=rf"that ran row {DEADLY} was killed \d times"),
    ):
        results.extend(running.map_chunks(doubled, iter(chunks)))
    assert sorted(value for _, one in results for value in one) == [
        2.0 * row for row in ids if row != DEADLY
    ]


def test_a_script_without_a_main_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import dalembert as dl
            dl.sweep("pendulum", {"g": [1.0]}, until=0.01, step=1e-2, engine="processes")
            """
        )
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("dalembert.errors.StudyError")
    assert "if __name__ == '__main__':" in done.stderr.strip().splitlines()[-1]


def test_functions_that_cannot_be_sent_are_refused():
    with pytest.raises(OptionError, match="must be importable"):
        dl.sweep(
            lambda row: dl.catalog.load("pendulum"), {"a": [1.0]}, until=0.1, engine="processes"
        )


@pytest.mark.skipif(not has_dask(), reason="Dask is not installed")
class TestDask:
    def test_a_killed_worker_costs_nothing(self, undisturbed, tmp_path):
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            pids = [worker.pid for worker in cluster.workers.values()]
            folder = tmp_path / "s"
            done = []

            def kill():
                until(lambda: folder.exists())
                time.sleep(0.3)
                os.kill(pids[0], signal.SIGKILL)
                done.append(pids[0])

            thread = threading.Thread(target=kill)
            thread.start()
            address = cluster.scheduler_address
            study = dl.sweep("pendulum", AXES, cluster=address, chunk=1, folder=folder, **OPTIONS)
            thread.join()
        assert done
        assert bits(study) == undisturbed

    def test_without_its_scheduler_a_study_stops_and_goes_on_later(self, undisturbed, tmp_path):
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0"]
        address = tmp_path / "address.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        scheduler = subprocess.Popen(
            [*command, "--no-dashboard", "--scheduler-file", str(address)], env=environment, **quiet
        )
        until(lambda: address.exists() and address.stat().st_size > 0)
        worker = subprocess.Popen(
            [
                *(sys.executable, "-m", "distributed.cli.dask_worker"),
                *("--scheduler-file", str(address), "--nthreads", "1", "--no-nanny"),
            ],
            env=environment,
            **quiet,
        )
        import json

        folder = tmp_path / "s"
        at = json.loads(address.read_text())["address"]
        try:

            def kill():
                until(lambda: folder.exists() and len(segments.listed(folder)) > 0)
                scheduler.kill()

            thread = threading.Thread(target=kill)
            thread.start()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("dalembert.study.store.SECONDS", 0.0)
                with pytest.raises(StudyError, match=r"scheduler.*Go on with dl.resume_study"):
                    dl.sweep("pendulum", AXES, cluster=at, chunk=1, folder=folder, **OPTIONS)
            thread.join()
        finally:
            worker.kill()
            scheduler.kill()
            worker.wait()
            scheduler.wait()
        assert 0 < len(dl.load_study(folder)) < 60
        assert bits(dl.resume_study(folder)) == undisturbed

    def test_an_address_without_a_scheduler_is_told(self):
        with pytest.raises(StudyError, match="no Dask scheduler answers"):
            dl.sweep("pendulum", {"g": [1.0]}, until=0.1, step=1e-2, cluster="tcp://127.0.0.1:9")
