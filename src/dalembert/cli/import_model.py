"""Read any model file that is understood, report what is in it, write it as ours.

FILE is a YAML, JSON, TOML, URDF or MJCF model (robot.urdf:base=floating says how it is read; MJCF
needs MuJoCo: pip install 'dalembert[mjcf]'), a Python
file (file.py or file.py:name), or a catalog name. The report says what was understood and what was
not; --strict refuses when anything was not. With --out the model is written as YAML or JSON, read
again, and compared; or as URDF, where URDF can say it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.cli.parser import add_json

if TYPE_CHECKING:
    from dalembert.model import Model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("file", metavar="FILE", help="a model file, file.py[:name] or catalog name")
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="write the model: .yaml, .json or .urdf; - for YAML on stdout",
    )
    parser.add_argument(
        "--strict", action="store_true", help="exit with 2 when anything is not understood or kept"
    )
    add_json(parser, "the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Read, report, write."""
    from dalembert.cli import BAD_INPUT, OK
    from dalembert.cli.models import read_model
    from dalembert.cli.output import print_error, print_json, print_note, print_pairs
    from dalembert.importers.writing import save_model, text_in

    read = read_model(arguments.file)
    losses = [str(loss) for loss in read.losses]
    if arguments.out not in (None, "-"):
        text_in(read.model, Path(arguments.out).suffix)  # refused before anything is printed
    losses += kept_out(read.model)
    refused = bool(arguments.strict and losses)
    report = understood(read.model)
    if arguments.json:
        written = None if refused or arguments.out == "-" else arguments.out
        print_json({"understood": report, "lost": losses, "written": written})
    else:
        stream = sys.stderr if arguments.out == "-" else sys.stdout
        pairs = [(name, _shown(value)) for name, value in report.items()]
        pairs += [("lost", loss) for loss in losses] or [("lost", "nothing")]
        print_pairs(pairs, stream)
    if refused:
        print_error(
            f"{arguments.file}: {len(losses)} of what it says would be lost (above), and --strict "
            "allows none. Nothing was written."
        )
        return BAD_INPUT
    if arguments.out == "-":
        print(text_in(read.model, ".yaml"), end="")
    elif arguments.out:
        save_model(read.model, arguments.out)
        if Path(arguments.out).suffix.lower() == ".urdf":
            print_note(f"Wrote {arguments.out}.")  # frames of links are at their joints there
        else:
            compare_again(read.model, arguments.out)
            print_note(f"Wrote {arguments.out}; read again, it is the same model.")
    return OK


def understood(model: Model) -> dict[str, Any]:
    """Contents of the model, by kind."""
    kinds = [f"{joint.name} ({joint.kind})" for joint in model.joints.values()]
    forces = [*model.forces, *(q.name for q in model.generalised_forces)]
    given = [c.name for c in model.constraints if not c.labels]
    found: dict[str, Any] = {
        "model": model.name,
        "bodies": list(model.bodies),
        "joints": kinds,
        "coordinates": [] if model.bodies else [q.name for q in model.coordinates],
        "forces": forces,
        "constraints": given,
        "parameters": list(model.parameters),
        "initial": list(model.initial_formulas),
        "points": list(model.points),
        "simulate": dict(model.suggested),
    }
    return {key: value for key, value in found.items() if value}


def kept_out(model: Model) -> list[str]:
    """Remarks on parts of a model that a file of ours cannot say."""
    from dalembert.importers.writing import RUN_KEYS

    unknown = [key for key in model.suggested if key not in RUN_KEYS]
    return [f"suggestion {key!r} of how to run it is not written." for key in unknown]


def compare_again(model: Model, path: str) -> None:
    """Read what was written; the same data must come out of it."""
    from dalembert.errors import ImportFileError
    from dalembert.importers import native
    from dalembert.importers.same_model import differing
    from dalembert.importers.writing import as_data

    keys = differing(as_data(model), as_data(native.load(path)))
    if keys:
        raise ImportFileError(
            f"{path}: was written, but read again it is not the same model: {', '.join(keys)} "
            "differ. Keep the original, and report this."
        )


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    if isinstance(value, list):
        return f"{len(value)}: {', '.join(map(str, value))}"
    return str(value)
