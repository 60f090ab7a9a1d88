"""Write the series of a run as CSV, JSON, NPZ, HDF5, Parquet or netCDF.

RUN is a folder kept by `dalembert run --out`, finished or not, or a saved .npz. Columns: t,
coordinates, .dot, .ddot, lam[row], phi[row], phi_dot[row], kinetic, potential; HDF5 and netCDF hold
the arrays t, q, v, a, lam, phi, phi_dot and the names of their columns. A CSV of a run with located
events has NAME-events.csv beside it: t, kind, contact, law, before, after, impulse, point. HDF5
needs the extra hdf5, Parquet pyarrow, netCDF xarray.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dalembert.cli.parser import add_json
from dalembert.errors import FileError, OptionError

KINDS = ("csv", "json", "npz", "hdf5", "parquet", "netcdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or RUN.npz")
    parser.add_argument("--to", choices=KINDS, help="format; by default what FILE ends in")
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="default: RUN.csv, ..., RUN-columns.npz; - for stdout"
    )
    add_json(parser, "the path as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the file and print its path."""
    from dalembert.cli import OK
    from dalembert.cli.output import check_writable, print_json, print_note
    from dalembert.cli.saved import load_run
    from dalembert.simulation.results.export import ENDINGS, TEXTS, export, kind_of, write_text
    from dalembert.simulation.status import Status

    kind = arguments.to
    if kind is None:
        if arguments.out in (None, "-"):
            raise OptionError(f"export: say which format: --to {', '.join(KINDS)}.")
        kind = kind_of(Path(arguments.out))
    if arguments.out == "-" and kind not in TEXTS:
        raise FileError(f"{kind} is not text: give --out FILE{ENDINGS[kind]} instead of -.")
    source = Path(arguments.run)
    default = f"{source.stem}{'-columns' if kind == 'npz' else ''}{ENDINGS[kind]}"
    path = Path(arguments.out or source.absolute().with_name(default))
    if arguments.out != "-":
        check_writable(path)
        if path.exists() and source.exists() and path.samefile(source):
            raise FileError(f"{path}: would overwrite the run itself. Give another --out.")
    solution = load_run(arguments.run)
    if solution.status is Status.INTERRUPTED:
        print_note(solution.message)
    elif not solution.verdict.is_good:
        print_note(f"dalembert: {solution.verdict}")
    if arguments.out == "-":
        write_text(solution, kind, sys.stdout)
    elif arguments.json:
        print_json({"format": kind, "written": str(export(solution, path, kind))})
    else:
        print(export(solution, path, kind))
    return OK
