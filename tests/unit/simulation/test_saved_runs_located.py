"""Runs with located events in folders: stopped anywhere and resumed, they are the same."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint
from tests.robustness.test_hostile_runs import entry, rewritten, whole

import dalembert as dl
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.rundir.recorder import FolderRecorder


def bouncing():
    """Impacts that come ever faster, their end, rest; a stop of a formula."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        name="ball",
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y + 2 * x**2,
        coordinates=[x, y],
        initial={"x": 1.0, "y": 0.1, "x.dot": 0.5},
    )
    model.keep(y >= 0, name="floor", restitution=0.5, friction=0.3, sliding=x)
    return model, {"until": 2.5, "events": [dl.Event(x)]}, {"impact", "rest", "slip", "stick"}


def sliding():
    """A box that is thrown onto the floor, slides in space and comes to rest."""
    model = dl.Model("box")
    inertia = dl.Inertia.box(1.0, size=(0.4, 0.3, 0.2))
    box = model.add_body("box", inertia, position=(0.0, 0.0, 0.1))
    model.add_shape(dl.Box(0.4, 0.3, 0.2), on=box, material=dl.Material(friction=0.4))
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.4))
    model.set_initial({"box.velocity": (1.0, 0.4, 0.0), "box.angular_velocity": (0.0, 0.0, 1.0)})
    return model, {"until": 0.6}, {"slip", "stick"}


def many():
    """Nine boxes that meet the floor at once: more contacts than a phase holds."""
    model = dl.Model("boxes")
    model.add_shape(dl.Plane())
    inertia = dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
    for k in range(9):
        box = model.add_body(f"box{k}", inertia, position=(0.5 * k, 0.0, 0.15))
        model.add_shape(dl.Box(0.2, 0.2, 0.2), on=box)
    return model, {"until": 0.5, "mode": "events"}, {"stepping"}


def braked():
    """A brake that holds, slips and holds again; a limit on the way."""
    model = dl.Model("brake")
    wheel = model.add_body("wheel", dl.Inertia.sphere(mass=1.0, radius=0.5))
    axle = model.add_joint(dl.Revolute(model.world, wheel, axis="z", name="axle"))
    model.set_limits(axle, dl.Limits(-0.2, 0.2, restitution=0.4))
    model.add_force(dl.Brake(axle, torque=0.3))
    model.add_force(dl.Torque(wheel, about="z", value=1.5 * np.sin(7 * dl.time)))
    return model, {"until": 2.0}, {"slip", "impact"}


def soft():
    """A mass on a spring that lets go, again and again."""
    (z,) = dl.coordinates("z")
    model = dl.Model.from_lagrangian(
        name="soft", kinetic=z.dot**2 / 2, potential=9.81 * z, initial={"z": 0.2}
    )
    model.keep(z >= 0, stiffness=1e3, damping=2.0, name="floor")
    return model, {"until": 1.5}, {"close", "open"}


def soft_shapes():
    """A ball that slides, rolls against a resistance and leaves a soft floor."""
    model = dl.Model("soft shapes", gravity=(0, 0, -9.81))
    skin = dl.Material(stiffness=2e4, damping=40.0, friction=0.3, rolling=0.002)
    model.add_shape(dl.Plane(), material=skin)
    ball = model.add_body("ball", dl.Inertia(1.0, (0.004,) * 3), position=(0, 0, 0.3))
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    model.set_initial({"ball.x.dot": 1.0, "ball.y.dot": 0.5})
    return model, {"until": 0.8}, {"close", "slip", "stick", "open"}


def soft_and_rough():
    """A mass that is thrown on a soft stop, and slides along it."""
    x, z = dl.coordinates("x z")
    model = dl.Model.from_lagrangian(
        name="soft and rough",
        kinetic=(x.dot**2 + z.dot**2) / 2,
        potential=9.81 * z,
        initial={"z": 0.2, "x.dot": 0.5},
    )
    model.keep(z >= 0, stiffness=1e3, damping=2.0, friction=0.3, sliding=x, name="floor")
    return model, {"until": 1.5}, {"close", "slip", "open"}


CASES = {
    "bouncing": bouncing,
    "sliding": sliding,
    "many": many,
    "braked": braked,
    "soft": soft,
    "soft shapes": soft_shapes,
    "soft and rough": soft_and_rough,
}


def stop_after(steps, patch, every=7):
    """Runs stop after so many steps, with a checkpoint every few."""
    chunk, between = HybridRun.chunk, FolderRecorder.between

    def short(self, length):
        left = steps - self.clock.done
        if length and left <= 0:
            raise KeyboardInterrupt
        return chunk(self, min(length, left, every))

    def always(self, run):
        self._due = 0.0
        between(self, run)

    patch.setattr(HybridRun, "chunk", short)
    patch.setattr(FolderRecorder, "between", always)


def stopped(place, model, steps, **options):
    with pytest.MonkeyPatch.context() as patch:
        stop_after(steps, patch)
        return dl.simulate(model, on_failure="return", progress=False, save=place, **options)


