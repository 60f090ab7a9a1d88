"""Readers of files under inputs that grow by what they reach: coverage-guided, where atheris is.

    python -m tests.coverage_fuzz --seconds 60 [KIND ...]     every reader, so long each
    python -m tests.coverage_fuzz --input FILE KIND           one input again

Beside `tests.file_fuzz`, which damages good files blindly and watches what they make happen. Here a
reader is instrumented, and inputs that reach new lines are kept and changed further (libFuzzer);
without atheris (`pip install atheris`) good files are damaged blindly for as long. The answer is a
result or an error of `dalembert.errors`; any other exception, ten seconds or 2 GB end the campaign
of a reader, and its input is written beside the program's folder of findings.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

READ = (
    *("dalembert.importers.readers", "dalembert.importers.native", "dalembert.importers.source"),
    *("dalembert.importers.urdf.read_robot", "dalembert.importers.mjcf", "dalembert._npz"),
    *("dalembert.formulas.parser", "dalembert.model.shapes.mesh_file", "dalembert.study.file"),
    *("dalembert.model.shapes.collada", "dalembert.study.manifest", "dalembert.study.segments"),
    *("dalembert.simulation.rundir", "dalembert.simulation.described"),
)
"""Modules and packages that are instrumented."""

COLLADA = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"
 version="1.4.1"><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries>
<geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1
</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p>
</triangles></mesh></geometry></library_geometries><library_visual_scenes>
<visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes></COLLADA>"""
STUDY = """model: pendulum
until: 0.1
step: 0.01
axes: {l: {span: [0.5, 2.0, 3]}}
record: {low: min(y)}
"""
FORMULA = "sin(x)**2 + atan2(y, x.dot) * max(1, l) - table([0, 1], [2, 3], x)"


def opened(path):
    """A model, run or folder by the general reader."""
    import dalembert as dl

    dl.load(path)


def mesh(path):
    """A mesh."""
    from dalembert.model.shapes.mesh_file import read_mesh

    read_mesh(path)


def study(path):
    """A description of a study."""
    from dalembert.study.file import read_study

    read_study(path)


def formula(path):
    """A formula of a model."""
    import dalembert as dl
    from dalembert.analysis.signal_text import parsed

    text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    parsed(text, dl.catalog.load("pendulum"), "formula")


def study_folder(path):
    """A study whose folder has a file that is not what was written."""
    replaced(path, "study", "load_study")


def run_folder(path):
    """A run whose folder has a file that is not what was written."""
    replaced(path, "whole", "load")


def replaced(path, folder, reader):
    """Read a folder of which one file, chosen by the first byte, has this content."""
    import dalembert as dl

    data = path.read_bytes()
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(good() / folder, Path(place) / folder))
        files = sorted(file for file in copy.rglob("*") if file.is_file())
        files[(data[0] if data else 0) % len(files)].write_bytes(data[1:])
        getattr(dl, reader)(copy)


KINDS = {
    "yaml": (".yaml", opened),
    "json": (".json", opened),
    "toml": (".toml", opened),
    "urdf": (".urdf", opened),
    "mjcf": (".xml", opened),
    "npz": (".npz", opened),
    "stl": (".stl", mesh),
    "obj": (".obj", mesh),
    "collada": (".dae", mesh),
    "study": (".yaml", study),
    "formula": (".txt", formula),
    "study-folder": (".bin", study_folder),
    "run-folder": (".bin", run_folder),
}
"""Suffix and reader of every kind of file."""

_GOOD: list[Path] = []


def good():
    """Folders of a run and a study as they were written."""
    if not _GOOD:
        import dalembert as dl

        place = Path(tempfile.mkdtemp(prefix="good-"))
        model = dl.catalog.load("pendulum")
        options = {"until": 0.1, "step": 1e-2, "progress": False}
        dl.simulate(model, **options, save=place / "whole")
        axes, record = {"l": [0.5, 1.0]}, {"low": "min(y)"}
        dl.sweep(model, axes, record=record, folder=place / "study", **options)
        _GOOD.append(place)
    return _GOOD[0]


