"""`sweep`, `resume_study` and `load_study`: check what is asked, run the rows, keep them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dalembert.errors import (
    DalembertError,
    DoubtfulWarning,
    InterruptedStudy,
    OptionError,
    StudyError,
    StudyFileError,
)
from dalembert.simulation.rundir.manifest import versions
from dalembert.study import manifest
from dalembert.study.axes import read_axis
from dalembert.study.chunks import Chunks
from dalembert.study.design import make_design
from dalembert.study.engines.engine import Engine, make_engine
from dalembert.study.manifest import Plan, make_plan
from dalembert.study.probe import probe
from dalembert.study.progress import StudyProgress
from dalembert.study.run_batch import check_batch
from dalembert.study.run_chunk import ChunkRunner
from dalembert.study.segments import usual_form
from dalembert.study.store import FolderStore, Store, is_there, make_store
from dalembert.study.study import Study
from dalembert.study.targets import axis_name
from dalembert.study.task import Task, make_task


def sweep(
    model: Any,
    over: Mapping[Any, Any],
    *,
    until: float | None = None,
    record: Any = (),
    design: str = "grid",
    count: int | None = None,
    seed: int = 0,
    samples: int = 100,
    folder: str | Path | None = None,
    engine: str = "threads",
    workers: int | None = None,
    cluster: str | None = None,
    chunk: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Study:
    """Run a model in many variants; one row of a table each.

    Parameters
    ----------
    model : Model, name of a catalog model, or function of the row
        A function takes a dict {axis: value} and returns a model, or a model and options of
        `simulate`.
    over : dict {axis: values}
        An axis is a parameter, an initial value (``"x.dot"``, ``"trunk.z"``), a number of a force,
        drive or of gravity (``"spring.stiffness"``), an option of the catalog model, or ``"step"``
        and other numbers of `simulate`. Values are a list, `span`, `uniform` or `normal`.
    until : float           end of every run  [s]
    record : dict {column: what}, or a list
        ``"max(x)"`` or ``(formula, "max")``; final, first, min, max, mean, rms, series,
        ``"at hit(x)"`` for an event of the name hit; or a function of the solution.
    design : "grid", "list", "random", "latin-hypercube", "sobol" or "saltelli"
    count, seed : int       how many combinations are drawn, and from which seed
    samples : int           numbers of a recorded series
    folder : str or Path    where the study is kept, written while it runs; the same study that is
        there already goes on
    engine : "threads", "processes" or "dask"
    workers : int           by default one a processor
    cluster : str           address of a Dask scheduler, or "local"
    chunk : int             rows that are sent together; by default as many as take a second
    progress : bool         None shows it on a terminal
    **options               of `simulate`: step, method, events, ...; ``verdict=False``, which
        leaves out the verdict on every run; and ``batch=True``: rows are worlds of one batch
        (`rollout`), hundreds of times as many in the same time, with a fixed step, no verdict, and
        formulas of the state as records

    Returns
    -------
    Study
        A combination that fails is a row with its error. The rows are the same, to the bit,
        whatever the engine, the number of workers, and however often it was stopped.

    Raises
    ------
    InterruptedStudy        Ctrl-C; ``.study`` holds what is done
    StudyError              workers or the scheduler were lost; so does its ``.study``
    StudyFileError          the folder cannot be written or read

    Examples
    --------
    >>> import dalembert as dl
    >>> study = dl.sweep("pendulum", {"l": [0.5, 1.0], "m": [1.0, 2.0]}, until=0.1, step=1e-2,
    ...                  initial={"x": 0.3, "y": -0.4}, record={"low": "min(y)"}, workers=1)
    >>> study
    Study(grid over l, m: 4 of 4 rows)
    >>> study.table[["id", "l", "m", "status"]].tolist()[1]
    (1, 0.5, 2.0, 'OK')
    """
    if not isinstance(over, Mapping) or not over:
        make_design(over, design, count, seed)  # says what is wrong
    known = _model_for_names(model)
    axes = {axis_name(key, known): read_axis(str(key), given) for key, given in over.items()}
    if len(axes) != len(over):
        raise OptionError("sweep: an axis is given twice, once by its name. Give it once.")
    if until is None and "until" not in axes and not callable(model):
        raise OptionError("sweep: until is missing. Give the end of the runs, in seconds.")
    if chunk is not None and (isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1):
        raise OptionError(f"sweep: chunk is {chunk!r}. Give a whole number, 1 or more.")
    plan_design = make_design(axes, design, count, seed)
    if until is not None:
        options["until"] = until
    task = make_task(model, axes, record, options, samples)
    if task.batched:
        check_batch(task)
    runner = make_engine(engine, workers, cluster)
    plan = make_plan(plan_design, task, usual_form())
    if not is_there(folder):
        probe(task, plan_design, progress)
    store = make_store(folder, plan)
    try:
        return _carry_out(Study(store.plan, store), store, task, runner, chunk, progress)
    finally:
        store.close()


def resume_study(
    folder: str | Path,
    *,
    engine: str = "threads",
    workers: int | None = None,
    cluster: str | None = None,
    chunk: int | None = None,
    progress: bool | None = None,
) -> Study:
    """Go on with a study that was stopped; only rows that are missing are run.

    Parameters
    ----------
    folder : str or Path    that `sweep` wrote; others are options of `sweep`

    Raises
    ------
    StudyFileError          it holds no study, or one that is damaged or being written
    OptionError             the study was made with functions: call `sweep` again instead
    """
    store = _opened(folder)
    task = store.plan.task
    if task is None:
        raise OptionError(
            f"{folder}: the study was made with functions of a program, which are not in its"
            " folder. Call dl.sweep again with the same arguments: it goes on."
        )
    runner = make_engine(engine, workers, cluster)
    _warn_about_versions(store.plan)
    store.take()
    try:
        return _carry_out(Study(store.plan, store), store, task, runner, chunk, progress)
    finally:
        store.close()


def load_study(folder: str | Path) -> Study:
    """The study in a folder, as far as it is done; it may be being written."""
    store = _opened(folder)
    return Study(store.plan, store)


def _opened(folder: str | Path) -> FolderStore:
    if not isinstance(folder, str | Path):
        raise StudyFileError(f"{folder!r:.60} is no folder. Give the name of a study's folder.")
    path = Path(os.path.abspath(folder))
    return FolderStore(path, manifest.read(path))


def _model_for_names(model: Any) -> Any:
    from dalembert.model.core.model import Model

    return model if isinstance(model, Model) else None


def _carry_out(
    study: Study, store: Store, task: Task, engine: Engine, chunk: int | None, wanted: bool | None
) -> Study:
    """Run the rows that are missing."""
    import numpy as np

    missing = np.ones(study.count, dtype=bool)
    failed = 0
    for rows in store.parts():
        missing[rows.ids] = False
        failed += rows.failed
    pending = np.flatnonzero(missing)
    done = study.count - len(pending)
    del missing
    bar = StudyProgress(wanted, study.count, done)
    if not len(pending):
        return study
    try:
        with engine:
            chunks = Chunks(store.plan.design, pending, engine.workers, chunk)
            for _, rows in engine.map_chunks(ChunkRunner(task), chunks):
                chunks.learn(rows)
                store.add(rows)
                done, failed = done + len(rows), failed + rows.failed
                bar.tell(done, failed)
        store.flush()
    except KeyboardInterrupt:
        store.flush()
        raise InterruptedStudy(f"Interrupted: {_left(study, done)}", study) from None
    except StudyError as problem:
        store.flush()
        raise StudyError(f"{problem} {_left(study, done)}", study) from problem
    except StudyFileError as problem:
        problem.study = study
        raise
    except DalembertError:
        store.flush()
        raise
    finally:
        bar.close()
    return study


def _left(study: Study, done: int) -> str:
    """Sentences: what is kept, and how to go on."""
    if study.folder is None:
        return f"{done} of {study.count} rows are in the study of this error."
    return (
        f"{done} of {study.count} rows are kept in {study.folder}. Go on with"
        f" dl.resume_study({str(study.folder)!r})."
    )


def _warn_about_versions(plan: Plan) -> None:
    now = versions()
    other = [name for name, value in plan.versions.items() if now.get(name) != value]
    if other:
        warnings.warn(
            f"The study was begun with other versions ({', '.join(other)}): its new rows agree"
            " with the old ones within rounding, not to the bit.",
            DoubtfulWarning,
            stacklevel=3,
        )
