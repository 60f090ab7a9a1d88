"""The result of a run: signals, interpolation, report, file."""

from __future__ import annotations

import json
import os
import pickle
import sys
import zipfile

import numpy as np
import pytest
from tests.support.synthetic import SPEED, turning

import dalembert as dl
from dalembert.errors import FileError, OptionError
from dalembert.formulas.variables import coordinates, parameters, time
from dalembert.simulation.results import storage
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir.loading import load_solution
from dalembert.simulation.status import Status, error_class, remedy, sentence

x, y = coordinates("x y")


# --- signals ---------------------------------------------------------------------------------


def test_coordinate_velocity_and_formula():
    s = turning()
    np.testing.assert_array_equal(s[x], s.q[:, 0])
    np.testing.assert_array_equal(s[y.dot], s.v[:, 1])
    np.testing.assert_allclose(s[x**2 + y**2], 1.0, rtol=1e-15)
    np.testing.assert_allclose(s[x * time], s.q[:, 0] * s.t)


def test_a_constant_formula_has_one_value_a_sample():
    s = turning()
    assert s[x * 0 + 3.0].shape == s.t.shape


def test_names():
    s = turning()
    np.testing.assert_array_equal(s["y"], s.q[:, 1])
    np.testing.assert_array_equal(s["y.dot"], s.v[:, 1])
    np.testing.assert_array_equal(s["y.ddot"], s.a[:, 1])
    np.testing.assert_array_equal(s["t"], s.t)
    np.testing.assert_array_equal(s["energy"], s.energy)


def test_constraint_force_by_signal_and_by_name():
    s = turning()
    force = s.model.constraints[0].force
    np.testing.assert_array_equal(s[force], s.lam[:, 0])
    np.testing.assert_array_equal(s["bar.force"], s.lam[:, 0])


def test_force_of_several_rows_keeps_them_apart():
    s = turning(
        lam=np.ones((61, 3)),
        row_names=("a", "mount[0]", "mount[1]"),
        constraint_slices={"a": slice(0, 1), "mount": slice(1, 3)},
    )
    assert s["mount.force"].shape == (61, 2)


def test_several_signals_become_columns():
    s = turning()
    np.testing.assert_array_equal(s[[x, "y.dot"]], np.stack([s.q[:, 0], s.v[:, 1]], axis=1))


def test_the_run_s_parameter_value_counts_not_the_formula_s():
    s = turning()
    (length,) = parameters(l=7.0)
    changed = turning(model=s.model.with_parameters(l=2.0))
    np.testing.assert_allclose(changed[length * x], 2.0 * s.q[:, 0])


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        ("xx", "did you mean 'x'"),
        ("bra.force", "bar.force"),
        (coordinates("z")[0], "no signal 'z'"),
    ],
)
def test_unknown_signal_names_the_nearest(signal, words):
    with pytest.raises(OptionError) as caught:
        turning()[signal]
    assert words.lower() in str(caught.value).lower()


def test_a_number_or_iteration_is_refused():
    with pytest.raises(TypeError, match=r"solution\.q\[i\]"):
        turning()[0]
    with pytest.raises(TypeError, match="not a sequence"):
        list(turning())


def test_energy_without_potential_is_none_and_says_why_by_name():
    s = turning(potential=None)
    assert s.energy is None
    with pytest.raises(OptionError, match="states no potential"):
        s["energy"]


# --- between the samples ---------------------------------------------------------------------


def test_interpolation_is_exact_at_samples():
    s = turning()
    q, v = s.at(s.t)
    np.testing.assert_allclose(q, s.q, atol=4e-16)
    np.testing.assert_allclose(v, s.v, atol=1e-14)


def test_interpolation_reproduces_a_quintic():
    t = np.array([0.0, 0.7, 1.1])
    p = np.polynomial.Polynomial([1.0, -2.0, 0.5, 3.0, -1.0, 0.25])
    s = turning(samples=3, until=1.1)
    columns = [np.stack([p.deriv(k)(t), -p.deriv(k)(t)], axis=1) for k in range(3)]
    s = turning(samples=3, t=t, q=columns[0], v=columns[1], a=columns[2])
    times = np.linspace(0, 1.1, 40)
    q, v = s.at(times)
    np.testing.assert_allclose(q[:, 0], p(times), atol=1e-13)
    np.testing.assert_allclose(v[:, 1], -p.deriv()(times), atol=1e-12)