def seeds(kind, folder):
    """Write good inputs of a kind."""
    from tests.support.hostile_files import store

    suffix, _ = KINDS[kind]
    if kind.endswith("-folder"):
        name = "whole" if kind == "run-folder" else "study"
        files = sorted(file for file in (good() / name).rglob("*") if file.is_file())
        for k, file in enumerate(files):
            (folder / f"{k}").write_bytes(bytes([k]) + file.read_bytes())
    elif kind in ("collada", "study", "formula"):
        text = {"collada": COLLADA, "study": STUDY, "formula": FORMULA}[kind]
        (folder / "seed").write_text(text)
    else:
        for file in store().glob(f"*{suffix}"):
            shutil.copy(file, folder)


def judge(kind, data, folder):
    """Read one input; errors of the package are answers."""
    from dalembert.errors import DalembertError

    suffix, read = KINDS[kind]
    path = folder / f"input{suffix}"
    path.write_bytes(data)
    with warnings.catch_warnings(), contextlib.suppress(DalembertError):
        warnings.simplefilter("ignore")
        read(path)


def campaign(kind, seconds, corpus):
    """One reader for so long; the process ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="input-"))
    if importlib.util.find_spec("atheris") is None:
        blind(kind, seconds, corpus, folder)
        return
    import atheris

    with atheris.instrument_imports(include=list(READ)):
        for name in READ:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    options = [f"-max_total_time={seconds:.0f}", "-timeout=10", "-rss_limit_mb=2048"]
    options += ["-max_len=20000", "-print_final_stats=1", "-verbosity=1", str(corpus)]
    atheris.Setup([sys.argv[0], *options], lambda data: judge(kind, data, folder))
    atheris.Fuzz()


def blind(kind, seconds, corpus, folder):
    """The same without knowing what is reached."""
    from tests.support.hostile_files import damaged

    inputs, dice, count = sorted(corpus.iterdir()), random.Random(1), 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        data = damaged(dice.choice(inputs).read_bytes(), dice)
        count += 1
        try:
            judge(kind, data, folder)
        except BaseException:
            Path(f"crash-{kind}-{count}").write_bytes(data)
            raise
    print(f"stat::number_of_executed_units: {count}")


def main():
    """Every reader in a process of its own; 1 where one of them complained."""
    parser = argparse.ArgumentParser(prog="python -m tests.coverage_fuzz")
    parser.add_argument("kinds", nargs="*", help=f"some of: {', '.join(KINDS)}")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--findings", type=Path, default=Path("build/findings"))
    parser.add_argument("--input", type=Path)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.input:
        judge(given.kinds[0], given.input.read_bytes(), Path(tempfile.mkdtemp()))
        return 0
    if given.child:
        campaign(given.kinds[0], given.seconds, given.child)
        return 0
    wrong = 0
    for kind in given.kinds or KINDS:
        wrong += told(kind, given.seconds, given.findings / kind)
    return int(wrong > 0)


def told(kind, seconds, findings):
    """Run one campaign; whether it complained."""
    findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        seeds(kind, Path(place))
        root = str(Path(__file__).parents[1])
        path = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-m", "tests.coverage_fuzz", kind, "--seconds", str(seconds)]
        done = subprocess.run(
            [*command, "--child", place],
            cwd=findings,
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        kept = len(list(Path(place).iterdir()))
    lines = (done.stdout + done.stderr).splitlines()
    runs = [line.split()[-1] for line in lines if "number_of_executed_units" in line]
    count = runs[-1] if runs else "?"
    print(f"{kind}: {count} inputs, {kept} kept, exit {done.returncode}", flush=True)
    if done.returncode:
        print("\n".join(lines[-25:]), flush=True)
        print(f"    python -m tests.coverage_fuzz --input FILE-OF-{findings} {kind}", flush=True)
    return bool(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
