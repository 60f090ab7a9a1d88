"""Sweeps: what axes change, what is recorded, what a failing row says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import simpson

import dalembert as dl
from dalembert.errors import OptionError

RUN = {"until": 0.2, "step": 1e-2}


BELOW = dl.Event(dl.coordinates("x")[0], terminal=True, name="below")


def pendulum_row(row):
    """For `model=` a function of the row."""
    model = dl.catalog.load("pendulum")
    return model, {"until": 0.05 * row["n"], "step": 1e-2, "parameters": {"m": row["m"]}}


def test_rows_are_what_simulate_gives():
    model = dl.catalog.load("pendulum")
    x, y = model.coordinates
    study = dl.sweep(
        model,
        {"g": [5.0, 9.81], "y.dot": [-1.0, 0.0]},
        record={
            "end": "final(x)",
            "low": (y, "min"),
            "speed": (x.dot**2 + y.dot**2, "max"),
            "mean": "mean(x)",
            "rms": "rms(x**2 + 1)",
            "drift": "max(drift)",
            "pull": "max(bar.force)",
        },
        workers=1,
        **RUN,
    )
    assert study.table.shape == (4,)
    for row in study.table:
        one = dl.simulate(model, parameters={"g": row["g"]}, initial={"y.dot": row["y.dot"]}, **RUN)
        assert row["end"] == one["x"][-1]
        assert row["low"] == one["y"].min()
        assert row["speed"] == one[x.dot**2 + y.dot**2].max()
        assert row["mean"] == pytest.approx(simpson(one["x"], x=one.t) / 0.2, rel=1e-7)
        squared = simpson((one["x"] ** 2 + 1) ** 2, x=one.t)
        assert row["rms"] == pytest.approx(math.sqrt(squared / 0.2), rel=1e-7)
        assert row["drift"] == one.worst["phi"]
        assert row["status"] == "OK"
        assert row["verdict"] == one.verdict.word
        assert row["error"] == ""
        again = study.run(int(row["id"]))
        assert np.array_equal(again.q, one.q)


def test_bodies_joints_forces_and_gravity_are_axes_by_name():
    model = dl.Model("hung")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="pin"))
    model.add_force(dl.Torque(rod, about="y", value=3.0, name="motor"))
    axes = {"pin.angle": [0.1], "pin.angle.dot": [2.0], "motor.value": [0.5], "gravity.z": [-1.0]}
    study = dl.sweep(model, axes, record=["first(pin.angle)", "final(pin.angle)"], **RUN)
    row = study.table[0]
    assert row["error"] == ""
    assert row["first(pin.angle)"] == pytest.approx(0.1, abs=1e-14)
    other = dl.Model("hung", gravity=(0, 0, -1.0))
    rod = other.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    other.add_joint(dl.Revolute(other.world, rod.at(x=-0.5), axis="y", name="pin"))
    other.add_force(dl.Torque(rod, about="y", value=0.5, name="motor"))
    one = dl.simulate(other, initial={"pin.angle": 0.1, "pin.angle.dot": 2.0}, **RUN)
    assert row["final(pin.angle)"] == pytest.approx(one["pin.angle"][-1], abs=1e-13)


def test_parameters_and_coordinates_are_axes_themselves():
    (k,) = dl.parameters(k=1.0)
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, potential=k * x**2 / 2, name="spring")
    study = dl.sweep(model, {k: [1.0, 4.0], x: [1.0], x.dot: [0.0]}, until=1.0, record=["final(x)"])
    assert study.names == ("k", "x", "x.dot")
    assert study["final(x)"] == pytest.approx([math.cos(1.0), math.cos(2.0)], abs=1e-8)


def test_options_of_catalog_models_and_of_runs_are_axes():
    study = dl.sweep(
        "chain",
        {"count": [2, 3], "step": [1e-2, 5e-3]},
        until=0.02,
        record={"n": lambda s: s.q.shape[1] / 7},
    )
    assert study["n"].tolist() == [2, 2, 3, 3]
    assert [len(study.run(i).t) for i in range(4)] == [3, 5, 3, 5]


def test_a_function_of_the_row_makes_the_model():
    study = dl.sweep(
        pendulum_row, {"n": [1, 2], "m": [1.0, 3.0]}, record=["final(t)", "max(energy)"]
    )
    assert study["final(t)"].tolist() == pytest.approx([0.05, 0.05, 0.1, 0.1])
    assert study["error"].tolist() == [""] * 4


def test_series_are_thinned_and_shorter_ones_end_in_nan():
    study = dl.sweep(
        "pendulum",
        {"until": [0.2, 0.05]},
        step=1e-2,
        record={"x": "series(x)", "t": "series(t)"},
        samples=11,
    )
    assert study["x"].shape == (2, 11)
    assert study["t"][0] == pytest.approx(np.linspace(0, 0.2, 11))
    assert np.isnan(study["t"][1]).tolist() == [False] * 6 + [True] * 5
    assert study.to_pandas().columns.tolist()[5:8] == ["x[0]", "x[1]", "x[2]"]


def test_values_at_events():
    model = dl.catalog.load("pendulum")
    x, _ = model.coordinates
    below = dl.Event(x, terminal=True, name="below")
    study = dl.sweep(
        model,
        {"g": [9.81, 1e-3]},
        until=1.0,
        step=1e-2,
        events=[below],
        record={"when": "at below(t)", "speed": (x.dot**2, "at below"), "y": "at below(y)"},
    )
    one = dl.simulate(model, until=1.0, step=1e-2, events=[below])
    assert study["error"].tolist() == ["", ""]
    assert study["status"].tolist() == ["EVENT", "OK"]
    assert study["when"][0] == one.events[0].t
    assert study["speed"][0] == pytest.approx(one.events[0].v[0] ** 2, rel=1e-15)
    assert study["y"][0] == one.events[0].q[1]
    assert np.isnan(study["when"][1])


def test_reactions_are_recorded_by_their_size():
    model = dl.catalog.load("four-bar-3d")
    study = dl.sweep(model, {"rate": [1.0, 2.0]}, record=["max(reaction.hinge_A)"], **RUN)
    one = dl.simulate(model, parameters={"rate": 1.0}, **RUN)
    force = np.linalg.norm(one.reaction("hinge_A").force, axis=1)
    assert study["max(reaction.hinge_A)"][0] == force.max()


def test_one_bad_combination_is_a_named_row_and_the_others_complete():
    masses = np.ones(200)
    masses[137] = -1.0
    study = dl.sweep("pendulum", {"m": masses}, until=0.02, step=1e-2, record=["final(x)"])
    assert study.is_complete
    assert study.failed["id"].tolist() == [137]
    (bad,) = study.failed
    assert bad["status"] == "REFUSED"
    assert bad["verdict"] == ""
    assert "MassMatrixError: Initial state: with m = -1" in bad["error"]
    assert np.isnan(bad["final(x)"])
    assert np.isfinite(np.delete(study["final(x)"], 137)).all()
    assert "row 137: MassMatrixError" in study.summary()


def divided(row):
    """Fails in one row as no error of ours does."""
    return dl.catalog.load("pendulum").with_parameters(m=1.0 / row["a"])


def test_an_error_of_a_users_function_is_a_row_too():
    study = dl.sweep(divided, {"a": [1.0, 0.0]}, record=["final(x)"], **RUN)
    assert study["error"][0] == ""
    assert study["error"][1].startswith("ZeroDivisionError")


def test_a_run_that_fails_on_its_way_says_so_and_keeps_what_was_recorded():
    study = dl.sweep("pendulum", {"step": [1e-2, 50.0]}, until=100.0, record=["final(t)"])
    assert study["error"][0] == ""
    assert study["verdict"][1] == "failed" or study["error"][1]


def test_the_verdict_may_be_left_out():
    study = dl.sweep("pendulum", {"m": [1.0]}, verdict=False, **RUN)
    assert study["verdict"].tolist() == [""]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"over": {"gg": [1.0]}}, "has no 'gg'.*did you mean 'g'"),
        ({"over": {"initial.q": [1.0]}}, "has no 'q'"),
        ({"over": {"g": [1.0]}, "parameters": {"g": 2.0}}, "'g' is an axis and is given besides"),
        ({"over": {"x": [1.0]}, "initial": ([1, 0], [0, 0])}, "pair of arrays"),
        ({"until": None}, "until is missing"),
        ({"record": ["max(z)"]}, "no signal 'z'"),
        ({"record": ["maxi(x)"]}, "did you mean 'max'"),
        ({"record": ["at hit(x)"]}, "no event 'hit'"),
        ({"record": ["at below(z)"], "events": [BELOW]}, "'z'"),
        ({"record": {"id": "max(x)"}}, "'id' is a column of every table"),
        ({"record": {"g": "max(x)"}}, "'g' is an axis"),
        ({"record": 3}, "record is 3"),
        ({"stepp": 1e-3}, "no option 'stepp'; did you mean 'step'"),
        ({"step": -1.0}, "step is -1"),
        ({"engine": "thread"}, "did you mean 'threads'"),
        ({"workers": 0}, "workers is 0"),
        ({"chunk": 0}, "chunk is 0"),
        ({"samples": 1}, "samples is 1"),
        ({"cluster": "tcp://x", "engine": "processes"}, "address of a Dask scheduler"),
        ({"model": "pendulumm"}, "did you mean 'pendulum'"),
        ({"model": 3}, "3 is not a model"),
    ],
)
def test_mistakes_are_told_before_anything_runs(changes, said):
    options = {"over": {"g": [1.0, 2.0]}, "record": ["max(x)"], **RUN, **changes}
    with pytest.raises(OptionError, match=said):
        dl.sweep(options.pop("model", "pendulum"), options.pop("over"), **options)


def test_readers_refuse_what_is_not_there():
    study = dl.sweep("pendulum", {"m": [1.0]}, record=["max(x)"], **RUN)
    with pytest.raises(OptionError, match="no column 'max'"):
        study["max"]
    with pytest.raises(OptionError, match=r"there is no row 1\. Ids are 0 to 0"):
        study.run(1)
    with pytest.raises(OptionError, match="saltelli"):
        study.sensitivity("max(x)")


def test_progress_tells_rows_time_left_and_failures(capsys, monkeypatch):
    from dalembert.study import progress

    bar = progress.StudyProgress(True, 1000, 100)
    assert bar.words(400, 2, 6.0) == "400 of 1000 rows, 40 %, 12 s left, 2 failed"
    bar.next_line = 0.0
    bar.tell(400, 0)
    assert "400 of 1000 rows, 40 %" in capsys.readouterr().err


def hold(t, angle):
    """A controller: a spring in Python."""
    return -3.0 * angle


def peak(solution):
    """A record of the user's own."""
    return float(np.abs(solution["hinge.angle"]).max())