@pytest.mark.parametrize("name", CASES)
def test_resumed_to_the_bit(name, tmp_path):
    model, options, kinds = CASES[name]()
    whole = dl.simulate(model, progress=False, **options)
    assert kinds <= {one.kind for one in whole.log}
    steps = whole.statistics["steps"]
    for k in np.unique(np.linspace(0, steps - 1, 9).astype(int)):
        place = tmp_path / str(k)
        part = stopped(place, model, int(k), **options)
        assert part.status.name == "INTERRUPTED"
        assert part.log == whole.log[: len(part.log)]
        again = dl.resume(place, progress=False)
        assert again.log == whole.log
        assert fingerprint(again) == fingerprint(whole)
        assert fingerprint(dl.load(place)) == fingerprint(whole)


@pytest.mark.parametrize("name", CASES)
def test_extended_to_the_bit(name, tmp_path):
    model, options, _ = CASES[name]()
    options["integrator"] = dl.DormandPrince(order=8, rtol=1e-12, atol=1e-12, first_step=1e-3)
    whole = dl.simulate(model, progress=False, **options)
    dl.simulate(model, progress=False, save=tmp_path / "run", **options | {"until": 0.28})
    again = dl.resume(tmp_path / "run", until=options["until"], progress=False)
    assert again.log == whole.log
    assert fingerprint(again) == fingerprint(whole)


def test_steps_that_the_end_made_short_are_not_extended(tmp_path):
    model, options, _ = many()
    options |= {"until": 0.15, "integrator": dl.DormandPrince(max_step=1e-3)}
    dl.simulate(model, progress=False, save=tmp_path / "run", **options)
    with pytest.raises(dl.errors.OptionError, match="whose length its end has given"):
        dl.resume(tmp_path / "run", until=0.5, progress=False)


# -- checkpoints are not believed ------------------------------------------------------------------


def located(name, value):
    def change(header, arrays):
        header["located"][name] = value

    return change


HOSTILE = {
    "a row beyond": entry("phase_keys", (0, 0), 10**6),
    "a negative row": entry("phase_keys", (0, 0), -7),
    "shapes that there are not": entry("phase_keys", 0, 10**6),
    "a mode that is none": entry("phase_whole", (0, 2), 99),
    "rows beyond the contact": entry("phase_whole", (0, 0), 10**6),
    "a stop as a drive": entry("phase_whole", (0, 1), 1),
    "friction that is no number": entry("phase_real", (0, 0), np.nan),
    "half a contact": whole("phase_real", lambda x: x[:, :2]),
    "more contacts than fit": whole("phase_keys", lambda x: np.repeat(x, 100, axis=0)),
    "other guards": whole("guards", lambda x: np.zeros(10**6)),
    "other impacts": whole("impact_times", lambda x: np.zeros(10**6)),
    "impacts of another row": entry("impact_keys", (0, 0), 10**6),
    "a look that is none": located("first_look", "soon"),
    "steps before the start": located("stepped", [-1, 0.0, 1e-3, False]),
    "steps of no length": located("stepped", [0, 0.0, 0.0, False]),
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    model, options, _ = bouncing()
    place = tmp_path_factory.mktemp("located") / "run"
    steps = dl.simulate(model, progress=False, **options).statistics["steps"]
    stopped(place, model, steps - 2, **options)  # at rest on the floor
    return place


@pytest.mark.parametrize("case", HOSTILE)
def test_a_checkpoint_of_a_phase_is_not_believed(case, kept, tmp_path):
    folder = shutil.copytree(kept, tmp_path / "run")
    rewritten(folder, "checkpoint.npz", HOSTILE[case])
    with pytest.raises(dl.errors.RunFileError, match="checkpoint"):
        dl.resume(folder, progress=False)


# -- killed, not resumed ---------------------------------------------------------------------------


def killed(place, model, steps, **options):
    """A run that ends without a word after so many steps, with a checkpoint every few."""

    class Killed(BaseException):
        pass

    def nothing(self, *given):
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        stop_after(steps, patch)
        patch.setattr(FolderRecorder, "end", nothing)
        patch.setattr(FolderRecorder, "given_up", nothing)
        with pytest.raises(Killed):
            dl.simulate(model, progress=False, save=place, **options)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("formulation", ["auto", "maximal"])
def test_what_a_killed_run_has_kept(name, formulation, tmp_path):
    """Samples, forces and log of a folder are those of the run so far, the last one included."""
    model, options, _ = CASES[name]()
    if model.joints:
        options["formulation"] = formulation
    whole = dl.simulate(model, progress=False, **options)
    for k in (3, 8, 15, 22):
        if k >= whole.statistics["steps"]:
            continue
        place = tmp_path / str(k)
        killed(place, model, k, **options)
        found = dl.load(place)
        n = len(found.t)
        assert n > 1
        assert found.t[-1] == found.statistics["end"]
        for array in ("t", "q", "v"):
            np.testing.assert_array_equal(getattr(found, array), getattr(whole, array)[:n])
        assert [*found.log] == [*whole.log][: len(found.log)]
        for one in model.unilaterals:
            force = f"{one.name}.force"
            np.testing.assert_array_equal(found[force], whole[force][:n])
