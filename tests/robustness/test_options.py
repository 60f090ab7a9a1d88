"""Arguments of the wrong kind: a sentence, not an accident further inside."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

x, y = dl.coordinates("x y")
NAN = float("nan")


def run(model=None, **options):
    given = {"until": 0.1, "step": 1e-2} | options
    return dl.simulate(dl.catalog.load("pendulum") if model is None else model, **given)


WRONG = {
    "one event": (lambda: run(events=dl.Event(x)), r"events=\[dl.Event"),
    "formula as event": (lambda: run(events=[x]), r"events\[0\] is x.*dl\.Event"),
    "function as event": (lambda: run(events=[dl.Event(x), abs]), r"events\[1\]"),
    "events as text": (lambda: run(events="x"), "events"),
    "events as number": (lambda: run(events=3), "events"),
    "model as text": (lambda: run("pendulum"), r"'pendulum' is not a model.*catalog\.load"),
    "model as a number": (lambda: run(3), "3 is not a model"),
    "model as a class": (lambda: run(dl.Model), "is not a model"),
    "parameters as a list": (lambda: run(parameters=["l"]), "parameters"),
    "parameters with a number as key": (lambda: run(parameters={3: 1.0}), "the key 3"),
    "coordinate as parameter": (lambda: run(parameters={x: 1.0}), "the key x"),
    "times as text": (lambda: run(times="abc"), "times"),
    "times as a number": (lambda: run(times=0.05), "times"),
    "limit as text": (lambda: run(initial_limit="a"), "initial_limit is 'a'"),
    "limit None": (lambda: run(initial_limit=None), "initial_limit is None"),
    "limit below zero": (lambda: run(initial_limit=-1), "initial_limit is -1"),
    "limit NaN": (lambda: run(initial_limit=NAN), "initial_limit is nan"),
}


@pytest.mark.parametrize(("action", "words"), WRONG.values(), ids=WRONG)
def test_wrong_kinds_are_refused_with_a_sentence(action, words):
    with pytest.raises(OptionError, match=words):
        action()


def test_parameters_by_symbol():
    (length,) = dl.parameters(l=1.0)
    by_symbol = run(parameters={length: 2.0}, initial={"x": 2.0})
    by_name = run(parameters={"l": 2.0}, initial={"x": 2.0})
    np.testing.assert_array_equal(by_symbol.q, by_name.q)
    with pytest.raises(OptionError, match="'l' is given twice"):
        run(parameters={length: 2.0, "l": 2.0})


@pytest.mark.parametrize("times", [[0.05, 0.1 + 1e-15], [-1e-16, 0.1], np.array([0.05])])
def test_times_may_miss_the_ends_by_rounding(times):
    found = run(times=times)
    assert len(found.t) == len(times)
    assert found.t[0] >= 0
    assert found.t[-1] <= 0.1


def test_times_at_the_end_up_to_rounding_of_a_sum():
    until = 5.0
    found = run(until=until, times=[1.0, until + 1e-12])
    assert found.t[-1] == until


def test_velocity_constraints_are_counted_in_the_sentence():
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, constraints={"front": x.dot - 1, "back": y.dot - 1}
    )
    with pytest.raises(OptionError, match="'front', 'back' are velocity constraints"):
        run(model, method=dl.Partitioning())


@pytest.mark.parametrize(
    ("mass", "words"),
    [(2 + dl.time, "depends on time"), (2 + x**2, "depends on the coordinates")],
)
def test_rattle_names_what_the_mass_matrix_depends_on(mass, words):
    model = dl.Model.from_matrices(
        coordinates=[x, y], mass=[[mass, 0], [0, 1]], force=[0, 0], constraints={"line": x - y}
    )
    with pytest.raises(OptionError, match=f"Rattle: the mass matrix {words}"):
        run(model, method=dl.Rattle())


# -- comparisons ---------------------------------------------------------------------------------


def compare(**options):
    return dl.compare(dl.catalog.load("pendulum"), **({"until": 0.1, "step": 1e-2} | options))


def study(**options):
    given = {"until": 0.1, "steps": [1e-2], "methods": [dl.Projection()]} | options
    return dl.work_precision(dl.catalog.load("pendulum"), **given)


def test_methods_by_name():
    found = compare(methods=["projection", "baumgarte:alpha=5,beta=5", dl.Rattle()])
    assert [row.method for row in found.rows] == ["Projection", "Baumgarte", "Rattle"]
    assert found.solutions["Baumgarte"].method == dl.Baumgarte(5, 5)
    assert study(methods=["projection"]).methods == ["Projection"]


COMPARED = {
    "misspelt": (lambda: compare(methods=["projektion"]), "did you mean 'projection'"),
    "misspelt in a study": (lambda: study(methods=["ratle"]), "did you mean 'rattle'"),
    "a class": (lambda: compare(methods=[dl.Rattle]), "is not a method"),
    "a number": (lambda: compare(methods=[3]), "3 is not a method"),
    "one method": (lambda: compare(methods=dl.Rattle()), "list"),
    "step zero": (lambda: compare(step=0), "step is 0"),
    "step negative": (lambda: compare(step=-1e-3), "step is -0.001"),
    "step as text": (lambda: compare(step="1e-3"), "step is '1e-3'"),
    "end as text": (lambda: compare(until="1"), "until is '1'"),
    "step longer than the run": (lambda: compare(step=5.0), "longer than the whole run"),
    "steps with zero": (lambda: study(steps=[0.0, 1e-2]), r"steps\[0\] is 0"),
    "steps with NaN": (lambda: study(steps=[1e-2, NAN]), r"steps\[1\] is nan"),
    "one step": (lambda: study(steps=1e-2), "steps"),
    "no steps": (lambda: study(steps=[]), "steps"),
    "steps as text": (lambda: study(steps="1e-2"), "steps"),
    "study without end": (lambda: study(until=0.0), "until is 0"),
}


@pytest.mark.parametrize(("action", "words"), COMPARED.values(), ids=COMPARED)
def test_comparisons_check_their_arguments(action, words):
    with pytest.raises(OptionError, match=words):
        action()


def test_ctrl_c_ends_the_whole_comparison(monkeypatch):
    from dalembert.simulation.run.run import Run

    asked = []

    def interrupted(_self, steps):
        asked.append(steps)
        if steps:
            raise KeyboardInterrupt
        return 100

    monkeypatch.setattr(Run, "chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(methods=["projection", "rattle", "baumgarte"])
    assert sum(map(bool, asked)) == 1