def test_interpolation_has_order_six_and_five():
    errors = []
    for samples in (31, 61):
        s = turning(samples=samples)
        times = np.linspace(0, 3, 997)
        q, v = s.at(times)
        exact = SPEED * times
        errors.append(
            (
                np.max(np.abs(q[:, 0] - np.cos(exact))),
                np.max(np.abs(v[:, 0] + SPEED * np.sin(exact))),
            )
        )
    ratio = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert ratio[0] > 5.7
    assert ratio[1] > 4.7


def test_shapes_of_at():
    s = turning()
    assert s.at(1.0)[0].shape == (2,)
    assert s.at([1.0, 2.0])[1].shape == (2, 2)
    one = turning(samples=1, until=0.0)
    np.testing.assert_array_equal(one.at(0.0)[0], one.q[0])


@pytest.mark.parametrize("t", [-0.1, 3.1, float("nan")])
def test_outside_the_interval_is_refused(t):
    with pytest.raises(OptionError, match="outside the recorded samples"):
        turning().at(t)


def test_rounding_at_the_end_is_forgiven():
    s = turning()
    np.testing.assert_allclose(s.at(3.0 + 1e-13)[0], s.q[-1])


def test_sampled_formula():
    s = turning()
    np.testing.assert_allclose(s.sampled(x + time, [1.03]), [np.cos(2.06) + 1.03], atol=1e-8)


@pytest.mark.parametrize("way", [{}, {"step": 1e-3}, {"formulation": "maximal"}], ids=str)
def test_any_signal_is_known_between_samples(way):
    """Names, not formulas alone: an AttributeError."""
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = dl.Revolute(model.world, rod.at(x=-0.5), axis="y", initial_speed=2.0, name="hinge")
    hinge = model.add_joint(hinge)
    model.set_limits(hinge, dl.Limits(-1.0, 1.0))
    model.add_force(dl.DirectDrive(hinge, command=1.0, gear=2.0, name="motor"))
    model.add_sensor(dl.IMU(rod, name="imu"))
    moments = np.array([0.1234, 0.3, 0.9])
    known = dl.simulate(model, until=1.0, times=[0.0, *moments, 1.0], **way)
    run = dl.simulate(model, until=1.0, **way)
    names = ["hinge.angle", "hinge.angle.dot", "hinge.angle.ddot", "rod.x.dot", "rod.qw", "t"]
    for name in [*names, "motor.effort", "energy", "imu.ax", "hinge: upper.force", "rod.roll"]:
        assert run.sampled(name, moments) == pytest.approx(known[name][1:4], abs=1e-4), name
    assert run.sampled(["rod.x", rod.z], moments).shape == (3, 2)
    with pytest.raises(OptionError, match=r"no signal 'rod\.w'"):
        run.sampled("rod.w", moments)


# --- telling ---------------------------------------------------------------------------------


def test_summary_states_what_matters():
    text = turning().summary()
    for words in (
        "pendulum",
        "Projection(norm='mass')",
        "RK4",
        "3 000 steps",
        "worst |phi|  3.3e-16   in 'bar'",
        "worst |phi'| 8.9e-16   in 'bar'",
        "1 degree of freedom",
        "error",
        "unique",
        "'top' at 0.75 s",
        "0.5 us a step",
        "OK",
    ):
        assert words in text
    assert "nan" not in text.lower()


def test_summary_of_redundant_and_moved():
    s = turning(
        statistics={"rank_min": 0, "rank_max": 1, "unique_multipliers": False},
        initial_move={"q": 1e-5, "v": 2e-4},
    )
    text = s.summary()
    assert "minimum-norm" in text
    assert "rank 0 to 1" in text
    assert "moved onto the constraints by 1.0e-05 in q and 2.0e-04 in v" in text


def test_relative_energy_does_not_depend_on_where_the_potential_is_zero():
    drifting = np.linspace(0, 1e-6, 61)
    s = turning(potential=drifting)
    shifted = turning(potential=drifting + 5.0)
    assert s.report()["energy_change_relative"] == pytest.approx(5e-7)
    assert shifted.report()["energy_change_relative"] == pytest.approx(5e-7)


def test_report_is_json():
    for solution in (turning(), turning(worst={"phi": float("nan"), "phi_dot": None})):
        report = solution.report()
        assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_repr():
    assert repr(turning()) == "Solution('pendulum', 0 to 3 s, 61 samples, OK)"


