"""The public names: complete, lazy, and cheap to import."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert as dl


def test_all_is_the_table():
    assert set(dl.__all__) == {*dl._MODULE_OF, *dl._SUBMODULES, "__version__"}
    assert len(dl.__all__) == len(set(dl.__all__))


def test_type_checkers_are_told_the_same_names():
    stub = ast.parse(Path(dl.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    told = {
        (name.name, node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    table = {(name, f"dalembert.{module}") for name, module in dl._MODULE_OF.items()}
    assert told == table | {(name, "dalembert") for name in dl._SUBMODULES}


@pytest.mark.parametrize("name", dl.__all__)
def test_every_name_loads(name):
    assert getattr(dl, name) is not None
    assert name in dir(dl)


@pytest.mark.parametrize("name", dl.__all__)
def test_every_class_shows_itself(name):
    found = getattr(dl, name)
    if inspect.isclass(found) and not found.__module__.startswith("typing"):
        assert found.__repr__ is not object.__repr__


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'Modell'"):
        dl.Modell  # noqa: B018
    with pytest.raises(AttributeError, match=r"errors\.AssemblyError"):
        dl.AssemblyError  # noqa: B018


def test_import_loads_nothing_heavy():
    code = (
        "import sys, resource\n"
        "import dalembert\n"
        "heavy = {'llvmlite', 'scipy', 'sympy', 'matplotlib', 'pydantic', 'rich'}\n"
        "heavy |= {'viser'}\n"
        "usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(sorted(heavy & set(sys.modules)), usage.ru_utime + usage.ru_stime)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy, cpu = done.stdout.rsplit(maxsplit=1)
    assert heavy == "[]"
    assert float(cpu) < 0.3


def test_describing_a_model_loads_no_compiler():
    code = (
        "import sys\n"
        "import dalembert as dl\n"
        "dl.catalog.load('pendulum')\n"
        "heavy = {'llvmlite', 'scipy', 'sympy', 'matplotlib', 'viser'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
