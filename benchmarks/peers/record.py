"""What every peer program shares: the clock, the reference values and one line of JSON per row.

Nothing here imports a peer or dalembert, so that each program runs in the peers' environment. Step,
timed steps and repeats are those of DALEMBERT_STEP, _STEPS and _REPEATS where they are set.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable

GRAVITY = 9.81  # m/s^2
STEP = float(os.environ.get("DALEMBERT_STEP", "1e-3"))  # s
STEPS = int(os.environ.get("DALEMBERT_STEPS", "100000"))
REPEATS = int(os.environ.get("DALEMBERT_REPEATS", "5"))
ENOUGH = 30.0  # repeats end when this time has passed, but there are two at least  [s]

# Closed forms at t = 10 s: Jacobi elliptic functions for both (docs/theory/errata.md, C6).
PENDULUM_AT_10 = (0.27508746257612, -0.961419205099125)  # bob (x, y), from (1, 0) at rest
FOUR_BARS_X3_AT_10 = 2.3284581115408  # top of the third support, from upright with unit speed


def best_cpu(run: Callable[[], object], reset: Callable[[], object] | None = None) -> float:
    """Least CPU time of the process for one call of `run`, over `REPEATS` calls  [s]."""
    best, begin = math.inf, time.perf_counter()
    for repeat in range(REPEATS):
        if repeat >= 2 and time.perf_counter() - begin > ENOUGH:
            break
        if reset is not None:
            reset()
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def emit(**row: object) -> None:
    """Print one row for run.py to read."""
    print("ROW " + json.dumps(row), flush=True)
