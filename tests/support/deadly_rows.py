"""A function of rows for engines of studies; it knows nothing else: workers begin at once."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

DEADLY = 3
SLOW = 1


def doubled(ids: Any, values: Any) -> list[float]:
    """Twice the values; row 3 takes its worker with it, and row 1 takes longer than that."""
    if DEADLY in ids:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    if SLOW in ids:
        time.sleep(0.6)
    return [2.0 * value for value in values]
