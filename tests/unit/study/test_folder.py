"""Studies in folders: read while they are written, gone on with, damage told by name."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError, StudyError, StudyFileError
from dalembert.study import segments, store
from dalembert.study.engines.threads import Threads

AXES = {"g": dl.span(5.0, 10.0, 6), "x.dot": [0.0, 0.1]}
OPTIONS = {
    "until": 0.05,
    "step": 1e-2,
    "record": {"x": "final(x)", "path": "series(y)"},
    "samples": 4,
    "workers": 1,
    "verdict": False,
}


@pytest.fixture(params=["npz", "parquet"])
def form(request, monkeypatch):
    """Both formats of segments."""
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr("dalembert.study.sweep.usual_form", lambda: request.param)
    monkeypatch.setattr(store, "SECONDS", 0.0)  # a segment a chunk
    return request.param


def bits(study):
    """Everything of the table but the clock, as bytes."""
    table = study.table
    return {
        name: table[name].tolist() if table[name].dtype == object else table[name].tobytes()
        for name in table.dtype.names
        if name != "seconds"
    }


def whole(**changes):
    return dl.sweep("pendulum", AXES, **{**OPTIONS, **changes})


def test_a_folder_holds_the_same_rows_as_memory(tmp_path, form):
    kept = whole(folder=tmp_path / "s", chunk=5)
    files = sorted(path.name for path in (tmp_path / "s").iterdir())
    assert [name for name in files if not name.startswith("rows-")] == [
        "design.npz", "lock", "study.json", "task.npz",
    ]  # fmt: skip
    assert sum(name.startswith("rows-") for name in files) == 3
    assert all(name.endswith(form) for name in files if name.startswith("rows-"))
    assert bits(kept) == bits(whole()) == bits(dl.load_study(tmp_path / "s"))
    assert str(tmp_path / "s") in repr(kept)
    said = json.loads((tmp_path / "s" / "study.json").read_text())
    assert said["design"]["axes"]["x.dot"]["values"] == [0.0, 0.1]
    assert said["model"]["name"] == "pendulum"
    assert said["options"] == {"until": 0.05, "step": 0.01}
    assert said["versions"]["dalembert"] == dl.__version__


class Stopping(Threads):
    """Stops after so many chunks, as Ctrl-C or a lost scheduler would."""

    def __init__(self, after, problem):
        super().__init__(1)
        self.after, self.problem = after, problem

    def map_chunks(self, function, chunks):
        for i, found in enumerate(super().map_chunks(function, chunks)):
            if i == self.after:
                raise self.problem
            yield found


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), StudyError("Workers are lost.")])
def test_a_stopped_study_keeps_what_is_done_and_goes_on(tmp_path, form, monkeypatch, problem):
    folder = tmp_path / "s"
    with monkeypatch.context() as patch:
        patch.setattr("dalembert.study.sweep.make_engine", lambda *a: Stopping(2, problem))
        with pytest.raises((dl.errors.InterruptedStudy, StudyError)) as stopped:
            whole(folder=folder, chunk=2)
    assert f"4 of 12 rows are kept in {folder}. Go on with dl.resume_study" in str(stopped.value)
    assert isinstance(stopped.value, KeyboardInterrupt) == isinstance(problem, KeyboardInterrupt)
    assert stopped.value.study["id"].tolist() == [0, 1, 2, 3]
    part = dl.load_study(folder)
    assert len(part) == 4
    assert not part.is_complete
    assert np.array_equal(part.run(11).q, whole().run(11).q)
    done = dl.resume_study(folder, workers=2, chunk=1)
    assert done.is_complete
    assert bits(done) == bits(whole())


def test_the_same_call_goes_on_and_another_study_is_kept(tmp_path, form):
    folder = tmp_path / "s"
    first = whole(folder=folder)
    before = {path.name for path in folder.iterdir()}
    again = whole(folder=folder)
    assert {path.name for path in folder.iterdir()} == before  # nothing was run
    assert bits(again) == bits(first)
    for other in ({"step": 5e-3}, {"record": {"x": "final(y)"}}, {"samples": 5}):
        with pytest.raises(StudyFileError, match="holds another study, which is kept"):
            whole(folder=folder, **other)
    with pytest.raises(StudyFileError, match="holds another study"):
        dl.sweep("pendulum", {"g": [1.0]}, folder=folder, **OPTIONS)


def test_a_mistake_leaves_no_folder(tmp_path):
    with pytest.raises(OptionError, match="no signal"):
        whole(folder=tmp_path / "s", record=["max(q)"])
    assert not (tmp_path / "s").exists()


def test_damage_of_rows_is_told_by_the_name_of_the_file(tmp_path, form):
    folder = tmp_path / "s"
    expected = bits(whole(folder=folder, chunk=4))
    path = segments.listed(folder)[1]
    data = bytearray(path.read_bytes())
    for damage in (
        bytes(data[:-7]),
        b"",
        bytes([*data[:200], data[200] ^ 4, *data[201:]]),
        b"PAR1" + bytes(100),
    ):
        path.write_bytes(damage)
        for reader in (dl.load_study, dl.resume_study):
            with pytest.raises(StudyFileError, match=re.escape(f"{path}: rows of the study")):
                len(reader(folder))
    path.unlink()  # what the message says
    assert bits(dl.resume_study(folder)) == expected


def test_rows_that_are_there_twice_are_told(tmp_path, form):
    folder = tmp_path / "s"
    whole(folder=folder, chunk=4)
    first = segments.listed(folder)[0]
    twice = first.with_name(first.name.replace("000001", "000009"))
    twice.write_bytes(first.read_bytes())
    with pytest.raises(StudyFileError, match="rows that are there already"):
        len(dl.load_study(folder))


@pytest.mark.parametrize("name", ["study.json", "task.npz", "design.npz"])
def test_damage_of_the_description_is_told(tmp_path, name):
    folder = tmp_path / "s"
    whole(folder=folder)
    path = folder / name
    data = path.read_bytes()
    for damage in (data[: len(data) // 2], b"", data.replace(b"e", b"f", 3)):
        path.write_bytes(damage)
        with pytest.raises(StudyFileError, match=re.escape(str(path))):
            dl.load_study(folder)


def test_what_is_no_study_is_told(tmp_path):
    with pytest.raises(StudyFileError, match="is no study"):
        dl.load_study(tmp_path / "nothing")
    with pytest.raises(StudyFileError, match="is a folder, but not a study"):
        dl.resume_study(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(StudyFileError, match="holds other files"):
        whole(folder=tmp_path / "other")
    with pytest.raises(StudyFileError, match="does not exist"):
        whole(folder=tmp_path / "a" / "b")


def test_one_process_at_a_time_writes(tmp_path):
    folder = tmp_path / "s"
    whole(folder=folder)
    busy = store.FolderStore(folder, dl.load_study(folder)._plan)
    busy.take()
    with pytest.raises(StudyFileError, match="another process is computing this study"):
        dl.resume_study(folder)
    busy.close()
    assert dl.resume_study(folder).is_complete


def test_a_disk_that_is_full_is_told_and_nothing_is_lost(tmp_path, form, monkeypatch):
    folder = tmp_path / "s"
    written = segments.writing
    count = [0]

    def full(path, *rest):
        count[0] += 1
        if count[0] == 3:
            return written("/dev/full", *rest)  # a device: refused by name, as a full disk is
        return written(path, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(segments, "writing", full)
        with pytest.raises(StudyFileError, match="cannot write rows of the study") as stopped:
            whole(folder=folder, chunk=2)
    assert stopped.value.study is not None
    assert len(dl.load_study(folder)) == 4
    assert bits(dl.resume_study(folder)) == bits(whole())


def model_of(row):
    return dl.catalog.load("pendulum").with_parameters(g=row["g"])


def test_a_study_of_functions_goes_on_by_the_same_call(tmp_path):
    folder = tmp_path / "s"
    options = {"until": 0.02, "step": 1e-2, "record": ["final(x)"], "folder": folder}
    study = dl.sweep(model_of, {"g": [1.0, 2.0]}, **options)
    assert bits(dl.load_study(folder)) == bits(study)
    with pytest.raises(OptionError, match=r"Call dl.sweep again"):
        dl.resume_study(folder)
    with pytest.raises(OptionError, match="functions of a program"):
        dl.load_study(folder).run(0)
    for path in segments.listed(folder):
        path.unlink()
    assert bits(dl.sweep(model_of, {"g": [1.0, 2.0]}, **options)) == bits(study)


def test_other_versions_are_told(tmp_path):
    folder = tmp_path / "s"
    whole(folder=folder)
    path = folder / "study.json"
    path.write_text(path.read_text().replace('"numpy": "', '"numpy": "9'))
    with pytest.warns(dl.errors.DoubtfulWarning, match=r"other versions \(numpy\)"):
        dl.resume_study(folder)


@pytest.mark.parametrize(
    ("model", "over", "options"),
    [
        ("chain", {"count": [2, 3], "step": [1e-2, 5e-3]}, {"record": ["final(energy)"]}),
        ("four-bar-3d", {"rate": [1.0, 2.0], "crank.yaw": [0.0]}, {"record": ["max(drift)"]}),
        (
            "pendulum",
            {"m": dl.normal(1.0, 0.1), "l": [1.0, 1.1]},
            {"design": "sobol", "count": 5, "times": np.linspace(0.0, 0.05, 6)},
        ),
        (
            "pendulum",
            {"y.dot": [0.0, 0.1]},
            {"method": dl.Baumgarte(alpha=5, beta=5), "parameters": {"g": 1.0}, "until": 0.02},
        ),
    ],
)
def test_whatever_a_study_consists_of_is_in_its_folder(tmp_path, model, over, options):
    folder = tmp_path / "s"
    given = {"until": 0.05, **({} if "step" in over else {"step": 1e-2}), **options}
    if model != "chain":
        model = dl.catalog.load(model)
    expected = bits(dl.sweep(model, over, **given))
    first = dl.sweep(model, over, folder=folder, **given)
    assert not first["error"].any()
    for path in segments.listed(folder):
        path.unlink()
    assert bits(dl.resume_study(folder)) == expected
