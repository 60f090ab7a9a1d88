"""Docstrings begin with what is returned or done, in plain words."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "dalembert"
VAGUE = re.compile(r"(Those|That of|The same|What|Of)\b")


def openings(text):
    """(line, first line) of the docstrings of the module, of definitions, and of named values."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds):
            for before, after in zip([node, *node.body], node.body, strict=False):
                if isinstance(before, (*kinds, ast.Assign, ast.AnnAssign)) and is_text(after):
                    yield after.lineno, after.value.value.strip().partition("\n")[0]


def is_text(node):
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def vague(text):
    return [(line, told) for line, told in openings(text) if VAGUE.match(told)]


def in_folder(name):
    """Vague openings in a folder or file."""
    files = [SOURCE / name] if name.endswith(".py") else sorted((SOURCE / name).rglob("*.py"))
    return [
        f"{path.relative_to(SOURCE)}:{line}: {told}"
        for path in files
        for line, told in vague(path.read_text(encoding="utf-8"))
    ]


FOLDERS = sorted({path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py")})


@pytest.mark.parametrize("name", FOLDERS)
def test_docstrings_say_what_is_returned_or_done(name):
    assert in_folder(name) == []


@pytest.mark.parametrize("told", ["Those of it.", "That of it.", "The same.", "What is.", "Of x."])
def test_vague_openings_are_found(told):
    assert vague(f'def f():\n    """{told}"""\n') == [(2, told)]
    assert vague(f'MOST = 3\n"""{told}"""\n') == [(2, told)]


@pytest.mark.parametrize("told", ["Offset of a row.", "Whatever is left.", "That it is a row."])
def test_other_openings_are_left_alone(told):
    assert vague(f'def f():\n    """{told}"""\n') == []
