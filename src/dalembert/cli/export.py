"""Write the series of a saved run as CSV, NPZ or JSON.

Columns: t, coordinates, .dot, .ddot, lam[row], phi[row], phi_dot[row], kinetic, potential.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path
from typing import Any

from dalembert._files import writing
from dalembert.errors import FileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN.npz", help="a run saved by: dalembert run --out")
    parser.add_argument("--to", required=True, choices=("csv", "npz", "json"), help="format")
    parser.add_argument(
        "--out", metavar="FILE", help="default: RUN.csv, RUN.json, RUN-columns.npz; - for stdout"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file and print its path."""
    from dalembert.cli import OK
    from dalembert.cli.output import check_writable
    from dalembert.simulation.solution import load_solution

    solution = load_solution(arguments.run)
    columns = solution.to_numpy()
    source = Path(arguments.run)
    if arguments.out == "-":
        if arguments.to == "npz":
            raise FileError("npz is not text: give --out FILE.npz instead of -.")
        _WRITERS[arguments.to](columns, sys.stdout)
        return OK
    default = (
        f"{source.stem}-columns.npz" if arguments.to == "npz" else f"{source.stem}.{arguments.to}"
    )
    path = check_writable(arguments.out or source.with_name(default))
    if path.exists() and path.samefile(source):
        raise FileError(f"{path}: would overwrite the run itself. Give another --out.")
    with writing(path, "the series") as file:
        if arguments.to == "npz":
            import numpy as np

            np.savez_compressed(file, allow_pickle=False, **columns)
        else:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            _WRITERS[arguments.to](columns, text)
            text.detach()  # written out; the file itself is closed by its owner
    print(path)
    return OK


def _write_csv(columns: dict[str, Any], file: Any) -> None:
    import csv

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    # repr of a float is the shortest text that reads back to the same number
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def _write_json(columns: dict[str, Any], file: Any) -> None:
    from dalembert.cli.output import finite

    json.dump(finite({name: column.tolist() for name, column in columns.items()}), file)
    file.write("\n")


_WRITERS = {"csv": _write_csv, "json": _write_json}
