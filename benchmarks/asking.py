"""Run a peer's program in the peers' own environment and read its rows."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tables import Row

PEERS = Path(__file__).parent / "peers"
PEER_TIMEOUT = 900.0  # [s]


def ask_peer(program: str, interpreter: str, **variables: object) -> list[Row]:
    """Rows printed by one peer program, given with its arguments; says what did not finish.

    Variables are those of its environment, without DALEMBERT_ before their names.
    """
    added = {f"DALEMBERT_{name.upper()}": str(value) for name, value in variables.items()}
    try:
        done = subprocess.run(
            [interpreter, *program.split()],
            cwd=PEERS,
            env=os.environ | added,
            capture_output=True,
            text=True,
            timeout=PEER_TIMEOUT,
            check=False,
        )
        printed, reason = done.stdout, _reason(done)
    except subprocess.TimeoutExpired as late:
        printed = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        reason = f"more than {PEER_TIMEOUT:.0f} s"
    if reason:
        print(f"  {program} did not finish: {reason}")
    return [json.loads(line[4:]) for line in printed.splitlines() if line.startswith("ROW ")]


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """Last line of what a failed program had to say; empty when it succeeded."""
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"
