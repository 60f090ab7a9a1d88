"""Nobody but `model/` reaches for what a model keeps to itself."""

from __future__ import annotations

import ast
from pathlib import Path

import dalembert as dl

ROOT = Path(dl.__file__).parent

OWN = {name for name in (*dir(dl.Model), *vars(dl.Model())) if name[0] == "_" and name[1] != "_"}

FIELDS = ROOT / "simulation" / "described"
"""Writes models to files field by field, and looks at what it has read."""

MODELS = {"model", "made"}
"""Names that models have."""


def owner(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def test_privates_of_models_stay_in_their_folder():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in ROOT.rglob("*.py")
        if ROOT / "model" not in path.parents and FIELDS not in path.parents
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in OWN and owner(node.value) in MODELS
    ]
    assert found == []
