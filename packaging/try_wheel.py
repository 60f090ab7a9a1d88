"""Install a wheel into an empty environment and time the first result of every catalog model.

    python packaging/try_wheel.py build/wheel/*.whl [--environment FOLDER] [NAME ...]

Each model is run in a fresh process with an empty cache, as somebody does who has just installed
the package. Told are the seconds from the beginning of the process to its first result, those of
an empty process with the import alone, and how many programs were compiled after all.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

FIRST = """
import json, sys, time, warnings
import dalembert as dl
warnings.simplefilter("ignore")
from dalembert._translate import objects
compiled = []
objects.told.append(compiled.append)
model = dl.catalog.load(sys.argv[1])
try:
    ended = dl.simulate(model, until=0.1, progress=False).status
except dl.errors.DalembertError as problem:
    ended = type(problem).__name__
used = time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
print(json.dumps({"cpu": used, "ended": str(ended), "compiled": compiled}))
"""

NAMES = "import dalembert as dl; print(*dl.catalog.names())"


def main() -> int:
    """Install, run, tell; 1 where something did not run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("names", nargs="*", help="models, instead of all")
    parser.add_argument("--environment", type=Path, help="keep the environment here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.environment or Path(folder) / "environment"
        python = installed(place, arguments.wheel)
        names = arguments.names or called(python, folder, NAMES).split()
        print(f"{'model':<32}{'wall s':>8}{'cpu s':>8} ended, compiled")
        worst = max(told(python, folder, name) for name in names)
    print(f"longest wait: {worst:.2f} s")
    return 0


def installed(place: Path, wheel: Path) -> Path:
    """Interpreter of an environment with the wheel in it."""
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True)
    subprocess.run([*pip, "--force-reinstall", "--no-deps", str(wheel)], check=True)
    return python


def called(python: Path, folder: str, program: str, *words: str) -> str:
    """What a program prints in a process with an empty cache, away from the sources."""
    with tempfile.TemporaryDirectory() as cache:
        kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DALEMBERT_CACHE")}
        command = [str(python), "-c", program, *words]
        made = {**kept, "DALEMBERT_CACHE": cache}
        done = subprocess.run(command, env=made, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"try_wheel: {' '.join(words)}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def told(python: Path, folder: str, name: str) -> float:
    """Seconds to the first result of a model, printed."""
    began = time.perf_counter()
    seen = json.loads(called(python, folder, FIRST, name).splitlines()[-1])
    spent = time.perf_counter() - began
    names = [each for each in seen["compiled"] if each != "formulas"]
    print(
        f"{name:<32}{spent:8.2f}{seen['cpu']:8.2f}  {seen['ended']} {' '.join(names)}", flush=True
    )
    return spent


if __name__ == "__main__":
    sys.exit(main())
