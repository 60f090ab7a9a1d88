"""Printing: paragraphs, tables, JSON; with colour where a person is reading.

Results go to standard output, notes and errors to standard error. Colour is left out where the
stream is no terminal, where NO_COLOR is set (``--no-color`` sets it), and on a dumb terminal.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dalembert._files import checked
from dalembert.errors import FileError

NARROWEST, WIDEST = 40, 100
"""Columns of running text; a wider terminal does not make it easier to read."""

quiet = False
"""``-q``: no notes; set by `main` for each command."""

of_file = False
"""Whether the model is a file that is not Python: remedies are told in its language."""


def has_colour(stream: Any) -> bool:
    """Whether text on this stream may be coloured."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(not plain and stream.isatty())


def width() -> int:
    """Columns for running text."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def wrapped(text: str, columns: int | None = None, indent: str = "") -> str:
    """The text in lines of that width; names and paths stay in one piece."""
    return textwrap.fill(
        text,
        columns or width(),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def in_shell(message: str, *, names: bool = False) -> str:
    """The message with remedies for who wrote a command, and a file if the model is one.

    With `names` also methods and integrators are called as on the command line.
    """
    from dalembert.in_words import as_command, as_file

    known: dict[str, str] = {}
    if names:
        from dalembert.enforcement import METHODS
        from dalembert.integration import INTEGRATORS

        known = {kind.__name__: word for word, kind in (METHODS | INTEGRATORS).items()}
    said = as_command(message, known)
    return as_file(said) if of_file else said


def print_error(message: str) -> None:
    """One paragraph on stderr; lines the message brings itself (a user's formula) stay lines.

    Wrapped for a person only: in a log each finding stays one line.
    """
    text = f"dalembert: {in_shell(message, names=True)}"
    if sys.stderr.isatty():
        lines = [line if line.startswith("    ") else wrapped(line) for line in text.splitlines()]
        text = "\n".join(lines)
    _print(text, sys.stderr, style="red")


def print_note(message: str) -> None:
    """One line on stderr that is not a result (so that pipes stay clean); nothing with -q."""
    if not quiet:
        print(in_shell(message), file=sys.stderr, flush=True)


def print_heading(text: str) -> None:
    """Bold where the terminal can."""
    _print(text, sys.stdout, style="bold")


def print_report(text: str) -> None:
    """Aligned lines; where the terminal is narrower, they go on below their second column."""
    text = in_shell(text)
    if not sys.stdout.isatty():
        print(text)
        return
    columns = max(NARROWEST, shutil.get_terminal_size().columns)
    for line in text.splitlines():
        label = re.match(r"\s*\S.*?\s{2,}(?=\S)", line)
        indent = len(label[0]) if label and len(label[0]) <= columns // 2 else 4
        if len(line) <= columns:
            print(line)
        elif label:
            body = wrapped(line[len(label[0]) :], columns - indent).splitlines()
            print("\n".join([label[0] + body[0], *(" " * indent + part for part in body[1:])]))
        else:
            print(wrapped(line, columns))


def print_pairs(rows: Sequence[tuple[str, str]], stream: Any = None) -> None:
    """Names and what they mean: two columns, the second wrapped; one below the other if narrow."""
    if not rows:
        return
    stream = stream or sys.stdout
    left = max(len(name) for name, _ in rows) + 2
    columns = shutil.get_terminal_size().columns if stream.isatty() else 10_000
    for name, text in rows:
        if columns >= left + 30:
            line = wrapped(f"{name:<{left}}{text}", columns, " " * left)
        else:
            line = f"{name}\n{wrapped(f'    {text}', columns, '    ')}"
        print(line, file=stream)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, plain: str) -> None:
    """A drawn table for a person at a terminal, the plain text for a pipe or a file.

    Where the terminal is too narrow for the columns, they stand below one another.
    """
    if not sys.stdout.isatty():
        print(plain)
        return
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    if sum(widths) + 3 * len(head) + 2 > shutil.get_terminal_size().columns:
        for row in rows:
            print(row[0])
            for name, cell in zip(head[1:], row[1:], strict=True):
                print(f"    {name:<{max(map(len, head))}}  {cell}")
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    for i, name in enumerate(head):
        table.add_column(Text(name), justify="left" if i == 0 else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(no_color=not has_colour(sys.stdout)).print(table)


def print_json(value: Any) -> None:
    """Strict JSON on stdout: what is not a finite number becomes null."""
    print(json.dumps(finite(value), indent=2))


def check_writable(path: str | Path) -> Path:
    """The path, if a file can be made there; asked before a long run, not after."""
    checked(path)
    return Path(path)


def make_folder(path: str | Path) -> Path:
    """The folder, created when it is not there."""
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileError(
            f"{path}: cannot create the folder ({problem.strerror}). Choose another place."
        ) from problem
    if not os.access(path, os.W_OK):
        raise FileError(f"{path}: the folder may not be written. Choose another place.")
    return path


def finite(value: Any) -> Any:
    """The value with NaN and infinities, which JSON does not have, as null."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _print(text: str, stream: Any, *, style: str) -> None:
    """Styled by rich on a terminal, plain (and without importing rich) elsewhere."""
    if not has_colour(stream):
        print(text, file=stream, flush=True)
        return
    from rich.console import Console

    Console(file=stream, highlight=False, soft_wrap=True).print(text, style=style, markup=False)
