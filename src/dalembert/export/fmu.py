"""`export_fmu`: a model as a functional mock-up unit for co-simulation, FMI 2.0 or 3.0."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import OptionError
from dalembert.export.c_code import code_text, header_text, identifier
from dalembert.export.fmi_description import BUILD, description
from dalembert.export.fmi_text import FMI2, FMI3, UNIT
from dalembert.export.model_text import Exported

INTERFACES = {"2.0": FMI2, "3.0": FMI3}


def export_fmu(
    model: Any,
    path: Any,
    *,
    step: float,
    fmi: str = "2.0",
    name: str | None = None,
    inputs: Sequence[Any] = (),
    outputs: Any = (),
    parameters: Sequence[Any] | None = None,
) -> Path:
    """Write a model as an FMU for co-simulation, compiled by the system's C compiler.

    Parameters
    ----------
    path : of the file, NAME.fmu
    step : float            longest step within a communication step: RK4, constraints closed  [s]
    fmi : "2.0" or "3.0"    version of the interface
    inputs, outputs, parameters : as in `export_c`; states are outputs anyway

    Returns
    -------
    Path

    Raises
    ------
    OptionError             there is no C compiler; a model that `export_c` refuses
    """
    who = "export_fmu"
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < float("inf"):
        raise OptionError(f"{who}: step is {step!r}. Give a length of time, for example 1e-3.")
    if fmi not in INTERFACES:
        raise OptionError(f"{who}: fmi is {fmi!r}. Give '2.0' or '3.0'.")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise OptionError(
            f"{who}: there is no C compiler (cc, gcc or clang). Install one; dl.export_c writes the"
            " code without."
        )
    word = identifier(name or getattr(model, "name", None) or "model")
    made = Exported(who, model, inputs, outputs, parameters)
    header, code = header_text(made, word), code_text(made, word)
    mark = hashlib.sha256((header + code + repr(step)).encode()).hexdigest()[:32]
    sources = {
        f"{word}.h": header,
        f"{word}.c": code,
        f"fmi{fmi[0]}.c": _interface(made, word, float(step), mark, fmi),
    }
    if fmi == "3.0":
        sources["buildDescription.xml"] = BUILD.replace("WORD", word)
    place = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        for file, text in sources.items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        library = Path(folder) / f"{word}{_ending()}"
        _compile(compiler, [f for f in sources if f.endswith(".c")], library)
        place.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                "modelDescription.xml", description(made, word, float(step), mark, fmi)
            )
            archive.write(library, f"binaries/{_platform(fmi)}/{word}{_ending()}")
            for file, text in sources.items():
                archive.writestr(f"sources/{file}", text)
    return place


def _compile(compiler: str, files: Sequence[str], library: Path) -> None:
    command = [compiler, "-O2", "-std=c99", "-fPIC", "-shared", "-o", str(library)]
    done = subprocess.run(
        [*command, *files, "-lm"], cwd=library.parent, capture_output=True, text=True
    )
    if done.returncode:
        raise OptionError(f"export_fmu: {compiler} does not compile the code: {done.stderr[:500]}")


def _platform(fmi: str) -> str:
    """Name of the folder of the library."""
    system, machine = platform.system(), platform.machine().lower()
    if fmi == "3.0":
        kind = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
        return f"{kind}-{system.lower()}"
    short = {"Linux": "linux", "Darwin": "darwin", "Windows": "win"}[system]
    return short + ("64" if platform.architecture()[0] == "64bit" else "32")


def _ending() -> str:
    return {"Linux": ".so", "Darwin": ".dylib", "Windows": ".dll"}[platform.system()]


def _interface(made: Exported, word: str, step: float, mark: str, fmi: str) -> str:
    text = (UNIT + INTERFACES[fmi]).replace("WORD", word).replace("GUID", mark)
    text = text.replace("LONGEST", repr(step)).replace("@VERSION@", fmi)
    for key, given in (
        ("NX", made.states),
        ("NU", made.inputs),
        ("NP", made.parameters),
        ("NY", made.outputs),
    ):
        text = text.replace(f"@{key}@", str(len(given)))
    return text
