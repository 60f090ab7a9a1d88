"""Saved runs made to do harm: nothing in them is run, nothing they count is believed."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import pickle
import shutil
import zipfile

import numpy as np
import pytest
from tests.conformance.test_resume import stopped_after

import dalembert as dl
from dalembert._translate.cache import cache_folder
from dalembert._translate.processor import processor
from dalembert.cli import main
from dalembert.contact.run.tables import COUNTS
from dalembert.errors import FileError, FormulaError, RunFileError
from dalembert.formulas import llvm
from dalembert.formulas.sympy_bridge import from_sympy
from dalembert.integration import loop
from dalembert.simulation.rundir import archive, state


class Calls:
    """Pickled as a call of a function of the package."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


PROGRAM = """; {marker}
define i32 @evil(double* %w, i64* %s) {{ ret i32 0 }}
"""


def attacks(marker):
    """Descriptions that leave a mark when they are unpickled."""
    yield Calls(from_sympy, f"__import__('os').system('touch {marker}')", {})
    yield Calls(llvm._build, PROGRAM.format(marker=marker), "evil", ())
    yield Calls(exec, f"open({str(marker)!r}, 'w')")


def is_marked(marker):
    """Whether a command was run, or machine code made."""
    program = PROGRAM.format(marker=marker)
    key = hashlib.sha256("\n".join((*processor(), program)).encode()).hexdigest()
    return marker.exists() or any(cache_folder().rglob(f"{key[:16]}*"))


def test_the_attacks_do_harm(tmp_path):
    """Unpickled they would; but for that of a text, which is no longer evaluated as a formula."""
    marker = tmp_path / "marked"
    text, *others = attacks(marker)
    for attack in others:
        pickle.loads(pickle.dumps(attack))
        assert is_marked(marker)
        marker.unlink(missing_ok=True)
    with pytest.raises(FormulaError, match="no SymPy expression"):
        pickle.loads(pickle.dumps(text))
    assert not marker.exists()


