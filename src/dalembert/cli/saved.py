"""RUN on the command line: a folder of a run, a saved .npz, or a model that is run first."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from dalembert.errors import FileError

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution


def is_saved(text: str) -> bool:
    """Whether the word means something on disk that a run has left, not a model."""
    return text.lower().endswith(".npz") or Path(text).is_dir()


def is_study(text: str) -> bool:
    """Whether the word is the folder of a study."""
    return (Path(text) / "study.json").is_file()


def load_run(text: str) -> Solution:
    """The solution of a folder or a file."""
    from dalembert.errors import ImportFileError
    from dalembert.importers.readers import must_exist
    from dalembert.simulation.rundir.loading import load_solution

    if is_study(text):
        raise FileError(
            f"{text}: is a study of many runs. dalembert plot {text} draws it, dalembert sweep"
            f" {text} --row ID --html FILE.html plays one of them."
        )
    _refuse_model(text)
    try:
        must_exist(Path(text), (".npz",))
    except ImportFileError as problem:
        raise FileError(str(problem)) from None
    return load_solution(text)


def solution_of(text: str, arguments: argparse.Namespace) -> Solution:
    """The saved run, or the model simulated with the options given."""
    if is_saved(text):
        return load_run(text)
    _refuse_misspelt_run(text)
    from dalembert.cli.models import load_model
    from dalembert.cli.run import chosen, run_options, simulated

    model = load_model(text)
    method, integrator = chosen(arguments, model, text)
    options = run_options(arguments, model, integrator)
    return simulated(model, arguments, method=method, integrator=integrator, **options)


def _refuse_model(text: str) -> None:
    """A model where a run is wanted."""
    from dalembert import catalog
    from dalembert.importers.readers import READERS

    is_file = Path(text).is_file() and Path(text).suffix.lower() in (*READERS, ".py")
    if is_file or (text.partition(":")[0] in catalog.names() and not Path(text).exists()):
        kept = f"{Path(text.partition(':')[0]).stem}.npz"
        raise FileError(
            f"{text}: is a model, not a run. Simulate it first: dalembert run {text} --out {kept}"
        )


def _refuse_misspelt_run(text: str) -> None:
    """A word that is no model, but nearly the name of a run here."""
    from dalembert import catalog

    if Path(text).suffix or Path(text).exists() or text.partition(":")[0] in catalog.names():
        return
    here = Path(text).parent
    runs = [file.parent.name for file in here.glob("*/run.json")] if here.is_dir() else []
    near = difflib.get_close_matches(Path(text).name, runs, n=1, cutoff=0.6)
    if near:
        raise FileError(f"{text}: there is no such run. Did you mean '{here / near[0]}'?")
