"""Other languages of the system, a home that cannot be written, no cache, no network."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import locale, socket, sys
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass  # not on this machine: what it is asked for is seen by the encoding alone

def refused(*args, **options):
    raise OSError("no network")

socket.socket.connect = socket.create_connection = refused
import dalembert as dl

text = '''version: 1
name: pendel-ışık
parameters: {l: 1.0}
coordinates: [x, y]
kinetic: (x.dot**2 + y.dot**2) / 2
potential: 9.81 * y
constraints: {bar: "x**2 + y**2 - l**2"}
initial: {x: 1.0, y: 0.0}
'''
with open("model.yaml", "w", encoding="utf-8") as file:
    file.write(text)
model = dl.load("model.yaml")
run = dl.simulate(model, until=1.0, step=1e-2)
run.save("run.npz")
again = dl.load_solution("run.npz")
assert (again.q == run.q).all() and run.worst["phi"] < 1e-12
sys.stdout.buffer.write(run.summary().encode())
"""

SURROUNDINGS = {
    "turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "german": {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    "no home": {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere/cache"},
    "no cache": {"DALEMBERT_CACHE": "/proc/nowhere/cache"},
    "a cache that is no folder": {"DALEMBERT_CACHE": "/dev/null"},
    "read-only temporary files": {"TMPDIR": "/proc/nowhere"},
}


@pytest.mark.skipif(sys.platform != "linux", reason="places of Linux")
@pytest.mark.parametrize("name", SURROUNDINGS)
def test_a_run(name, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=os.environ | SURROUNDINGS[name],
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr[-2000:].decode(errors="replace")
    assert "verdict        good" in done.stdout.decode()
