"""Imported first: everybody's linear algebra in one thread.

Threads of the BLAS that wait for work use the processor while they do, and CPU time would count it.
"""

from __future__ import annotations

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported; the peers' programs inherit it
