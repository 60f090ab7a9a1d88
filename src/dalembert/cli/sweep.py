"""Run a model in many variants, and print what became of them.

STUDY is a study file (YAML, JSON or TOML), or the folder of a study that was stopped, which goes
on. Rows are kept in a folder while they are computed, by default one called like the file.

Exit codes: 0 every row is done, 1 rows failed (each with its error in the table), 2 bad input,
3 workers or disk were lost, 130 it was interrupted; in both cases what is done is kept.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.cli.parser import add_json, count
from dalembert.errors import FileError, InterruptedStudy, OptionError, StudyError, StudyFileError

if TYPE_CHECKING:
    from dalembert.study.study import Study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("study", metavar="STUDY", help="study file, or the folder of a study")
    parser.add_argument("-o", "--out", metavar="FOLDER", help="where the rows are kept")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the study in FOLDER; it must be there"
    )
    parser.add_argument(
        "--engine", choices=("threads", "processes", "dask"), help="who runs; default threads"
    )
    parser.add_argument("--workers", type=count, metavar="N", help="default: one a processor")
    parser.add_argument(
        "--cluster",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="a Dask scheduler, tcp://HOST:8786; without ADDRESS a cluster on this machine",
    )
    parser.add_argument("--row", type=count, metavar="ID", help="run this row again, for --html")
    parser.add_argument("--html", metavar="FILE.html", help="page that plays the row of --row")
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="rows done and time left; by default on a terminal only",
    )
    add_json(parser, "the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the rows that are missing, and report."""
    from dalembert.cli import INTERRUPTED, NOT_GOOD, OK, RUN_FAILED
    from dalembert.cli.output import check_writable, print_error, print_json, print_report

    if (arguments.html is None) != (arguments.row is None):
        raise OptionError("--row and --html belong together: the row, and the page that plays it.")
    if arguments.html:
        check_writable(arguments.html)
    code = OK
    try:
        study = _carried_out(arguments)
    except InterruptedStudy as stop:
        study, code = stop.study, INTERRUPTED
        print_error(_in_shell(str(stop)))
    except StudyError as problem:
        study, code = problem.study, RUN_FAILED
        print_error(_in_shell(str(problem)))
    except StudyFileError as problem:
        if problem.study is None:
            raise StudyFileError(_in_shell(str(problem))) from None
        print_error(_in_shell(str(problem)))
        return RUN_FAILED
    if study is not None:
        if arguments.json:
            print_json(_values(study))
        else:
            print_report(study.summary())
        if arguments.html and code == OK:
            _play(study, arguments)
    if code == OK and study is not None and len(study.failed):
        return NOT_GOOD
    return code


def _carried_out(arguments: argparse.Namespace) -> Study:
    from dalembert.cli.output import print_note
    from dalembert.cli.run import progress_of
    from dalembert.study.store import is_there
    from dalembert.study.sweep import resume_study

    given: dict[str, Any] = {
        "engine": arguments.engine,
        "workers": arguments.workers,
        "cluster": arguments.cluster,
    }
    given = {key: value for key, value in given.items() if value is not None}
    given["progress"] = progress_of(arguments)
    if Path(arguments.study).is_dir():
        if arguments.out:
            raise OptionError("--out is for a study file; a folder goes on where it is.")
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: print_note(f"dalembert: {message}")
            return resume_study(arguments.study, **given)
    from dalembert.study.file import read_study

    file = read_study(arguments.study)
    folder = arguments.out or file.carrying.get("folder") or Path(arguments.study).stem
    if arguments.resume and not is_there(folder):
        raise FileError(f"{folder}: there is no study to go on with. Leave --resume out.")
    return _swept(file, {**file.carrying, **given, "folder": folder})


def _swept(file: Any, options: dict[str, Any]) -> Study:
    from dalembert import catalog
    from dalembert.analysis.choices import split_options
    from dalembert.cli.models import load_model
    from dalembert.study.sweep import sweep

    beside = file.path.parent / file.model
    name = str(beside) if beside.is_file() else file.model
    model: Any = load_model(name)
    if file.events:
        options["events"] = file.read_events(model)
    if split_options(file.model)[0] in catalog.names() and not beside.is_file():
        model = file.model  # its options may be axes
    return sweep(model, file.over, **file.options, **options)


def _values(study: Study) -> dict[str, Any]:
    """The summary as plain values."""
    table = study.table
    return {
        "folder": None if study.folder is None else str(study.folder),
        "design": study.design,
        "axes": list(study.names),
        "columns": list(study.columns),
        "rows": study.count,
        "done": len(table),
        "seconds": float(table["seconds"].sum()),
        "failed": [{"id": int(row["id"]), "error": str(row["error"])} for row in study.failed],
    }


def _play(study: Study, arguments: argparse.Namespace) -> None:
    from dalembert.cli.output import print_note
    from dalembert.viewer.page import save_html

    save_html(study.run(arguments.row), arguments.html)
    print_note(f"Saved {arguments.html}: open it in a browser")


def _in_shell(message: str) -> str:
    """How to go on, for who wrote a command."""
    import re

    return re.sub(r"dl\.resume_study\('?(.+?)'?\)", r"dalembert sweep \1", message)