def pendulum(**options):
    model = dl.catalog.load("pendulum")
    return dl.simulate(model, until=0.2, step=1e-3, progress=False, **options)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A run of the pendulum, stopped half way, with an event in its segments."""
    folder = tmp_path_factory.mktemp("kept") / "run"
    x, _ = dl.catalog.load("pendulum").coordinates
    with pytest.MonkeyPatch.context() as patch:
        stopped_after(120, patch)
        pendulum(save=folder, events=[dl.Event(x - 0.99)], on_failure="return")
    return folder


def scene():
    """Two balls, a box and a hull on a plane."""
    model = dl.Model("scene")
    model.add_shape(dl.Plane(normal="z"), material=dl.Material(friction=0.4, restitution=0.3))
    hull = dl.ConvexHull([(0.1, 0, 0), (-0.1, 0.02, 0), (0, 0.1, 0.05), (0, -0.1, 0), (0, 0, 0.1)])
    shapes = [dl.Sphere(radius=0.1), dl.Sphere(radius=0.1), dl.Box(size=(0.2, 0.2, 0.2)), hull]
    for k, shape in enumerate(shapes):
        body = model.add_body(
            f"b{k}",
            dl.Inertia.sphere(mass=1.0, radius=0.1),
            position=(0.05 * k, 0.01 * k, 0.15 + 0.23 * k),
            velocity=(0.3, 0.0, -0.5),
        )
        model.add_shape(shape, on=body, material=dl.Material(friction=0.4))
    return model


def touching(folder=None, **options):
    if folder is not None:
        options["save"] = folder
    method = dl.ContactImpulse(sleeping=options.pop("sleeping", False))
    return dl.simulate(scene(), until=0.6, step=5e-3, progress=False, method=method, **options)


@pytest.fixture(scope="module")
def kept_touching(tmp_path_factory):
    folder = tmp_path_factory.mktemp("touching") / "run"
    with pytest.MonkeyPatch.context() as patch:
        stopped_after(70, patch)
        with contextlib.suppress(KeyboardInterrupt):
            touching(folder)
    return folder


# -- code ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3))
def test_a_file_of_the_old_form_runs_nothing(number, tmp_path, capsys):
    marker = tmp_path / "marked"
    attack = [*attacks(marker)][number]
    path = pendulum().save(tmp_path / "run.npz")
    arrays = dict(np.load(path))
    header = json.loads(arrays["header"].tobytes())
    for version in (1, 2):
        arrays["objects"] = np.frombuffer(pickle.dumps(attack, protocol=4), dtype=np.uint8)
        header |= {"version": version, "description": {"objects": "pickle"}}
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        np.savez(path, **arrays)
        with pytest.raises(FileError, match="older dalembert" if version == 1 else "damaged"):
            dl.load(path)
        assert main(["export", str(path), "--to", "csv"]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not is_marked(marker)


@pytest.mark.parametrize("number", range(3))
def test_a_folder_of_the_old_form_runs_nothing(number, kept, tmp_path, capsys):
    marker = tmp_path / "marked"
    attack = [*attacks(marker)][number]
    data = pickle.dumps((attack, None, None, None, True, ()), protocol=4)
    for version, name in ((1, "model.pickle"), (2, "model.pickle"), (2, "model.npz")):
        folder = shutil.copytree(kept, tmp_path / f"run-{version}-{name}")
        (folder / "model.npz").unlink()
        (folder / name).write_bytes(data)
        found = json.loads((folder / "run.json").read_text())
        found["version"] = version
        found["model"]["sha256"] = hashlib.sha256(data).hexdigest()
        (folder / "run.json").write_text(json.dumps(found))
        for read in (dl.load, dl.resume):
            with pytest.raises(RunFileError, match=r"older dalembert|is damaged"):
                read(folder)
        assert main(["export", str(folder), "--to", "csv"]) == 2
        assert main(["resume", str(folder)]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not is_marked(marker)


def test_the_package_unpickles_nothing():
    """No module that reads files knows pickle, eval or a class by a name out of a file."""
    from pathlib import Path

    root = Path(dl.__file__).parent
    allowed = {"model/basics/rotation.py", "model/basics/names.py", "formulas/node.py"}
    allowed.add("study/engines/processes.py")  # sends a function to processes it has itself begun
    for path in sorted(root.rglob("*.py")):
        text = path.read_text()
        place = path.relative_to(root).as_posix()
        assert "import pickle" not in text or place in allowed, place
        assert "allow_pickle=True" not in text, place
        assert "np.load(" not in text, place


# -- checkpoints -----------------------------------------------------------------------------------


def rewritten(folder, file, change):
    """Change header and arrays of one file of a run."""
    path = folder / file
    header, arrays = archive.read(path, "")
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(header, arrays)
    archive.write(path, "", header, arrays)


def entry(name, index, value):
    def change(header, arrays):
        arrays[name][index] = value

    return change


def slot(name, value):
    return entry("state", [*state.STATE].index(name), value)


def hand(name, value):
    table, field = ("clock", "count"), loop.Clock.place_fields[name]
    return entry(table[field.table], field.offset, value)


def whole(name, made):
    def change(header, arrays):
        arrays[name] = made(arrays[name])

    return change


def said(name, value):
    def change(header, arrays):
        header[name] = value

    return change


def fact(*path):
    """One of the facts is missing, or is the last word of the path, which then has three."""

    def change(header, arrays):
        place = header["facts"]
        if len(path) > 1:
            place = place[path[0]]
        if len(path) == 3:
            place[path[1]] = path[2]
        else:
            del place[path[-1]]

    return change


BIG = 2**62
CHECKPOINTS = {
    "a sample beyond the room": hand("samples", 10**9),
    "negative samples": hand("samples", -5),
    "every is zero": hand("every", 0),
    "header every is zero": said("every", 0),
    "moments beyond the list": hand("next_time", BIG),
    "events beyond the room": hand("event_count", 10**6),
    "negative events": hand("event_count", -(10**6)),
    "rows beyond": hand("phi_row", 10**6),
    "log beyond": hand("logged", -1),
    "a rank beyond the rows": slot("rank", 10**6),
    "a negative rank": slot("rank", -(10**6)),
    "seen beyond the rows": slot("seen_rank", 10**6),
    "more dependents than rows": slot("memory", 10**6),
    "a branch that is none": slot("branch", 77),
    "a flag that is none": slot("integrator_flag", BIG),
    "work is shorter": whole("work", lambda x: x[:-1]),
    "work is longer": whole("work", lambda x: np.append(x, np.zeros(10**5))),
    "work is of integers": whole("work", lambda x: x.astype(np.int64)),
    "q is of int32": whole("q", lambda x: x.astype(np.int32)),
    "q is shorter": whole("q", lambda x: x[:-1]),
    "one state": whole("state", lambda x: x[:1]),
    "no clock": whole("clock", lambda x: x[:0]),
    "a clock that stands": hand("step", 0.0),
    "a clock without a moment": hand("t", np.nan),
    "another step": hand("step", 1e-300),
    "counts are floats": whole("count", lambda x: x.astype(float)),
    "hashes are none": whole("hashes", lambda x: x[:, :3]),
    "samples of one column": whole("pending_q", lambda x: x[:, :1]),
    "facts are none": said("facts", 3),
    "facts are empty": said("facts", {}),
    "no statistics": fact("statistics"),
    "a time that is a text": fact("statistics", "compile_time", "long"),
    "a count that is missing": fact("statistics", "steps"),
    "worst that is none": fact("worst", "phi", [1.0]),
    "seconds are none": said("seconds", "long"),
    "a mark without a time": said("mark", [1]),
    "flushed is negative": said("flushed", -1),
}


@pytest.mark.parametrize("case", CHECKPOINTS)
def test_a_checkpoint_is_not_believed(case, kept, tmp_path):
    folder = shutil.copytree(kept, tmp_path / "run")
    rewritten(folder, "checkpoint.npz", CHECKPOINTS[case])
    with pytest.raises(RunFileError, match=r"checkpoint|samples"):
        dl.resume(folder, progress=False)


def count_of(number, value):
    return entry("contact_integers", COUNTS.index(number), value)


CONTACTS = {
    "contacts beyond the room": count_of("contacts", 10**9),
    "negative contacts": count_of("contacts", -1),
    "neither near nor away": count_of("near", 4),
    "remembered beyond the room": count_of("remembered", 10**9),
    "resting beyond the room": count_of("resting", 10**9),
    "shapes that there are not": entry("contact_integers", len(COUNTS), 10**6),
    "negative shapes": entry("contact_integers", len(COUNTS), -1),
    "room for fewer": entry("contact_room", 0, 1),
    "room for very many": entry("contact_room", 0, 2**40),
    "a problem for very many": entry("contact_room", 3, 2**25),
    "pairs for very many": entry("contact_room", 1, 2**40),
    "room of floats": whole("contact_room", lambda x: x.astype(float)),
    "memory is shorter": whole("contact_integers", lambda x: x[:-1]),
    "memory is longer": whole("contact_numbers", lambda x: np.append(x, x)),
    "samples of other shapes": entry("pending_contacts", (slice(None), 1), 1e6),
    "rows of other widths": whole("pending_steps", lambda x: x[:, :5]),
}


@pytest.mark.parametrize("case", CONTACTS)
def test_the_memory_of_contact_is_not_believed(case, kept_touching, tmp_path):
    folder = shutil.copytree(kept_touching, tmp_path / "run")
    with np.load(folder / "checkpoint.npz") as found:
        if case == "samples of other shapes" and not len(found["pending_contacts"]):
            pytest.skip("the checkpoint holds no contacts of samples")
    rewritten(folder, "checkpoint.npz", CONTACTS[case])
    with pytest.raises(RunFileError, match="checkpoint"):
        dl.resume(folder, progress=False)


def test_contacts_of_samples_are_not_believed_when_read(kept_touching, tmp_path):
    folder = shutil.copytree(kept_touching, tmp_path / "run")
    rewritten(folder, "checkpoint.npz", whole("pending_contacts", lambda x: x.reshape(-1)))
    with pytest.raises(RunFileError, match="damaged"):
        dl.load(folder)


START = {
    "q of int32": whole("q", lambda x: x.astype(np.int32)),
    "q of NaN": whole("q", lambda x: x * np.nan),
    "q is shorter": whole("q", lambda x: x[:-1]),
    "rows are shorter": whole("row_scale", lambda x: x[:0]),
    "a rank beyond the rows": said("rank", 10**6),
    "a rank that is none": said("rank", 1.5),
    "a time that is none": said("t", "0"),
    "moments that go back": whole("times", lambda x: np.array([1.0, 0.5])),
    "moments of NaN": whole("times", lambda x: np.array([np.nan])),
}


@pytest.mark.parametrize("case", START)
def test_a_start_is_not_believed(case, kept, tmp_path):
    folder = shutil.copytree(kept, tmp_path / "run")
    rewritten(folder, "start.npz", START[case])
    for read in (dl.load, dl.resume):
        with pytest.raises(RunFileError, match="start of the run is damaged"):
            read(folder)


# -- sizes -----------------------------------------------------------------------------------------


def packed(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archived:
        for name, data in members.items():
            archived.writestr(f"{name}.npy", data)


def zeros(shape):
    """An array of zeros as NumPy writes it."""
    made = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        made, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    return made.getvalue()


def test_a_small_file_that_unpacks_to_gigabytes(tmp_path):
    path = tmp_path / "bomb.npz"
    data = zeros((2**24,)) + bytes(2**27)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archived:
        for name in "ab":
            archived.writestr(f"{name}.npy", data)
    assert path.stat().st_size < 2**21
    with pytest.raises(FileError, match="unpack to 268"):
        dl.load(path)


@pytest.mark.parametrize(
    "shape", [(2**40,), (-1,), (10**30,), (2**31, 2**31, 2**31), (1,) * 9, (3,)]
)
def test_arrays_that_are_not_as_long_as_they_say(shape, tmp_path):
    path = tmp_path / "run.npz"
    packed(path, header=zeros(shape) + bytes(64))
    with pytest.raises(FileError, match="not a solution"):
        dl.load(path)


def test_a_shortened_array(tmp_path):
    path = pendulum().save(tmp_path / "run.npz")
    for name in ("q", "v", "t", "lam", "event_t", "phi"):
        arrays = dict(np.load(path))
        arrays[name] = arrays[name][:-3] if len(arrays[name]) else np.zeros(3)
        other = tmp_path / f"{name}.npz"
        np.savez(other, **arrays)
        with pytest.raises(FileError, match="damaged"):
            dl.load(other)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"format": ' + "9" * 5000 + "}",
        '{"format": "dalembert-solution", "version": 1e400}',
        '{"format": "dalembert-solution", "version": NaN}',
        "[" + "[]," * 3_000_000 + "[]]",
        "null",
        "{}",
        "",
    ],
)
def test_headers_of_all_kinds(text, tmp_path):
    header = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez(tmp_path / "run.npz", header=header)
    with pytest.raises(FileError):
        dl.load(tmp_path / "run.npz")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "run.json").write_text(text)
    for read in (dl.load, dl.resume):
        with pytest.raises(FileError):
            read(folder)


# -- to the bit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sleeping", [False, True])
def test_a_run_with_contact_goes_on_to_the_bit(sleeping, tmp_path, monkeypatch):
    whole = touching(sleeping=sleeping)
    with monkeypatch.context() as patch:
        stopped_after(70, patch)
        with contextlib.suppress(KeyboardInterrupt):
            touching(tmp_path / "run", sleeping=sleeping)
    resumed = dl.resume(tmp_path / "run", progress=False)
    for name in ("t", "q", "v", "a", "lam"):
        assert np.array_equal(getattr(resumed, name), getattr(whole, name)), name
    assert np.array_equal(resumed.touch.table, whole.touch.table)