def controlled():
    model = dl.Model("held")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.Actuator(hinge, name="motor"))
    return model


def test_controllers_and_functions_of_solutions(tmp_path):
    """Python functions: the study goes on by the same call, and by no other way."""
    control = dl.Controller(hold, rate=100.0, inputs=["hinge.angle"], outputs=["motor"])
    options = {"controllers": [control], "record": {"peak": peak}, "until": 0.1, "step": 1e-2}
    axes = {"hinge.angle": [0.1, 0.2]}
    study = dl.sweep(controlled(), axes, folder=tmp_path / "s", **options)
    assert study["error"].tolist() == ["", ""]
    one = dl.simulate(
        controlled(), until=0.1, step=1e-2, controllers=[control], initial={"hinge.angle": 0.2}
    )
    assert study["peak"][1] == peak(one)
    with pytest.raises(OptionError, match=r"Call dl\.sweep again"):
        dl.resume_study(tmp_path / "s")
    again = dl.sweep(controlled(), axes, folder=tmp_path / "s", **options)
    assert np.array_equal(again["peak"], study["peak"])


class Remembering:
    """A controller that remembers what it has seen."""

    def __init__(self):
        self.sum = 0.0

    def __call__(self, t, angle):
        self.sum += float(angle[0])
        return -self.sum


