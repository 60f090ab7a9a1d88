"""Read hostile files and judge what is said of them.

    python -m tests.file_fuzz --count 20000 --first 0     all of them, in child processes
    python -m tests.file_fuzz --seed 4711                 one of them, told at length

A file is read, and a run resumed, under guard: no process is started, no code compiled or run that
is not there already, no pickle looked at; memory may grow by 1 GiB and 10 s may pass. The answer is
a result, or an error of `dalembert.errors` with a sentence; never another exception, a hang, or the
end of the process. The files come from `tests.support.hostile_files`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import fuzz_driver
from tests.support.hostile_files import PLACE, make, store

import dalembert as dl
from dalembert.errors import DalembertError
from dalembert.simulation.described.classes import NAMES, fields_of

SECONDS, BYTES = 10.0, 2**30
"""That one file may take."""

FORBIDDEN = (
    *("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "subprocess.Popen"),
    *("pickle.find_class", "marshal.loads", "ctypes.dlopen", "socket.connect", "os.startfile"),
)

OWN = str(Path(dl.__file__).parent)


@dataclass
class Verdict:
    """What became of a file."""

    seed: int
    ended: str = "read"
    """read, or refused with the name of the error."""
    complaints: list[str] = field(default_factory=list)
    seconds: float = 0.0
    megabytes: float = 0.0


class Guard:
    """What a file must not make happen; events are noted while `watching`."""

    def __init__(self) -> None:
        self.watching = False
        self.seen: list[str] = []
        sys.addaudithook(self.hook)

    def hook(self, event, arguments):
        if not self.watching:
            return
        bad = event in FORBIDDEN
        if event == "exec":
            made = getattr(arguments[0], "co_filename", "<").startswith("<string")
            bad = made and not is_importing()
        if bad:
            self.seen.append(f"{event} {arguments!r:.200}")
            raise RuntimeError(f"forbidden: {event}")


def is_importing():
    """Whether a module is being imported, which may make classes from texts of its own."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


@functools.cache
def warm():
    """Good files, read before anything is watched: what is compiled then is the package's own."""
    for made in NAMES:
        fields_of(made)
    good = store()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        for path in (*sorted(good.glob("*.*")), *sorted((good / "runs").iterdir())):
            if path.suffix not in (".stl", ".obj"):
                dl.load(path)
        for path in (good / "runs").iterdir():
            resumed(shutil.copytree(path, Path(folder) / path.name))


_guard: Guard | None = None


class TimeUp(BaseException):
    """Beyond any handler of errors."""


def _late(number, frame):
    faulthandler.dump_traceback()
    raise TimeUp


@contextlib.contextmanager
def guarded():
    """Limits of time and memory, and no code of a file's."""
    global _guard
    if _guard is None:
        _guard = Guard()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    signal.signal(signal.SIGVTALRM, _late)
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, limits[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    _guard.seen.clear()
    _guard.watching = True
    try:
        yield _guard
    finally:
        _guard.watching = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def judge_seed(seed):
    """One file, read and, if it is a run, resumed."""
    warm()
    with tempfile.TemporaryDirectory() as folder:
        path, _ = make(folder, seed)
        verdict = Verdict(seed)
        reads = [dl.load, resumed] if path.is_dir() else [dl.load]
        for read in reads:
            judge(read, path, verdict)
    verdict.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return verdict


def resumed(path):
    """A run that goes on, at most for the steps that were left."""
    return dl.resume(path, progress=False, on_failure="return")


def judge(read, path, verdict):
    began = time.process_time()
    what = read.__name__
    with guarded() as guard, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(path)
        except DalembertError as problem:
            verdict.ended = f"refused {type(problem).__name__}"
            said = str(problem)
            if len(said) < 15 or len(said) > 20_000:
                verdict.complaints.append(f"{what}: says {said[:100]!r}, {len(said)} characters")
        except TimeUp:
            verdict.complaints.append(f"{what}: takes more than {SECONDS} s")
        except BaseException as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            verdict.complaints.append(
                f"{what}: {type(problem).__name__}: {problem!s:.200}"
                f" ({last.filename.removeprefix(OWN)}:{last.lineno})"
            )
        verdict.complaints += [f"{what}: {event}" for event in guard.seen]
    verdict.seconds = max(verdict.seconds, time.process_time() - began)


def described(seed):
    """What the case is."""
    store()
    with tempfile.TemporaryDirectory() as folder:
        return make(folder, seed)[1]


def many(first, count):
    """Verdicts of files, through child processes; the good files are made once."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault(PLACE, folder)
        yield from fuzz_driver.many("tests.file_fuzz", Verdict, first, count)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        os.environ.setdefault(PLACE, made)
        sys.exit(fuzz_driver.main("tests.file_fuzz", Verdict, judge_seed, described))
