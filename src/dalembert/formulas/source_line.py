"""The user's own line, for error messages about formulas."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path

import numpy as np

_OURS = str(Path(__file__).parent.parent)
_NUMPY = str(Path(np.__file__).parent)


def user_line() -> tuple[str, str]:
    """Place ``file:line`` and source text of the innermost frame outside dalembert and numpy."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_OURS, _NUMPY)):
            break
        frame = frame.f_back
    file, line = frame.f_code.co_filename, frame.f_lineno
    return f"{file}:{line}", linecache.getline(file, line, frame.f_globals).strip()


def located(what: str, remedy: str) -> str:
    """Message of three parts: what is wrong, where in the user's text, what to do."""
    place, text = user_line()
    shown = f"\n    {text}\n" if text else " "
    return f"{what}\n  at {place}{shown}{remedy}"
