"""A program in a process of its own, in an empty folder, without a screen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(text: str, folder: Path) -> str:
    """Run a Python text and return what it prints; its last lines of error when it fails."""
    path = folder / "program.py"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, path.name],
        cwd=folder,
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
