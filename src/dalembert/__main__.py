"""``python -m dalembert``: the command line."""

from __future__ import annotations

import sys

from dalembert.cli import main

if __name__ == "__main__":
    sys.exit(main())
