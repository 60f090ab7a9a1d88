"""Runs with actions in folders: whatever a killed process leaves goes on to the same bits."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint
from tests.support.fingerprint import digest_of
from tests.unit.simulation.test_actions import bars, carts

import dalembert as dl
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import actions_run, archive
from dalembert.simulation.rundir.recorder import FolderRecorder
from dalembert.simulation.status import Status


def docking():
    """A coupling that engages with an impact, is released again; parameters and speeds are set."""
    model = carts(k=1.0)
    x, y = model.coordinates
    events = [
        dl.Event(y - x, action=dl.Engage("coupling"), name="docking"),
        dl.Event(x + 0.1, direction=-1, action=[dl.Release("coupling"), {"y.dot": 0.2 - x.dot}]),
        dl.Event(x - 0.05, name="passing"),
    ]
    options = {"until": 8.0, "step": 4e-2, "released": ["coupling"], "events": events}
    return model, options, {}


def swing():
    """Bodies: a joint breaks at its force, and what hangs on it falls on a floor."""
    model = bars()
    model.add_shape(dl.Plane(position=(0, 0, -1.6)), name="floor")
    model.add_shape(dl.Sphere(0.1), on=model.bodies["outer"], name="ball")
    events = [dl.Event("link.force", limit=25.0, action=dl.Release("link"), name="broken")]
    return model, {"until": 0.9, "rtol": 1e-6, "events": events}, {}


def turning():
    """Turns that are counted through actions, in coordinates of joints, with a controller."""
    model = dl.Model("wheel")
    wheel = model.add_body("wheel", dl.Inertia.cylinder(1.0, radius=0.2, length=0.1))
    hinge = model.add_joint(dl.Revolute(model.world, wheel, axis="z", name="hinge"))
    motor = model.add_force(dl.DirectDrive(hinge, name="motor"))
    (k,) = dl.parameters(load=0.1)
    model.add_force(dl.Torque(wheel, about="z", value=-k * hinge.angle.dot, name="load"))
    drive = dl.Controller(
        lambda t, x: 1.0 - 0.05 * x[0], rate=50.0, inputs=[hinge.angle.dot], outputs=[motor]
    )
    events = [
        dl.Event(hinge.angle - 8.0, direction=1, action={"load": 0.4}, name="heavy"),
        dl.Event(hinge.angle - 10.0, direction=1, action=dl.Release("load"), name="free"),
    ]
    return model, {"until": 3.0, "step": 2e-2, "events": events}, {"controllers": [drive]}


CASES = {"docking": docking, "swing": swing, "turning": turning}


def simulate(case, **besides):
    model, options, again = CASES[case]()
    return dl.simulate(model, progress=False, **options, **again, **besides)


def resume(case, folder, **besides):
    return dl.resume(folder, progress=False, **CASES[case]()[2], **besides)


@pytest.fixture
def busy(monkeypatch):
    """Runs look around every few steps, and write a checkpoint every time."""
    between = FolderRecorder.between

    def always(self, run):
        self._due = 0.0
        between(self, run)

    for kind in (Run, HybridRun):

        def short(self, steps, chunk=kind.chunk):
            return chunk(self, min(steps, 23))

        monkeypatch.setattr(kind, "chunk", short)
    monkeypatch.setattr(FolderRecorder, "between", always)


def left_behind(case, tmp_path, monkeypatch):
    """The whole run, and its folder as it was before each file was written or removed."""
    folder, snapshots = tmp_path / "run", []
    writing, remove = archive.writing, shutil.rmtree

    def look():
        if folder.is_dir():
            snapshots.append(tmp_path / f"killed-{len(snapshots)}")
            shutil.copytree(folder, snapshots[-1])

    def write(*given):
        look()
        return writing(*given)

    def rmtree(path, **options):
        look()
        remove(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(archive, "writing", write)
        patch.setattr(actions_run.shutil, "rmtree", rmtree)
        whole = simulate(case, save=folder)
    return whole, snapshots


def part_of(folder):
    header = archive.read(folder / "parts.npz", "")[0]
    return header["part"]


@pytest.mark.parametrize("case", CASES)
def test_whatever_a_killed_process_leaves_goes_on(case, tmp_path, monkeypatch, busy):
    memory = simulate(case)
    whole, snapshots = left_behind(case, tmp_path, monkeypatch)
    assert fingerprint(whole) == fingerprint(memory)
    assert fingerprint(dl.load(tmp_path / "run")) == fingerprint(memory)
    assert whole.log == memory.log
    assert len(memory.log) >= {"docking": 3, "swing": 3, "turning": 2}[case]
    begun = [part_of(folder) for folder in snapshots]
    assert sorted(set(begun)) == list(range(1, max(begun) + 1))
    assert max(begun) > 1
    # all around actions, a few between
    near = [k for k in range(len(begun)) if begun[min(k + 3, len(begun) - 1)] != begun[k - 3]]
    for k in sorted({*near[:: 2 if case == "docking" else 5], *range(0, len(begun), 29)}):
        folder = snapshots[k]
        found = dl.load(folder)
        if found.status is Status.INTERRUPTED:
            assert "dalembert resume" in found.message
            shared = np.isin(found.t[:-1], memory.t)
            assert shared[: len(found.t) - 3].all(), "every sample is one of the whole run"
        again = resume(case, folder)
        assert fingerprint(again) == fingerprint(memory), folder.name
        assert fingerprint(dl.load(folder)) == fingerprint(memory)
        assert not list(folder.glob(".*")), "nothing half written is left"


def stopped_in_part(number, folder, monkeypatch):
    """Ctrl-C some steps into a part."""
    for kind in (Run, HybridRun):

        def stopping(self, steps, chunk=kind.chunk):
            if steps and self.clock.done > 1 and part_of(folder) == number:
                raise KeyboardInterrupt
            return chunk(self, min(steps, 2))

        monkeypatch.setattr(kind, "chunk", stopping)


@pytest.mark.parametrize("case", CASES)
def test_an_interrupted_run_goes_on(case, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        stopped_in_part(2, folder, patch)
        with pytest.raises(dl.errors.InterruptedRun, match="dalembert resume") as caught:
            simulate(case, save=folder)
    half, memory = caught.value.solution, simulate(case)
    assert part_of(folder) == 2
    assert 0 < len(half.t) < len(memory.t)
    assert np.array_equal(half.q[:-1], memory.q[: len(half.q) - 1])
    again = resume(case, folder)
    if case == "swing":  # how far a run went beyond a limit before it was seen is chance
        assert digest_of(again).digest() == digest_of(memory).digest()
        assert again.log == memory.log
    else:
        assert fingerprint(again) == fingerprint(memory)


def test_an_interruption_while_a_force_is_located_is_one(tmp_path, monkeypatch):
    go, runs = Run.go, []

    def stopped(self, progress):
        runs.append(self)
        return Status.INTERRUPTED if len(runs) == 3 else go(self, progress)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "go", stopped)
        with pytest.raises(dl.errors.InterruptedRun) as caught:
            simulate("swing", save=tmp_path / "run")
    half, memory = caught.value.solution, simulate("swing")
    assert not half.log
    assert half.t[-1] < memory.log[0].t
    assert np.array_equal(half.q, memory.q[: len(half.q)])
    again = resume("swing", tmp_path / "run")
    assert digest_of(again).digest() == digest_of(memory).digest()


def test_a_finished_run_is_made_longer(tmp_path):
    model, options, _ = docking()
    short = dl.simulate(
        model, progress=False, **{**options, "until": 3.0, "save": tmp_path / "run"}
    )
    longer = dl.resume(tmp_path / "run", until=options["until"], progress=False)
    assert len(short.t) < len(longer.t)
    assert fingerprint(longer) == fingerprint(simulate("docking"))
    assert fingerprint(dl.load(tmp_path / "run")) == fingerprint(longer)


def test_a_run_that_ended_by_an_action_is_over(tmp_path):
    model = carts()
    x, y = model.coordinates
    events = [dl.Event(y - x, action=[dl.Engage("coupling"), "end"], name="docked")]
    options = {"until": 3.0, "released": ["coupling"], "events": events, "progress": False}
    solution = dl.simulate(model, save=tmp_path / "run", **options)
    assert fingerprint(dl.resume(tmp_path / "run")) == fingerprint(solution)
    with pytest.raises(dl.errors.OptionError, match="ended with a terminal event"):
        dl.resume(tmp_path / "run", until=5.0)


def test_an_action_that_cannot_be_is_told_with_what_precedes_it(tmp_path):
    model = carts()
    x, _ = model.coordinates
    options = {
        "until": 3.0,
        "released": ["coupling"],
        "events": [dl.Event(x - 0.5, action=dl.Engage("coupling"))],
        "progress": False,
    }
    for save in (None, tmp_path / "run"):
        with pytest.raises(dl.errors.SimulationError, match="is off by") as caught:
            dl.simulate(model, save=save, **options)
        assert np.isclose(caught.value.solution.t[-1], 0.5)
    found = dl.load(tmp_path / "run")
    assert "is off by" in found.message
    assert np.isclose(found.t[-1], 0.5)


def test_another_run_is_replaced_when_the_new_one_is_complete(tmp_path):
    dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=0.01, save=tmp_path / "run")
    solution = simulate("docking", save=tmp_path / "run", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert fingerprint(dl.load(tmp_path / "run")) == fingerprint(solution)


def test_a_disk_that_is_full_is_told_with_what_was_computed(tmp_path, monkeypatch):
    write = actions_run.pieces.write

    def full(folder, number, piece):
        if number == 2:
            raise dl.errors.RunFileError("no room")
        return write(folder, number, piece)

    monkeypatch.setattr(actions_run.pieces, "write", full)
    with pytest.raises(dl.errors.RunFileError, match="no room") as caught:
        simulate("docking", save=tmp_path / "run")
    monkeypatch.undo()
    assert len(caught.value.solution.t) > 2
    assert fingerprint(resume("docking", tmp_path / "run")) == fingerprint(simulate("docking"))


@pytest.mark.parametrize("name", ["parts.npz", "piece-000001.npz", "model.npz", "run.json"])
def test_damage_is_told(name, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        stopped_in_part(2, folder, patch)
        with pytest.raises(dl.errors.InterruptedRun):
            simulate("docking", save=folder)
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (folder / name).write_bytes(data)
    for read in (dl.load, dl.resume):
        with pytest.raises(dl.errors.RunFileError, match="damaged"):
            read(folder)


@pytest.mark.parametrize(
    "wrong",
    [
        {"part": 0},
        {"hashes": ["x"]},
        {"released": ["nothing"]},
        {"values": {"nothing": 1.0}},
        {"fired": [7]},
        {"fired": [True]},
        {"on_tree": [[["nothing"], [0], True]]},
    ],
)
def test_a_state_that_cannot_be_is_told(wrong, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        stopped_in_part(2, folder, patch)
        with pytest.raises(dl.errors.InterruptedRun):
            simulate("docking", save=folder)
    header, arrays = archive.read(folder / "parts.npz", "")
    archive.write(folder / "parts.npz", "", json.loads(json.dumps(header | wrong)), arrays)
    with pytest.raises(dl.errors.RunFileError, match="damaged"):
        dl.resume(folder)
