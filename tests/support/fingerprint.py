"""Hash of what a run returns, and of the same run elsewhere: equal if and only if all bits are."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import numpy as np


def digest_of(solution):
    """Hash of every number of a run and of its events, to be added to."""
    digest = hashlib.sha256()
    for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic"):
        digest.update(np.ascontiguousarray(getattr(solution, name)).tobytes())
    for event in solution.events:
        digest.update(np.float64(event.t).tobytes() + event.q.tobytes() + event.v.tobytes())
    return digest


def in_a_process(script, word="", **environment):
    """What a script prints as JSON in a process of its own, with one word on its command line."""
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, "-c", script, word],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
