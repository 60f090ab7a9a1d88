import subprocess
import sys

import numpy as np
import pytest

from dalembert import catalog
from dalembert.formulas.constraint import holonomic_rows, velocity_rows
from dalembert.formulas.evaluate import evaluate
from dalembert.model import Model
from dalembert.model.check.check import state


def test_names_are_sorted_and_load():
    assert catalog.names() == sorted(catalog.names())
    for name in catalog.names():
        assert isinstance(catalog.load(name), Model)
        assert catalog.describe(name).endswith(".")
        assert name == name.lower()
        assert "_" not in name


OF_FORMULAS = [n for n in catalog.names() if not catalog.load(n).is_maximal]
"""Those of bodies are in test_bodies."""


@pytest.mark.parametrize("name", [n for n in OF_FORMULAS if n != "biped"])
def test_initial_state_satisfies_the_constraints(name):
    """The biped starts where the paper rounded it to; all others start exactly."""
    model = catalog.load(name)
    values = state(model)
    for constraint in model.constraints:
        rows = list(constraint.rows)
        if constraint.kind == "holonomic":
            parts = holonomic_rows(rows, model.coordinates)
        else:
            parts = velocity_rows(rows, model.coordinates)
        residuals = [float(x) for x in evaluate([*parts.phi, *parts.phi_dot], values)]
        assert np.abs(residuals).max() < 1e-15


@pytest.mark.parametrize(("exercise", "violation"), [(1, 5e-4), (2, 5e-4), (3, 3e-3)])
def test_biped_starts_where_the_paper_rounded_it_to(exercise, violation):
    model = catalog.load("biped", exercise=exercise)
    rows = [row for constraint in model.constraints for row in constraint.rows]
    residuals = np.abs([float(x) for x in evaluate(rows, state(model))])
    assert 1e-5 < residuals.max() < violation


@pytest.mark.parametrize("name", catalog.names())
def test_every_model_can_be_drawn_and_says_how_to_run_it(name):
    model = catalog.load(name)
    assert model.points or model.shapes
    assert model.suggested["until"] > 0
    assert model.suggested.get("step", 1.0) > 0  # those of located events need none
    for line in model.lines:
        assert set(line) <= set(model.points)


def test_options_are_parameters():
    model = catalog.load("slider-crank", l2=1.5, torque=10.0)
    assert model.parameters["l2"] == 1.5
    assert model.parameters["torque"] == 10.0
    assert catalog.load("pendulum", side=-1).initial["x"] == -1.0
    assert catalog.load("biped", exercise=3, theta_d=1.4).parameters["theta_d"] == 1.4
    assert catalog.load("n-four-bar", N=3).name == "3-four-bar"


def test_models_are_imported_when_asked_for():
    code = (
        "import sys; from dalembert import catalog\n"
        "assert 'dalembert.catalog.biped' not in sys.modules\n"
        "catalog.load('pendulum')\n"
        "assert 'dalembert.catalog.biped' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
