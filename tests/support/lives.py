"""Run a test of a kernel in both lives of its text."""

from __future__ import annotations

import contextlib

import pytest

from dalembert import _jit

lives = pytest.mark.parametrize(
    "life", [contextlib.nullcontext, _jit.interpreted], ids=["compiled", "interpreted"]
)