def test_to_numpy_and_pandas():
    s = turning()
    columns = s.to_numpy()
    assert list(columns)[:5] == ["t", "x", "y", "x.dot", "y.dot"]
    assert {"lam[bar]", "phi[bar]", "phi_dot[bar]", "kinetic", "potential"} <= set(columns)
    frame = s.to_pandas()
    assert frame.index.name == "t"
    np.testing.assert_array_equal(frame["y.dot"], s.v[:, 1])


def test_pandas_missing_is_a_plain_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OptionError, match="pip install pandas"):
        turning().to_pandas()


# --- the file --------------------------------------------------------------------------------


def test_saved_and_loaded_is_the_same(tmp_path):
    s = turning()
    path = s.save(tmp_path / "run.npz")
    loaded = Solution.load(path)
    for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(s, name))
    assert loaded.summary() == s.summary()
    assert loaded.events[0].name == "top"
    np.testing.assert_array_equal(loaded.events[0].q, s.events[0].q)
    np.testing.assert_array_equal(loaded[x * y], s[x * y])
    assert loaded.status is Status.OK
    assert loaded.method == s.method
    assert os.listdir(tmp_path) == ["run.npz"]


def test_a_solution_can_be_pickled():
    s = pickle.loads(pickle.dumps(turning()))
    np.testing.assert_array_equal(s[x], turning()[x])


def test_no_potential_survives(tmp_path):
    path = turning(potential=None).save(tmp_path / "run.npz")
    assert load_solution(path).potential is None


class Foreign:
    def __repr__(self):
        return "Foreign(gain=3)"


def test_a_method_of_the_user_s_own_is_kept_as_text(tmp_path):
    path = turning(method=Foreign()).save(tmp_path / "run.npz")
    assert "Foreign(gain=3)" in load_solution(path).summary()


@pytest.mark.parametrize("place", ["missing/run.npz", "."])
def test_unwritable_place(tmp_path, place):
    with pytest.raises(FileError, match="cannot write"):
        turning().save(tmp_path / place)
    assert not list(tmp_path.glob("*.part"))


def test_missing_file():
    with pytest.raises(FileError, match="cannot be read"):
        load_solution("nowhere.npz")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 not a zip"])
def test_foreign_files(tmp_path, content):
    path = tmp_path / "run.npz"
    path.write_bytes(content)
    with pytest.raises(FileError, match="not a solution saved by dalembert"):
        load_solution(path)


def test_npz_of_something_else(tmp_path):
    path = tmp_path / "run.npz"
    np.savez(path, a=np.ones(3))
    with pytest.raises(FileError, match="not a solution"):
        load_solution(path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_truncated_file(tmp_path, share):
    path = turning().save(tmp_path / "run.npz")
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(FileError):
        load_solution(path)


def test_newer_version(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "VERSION", 99)
    path = turning().save(tmp_path / "run.npz")
    monkeypatch.undo()
    with pytest.raises(FileError, match="newer dalembert"):
        load_solution(path)


def test_missing_array(tmp_path):
    whole = turning().save(tmp_path / "run.npz")
    part = tmp_path / "part.npz"
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(part, "w") as target:
        for name in source.namelist():
            if name != "lam.npy":
                target.writestr(name, source.read(name))
    with pytest.raises(FileError, match="damaged"):
        load_solution(part)


# --- status ----------------------------------------------------------------------------------


def test_codes_of_kernels_agree():
    from dalembert.system import borders

    for name in ("OK", "RANK_DEFICIENT", "NOT_POSITIVE_DEFINITE", "NO_CONVERGENCE", "NON_FINITE"):
        assert getattr(borders, name) == Status[name]
    assert borders.STEP_TOO_SMALL == Status.STEP_TOO_SMALL
    assert borders.INCONSISTENT == Status.INCONSISTENT


@pytest.mark.parametrize("status", Status)
def test_every_status_has_a_sentence(status):
    text = sentence(status, t=1.5, where="knee", detail="residual 3e-2")
    assert "1.5 s" in text
    assert "'knee'" in text
    assert "residual 3e-2" in text
    assert status.meaning in text
    assert bool(remedy(status)) == status.failed
    assert issubclass(error_class(status), Exception)


def test_failed():
    assert not Status.OK.failed
    assert not Status.EVENT.failed
    assert not Status.INTERRUPTED.failed
    assert Status.NON_FINITE.failed
