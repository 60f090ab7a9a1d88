"""A wheel or sdist in an empty environment, without the source tree: it runs, and its size is told.

python tests/programs/installed.py dist [--python python3.12 ...]    with these interpreters, too
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import sys
import dalembert as dl, numpy as np
assert "site-packages" in dl.__file__, dl.__file__
run = dl.simulate(dl.catalog.load("four-bar-3d"), until=0.2, step=1e-3)
assert run.worst["phi"] < 1e-12
rest = dl.simulate(dl.catalog.load("incline", angle=10.0), until=0.2, step=5e-3)
dl.save_html(run, "run.html")
print(dl.__version__, "runs with", sys.version.split()[0], "from site-packages")
"""


def tried(archive, place, interpreter=sys.executable):
    """Install an archive into a new environment and use it from an empty folder."""
    python = place / "bin" / "python"
    empty = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    empty |= {"HOME": str(place), "XDG_CACHE_HOME": str(place / "cache")}
    subprocess.run([interpreter, "-m", "venv", str(place)], check=True)
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(archive)], check=True, stderr=subprocess.DEVNULL)
    (place / "work").mkdir()
    done = subprocess.run(
        [str(python), "-c", PROGRAM], cwd=place / "work", env=empty, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    shell = [str(place / "bin" / "dalembert"), "models"]
    subprocess.run(shell, cwd=place / "work", env=empty, check=True, stdout=subprocess.DEVNULL)
    return done.stdout.strip()


def main(folder, interpreters):
    """Try every archive of a folder, the wheel with other interpreters, too."""
    archives = sorted(Path(folder).resolve().glob("dalembert-*"))
    assert archives, f"{folder} has no archives"
    jobs = [(archive, sys.executable) for archive in archives]
    wheel = next((archive for archive in archives if archive.suffix == ".whl"), archives[0])
    jobs += [(wheel, python) for python in interpreters]
    for archive, python in jobs:
        if shutil.which(python) is None:
            print(f"{python} is not here")
            continue
        with tempfile.TemporaryDirectory() as place:
            said = tried(archive, Path(place) / "env", python)
        print(f"{archive.name}: {archive.stat().st_size / 1e6:.2f} MB; {said}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--python", action="append", default=[])
    given = parser.parse_args()
    main(given.folder, given.python)
