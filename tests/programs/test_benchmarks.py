"""Figures that are quoted are those of the tables; programs and references are right."""

import csv
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

REPOSITORY = Path(__file__).parents[2]
BENCHMARKS = REPOSITORY / "benchmarks"
MACHINES = sorted((BENCHMARKS / "machines").glob("*/"))


@pytest.fixture
def module(monkeypatch):
    """Import a file of benchmarks/."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    names = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - names:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_the_readme_quotes_the_tables(module):
    readme = module("readme")
    place = readme.quoted(BENCHMARKS)
    _, between, _ = readme.parts((REPOSITORY / "README.md").read_text())
    assert between == readme.block(place)
    assert place.name in {machine.name for machine in MACHINES}


@pytest.mark.parametrize("place", MACHINES, ids=lambda place: place.name)
def test_results_have_every_table(place, module):
    summary, text = module("summary"), (BENCHMARKS / "RESULTS.md").read_text()
    known = summary.about(place / "about.csv")
    tables = sorted(file.stem for file in place.glob("*.csv") if file.name != "about.csv")
    assert sorted(known) == tables
    for name in tables:
        told = known[name]
        assert f"{told['date']}, {told['form']} form, load {told['load']}" in text
        assert summary.markdown(summary.rows_of(place / f"{name}.csv")) in text


@pytest.mark.parametrize("place", MACHINES, ids=lambda place: place.name)
def test_no_time_without_accuracy(place):
    """Every row with a time has an error, a residual or a difference beside it, if it ended."""
    judged = {"error", "worst_phi", "creep", "penetration", "energy", "residual p95", "angle"}
    judged |= {"end", "residual", "deepest", "unpaired", "first_step"}
    for file in place.glob("*.csv"):
        with file.open(newline="") as opened:
            rows = list(csv.DictReader(opened))
        if file.stem not in ("about", "start", "callbacks"):
            assert judged & set(rows[0]), file.stem


def test_programs_of_all_forms_are_there(module):
    every, run, contact = module("all"), module("run"), module("contact")
    for command in (*every.SHORT, *every.WHOLE, *every.TINY):
        program, *words = command.split()
        assert (BENCHMARKS / program).exists()
        names = [word for word in words if not word.startswith("-") and not word.isdigit()]
        if program == "contact.py":
            assert {name.replace("boxes-", "boxes ") for name in names} <= set(contact.SCENES)
        if program == "run.py":
            assert set(names) <= set(run.KNOWN)
    assert sum(every.SHORT.values()) <= every.MOST


@pytest.mark.parametrize("loops", [1, 2, 40])
def test_reference_of_linkages(loops, module):
    """The equation of one angle, by another integrator."""
    linkage = module("peers.linkage")
    rate = 9.81 * ((loops + 1) / 2 + loops) / ((loops + 1) / 3 + loops)
    found = solve_ivp(
        lambda t, y: [y[1], -rate * np.cos(y[0])],
        (0.0, 10.0),
        [np.pi / 2, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
    ).y[0, -1]
    assert np.allclose(linkage.swung(loops), [np.cos(found), np.sin(found)], atol=5e-11)
