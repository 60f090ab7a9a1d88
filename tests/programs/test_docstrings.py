"""Examples in docstrings give what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dalembert as dl

SHOWN = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def with_examples() -> list[str]:
    """Names of the modules that show any."""
    found = []
    for info in pkgutil.walk_packages(dl.__path__, "dalembert."):
        origin = info.module_finder.find_spec(info.name).origin
        if origin is not None and ">>> " in Path(origin).read_text():
            found.append(info.name)
    return found


@pytest.mark.parametrize("module", with_examples(), ids=lambda name: name.partition(".")[2])
def test_examples(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(module), optionflags=SHOWN)
    assert found.attempted > 0
    assert found.failed == 0


def test_every_public_name_is_told():
    for name in dl.__all__:
        thing = getattr(dl, name)
        if callable(thing) and not isinstance(thing, type(dl.time)):
            assert thing.__doc__, name
