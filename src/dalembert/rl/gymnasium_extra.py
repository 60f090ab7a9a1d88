"""Gymnasium, which is an extra."""

from __future__ import annotations

import importlib
from typing import Any

from dalembert.errors import OptionError


def gymnasium(who: str) -> Any:
    """The package, or a sentence that says how to get it."""
    try:
        found = importlib.import_module("gymnasium")
        importlib.import_module("gymnasium.vector").AutoresetMode  # noqa: B018
    except (ImportError, AttributeError) as problem:
        raise OptionError(
            f"{who}: environments need the extra 'rl' (Gymnasium 1.1 or later), which is not"
            " installed. Install it with pip install 'dalembert[rl]'."
        ) from problem
    return found
