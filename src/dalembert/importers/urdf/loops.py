"""Joints that close a robot's tree: given as joints, or by the keys of a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalembert.errors import DalembertError, ImportFileError
from dalembert.model import Model
from dalembert.model.joints.joint import Joint


def add_loops(model: Model, loops: Any, path: Path) -> None:
    """Add the joints to the model."""
    if loops is None:
        return
    if isinstance(loops, Joint):
        loops = [loops]
    if not isinstance(loops, Mapping | list | tuple):
        raise ImportFileError(
            f"{path}: loops is {loops!r:.60}. Give a dict name -> joint, or a list of joints."
        )
    named = loops.items() if isinstance(loops, Mapping) else ((None, given) for given in loops)
    for name, given in named:
        title = "a loop" if name is None else f"loop '{name}'"
        if isinstance(given, Joint):
            try:
                model.add_loop(given if name is None else replace(given, name=name))
            except DalembertError as problem:
                raise ImportFileError(f"{path}: {title}: {problem}") from None
        elif isinstance(given, Mapping) and name is not None:
            from dalembert.importers.native import add_joint_entry

            add_joint_entry(model, name, dict(given), path)
        else:
            raise ImportFileError(
                f"{path}: {title} is {given!r:.60}. Give a joint, or name -> keys of a joint."
            )
