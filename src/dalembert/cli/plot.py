"""Draw figures of a run or of a model.

RUN_OR_MODEL is the folder of a run, a .npz saved by `dalembert run --out`, or a MODEL, which is
simulated first. WHAT is drift, energy, trajectory, multipliers, stroboscope, or any signals:
coordinates (x, trunk.roll, knee.angle), their rates (x.dot, knee.angle.ddot), constraint forces
(mount.force), formulas ("x**2 + y**2").
Each named figure becomes a file of its own; all signals share one. --list names them all.
--gif, --mp4 and --sheet write the motion itself.

Of the folder of a study WHAT is heat-map:x=AXIS,y=AXIS,value=NAME, scatter-matrix:columns=A+B+C or
parallel-coordinates:color=NAME; options may be left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.cli.parser import add_json, add_method, add_run_options, add_tolerances, near
from dalembert.cli.pictures import add_picture_options, asked, write_pictures
from dalembert.cli.saved import is_saved, is_study
from dalembert.errors import OptionError

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

FIGURES = ("drift", "energy", "trajectory", "multipliers", "stroboscope")
FORMATS = ("png", "pdf", "svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN_OR_MODEL", help="folder of a run, RUN.npz, or MODEL")
    parser.add_argument("what", metavar="WHAT", nargs="*", default=[], help="see above")
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE_OR_FOLDER",
        help="one figure: its file, .png, .pdf or .svg; several: a folder (default: here)",
    )
    parser.add_argument("--format", choices=FORMATS, help="of figures in a folder; default png")
    parser.add_argument("--show", action="store_true", help="open windows instead of writing files")
    parser.add_argument("--list", action="store_true", help="print what can be drawn")
    add_method(parser)
    add_run_options(parser)
    add_tolerances(parser)
    add_picture_options(parser)
    add_json(parser, "the paths, or the list, as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the figures and print their paths."""
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json, print_note, print_pairs
    from dalembert.cli.saved import solution_of

    _refuse_formats(arguments)
    if is_study(arguments.run):
        from dalembert.cli.plot_study import plot_study

        return plot_study(arguments, lambda stem, labels: _places(arguments, stem, labels))
    pictures = asked(arguments)
    solution = solution_of(arguments.run, arguments)
    if arguments.list:
        found = drawable(solution)
        if arguments.json:
            print_json(found)
        else:
            print_pairs([(kind, ", ".join(names)) for kind, names in found.items()])
        return OK
    jobs = _jobs(arguments.what or ([] if pictures else ["drift"]), solution)
    stem = Path(arguments.run).resolve().stem if is_saved(arguments.run) else solution.model.name
    places = _places(arguments, stem, [label for label, _ in jobs])

    from dalembert.plotting.plot import plot

    for (_, what), path in zip(jobs, places, strict=True):
        plot(solution, *what, path=path)
        if path is not None and not arguments.json:
            print(path)
    write_pictures(arguments, solution, pictures)
    if not arguments.json:
        for path in pictures:
            print(path)
    if arguments.json:
        print_json({"figures": [str(path) for path in [*places, *pictures]]})
    if arguments.show:
        from dalembert.plotting.show import show

        show()
    if solution.status.failed:
        print_error(f"{solution.message} The figures end there.")
        return RUN_FAILED
    if not solution.verdict.is_good:
        print_note(f"dalembert: {solution.verdict}")
    return OK


def drawable(solution: Solution) -> dict[str, list[str]]:
    """Choices for WHAT, by kind."""
    from dalembert.model.basics.by_name import frame_names, joint_names

    names = list(solution.coordinate_names)
    named = [*joint_names(solution.model), *frame_names(solution.model)]
    return {
        "figures": list(FIGURES),
        "signals": [*named, *names, *(f"{name}.dot" for name in (*named, *names))],
        "constraint forces": [f"{name}.force" for name in solution.constraint_slices],
        "energies": ["kinetic", *(["potential"] if solution.potential is not None else [])],
    }


def _jobs(words: list[str], solution: Solution) -> list[tuple[str, tuple[Any, ...]]]:
    """Name of the file and what is drawn, for every figure; all signals share the last."""
    named = [name for name in dict.fromkeys(words) if name in FIGURES]
    signals = [signal_of(text, solution) for text in words if text not in FIGURES]
    jobs: list[tuple[str, tuple[Any, ...]]] = [(name, (name,)) for name in named]
    return [*jobs, ("signals", tuple(signals))] if signals else jobs


def _refuse_formats(arguments: argparse.Namespace) -> None:
    """A suffix that is no figure is told before a model is run."""
    suffix = Path(arguments.out or "").suffix.lower().removeprefix(".")
    if not suffix or Path(arguments.out).is_dir() or suffix in FORMATS:
        if suffix in FORMATS and arguments.format not in (None, suffix):
            raise OptionError(f"--out ends in .{suffix}, but --format is {arguments.format}.")
        return
    if suffix in ("gif", "mp4", "html"):
        raise OptionError(
            f"--out {arguments.out}: figures are .png, .pdf or .svg; moving pictures are made by "
            + (
                f"dalembert run MODEL --html {arguments.out}"
                if suffix == "html"
                else f"--{suffix} {arguments.out}"
            )
        )
    raise OptionError(
        f"--out {arguments.out}: figures are .png, .pdf or .svg.{near(suffix, FORMATS)} "
        "A folder has no dot, or exists already."
    )


def _places(arguments: argparse.Namespace, stem: str, labels: list[str]) -> list[Any]:
    """Where each figure goes; None for a window."""
    from dalembert.cli.output import check_writable, make_folder

    if arguments.show:
        if arguments.out:
            raise OptionError("--show opens windows and --out writes files. Give one of them.")
        return [None] * len(labels)
    out = arguments.out or "."
    if Path(out).suffix and not Path(out).is_dir():
        if len(labels) > 1:
            raise OptionError(
                f"--out {out}: one file, but {len(labels)} figures ({', '.join(labels)}). Give a "
                "folder, or one figure."
            )
        return [check_writable(out)]
    folder = make_folder(out)
    ending = arguments.format or "png"
    return [_free(folder, f"{stem}-{label}", ending) for label in labels]


def _free(folder: Path, stem: str, ending: str) -> Path:
    """A name that no file has yet: an earlier figure is not overwritten."""
    path, number = folder / f"{stem}.{ending}", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.{ending}", number + 1
    return path


def signal_of(text: str, solution: Any) -> Any:
    """The name when the solution has it, else the text read as a formula of its symbols."""
    from dalembert.analysis.signal_text import is_plain, parsed

    try:
        solution[text]
    except OptionError as problem:
        if is_plain(text):  # a misspelt name, not a formula
            hint = near(text, FIGURES).replace("Did you mean", "Or the figure")
            raise OptionError(f"{problem}{hint}") from None
    else:
        return text
    return parsed(text, solution.model, where="WHAT")
