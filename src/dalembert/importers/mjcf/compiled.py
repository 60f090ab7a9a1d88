"""MuJoCo's compiled model: the rules of the format (defaults, inertia from geoms) are MuJoCo's."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import ImportFileError, OptionError
from dalembert.importers.mjcf.admission import admit
from dalembert.importers.readers import must_be_file

FINITE = (
    *("body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "qpos0"),
    *("jnt_pos", "jnt_axis", "jnt_stiffness", "dof_damping", "qpos_spring", "geom_pos"),
    *("geom_quat", "geom_size", "site_pos", "site_quat", "eq_data"),
)
"""Fields a model is made of; numbers that overflowed while compiling are refused by these names."""


def mujoco() -> Any:
    """The package, or a sentence how to get it."""
    try:
        import mujoco as package
    except ImportError:
        raise ImportFileError(
            "MJCF files are compiled by MuJoCo, which is not installed. Install it: "
            "pip install 'dalembert[mjcf]'"
        ) from None
    return package


class Compiled:
    """A file as MuJoCo understands it.

    Attributes
    ----------
    mj : the package    m : mjModel     where : the file's name, for messages
    """

    def __init__(self, source: Any) -> None:
        self.mj = mujoco()
        self.warnings: list[str] = []
        self.is_text = isinstance(source, str) and source.lstrip().startswith("<")
        is_model = isinstance(source, self.mj.MjModel)
        self.where = "MjModel" if is_model else "MJCF text" if self.is_text else str(source)
        if not isinstance(source, str | Path) and not is_model:
            raise OptionError(f"{source!r:.60} is no file, XML text or mujoco.MjModel.")
        if is_model:
            self.m = source
        else:
            self._compile(source)
        for field in FINITE:
            if not np.all(np.isfinite(getattr(self.m, field))):
                raise ImportFileError(
                    f"{self.where}: {field} is not finite after compiling. Check the numbers of "
                    "the file."
                )

    def _compile(self, source: str | Path) -> None:
        if not self.is_text:
            must_be_file(Path(source))
        admit(source, is_text=self.is_text)
        try:
            with self._quiet():
                if self.is_text:
                    self.m = self.mj.MjModel.from_xml_string(source)
                else:
                    self.m = self.mj.MjModel.from_xml_path(str(source))
        except (ValueError, TypeError, OSError, self.mj.FatalError, MemoryError) as problem:
            raise ImportFileError(self._located(str(problem))) from None

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        """MuJoCo's warnings collected; by default it also writes them into a file beside us."""
        self.mj.set_mju_user_warning(self.warnings.append)
        try:
            yield
        finally:
            self.mj.set_mju_user_warning(None)

    def _located(self, message: str) -> str:
        """MuJoCo's message in our form: file, line, what is wrong."""
        flat = " ".join(message.split())
        found = re.search(r"[Ll]ine (?:number=)?(\d+)", flat)
        place = f"{self.where}, line {found[1]}" if found and found[1] != "0" else self.where
        flat = re.sub(r",? ?[Ll]ine (?:number=)?\d+", "", flat) if found else flat
        flat = re.sub(r"^((XML )?[Ee]rror: ?)+", "", flat).strip()
        return f"{place}: MuJoCo does not accept it: {flat.rstrip('.')}."

    def name(self, kind: str, index: int) -> str:
        """Name of an element in the file; numbered where it has none."""
        index = int(index)
        kinds = {"camera": "CAMERA", "keyframe": "KEY"}
        code = getattr(self.mj.mjtObj, f"mjOBJ_{kinds.get(kind, kind.upper())}")
        try:
            given = self.mj.mj_id2name(self.m, code, index)
        except UnicodeDecodeError as problem:
            what = f"the name of {kind} {index} is not UTF-8 text. Save the file as UTF-8."
            raise self.refuse(what) from problem
        if given:
            return str(given)
        if kind == "geom":
            owner = self.name("body", self.m.geom_bodyid[index])
            return f"geom {index} of {owner}"
        return f"{kind} {index}"

    def refuse(self, what: str) -> ImportFileError:
        """An error about the file."""
        return ImportFileError(f"{self.where}: {what}")


class Names:
    """Names as a model has them: letters, digits, underscores, each once."""

    def __init__(self, *taken: str, changed: dict[str, str] | None = None) -> None:
        self.taken = set(taken)
        self.changed = {} if changed is None else changed

    def take(self, given: str) -> str:
        """The name, changed as little as needed."""
        name = re.sub(r"\W", "_", given, flags=re.ASCII) or "unnamed"
        if not name[0].isalpha() and name[0] != "_":
            name = f"_{name}"
        made, number = name, 2
        while made in self.taken:
            made, number = f"{name}_{number}", number + 1
        self.taken.add(made)
        if made != given:
            self.changed[given] = made
        return made