@pytest.mark.parametrize("workers", [1, 2])
def test_every_row_has_controllers_of_its_own_that_remember_nothing_of_others(workers):
    given = Remembering()

    def control(callback):
        return dl.Controller(callback, rate=100.0, inputs=["hinge.angle"], outputs=["motor"])

    angles = [0.1, 0.2, 0.3, 0.4]
    options = {"until": 0.1, "step": 1e-2}
    study = dl.sweep(
        controlled(),
        {"hinge.angle": angles},
        controllers=[control(given)],
        record={"end": "final(hinge.angle)"},
        workers=workers,
        chunk=1,
        **options,
    )
    assert given.sum == 0.0
    alone = [
        dl.simulate(
            controlled(),
            controllers=[control(Remembering())],
            initial={"hinge.angle": angle},
            **options,
        )["hinge.angle"][-1]
        for angle in angles
    ]
    assert study["end"].tolist() == alone


def test_extremes_and_means_are_those_of_the_motion():
    """Of a run without a step samples are rare: the greatest of them was off by a part in 300."""
    records = {"top": "max(x)", "low": "min(y)", "mean": "mean(y)", "rms": "rms(x.dot)"}
    records |= {"pull": "max(bar.force)", "sum": "max(x + y)"}
    options = {"until": 3.0, "initial": {"x": 0.6, "y": -0.8, "x.dot": 0.8, "y.dot": 0.6}}
    rare = dl.sweep("pendulum", {"g": [9.81, 20.0]}, record=records, **options)
    fine = dl.sweep("pendulum", {"g": [9.81, 20.0]}, record=records, step=1e-4, **options)
    for name in records:
        assert rare[name] == pytest.approx(fine[name], rel=2e-5), name


def test_extremes_of_reactions_are_those_of_the_motion():
    """They were those of the samples: here the greatest was off by a part in 50."""
    (mass,) = dl.parameters(mass=1.0)
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=mass, length=1.0))
    hinge = dl.Revolute(model.world, rod.at(x=-0.5), axis="y", initial_speed=2.0, name="pin")
    model.add_joint(hinge)
    records = {"most": "max(reaction.pin)", "least": "min(reaction.pin)"}
    masses, options = {"mass": [1.0, 2.0]}, {"until": 3.0, "record": records}
    rare = dl.sweep(model, masses, step=1e-2, every=10, **options)
    fine = dl.sweep(model, masses, step=1e-4, **options)
    for name in records:
        assert rare[name] == pytest.approx(fine[name], rel=1e-4), name
